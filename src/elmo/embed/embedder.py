"""From sentences to vectors: tokenise, batch by length, run the biLM, choose layers, restore the order.

The same sentence gives the same vectors whatever stands beside it or came before it. Only
``initial_state="carry"`` asks for the old behaviour, where every batch begins in the state in which the
last one ended.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import torch
from torch import Tensor

from elmo.config import BATCH_TOKENS, InitialState, Layers, Pool, Precision, Tokenize
from elmo.embed.on_gpu import embed_on_gpu
from elmo.embed.select import Choice, EmbeddedSentence
from elmo.engines.cpu import CPUEngine
from elmo.engines.cuda import GPUEngine
from elmo.model.batches import by_length, collate, in_runs
from elmo.model.bilm import BiLM
from elmo.model.lstm import LSTMState
from elmo.model.softmax import Softmax
from elmo.text import tokens
from elmo.weights.folder import push_to_hub, read_softmax, write_folder
from elmo.weights.locate import locate, read_model
from elmo.weights.published import PublishedFiles, read_published

TOKENS_AT_ONCE = 32768
"""A stream is cut in runs of about this many words; within a run, sentences are sorted by length."""

WARM_UP = (
    "It is one of the things that people have said about it .",
    "There is more to come , and some of it is new .",
    "That is all there is to say .",
)
"""The text behind ``initial_state="warm"``: plain sentences, read one after the other from a zero state.

