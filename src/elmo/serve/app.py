"""The FastAPI application and its routes.

    app = create_app({"small": elmo.load("small")}, tasks={"ner": elmo.load_task("ner")})
    uvicorn.run(app)

``RequestGuard`` has read and checked the body when a route is called. The route splits the text into words and queues
them for the model (``Batcher``). Routes never compute in the event loop for long: searches run in other threads, and
large responses are sent in pieces.
"""

import asyncio
import base64
import contextlib
import io
import itertools
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Literal, ParamSpec, TypeVar

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
from elmo.embed.embedder import Embedder
from elmo.embed.select import EmbeddedSentence
from elmo.model.language_model import LanguageModel
from elmo.search.index import Index
from elmo.search.occurrences import find_word
from elmo.serve import schemas
from elmo.serve.batching import Batcher, BatchWorker
from elmo.serve.errors import APIError
from elmo.serve.metrics import CONTENT_TYPE, Metrics
from elmo.serve.middleware import RequestGuard
from elmo.serve.reference import HEADERS, reference_page
from elmo.serve.service import ServedModel, Service
from elmo.serve.settings import ServeSettings
from elmo.tasks.trained import TaskText, TrainedTask
from elmo.train.cloze import BLANK, BlankPredictions, predict_blanks, tokenize_with_blanks

P = ParamSpec("P")
T = TypeVar("T")

BINARY_FORMATS: dict[str, Literal["npz", "safetensors"]] = {
    "application/x-npz": "npz",
    "application/x-safetensors": "safetensors",
}
"""Media types of binary responses, and their formats."""

LONG_TEXT = 10_000
"""Number of characters above which text is tokenized in another thread; fewer take only a few milliseconds."""

_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.ErrorResponse, "description": description}
    for status, description in {
        400: "The body is not valid JSON or not UTF-8, or the model does not support the request.",
        401: "The API key is missing or wrong.",
        403: "The server does not answer to this host name, or web pages of this origin may not call it.",
        404: "The model or task does not exist, or there is no corpus to search.",
        408: "The client sent the request too slowly.",
        413: "The body, a text, or the number of texts is too large.",
        415: "The `Content-Type` is not `application/json`.",
        422: "A field is missing, unknown or of the wrong type.",
        429: "Too many requests are waiting. Retry after the seconds in `Retry-After`.",
        503: "The server is shutting down, or the response took too long. Retry after the seconds in `Retry-After`.",
    }.items()
}

router = APIRouter(responses=_ERRORS)
health_router = APIRouter()


