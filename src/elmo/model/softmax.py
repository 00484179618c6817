"""From the top layer to words: one softmax, shared by both directions.

Training uses a sampled softmax (Jean et al., 2015, as in bilm-tf): the negative samples are shared by all positions and
drawn without replacement from a log-uniform distribution over a vocabulary sorted by frequency, and the logits are
corrected for the probability that a word is drawn. Perplexities are always computed with the full softmax.

N positions, P dimensions, V words, S samples.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from elmo.text.vocabulary import Vocabulary

LOGITS_PER_CHUNK = {"cuda": 1 << 26, "cpu": 1 << 22}
"""Logits are computed for a chunk of positions at a time, and never stored. On a CPU a chunk should fit the cache."""
LOGITS_PER_BLOCK = {"cuda": 1 << 26, "cpu": 1 << 20}
"""Where no gradient is needed, logits are computed in square blocks of positions and words."""


class Softmax(nn.Module):
    """A logit for every word of a vocabulary.

    Args:
        vocabulary: The words that are predicted, sorted by frequency.
        dim: Width P of one direction of the top layer.
    """

    def __init__(self, vocabulary: Vocabulary, dim: int) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.logits_per_chunk: int | None = None
        """Number of logits computed at a time; None for what suits the device."""
        self.weight = nn.Parameter(torch.empty(len(vocabulary), dim))
        self.bias = nn.Parameter(torch.empty(len(vocabulary)))
        self.init_weights()

    def init_weights(self) -> None:
        """Draw weights from a normal distribution with standard deviation 1/sqrt(P); biases are zero."""
        nn.init.normal_(self.weight, std=self.weight.shape[1] ** -0.5)
        nn.init.zeros_(self.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        """Logits (N, V) of hidden (N, P)."""
        return torch.addmm(self.bias.to(hidden.dtype), hidden, self.weight.to(hidden.dtype).T)

    @torch.no_grad()
    def negative_log_likelihood(self, hidden: Tensor, targets: Tensor) -> Tensor:
        """Return ``-log p(target)`` under the full softmax, (N,), at least in float32.

        A block of logits fits the cache of a CPU, which then reads the weights once for many positions.
        """
        exact = torch.promote_types(hidden.dtype, torch.float32)
        hidden, weight, bias = hidden.to(exact), self.weight.to(exact), self.bias.to(exact)
        side = math.isqrt(self.logits_per_chunk or LOGITS_PER_BLOCK[hidden.device.type])
        losses = []
        for rows, words in zip(hidden.split(side), targets.split(side), strict=True):
            blocks = [
                torch.addmm(part_bias, rows, part.T).to(exact).logsumexp(1)
                for part, part_bias in zip(weight.split(side), bias.split(side), strict=True)
            ]
            target_logits = (rows * weight[words]).sum(1) + bias[words]
            losses.append(torch.stack(blocks).logsumexp(0) - target_logits)
        return torch.cat(losses)

    def loss(
        self,
        hidden: Tensor,
        targets: Tensor,
        weights: Tensor,
        sample: "Sample | None",
        pointwise: "Pointwise | None" = None,
    ) -> Tensor:
        """Return the sum of ``weights * -log p(target)``.

        Args:
            hidden: Outputs of the top layer, (N, P).
            targets: Ids of the words to predict, (N,).
            weights: Weight of each prediction, (N,).
            sample: The words that compete with the target; None means all words.
            pointwise: Computes ``sampled_pointwise`` faster.
        """
        pointwise = pointwise or sampled_pointwise
        return _CrossEntropy.apply(
            hidden, self.weight, self.bias, targets, weights, sample, pointwise, self.logits_per_chunk
        )


def log_uniform(vocabulary_size: int) -> Tensor:
    """Log probability of a word by its rank, (V,): proportional to about 1/rank, as in natural text."""
    rank = torch.arange(vocabulary_size, dtype=torch.float64, device="cpu")
    return torch.log(torch.log((rank + 2) / (rank + 1)) / math.log(vocabulary_size + 1))


class LogUniform:
    """Draws words without replacement, word k with a probability of about 1/k."""

    def __init__(self, vocabulary_size: int, samples: int, device: torch.device | str = "cpu") -> None:
        if not 0 < samples < vocabulary_size:
            raise ValueError(f"cannot draw {samples} samples from {vocabulary_size} words")
        self.samples = samples
        log_probability = log_uniform(vocabulary_size)
        probability = log_probability.exp()
        self.log_probability = log_probability.float().to(device)
        # It takes about `draws` draws to see S different words, so word k is among them with the probability
        # 1 - (1 - p)^draws; these must sum to S.
        low, high = float(samples), 1e12
        for _ in range(200):
            draws = (low * high) ** 0.5
            expected = -torch.expm1(draws * torch.log1p(-probability))
            low, high = (draws, high) if expected.sum() < samples else (low, draws)
        self.log_expected = expected.log().float().to(device)

    def draw(self, generator: torch.Generator) -> "Sample":
        """Draw S different words. Taking the largest after adding Gumbel noise is sampling without replacement."""
        noise = torch.rand(self.log_probability.shape, generator=generator, device=self.log_probability.device)
        keys = self.log_probability - torch.log(-torch.log(noise.clamp_min(1e-20)))
        return Sample(keys.topk(self.samples, sorted=False).indices, self.log_expected)


class Sample:
    """The words that compete with the target, and the correction of all logits."""

    def __init__(self, words: Tensor, log_expected: Tensor) -> None:
        self.words = words  # (S,)
        self.log_expected = log_expected  # (V,)


Pointwise = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
"""The signature of ``sampled_pointwise``."""


class _CrossEntropy(torch.autograd.Function):
    """Softmax and loss together. Gradients are computed in the forward pass, so that no logits are stored."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor,
        targets: Tensor,
        loss_weights: Tensor,
        sample: Sample | None,
        pointwise: Pointwise,
        logits_per_chunk: int | None,
    ) -> Tensor:
        loss_weights = loss_weights.to(weight.dtype)
        if sample is None:
            loss, *gradients = _full(hidden, weight, bias, targets, loss_weights, logits_per_chunk)
        else:
            loss, *gradients = _sampled(
                hidden, weight, bias, targets, loss_weights, sample, pointwise, logits_per_chunk
            )
        ctx.gradients = gradients
        return loss

    @staticmethod
    def backward(ctx: Any, d_loss: Tensor) -> Any:
        if ctx.gradients is None:
            raise RuntimeError("call backward once: the gradients of the softmax are handed over, not copied")
        gradients, ctx.gradients = ctx.gradients, None
        if d_loss.device.type != "cpu" or d_loss != 1:  # asking a GPU would take longer than multiplying
            for gradient in gradients:
                gradient.mul_(d_loss.to(gradient.dtype))
        return *gradients, *[None] * 5


