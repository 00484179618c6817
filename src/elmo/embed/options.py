"""The choices one has when embedding, by the names that Python and the command line share.

Nothing heavy is imported here, so that the command line can show its help at once.
"""

from typing import Literal

from elmo.model.precision import Precision as Precision

Layers = Literal["all", "top", "average"] | int
"""All layers, the top one, their average, or one by its number (0 is the word vector without context)."""
Pool = Literal["mean", "max"]
"""One vector a sentence: the mean or the maximum over its words."""
Tokenize = Literal["whitespace", "words"]
"""How a string becomes words: split at white space, or as raw text."""
InitialState = Literal["zero", "warm", "carry"]
"""What the LSTM layers remember when a sentence begins."""
Format = Literal["hdf5", "parquet", "safetensors", "npz"]
"""Kinds of output file."""

SUFFIXES: dict[str, Format] = {
    ".h5": "hdf5",
    ".hdf5": "hdf5",
    ".parquet": "parquet",
    ".safetensors": "safetensors",
    ".npz": "npz",
}
"""The kind of file that a name asks for."""

BATCH_TOKENS = 8192
"""Positions computed at once, padding and boundaries included."""