def create_app(
    models: Mapping[str, Embedder],
    settings: ServeSettings | None = None,
    indexes: Mapping[str, Index] | None = None,
    routers: Sequence[APIRouter] = (),
    tasks: Mapping[str, TrainedTask] | None = None,
) -> FastAPI:
    """Create an application that serves models.

    The worker threads of the models run from the startup of the application to its shutdown. Nothing else may use the
    models during that time. Task models that share the biLM of a model, or of each other, also share its thread.

    Args:
        models: Models by name; the first is the default.
        settings: Limits, timeouts and batching options.
        indexes: For some of the models, by name, the corpus that ``/neighbors`` searches.
        routers: Additional routes; they find the models in ``request.app.state.service``, a ``Service``.
        tasks: Trained task models by name; ``elmo.tasks.load.load_tasks`` loads several that share their biLM.

    Returns:
        The FastAPI application.

    Raises:
        ValueError: There is no model, an index was built with another model, or the package of a model's tokenizer is
            not installed.
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
        embedder.tokenizer().words("")  # complains now if the tokenizer needs a package that is not installed
        batcher = Batcher(name, embedder, settings, metrics)
        softmax = embedder.softmax
        language_model = None if softmax is None else LanguageModel(embedder.bilm_to_read, softmax)
        served[name] = ServedModel(name, embedder, batcher, indexes.get(name), language_model)
    workers: dict[int, BatchWorker] = {id(model.embedder): model.batcher for model in served.values()}
    service = Service(served, {}, settings, metrics, workers)
    for name, trained in (tasks or {}).items():
        service.add_task(name, trained, start=False)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        for worker in workers.values():
            worker.start()
        yield
        for worker in list(workers.values()):  # the explorer may add one while these end
            await asyncio.to_thread(worker.close)

    app = FastAPI(
        title="ELMo",
        summary="Contextual word vectors from a bidirectional language model.",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,  # it would load scripts from another server; ``reference`` is our own page
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.service = service
    # This only documents the API key; RequestGuard checks it.
    security = [Security(HTTPBearer(auto_error=False))] if settings.api_key else []
    app.include_router(health_router)
    for part in (router, *routers):
        app.include_router(part, dependencies=security)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_exception_handler(HTTPException, _on_http_exception)
    routes = [route for part in (health_router, router, *routers) for route in part.routes]
    paths = {route.path for route in routes if isinstance(route, APIRoute)}
    paths |= {f"/v1/tasks/{name}" for name in service.tasks}
    app.add_middleware(RequestGuard, settings=settings, metrics=metrics, paths=paths)
    if settings.cors:  # added last, so it is outermost and web pages can read the errors of RequestGuard
        app.add_middleware(CORSMiddleware, allow_origins=settings.cors, allow_methods=["*"], allow_headers=["*"])
    return app


@router.post(
    "/v1/embeddings",
    response_model=schemas.EmbeddingsResponse,
    summary="Sentence vectors (OpenAI-compatible)",
    response_description="One embedding per text.",
)
async def embeddings(body: schemas.EmbeddingsRequest, request: Request) -> Response:
    """Embed each text as one vector: the mean over its words.

    Clients written for the OpenAI embeddings API work unchanged with `base_url="http://HOST:PORT/v1"`.
    """
    service: Service = request.app.state.service
    model = service.find_model(body.model)
    _check_layer(model, body.layers, "layers")
    dimensions = model.embedder.config.output_dim
    if body.dimensions not in (None, dimensions):
        raise APIError(
            400, f"the vectors of this model have {dimensions} dimensions; others are not supported", "dimensions"
        )
    texts = [body.input] if isinstance(body.input, str) else body.input
    sentences = await _tokenize(service, texts, model.embedder.tokenizer(body.tokenize).words, "input")
    embedded = await _result(model.batcher.embed(sentences, body.layers, "mean"))
    data = []
    for index, sentence in enumerate(embedded):
        vector: list[float] | str = sentence.layers.tolist()  # (D,)
        if body.encoding_format == "base64":
            vector = base64.b64encode(sentence.layers.astype("<f4").tobytes()).decode()
        data.append({"object": "embedding", "index": index, "embedding": vector})
    count = sum(map(len, sentences))
    usage = {"prompt_tokens": count, "total_tokens": count}
    return _json({"object": "list", "data": data, "model": model.name, "usage": usage})


@router.get(
    "/v1/models", response_model=schemas.ModelList, summary="List the models", response_description="All models."
)
async def models(request: Request) -> Response:
    """List the models on this server and what each supports. The first is the default."""
    service: Service = request.app.state.service
    cards = [
        schemas.ModelCard(
            id=model.name,
            dimensions=model.embedder.config.output_dim,
            layers=model.n_layers,
            predicts=model.language_model is not None,
            neighbors=model.index is not None,
        )
        for model in service.models.values()
    ]
    # Clients of earlier versions read the old spelling.
    return _json({"object": "list", "data": [{**card.model_dump(), "neighbours": card.neighbors} for card in cards]})


@router.post(
    "/embed",
    response_model=schemas.EmbedResponse,
    responses={200: {"content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in BINARY_FORMATS}}},
    summary="Word vectors by layer",
    response_description="The words of each sentence and their vectors.",
)
async def embed(body: schemas.EmbedRequest, request: Request) -> Response:
    """Embed every word of each sentence, like `model.embed` in Python.

    A binary response (`npz` or `safetensors`) has the same content as a file written by `elmo embed`: one array per
    sentence, named "0", "1", ..., and the words as JSON in `tokens` (for `safetensors`, in the metadata). With `pool`,
    there is one array `vectors` with a row for each sentence instead.
    """
    service: Service = request.app.state.service
    model = service.find_model(body.model)
    _check_layer(model, body.layers, "layers")
    sentences = await _tokenize(service, body.sentences, model.embedder.tokenizer(body.tokenize).words, "sentences")
    embedded = await _result(model.batcher.embed(sentences, body.layers, body.pool))
    format = body.format or _accepted_format(request.headers.get("accept", ""))
    if format == "json":
        return StreamingResponse(_stream_json(model.name, embedded), media_type="application/json")
    media_type = next(media_type for media_type, name in BINARY_FORMATS.items() if name == format)
    content = await asyncio.to_thread(_to_binary, embedded, format, pooled=body.pool is not None)
    return Response(content, media_type=media_type)


@router.post(
    "/neighbors",
    response_model=schemas.NeighborsResponse,
    summary="Nearest neighbors of a word in context",
    response_description="The nearest occurrences.",
)
@router.post("/neighbours", include_in_schema=False)
async def neighbors(body: schemas.NeighborsRequest, request: Request) -> Response:
    """Find the word occurrences in the corpus whose vectors are nearest to a word in its sentence.

    The server must have been started with `--corpus` or `--index`. Similarities of different layers are not comparable.
    """
    service: Service = request.app.state.service
    model = service.find_model(body.model)
    index = model.index
    if index is None:
        raise APIError(
            404, f"the model {model.name!r} has no corpus to search; start the server with --corpus or --index"
        )
    _check_layer(model, body.layer, "layer")
    words = (await _tokenize(service, [body.sentence], model.embedder.tokenizer(body.tokenize).words, "sentence"))[0]
    position = _find_position(words, body)
    embedded = (await _result(model.batcher.embed([words], "all" if body.mix is not None else body.layer)))[0].layers
    options: dict[str, Any] = {"word": words[position] if body.same_word else None, "exclude_sentence": words}
    try:
        if body.mix is not None:
            layers = embedded[:, position]  # (L+1, D)
            found = await asyncio.to_thread(index.search_mix, layers, body.mix, body.count, **options)
        else:
            found = await asyncio.to_thread(index.search, embedded[position], body.layer, body.count, **options)
    except ValueError as error:
        raise APIError(400, str(error)) from None
    nearest = [near.to_dict() for near in found]
    spelling = "neighbours" if request.url.path.endswith("/neighbours") else "neighbors"
    return _json({"model": model.name, "tokens": words, "index": position, spelling: nearest})


@router.post(
    "/predict",
    response_model=schemas.PredictResponse,
    summary="Predict missing words",
    response_description="The most probable words for each blank.",
)
async def predict(body: schemas.PredictRequest, request: Request) -> Response:
    """Predict the most probable words for each blank, from its left context, its right context, and both.

    This requires a model with a softmax; `/v1/models` lists it as `predicts`.
    """
    service: Service = request.app.state.service
    model = service.find_model(body.model)
    language_model = model.language_model
    if language_model is None:
        raise APIError(400, f"the model {model.name!r} has no softmax, so it cannot predict words", "model")
    if len(body.sentence) > service.settings.max_characters:
        raise APIError(413, f"the sentence has more than {service.settings.max_characters} characters", "sentence")
    try:
        words = tokenize_with_blanks(body.sentence, model.embedder.tokenizer().words)
    except ValueError as error:
        raise APIError(400, str(error), "sentence") from None
    _split_words([words], str.split, service.settings, "sentence")  # checks the limits
    if words.count(BLANK) > service.settings.max_blanks:
        raise APIError(413, f"the sentence has more than {service.settings.max_blanks} blanks", "sentence")
    cost = words.count(BLANK) * (len(words) + 2)

    def compute(sentences: list[list[str]]) -> list[list[BlankPredictions]]:
        return [predict_blanks(language_model, sentence, body.count) for sentence in sentences]

    [found] = await _result(model.batcher.submit([words], [cost], compute, ("predict", body.count)))
    return _json({"model": model.name, "tokens": words, "gaps": [blank.to_dict() for blank in found]})


@router.get(
    "/v1/tasks",
    response_model=schemas.TaskList,
    summary="List the task models",
    response_description="All task models.",
)
async def tasks(request: Request) -> schemas.TaskList:
    """List the task models on this server: what each was trained on, its scores, and what it learned about the layers.

    The list is empty unless the server was started with `--task`.
    """
    service: Service = request.app.state.service
    return schemas.TaskList(data=[served.card() for served in service.tasks.values()])


@router.post(
    "/v1/tasks/{name}",
    response_model=schemas.TaskResponse,
    summary="Apply a task model to text",
    response_description="One result per input.",
)
async def task(name: str, body: schemas.TaskRequest, request: Request) -> Response:
    """Find named entities, semantic roles, coreference, answers, entailment or sentiment in texts.

    The results are those of `elmo.load_task(NAME)` in Python: `ner` finds `entities`; `srl` finds `frames`, each a
    `predicate` with `arguments`; `coref` finds `clusters` of mentions; `squad` finds the `best` answers; `snli` and
    `sst` return `probabilities` of labels. Texts are split into sentences and words here.
    """
    service: Service = request.app.state.service
    served = service.find_task(name)
    texts = await _aside(_count_characters(body), _read_inputs, served.trained, body, service.settings)
    details = await _result(served.submit(texts))
    ends = itertools.accumulate((len(text.examples) for text in texts), initial=0)
    results = [(text, details[start:end]) for text, (start, end) in zip(texts, itertools.pairwise(ends), strict=True)]
    records = await _aside(_count_characters(body), _to_records, served.trained, results)
    return _json({"task": name, "results": records})


@health_router.get(
    "/health", response_model=schemas.Health, summary="Health check", response_description="The server is running."
)
async def health(request: Request) -> schemas.Health:
    """Check that the server is running. No API key is required."""
    return schemas.Health(models=list(request.app.state.service.models))


@router.get(
    "/metrics",
    response_class=Response,
    summary="Prometheus metrics",
    response_description="Metrics in the Prometheus text format.",
)
async def metrics(request: Request) -> Response:
    """Return request counts, latencies, batch sizes and queue lengths for Prometheus."""
    return Response(request.app.state.service.metrics.render(), media_type=CONTENT_TYPE)


@health_router.get("/docs", include_in_schema=False)
async def reference(request: Request) -> Response:
    """Show the routes in a browser. No API key is required."""
    page = reference_page(request.app.openapi(), str(request.base_url).rstrip("/"))
    return Response(page, media_type="text/html", headers=HEADERS)


async def _tokenize(
    service: Service, sentences: Sequence[str | Sequence[str]], split: Callable[[str], list[str]], param: str
) -> list[list[str]]:
    """Split sentences into words."""
    return await _aside(sum(map(len, sentences)), _split_words, sentences, split, service.settings, param)


async def _aside(characters: int, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function, in another thread if its text has so many characters that it would delay other requests."""
    if characters > LONG_TEXT:
        return await asyncio.to_thread(function, *args, **kwargs)
    return function(*args, **kwargs)


