"""In how many bits weights are held on the CPU. Nothing heavy is imported here, so that options can name it."""

from typing import Literal

Precision = Literal["float32", "bf16", "int8"]
"""float32 is exact. bf16 halves all matrices. int8 is bf16 with the largest ones, the LSTM's from state to state, in
8 bits: it is for one sentence at a time, when reading the weights is what takes the time."""
