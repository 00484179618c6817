"""Sentences as tensors, and many sentences as batches of similar length.

The distinct words of a batch are encoded once each, however often they occur: the token layer computes the same vector
for a word wherever it occurs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from elmo.config import TokenLayerConfig
from elmo.model.token_layers import TokenLayer, TokenVocabulary, words_to_ids
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE
from elmo.validation import checked_sentences, kind


@dataclass(frozen=True)
class Batch:
    """Sentences with their boundaries, padded on the right.

    B sentences, T positions of the longest (both boundaries included), U distinct words.
    """

    words: Tensor
    """Ids of the distinct words, (U, columns) or (U,)."""
    positions: Tensor
    """Index of the distinct word at each position, (B, T). Padding points at word 0 and must be masked."""
    lengths: tuple[int, ...]
    """Length of each row, boundaries included."""

    @property
    def mask(self) -> Tensor:
        """True where there is a word or a boundary, (B, T)."""
        steps = torch.arange(self.positions.shape[1], device=self.positions.device)
        return steps < torch.tensor(self.lengths, dtype=torch.long, device=self.positions.device)[:, None]

    def to(self, device: torch.device | str) -> "Batch":
        """Return the same batch on another device."""
        return Batch(self.words.to(device), self.positions.to(device), self.lengths)


def collate(sentences: Sequence[Sequence[str]], encode: Callable[[Sequence[str]], Tensor]) -> Batch:
    """Make a batch of sentences.

    Args:
        sentences: Lists of words, without boundaries.
        encode: Turns words into ids: ``bilm.token_layer.encode``.

    Returns:
        The sentences in the order given, with boundaries.
    """
    rows: dict[str, int] = {BEGIN_SENTENCE: 0, END_SENTENCE: 1}
    lengths = tuple(len(sentence) + 2 for sentence in sentences)
    positions = torch.zeros(len(sentences), max(lengths, default=2), dtype=torch.long, device="cpu")
    for index, sentence in enumerate(sentences):
        ids = [0, *(rows.setdefault(word, len(rows)) for word in sentence), 1]
        positions[index, : len(ids)] = torch.tensor(ids, device="cpu")
    return Batch(encode(list(rows)), positions, lengths)


def to_ids(sentences: Sequence[Sequence[str]], config: TokenLayerConfig, vocabulary: TokenVocabulary = None) -> Tensor:
    """Encode sentences as a single tensor, the form in which other libraries pass them from tokenizers to models.

    Args:
        sentences: Lists of words, without boundaries.
        config: Configuration of the token layer that will read the ids.
        vocabulary: Vocabulary of that layer, if it needs one.

    Returns:
        The ids of the words, (B, T, columns) or (B, T), with zeros for padding on the right.
    """
    sentences = list(checked_sentences(sentences))
    lengths = [len(sentence) for sentence in sentences]
    words = [word for sentence in sentences for word in sentence]
    ids = torch.from_numpy(words_to_ids(words, config, vocabulary))
    padded = ids.new_zeros(len(sentences), max(lengths, default=0), *ids.shape[1:])
    for row, encoded in zip(padded, ids.split(lengths), strict=True):
        row[: len(encoded)] = encoded
    return padded


def from_ids(ids: Tensor, token_layer: TokenLayer) -> Batch:
    """Make a batch from the ids that ``to_ids`` returns.

    Args:
        ids: The ids of words without boundaries, (B, T, columns) or (B, T), with zeros for padding on the right.
        token_layer: The layer that will read them.

    Raises:
        ValueError: If the ids do not fit the layer, or a row has padding before a word.
    """
    if not isinstance(ids, Tensor) or ids.is_floating_point() or ids.is_complex() or ids.dtype == torch.bool:
        raise ValueError(f"ids must be a tensor of integers, not {ids.dtype if isinstance(ids, Tensor) else kind(ids)}")
    ids = ids.long()
    if bool((ids < 0).any()):
        raise ValueError("ids must not be negative")
    ends = token_layer.words_to_ids([BEGIN_SENTENCE, END_SENTENCE], token_layer.config, token_layer.vocabulary)
    if ids.dim() != ends.ndim + 1:
        expected = "(sentences, words, columns)" if ends.ndim == 2 else "(sentences, words)"
        raise ValueError(f"ids have {ids.dim()} axes, but this model reads ids of shape {expected}")
    boundaries = torch.from_numpy(ends).to(ids.device)
    if ids.dim() == 3:
        if ids.shape[2] > boundaries.shape[1]:
            raise ValueError(f"words have {ids.shape[2]} characters, but this model reads {boundaries.shape[1]}")
        boundaries = boundaries[:, : ids.shape[2]]
    mask = is_word(ids)  # (B, T)
    lengths = mask.sum(1)
    if not torch.equal(mask, torch.arange(ids.shape[1], device=ids.device) < lengths[:, None]):
        raise ValueError("ids must be padded on the right, but a row has padding before a word")
    words, found = torch.unique(ids[mask], dim=0, return_inverse=True)
    limits = torch.tensor(token_layer.id_limits(), device=ids.device)[: ids.shape[2] if ids.dim() == 3 else None]
    if not bool((words < limits).all()):
        raise ValueError(f"ids must be at most {int(limits.max()) - 1} for this model")
    positions = ids.new_zeros(ids.shape[0], ids.shape[1] + 2)  # word 0 is <S>
    positions[:, 1:-1][mask] = found + 2
    positions[torch.arange(ids.shape[0], device=ids.device), lengths + 1] = 1
    distinct = token_layer.trim(torch.cat([boundaries, words]))
    return Batch(distinct, positions, tuple((lengths + 2).tolist()))


def is_word(ids: Tensor) -> Tensor:
    """True where ids, as ``from_ids`` reads them, are those of a word, (B, T)."""
    return (ids > 0).any(2) if ids.dim() == 3 else ids > 0


def in_runs(sentences: Iterable[list[str]], tokens: int) -> Iterator[list[list[str]]]:
    """Cut a stream into runs of at least ``tokens`` positions, boundaries included; the last run may be shorter."""
    run: list[list[str]] = []
    size = 0
    for sentence in sentences:
        run.append(sentence)
        size += len(sentence) + 2
        if size >= tokens:
            yield run
            run, size = [], 0
    if run:
        yield run


def by_length(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Group the indices of ``lengths`` so that no group, padded to its longest, exceeds ``budget``.

    The longest come first, so that a batch too large for the memory fails at once. A sentence longer than the budget is
    a group of its own.
    """
    if budget < 1:
        raise ValueError(f"a batch must hold at least 1 token, not {budget}")
    group: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if group and (len(group) + 1) * lengths[group[0]] > budget:
            yield group
            group = []
        group.append(index)
    if group:
        yield group


def in_rows(lengths: Sequence[int], steps: int) -> list[list[int]]:
    """Pack sequences of these lengths end to end into rows of ``steps`` positions: best-fit decreasing.

    Returns:
        The indices of ``lengths`` in each row.
    """
    rows: list[list[int]] = []
    with_space: list[list[int]] = [[] for _ in range(steps + 1)]
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        length = lengths[index]
        if length > steps:
            raise ValueError(f"a sequence of length {length} does not fit into a row of {steps} steps")
        space = next((space for space in range(length, steps) if with_space[space]), None)
        if space is None:
            rows.append([index])
            with_space[steps - length].append(len(rows) - 1)
        else:
            row = with_space[space].pop()
            rows[row].append(index)
            with_space[space - length].append(row)
    return rows
