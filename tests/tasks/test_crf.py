"""The CRF against brute force over all label sequences."""

from itertools import pairwise, product

import pytest
import torch
from torch import Tensor

from elmo.tasks.crf import CRF, best_paths, bio_constraints, constraint_scores

SEEDS = range(6)
BIO = ["O", "B-X", "I-X", "B-Y", "I-Y"]


def random_crf(n_labels: int, seed: int, constrained: bool = False, dtype: torch.dtype = torch.float64) -> CRF:
    generator = torch.Generator().manual_seed(seed)
    constraints: tuple[Tensor, ...] = ()
    if constrained:
        constraints = tuple(
            torch.rand(shape, generator=generator) < 0.7 for shape in [(n_labels, n_labels), (n_labels,), (n_labels,)]
        )
        for constraint in constraints:  # label 0 is always a way out
            constraint.view(n_labels, -1)[0] = True
        constraints[0][:, 0] = True
    crf = CRF(n_labels, *constraints)
    with torch.no_grad():
        for parameter in crf.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
    return crf.to(dtype)


def rows(lengths: list[int], n_labels: int, seed: int, padding: int = 0) -> tuple[Tensor, Tensor]:
    """Random scores (B, T, L) and their mask (B, T)."""
    generator = torch.Generator().manual_seed(100 + seed)
    steps = max(lengths) + padding
    scores = 2 * torch.randn(len(lengths), steps, n_labels, generator=generator, dtype=torch.float64)
    return scores, torch.arange(steps) < torch.tensor(lengths)[:, None]


def allowed(crf: CRF, path: tuple[int, ...]) -> bool:
    return bool(
        crf.start_allowed[path[0]] and crf.end_allowed[path[-1]] and all(crf.allowed[a, b] for a, b in pairwise(path))
    )


def every_path(crf: CRF, scores: Tensor) -> dict[tuple[int, ...], Tensor]:
    """The score of each allowed path of one row without padding, (T, L)."""
    found = {}
    for path in product(range(crf.n_labels), repeat=len(scores)):
        if allowed(crf, path):
            score = crf.start[path[0]] + crf.end[path[-1]]
            for place, label in enumerate(path):
                score = score + scores[place, label]
            for a, b in pairwise(path):
                score = score + crf.transitions[a, b]
            found[path] = score
    return found


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_probabilities_and_gradients_match_brute_force(seed: int, constrained: bool) -> None:
    crf = random_crf(3, seed, constrained)
    lengths = [4, 1, 3]
    scores, mask = rows(lengths, 3, seed, padding=seed % 2)
    scores.requires_grad_()
    labels = torch.full(mask.shape, -100)
    expected = []
    for row, length in enumerate(lengths):
        paths = every_path(crf, scores[row, :length])
        path = list(paths)[seed % len(paths)]
        labels[row, :length] = torch.tensor(path)
        expected.append(paths[path] - torch.logsumexp(torch.stack(list(paths.values())), 0))
    inputs = [scores, *crf.parameters()]
    found = crf.log_likelihood(scores, labels, mask)
    torch.testing.assert_close(found, torch.stack(expected))
    weights = torch.tensor([1.0, -0.5, 2.0], dtype=torch.float64)
    ours = torch.autograd.grad(found @ weights, inputs)
    theirs = torch.autograd.grad(torch.stack(expected) @ weights, inputs, allow_unused=True)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, torch.zeros_like(one) if other is None else other)


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_viterbi_is_the_best_of_all_paths(seed: int, constrained: bool) -> None:
    crf = random_crf(4, seed, constrained)
    lengths = [4, 2, 0, 1]
    scores, mask = rows(lengths, 4, seed, padding=seed % 2)
    for row, path in enumerate(crf.viterbi(scores, mask)):
        paths = every_path(crf, scores[row, : lengths[row]]) if lengths[row] else {(): torch.zeros(())}
        assert tuple(path) == max(paths, key=lambda path: paths[path].item())


