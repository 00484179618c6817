"""The explorer page and the routes behind it: nearest neighbors of a word, a map of its occurrences, similarities.

The page itself is in ``static/``; its blanks are filled in by ``/predict``, and the results of tasks come from
``/v1/tasks/NAME``. The text to explore is embedded in the background while the page is already open, through the same
queue as all other requests, and searches cover what has been embedded so far. A task model is loaded when the page asks
for it first. The routes under ``/explore`` serve this page only; they are not part of the public API.
"""

import asyncio
import dataclasses
import mimetypes
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, FastAPI
from fastapi.staticfiles import StaticFiles
from pydantic import Field
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from elmo.search.live_index import LiveIndex, Measure, TypedWord, Vectors, mix_weights
from elmo.search.occurrences import normalize_word
from elmo.search.static_neighbors import StaticNeighbors
from elmo.search.vectors import cosines
from elmo.serve.batching import Batcher
from elmo.serve.errors import APIError
from elmo.serve.examples import Opening
from elmo.serve.schemas import StrictModel, TaskModelCard, Text
from elmo.serve.service import AppService, ServedTask, Service
from elmo.serve.settings import ServeSettings
from elmo.tasks.load import load_tasks
from elmo.text.alignment import spacing

STATIC = Path(__file__).parent / "static"
CHUNK_WORDS = 512
"""Number of words of the text embedded per request, so that other requests get their turn in between."""
CACHED_SENTENCES = 256
"""Number of sentences whose vectors are cached: moving a slider asks about the same sentence many times."""
STATIC_NEIGHBORS = 12
"""Number of neighbors shown for the word without context."""
MAX_CHARACTERS, MAX_SENTENCES, MAX_WORDS = 20_000, 40, 120
"""Limits on the text typed on the page: characters, sentences, and words per sentence."""
MAX_RAW_WEIGHT = 20
"""Limit on the raw weights of a mix; beyond it, the softmax hardly changes."""
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""The page loads nothing from other servers, and typed text can never run as a script."""

SentenceWords = Annotated[
    list[Annotated[Text, Field(min_length=1, max_length=1000)]], Field(min_length=1, max_length=MAX_WORDS)
]
RawWeights = list[Annotated[float, Field(ge=-MAX_RAW_WEIGHT, le=MAX_RAW_WEIGHT, allow_inf_nan=False)]]


class TypedText(StrictModel):
    """Text to split into sentences and words."""

    text: Text = Field(max_length=MAX_CHARACTERS)


class SelectedWord(StrictModel):
    """A word in its sentence."""

    words: SentenceWords
    position: int = Field(ge=0)


class LayerNeighborsRequest(SelectedWord):
    """Which neighbors to find."""

    measure: Measure = "cosine"
    same_word: bool = False
    k: int = Field(6, ge=1, le=50)


class MixNeighborsRequest(LayerNeighborsRequest):
    """A mix of layers to compare: the weights s_j are the softmax of ``raw``, one value per layer."""

    raw: RawWeights
    gamma: float = Field(1.0, ge=0, le=100, allow_inf_nan=False)


class MapRequest(SelectedWord):
    """The layer to draw, or the raw weights of a mix, and all sentences that were typed."""

    typed: list[SentenceWords] = Field([], max_length=MAX_SENTENCES)
    layer: Annotated[int, Field(ge=0)] | RawWeights


class SimilarityRequest(StrictModel):
    """Two sentences, and the raw weights of a mix."""

    first: SentenceWords
    second: SentenceWords
    raw: RawWeights


class Explorer:
    """Computes what the page shows about a model and a text.

    Args:
        batcher: The request queue of the model.
        index: The words of the text; the explorer adds their vectors.
        texts: Names of the texts, as shown on the page; none for a sample text.
        opening: What the page shows at first.
        static: Static word vectors to compare with.
        tasks: The name or folder of a task model, by the name of its task ("ner", for example).
    """

    def __init__(
        self,
        batcher: Batcher,
        index: LiveIndex,
        texts: Sequence[str],
        opening: Opening,
        static: StaticNeighbors | None = None,
        tasks: Mapping[str, str | Path] | None = None,
    ) -> None:
        self.batcher = batcher
        self.index = index
        self.texts = list(texts)
        self.opening = opening
        self.static = static
        self.tasks = dict(tasks or {})
        self.error: str | None = None
        """Why the text could not be embedded completely."""
        self._cache: OrderedDict[tuple[str, ...], Vectors] = OrderedDict()
        self._loading: dict[str, asyncio.Task[ServedTask]] = {}
        self._load_next = asyncio.Lock()

    @property
    def n_layers(self) -> int:
        """Number of layers, including the token layer."""
        return self.batcher.embedder.config.n_representations

    async def embed_text(self) -> None:
        """Embed all words of the text."""
        for chunk in self.index.pending(CHUNK_WORDS):
            try:
                embedded = await asyncio.wrap_future(self.batcher.embed(chunk))
            except Exception as error:
                if isinstance(error, APIError) and error.status == 429:  # requests of clients take precedence
                    await asyncio.sleep(0.5)
                    continue
                self.error = str(error)  # the page shows it, and what has been embedded so far
                return
            self.index.add(sentence.layers for sentence in embedded)

    async def layers(self, sentence: Sequence[str]) -> Vectors:
        """Return the layers of a sentence, (L, n, D)."""
        key = tuple(sentence)
        if key not in self._cache:
            try:
                self._cache[key] = (await asyncio.wrap_future(self.batcher.embed([sentence])))[0].layers
            except ValueError as error:
                raise APIError(400, str(error)) from None
        self._cache.move_to_end(key)
        while len(self._cache) > CACHED_SENTENCES:
            self._cache.popitem(last=False)
        return self._cache[key]

    async def word_layers(self, request: SelectedWord) -> Vectors:
        """Return the layers of the selected word, (L, D)."""
        if request.position >= len(request.words):
            message = f"there is no position {request.position}; the sentence has {len(request.words)} words"
            raise APIError(422, message, "position")
        return (await self.layers(request.words))[:, request.position]

    def weights(self, raw: Sequence[float]) -> Vectors:
        """Return the weights s_j of a mix, (L,)."""
        if len(raw) != self.n_layers:
            raise APIError(422, f"expected one raw weight for each of the {self.n_layers} layers", "raw")
        return mix_weights(raw)

    def status(self, settings: ServeSettings) -> dict[str, Any]:
        """Describe the model, the text, how much of it has been embedded, and the limits on what is typed."""
        embedder = self.batcher.embedder
        return {
            "model": self.batcher.name,
            "layers": self.n_layers,
            "dim": embedder.config.output_dim,
            "predicts": embedder.softmax is not None,
            "static": None if self.static is None else self.static.name,
            "texts": self.texts,
            "sentences": len(self.index.sentences),
            "truncated": self.index.truncated,
            "words": self.index.n_words,
            "embedded": self.index.n_embedded,
            "examples": [example._asdict() for example in self.opening.examples],
            "blank": self.opening.blank,
            "tasks": list(self.tasks),
            "limits": {
                "characters": MAX_CHARACTERS,
                "sentences": MAX_SENTENCES,
                "words": MAX_WORDS,
                "blanks": settings.max_blanks,
            },
            "error": self.error,
        }

    async def task(self, name: str, service: Service) -> ServedTask:
        """Return the model of a task, and load it if that has not been done yet.

        Raises:
            APIError: There is no model of this task (404), or it cannot be loaded (500).
        """
        if name not in self.tasks:
            raise APIError(404, f"no model of the task {name} is installed")
        if name in service.tasks:
            return service.tasks[name]
        if name not in self._loading:
            self._loading[name] = asyncio.create_task(self._load_task(name, service))
        try:
            # Loading continues if the client does not wait for it, and the next request gets the model.
            return await asyncio.shield(self._loading[name])
        except (ValueError, OSError) as error:
            raise APIError(500, str(error)) from None

    async def _load_task(self, name: str, service: Service) -> ServedTask:
        try:
            async with self._load_next:  # one after the other, so that they share their biLM
                shared = [model.embedder for model in service.models.values()]
                shared += [served.trained.elmo for served in service.tasks.values() if served.trained.elmo is not None]
                device = self.batcher.embedder.device
                [trained] = await asyncio.to_thread(load_tasks, [self.tasks[name]], elmo=shared, device=device)
                return service.add_task(name, trained)
        finally:
            del self._loading[name]  # after an error, the next request tries again

    def split(self, text: str) -> dict[str, Any]:
        """Split a text into sentences and words, and say why the model does not suit it, if so."""
        tokenizer = self.batcher.embedder.tokenizer()
        written = tokenizer.sentences(text)
        found = [tokenizer.words(sentence) for sentence in written]
        spaced = [spacing(sentence, words) for sentence, words in zip(written, found, strict=True)]
        mismatch = self.batcher.embedder.mismatch(found)
        return {
            "sentences": [sentence[:MAX_WORDS] for sentence in found[:MAX_SENTENCES]],
            "spaced": [sentence[:MAX_WORDS] for sentence in spaced[:MAX_SENTENCES]],
            "truncated": len(found) > MAX_SENTENCES or any(len(sentence) > MAX_WORDS for sentence in found),
            "mismatch": None if mismatch is None else dataclasses.asdict(mismatch),
        }

    def layer_neighbors(self, query: Vectors, request: LayerNeighborsRequest) -> dict[str, Any]:
        """Find the nearest neighbors in each layer, and those of the word without context."""
        word = request.words[request.position]
        return {
            "word": word,
            "occurrences": self.index.count(word),
            "layers": [self._search(query, self._single_layer(layer), request) for layer in range(self.n_layers)],
            "static": self._static_neighbors(query, word),
        }

    def mix_neighbors(self, query: Vectors, weights: Vectors, request: MixNeighborsRequest) -> dict[str, Any]:
        """Find the nearest neighbors in a mix of layers. Gamma scales dot products and norms, but not cosines."""
        scale = request.gamma**2 if request.measure == "dot" else 1.0
        return {
            "weights": weights.tolist(),
            "norm": float(request.gamma * np.linalg.norm(weights @ query)),
            "neighbors": self._search(query, weights, request, scale),
        }

    async def typed_words(self, request: MapRequest) -> list[TypedWord]:
        """Return the occurrences of the selected word in the typed sentences, starting with the selected one."""
        query = await self.word_layers(request)
        selected = tuple(request.words), request.position
        wanted = normalize_word(request.words[request.position])
        found = dict.fromkeys(
            (tuple(sentence), position)
            for sentence in [request.words, *request.typed]
            for position, word in enumerate(sentence)
            if normalize_word(word) == wanted
        )
        found.pop(selected)
        sentences = list(dict.fromkeys(sentence for sentence, _ in found))  # each once, however often it has the word
        layers = dict(zip(sentences, await asyncio.gather(*map(self.layers, sentences)), strict=True))
        others = [TypedWord(*place, layers[place[0]][:, place[1]]) for place in found]
        return [TypedWord(*selected, query), *others]

    def map(self, typed: Sequence[TypedWord], request: MapRequest) -> dict[str, Any]:
        """Project the occurrences of a word to two dimensions."""
        if isinstance(request.layer, int):
            if request.layer >= self.n_layers:
                raise APIError(422, f"the model has no layer {request.layer}", "layer")
            weights = self._single_layer(request.layer)
        else:
            weights = self.weights(request.layer)
        found = self.index.map(typed, weights)
        if found is None:
            return {"points": [], "clusters": [], "explained_variance": [0, 0], "total": 1}
        return {
            "points": [point._asdict() for point in found.points],
            "clusters": [cluster._asdict() for cluster in found.clusters],
            "explained_variance": found.explained_variance,
            "total": found.total,
        }

    def _single_layer(self, layer: int) -> Vectors:
        """Return the weights (L,) of a mix that consists of one layer."""
        return np.eye(self.n_layers, dtype=np.float32)[layer]

    def _search(
        self, query: Vectors, weights: Vectors, request: LayerNeighborsRequest, scale: float = 1.0
    ) -> list[dict[str, Any]]:
        found = self.index.search(
            query,
            weights,
            request.k,
            word=request.words[request.position] if request.same_word else None,
            measure=request.measure,
            distinct="sentence" if weights[1:].any() else "word",  # in the token layer, a word has a single vector
            exclude_sentence=request.words,
        )
        return [
            {
                "words": near.words,
                "spaced": self.index.spacing[near.words],
                "position": near.position,
                "similarity": scale * near.similarity,
                "occurrences": near.count,
            }
            for near in found
        ]

    def _static_neighbors(self, query: Vectors, word: str) -> dict[str, Any]:
        """Find the neighbors of a word without context: among static vectors, or else in the token layer."""
        if self.static is not None:
            known = word in self.static
            nearest = self.static.nearest(word, STATIC_NEIGHBORS) if known else []
            return {"source": self.static.name, "known": known, "words": nearest}
        found = self.index.search(query, self._single_layer(0), STATIC_NEIGHBORS + 1, distinct="word")
        pairs = [(near.words[near.position], near.similarity) for near in found]
        others = [pair for pair in pairs if pair[0] != word]
        return {"source": None, "known": True, "words": others[:STATIC_NEIGHBORS]}


def explorer_router(explorer: Explorer) -> APIRouter:
    """Return the routes of the page, under ``/explore``. The text is embedded while the server runs."""

    @asynccontextmanager
    async def embedding(_: Any) -> AsyncIterator[None]:
        task = asyncio.create_task(explorer.embed_text())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    router = APIRouter(prefix="/explore", lifespan=embedding, include_in_schema=False)

    @router.get("/status")
    async def status(service: AppService) -> dict[str, Any]:
        return explorer.status(service.settings)

    @router.post("/sentences")
    async def split(request: TypedText) -> dict[str, Any]:
        return await asyncio.to_thread(explorer.split, request.text)

    @router.post("/neighbors")
    async def layer_neighbors(request: LayerNeighborsRequest) -> dict[str, Any]:
        return await asyncio.to_thread(explorer.layer_neighbors, await explorer.word_layers(request), request)

    @router.post("/mix")
    async def mix_neighbors(request: MixNeighborsRequest) -> dict[str, Any]:
        weights = explorer.weights(request.raw)
        return await asyncio.to_thread(explorer.mix_neighbors, await explorer.word_layers(request), weights, request)

    @router.post("/map")
    async def word_map(request: MapRequest) -> dict[str, Any]:
        return await asyncio.to_thread(explorer.map, await explorer.typed_words(request), request)

    @router.post("/tasks/{name}")
    async def task(name: str, service: AppService) -> TaskModelCard:
        """Load the model of a task, and describe it. From then on, ``/v1/tasks/NAME`` has its results."""
        return (await explorer.task(name, service)).card()

    @router.post("/similarity")
    async def similarity(request: SimilarityRequest) -> dict[str, Any]:
        """Return the cosines of all pairs of words of two sentences, in each layer and in the mix."""
        weights = explorer.weights(request.raw)
        first, second = [await explorer.layers(sentence) for sentence in (request.first, request.second)]
        by_layer = [cosines(one, other).tolist() for one, other in zip(first, second, strict=True)]
        mixed = cosines(np.tensordot(weights, first, 1), np.tensordot(weights, second, 1)).tolist()
        return {"layers": by_layer, "mix": mixed}

    return router


class _PageFiles(StaticFiles):
    """The files of the page, sent with its security headers and always whole."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Without Range: the files are small, and Starlette reports an invalid range in another format than our errors.
        headers = [(name, value) for name, value in scope["headers"] if name not in (b"range", b"if-range")]
        await super().__call__({**scope, "headers": headers}, receive, send)

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        response = super().file_response(*arguments, **options)
        response.headers.update(HEADERS)
        return response


def page_paths() -> tuple[str, ...]:
    """Return the paths of the page and its files. They contain nothing of the text, so they do not require a token."""
    return ("/", *(f"/{file.name}" for file in STATIC.iterdir()))


def add_explorer(app: FastAPI, explorer: Explorer) -> None:
    """Add the explorer page to an application, at ``/``; all other routes take precedence."""
    mimetypes.add_type("text/javascript", ".js")  # some systems map it to text/plain, which browsers do not execute
    app.include_router(explorer_router(explorer))
    app.mount("/", _PageFiles(directory=STATIC, html=True), name="page")
