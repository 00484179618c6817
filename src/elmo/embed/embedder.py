"""From sentences to vectors: tokenize, batch, run the engine, select layers, restore the order.

The same sentence gives the same vectors whatever its batch and whatever came before it. Only ``initial_state="carry"``
asks for the behavior of older programs, where every batch starts from the state in which the last one ended.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import torch
from torch import Tensor

from elmo.config import BiLMConfig, InitialState, Layers, Merge, Pool, Precision, Tokenize
from elmo.embed.merge import Merger
from elmo.embed.select import EmbeddedSentence, Selection
from elmo.engines.current import CurrentEngine, WeightsStamp
from elmo.engines.devices import checked_device
from elmo.engines.engine import Engine
from elmo.model.batches import in_runs
from elmo.model.bilm import BiLM
from elmo.model.lstm import LSTMState
from elmo.model.softmax import Softmax
from elmo.text.coverage import Mismatch, mismatch
from elmo.text.tokens import Tokenizer, tokenizer_for
from elmo.validation import checked_choice, checked_count, checked_flag, checked_instance, checked_sentences
from elmo.weights.catalog import local_file
from elmo.weights.folder import push_to_hub, read_softmax, write_folder
from elmo.weights.locate import DEFAULT, locate, read_model
from elmo.weights.published import PublishedFiles, read_published

BATCHES_PER_RUN = 4
MAX_RUN_TOKENS = 32768
"""A stream is cut into runs; within a run, sentences are batched by length."""

WARM_UP = (
    "It is one of the things that people have said about it .",
    "There is more to come , and some of it is new .",
    "That is all there is to say .",
)
"""The text behind ``initial_state="warm"``: plain sentences, read one after another from a zero state.

