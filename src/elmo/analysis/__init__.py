"""The paper's tables and figures: what to run, what came out, and how it looks."""
