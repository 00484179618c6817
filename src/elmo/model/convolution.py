"""Convolution and max over time on a CPU, with a hand-written backward pass.

``CharacterEncoder._maxima`` is the readable twin. Autograd would keep the position of every maximum as a 64-bit number
and find it in a slow way; it would also add up the gradients of overlapping windows number by number. Here words of the
same length are convolved together, a few at a time, so that the responses stay in the cache, and a word has no more
windows than it needs: one for each of its characters, and one of padding.

Shapes: U words, C character positions, d character dimensions, w characters in a window, F filters, g words in a group,
s windows of a word.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from elmo.model.autocast import without_autocast

WINDOWS_PER_GROUP = 512
"""Number of windows that are convolved at a time."""


def filter_maxima(table: Tensor, filters: Tensor, ids: Tensor, windows: Tensor, ends: Tensor) -> Tensor:
    """Return the largest response of each filter to the first windows of each word, (U, F).

    Args:
        table: Embeddings of the characters, (characters, d). Row 0 gets no gradient.
        filters: (F, d, w).
        ids: Characters of the words, (U, C).
        windows: Number of windows of each word, (U,), from 1 to C - w + 1.
        ends: Largest number of windows that each filter reads, (F,).
    """
    with without_autocast(ids.device):
        return _FilterMaxima.apply(table, filters, ids, windows, ends)


class _FilterMaxima(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, table: Tensor, filters: Tensor, ids: Tensor, windows: Tensor, ends: Tensor) -> Tensor:
        matrix = filters.permute(2, 1, 0).flatten(0, 1).contiguous()  # (w*d, F)
        maxima = table.new_empty(len(ids), len(filters))
        places = torch.empty_like(maxima)  # the last window with the largest response
        for words, characters in _groups(ids, windows, filters.shape[2]):
            responses = _look_up(table, characters) @ matrix  # (g, s, F)
            position = _positions(responses)
            if responses.shape[1] > ends.min():
                responses.masked_fill_(position >= ends, -torch.inf)
            largest = responses.amax(1)
            maxima[words] = largest
            places[words] = _equal(responses, largest[:, None]).mul_(position).amax(1)
        ctx.save_for_backward(table, filters, matrix, ids, windows, places)
        return maxima

    @staticmethod
    def backward(ctx: Any, d_maxima: Tensor) -> Any:
        table, filters, matrix, ids, windows, places = ctx.saved_tensors
        d_table, d_matrix = torch.zeros_like(table), torch.zeros_like(matrix)
        for words, characters in _groups(ids, windows, filters.shape[2]):
            place = places[words, None].expand(-1, characters.shape[1], -1)
            d_responses = _equal(place, _positions(place)).mul_(d_maxima[words, None])  # (g, s, F), zero elsewhere
            d_matrix.addmm_(_look_up(table, characters).flatten(0, 1).T, d_responses.flatten(0, 1))
            d_embedded = (d_responses @ matrix.T).unflatten(-1, (-1, table.shape[1]))  # (g, s, w, d)
            d_table.index_add_(0, characters.flatten(), d_embedded.flatten(0, 2))
        d_table[0] = 0
        return d_table, d_matrix.unflatten(0, (-1, table.shape[1])).permute(2, 1, 0), None, None, None


def _groups(ids: Tensor, windows: Tensor, width: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield groups of words with the same number of windows: the words (g,), and their windows (g, s, w)."""
    order = torch.argsort(windows, stable=True)
    counts, sizes = torch.unique_consecutive(windows[order], return_counts=True)
    for count, words in zip(counts.tolist(), order.split(sizes.tolist()), strict=True):
        for group in words.split(max(1, WINDOWS_PER_GROUP // count)):
            yield group, ids[group].unfold(1, width, 1)[:, :count]


def _look_up(table: Tensor, characters: Tensor) -> Tensor:
    """The embeddings of windows, (g, s, w) -> (g, s, w*d)."""
    return torch.nn.functional.embedding(characters, table).flatten(2)


def _positions(responses: Tensor) -> Tensor:
    """The number of each window, (s, 1), for responses (g, s, F)."""
    return torch.arange(responses.shape[1], dtype=responses.dtype, device=responses.device)[:, None]


def _equal(a: Tensor, b: Tensor) -> Tensor:
    """1 where the elements of ``a`` (g, s, F) and ``b`` are equal, and 0 elsewhere; much faster than booleans."""
    return torch.eq(a, b, out=torch.empty(a.shape, dtype=a.dtype, device=a.device))
