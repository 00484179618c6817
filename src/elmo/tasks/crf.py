"""A linear-chain conditional random field, with transitions that may be forbidden.

``best_paths`` is the decoder on its own, for models that do not learn transitions and only have constraints.
Padding is on the right; scores and labels at padding are ignored.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

FORBIDDEN = -1e30
"""The score of a forbidden transition in the sum over all paths: its exponential is 0, and gradients stay finite.

With minus infinity, gradients would be NaN as soon as a label cannot be reached. It takes 10^8 forbidden transitions in
one path to leave the range of float32.
"""


class CRF(nn.Module):
    """Scores label sequences by the scores of each word, and by learned scores of transitions, starts and ends.

    The learned scores are initialized to zero. Forbidden sequences have probability zero, in training too. The
    constraints are not part of the state dict.

    Args:
        n_labels: Number of labels L.
        allowed: Whether label j may follow label i, (L from, L to); None allows all transitions.
        start_allowed: Which labels may come first, (L,); None allows all.
        end_allowed: Which labels may come last, (L,); None allows all.
    """

    allowed: Tensor
    start_allowed: Tensor
    end_allowed: Tensor

    def __init__(
        self,
        n_labels: int,
        allowed: Tensor | None = None,
        start_allowed: Tensor | None = None,
        end_allowed: Tensor | None = None,
    ) -> None:
        super().__init__()
        if n_labels < 1:
            raise ValueError(f"a CRF needs at least one label, not {n_labels}")
        self.n_labels = n_labels
        self.transitions = nn.Parameter(torch.zeros(n_labels, n_labels))  # (from, to)
        self.start = nn.Parameter(torch.zeros(n_labels))
        self.end = nn.Parameter(torch.zeros(n_labels))
        for name, given, scores in (
            ("allowed", allowed, self.transitions),
            ("start_allowed", start_allowed, self.start),
            ("end_allowed", end_allowed, self.end),
        ):
            constraint = torch.ones_like(scores, dtype=torch.bool) if given is None else given.clone()
            if constraint.dtype != torch.bool or constraint.shape != scores.shape:
                raise ValueError(
                    f"{name} must be booleans of shape {tuple(scores.shape)}, "
                    f"not {constraint.dtype} of shape {tuple(constraint.shape)}"
                )
            self.register_buffer(name, constraint, persistent=False)

    def extra_repr(self) -> str:
        """Return the number of labels, for printing."""
        return f"n_labels={self.n_labels}"

    def log_likelihood(self, scores: Tensor, labels: Tensor, mask: Tensor) -> Tensor:
        """Return the log probability of each row's labels, (B,); 0 for an empty row.

        Args:
            scores: Scores of each label for each word, (B, T, L).
            labels: Label ids, (B, T).
            mask: True at words, (B, T).

        Raises:
            ValueError: The labels of a row contain a forbidden transition, or the shapes do not match.
        """
        self._check(scores)
        lengths = _lengths(scores, mask)
        if not scores.shape[1]:
            return scores.sum((1, 2))  # zeros that are part of the graph
        scores = _wide(scores).masked_fill(~mask[..., None], 0.0)
        labels = labels.masked_fill(~mask, 0)
        self._check_labels(labels, mask, lengths)
        transitions, start, end = self._constrained(scores, FORBIDDEN)

        # The score of the given labels.
        word = scores.gather(2, labels[..., None])[..., 0]  # (B, T); 0 in the padding
        step = transitions[labels[:, :-1], labels[:, 1:]].masked_fill(~mask[:, 1:], 0.0)  # (B, T-1)
        path = start[labels[:, 0]] + word.sum(1) + step.sum(1) + end[_last(labels, lengths)]  # (B,)

        return torch.where(lengths > 0, path - _sum_of_paths(scores, mask, transitions, start, end), 0.0)

    def log_partition(self, scores: Tensor, mask: Tensor, labels: Tensor | None = None) -> Tensor:
        """Return the logarithm of the sum over all paths of each row, (B,). The rows have at least one word.

        Args:
            scores: Scores of each label for each word, (B, T, L).
            mask: True at words, (B, T).
            labels: Which labels each word may have, (B, T, L); None allows all. The difference to the result for all
                labels is the log probability of the paths that are left.
        """
        self._check(scores)
        scores = _wide(scores)
        if labels is not None:
            scores = scores.masked_fill(~labels, FORBIDDEN)
        return _sum_of_paths(scores, mask, *self._constrained(scores, FORBIDDEN))

    def viterbi(self, scores: Tensor, mask: Tensor) -> list[list[int]]:
        """Return the most probable labels of each row of scores (B, T, L) under mask (B, T), without padding."""
        self._check(scores)
        return best_paths(scores, mask, *self._constrained(scores, -torch.inf))

    def _constrained(self, scores: Tensor, forbidden: float) -> tuple[Tensor, Tensor, Tensor]:
        """Return transitions, start and end in the precision of the scores, set to ``forbidden`` where not allowed."""
        dtype = _wide(scores).dtype
        return (
            self.transitions.to(dtype).masked_fill(~self.allowed, forbidden),
            self.start.to(dtype).masked_fill(~self.start_allowed, forbidden),
            self.end.to(dtype).masked_fill(~self.end_allowed, forbidden),
        )

    def _check(self, scores: Tensor) -> None:
        if scores.dim() != 3 or scores.shape[2] != self.n_labels:
            shape = tuple(scores.shape)
            raise ValueError(f"the scores must have shape (rows, words, {self.n_labels} labels), not {shape}")

    def _check_labels(self, labels: Tensor, mask: Tensor, lengths: Tensor) -> None:
        steps = self.allowed[labels[:, :-1], labels[:, 1:]] | ~mask[:, 1:]  # (B, T-1)
        ends = self.start_allowed[labels[:, 0]] & self.end_allowed[_last(labels, lengths)]  # (B,)
        bad = ~(ends & steps.all(1)) & (lengths > 0)
        if bad.any():
            raise ValueError(f"the labels of row {int(bad.nonzero()[0])} contain a forbidden transition")


def _sum_of_paths(scores: Tensor, mask: Tensor, transitions: Tensor, start: Tensor, end: Tensor) -> Tensor:
    """Return the log of the sum over all paths of each row, (B,); see ``best_paths``."""
    total = start + scores[:, 0]  # (B, L): the sum of the paths so far, by their last label
    for t in range(1, scores.shape[1]):
        longer = torch.logsumexp(total[:, :, None] + transitions, 1) + scores[:, t]
        total = torch.where(mask[:, t, None], longer, total)
    return torch.logsumexp(total + end, 1)


def best_paths(scores: Tensor, mask: Tensor, transitions: Tensor, start: Tensor, end: Tensor) -> list[list[int]]:
    """Return the labels with the highest total score of each row, without padding (Viterbi algorithm).

    Args:
        scores: Scores of each label for each word, (B, T, L).
        mask: True at words, (B, T).
        transitions: Scores of transitions, (L from, L to). Minus infinity forbids, here and below.
        start: Scores of the first label, (L,).
        end: Scores of the last label, (L,).

    Raises:
        ValueError: All paths of a row are forbidden, or the shapes do not match.
    """
    lengths = _lengths(scores, mask)
    if not scores.shape[1]:
        return [[] for _ in scores]
    scores = _wide(scores.detach())
    transitions, start, end = (part.detach().to(scores) for part in (transitions, start, end))
    stay = torch.arange(scores.shape[2], device=scores.device)

    best = start + scores[:, 0]  # (B, L): the best path so far, by its last label
    sources: list[Tensor] = []  # (B, L) each: the previous label of that path
    for t in range(1, scores.shape[1]):
        value, source = (best[:, :, None] + transitions).max(1)  # (B, L)
        inside = mask[:, t, None]
        best = torch.where(inside, value + scores[:, t], best)
        sources.append(torch.where(inside, source, stay))  # padding repeats the last label
    value, label = (best + end).max(1)  # (B,)
    bad = ~(value > -torch.inf) & (lengths > 0)  # NaN included
    if bad.any():
        raise ValueError(f"row {int(bad.nonzero()[0])} has no allowed path, or its scores are not finite")

    path = [label]
    for source in reversed(sources):
        label = source.gather(1, label[:, None])[:, 0]
        path.append(label)
    rows: list[list[int]] = torch.stack(path[::-1], 1).tolist()
    return [row[:length] for row, length in zip(rows, lengths.tolist(), strict=True)]


def constraint_scores(allowed: Tensor) -> Tensor:
    """Return constraints as scores for ``best_paths``: 0 where allowed, minus infinity where not."""
    return torch.zeros(allowed.shape, device=allowed.device).masked_fill(~allowed, -torch.inf)


def bio_constraints(labels: Sequence[str]) -> tuple[Tensor, Tensor, Tensor]:
    """Return the constraints of BIO tags: ``I-X`` may only follow ``B-X`` or ``I-X``.

    Returns:
        The arguments ``allowed`` (L from, L to), ``start_allowed`` (L,) and ``end_allowed`` (L,) of a ``CRF``.
    """
    inside = [label[2:] if label.startswith("I-") else None for label in labels]
    chunk = [label[2:] if label.startswith(("B-", "I-")) else None for label in labels]
    allowed = [[after is None or after == before for after in inside] for before in chunk]
    start = [after is None for after in inside]
    size = len(labels)
    return torch.tensor(allowed).view(size, size).bool(), torch.tensor(start).bool(), torch.ones(size).bool()


def _wide(scores: Tensor) -> Tensor:
    """Return the scores in at least float32, since half precision is too coarse for long sums."""
    return scores.to(torch.promote_types(scores.dtype, torch.float32))


def _last(labels: Tensor, lengths: Tensor) -> Tensor:
    """Return the last label of each row, (B,); any label for an empty row."""
    return labels.gather(1, (lengths - 1).clamp(min=0)[:, None])[:, 0]


def _lengths(scores: Tensor, mask: Tensor) -> Tensor:
    """Return the number of words of each row, (B,)."""
    if mask.dtype != torch.bool or mask.shape != scores.shape[:2]:
        raise ValueError(
            f"the mask must be booleans of shape {tuple(scores.shape[:2])}, "
            f"not {mask.dtype} of shape {tuple(mask.shape)}"
        )
    lengths = mask.sum(1)
    if not torch.equal(mask, torch.arange(mask.shape[1], device=mask.device) < lengths[:, None]):
        raise ValueError("rows must be padded on the right, but the mask of a row has a gap")
    return lengths
