"""The biLM computed fast: one protocol, one function that chooses, and an engine for each kind of device.

engine_for(bilm, precision)   the only place that chooses an engine
current                       the engine for the weights as they are now
engine                        the protocol
reference                     ``BiLM.forward``: readable, and correct on every device and for every data type
cpu, cuda                     the same numbers, several times faster, for inference
packed_matrix                 products of the CPU engine
few_sentences                 what the CPU engine does differently for a few sentences
grouped_integers              weights in half the memory, without rounding, for one sentence
compiled                      loops on a CPU, in machine code
loops, training_loops         what they are translated from; ``loop_parts`` is what these share
threads                       how many threads the CPU engine uses, by measuring
packed, triton_kernels        LSTM layers with a hand-written backward pass, for training
packed_cpu                    the same on a CPU, with the loops of compiled
packed_sentences              all layers with their gradients, to train a biLM along with another network
character_cnn, triton_cnn     the character CNN with a hand-written backward pass, on a GPU
triton_gru                    GRU layers of task models, each pass as a single kernel
"""

from typing import get_args

import torch

from elmo.config import Precision
from elmo.engines.cpu import CPUEngine
from elmo.engines.cuda import CUDAEngine
from elmo.engines.engine import Engine
from elmo.engines.reference import ReferenceEngine
from elmo.model.bilm import BiLM
from elmo.validation import checked_choice


def engine_for(bilm: BiLM, precision: Precision = "float32") -> Engine:
    """Choose the fastest engine for a biLM on its device.

    Args:
        bilm: The model. The engine computes on the device of its weights.
        precision: "float32" (exact), "bf16", or "int8" (CPU only).

    Raises:
        ValueError: If the device cannot compute in this precision.
    """
    checked_choice("precision", precision, get_args(Precision))
    if precision == "int8" and bilm.device.type != "cpu":
        raise ValueError(f"precision int8 is available on the CPU only, but the model is on {bilm.device}")
    weights = {(weight.device.type, weight.dtype) for weight in bilm.parameters()}
    if weights == {("cpu", torch.float32)}:
        return CPUEngine(bilm, precision)
    if weights == {("cuda", torch.float32)}:
        return CUDAEngine(bilm, torch.float32 if precision == "float32" else torch.bfloat16)
    return ReferenceEngine(bilm)