def test_probabilities_sum_to_one_over_the_allowed_paths() -> None:
    crf = CRF(5, *bio_constraints(BIO)).double()
    scores, mask = rows([3], 5, 1)
    paths = list(every_path(crf, scores[0]))
    assert 0 < len(paths) < 5**3
    many = crf.log_likelihood(scores.expand(len(paths), -1, -1), torch.tensor(paths), mask.expand(len(paths), -1))
    assert many.exp().sum().item() == pytest.approx(1)


def test_padding_is_ignored() -> None:
    crf = random_crf(4, 3)
    scores, mask = rows([5, 2, 0], 4, 3)
    labels = torch.randint(4, mask.shape)
    poisoned = scores.masked_fill(~mask[..., None], torch.nan).requires_grad_()
    likelihood = crf.log_likelihood(poisoned, labels.masked_fill(~mask, -100), mask)
    torch.testing.assert_close(likelihood, crf.log_likelihood(scores, labels, mask))
    likelihood.sum().backward()
    assert not poisoned.grad[~mask].any()
    assert all(tensor.grad.isfinite().all() for tensor in [poisoned, *crf.parameters()])
    assert crf.viterbi(poisoned, mask) == crf.viterbi(scores, mask)
    for row, length in enumerate([5, 2]):  # each row equals the row on its own
        one = (scores[row : row + 1, :length], mask[row : row + 1, :length])
        torch.testing.assert_close(
            crf.log_likelihood(one[0], labels[row : row + 1, :length], one[1])[0], likelihood[row]
        )
        assert crf.viterbi(*one)[0] == crf.viterbi(scores, mask)[row]


@pytest.mark.parametrize(("n_rows", "steps"), [(2, 0), (0, 3), (2, 3)])
def test_empty_rows(n_rows: int, steps: int) -> None:
    crf = random_crf(3, 0)
    scores = torch.randn(n_rows, steps, 3, dtype=torch.float64, requires_grad=True)
    mask = torch.zeros(n_rows, steps, dtype=torch.bool)
    likelihood = crf.log_likelihood(scores, mask.long(), mask)
    assert likelihood.tolist() == [0.0] * n_rows
    likelihood.sum().backward()
    assert not scores.grad.any()
    assert crf.viterbi(scores, mask) == [[]] * n_rows


@pytest.mark.parametrize("scale", [1.0, 1e4, 1e8])
def test_constraints_hold_however_high_the_scores(scale: float) -> None:
    allowed_, start, end = bio_constraints(BIO)
    crf = CRF(5, allowed_, start, end)
    scores = scale * torch.randn(20, 30, 5, generator=torch.Generator().manual_seed(0))
    lengths = torch.arange(20) + 5
    mask = torch.arange(30) < lengths[:, None]
    paths = crf.viterbi(scores, mask)
    assert [len(path) for path in paths] == lengths.tolist()
    assert all(allowed(crf, tuple(path)) for path in paths)
    assert not all(allowed(crf, tuple(row.argmax(-1).tolist())) for row in scores)
    zeros = torch.zeros(5)
    assert paths == best_paths(scores, mask, constraint_scores(allowed_), zeros + constraint_scores(start), zeros)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_long_rows_stay_finite_and_near_float64(dtype: torch.dtype) -> None:
    crf = CRF(5, *bio_constraints(BIO))
    scores = 10 * torch.randn(2, 2000, 5, generator=torch.Generator().manual_seed(0)).to(dtype)
    mask = torch.arange(2000) < torch.tensor([2000, 700])[:, None]
    labels = torch.zeros(2, 2000, dtype=torch.long)
    labels[0] = torch.tensor(crf.viterbi(scores, mask)[0])
    scores.requires_grad_()
    likelihood = crf.log_likelihood(scores, labels, mask)
    assert likelihood.dtype == torch.float32
    exact = crf.double().log_likelihood(scores.detach().double(), labels, mask)
    torch.testing.assert_close(likelihood.double(), exact, rtol=1e-4, atol=0.05)
    likelihood.sum().backward()
    assert all(tensor.grad.isfinite().all() for tensor in [scores, *crf.parameters()])
    assert not crf.transitions.grad[~crf.allowed].any()
    assert not crf.start.grad[~crf.start_allowed].any()


