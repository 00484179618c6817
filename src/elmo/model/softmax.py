"""From the top layer to words: one softmax for both directions.

In training the loss is over the true word and a sample of others (Jean et al., 2015, as in bilm-tf): the samples
are shared by all positions, drawn log-uniformly over a vocabulary in falling order of frequency, without
repetition, and the logits are corrected for how often a word is drawn. Perplexities are always those of the full
softmax.

N positions, P dimensions, V words, S samples.
"""

import math
from typing import Any

import torch
from torch import Tensor, nn

LOGITS_AT_ONCE = {"cuda": 1 << 26, "cpu": 1 << 22}
"""Logits are made for a part of the positions at a time, this many altogether, and never kept.

On a CPU they should fit its caches, and memory that is asked for in small pieces is not given back in between.
"""


class Softmax(nn.Module):
    """A score for every word of the vocabulary."""

    def __init__(self, vocabulary_size: int, dim: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocabulary_size, dim))
        self.bias = nn.Parameter(torch.empty(vocabulary_size))
        self.init_weights()

    def init_weights(self) -> None:
        """Weights normal with 1/sqrt(P), biases zero."""
        nn.init.normal_(self.weight, std=self.weight.shape[1] ** -0.5)
        nn.init.zeros_(self.bias)

    def forward(self, hidden: Tensor) -> Tensor:
        """Logits (N, V) of hidden (N, P)."""
        return torch.addmm(self.bias.to(hidden.dtype), hidden, self.weight.to(hidden.dtype).T)

    @torch.no_grad()
    def surprise(self, hidden: Tensor, targets: Tensor) -> Tensor:
        """``-log p(target)`` under the full softmax, (N,), in float32."""
        pieces = [
            nn.functional.cross_entropy(self(hidden[part]).float(), targets[part], reduction="none")
            for part in _parts(hidden, len(self.bias))
        ]
        return torch.cat(pieces)

    def loss(self, hidden: Tensor, targets: Tensor, weights: Tensor, sampled: "Sample | None") -> Tensor:
        """Sum of ``weights * -log p(target)`` among the target and the sampled words (all words if None)."""
        return _CrossEntropy.apply(hidden, self.weight, self.bias, targets, weights, sampled)


def log_uniform(vocabulary_size: int) -> Tensor:
    """Log of how often a word occurs by its rank, (V,), roughly as natural text has it: falling as 1/rank."""
    rank = torch.arange(vocabulary_size, dtype=torch.float64)
    return torch.log(torch.log((rank + 2) / (rank + 1)) / math.log(vocabulary_size + 1))


class LogUniform:
    """Draws words without repetition, word k with a chance that falls as 1/k."""

    def __init__(self, vocabulary_size: int, samples: int, device: torch.device | str = "cpu") -> None:
        if not 0 < samples < vocabulary_size:
            raise ValueError(f"{samples} samples cannot be drawn from {vocabulary_size} words")
        self.samples = samples
        log_chance = log_uniform(vocabulary_size)
        chance = log_chance.exp()
        self.log_chance = log_chance.float().to(device)
        # Drawing until S different words have come takes about `draws` draws, so word k is among them
        # with the chance 1 - (1 - chance)^draws; these must sum to S.
        low, high = float(samples), 1e12
        for _ in range(200):
            draws = (low * high) ** 0.5
            expected = -torch.expm1(draws * torch.log1p(-chance))
            low, high = (draws, high) if expected.sum() < samples else (low, draws)
        self.log_expected = expected.log().float().to(device)

    def draw(self, generator: torch.Generator) -> "Sample":
        """Draw S different words. Adding Gumbel noise and taking the largest is drawing one by one."""
        noise = torch.rand(self.log_chance.shape, generator=generator, device=self.log_chance.device)
        keys = self.log_chance - torch.log(-torch.log(noise.clamp_min(1e-20)))
        return Sample(keys.topk(self.samples, sorted=False).indices, self.log_expected)


class Sample:
    """The words that share the softmax with the target, and the correction of all words' logits."""

    def __init__(self, words: Tensor, log_expected: Tensor) -> None:
        self.words = words  # (S,)
        self.log_expected = log_expected  # (V,)


