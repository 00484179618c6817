"""The model ``medium``: ``elmo.load("medium")`` finds it here."""

from pathlib import Path

FOLDER = Path(__file__).parent / "model"
"""The model folder."""
