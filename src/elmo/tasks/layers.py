"""Layers that several task models share. Sequences are padded on the right."""

import functools
import importlib.util
import itertools
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from elmo.engines.devices import multiplies_bfloat16

FUSED_GRU_DIM = 128
"""Largest GRU that is computed by a single kernel on a GPU."""


class VariationalDropout(nn.Module):
    """Dropout with one mask for all positions of a sequence (Gal & Ghahramani 2016)."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        """Map (B, T, D) to (B, T, D)."""
        if not self.training or self.p == 0:
            return x
        return x * nn.functional.dropout(x.new_ones(x.shape[0], 1, x.shape[2]), self.p)


class Encoder(nn.Module):
    """Bidirectional LSTM or GRU layers over padded sequences, with variational dropout on each layer's input."""

    def __init__(
        self, input_dim: int, dim: int, n_layers: int = 1, dropout: float = 0.0, kind: Literal["lstm", "gru"] = "lstm"
    ) -> None:
        super().__init__()
        self.output_dim = 2 * dim
        self.fused = kind == "gru" and dim <= FUSED_GRU_DIM
        cell = nn.LSTM if kind == "lstm" else nn.GRU
        self.layers = nn.ModuleList(
            cell(input_dim if index == 0 else 2 * dim, dim, batch_first=True, bidirectional=True)
            for index in range(n_layers)
        )
        self.dropout = VariationalDropout(dropout)
        for name, parameter in self.named_parameters():
            if "weight_hh" in name:
                for gate in parameter.data.split(dim):
                    nn.init.orthogonal_(gate)
            elif "weight_ih" in name:
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)
                if kind == "lstm" and "bias_ih" in name:
                    nn.init.ones_(parameter.data[dim : 2 * dim])  # the forget gate starts open

    def forward(self, x: Tensor, lengths: Sequence[int]) -> Tensor:
        """Map (B, T, input_dim) to (B, T, output_dim), zero at padding."""
        steps = torch.tensor([max(length, 1) for length in lengths])
        if self.fused and x.is_cuda and _has_triton():
            from elmo.engines.triton_gru import bidirectional_gru

            steps = steps.to(x.device, torch.int32, non_blocking=True)
            for layer in self.layers:
                assert isinstance(layer, nn.GRU)  # or it would not be fused
                x = bidirectional_gru(layer, self.dropout(x), steps)
            return x
        if x.device.type == "cpu" and torch.is_grad_enabled():
            for layer in self.layers:
                x = padded_rnn(layer, self.dropout(x), steps)
            return x
        for layer in self.layers:
            packed = pack_padded_sequence(self.dropout(x), steps, batch_first=True, enforce_sorted=False)
            x, _ = pad_packed_sequence(layer(packed)[0], batch_first=True, total_length=x.shape[1])
        return x


def padded_rnn(layer: nn.Module, x: Tensor, lengths: Tensor) -> Tensor:
    """Apply a bidirectional LSTM or GRU layer to padded sequences: (B, T, D) to (B, T, 2 dim), zero at padding.

    The same as ``layer`` applied to a packed sequence, which on a CPU has a gradient of quadratic cost: for every step,
    it adds up gradients of the whole sequence. Here, each sequence is reversed within its length for the second
    direction, so that padding comes last for both and changes nothing.

    Args:
        layer: ``nn.LSTM`` or ``nn.GRU`` with a single layer and ``batch_first``.
        x: The sequences.
        lengths: Their lengths, (B,).
    """
    assert isinstance(layer, nn.LSTM | nn.GRU)
    step = torch.arange(x.shape[1])
    inside = step < lengths[:, None]  # (B, T)
    reverse = torch.where(inside, lengths[:, None] - 1 - step, step)[:, :, None]
    zero = x.new_zeros(1, len(x), layer.hidden_size)
    outputs = []
    for direction in ("", "_reverse"):
        weights = [getattr(layer, f"{name}_l0{direction}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
        inputs = x.gather(1, reverse.expand_as(x)) if direction else x
        # biases, layers, dropout, training, bidirectional, batch_first
        options = (weights, True, 1, 0.0, True, False, True)
        if isinstance(layer, nn.LSTM):
            with lstm_products(x, training=layer.training):
                output = torch.lstm(inputs, (zero, zero), *options)[0].to(x.dtype)
        else:
            output = torch.gru(inputs, zero, *options)[0]
        outputs.append(output.gather(1, reverse.expand_as(output)) if direction else output)
    return torch.cat(outputs, 2) * inside[:, :, None]


def lstm_products(x: Tensor, *, training: bool) -> AbstractContextManager[object]:
    """Within the block, LSTMs compute in bfloat16 if they are in training on a CPU with instructions for it.

    It is about twice as fast, and changes outputs and gradients by less than 1 %.

    Args:
        x: The input.
        training: Whether the LSTM is in training.
    """
    if training and x.device.type == "cpu" and x.dtype == torch.float32 and multiplies_bfloat16(x.device):
        return torch.autocast("cpu", torch.bfloat16)
    return nullcontext()


@functools.cache
def _has_triton() -> bool:
    return importlib.util.find_spec("triton") is not None


class FeedForward(nn.Sequential):
    """Linear layers, each followed by ReLU and dropout."""

    def __init__(self, dims: Sequence[int], dropout: float = 0.0) -> None:
        layers: list[nn.Module] = []
        for before, after in itertools.pairwise(dims):
            layers += [nn.Linear(before, after), nn.ReLU(), nn.Dropout(dropout)]
        super().__init__(*layers)


def masked_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    """Return the softmax over the last axis where ``mask`` (broadcast) is True; all zeros if it is nowhere."""
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, -1) * mask


def masked_max(x: Tensor, mask: Tensor) -> Tensor:
    """Return the maximum over the positions where ``mask`` is True, (B, T, D) to (B, D)."""
    return x.masked_fill(~mask[:, :, None], torch.finfo(x.dtype).min).amax(1)


def masked_mean(x: Tensor, mask: Tensor) -> Tensor:
    """Return the mean over the positions where ``mask`` is True, (B, T, D) to (B, D)."""
    return (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
