"""ELMo in spaCy pipelines.

    nlp = spacy.blank("en")
    nlp.add_pipe("elmo")
    nlp.add_pipe("elmo_ner")
    nlp.add_pipe("elmo_coref", config={"elmo": "elmo_ner"})       # shares the ELMo model of another component
    doc = nlp("Ada met Charles. She liked him.")
    doc.tensor             # (n, D), the vectors that listening components read
    doc._.elmo             # (L+1, n, D), all layers; token._.elmo and span._.elmo are slices of it
    doc.ents               # named entities
    doc.spans              # clusters of mentions, as "coref_clusters_1", "coref_clusters_2", ...

Installing the library registers with spaCy:

    "elmo.Tok2Vec.v1"      an architecture, for example for the ``tok2vec`` of a tagger
    "elmo"                 a component with such a model, which runs ELMo once for the whole pipeline
    "elmo_ner"             a component with a trained task model that finds named entities
    "elmo_coref"           a component with a trained task model that resolves coreference

The biLM is frozen; the weights of its layers are trained. Models are saved with the pipeline, without pickle, so a
saved pipeline needs only this library.
"""

import shutil
import tempfile
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import numpy as np
from safetensors.torch import load as tensors_of
from safetensors.torch import save as bytes_of

from elmo.config import BiLMConfig
from elmo.embed.embedder import Embedder, load
from elmo.model.bilm import BiLM
from elmo.model.token_layers import read_vocabulary
from elmo.tasks.load import load_task, save_task
from elmo.tasks.results import CorefResult, EntityResult
from elmo.tasks.trained import TaskText, TrainedTask
from elmo.text.documents import Document
from elmo.text.vocabulary import Vocabulary
from elmo.validation import checked_layers
from elmo.weights.locate import DEFAULT
from elmo.weights.strict import check_tensors, shapes_of, without_data

try:
    import srsly
    from spacy import registry
    from spacy.language import Language
    from spacy.pipeline import Pipe
    from spacy.pipeline.tok2vec import Tok2Vec
    from spacy.tokens import Doc, Span, Token
    from spacy.util import minibatch
    from thinc.api import Model, Shim, chain, get_torch_default_device
    from thinc.types import Floats2d, Floats3d
except ImportError as error:
    raise ImportError("elmo.interop.spacy needs an extra package: pip install 'elmo-torch[spacy]'") from error


@registry.architectures("elmo.Tok2Vec.v1")
def elmo_tok2vec(name: str = DEFAULT, layers: Literal["mix", "top"] | int = "mix") -> Model[list[Doc], list[Floats2d]]:
    """Create a model that maps docs to one vector per token, (n, D) each.

    Args:
        name: Name, folder or Hub id of a model, as for ``elmo.load``. It is loaded on first use, unless the model was
            loaded with the pipeline.
        layers: "mix" learns the weights of the layers, starting from their average; "top" or the index of a layer
            selects one layer and learns nothing.
    """
    layers = checked_layers(layers, ("mix", "top"))
    all_layers: Model[list[Doc], list[Floats3d]] = Model("elmo-layers", _embed, shims=[BiLMShim(name)])
    one_vector: Model[list[Floats3d], list[Floats2d]]
    if layers == "mix":
        one_vector = Model("elmo-mix", _mix, init=_init_mix, params={"weights": None, "gamma": None}, dims={"nO": None})
    else:
        one_vector = Model(
            "elmo-layer", _pick, init=_init_pick, attrs={"layer": -1 if layers == "top" else layers}, dims={"nO": None}
        )
    return chain(all_layers, one_vector)


class ElmoComponent(Tok2Vec):
    """spaCy's component for shared vectors, extended to store all layers in ``doc._.elmo``."""

    def predict(self, docs: Iterable[Doc]) -> list[tuple[Floats3d, Floats2d]]:
        """Return all layers (L+1, n, D) and the vectors (n, D) of each doc."""
        all_layers, one_vector = self.model.layers
        layers = all_layers.predict(list(docs))
        return list(zip(layers, one_vector.predict(layers), strict=True))

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[tuple[Floats3d, Floats2d]]) -> None:
        """Store the vectors and the layers in the docs."""
        for doc, (layers, vectors) in zip(docs, predictions, strict=True):
            doc.tensor = vectors
            doc._.elmo = layers