class _CrossEntropy(torch.autograd.Function):
    """Softmax and loss in one go: the gradients are made in the forward pass, so that no logits are kept."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor,
        targets: Tensor,
        shares: Tensor,
        sampled: Sample | None,
    ) -> Tensor:
        shares = shares.to(weight.dtype)
        if sampled is None:
            loss, *gradients = _full(hidden, weight, bias, targets, shares)
        else:
            loss, *gradients = _sampled(hidden, weight, bias, targets, shares, sampled)
        ctx.save_for_backward(*gradients)
        return loss

    @staticmethod
    def backward(ctx: Any, d_loss: Tensor) -> Any:
        d_hidden, d_weight, d_bias = ctx.saved_tensors
        return d_hidden * d_loss.to(d_hidden.dtype), d_weight * d_loss, d_bias * d_loss, None, None, None


def _full(
    hidden: Tensor, weight: Tensor, bias: Tensor, targets: Tensor, shares: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Loss and gradients of (hidden, weight, bias) over all words."""
    short = weight.to(hidden.dtype)  # (V, P)
    loss, d_hidden = weight.new_zeros(()), torch.empty_like(hidden)
    d_weight, d_bias = torch.zeros_like(weight), torch.zeros_like(bias)
    for part in _parts(hidden, len(bias)):
        h, target, share = hidden[part], targets[part, None], shares[part]
        logits = (h @ short.T).to(weight.dtype) + bias  # (n, V)
        log_total = logits.logsumexp(1)
        loss += (share * (log_total - logits.gather(1, target)[:, 0])).sum()
        d_logits = torch.exp(logits - log_total[:, None]) * share[:, None]
        d_logits.scatter_add_(1, target, -share[:, None])
        d_bias += d_logits.sum(0)
        d_logits = d_logits.to(hidden.dtype)
        d_hidden[part] = d_logits @ short
        d_weight += (d_logits.T @ h).to(weight.dtype)
    return loss, d_hidden, d_weight, d_bias


def _sampled(
    hidden: Tensor, weight: Tensor, bias: Tensor, targets: Tensor, shares: Tensor, sampled: Sample
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Loss and gradients of (hidden, weight, bias) over the target and the sampled words."""
    exact, corrected = weight.dtype, bias - sampled.log_expected.to(weight.dtype)
    some_weight = weight[sampled.words].to(hidden.dtype)  # (S, P)
    some_bias = corrected[sampled.words]
    own_weight = nn.functional.embedding(targets, weight.to(hidden.dtype))  # (N, P)
    own = (hidden * own_weight).sum(1, dtype=exact) + corrected[targets]  # (N,)
    losses, d_own, d_hidden = torch.empty_like(own), torch.empty_like(own), torch.empty_like(hidden)
    d_some_weight = torch.zeros(some_weight.shape, dtype=exact, device=hidden.device)
    d_some_bias = torch.zeros_like(some_bias)
    rows = _sampled_rows
    if hidden.device.type == "cuda":
        from elmo.engines.triton_kernels import sampled_rows as rows
    for part in _parts(hidden, len(some_bias)):
        logits = hidden[part] @ some_weight.T  # (n, S)
        d_logits = rows(
            logits, some_bias, sampled.words, targets[part], own[part], shares[part], losses[part], d_own[part]
        )
        torch.mm(d_logits, some_weight, out=d_hidden[part])
        d_some_weight += (d_logits.T @ hidden[part]).to(exact)
        d_some_bias += d_logits.sum(0, dtype=exact)
    d_own_hidden = d_own[:, None].to(hidden.dtype)
    d_hidden.addcmul_(d_own_hidden, own_weight)
    d_weight = torch.ops.aten.embedding_dense_backward(
        (d_own_hidden * hidden).to(exact), targets, len(weight), -1, False
    )
    d_weight.index_add_(0, sampled.words, d_some_weight)
    d_bias = torch.zeros_like(bias).index_add_(0, targets, d_own).index_add_(0, sampled.words, d_some_bias)
    return losses.sum(), d_hidden, d_weight, d_bias


def _sampled_rows(
    logits: Tensor,
    bias: Tensor,
    words: Tensor,
    targets: Tensor,
    own: Tensor,
    shares: Tensor,
    losses: Tensor,
    d_own: Tensor,
) -> Tensor:
    """The pointwise part: fills ``losses`` and ``d_own`` (n,) and gives the gradient of the logits (n, S)."""
    full = logits.to(own.dtype) + bias
    full.masked_fill_(targets[:, None] == words, -math.inf)
    log_total = torch.logaddexp(full.logsumexp(1), own)
    losses.copy_(shares * (log_total - own))
    d_own.copy_((torch.exp(own - log_total) - 1) * shares)
    return (torch.exp(full - log_total[:, None]) * shares[:, None]).to(logits.dtype)


def _parts(hidden: Tensor, words: int) -> list[slice]:
    count = max(16, LOGITS_AT_ONCE[hidden.device.type] // words)
    return [slice(start, start + count) for start in range(0, len(hidden), count)]
