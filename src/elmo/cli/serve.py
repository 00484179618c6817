"""``elmo serve``: serve models over HTTP."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elmo.cli.options import DeviceOption, PrecisionOption, chosen_device
from elmo.config import Precision

if TYPE_CHECKING:
    from elmo.embed.embedder import Embedder
    from elmo.search.index import Index
    from elmo.tasks.trained import TrainedTask

KEY_VARIABLE = "ELMO_API_KEY"
HostOption = Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for all network interfaces.")]
PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 for any that is free.")]
AllowHostOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        help="Host name that clients use for the server, for example that of a proxy in front of it; * for all. Repeat "
        "the option to allow several. (IP addresses and localhost need not be listed.)",
    ),
]


def serve(
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Name, folder or Hub id of a model (default: the bundled model). NAME=MODEL chooses the name that "
            "requests use. Repeat the option to serve several; the first is the default.",
        ),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            help="Name of an installed task model, such as ner, or folder of a trained one. NAME=MODEL chooses the "
            "name that requests use. Repeat the option to serve several.",
        ),
    ] = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    allow_host: AllowHostOption = None,
    api_key: Annotated[
        str | None,
        typer.Option(envvar=KEY_VARIABLE, help="Key that clients must send, as Authorization: Bearer KEY."),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(help="Origin whose web pages may call the server; * for all. Repeat the option to allow several."),
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            help="Text file or folder that /neighbors searches, embedded by the first model. Repeat the option to "
            "search several."
        ),
    ] = None,
    index: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the index that /neighbors searches. With --corpus, the index is built there (default: in "
            "the user's cache)."
        ),
    ] = None,
    batch_tokens: Annotated[int, typer.Option(min=1, help="Maximum number of tokens per batch.")] = 4096,
    batch_requests: Annotated[
        int, typer.Option(min=1, help="Maximum number of requests per batch; 1 disables micro-batching.")
    ] = 1024,
    batch_wait: Annotated[
        float,
        typer.Option(
            min=0,
            help="Milliseconds that an idle model waits for more requests, if its last batch had several.",
        ),
    ] = 2.0,
    queue_tokens: Annotated[
        int, typer.Option(min=1, help="Maximum number of tokens queued per model; further requests get a 429.")
    ] = 32_768,
    max_body: Annotated[int, typer.Option(min=1, help="Maximum size of a request body in bytes.")] = 1 << 20,
    max_sentences: Annotated[int, typer.Option(min=1, help="Maximum number of sentences per request.")] = 512,
    max_words: Annotated[int, typer.Option(min=1, help="Maximum number of words per sentence.")] = 1024,
    max_request_words: Annotated[int, typer.Option(min=1, help="Maximum number of words per request.")] = 8192,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds after which an unfinished request gets a 503.")
    ] = 30.0,
    device: DeviceOption = "auto",
    precision: PrecisionOption = "float32",
    access_log: Annotated[bool, typer.Option("--access-log", help="Log every request to standard error.")] = False,
) -> None:
    """Serve models over HTTP.

    The routes are /v1/embeddings (compatible with OpenAI clients), /embed, /neighbors, /predict and, with --task,
    /v1/tasks/NAME. Open /docs in a browser to read about them.

    Concurrent requests are computed in shared batches. Ctrl-C or SIGTERM stops the server after the requests in
    progress have finished; a second one stops it immediately.
    """
    try:
        from elmo.serve.access import is_loopback
        from elmo.serve.app import create_app
        from elmo.serve.server import BACKLOG, bind, run, url_of
        from elmo.serve.settings import ServeSettings
    except ImportError as error:
        raise missing_extra("serve", error) from None

    if api_key is None and KEY_VARIABLE in os.environ:  # Click takes an empty variable for one that is not set
        raise ValueError(f"{KEY_VARIABLE} is empty; set it to a key, or unset it to serve without one")
    settings = ServeSettings(
        batch_tokens=batch_tokens,
        batch_requests=batch_requests,
        batch_wait=batch_wait / 1000,
        queue_tokens=queue_tokens,
        max_body=max_body,
        max_sentences=max_sentences,
        max_words=max_words,
        max_request_words=max_request_words,
        request_timeout=timeout,
        api_key=api_key,
        hosts=(host, *(allow_host or ())),
        cors=tuple(cors or ()),
    )
    with bind(host, port) as listener:  # before the models are loaded, because an occupied port is the likeliest error
        from elmo.engines.cpu import limit_compiled_products
        from elmo.weights.locate import DEFAULT

        limit_compiled_products()
        models = _load_models(model or [DEFAULT], chosen_device(device), precision)
        tasks = _load_tasks(task or [], models, chosen_device(device))
        app = create_app(models, settings, _open_indexes(models, corpus, index), tasks=tasks)
        listener.listen(BACKLOG)
        typer.echo(f"serving {', '.join([*models, *tasks])} at {url_of(listener)} (documentation: /docs)", err=True)
        if api_key is None and not is_loopback(listener.getsockname()[0]):
            typer.echo("warning: anyone who can reach this address can use the server; set --api-key", err=True)
        run(app, listener, access_log)


def missing_extra(command: str, error: ImportError) -> Exception:
    """Return the error that says how to install what a server command needs."""
    if (error.name or "").startswith(("fastapi", "uvicorn", "starlette", "pydantic")):
        return ValueError(f"elmo {command} needs an extra: pip install 'elmo-torch[serve]'")
    return error


def _load_models(options: list[str], device: str, precision: Precision) -> "dict[str, Embedder]":
    """Load the models that ``--model`` names."""
    from elmo.embed.embedder import load

    return {name: load(source, device=device, precision=precision) for name, source in _named("model", options).items()}


def _load_tasks(options: list[str], models: "dict[str, Embedder]", device: str) -> "dict[str, TrainedTask]":
    """Load the task models that ``--task`` names. Those that were trained with one of the models share it."""
    from elmo.tasks.load import load_tasks

    named = _named("task", options)
    return dict(zip(named, load_tasks(named.values(), elmo=models.values(), device=device), strict=True))


def _named(option: str, values: list[str]) -> dict[str, str]:
    """Return what an option names, each MODEL or NAME=MODEL, by name."""
    named: dict[str, str] = {}
    for value in values:
        name, equals, source = value.partition("=")
        if not (equals and name and source) or set(name) & set("/\\."):
            name, source = Path(value).name or value, value
        if name in named:
            raise ValueError(
                f"--{option}: two models are called {name}; rename one, for example --{option} other={source}"
            )
        named[name] = source
    return named


def _open_indexes(models: "dict[str, Embedder]", corpus: list[Path] | None, folder: Path | None) -> "dict[str, Index]":
    """Open or build the index to search, and return it under the name of its model."""
    from tqdm import tqdm

    from elmo.search.index import build_index, default_index_folder, open_index
    from elmo.search.occurrences import Occurrences
    from elmo.text.reading import find_texts, read_raw_sentences

    if corpus is not None:
        name, embedder = next(iter(models.items()))
        split = embedder.config.tokenizer
        text = Occurrences.of(read_raw_sentences(corpus, split), split)
        folder = folder or default_index_folder(name, "all", find_texts(corpus))
        total = len(text.word_ids)
        with tqdm(total=total, desc="index", unit=" words", unit_scale=True, disable=None, leave=False) as bar:
            return {name: build_index(embedder, text, folder, "all", bar.update)}
    if folder is not None:
        index = open_index(folder)
        for name, embedder in models.items():
            if index.matches(embedder):
                return {name: index}
        raise ValueError(f"{folder}: was built with another model than {', '.join(models)}")
    return {}