def _split_words(
    sentences: Sequence[str | Sequence[str]], split: Callable[[str], list[str]], settings: ServeSettings, param: str
) -> list[list[str]]:
    """Split sentences into words, and raise as soon as they exceed a limit. ``param`` is their field."""
    if len(sentences) > settings.max_sentences:
        raise APIError(413, f"{len(sentences)} sentences are more than the limit of {settings.max_sentences}", param)
    result: list[list[str]] = []
    total = 0
    for number, sentence in enumerate(sentences):
        name = f"sentence {number}" if len(sentences) > 1 else "the sentence"
        characters = len(sentence) if isinstance(sentence, str) else sum(map(len, sentence))
        if characters > settings.max_characters:
            raise APIError(413, f"{name} has more than {settings.max_characters} characters", param)
        try:
            words = split(sentence) if isinstance(sentence, str) else list(sentence)
        except ValueError as error:  # the tokenizer needs a package that is not installed
            raise APIError(400, str(error), "tokenize") from None
        if len(words) > settings.max_words:
            raise APIError(413, f"{name} has {len(words)} words, more than the limit of {settings.max_words}", param)
        total += len(words)
        if total > settings.max_request_words:
            raise APIError(413, f"the request has more than {settings.max_request_words} words", param)
        result.append(words)
    return result


