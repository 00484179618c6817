"""The application: its paths, and what answers there.

    app = create_app({"small": elmo.load("small")})
    uvicorn.run(app)

A request arrives with its body read and checked (``gate``); its text becomes words (``limits``), which wait in the
model's line (``batching``) while others are served. Nothing here computes for long: searches and large
answers go to other threads or out piece by piece.
"""

import asyncio
import base64
import contextlib
import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
from fastapi import APIRouter, FastAPI, Request, Response, Security
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic_core import to_json
from safetensors.numpy import save as to_safetensors
from starlette.exceptions import HTTPException

from elmo import __version__
from elmo.config import Tokenize
from elmo.embed.embedder import Embedder
from elmo.embed.select import EmbeddedSentence
from elmo.model.language_model import LanguageModel
from elmo.search.index import Index
from elmo.search.occurrences import find_word
from elmo.serve import schemas
from elmo.serve.batching import Batcher
from elmo.serve.errors import Refusal
from elmo.serve.limits import to_words
from elmo.serve.metrics import CONTENT_TYPE, Metrics
from elmo.serve.middleware import Gate
from elmo.serve.settings import ServeSettings
from elmo.train.gaps import GAP, guess_gaps, words_and_gaps

T = TypeVar("T")

BINARY: dict[str, Literal["npz", "safetensors"]] = {
    "application/x-npz": "npz",
    "application/x-safetensors": "safetensors",
}
"""Media types of answers in numbers, and the formats they stand for."""

LONG_TEXT = 10_000
"""Characters that are split in words within a few milliseconds."""

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.ErrorAnswer, "description": description}
    for status, description in {
        400: "Not JSON or not UTF-8, or the model cannot do this.",
        401: "The API key is missing or wrong.",
        404: "There is no such model, or nothing to search.",
        408: "The request came too slowly.",
        413: "Too large: the body, a sentence, or all together.",
        415: "Not sent as application/json.",
        422: "A field is missing, unknown or of the wrong type.",
        429: "Too many requests are waiting; see Retry-After.",
        503: "Shutting down, or not ready in time; see Retry-After.",
    }.items()
}

router = APIRouter(responses=_ERRORS)
status_router = APIRouter()


@dataclass(frozen=True)
class ServedModel:
    """A model, the line before it, and what else it can do."""

    name: str
    embedder: Embedder
    batcher: Batcher
    index: Index | None
    """Of a corpus, to find neighbours in."""
    language_model: LanguageModel | None
    """Where it can predict words."""

    @property
    def n_layers(self) -> int:
        """The words' own one counted."""
        return self.embedder.bilm.config.n_representations


@dataclass(frozen=True)
class Service:
    """What the paths of an application share; it is ``app.state.service``."""

    models: Mapping[str, ServedModel]
    """By name; the first is the default."""
    settings: ServeSettings
    metrics: Metrics

    def find(self, name: str | None) -> ServedModel:
        """The model of this name, or the default one."""
        if name is None:
            return next(iter(self.models.values()))
        if name not in self.models:
            raise Refusal(404, f"there is no such model; this server has {', '.join(self.models)}", "model")
        return self.models[name]


