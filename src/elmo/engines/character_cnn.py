"""The character CNN in training on a GPU, with a hand-written backward pass.

``elmo.model.token_layers.CharacterEncoder`` computes the same and is the readable twin; the tests compare the two and
their gradients. The twin stores the responses of all filters to all windows, a gigabyte for a large batch, and reads
them again to find the largest, to make their gradients, and for two products. Here one kernel convolves words and keeps
only the largest responses and their places, and the backward pass makes the gradients of the responses from these. A
highway layer is one product for its gate and its transform, and one pointwise kernel.

Shapes: U words, C character positions, d character dimensions, w characters in a window, F filters, n windows.
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import embedding, linear, pad

from elmo.model.token_layers import CharacterEncoder, Highway


class TrainingEncoder:
    """The forward pass of a character CNN, for training.

    Args:
        encoder: The character CNN. Its weights are read at every call.
        dtype: What is computed in; sums are at least float32.
        kernels: ``torch_cnn``, or a module with the same functions.
    """

    def __init__(self, encoder: CharacterEncoder, dtype: torch.dtype, kernels: Any) -> None:
        self.encoder, self.dtype, self.kernels = encoder, dtype, kernels

    def __call__(self, ids: Tensor) -> Tensor:
        """Map character ids (U, C) to vectors (U, P). Words of similar length should be neighbors, for speed."""
        x = self._filters(ids)
        for highway in self.encoder.highways:
            x = self._highway(highway, x)
        projection = self.encoder.projection
        if projection is None:
            return x
        return linear(x, projection.weight.to(self.dtype), projection.bias.to(self.dtype))

    def _filters(self, ids: Tensor) -> Tensor:
        """Convolve and pool, (U, C) -> (U, F)."""
        encoder, columns = self.encoder, ids.shape[1]
        # Behind a word, all windows are padding, so one of them is enough.
        windows = (ids != encoder.padding_id).sum(1, dtype=torch.int32) + 1
        if columns == encoder.config.max_characters:
            # In a word that is too long to be cut, narrow filters also read windows close to its end.
            windows = torch.where(windows > columns - encoder.widest + 1, columns, windows)
            ids = pad(ids, (0, encoder.widest - 1))
        ends = [windows.new_full((count,), columns - width + 1) for width, count in encoder.config.filters]
        filters = [pad(one.weight, (0, encoder.widest - one.kernel_size[0])) for one in encoder.convolutions]
        biases: list[Any] = [one.bias for one in encoder.convolutions]
        return _Filters.apply(
            encoder.embedding.weight,
            torch.cat(filters).permute(2, 1, 0),  # (w, d, F)
            torch.cat(biases),
            ids,
            windows,
            torch.cat(ends),
            encoder.config.activation == "relu",
            self.dtype,
            self.kernels,
        )

    def _highway(self, highway: Highway, x: Tensor) -> Tensor:
        weight = torch.cat([highway.gate.weight, highway.transform.weight]).to(self.dtype)  # (2F, F)
        bias = torch.cat([highway.gate.bias, highway.transform.bias]).to(self.dtype)
        return _Highway.apply(x, weight, bias, self.kernels)


class _Filters(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        table: Tensor,
        filters: Tensor,
        bias: Tensor,
        ids: Tensor,
        windows: Tensor,
        ends: Tensor,
        relu: bool,
        dtype: torch.dtype,
        kernels: Any,
    ) -> Tensor:
        embedded = embedding(ids, table.to(dtype))  # (U, C, d)
        filters = filters.to(dtype).contiguous()
        activations, places = kernels.filter_maxima(embedded, filters, bias, windows, ends, relu)
        ctx.save_for_backward(embedded, filters, ids, windows, activations, places)
        ctx.relu, ctx.kernels, ctx.characters = relu, kernels, len(table)
        return activations

    @staticmethod
    def backward(ctx: Any, d_activations: Tensor) -> Any:
        embedded, filters, ids, windows, activations, places = ctx.saved_tensors
        slope = activations > 0 if ctx.relu else 1 - activations**2
        d_maxima = d_activations.contiguous() * slope
        d_filters = ctx.kernels.filter_gradient(embedded, d_maxima, places, windows, len(filters))
        d_table = ctx.kernels.table_gradient(ids, filters, d_maxima, places, windows, ctx.characters)
        d_table[0] = 0  # stands for "no word"
        return d_table, d_filters, d_maxima.sum(0, dtype=d_table.dtype), *[None] * 6


class _Highway(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor, kernels: Any) -> Tensor:
        sums = torch.addmm(bias, x, weight.T)  # (U, 2F): gate and transform, before sigmoid and relu
        ctx.save_for_backward(x, weight, sums)
        ctx.kernels = kernels
        return kernels.highway_forward(sums, x)

    @staticmethod
    def backward(ctx: Any, d_y: Tensor) -> Any:
        x, weight, sums = ctx.saved_tensors
        d_sums, d_x = ctx.kernels.highway_backward(sums, x, d_y.contiguous())
        d_x.addmm_(d_sums, weight)
        return d_x, d_sums.T @ x, d_sums.sum(0), None


class torch_cnn:
    """The operations in plain PyTorch, on any device and in any precision."""

    @staticmethod
    def filter_maxima(
        embedded: Tensor, filters: Tensor, bias: Tensor, windows: Tensor, ends: Tensor, relu: bool
    ) -> tuple[Tensor, Tensor]:
        """Return the activations of the filters (U, F), and the windows with the largest responses (U, F).

        Args:
            embedded: Characters of the words, (U, C, d).
            filters: (w, d, F).
            bias: Added to the largest responses, (F,).
            windows: Number of windows that have to be computed, (U,). The others would not change the result.
            ends: Number of windows that each filter reads, (F,).
            relu: Whether the activation is relu; otherwise it is tanh.
        """
        inputs = _windows(embedded, len(filters)).to(bias.dtype)
        responses = inputs @ filters.flatten(0, 1).to(bias.dtype)  # (U, n, F)
        position = torch.arange(responses.shape[1], device=ends.device)[:, None]
        maxima, places = responses.masked_fill(position >= ends, -torch.inf).max(1)
        activations = torch.relu(maxima + bias) if relu else torch.tanh(maxima + bias)
        return activations.to(embedded.dtype), places.to(place_type(embedded.shape[1]))

    @staticmethod
    def filter_gradient(embedded: Tensor, d_maxima: Tensor, places: Tensor, windows: Tensor, width: int) -> Tensor:
        """Return the gradient of the filters (w, d, F), given that of the largest responses (U, F)."""
        inputs = _windows(embedded, width).to(_exact(embedded))
        d_responses = _d_responses(d_maxima, places, inputs.shape[1])
        return (inputs.flatten(0, 1).T @ d_responses.flatten(0, 1)).unflatten(0, (width, -1))

    @staticmethod
    def table_gradient(
        ids: Tensor, filters: Tensor, d_maxima: Tensor, places: Tensor, windows: Tensor, characters: int
    ) -> Tensor:
        """Return the gradient of the embeddings of all characters, (characters, d), for words ``ids`` (U, C)."""
        count = ids.shape[1] - len(filters) + 1
        d_responses = _d_responses(d_maxima, places, count)
        d_table = d_responses.new_zeros(characters, filters.shape[1])
        for offset, filters_there in enumerate(filters.to(d_responses.dtype)):  # (d, F)
            d_characters = d_responses @ filters_there.T  # (U, n, d)
            d_table.index_add_(0, ids[:, offset : offset + count].flatten(), d_characters.flatten(0, 1))
        return d_table

    @staticmethod
    def highway_forward(sums: Tensor, x: Tensor) -> Tensor:
        """Return ``gate * relu(transform) + (1 - gate) * x``, (U, F), for the sums (U, 2F) of gate and transform."""
        gate, transform = sums.to(_exact(x)).chunk(2, 1)
        gate = torch.sigmoid(gate)
        return (gate * torch.relu(transform) + (1 - gate) * x).to(x.dtype)

    @staticmethod
    def highway_backward(sums: Tensor, x: Tensor, d_y: Tensor) -> tuple[Tensor, Tensor]:
        """Return the gradients of the sums (U, 2F) and of ``x`` (U, F), the latter without its part in the sums."""
        gate, transform = sums.to(_exact(x)).chunk(2, 1)
        gate = torch.sigmoid(gate)
        d_gate = d_y * (torch.relu(transform) - x) * gate * (1 - gate)
        d_transform = torch.where(transform > 0, d_y * gate, 0)
        return torch.cat([d_gate, d_transform], 1).to(x.dtype), (d_y * (1 - gate)).to(x.dtype)


def place_type(columns: int) -> torch.dtype:
    """The data type of the number of a window."""
    return torch.uint8 if columns <= 256 else torch.int16


def _exact(x: Tensor) -> torch.dtype:
    return torch.float64 if x.dtype == torch.float64 else torch.float32


def _windows(embedded: Tensor, width: int) -> Tensor:
    """All windows of all words, (U, C, d) -> (U, n, w*d)."""
    return embedded.unfold(1, width, 1).mT.flatten(2)


def _d_responses(d_maxima: Tensor, places: Tensor, windows: int) -> Tensor:
    """The gradients of all responses, (U, n, F): those of the largest are given (U, F), the others are zero."""
    zeros = torch.zeros(len(places), windows, places.shape[1], dtype=_exact(d_maxima), device=places.device)
    return zeros.scatter_(1, places.long()[:, None], d_maxima.to(zeros.dtype)[:, None])