def _texts(item: str | schemas.TaskInput) -> dict[str, Any]:
    """Return the texts of an input that are not missing, by name; a string has no name."""
    return {"": item} if isinstance(item, str) else item.model_dump(exclude_none=True)


def _count_characters(body: schemas.TaskRequest) -> int:
    texts = (text for item in body.inputs for text in _texts(item).values())
    return sum(len(text) if isinstance(text, str) else len(json.dumps(text)) for text in texts)


def _read_inputs(trained: TrainedTask, body: schemas.TaskRequest, settings: ServeSettings) -> list[TaskText]:
    """Split the texts of a request into words, and raise as soon as they exceed a limit."""
    if len(body.inputs) > settings.max_sentences:
        raise APIError(413, f"{len(body.inputs)} inputs are more than the limit of {settings.max_sentences}", "inputs")
    too_many = APIError(413, f"the request has more than {settings.max_request_words} words", "inputs")
    read: list[TaskText] = []
    total = 0
    for number, item in enumerate(body.inputs):
        texts = _texts(item)
        # Every chunk between spaces has a word, so that text that is far too long need not be split at all.
        if (
            total + sum(len(text.split()) for text in texts.values() if isinstance(text, str))
            > settings.max_request_words
        ):
            raise too_many
        try:
            text = trained.read(texts.get("", texts))
        except ValueError as error:
            place = f"input {number}: " if len(body.inputs) > 1 else ""
            raise APIError(400, f"{place}{error}", "inputs") from None
        total += sum(len(words) for document in text.documents for words in document.sentences)
        if total > settings.max_request_words:
            raise too_many
        read.append(text)
    return read