@Language.factory(
    "elmo",
    assigns=["doc.tensor", "doc._.elmo", "token._.elmo", "span._.elmo"],
    default_config={"model": {"@architectures": "elmo.Tok2Vec.v1", "name": DEFAULT, "layers": "mix"}},
)
def make_elmo(nlp: Language, name: str, model: Model[list[Doc], list[Floats2d]]) -> ElmoComponent:
    """Create the component for ``nlp.add_pipe("elmo")``."""
    if not Doc.has_extension("elmo"):
        Doc.set_extension("elmo", default=None)
        Span.set_extension("elmo", getter=_layers_of_span)
        Token.set_extension("elmo", getter=_layers_of_token)
    return ElmoComponent(nlp.vocab, model, name)


def _layers_of_span(span: Span) -> Floats3d | None:
    """Return (L+1, n, D), or None if the component has not processed the doc."""
    return None if span.doc._.elmo is None else span.doc._.elmo[:, span.start : span.end]


def _layers_of_token(token: Token) -> Floats2d | None:
    """Return (L+1, D), or None if the component has not processed the doc."""
    return None if token.doc._.elmo is None else token.doc._.elmo[:, token.i]


class BiLMShim(Shim):
    """Hold the biLM in a thinc model, loaded by name on first use or from the bytes of a pipeline."""

    _model: Embedder | None

    def __init__(self, name: str) -> None:
        super().__init__(None)
        self.name = name

    @property
    def embedder(self) -> Embedder:
        """The loaded model, on the device that spaCy uses."""
        if self._model is None:
            self._model = load(self.name, device=get_torch_default_device())
        return self._model

    def to_bytes(self) -> bytes:
        """Serialize the biLM: configuration, vocabulary and weights."""
        bilm = self.embedder.bilm_to_read
        return srsly.msgpack_dumps(
            {
                "config": bilm.config.to_dict(),
                "files": bilm.token_layer.files(),
                "weights": bytes_of({name: tensor.cpu().contiguous() for name, tensor in bilm.state_dict().items()}),
            }
        )

    def from_bytes(self, data: bytes) -> "BiLMShim":
        """Restore the biLM from the bytes of a pipeline; missing or unexpected weights are an error."""
        stored = srsly.msgpack_loads(data)

        def read(file: str) -> bytes:
            if "files" in stored:
                return stored["files"][file]
            return Vocabulary(stored["vocabulary"]).to_bytes()  # a pipeline saved by version 0.1

        config = BiLMConfig.from_dict(stored["config"])
        with without_data():
            bilm = BiLM(config, read_vocabulary(config.token_layer, read))
        weights = tensors_of(stored["weights"])
        check_tensors("the bytes of the pipeline", shapes_of(bilm), weights, "its configuration")
        bilm.load_state_dict(weights, strict=True, assign=True)
        self._model = Embedder(bilm.eval().to(get_torch_default_device()), shared=False)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle through ``to_bytes``, like every other serialization of a pipeline."""
        return _restore_shim, (self.name, None if self._model is None else self.to_bytes())

    def to_device(self, device_type: str, device_id: int) -> None:
        """Move the biLM to a device, if it is loaded."""
        if self._model is not None:
            self._model.bilm.to("cpu" if device_type == "cpu" else f"{device_type}:{device_id}")

    def finish_update(self, optimizer: Any) -> None:
        """Do nothing: the biLM is frozen."""


def _restore_shim(name: str, data: bytes | None) -> BiLMShim:
    shim = BiLMShim(name)
    return shim if data is None else shim.from_bytes(data)


def _embed(
    model: Model[list[Doc], list[Floats3d]], docs: list[Doc], is_train: bool
) -> tuple[list[Floats3d], Callable[[list[Floats3d]], list[Doc]]]:
    """Return all layers of each doc, (L+1, n, D).

    A doc with sentence boundaries is embedded sentence by sentence, as ELMo was trained; any other doc is embedded as
    one sentence. Whitespace tokens are skipped, and their vectors are zero.
    """
    embedder = model.shims[0].embedder
    config = embedder.config
    results = [np.zeros((config.n_representations, len(doc), config.output_dim), np.float32) for doc in docs]
    spans = [
        (result, [token for token in sentence if not token.is_space])
        for result, doc in zip(results, docs, strict=True)
        for sentence in (doc.sents if doc.has_annotation("SENT_START") else [doc])
    ]
    embedded = embedder.embed([[token.text for token in tokens] for _, tokens in spans])
    for (result, tokens), sentence in zip(spans, embedded, strict=True):
        result[:, [token.i for token in tokens]] = sentence.layers
    return [model.ops.asarray3f(result) for result in results], lambda gradients: []


def _mix(
    model: Model[list[Floats3d], list[Floats2d]], docs: list[Floats3d], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Floats3d]]]:
    """Compute ``gamma * sum_j s_j h_j`` with ``s = softmax(w)``, from (L+1, n, D) to (n, D).

    Gradients stop here, because the biLM is frozen.
    """
    _init_mix(model, docs)
    xp = model.ops.xp
    weights, gamma = model.get_param("weights"), model.get_param("gamma")
    softmax = xp.exp(weights - weights.max())
    softmax /= softmax.sum()
    mixed = [xp.tensordot(softmax, layers, axes=1) for layers in docs]

    def backprop(gradients: list[Floats2d]) -> list[Floats3d]:
        for layers, mixture, gradient in zip(docs, mixed, gradients, strict=True):
            by_layer = gamma * (layers * gradient).sum((1, 2))  # dloss/ds_j, (L+1,)
            model.inc_grad("weights", softmax * (by_layer - (softmax * by_layer).sum()))
            model.inc_grad("gamma", (mixture * gradient).sum(keepdims=True).reshape(1))
        return []

    return [gamma * mixture for mixture in mixed], backprop


def _init_mix(model: Model[list[Floats3d], list[Floats2d]], X: list[Floats3d] | None = None, Y: object = None) -> None:
    """Initialize equal weights once the number of layers is known."""
    if X and not model.has_param("weights"):
        model.set_param("weights", model.ops.alloc1f(X[0].shape[0]))
        model.set_param("gamma", model.ops.alloc1f(1) + 1)
        model.set_dim("nO", X[0].shape[2])


def _pick(
    model: Model[list[Floats3d], list[Floats2d]], docs: list[Floats3d], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Floats3d]]]:
    """Select one layer, from (L+1, n, D) to (n, D)."""
    layer = model.attrs["layer"]
    for layers in docs:
        if layer >= 0:  # -1 is the top layer
            checked_layers(layer, ("mix", "top"), len(layers))
    return [layers[layer] for layers in docs], lambda gradients: []


def _init_pick(model: Model[list[Floats3d], list[Floats2d]], X: list[Floats3d] | None = None, Y: object = None) -> None:
    """Set the output dimension once it is known."""
    if X:
        model.set_dim("nO", X[0].shape[2])


class TaskComponent(Pipe, ABC):
    """Applies a trained task model to the tokens of docs. Subclasses store the results in the docs.

    Args:
        name: Name of the component.
        task: Name or folder of the task model, as for ``elmo.load_task``. It is loaded on first use, unless it was
            loaded with the pipeline.
        sharing: A component whose ELMo model is used, instead of a copy of it.
    """

    kind: str
    """Name of the task that the model must be for."""

    def __init__(self, name: str, task: str, sharing: "TaskComponent | ElmoComponent | None") -> None:
        self.name, self.source, self.sharing = name, task, sharing
        self._task: TrainedTask | None = None

    @abstractmethod
    def annotate(self, doc: Doc, tokens: Sequence[Token], result: Any) -> None:
        """Store a result in a doc. Its words are ``tokens``."""

    @property
    def task(self) -> TrainedTask:
        """The loaded task model, on the device that spaCy uses."""
        if self._task is None:
            self._load(self.source)
        assert self._task is not None
        return self._task

    @property
    def labels(self) -> tuple[str, ...]:
        """What the model can find; nothing before it is loaded."""
        return () if self._task is None else tuple(self._task.labels)

    def __call__(self, doc: Doc) -> Doc:
        """Process a doc."""
        for processed in self.pipe([doc]):
            return processed
        return doc  # the error handler has dealt with it

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Process docs, those of a batch together."""
        handle_error = self.get_error_handler()
        for docs in minibatch(stream, size=batch_size):
            try:
                texts = [self._read(doc) for doc in docs]
                results = self.task.results(text for text, _ in texts)
                for doc, (_, tokens), result in zip(docs, texts, results, strict=True):
                    self.annotate(doc, tokens, result)
            except Exception as error:
                handle_error(self.name, self, docs, error)
            else:
                yield from docs

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the task model, and its ELMo model unless that is shared, as a folder that ``elmo.load_task`` reads."""
        task = self.task  # before the folder that it may come from is replaced
        if Path(path).is_dir():
            shutil.rmtree(path)
        save_task(task, path, with_elmo=self.sharing is None)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "TaskComponent":
        """Load the task model from a saved pipeline."""
        self._load(Path(path))
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Return the files that ``to_disk`` writes."""
        with tempfile.TemporaryDirectory() as folder:
            self.to_disk(Path(folder) / "task")
            files = [path for path in (Path(folder) / "task").rglob("*") if path.is_file()]
            content = {path.relative_to(Path(folder) / "task").as_posix(): path.read_bytes() for path in files}
        return srsly.msgpack_dumps(content)

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "TaskComponent":
        """Load the task model from the bytes of a pipeline."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in srsly.msgpack_loads(data).items():
                if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
                    raise ValueError(f"the bytes of the pipeline are damaged: {name!r} is not the name of a file")
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            return self.from_disk(folder)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle through ``to_bytes``, like every other serialization of a pipeline."""
        settings = {**self.__dict__, "_task": None}
        return _restore_component, (type(self), self.name, settings, None if self._task is None else self.to_bytes())

    def _load(self, source: str | Path) -> None:
        elmo = None if self.sharing is None else _elmo_of(self.sharing)
        task = load_task(source, elmo=elmo, device=get_torch_default_device() if elmo is None else None)
        if task.task.name != self.kind:
            raise ValueError(f"{source}: is a model for {task.task.name}, not for {self.kind}")
        self._task = task

    def _read(self, doc: Doc) -> tuple[TaskText, list[Token]]:
        """Return a doc as the model reads it, and its tokens without whitespace."""
        tokens = [token for token in doc if not token.is_space]
        if doc.has_annotation("SENT_START"):
            starts = [sentence.start_char for sentence in doc.sents]
        else:
            split = Document.split(doc.text, self.task.tokenizer)
            firsts = accumulate((len(words) for words in split.sentences), initial=0)
            starts = [split.spans[first][0] for first, _ in zip(firsts, split.sentences, strict=False)]
        by_sentence = groupby(tokens, key=lambda token: bisect_right(starts, token.idx))
        sentences = tuple(tuple(token.text for token in sentence) for _, sentence in by_sentence)
        spans = tuple((token.idx, token.idx + len(token)) for token in tokens)
        documents = (Document(doc.text, sentences, spans, tokenized=True),)
        return TaskText(documents, self.task.task.examples(documents, self.task.label_sets)), tokens


