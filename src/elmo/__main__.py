"""``python -m elmo`` is the command ``elmo``."""

from elmo.cli.main import main

main()
