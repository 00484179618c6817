"""ELMo in spaCy pipelines.

    nlp = spacy.blank("en")
    nlp.add_pipe("elmo")
    doc = nlp("The play was sold out.")
    doc.tensor             # (n, D), the vectors that listening components read
    doc._.elmo             # (L+1, n, D), all layers; token._.elmo and span._.elmo are slices of it

Installing the library registers two things with spaCy:

    "elmo.Tok2Vec.v1"      an architecture, for example for the ``tok2vec`` of a tagger
    "elmo"                 a component with such a model, which runs ELMo once for the whole pipeline

The biLM is frozen; the weights of its layers are trained. The biLM is saved with the pipeline, without pickle, so a
saved pipeline needs only this library.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
from safetensors.torch import load as tensors_of
from safetensors.torch import save as bytes_of

from elmo.config import BiLMConfig
from elmo.embed.embedder import Embedder, load
from elmo.model.bilm import BiLM
from elmo.model.token_layers import read_vocabulary
from elmo.text.vocabulary import Vocabulary
from elmo.validation import checked_layers
from elmo.weights.locate import DEFAULT
from elmo.weights.strict import check_tensors, shapes_of, without_data

try:
    import srsly
    from spacy import registry
    from spacy.language import Language
    from spacy.pipeline.tok2vec import Tok2Vec
    from spacy.tokens import Doc, Span, Token
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
        bilm = self.embedder.bilm
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
        self._model = Embedder(bilm.eval().to(get_torch_default_device()))
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