def _to_records(trained: TrainedTask, results: Sequence[tuple[TaskText, list[Any]]]) -> list[dict[str, Any]]:
    return [trained.task.result(*text, details).to_dict() for text, details in results]


async def _result(future: "Future[T]") -> T:
    """Wait for the worker thread. Its ValueErrors are about the input, such as words a model cannot encode."""
    try:
        return await asyncio.wrap_future(future)
    except ValueError as error:
        raise APIError(400, str(error)) from None


def _check_layer(model: ServedModel, layer: str | int, param: str) -> None:
    if isinstance(layer, int) and layer >= model.n_layers:
        raise APIError(400, f"there is no layer {layer}; the model has layers 0 to {model.n_layers - 1}", param)


def _find_position(words: list[str], body: schemas.NeighborsRequest) -> int:
    """Return the position of the word that a request asks about."""
    if (body.word is None) == (body.index is None):
        raise APIError(400, "give either a word of the sentence or its index", "word")
    if body.index is None:
        try:
            return find_word(words, str(body.word))
        except ValueError as error:
            raise APIError(400, str(error), "word") from None
    if body.index >= len(words):
        raise APIError(400, f"there is no index {body.index}; the sentence has {len(words)} words", "index")
    return body.index


def _accepted_format(accept: str) -> Literal["json", "npz", "safetensors"]:
    """Return the first supported format in an ``Accept`` header, or JSON."""
    kinds = [kind.partition(";")[0].strip().lower() for kind in accept.split(",")]
    supported = (*BINARY_FORMATS, "application/json")
    return next((BINARY_FORMATS.get(kind, "json") for kind in kinds if kind in supported), "json")


