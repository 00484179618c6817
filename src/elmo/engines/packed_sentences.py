"""The layers of a biLM that is trained along with another network.

``BiLM.forward`` computes the same and is the readable twin. On a CPU, its gradients are those of ``packed_cpu`` here:
the sentences of a batch are packed end to end into rows that are as long as the longest sentence.

Shapes: B sentences with N words in all, U distinct words, T steps, R rows, P output.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import embedding

from elmo.engines.packed import PackedStack
from elmo.model.autocast import without_autocast
from elmo.model.batches import Batch, collate, in_rows
from elmo.model.bilm import BiLM
from elmo.model.elmo import without_boundaries


def layers_with_gradients(bilm: BiLM, sentences: Sequence[Sequence[str]]) -> Tensor:
    """Return the layers of the words of all sentences, one sentence after another, without boundaries, (L+1, N, 2P)."""
    batch = collate(sentences, bilm.token_layer.encode).to(bilm.device)
    weights = {(weight.device.type, weight.dtype) for weight in bilm.parameters()}
    if torch.is_grad_enabled() and weights == {("cpu", torch.float32)}:
        with without_autocast(bilm.device):
            return _packed_layers(bilm, batch)
    output = bilm(batch)
    layers, mask = without_boundaries(output.layers, output.mask)
    return layers[:, mask]


def _packed_layers(bilm: BiLM, batch: Batch) -> Tensor:
    vectors = bilm.token_layer(batch.words)  # (U, P)
    read, keep, places = _pack(batch)
    words = batch.positions[:, 1:-1][batch.mask[:, 2:]]  # (N,)
    layers = [torch.cat(2 * [embedding(words, vectors)], 1)]
    # Made for each batch: its shape is that of the batch, and a network may read several batches before it learns.
    stack = PackedStack(bilm.lstm, len(keep), keep.shape[1], torch.float32, bilm.device)
    for outputs in stack(embedding(read, vectors), keep):  # (2, T, R, P)
        directions = [embedding(place, output.flatten(0, 1)) for place, output in zip(places, outputs, strict=True)]
        layers.append(torch.cat(directions, 1))
    return torch.stack(layers)


def _pack(batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Pack the sentences of a batch into rows; in the second direction, each is reversed.

    Returns:
        Which distinct word is read at each step, (2, T, R); 1 where the state continues, 0 where a sentence begins,
        (T, R); and the place of each word in the packed rows without its boundaries, (2, N), as t * R + r.
    """
    steps = max(batch.lengths)
    rows = in_rows(batch.lengths, steps)
    positions: NDArray[np.int64] = batch.positions.numpy()
    read = np.zeros((2, steps, len(rows)), dtype=np.int64)  # after the last sentence of a row, anything is read
    keep = np.ones((steps, len(rows)), dtype=np.float32)
    places: list[NDArray[np.int64]] = [np.empty((2, 0), dtype=np.int64)] * len(batch.lengths)
    for row, chosen in enumerate(rows):
        start = 0
        for index in chosen:
            end = start + batch.lengths[index]
            words = positions[index, : batch.lengths[index]]
            read[:, start:end, row] = words, words[::-1]
            keep[start, row] = 0
            place = np.arange(start, end) * len(rows) + row
            places[index] = np.stack([place, place[::-1]])[:, 1:-1]
            start = end
    return torch.from_numpy(read), torch.from_numpy(keep), torch.from_numpy(np.concatenate(places, 1))
