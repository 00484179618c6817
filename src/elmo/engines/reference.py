"""The readable engine: ``BiLM.forward``, on any device and in the data type of the weights."""

from collections.abc import Iterator, Sequence

import torch

from elmo.engines.engine import EngineOutput
from elmo.model.batches import by_length, collate
from elmo.model.bilm import BiLM
from elmo.model.lstm import LSTMState


class ReferenceEngine:
    """Runs the biLM itself, in evaluation mode. It holds no copies, so it follows every change of the weights."""

    batch_tokens = 8192

    def __init__(self, bilm: BiLM) -> None:
        self.bilm = bilm

    def batches(self, lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
        """Group sentences of similar length; see ``Engine.batches``."""
        return by_length(lengths, batch_tokens)

    @torch.inference_mode()
    def __call__(
        self, sentences: Sequence[Sequence[str]], start: LSTMState | None = None, *, wants_state: bool = False
    ) -> EngineOutput:
        """Compute one batch; see ``Engine.__call__``."""
        if start is not None and start.h.shape[2] == 1:
            start = start.repeated(len(sentences))
        was_training = self.bilm.training
        self.bilm.eval()
        try:
            output = self.bilm(collate(sentences, self.bilm.token_layer.encode).to(self.bilm.device), start)
        finally:
            self.bilm.train(was_training)
        words = [output.layers[:, row, 1 : 1 + len(sentence)] for row, sentence in enumerate(sentences)]
        return EngineOutput(torch.cat([output.layers[:, 0, :0], *words], 1), output.state if wants_state else None)
