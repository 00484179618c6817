"""Sentences through the GPU without a pause: while one run of them is computed, the last one comes back."""

from collections.abc import Iterable, Iterator, Sequence

import torch
from torch import Tensor

from elmo.embed.select import Choice, EmbeddedSentence
from elmo.engines.cuda import GPUEngine
from elmo.model.batches import in_runs

POSITIONS_AT_ONCE = 160_000
"""Words and boundaries of a run: some full batches. The result of a run is on the GPU as a whole."""


def embed_on_gpu(
    engine: GPUEngine, sentences: Iterable[list[str]], choose: Choice, positions: int = POSITIONS_AT_ONCE
) -> Iterator[EmbeddedSentence]:
    """The sentences with their vectors, in order."""
    last: _Coming | None = None
    for run in in_runs(sentences, positions):
        coming = _Coming(run, choose, engine)
        if last is not None:
            yield from last.sentences()
        last = coming
    if last is not None:
        yield from last.sentences()


class _Coming:
    """A run of sentences whose vectors are on their way from the GPU."""

    @torch.inference_mode()
    def __init__(self, run: Sequence[list[str]], choose: Choice, engine: GPUEngine) -> None:
        self.run, self.choose = run, choose
        self.lengths = [len(words) for words in run]
        chosen = choose.together(engine(run), self.lengths)
        if chosen.device.type != "cuda":
            self.host, self.arrived = chosen, None
            return
        # Memory of the host that the GPU can write to by itself.
        self.host = torch.empty(chosen.shape, dtype=chosen.dtype, pin_memory=True)
        self.host.copy_(chosen, non_blocking=True)
        self.arrived = torch.cuda.Event()
        self.arrived.record()

    def sentences(self) -> Iterator[EmbeddedSentence]:
        """Wait for them, and give them."""
        if self.arrived is not None:
            self.arrived.synchronize()
        host: Tensor = self.host.float()
        for words, vectors in zip(self.run, self.choose.apart(host.numpy(), self.lengths), strict=True):
            yield EmbeddedSentence(words, vectors)
