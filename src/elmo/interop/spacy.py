"""ELMo in spaCy pipelines.

    nlp = spacy.blank("en")
    nlp.add_pipe("elmo")
    doc = nlp("The play was sold out.")
    doc.tensor             # (n, D), what components that listen to this one read
    doc._.elmo             # (L+1, n, D), all layers; token._.elmo and span._.elmo are parts of it

Two parts, both known to spaCy once this library is installed:

    "elmo.Tok2Vec.v1"      an architecture: what stands behind ``tok2vec`` in the model of a tagger, for example
    "elmo"                 a component with such a model, for one pass of ELMo that serves a whole pipeline

The biLM itself is not trained here; how much each of its layers counts is. It is saved with the pipeline, as
plain numbers and never as a pickle, so that a pipeline needs nothing but itself and this library.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np
from safetensors.torch import load as tensors_of
from safetensors.torch import save as bytes_of

from elmo.config import BiLMConfig
from elmo.embed.embedder import Embedder, load
from elmo.model.bilm import BiLM
from elmo.text.vocabulary import Vocabulary
from elmo.weights.locate import DEFAULT
from elmo.weights.strict import without_data

try:
    import srsly
    from spacy import registry
    from spacy.language import Language
    from spacy.pipeline.tok2vec import Tok2Vec
    from spacy.tokens import Doc, Span, Token
    from thinc.api import Model, Shim, chain, get_torch_default_device
    from thinc.types import Floats2d, Floats3d
except ImportError as error:
    raise ImportError("elmo.interop.spacy needs an extra: pip install 'elmo-torch[spacy]'") from error


@registry.architectures("elmo.Tok2Vec.v1")
def elmo_tok2vec(name: str = DEFAULT, layers: Literal["mix", "top"] | int = "mix") -> Model[list[Doc], list[Floats2d]]:
    """Docs to one vector a token, (n, D) each.

    ``name``: what ``elmo.load`` takes. The model is read when it is first needed, unless it came with the pipeline.
    ``layers``: "mix" learns how much each layer counts, and starts as their average; "top" or the number of one layer
    leaves nothing to learn.
    """
    if not (layers in ("mix", "top") or (isinstance(layers, int) and layers >= 0)):
        raise ValueError(f"layers must be mix, top or the number of a layer, not {layers!r}")
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
    """spaCy's own component for shared vectors, which also keeps all layers in ``doc._.elmo``."""

    def predict(self, docs: Iterable[Doc]) -> list[tuple[Floats3d, Floats2d]]:
        """All layers (L+1, n, D) and the vectors (n, D) of each doc."""
        all_layers, one_vector = self.model.layers
        layers = all_layers.predict(list(docs))
        return list(zip(layers, one_vector.predict(layers), strict=True))

    def set_annotations(self, docs: Sequence[Doc], predictions: Sequence[tuple[Floats3d, Floats2d]]) -> None:
        """Put them where other components and users find them."""
        for doc, (layers, vectors) in zip(docs, predictions, strict=True):
            doc.tensor = vectors
            doc._.elmo = layers


@Language.factory(
    "elmo",
    assigns=["doc.tensor", "doc._.elmo", "token._.elmo", "span._.elmo"],
    default_config={"model": {"@architectures": "elmo.Tok2Vec.v1", "name": DEFAULT, "layers": "mix"}},
)
def make_elmo(nlp: Language, name: str, model: Model[list[Doc], list[Floats2d]]) -> ElmoComponent:
    """The component behind ``nlp.add_pipe("elmo")``."""
    if not Doc.has_extension("elmo"):
        Doc.set_extension("elmo", default=None)
        Span.set_extension("elmo", getter=_layers_of_span)
        Token.set_extension("elmo", getter=_layers_of_token)
    return ElmoComponent(nlp.vocab, model, name)


def _layers_of_span(span: Span) -> Floats3d | None:
    """(L+1, n, D), or None for a doc that has not been through the component."""
    return None if span.doc._.elmo is None else span.doc._.elmo[:, span.start : span.end]


def _layers_of_token(token: Token) -> Floats2d | None:
    """(L+1, D), or None likewise."""
    return None if token.doc._.elmo is None else token.doc._.elmo[:, token.i]