Published models were trained on running text and hardly ever saw a zero state. After reading this text they are in the
state of a text that continues. An LSTM forgets within some twenty words, so the content hardly matters; for another
language, give the ``Embedder`` sentences in that language.
"""


class Embedder:
    """A biLM with everything between text and vectors. ``elmo.load`` makes one.

    Args:
        bilm: The language model, a torch module.
        warm_up: Tokenized sentences behind ``initial_state="warm"``.
        softmax: The softmax of a model that can also predict words, so that it is saved along with the biLM.
        precision: "float32" (exact), "bf16", or "int8" (CPU only). It changes how vectors are computed, not ``bilm``.
        name: The name that the model was loaded by, for display.
        shared: Whether anyone else holds the biLM and may change its weights. They are then read before every batch, to
            notice a change.
    """

    def __init__(
        self,
        bilm: BiLM,
        warm_up: Sequence[str] = WARM_UP,
        softmax: Softmax | None = None,
        precision: Precision = "float32",
        name: str | None = None,
        *,
        shared: bool = True,
    ) -> None:
        checked_instance("bilm", bilm, BiLM, "such as elmo.load().bilm")
        checked_instance("softmax", softmax, Softmax, "of a language model", optional=True)
        checked_choice("precision", precision, get_args(Precision))
        self.bilm = bilm
        self._bilm_is_shared = checked_flag("shared", shared)
        self.warm_up = tuple(" ".join(words) for words in checked_sentences(warm_up, str.split))
        self.softmax = softmax
        self.precision: Precision = precision
        self.name = name

    def __repr__(self) -> str:
        config = self._bilm.config
        name = "" if self.name is None else f"{self.name!r}, "
        shape = f"{config.n_representations} layers, {config.output_dim} dimensions"
        return f"Embedder({name}{shape}, {self._bilm.device}, {self.precision})"

    @property
    def bilm(self) -> BiLM:
        """The language model, a torch module. Its weights may be changed: ``embed`` uses the new values."""
        self._bilm_is_shared = True
        return self._bilm

    @bilm.setter
    def bilm(self, bilm: BiLM) -> None:
        self._bilm = bilm
        self._bilm_is_shared = True
        """Whether anyone else may hold the biLM, and so may have changed its weights since the last call."""
        self._current: CurrentEngine | None = None
        self._warm: tuple[Engine, tuple[str, ...], LSTMState] | None = None
        self._fingerprint: tuple[WeightsStamp, str] | None = None

    @property
    def bilm_to_read(self) -> BiLM:
        """The language model for callers that never change its weights, so that ``embed`` need not look for changes."""
        return self._bilm

    @property
    def device(self) -> torch.device:
        """The device of the biLM."""
        return self._bilm.device

    @property
    def config(self) -> BiLMConfig:
        """The configuration of the biLM."""
        return self._bilm.config

    def tokenizer(self, tokenize: Tokenize = "model") -> Tokenizer:
        """Return the tokenizer of the model, or another one; see ``embed``."""
        return tokenizer_for(tokenize, self.config.tokenizer)

    def fingerprint(self) -> str:
        """Hash of everything that vectors depend on; see ``BiLM.fingerprint``."""
        stamp = WeightsStamp.of(self._bilm)
        if self._fingerprint is None or self._fingerprint[0] != stamp:
            self._fingerprint = stamp, self._bilm.fingerprint()
        return self._fingerprint[1]

    def __getstate__(self) -> dict[str, Any]:
        """Leave the engine out of copies and of what is sent to other processes: packed weights cannot be pickled.

        A shallow copy has the same biLM, so neither of the two owns it alone.
        """
        self._bilm_is_shared = True
        return {**self.__dict__, "_current": None, "_warm": None}

    def embed(
        self,
        sentences: Iterable[str | Sequence[str]],
        layers: Layers = "all",
        pool: Pool | None = None,
        *,
        tokenize: Tokenize = "model",
        merge: Merge | None = None,
        initial_state: InitialState = "zero",
        batch_tokens: int | None = None,
        batch_sentences: int = 1,
    ) -> list[EmbeddedSentence]:
        """Embed sentences.

        Args:
            sentences: Strings or lists of words.
            layers: "all" layers, the "top" one, their "average", or one by its index (0 is the context-free word
                vector).
            pool: Return one vector per sentence, the "mean" or "max" over its words (zeros if it has none).
            tokenize: How strings are split into words: as the "model" says in its configuration, or by the tokenizer
                "whitespace", "words" or "korean". Text that is recognizably tokenized is only split at whitespace,
                except by "korean".
            merge: Return one vector per whitespace-separated word of a string, the "mean" of its tokens' vectors or the
                "last" one; ``tokens`` are these words. A list of words stays as it is. Not together with ``pool``.
            initial_state: The LSTM state at the start of a sentence. "zero"; "warm", the state after a fixed text, for
                published models, which were trained on running text; or "carry", where each batch starts from the
                state in which the last one ended, as in older programs.
            batch_tokens: Number of tokens per batch, boundaries and padding included. It changes speed and memory, not
                results. By default what suits the device.
            batch_sentences: With "carry", the number of sentences per batch.

        Returns:
            The sentences in the order given.

        Raises:
            ValueError: If an argument is not valid.
        """
        return list(
            self.embed_stream(
                sentences,
                layers,
                pool,
                tokenize=tokenize,
                merge=merge,
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
        tokenize: Tokenize = "model",
        merge: Merge | None = None,
        initial_state: InitialState = "zero",
        batch_tokens: int | None = None,
        batch_sentences: int = 1,
    ) -> Iterator[EmbeddedSentence]:
        """Embed sentences one after another, for input of any size; see ``embed``."""
        selection = Selection(layers, pool, self.config.n_representations)
        checked_choice("initial_state", initial_state, get_args(InitialState))
        batch_sentences = checked_count("batch_sentences", batch_sentences)
        if batch_tokens is not None:
            batch_tokens = checked_count("batch_tokens", batch_tokens)
        # Complains now, not when the first sentence is asked for. Every run looks for changed weights itself.
        engine = self._engine(unchanged=True)
        split = self.tokenizer(tokenize).words
        if merge is not None and pool is not None:
            raise ValueError(
                "merge cannot be combined with pool: one asks for a vector per word, the other per sentence"
            )
        merger = None if merge is None else Merger(merge, split)
        words = checked_sentences(sentences, split) if merger is None else merger.tokens(sentences)
        if initial_state == "carry":
            embedded = self._carried(words, selection, batch_sentences)
        else:
            tokens_per_batch = batch_tokens or engine.batch_tokens
            embedded = self._independent(words, selection, initial_state == "warm", tokens_per_batch)
        return embedded if merger is None else merger.merged(embedded)

    def embed_batch(
        self, sentences: Sequence[str | Sequence[str]], state: LSTMState | None = None
    ) -> tuple[list[EmbeddedSentence], LSTMState]:
        """Embed one batch from an explicit state.

        Args:
            sentences: Strings, which are split by the model's tokenizer, or lists of words.
            state: Row r of the batch continues from row r of the state; missing rows start from zero.

        Returns:
            The sentences, and the state after them. Rows of ``state`` beyond this batch are returned unchanged.
        """
        checked_instance("state", state, LSTMState, "that an earlier call returned", optional=True)
        words = list(checked_sentences(sentences, self.tokenizer().words))
        old = self._bilm.lstm.zero_state(0) if state is None else state
        if not words:
            return [], old
        selection = Selection("all", None, self.config.n_representations)
        embedded, new = self._run_batch(words, selection, old.rows(len(words)))
        return embedded, old.updated(new)

    @property
    def warm_state(self) -> LSTMState:
        """The state of one row after the warm-up text, computed when it is first needed for the present weights."""
        engine = self.engine()
        if self._warm is None or self._warm[0] is not engine or self._warm[1] != self.warm_up:
            state = self._bilm.lstm.zero_state(1)
            for sentence in self.warm_up:
                # The warm-up text is tokenized, whatever the model's tokenizer.
                _, state = self.embed_batch([sentence.split()], state)
            self._warm = (engine, self.warm_up, state)
        return self._warm[2]

    def mismatch(self, sentences: Iterable[str | Sequence[str]]) -> Mismatch | None:
        """Say why the model does not suit a text; None if it does, or if nothing is known about it.

        The model's vocabulary shows which words and scripts it was trained on; see ``elmo.text.coverage``.

        Args:
            sentences: Strings, which the tokenizer of the model splits, and lists of words.
        """
        predicts = None if self.softmax is None else self.softmax.vocabulary
        return mismatch(
            checked_sentences(sentences, self.tokenizer().words), self._bilm.token_layer.vocabulary, predicts
        )

    def save(self, folder: str | Path) -> None:
        """Write a model folder that ``elmo.load(folder)`` reads."""
        write_folder(self._bilm, folder, self.softmax)

    def save_pretrained(self, folder: str | Path) -> None:
        """Write a model folder; the same as ``save``, under the name that Transformers uses."""
        self.save(folder)

    @classmethod
    def from_pretrained(cls, name: str | Path, *, revision: str | None = None, token: str | None = None) -> "Embedder":
        """Load a folder or a model of the Hugging Face Hub; the same as ``elmo.load``."""
        return load(name, revision=revision, token=token)

    def push_to_hub(
        self, repo_id: str, *, private: bool = False, token: str | None = None, message: str | None = None
    ) -> str:
        """Upload the model to the Hugging Face Hub, and return the URL of the repository."""
        return push_to_hub(self._bilm, repo_id, self.softmax, private=private, token=token, message=message)

    def _independent(
        self, sentences: Iterable[list[str]], selection: Selection, warm: bool, batch_tokens: int
    ) -> Iterator[EmbeddedSentence]:
        """Embed every sentence on its own: batches of similar length, results in the order of the input."""
        waiting: _Run | None = None
        # A few batches at a time, so that sentences of similar length can be found, but not much more than a batch.
        run_tokens = max(batch_tokens, min(BATCHES_PER_RUN * batch_tokens, MAX_RUN_TOKENS))
        for sentences_of_run in in_runs(sentences, run_tokens):
            start = self.warm_state if warm else None
            run = _Run(sentences_of_run, self.engine(), selection, start, batch_tokens)
            # While a GPU computes this run, the previous one is returned. Other devices have finished it by now.
            if waiting is not None:
                yield from waiting
            waiting = run if run.in_progress else None
            if waiting is None:
                yield from run
        if waiting is not None:
            yield from waiting

    def _carried(
        self, sentences: Iterable[list[str]], selection: Selection, batch_sentences: int
    ) -> Iterator[EmbeddedSentence]:
        """Embed batches in the order of the input, each from the state of the one before."""
        state = self._bilm.lstm.zero_state(batch_sentences)
        stream = iter(sentences)
        while batch := list(itertools.islice(stream, batch_sentences)):
            embedded, new = self._run_batch(batch, selection, state.rows(len(batch)))
            state = state.updated(new)
            yield from embedded

    @torch.inference_mode()
    def _run_batch(
        self, words: Sequence[list[str]], selection: Selection, start: LSTMState
    ) -> tuple[list[EmbeddedSentence], LSTMState]:
        """Embed one batch, and return the state after it."""
        layers, state = self.engine()(words, start, wants_state=True)
        assert state is not None
        lengths = [len(sentence) for sentence in words]
        arrays = selection.split(selection(layers, lengths).float().cpu().numpy(), lengths)
        return [EmbeddedSentence(*pair) for pair in zip(words, arrays, strict=True)], state

    def engine(self) -> Engine:
        """Return the engine for the biLM where it is and as it is now. No two threads may use it at the same time."""
        return self._engine(unchanged=not self._bilm_is_shared)

    def _engine(self, *, unchanged: bool) -> Engine:
        if self._current is None or self._current.precision != self.precision:
            self._current = CurrentEngine(self._bilm, self.precision)
        return self._current.get(unchanged=unchanged)


class _Run:
    """A run of sentences whose vectors are being computed, and on a GPU copied to host memory in the background."""

    @torch.inference_mode()
    def __init__(
        self,
        sentences: Sequence[list[str]],
        engine: Engine,
        selection: Selection,
        start: LSTMState | None,
        batch_tokens: int,
    ) -> None:
        self.sentences, self.selection = sentences, selection
        self.arrays: list[Any] = [None] * len(sentences)
        self.transfers: list[tuple[list[int], Tensor]] = []
        self.in_progress = False
        for batch in engine.batches([len(words) + 2 for words in sentences], batch_tokens):
            chosen = [sentences[index] for index in batch]
            selected = selection(engine(chosen, start).layers, [len(words) for words in chosen])
            if selected.device.type == "cuda":
                # The GPU can write to pinned memory by itself.
                host = torch.empty(selected.shape, dtype=selected.dtype, pin_memory=True)
                self.transfers.append((batch, host.copy_(selected, non_blocking=True)))
                self.in_progress = True
            else:
                self._arrived(batch, selected)
        if self.in_progress:
            self.done = torch.cuda.Event()
            self.done.record()

    def __iter__(self) -> Iterator[EmbeddedSentence]:
        """Wait for the vectors, and yield the sentences in their order."""
        if self.in_progress:
            self.done.synchronize()
            while self.transfers:
                self._arrived(*self.transfers.pop(0))
        yield from (EmbeddedSentence(*pair) for pair in zip(self.sentences, self.arrays, strict=True))

    def _arrived(self, batch: list[int], selected: Tensor) -> None:
        lengths = [len(self.sentences[index]) for index in batch]
        arrays = self.selection.split(selected.float().cpu().numpy(), lengths)
        for index, array in zip(batch, arrays, strict=True):
            self.arrays[index] = array


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

    Args:
        model: Name of a model (by default "small"; ``elmo.models`` lists all names), a model folder, a folder or zip
            archive with the files of a published model, or a model id of the Hugging Face Hub. A published model that
            is given by its name is downloaded once.
        options: ``options.json`` of a published model, together with ``weights``. These two and the next two can be
            paths or URLs; what is downloaded is kept (in the folder ``ELMO_CACHE``, if that variable is set).
        weights: HDF5 file of a published model, together with ``options``.
        vocabulary: Vocabulary file of a published model that looks words up.
        embedding: HDF5 file with word vectors that replace the character CNN of a published model.
        device: Where to compute, for example "cpu" or "cuda".
        precision: What to compute in: "float32" (exact), "bf16", or "int8" (CPU only).
        revision: Revision of a model on the Hub.
        token: Access token for the Hub.

    Returns:
        The model, ready to embed sentences.

    Raises:
        ValueError: If a file is damaged or does not fit the others. The message names the file.
        OSError: If a file cannot be read.
    """
    device = checked_device(device)  # before any large file is read
    if options is not None or weights is not None:
        if model is not None or options is None or weights is None:
            raise ValueError("give either a model or both options and weights")
        files = PublishedFiles(
            local_file(options),
            local_file(weights),
            None if vocabulary is None else local_file(vocabulary),
            None if embedding is None else local_file(embedding),
        )
        bilm, softmax, name = read_published(files), None, Path(weights).name
    elif vocabulary is not None or embedding is not None:
        raise ValueError("vocabulary and embedding can only be given together with options and weights")
    else:
        path = locate(model, revision=revision, token=token)
        bilm = read_model(path)
        softmax, name = read_softmax(path, bilm), str(DEFAULT if model is None else model)
    softmax = None if softmax is None else softmax.to(device)
    return Embedder(bilm.to(device), softmax=softmax, precision=precision, name=name, shared=False)
