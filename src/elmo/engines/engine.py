"""What an engine is: words and a start state in, layers and the new state out."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from torch import Tensor

from elmo.model.lstm import LSTMState


class EngineOutput(NamedTuple):
    """The layers of a batch of sentences with N words in all."""

    layers: Tensor
    """The words of all sentences, one sentence after another, without boundaries, (L+1, N, 2P). A GPU may still be
    computing them; reading the tensor waits until they are ready."""
    state: LSTMState | None
    """The state after each sentence, in the order of the sentences; None unless it was asked for."""


class Engine(Protocol):
    """Computes the layers of a biLM for inference.

    Engines differ in speed, not in results: in float32 they agree with ``BiLM.forward`` to rounding, and a sentence's
    vectors do not depend on its batch. An engine may hold copies of the weights; make a new one when they change.
    """

    batch_tokens: int
    """Default number of tokens per call, boundaries and padding included."""

    def batches(self, lengths: Sequence[int], batch_tokens: int) -> Iterator[list[int]]:
        """Group sentences of these lengths (boundaries included) into batches of at most ``batch_tokens`` tokens."""

    def __call__(
        self, sentences: Sequence[Sequence[str]], start: LSTMState | None = None, *, wants_state: bool = False
    ) -> EngineOutput:
        """Compute one batch.

        Args:
            sentences: Lists of words.
            start: The state before each sentence, with one row per sentence, or a single row that all start from. None
                is the zero state.
            wants_state: Whether to compute the state after each sentence.
        """