def _json(content: object) -> Response:
    return Response(to_json(content), media_type="application/json")


async def _stream_json(model: str, embedded: list[EmbeddedSentence]) -> AsyncIterator[bytes]:
    """Serialize sentence by sentence: as text, a large array takes many times its size in memory."""
    start = b'{"model":' + to_json(model) + b',"sentences":['
    for sentence in embedded:
        yield start + to_json({"tokens": sentence.tokens, "layers": sentence.layers.tolist()})
        start = b","
        await asyncio.sleep(0)  # let other requests run
    yield (b"" if embedded else start) + b"]}"


def _to_binary(embedded: list[EmbeddedSentence], format: Literal["npz", "safetensors"], *, pooled: bool) -> bytes:
    """Return the same content as ``elmo.embed.sinks`` would write."""
    arrays = {str(number): sentence.layers for number, sentence in enumerate(embedded)}
    if pooled and embedded:
        arrays = {"vectors": np.stack(list(arrays.values()))}
    tokens = json.dumps([sentence.tokens for sentence in embedded])
    if format == "safetensors":
        return to_safetensors(arrays, metadata={"tokens": tokens})
    file = io.BytesIO()
    np.savez(file, tokens=np.array(tokens), **arrays)  # type: ignore[arg-type]
    return file.getvalue()


_PROBLEMS = {
    "missing": "this field is required",
    "extra_forbidden": "there is no such field",
    "string_type": "must be a string",
    "list_type": "must be a list",
    "model_attributes_type": "must be an object",
}
"""What is wrong with a field, by the type of pydantic's error."""


def _problem(error: dict[str, Any]) -> str:
    return _PROBLEMS.get(error["type"], error["msg"].removeprefix("Value error, "))


async def _on_validation_error(request: Request, error: Exception) -> Response:
    """Report all that is wrong with the first wrong field, in one line."""
    assert isinstance(error, RequestValidationError)
    problems = error.errors()
    if problems[0]["type"] == "json_invalid":
        reason = problems[0].get("ctx", {}).get("error", "")
        position = problems[0]["loc"][-1]
        return _error_response(APIError(400, f"the request body is not JSON ({reason} at character {position})"))
    field = problems[0]["loc"][1:2]  # the first item is "body"
    own = [one for one in problems if one["loc"][1:2] == field]
    # A value that has the right type, but is wrong, need not be of another type.
    reasons = dict.fromkeys(map(_problem, [one for one in own if one["type"] == "value_error"] or own))
    param = str(field[0]) if field else None
    message = f"{param or 'the request body'}: {'; or: '.join(reasons)}"
    unknown = [str(one["loc"][-1]) for one in problems[1:] if one["type"] == "extra_forbidden"]
    if problems[0]["type"] == "missing" and unknown:  # probably its name was misspelled
        message += f", and there is no field {', '.join(unknown)}"
    return _error_response(APIError(422, message, param))


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {
        400: "the request body is not JSON that this server can read",  # for example, a number of 5,000 digits
        404: "there is nothing at this path; see /docs for all paths",
        405: f"this path does not support {request.method}",
    }
    response = _error_response(APIError(error.status_code, messages.get(error.status_code, str(error.detail))))
    response.headers.update(error.headers or {})
    return response


def _error_response(error: APIError) -> Response:
    return Response(error.body, error.status, {name.decode(): value.decode() for name, value in error.headers})