def _full(
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor,
    targets: Tensor,
    loss_weights: Tensor,
    logits_per_chunk: int | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Loss and gradients of (hidden, weight, bias) over all words."""
    short = weight.to(hidden.dtype)  # (V, P)
    loss, d_hidden = weight.new_zeros(()), torch.empty_like(hidden)
    d_weight, d_bias = torch.zeros_like(weight), torch.zeros_like(bias)
    for chunk in _chunks(hidden, len(bias), logits_per_chunk):
        h, target, loss_weight = hidden[chunk], targets[chunk, None], loss_weights[chunk]
        logits = (h @ short.T).to(weight.dtype) + bias  # (n, V)
        log_total = logits.logsumexp(1)
        loss += (loss_weight * (log_total - logits.gather(1, target)[:, 0])).sum()
        d_logits = torch.exp(logits - log_total[:, None]) * loss_weight[:, None]
        d_logits.scatter_add_(1, target, -loss_weight[:, None])
        d_bias += d_logits.sum(0)
        d_logits = d_logits.to(hidden.dtype)
        d_hidden[chunk] = d_logits @ short
        d_weight += (d_logits.T @ h).to(weight.dtype)
    return loss, d_hidden, d_weight, d_bias


def _sampled(
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor,
    targets: Tensor,
    loss_weights: Tensor,
    sample: Sample,
    pointwise: Pointwise,
    logits_per_chunk: int | None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Loss and gradients of (hidden, weight, bias) over the target and the sampled words."""
    exact, corrected = weight.dtype, bias - sample.log_expected.to(weight.dtype)
    sampled_weight = weight[sample.words].to(hidden.dtype)  # (S, P)
    sampled_bias = corrected[sample.words]
    target_weight = nn.functional.embedding(targets, weight.to(hidden.dtype))  # (N, P)
    target_logits = (hidden * target_weight).sum(1, dtype=exact) + corrected[targets]  # (N,)
    losses, d_target_logits = torch.empty_like(target_logits), torch.empty_like(target_logits)
    d_hidden = torch.empty_like(hidden)
    d_sampled_weight = torch.zeros(sampled_weight.shape, dtype=exact, device=hidden.device)
    d_sampled_bias = torch.zeros_like(sampled_bias)
    for chunk in _chunks(hidden, len(sampled_bias), logits_per_chunk):
        logits = hidden[chunk] @ sampled_weight.T  # (n, S)
        d_logits = pointwise(
            logits,
            sampled_bias,
            sample.words,
            targets[chunk],
            target_logits[chunk],
            loss_weights[chunk],
            losses[chunk],
            d_target_logits[chunk],
        )
        torch.mm(d_logits, sampled_weight, out=d_hidden[chunk])
        d_sampled_weight += (d_logits.T @ hidden[chunk]).to(exact)
        d_sampled_bias += d_logits.sum(0, dtype=exact)
    d_target = d_target_logits[:, None].to(hidden.dtype)
    d_hidden.addcmul_(d_target, target_weight)
    d_weight = torch.ops.aten.embedding_dense_backward((d_target * hidden).to(exact), targets, len(weight), -1, False)
    d_weight.index_add_(0, sample.words, d_sampled_weight)
    d_bias = torch.zeros_like(bias)
    d_bias.index_add_(0, targets, d_target_logits).index_add_(0, sample.words, d_sampled_bias)
    return losses.sum(), d_hidden, d_weight, d_bias


def sampled_pointwise(
    logits: Tensor,
    bias: Tensor,
    words: Tensor,
    targets: Tensor,
    target_logits: Tensor,
    loss_weights: Tensor,
    losses: Tensor,
    d_target_logits: Tensor,
) -> Tensor:
    """The pointwise part of the sampled softmax, for n positions and S samples.

    Writes ``losses`` and ``d_target_logits`` (n,), and returns the gradient of ``logits`` (n, S), perhaps in place.
    """
    full = logits.to(target_logits.dtype) + bias
    full.masked_fill_(targets[:, None] == words, -math.inf)  # a sampled word that is the target
    log_total = torch.logaddexp(full.logsumexp(1), target_logits)
    losses.copy_(loss_weights * (log_total - target_logits))
    d_target_logits.copy_((torch.exp(target_logits - log_total) - 1) * loss_weights)
    return (torch.exp(full - log_total[:, None]) * loss_weights[:, None]).to(logits.dtype)


def _chunks(hidden: Tensor, words: int, logits_per_chunk: int | None) -> list[slice]:
    count = max(16, (logits_per_chunk or LOGITS_PER_CHUNK[hidden.device.type]) // words)
    return [slice(start, start + count) for start in range(0, len(hidden), count)]
