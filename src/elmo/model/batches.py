"""Sentences as tensors, and many sentences as batches of similar length.

The words of a batch are encoded once each, however often they occur: the character CNN is the same
function of a word wherever it stands.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from elmo.text.characters import BEGIN_SENTENCE, END_SENTENCE, words_to_ids

Encoder = Callable[[Sequence[str]], Tensor]
"""Turns U words into their ids: (U, characters) for a character CNN, (U,) for a word table."""


@dataclass(frozen=True)
class Batch:
    """Sentences with their boundaries, padded on the right.

    B sentences, T positions of the longest (both boundaries counted), U distinct words.
    """

    words: Tensor
    """Ids of the distinct words, (U, characters) or (U,)."""
    positions: Tensor
    """Which distinct word stands where, (B, T); padding points at word 0 and must be masked."""
    lengths: tuple[int, ...]
    """Positions in use in each row, boundaries included."""

    @property
    def mask(self) -> Tensor:
        """True at the positions in use, (B, T)."""
        steps = torch.arange(self.positions.shape[1], device=self.positions.device)
        return steps < torch.tensor(self.lengths, device=self.positions.device)[:, None]

    def to(self, device: torch.device | str) -> "Batch":
        """The same batch on another device."""
        return Batch(self.words.to(device), self.positions.to(device), self.lengths)


def collate(sentences: Sequence[Sequence[str]], encode: Encoder) -> Batch:
    """Put sentences (without boundaries) into one batch, in the order given."""
    rows: dict[str, int] = {BEGIN_SENTENCE: 0, END_SENTENCE: 1}
    lengths = tuple(len(sentence) + 2 for sentence in sentences)
    positions = torch.zeros(len(sentences), max(lengths, default=2), dtype=torch.long)
    for index, sentence in enumerate(sentences):
        ids = [0, *(rows.setdefault(word, len(rows)) for word in sentence), 1]
        positions[index, : len(ids)] = torch.tensor(ids)
    return Batch(encode(list(rows)), positions, lengths)


def from_character_ids(ids: Tensor) -> Batch:
    """Make a batch of character ids (B, T, characters) without boundaries; a row of zeros is padding."""
    if ids.dim() != 3:
        raise ValueError(f"character ids have {ids.dim()} axes, not 3 (sentences, words, characters)")
    return from_ids(ids, words_to_ids([BEGIN_SENTENCE, END_SENTENCE], ids.shape[2]))


def from_ids(ids: Tensor, boundaries: Tensor) -> Batch:
    """Make a batch of the ids of words without boundaries, zeros for padding on the right; each distinct word once.

    (B, T, characters) and (2, characters) for a character CNN, (B, T) and (2,) for a word table.
    """
    mask = words_in(ids)  # (B, T)
    lengths = mask.sum(1)
    if not torch.equal(mask, torch.arange(ids.shape[1], device=ids.device) < lengths[:, None]):
        raise ValueError("ids are padded on the right only, but a row has padding before a word")
    words, found = torch.unique(ids[mask], dim=0, return_inverse=True)
    positions = ids.new_zeros(ids.shape[0], ids.shape[1] + 2)  # word 0 is <S>
    positions[:, 1:-1][mask] = found + 2
    positions[torch.arange(ids.shape[0], device=ids.device), lengths + 1] = 1
    return Batch(torch.cat([boundaries.to(ids.device), words]), positions, tuple((lengths + 2).tolist()))


def words_in(ids: Tensor) -> Tensor:
    """True where a word stands, (B, T), in ids as above."""
    return (ids > 0).any(2) if ids.dim() == 3 else ids > 0


def in_runs(sentences: Iterable[list[str]], tokens: int) -> Iterator[list[list[str]]]:
    """Cut a stream in runs of at least ``tokens`` positions (boundaries counted), the last one maybe less."""
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

    Longest first, so that a batch too large for the memory shows at once. A single sentence longer than
    the budget is a group of its own.
    """
    if budget < 1:
        raise ValueError(f"a batch needs a budget of at least 1 token, not {budget}")
    group: list[int] = []
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        if group and (len(group) + 1) * lengths[group[0]] > budget:
            yield group
            group = []
        group.append(index)
    if group:
        yield group


def in_rows(lengths: Sequence[int], steps: int) -> list[list[int]]:
    """Lay stretches of ``lengths`` end to end in as few rows of ``steps`` as can be, or nearly so.

    The longest first, each into the fullest row that has room. Gives the indices in each row.
    """
    rows: list[list[int]] = []
    with_space: list[list[int]] = [[] for _ in range(steps + 1)]
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        length = lengths[index]
        if length > steps:
            raise ValueError(f"a row of {steps} steps has no room for {length}")
        space = next((space for space in range(length, steps) if with_space[space]), None)
        if space is None:
            rows.append([index])
            with_space[steps - length].append(len(rows) - 1)
        else:
            row = with_space[space].pop()
            rows[row].append(index)
            with_space[space - length].append(row)
    return rows
