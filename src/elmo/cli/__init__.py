"""The command ``elmo``; nothing heavy is imported before a command runs."""
