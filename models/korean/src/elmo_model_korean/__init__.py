"""The model ``korean``: ``elmo.load("korean")`` finds it here."""

from pathlib import Path

FOLDER = Path(__file__).parent / "model"
"""The model folder."""
