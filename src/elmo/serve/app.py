"""The FastAPI application: models, routes, limits and errors put together.

    app = create_app({"small": elmo.load("small")}, tasks={"ner": elmo.load_task("ner")})
    uvicorn.run(app)

``elmo.serve.routes`` answers the requests that ``RequestGuard`` lets through.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response, Security
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.exceptions import HTTPException

from elmo import __version__
from elmo.embed.embedder import Embedder
from elmo.model.language_model import LanguageModel
from elmo.search.index import Index
from elmo.serve.batching import Batcher, BatchWorker
from elmo.serve.errors import APIError
from elmo.serve.metrics import Metrics
from elmo.serve.middleware import RequestGuard
from elmo.serve.routes import health_router, router
from elmo.serve.service import ServedModel, Service
from elmo.serve.settings import ServeSettings
from elmo.tasks.trained import TrainedTask


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