Published models were trained on running text and hardly ever saw a zero state. After reading this they
are in the state of a text that goes on. An LSTM forgets within some twenty words, so what the sentences
say matters little; for another language give the ``Embedder`` sentences of that language.
"""


class Embedder:
    """A biLM with everything that stands between text and vectors.

    ``elmo.load`` makes one; ``bilm`` is the torch module inside. ``softmax`` is there where the model can also predict
    words; it is kept so that a model that is saved again still can. ``precision``: "float32" is exact, "bf16" and, on a
    CPU, "int8" are faster; ``bilm`` stays as it is.
    """

    def __init__(
        self,
        bilm: BiLM,
        warm_up: Sequence[str] = WARM_UP,
        softmax: Softmax | None = None,
        precision: Precision = "float32",
    ) -> None:
        if precision not in get_args(Precision):
            raise ValueError(f"precision must be {', '.join(get_args(Precision))}, not {precision!r}")
        self.bilm = bilm
        self.warm_up = tuple(warm_up)
        self.softmax = softmax
        self.precision: Precision = precision
        self._packed: _Packed | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What is copied and sent to other processes: packed weights cannot be, and are made again."""
        return {**self.__dict__, "_packed": None}

    def embed(
        self,
        sentences: Iterable[str | Sequence[str]],
        layers: Layers = "all",
        pool: Pool | None = None,
        *,
        tokenize: Tokenize = "whitespace",
        initial_state: InitialState = "zero",
        batch_tokens: int = BATCH_TOKENS,
        batch_sentences: int = 1,
    ) -> list[EmbeddedSentence]:
        """Embed sentences, each a string or a list of words; the results stand in the same order.

        ``layers``: "all" of them, the "top" one, their "average", or one by its number (0 is the word
        vector without context).
        ``pool``: one vector a sentence, the "mean" or "max" over its words (zeros if it has none).
        ``tokenize``: how strings become words: "whitespace" for text that is tokenised already, "words" for
        raw text.
        ``initial_state``: every sentence starts from "zero", or from the state after a fixed "warm"-up text
        (for published models, which were trained on running text); "carry" goes on from sentence to sentence
        in the order given, as the old programs did, ``batch_sentences`` rows side by side.
        ``batch_tokens``: how many positions to compute at once; it changes speed and memory alone.
        """
        return list(
            self.embed_stream(
                sentences,
                layers,
                pool,
                tokenize=tokenize,
                initial_state=initial_state,
                batch_tokens=batch_tokens,
                batch_sentences=batch_sentences,
            )
        )

    def embed_stream(
        self,
        sentences: Iterable[str | Sequence[str]],
        layers: Layers = "all",
        pool: Pool | None = None,
        *,
        tokenize: Tokenize = "whitespace",
        initial_state: InitialState = "zero",
        batch_tokens: int = BATCH_TOKENS,
        batch_sentences: int = 1,
    ) -> Iterator[EmbeddedSentence]:
        """As ``embed``, one sentence after the other, for input of any size."""
        choose = Choice(layers, pool, self.bilm.config.n_representations)
        if isinstance(sentences, str):
            raise ValueError("embed takes a list of sentences; put a single one in a list")
        if initial_state not in get_args(InitialState):
            raise ValueError(f"initial_state must be zero, warm or carry, not {initial_state!r}")
        if batch_sentences < 1:
            raise ValueError(f"batch_sentences must be at least 1, not {batch_sentences}")
        self._check_precision()
        split = tokenizer(tokenize)
        words = (split(s) if isinstance(s, str) else list(s) for s in sentences)
        if initial_state == "carry":
            return self._carried(words, choose, batch_sentences)
        start = self.warm_state if initial_state == "warm" else None
        return self._independent(words, choose, start, batch_tokens)

    def embed_batch(
        self, sentences: Sequence[str | Sequence[str]], state: LSTMState | None = None
    ) -> tuple[list[EmbeddedSentence], LSTMState]:
        """Embed one batch from an explicit state, and give the state after it.

        Row r goes on where row r of ``state`` ended; rows that ``state`` does not have start at zero, and
        rows of ``state`` beyond this batch are handed on unchanged. Strings are split at white space.
        """
        words = [s.split() if isinstance(s, str) else list(s) for s in sentences]
        choose = Choice("all", None, self.bilm.config.n_representations)
        if not words:
            return [], self.bilm.lstm.zero_state(0) if state is None else state
        old = self.bilm.lstm.zero_state(0) if state is None else state
        embedded, new = self._run(words, choose, old.rows(len(words)), wants_state=True)
        return embedded, old.updated(new)

    @cached_property
    def warm_state(self) -> LSTMState:
        """The state of one row after the warm-up text; computed when it is first needed."""
        state = None
        for sentence in self.warm_up:
            _, state = self.embed_batch([sentence], state)
        return self.bilm.lstm.zero_state(1) if state is None else state

    def save(self, folder: str | Path) -> None:
        """Write ``config.json``, ``model.safetensors`` and what else there is; ``elmo.load(folder)`` reads them."""
        write_folder(self.bilm, folder, self.softmax)

    def save_pretrained(self, folder: str | Path) -> None:
        """As ``save``, under the name that users of Transformers look for."""
        self.save(folder)

    @classmethod
    def from_pretrained(cls, name: str | Path, *, revision: str | None = None, token: str | None = None) -> "Embedder":
        """Load a folder or an id of the Hugging Face Hub; every weight must fit."""
        return load(name, revision=revision, token=token)

    def push_to_hub(
        self, repo_id: str, *, private: bool = False, token: str | None = None, message: str | None = None
    ) -> str:
        """Upload the model to the Hugging Face Hub; gives the address of the repository."""
        return push_to_hub(self.bilm, repo_id, self.softmax, private=private, token=token, message=message)

    def _independent(
        self, sentences: Iterable[list[str]], choose: Choice, start: LSTMState | None, batch_tokens: int
    ) -> Iterator[EmbeddedSentence]:
        """Every sentence on its own: batches of similar length, results in the order of the input."""
        engine = self._engine()
        if isinstance(engine, GPUEngine) and start is None:
            yield from embed_on_gpu(engine, sentences, choose)
            return
        for run in in_runs(sentences, TOKENS_AT_ONCE):
            results: list[EmbeddedSentence | None] = [None] * len(run)
            for group in by_length([len(words) + 2 for words in run], batch_tokens):
                embedded, _ = self._run([run[index] for index in group], choose, start)
                for index, sentence in zip(group, embedded, strict=True):
                    results[index] = sentence
            yield from (result for result in results if result is not None)

    def _carried(
        self, sentences: Iterable[list[str]], choose: Choice, batch_sentences: int
    ) -> Iterator[EmbeddedSentence]:
        """Batches in the order of the input, each going on from the state of the one before."""
        state = self.bilm.lstm.zero_state(batch_sentences)
        stream = iter(sentences)
        while batch := list(itertools.islice(stream, batch_sentences)):
            embedded, new = self._run(batch, choose, state.rows(len(batch)), wants_state=True)
            state = state.updated(new)
            yield from embedded

    @torch.inference_mode()
    def _run(
        self, words: Sequence[list[str]], choose: Choice, start: LSTMState | None, *, wants_state: bool = False
    ) -> tuple[list[EmbeddedSentence], LSTMState]:
        """One batch, from a state of its own for each row or a single one for all; the new state only if wanted."""
        engine = self._engine()
        if isinstance(engine, CPUEngine):
            layers, state = engine(words, start, wants_state=wants_state)
        else:
            layers, state = self._forward(words, start)
        embedded = [EmbeddedSentence(sentence, choose(own)) for sentence, own in zip(words, layers, strict=True)]
        return embedded, self.bilm.lstm.zero_state(0) if state is None else state

    def _forward(self, words: Sequence[list[str]], start: LSTMState | None) -> tuple[list[Tensor], LSTMState]:
        """One batch through the biLM itself."""
        if start is not None and start.h.shape[2] == 1:
            start = start.repeated(len(words))
        was_training = self.bilm.training
        self.bilm.eval()
        try:
            batch = collate(words, self.bilm.encode).to(self._device)
            output = self.bilm(batch, start)
        finally:
            self.bilm.train(was_training)
        return [output.layers[:, row, 1 : 1 + len(sentence)] for row, sentence in enumerate(words)], output.state

    @property
    def _device(self) -> torch.device:
        return self.bilm.lstm.layers[0].weight.device

    def _check_precision(self) -> None:
        if self.precision == "int8" and self._device.type != "cpu":
            raise ValueError(f"precision int8 is for the CPU, but the model is on {self._device}")

    def _engine(self) -> CPUEngine | GPUEngine | None:
        """What computes fast on the biLM's device, anew when its weights have changed; None: ``bilm`` has to do it."""
        self._check_precision()
        weights = list(self.bilm.parameters())
        kinds = {(weight.device.type, weight.dtype) for weight in weights}
        if kinds not in ({("cpu", torch.float32)}, {("cuda", torch.float32)}):
            return None
        stamp = tuple((weight.data_ptr(), 0 if weight.is_inference() else weight._version) for weight in weights)
        if self._packed is None or self._packed.stamp != stamp:
            if self._device.type == "cpu":
                engine: CPUEngine | GPUEngine = CPUEngine(self.bilm, self.precision)
            else:
                engine = GPUEngine(self.bilm, torch.float32 if self.precision == "float32" else torch.bfloat16)
            self._packed = _Packed(stamp, engine)
        return self._packed.engine