def create_app(
    models: Mapping[str, Embedder],
    settings: ServeSettings | None = None,
    indexes: Mapping[str, Index] | None = None,
    routers: Sequence[APIRouter] = (),
) -> FastAPI:
    """An application that serves models by their names, the first as the default one.

    ``indexes``: for models by name, the corpus that /neighbours searches. ``routers``: more paths; what they share with
    ours is the ``Service`` in ``request.app.state.service``. The models' threads run from the application's startup to
    its shutdown; nobody else may use the models in that time.
    """
    settings = settings or ServeSettings()
    indexes = indexes or {}
    if not models:
        raise ValueError("a server needs at least one model")
    for name, index in indexes.items():
        index.check(models[name])
    metrics = Metrics()
    served = {}
    for name, embedder in models.items():
        batcher = Batcher(name, embedder, settings, metrics)
        metrics.watch("elmo_queue_tokens", lambda batcher=batcher: batcher.waiting, model=name)  # type: ignore[misc]
        softmax = embedder.softmax
        language_model = None if softmax is None else LanguageModel(embedder.bilm, softmax).eval()
        served[name] = ServedModel(name, embedder, batcher, indexes.get(name), language_model)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        for model in served.values():
            model.batcher.start()
        yield
        for model in served.values():
            await asyncio.to_thread(model.batcher.close)

    app = FastAPI(
        title="ELMo",
        summary="Contextual word vectors from a bidirectional language model.",
        version=__version__,
        lifespan=lifespan,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.service = Service(served, settings, metrics)
    # For the documentation; the gate has checked the key before.
    locked = [Security(HTTPBearer(auto_error=False))] if settings.api_key else []
    app.include_router(status_router)
    for part in (router, *routers):
        app.include_router(part, dependencies=locked)
    app.add_exception_handler(RequestValidationError, _refuse_invalid)
    app.add_exception_handler(HTTPException, _refuse_http)
    routes = [route for part in (status_router, router, *routers) for route in part.routes]
    paths = {route.path for route in routes if isinstance(route, APIRoute)}
    app.add_middleware(Gate, settings=settings, metrics=metrics, paths=paths)
    if settings.cors:  # outside the gate, so that a page can read refusals, too
        app.add_middleware(CORSMiddleware, allow_origins=settings.cors, allow_methods=["*"], allow_headers=["*"])
    return app


@router.post("/v1/embeddings", response_model=schemas.EmbeddingsAnswer, summary="Sentence vectors, as OpenAI has them")
async def embeddings(body: schemas.EmbeddingsRequest, request: Request) -> Response:
    """The mean over the words of each text, in the average of the layers or in one of them."""
    service: Service = request.app.state.service
    model = service.find(body.model)
    _check_layer(model, body.layers, "layers")
    dimensions = model.embedder.bilm.config.output_dim
    if body.dimensions not in (None, dimensions):
        raise Refusal(400, f"the model's vectors have {dimensions} dimensions, no other number", "dimensions")
    texts = [body.input] if isinstance(body.input, str) else body.input
    words = await _words(service, texts, body.tokenize, "input")
    embedded = await _result(model.batcher.embed(words, body.layers, "mean"))
    data = []
    for index, sentence in enumerate(embedded):
        vector: list[float] | str = sentence.layers.tolist()  # (D,)
        if body.encoding_format == "base64":
            vector = base64.b64encode(sentence.layers.astype("<f4").tobytes()).decode()
        data.append({"object": "embedding", "index": index, "embedding": vector})
    count = sum(map(len, words))
    usage = {"prompt_tokens": count, "total_tokens": count}
    return _json({"object": "list", "data": data, "model": model.name, "usage": usage})


@router.get("/v1/models", response_model=schemas.ModelList, summary="Models that are served")
async def models(request: Request) -> schemas.ModelList:
    """The default one first."""
    service: Service = request.app.state.service
    return schemas.ModelList(
        data=[
            schemas.ModelCard(
                id=model.name,
                dimensions=model.embedder.bilm.config.output_dim,
                layers=model.n_layers,
                predicts=model.language_model is not None,
                neighbours=model.index is not None,
            )
            for model in service.models.values()
        ]
    )


@router.post(
    "/embed",
    response_model=schemas.EmbedAnswer,
    responses={200: {"content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in BINARY}}},
    summary="Vectors of words, by layer",
)
async def embed(body: schemas.EmbedRequest, request: Request) -> Response:
    """As `model.embed` in Python.

    Binary answers are files as `elmo embed` writes them: an array "0", "1", ... for each sentence, and the words as
    JSON in `tokens` (of safetensors, in the metadata).
    """
    service: Service = request.app.state.service
    model = service.find(body.model)
    _check_layer(model, body.layers, "layers")
    words = await _words(service, body.sentences, body.tokenize, "sentences")
    embedded = await _result(model.batcher.embed(words, body.layers, body.pool))
    format = body.format or _accepted(request.headers.get("accept", ""))
    if format == "json":
        return StreamingResponse(_json_pieces(model.name, embedded), media_type="application/json")
    kind = next(kind for kind, name in BINARY.items() if name == format)
    return Response(await asyncio.to_thread(_binary, embedded, format), media_type=kind)


@router.post("/neighbours", response_model=schemas.NeighboursAnswer, summary="The nearest uses of a word in a corpus")
async def neighbours(body: schemas.NeighboursRequest, request: Request) -> Response:
    """The uses of words in the server's corpus that are nearest to this use of a word, by cosine."""
    service: Service = request.app.state.service
    model = service.find(body.model)
    index = model.index
    if index is None:
        raise Refusal(
            404, f"the model {model.name!r} has no corpus to search; start the server with --corpus or --index"
        )
    _check_layer(model, body.layer, "layer")
    words = (await _words(service, [body.sentence], body.tokenize, "sentence"))[0]
    place = _place(words, body)
    embedded = (await _result(model.batcher.embed([words])))[0].layers[:, place]  # (L+1, D)
    options: dict[str, Any] = {"word": words[place] if body.same_word else None, "exclude_sentence": words}
    try:
        if body.mix is not None:
            found = await asyncio.to_thread(index.search_mix, embedded, body.mix, body.k, **options)
        else:
            vector = (
                embedded.mean(0) if body.layer == "average" else embedded[-1 if body.layer == "top" else body.layer]
            )
            found = await asyncio.to_thread(index.search, vector, body.layer, body.k, **options)
    except ValueError as error:
        raise Refusal(400, str(error)) from None
    near = [{"tokens": use.words, "index": use.position, "similarity": use.similarity} for use in found]
    return _json({"model": model.name, "tokens": words, "index": place, "neighbours": near})


@router.post("/predict", response_model=schemas.PredictAnswer, summary="Words for a gap")
async def predict(body: schemas.PredictRequest, request: Request) -> Response:
    """The likeliest words for each gap: by both sides, by what stands before it, and by what comes after."""
    service: Service = request.app.state.service
    model = service.find(body.model)
    language_model = model.language_model
    if language_model is None:
        raise Refusal(400, f"the model {model.name!r} has no softmax, so it cannot predict words", "model")
    if len(body.text) > service.settings.max_characters:
        raise Refusal(413, f"the text has more than {service.settings.max_characters} characters", "text")
    try:
        words = words_and_gaps(body.text)
    except ValueError as error:
        raise Refusal(400, str(error), "text") from None
    to_words([words], "whitespace", service.settings, "text")
    if words.count(GAP) > service.settings.max_gaps:
        raise Refusal(413, f"the text has more than {service.settings.max_gaps} gaps", "text")
    cost = words.count(GAP) * (len(words) + 2)
    found = await _result(model.batcher.call(lambda: guess_gaps(language_model, words, body.count), cost))
    gaps = [
        {
            "index": guesses.index,
            **{
                side: [{"word": word, "probability": probability} for word, probability in getattr(guesses, side)]
                for side in ("both", "before", "after")
            },
        }
        for guesses in found
    ]
    return _json({"model": model.name, "tokens": words, "gaps": gaps})


@status_router.get("/health", response_model=schemas.Health, summary="Whether the server is alive")
async def health(request: Request) -> schemas.Health:
    """Needs no API key."""
    return schemas.Health(models=list(request.app.state.service.models))


@router.get("/metrics", response_class=Response, summary="Counts and times for Prometheus")
async def metrics(request: Request) -> Response:
    """In the text format."""
    return Response(request.app.state.service.metrics.text(), media_type=CONTENT_TYPE)


async def _words(
    service: Service, sentences: Sequence[str | Sequence[str]], tokenize: Tokenize, param: str
) -> list[list[str]]:
    """``to_words``, in another thread where it may take so long that others would notice."""
    if sum(map(len, sentences)) > LONG_TEXT:
        return await asyncio.to_thread(to_words, sentences, tokenize, service.settings, param)
    return to_words(sentences, tokenize, service.settings, param)


async def _result(future: "Future[T]") -> T:
    """What the model's thread has computed."""
    try:
        return await asyncio.wrap_future(future)
    except ValueError as error:
        raise Refusal(400, str(error)) from None


def _check_layer(model: ServedModel, layer: str | int, param: str) -> None:
    if isinstance(layer, int) and layer >= model.n_layers:
        raise Refusal(400, f"the model has layers 0 to {model.n_layers - 1}, so there is no {layer}", param)


def _place(words: list[str], body: schemas.NeighboursRequest) -> int:
    """Which word of the sentence is meant."""
    if (body.word is None) == (body.index is None):
        raise Refusal(400, "give either a word of the sentence, or its index", "word")
    if body.index is None:
        try:
            return find_word(words, str(body.word))
        except ValueError as error:
            raise Refusal(400, str(error), "word") from None
    if body.index >= len(words):
        raise Refusal(400, f"the sentence has {len(words)} words, so there is no index {body.index}", "index")
    return body.index


def _accepted(accept: str) -> Literal["json", "npz", "safetensors"]:
    """The first kind of the header that we know; else JSON."""
    kinds = [kind.partition(";")[0].strip().lower() for kind in accept.split(",")]
    return next((BINARY.get(kind, "json") for kind in kinds if kind in (*BINARY, "application/json")), "json")


def _json(content: object) -> Response:
    return Response(to_json(content), media_type="application/json")


async def _json_pieces(model: str, embedded: list[EmbeddedSentence]) -> AsyncIterator[bytes]:
    """The answer sentence by sentence: as text, the numbers of a large one take much more room than in memory."""
    start = b'{"model":' + to_json(model) + b',"sentences":['
    for sentence in embedded:
        yield start + to_json({"tokens": sentence.tokens, "layers": sentence.layers.tolist()})
        start = b","
        await asyncio.sleep(0)  # others have their turn
    yield (b"" if embedded else start) + b"]}"


def _binary(embedded: list[EmbeddedSentence], format: Literal["npz", "safetensors"]) -> bytes:
    arrays = {str(number): sentence.layers for number, sentence in enumerate(embedded)}
    tokens = json.dumps([sentence.tokens for sentence in embedded])
    if format == "safetensors":
        return to_safetensors(arrays, metadata={"tokens": tokens})
    file = io.BytesIO()
    np.savez(file, tokens=np.array(tokens), **arrays)  # type: ignore[arg-type]
    return file.getvalue()


async def _refuse_invalid(request: Request, error: Exception) -> Response:
    """Pydantic's complaints about the first field that is wrong, in one line."""
    assert isinstance(error, RequestValidationError)
    problems = error.errors()
    if problems[0]["type"] == "json_invalid":
        reason = problems[0].get("ctx", {}).get("error", "")
        return _refused(Refusal(400, f"the body is not JSON ({reason} at character {problems[0]['loc'][-1]})"))
    field = problems[0]["loc"][1:2]  # behind "body"
    reasons = dict.fromkeys(problem["msg"] for problem in problems if problem["loc"][1:2] == field)
    param = str(field[0]) if field else None
    return _refused(Refusal(422, f"{param or 'the body'}: {'; or: '.join(reasons)}", param))


async def _refuse_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = {
        400: "the body is not JSON that this server can read",  # a number of 5,000 digits, say
        404: "there is nothing at this path",
        405: f"this path does not take {request.method}",
    }
    response = _refused(Refusal(error.status_code, known.get(error.status_code, str(error.detail))))
    response.headers.update(error.headers or {})
    return response


def _refused(refusal: Refusal) -> Response:
    return Response(refusal.body, refusal.status, {name.decode(): value.decode() for name, value in refusal.headers})