class BiLMShim(Shim):
    """What holds the biLM in a thinc model: read by name when it is first needed, or from the bytes of a pipeline."""

    _model: Embedder | None

    def __init__(self, name: str) -> None:
        super().__init__(None)
        self.name = name

    @property
    def embedder(self) -> Embedder:
        """The model, on the device that spaCy uses."""
        if self._model is None:
            self._model = load(self.name, device=get_torch_default_device())
        return self._model

    def to_bytes(self) -> bytes:
        """The biLM, all of it."""
        bilm = self.embedder.bilm
        return srsly.msgpack_dumps(
            {
                "config": bilm.config.to_dict(),
                "vocabulary": None if bilm.vocabulary is None else list(bilm.vocabulary.words),
                "weights": bytes_of({name: tensor.cpu().contiguous() for name, tensor in bilm.state_dict().items()}),
            }
        )

    def from_bytes(self, data: bytes) -> "BiLMShim":
        """Take the biLM from the bytes of a pipeline; every weight must fit."""
        stored = srsly.msgpack_loads(data)
        words = stored["vocabulary"]
        with without_data():
            bilm = BiLM(BiLMConfig.from_dict(stored["config"]), None if words is None else Vocabulary(words))
        bilm.load_state_dict(tensors_of(stored["weights"]), strict=True, assign=True)
        self._model = Embedder(bilm.eval().to(get_torch_default_device()))
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as bytes too: what an ``Embedder`` prepares for its processor cannot travel."""
        return _rebuilt, (self.name, None if self._model is None else self.to_bytes())

    def to_device(self, device_type: str, device_id: int) -> None:
        """Move the biLM, if it is here already."""
        if self._model is not None:
            self._model.bilm.to("cpu" if device_type == "cpu" else f"{device_type}:{device_id}")

    def finish_update(self, optimizer: Any) -> None:
        """The biLM is not trained."""


def _rebuilt(name: str, data: bytes | None) -> BiLMShim:
    """The shim that ``__reduce__`` took apart."""
    shim = BiLMShim(name)
    return shim if data is None else shim.from_bytes(data)


def _embed(
    model: Model[list[Doc], list[Floats3d]], docs: list[Doc], is_train: bool
) -> tuple[list[Floats3d], Callable[[list[Floats3d]], list[Doc]]]:
    """All layers of each doc, (L+1, n, D).

    A doc whose sentences are known is read sentence by sentence, as ELMo was trained; any other as if it were one.
    Tokens of white space are left out of the reading, and their vectors are zero.
    """
    embedder = model.shims[0].embedder
    config = embedder.bilm.config
    results = [np.zeros((config.n_representations, len(doc), config.output_dim), np.float32) for doc in docs]
    readings = [
        (result, [token for token in sentence if not token.is_space])
        for result, doc in zip(results, docs, strict=True)
        for sentence in (doc.sents if doc.has_annotation("SENT_START") else [doc])
    ]
    embedded = embedder.embed([[token.text for token in tokens] for _, tokens in readings])
    for (result, tokens), sentence in zip(readings, embedded, strict=True):
        result[:, [token.i for token in tokens]] = sentence.layers
    return [model.ops.asarray3f(result) for result in results], lambda gradients: []


def _mix(
    model: Model[list[Floats3d], list[Floats2d]], docs: list[Floats3d], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Floats3d]]]:
    """``gamma * sum_j s_j h_j`` with ``s = softmax(w)``, from (L+1, n, D) to (n, D).

    The gradients stop here: nothing before the mixture is trained.
    """
    _init_mix(model, docs)
    xp = model.ops.xp
    weights, gamma = model.get_param("weights"), model.get_param("gamma")
    shares = xp.exp(weights - weights.max())
    shares /= shares.sum()
    mixed = [xp.tensordot(shares, layers, axes=1) for layers in docs]

    def backprop(gradients: list[Floats2d]) -> list[Floats3d]:
        for layers, mixture, gradient in zip(docs, mixed, gradients, strict=True):
            by_layer = gamma * (layers * gradient).sum((1, 2))  # dloss/ds_j, (L+1,)
            model.inc_grad("weights", shares * (by_layer - (shares * by_layer).sum()))
            model.inc_grad("gamma", (mixture * gradient).sum(keepdims=True).reshape(1))
        return []

    return [gamma * mixture for mixture in mixed], backprop


def _init_mix(model: Model[list[Floats3d], list[Floats2d]], X: list[Floats3d] | None = None, Y: object = None) -> None:
    """All layers alike, once their number is known."""
    if X and not model.has_param("weights"):
        model.set_param("weights", model.ops.alloc1f(X[0].shape[0]))
        model.set_param("gamma", model.ops.alloc1f(1) + 1)
        model.set_dim("nO", X[0].shape[2])


def _pick(
    model: Model[list[Floats3d], list[Floats2d]], docs: list[Floats3d], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Floats3d]]]:
    """One layer, from (L+1, n, D) to (n, D)."""
    layer = model.attrs["layer"]
    for layers in docs:
        if layer >= len(layers):
            raise ValueError(f"layers must be mix, top or a number from 0 to {len(layers) - 1}, not {layer}")
    return [layers[layer] for layers in docs], lambda gradients: []


def _init_pick(model: Model[list[Floats3d], list[Floats2d]], X: list[Floats3d] | None = None, Y: object = None) -> None:
    """The width, once it is known."""
    if X:
        model.set_dim("nO", X[0].shape[2])
