"""What the explorer's page asks for: the uses of a text that are nearest to a word, a map of them, and similarities.

The page lies in ``static/``; gaps are filled by the server's own ``/predict``. The text is read while the page is
already open, piece by piece, in the same line as all other work of the model, and what has been read is searched.
"""

import asyncio
import mimetypes
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, FastAPI
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from elmo.search.live_index import LiveIndex, Measure, Vectors, mix_weights
from elmo.search.static_neighbors import StaticNeighbors
from elmo.search.vectors import cosines
from elmo.serve.batching import Batcher
from elmo.serve.errors import Refusal
from elmo.text.tokens import sentences, words

STATIC = Path(__file__).parent / "static"
SAMPLE = Path(__file__).parent / "sample.txt"
"""A text to begin with: short sentences, written for this page, with words that mean several things."""
WORDS_AT_ONCE = 512
"""Of the text, between which other requests get their turn."""
SENTENCES_KEPT = 256
"""Sentences whose vectors are kept: a slider asks about the same one again and again."""
MAX_CHARACTERS, MAX_SENTENCES, MAX_WORDS = 20_000, 40, 120
"""Of what is typed."""
RAW_LIMIT = 20
"""Raw weights beyond this change nothing that could be seen."""
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""The page needs nothing from elsewhere, and nothing that is typed could become a script."""


class _Request(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


Sentence = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=1000)]], Field(min_length=1, max_length=MAX_WORDS)
]
Raw = list[Annotated[float, Field(ge=-RAW_LIMIT, le=RAW_LIMIT, allow_inf_nan=False)]]


class TypedText(_Request):
    """Text to cut in sentences and words."""

    text: str = Field(max_length=MAX_CHARACTERS)


class ChosenWord(_Request):
    """A word in its sentence."""

    words: Sentence
    position: int = Field(ge=0)


class NearestRequest(ChosenWord):
    """Which uses to look for."""

    measure: Measure = "cosine"
    same_word: bool = False
    k: int = Field(6, ge=1, le=50)


class MixedRequest(NearestRequest):
    """By which mix of the layers."""

    raw: Raw = Field(description="One a layer; their softmax is s_j.")
    gamma: float = Field(1.0, ge=0, le=100, allow_inf_nan=False)


class MapRequest(ChosenWord):
    """Which layer to draw, or which mix."""

    by: Annotated[int, Field(ge=0)] | Raw = Field(description="The number of a layer, or raw weights of a mix.")


class SimilarityRequest(_Request):
    """Two sentences, and raw weights of the layers."""

    first: Sentence
    second: Sentence
    raw: Raw


class Explorer:
    """A model with its line of work, a text, and what the page wants to know of both."""

    def __init__(self, line: Batcher, uses: LiveIndex, text_name: str, static: StaticNeighbors | None = None) -> None:
        self.line = line
        self.uses = uses
        self.text_name = text_name
        self.static = static
        self.problem: str | None = None
        self._kept: OrderedDict[tuple[str, ...], Vectors] = OrderedDict()

    @property
    def n_layers(self) -> int:
        """Of the model, the words included."""
        return self.line.embedder.bilm.config.n_representations

    async def read(self) -> None:
        """Give all words of the text their vectors."""
        for piece in self.uses.pending(WORDS_AT_ONCE):
            try:
                embedded = await asyncio.wrap_future(self.line.embed(piece))
            except Refusal:  # the line is full: those who wait for an answer come first
                await asyncio.sleep(0.5)
            except Exception as error:  # the page shows it, and what has been read
                self.problem = f"The text could not be read to its end: {error}"
                return
            else:
                self.uses.add(sentence.layers for sentence in embedded)

    async def layers(self, sentence: Sequence[str]) -> Vectors:
        """The vectors of a sentence that was typed, (L, n, D)."""
        key = tuple(sentence)
        if key not in self._kept:
            try:
                self._kept[key] = (await asyncio.wrap_future(self.line.embed([sentence])))[0].layers
            except ValueError as error:
                raise Refusal(400, str(error)) from None
        self._kept.move_to_end(key)
        while len(self._kept) > SENTENCES_KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]

    async def word_layers(self, request: ChosenWord) -> Vectors:
        """The vectors of the word that is asked about, (L, D)."""
        if request.position >= len(request.words):
            raise Refusal(
                422, f"the sentence has {len(request.words)} words, so none at {request.position}", "position"
            )
        return (await self.layers(request.words))[:, request.position]

    def weights(self, raw: Sequence[float]) -> Vectors:
        """The weights s_j, (L,)."""
        if len(raw) != self.n_layers:
            raise Refusal(422, f"the model has {self.n_layers} layers, so it needs as many raw weights", "raw")
        return mix_weights(raw)

    def status(self) -> dict[str, Any]:
        """What there is, and how far the text has been read."""
        embedder = self.line.embedder
        return {
            "model": self.line.name,
            "layers": self.n_layers,
            "dim": embedder.bilm.config.output_dim,
            "predicts": embedder.softmax is not None and embedder.bilm.vocabulary is not None,
            "static": None if self.static is None else self.static.name,
            "text": self.text_name,
            "sentences": len(self.uses.sentences),
            "cut": self.uses.truncated,
            "words": self.uses.n_words,
            "done": self.uses.n_embedded,
            "problem": self.problem,
        }

    def nearest(self, query: Vectors, request: NearestRequest) -> dict[str, Any]:
        """The nearest uses by each layer; the first has no context, so each word comes once."""
        word = request.words[request.position]
        return {
            "word": word,
            "uses": self.uses.count(word),
            "layers": [self._search(query, self._only(layer), request) for layer in range(self.n_layers)],
            "static": self._static(query, word),
        }

    def mixed(self, query: Vectors, weights: Vectors, request: MixedRequest) -> dict[str, Any]:
        """The nearest uses by a mix. Its factor gamma is in the products and the length, and cannot be in a cosine."""
        scale = request.gamma**2 if request.measure == "dot" else 1.0
        return {
            "weights": weights.tolist(),
            "length": float(request.gamma * np.linalg.norm(weights @ query)),
            "uses": self._search(query, weights, request, scale),
        }

    def _only(self, layer: int) -> Vectors:
        """The weights (L,) of a mix that has only one layer."""
        return np.eye(self.n_layers, dtype=np.float32)[layer]

    def _search(self, query: Vectors, by: Vectors, request: NearestRequest, scale: float = 1.0) -> list[dict[str, Any]]:
        """The nearest uses, as the page wants them."""
        found = self.uses.search(
            query,
            by,
            request.k,
            word=request.words[request.position] if request.same_word else None,
            measure=request.measure,
            distinct="sentence" if by[1:].any() else "word",  # the token layer has no context
            exclude_sentence=request.words,
        )
        return [
            {
                "words": use.words,
                "position": use.position,
                "similarity": scale * use.similarity,
                "alike": use.count,
            }
            for use in found
        ]

    def _static(self, query: Vectors, word: str) -> dict[str, Any]:
        """The word's neighbours without context: by static vectors, else by the first layer among the text's words."""
        count = 12
        if self.static is not None:
            known = word in self.static
            near = self.static.nearest(word, count) if known else []
            return {"source": self.static.name, "known": known, "words": near}
        found = self.uses.search(query, self._only(0), count + 1, distinct="word")
        named = [(use.words[use.position], use.similarity) for use in found]
        return {"source": None, "known": True, "words": [pair for pair in named if pair[0] != word][:count]}

    def map(self, query: Vectors, request: MapRequest) -> dict[str, Any]:
        """The uses of a word on a plane."""
        if isinstance(request.by, int):
            if request.by >= self.n_layers:
                raise Refusal(422, f"the model has no layer {request.by}", "by")
            weights = self._only(request.by)
        else:
            weights = self.weights(request.by)
        found = self.uses.map(query, weights, request.words, request.position)
        if found is None:
            return {"points": [], "shares": [0, 0], "total": 1}
        points = [
            {"words": p.words, "position": p.position, "x": p.x, "y": p.y, "similarity": p.similarity}
            for p in found.points
        ]
        return {"points": points, "shares": found.explained_variance, "total": found.total}


def explore_router(explorer: Explorer) -> APIRouter:
    """The page's addresses, all under ``/explore``. The text is read while the server runs."""

    @asynccontextmanager
    async def reading(_: Any) -> AsyncIterator[None]:
        task = asyncio.create_task(explorer.read())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    router = APIRouter(prefix="/explore", tags=["explore"], lifespan=reading)

    @router.get("/status")
    async def status() -> dict[str, Any]:
        """What there is to explore, and how far the text has been read."""
        return explorer.status()

    @router.post("/sentences")
    async def cut(request: TypedText) -> dict[str, Any]:
        """Cut raw text in sentences and words; what is too much is left out, and said."""
        found = [words(sentence) for sentence in sentences(request.text)]
        return {
            "sentences": [sentence[:MAX_WORDS] for sentence in found[:MAX_SENTENCES]],
            "cut": len(found) > MAX_SENTENCES or any(len(sentence) > MAX_WORDS for sentence in found),
        }

    @router.post("/nearest")
    async def nearest(request: NearestRequest) -> dict[str, Any]:
        """The uses nearest to a word in its sentence, by each layer; and its neighbours without context."""
        return await _apart(explorer.nearest, await explorer.word_layers(request), request)

    @router.post("/mixed")
    async def mixed(request: MixedRequest) -> dict[str, Any]:
        """The uses nearest to a word in its sentence, by a mix of the layers."""
        weights = explorer.weights(request.raw)
        return await _apart(explorer.mixed, await explorer.word_layers(request), weights, request)

    @router.post("/map")
    async def word_map(request: MapRequest) -> dict[str, Any]:
        """All uses of a word on a plane; the first is the one that was asked about."""
        return await _apart(explorer.map, await explorer.word_layers(request), request)

    @router.post("/similarity")
    async def similarity(request: SimilarityRequest) -> dict[str, Any]:
        """The cosines of all words of one sentence with all of another: by each layer, then by the mix."""
        weights = explorer.weights(request.raw)
        first, second = [await explorer.layers(sentence) for sentence in (request.first, request.second)]
        by_layer = [cosines(one, other).tolist() for one, other in zip(first, second, strict=True)]
        mixed = cosines(np.tensordot(weights, first, 1), np.tensordot(weights, second, 1)).tolist()
        return {"layers": by_layer, "mix": mixed}

    return router


async def _apart(function: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """A search in a thread, so that the server goes on meanwhile."""
    return await asyncio.to_thread(function, *arguments)


class _Page(StaticFiles):
    """The files of the page, which allow nothing from elsewhere."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        response = super().file_response(*arguments, **options)
        response.headers.update(HEADERS)
        return response


def add_explorer(app: FastAPI, explorer: Explorer) -> None:
    """Put the page at ``/`` of a server, after everything else that the server has."""
    mimetypes.add_type("text/javascript", ".js")  # some systems think otherwise, and browsers then refuse it
    app.include_router(explore_router(explorer))
    app.mount("/", _Page(directory=STATIC, html=True), name="page")