def _restore_component(
    cls: type[TaskComponent], name: str, settings: dict[str, Any], data: bytes | None
) -> TaskComponent:
    component = cls.__new__(cls)
    component.name = name
    component.__dict__.update(settings)
    return component if data is None else component.from_bytes(data)


def _elmo_of(component: "TaskComponent | ElmoComponent") -> Embedder:
    """Return the ELMo model of a component, which is loaded if need be."""
    if isinstance(component, ElmoComponent):
        embedder: Embedder = component.model.layers[0].shims[0].embedder
        return embedder
    if component.task.elmo is None:
        raise ValueError(f"the component {component.name} has no ELMo model that others can share")
    return component.task.elmo


def _component_named(nlp: Language, name: str | None) -> "TaskComponent | ElmoComponent | None":
    if name is None:
        return None
    component = nlp.get_pipe(name) if name in nlp.component_names else None
    if not isinstance(component, TaskComponent | ElmoComponent):
        raise ValueError(f"elmo: no component named {name!r} with an ELMo model is in the pipeline before this one")
    return component


class EntityComponent(TaskComponent):
    """Finds named entities: ``doc.ents``. Entities that are set already are kept."""

    kind = "ner"

    def __init__(
        self,
        name: str,
        task: str,
        sharing: "TaskComponent | ElmoComponent | None",
        scorer: Callable[..., dict[str, Any]] | None,
    ) -> None:
        super().__init__(name, task, sharing)
        self.scorer = scorer

    def annotate(self, doc: Doc, tokens: Sequence[Token], result: EntityResult) -> None:
        """Add the entities that do not overlap others."""
        taken = {token.i for entity in doc.ents for token in entity}
        found = [_span(doc, tokens, entity.words, entity.label) for entity in result]
        doc.ents = [*doc.ents, *(entity for entity in found if taken.isdisjoint(range(entity.start, entity.end)))]