def test_unreachable_labels_cause_no_nan() -> None:
    allowed_ = torch.tensor([[True, False], [True, False]])
    crf = CRF(2, allowed_, start_allowed=torch.tensor([True, False]))  # label 1 cannot be reached
    scores = torch.randn(1, 6, 2, requires_grad=True)
    likelihood = crf.log_likelihood(scores, torch.zeros(1, 6, dtype=torch.long), torch.ones(1, 6, dtype=torch.bool))
    assert likelihood.item() == pytest.approx(0, abs=1e-5)
    likelihood.sum().backward()
    assert all(tensor.grad.isfinite().all() for tensor in [scores, *crf.parameters()])


def test_learns_the_order_of_labels() -> None:
    """The scores of the words are uninformative; only transitions can learn that labels alternate."""
    crf = CRF(2)
    scores, mask = torch.zeros(2, 6, 2), torch.ones(2, 6, dtype=torch.bool)
    labels = torch.tensor([[0, 1] * 3, [0, 1] * 3])
    optimizer = torch.optim.SGD(crf.parameters(), lr=1.0)
    for _ in range(30):
        optimizer.zero_grad()
        (-crf.log_likelihood(scores, labels, mask).mean()).backward()
        optimizer.step()
    assert crf.viterbi(scores, mask) == labels.tolist()
    assert list(crf.state_dict()) == ["transitions", "start", "end"]


def test_bio_constraints() -> None:
    allowed_, start, end = bio_constraints(BIO)
    forbidden = {(BIO[i], BIO[j]) for i, j in (~allowed_).nonzero().tolist()}
    assert forbidden == {(a, "I-X") for a in ("O", "B-Y", "I-Y")} | {(a, "I-Y") for a in ("O", "B-X", "I-X")}
    assert [label for label, free in zip(BIO, start.tolist(), strict=True) if not free] == ["I-X", "I-Y"]
    assert end.all()
    allowed_, _, _ = bio_constraints(["B-C-ARG1", "I-C-ARG1", "I-ARG1"])
    assert allowed_.tolist() == [[True, True, False], [True, True, False], [True, False, True]]
    assert [tuple(part.shape) for part in bio_constraints([])] == [(0, 0), (0,), (0,)]


def test_misuse() -> None:
    crf = CRF(5, *bio_constraints(BIO))
    scores, mask = torch.zeros(2, 3, 5), torch.ones(2, 3, dtype=torch.bool)
    with pytest.raises(ValueError, match="at least one label, not 0"):
        CRF(0)
    with pytest.raises(
        ValueError, match=r"end_allowed must be booleans of shape \(2,\), not torch.bool of shape \(3,\)"
    ):
        CRF(2, end_allowed=torch.ones(3).bool())
    with pytest.raises(ValueError, match=r"^allowed must be booleans of shape \(2, 2\), not torch.float32"):
        CRF(2, torch.ones(2, 2))
    with pytest.raises(ValueError, match="5 labels"):
        crf.viterbi(torch.zeros(2, 3, 4), mask)
    with pytest.raises(ValueError, match="mask must be booleans of shape"):
        crf.viterbi(scores, mask[:1])
    with pytest.raises(ValueError, match="has a gap"):
        crf.viterbi(scores, torch.tensor([[True, False, True]] * 2))
    for labels in ([0, 2, 0], [2, 0, 0], [1, 4, 0]):  # O I-X; I-X at the start; B-X I-Y
        with pytest.raises(ValueError, match="the labels of row 1 contain a forbidden transition"):
            crf.log_likelihood(scores, torch.tensor([[0, 1, 2], labels]), mask)
    with pytest.raises(ValueError, match="row 1 has no allowed path"):
        best_paths(scores + torch.tensor([0, torch.nan])[:, None, None], mask, *[torch.zeros(5)] * 3)
    with pytest.raises(ValueError, match="row 0 has no allowed path"):
        CRF(2, start_allowed=torch.zeros(2).bool()).viterbi(torch.zeros(1, 1, 2), torch.ones(1, 1).bool())
