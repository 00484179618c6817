import math

import pytest
import torch

from elmo.model.softmax import LogUniform, Sample, Softmax
from elmo.text.vocabulary import Vocabulary

WORDS = Vocabulary([f"word{number}" for number in range(50)])


@pytest.fixture
def softmax() -> Softmax:
    torch.manual_seed(0)
    made = Softmax(WORDS, 6).double()
    with torch.no_grad():
        made.bias.normal_()
    return made


HIDDEN = torch.randn(20, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
TARGETS = torch.randint(0, 50, (20,), generator=torch.Generator().manual_seed(2))
WEIGHTS = torch.rand(20, dtype=torch.float64, generator=torch.Generator().manual_seed(3))


def gradients(loss: torch.Tensor, softmax: Softmax, hidden: torch.Tensor) -> list[torch.Tensor]:
    return list(torch.autograd.grad(loss, [hidden, softmax.weight, softmax.bias]))


@pytest.mark.parametrize("chunk", [1 << 20, 800])
def test_full_loss(softmax: Softmax, chunk: int) -> None:
    softmax.logits_per_chunk = chunk
    hidden = HIDDEN.clone().requires_grad_()
    ours = softmax.loss(hidden, TARGETS, WEIGHTS, None)
    twin = (WEIGHTS * torch.nn.functional.cross_entropy(softmax(hidden), TARGETS, reduction="none")).sum()
    torch.testing.assert_close(ours, twin)
    torch.testing.assert_close(gradients(ours * 3, softmax, hidden), gradients(twin * 3, softmax, hidden))
    losses = softmax.negative_log_likelihood(HIDDEN, TARGETS)
    torch.testing.assert_close((WEIGHTS * losses).sum(), twin, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("chunk", [1 << 20, 800])
def test_sampled_loss(softmax: Softmax, chunk: int) -> None:
    softmax.logits_per_chunk = chunk
    sampler = LogUniform(50, 12)
    sample = sampler.draw(torch.Generator().manual_seed(0))
    hidden = HIDDEN.clone().requires_grad_()
    ours = softmax.loss(hidden, TARGETS, WEIGHTS, sample)
    corrected = softmax(hidden) - sampler.log_expected.double()
    twin = torch.zeros((), dtype=torch.float64)
    for row, (target, weight) in enumerate(zip(TARGETS, WEIGHTS, strict=True)):
        others = [word for word in sample.words.tolist() if word != target]
        logits = corrected[row, [int(target), *others]]
        twin = twin - weight * logits.log_softmax(0)[0]
    torch.testing.assert_close(ours, twin)
    torch.testing.assert_close(gradients(ours, softmax, hidden), gradients(twin, softmax, hidden))


def test_draws_are_different_words_with_the_expected_frequency() -> None:
    sampler = LogUniform(200, 30)
    generator = torch.Generator().manual_seed(0)
    counts = torch.zeros(200)
    for _ in range(3000):
        words = sampler.draw(generator).words
        assert words.unique().numel() == 30
        counts[words] += 1
    expected = sampler.log_expected.exp()
    assert expected.sum().item() == pytest.approx(30, rel=1e-3)
    assert ((counts / 3000 - expected).abs() < 0.04).all()
    assert sampler.log_probability[0].exp().item() == pytest.approx(math.log(2) / math.log(201))


def test_sampled_gradients_point_the_same_way_as_full_ones(softmax: Softmax) -> None:
    """On average over draws, the sampled loss teaches what the full one teaches."""
    sampler, generator = LogUniform(50, 40), torch.Generator().manual_seed(0)
    hidden = HIDDEN.clone().requires_grad_()
    full = gradients(softmax.loss(hidden, TARGETS, WEIGHTS, None), softmax, hidden)
    total = [torch.zeros_like(g) for g in full]
    for _ in range(50):
        sampled = gradients(softmax.loss(hidden, TARGETS, WEIGHTS, sampler.draw(generator)), softmax, hidden)
        total = [t + g / 50 for t, g in zip(total, sampled, strict=True)]
    for ours, theirs in zip(total, full, strict=True):
        assert torch.nn.functional.cosine_similarity(ours.flatten(), theirs.flatten(), dim=0) > 0.97


def test_misuse() -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        LogUniform(10, 10)
    assert Sample(torch.tensor([1]), torch.zeros(3)).words.tolist() == [1]


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["float32", "bfloat16"])
def test_gpu_gives_the_loss_and_gradients_of_the_cpu(softmax: Softmax, dtype: torch.dtype) -> None:
    sampler = LogUniform(50, 12)
    sample = sampler.draw(torch.Generator().manual_seed(0))
    results = []
    for device, kind in (("cpu", torch.float32), ("cuda", dtype)):
        softmax.float().to(device)
        hidden = HIDDEN.to(device, kind, copy=True).requires_grad_()
        here = Sample(sample.words.to(device), sample.log_expected.to(device))
        loss = softmax.loss(hidden, TARGETS.to(device), WEIGHTS.to(device), here)
        results.append([t.float().cpu() for t in (loss, *gradients(loss, softmax, hidden))])
    tolerance = 1e-4 if dtype == torch.float32 else 2e-2
    for ours, theirs in zip(*results, strict=True):
        assert (ours - theirs).norm() <= tolerance * theirs.norm()