class CorefComponent(TaskComponent):
    """Finds clusters of mentions: ``doc.spans``. Mentions without another are left out."""

    kind = "coref"

    def __init__(self, name: str, task: str, sharing: "TaskComponent | ElmoComponent | None", prefix: str) -> None:
        super().__init__(name, task, sharing)
        self.prefix = prefix

    def annotate(self, doc: Doc, tokens: Sequence[Token], result: CorefResult) -> None:
        """Store each cluster under a name of its own."""
        for name in [name for name in doc.spans if name.startswith(f"{self.prefix}_")]:
            del doc.spans[name]  # of an earlier call
        several = (cluster for cluster in result if len(cluster) > 1)
        for number, cluster in enumerate(several, 1):
            doc.spans[f"{self.prefix}_{number}"] = [_span(doc, tokens, mention.words) for mention in cluster]


def _span(doc: Doc, tokens: Sequence[Token], words: tuple[int, int], label: str = "") -> Span:
    return Span(doc, tokens[words[0]].i, tokens[words[1] - 1].i + 1, label)


@Language.factory(
    "elmo_ner",
    assigns=["doc.ents", "token.ent_iob", "token.ent_type"],
    default_config={"task": "ner", "elmo": None, "scorer": {"@scorers": "spacy.ner_scorer.v1"}},
    default_score_weights={"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": None},
)
def make_entities(
    nlp: Language, name: str, task: str, elmo: str | None, scorer: Callable[..., dict[str, Any]] | None
) -> EntityComponent:
    """Create the component for ``nlp.add_pipe("elmo_ner")``.

    Args:
        nlp: The pipeline.
        name: Name of the component.
        task: Name or folder of a task model for named entities, as for ``elmo.load_task``.
        elmo: Name of an earlier component whose ELMo model is used, instead of a copy of it.
        scorer: Evaluates docs, for ``nlp.evaluate``.
    """
    return EntityComponent(name, task, _component_named(nlp, elmo), scorer)


@Language.factory(
    "elmo_coref",
    assigns=["doc.spans"],
    default_config={"task": "coref", "elmo": None, "prefix": "coref_clusters"},
)
def make_coref(nlp: Language, name: str, task: str, elmo: str | None, prefix: str) -> CorefComponent:
    """Create the component for ``nlp.add_pipe("elmo_coref")``.

    Args:
        nlp: The pipeline.
        name: Name of the component.
        task: Name or folder of a task model for coreference, as for ``elmo.load_task``.
        elmo: Name of an earlier component whose ELMo model is used, instead of a copy of it.
        prefix: The clusters are ``doc.spans["PREFIX_1"]``, ``doc.spans["PREFIX_2"]`` and so on.
    """
    return CorefComponent(name, task, _component_named(nlp, elmo), prefix)