@dataclass(frozen=True)
class _Packed:
    """An engine and the weights it was made of."""

    stamp: tuple[tuple[int, int], ...]
    """Where each weight is, and how often it has been changed."""
    engine: CPUEngine | GPUEngine


def tokenizer(name: Tokenize) -> Callable[[str], list[str]]:
    """The function behind a name."""
    if name == "whitespace":
        return tokens.whitespace
    if name == "words":
        return tokens.words
    raise ValueError(f"tokenize must be whitespace or words, not {name!r}")


def load(
    model: str | Path | None = None,
    *,
    options: str | Path | None = None,
    weights: str | Path | None = None,
    vocabulary: str | Path | None = None,
    embedding: str | Path | None = None,
    device: str | torch.device = "cpu",
    precision: Precision = "float32",
    revision: str | None = None,
    token: str | None = None,
) -> Embedder:
    """Load a model.

    ``model`` is the name of a bundled model (without it, "small"), a folder of ours, a folder or zip archive with
    ``options.json`` and one HDF5 file, or an id of the Hugging Face Hub. Published files can also be named one
    by one with ``options`` and ``weights``; models that look words up need their ``vocabulary``, and
    ``embedding`` puts word vectors computed beforehand in the place of the character CNN.
    ``precision``: what is computed with, "float32" (exact), "bf16" or, on the CPU, "int8" (faster).
    ``revision`` and ``token`` are for the Hub.

    Whatever is missing, damaged or contradictory is a ValueError (or OSError) that names the file.
    """
    if options is not None or weights is not None:
        if model is not None or options is None or weights is None:
            raise ValueError("give either a model, or both options and weights")
        files = PublishedFiles(
            Path(options),
            Path(weights),
            None if vocabulary is None else Path(vocabulary),
            None if embedding is None else Path(embedding),
        )
        bilm, softmax = read_published(files), None
    elif vocabulary is not None or embedding is not None:
        raise ValueError("vocabulary and embedding go with options and weights")
    else:
        path = locate(model, revision=revision, token=token)
        bilm = read_model(path)
        softmax = read_softmax(path, bilm)
    return Embedder(bilm.to(device), softmax=None if softmax is None else softmax.to(device), precision=precision)
