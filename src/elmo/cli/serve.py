"""``elmo serve``: models over HTTP."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elmo.cli.options import chosen_device
from elmo.config import Precision

if TYPE_CHECKING:
    from elmo.embed.embedder import Embedder
    from elmo.search.index import Index


def serve(
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="A model's name, folder or Hub id, or NAME=that (repeat the option)."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    api_key: Annotated[
        str | None, typer.Option(envvar="ELMO_API_KEY", help="Requests must carry it: Authorization: Bearer KEY.")
    ] = None,
    cors: Annotated[
        list[str] | None, typer.Option(help="Origin whose pages may call the server (repeat the option); * for all.")
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="Text files or folders that /neighbours searches, read by the first model."),
    ] = None,
    index: Annotated[
        Path | None, typer.Option(help="Folder of a corpus's index: to search, or with --corpus where to keep it.")
    ] = None,
    batch_tokens: Annotated[int, typer.Option(min=1, help="Words computed at once.")] = 4096,
    batch_requests: Annotated[
        int, typer.Option(min=1, help="Requests computed at once; 1 turns micro-batching off.")
    ] = 1024,
    batch_wait: Annotated[
        float, typer.Option(min=0, help="Milliseconds that a request waits for others, if nothing else is to do.")
    ] = 2.0,
    queue_tokens: Annotated[int, typer.Option(min=1, help="Words that may wait; more are refused with 429.")] = 32_768,
    max_body: Annotated[int, typer.Option(min=1, help="Bytes of a request.")] = 1 << 20,
    max_sentences: Annotated[int, typer.Option(min=1, help="Sentences of a request.")] = 512,
    max_words: Annotated[int, typer.Option(min=1, help="Words of a sentence.")] = 1024,
    max_request_words: Annotated[int, typer.Option(min=1, help="Words of all sentences of a request.")] = 8192,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds for an answer, before it is given up.")] = 30.0,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
    precision: Annotated[
        Precision, typer.Option(help="How weights are held on the CPU: bf16 and int8 are faster, and less exact.")
    ] = "float32",
    access_log: Annotated[
        bool, typer.Option("--access-log", help="A line to standard error for each request.")
    ] = False,
) -> None:
    """Serve models over HTTP: /v1/embeddings as OpenAI has it, /embed, /neighbours, /predict; see /docs there.

    Requests that come together are computed together. Ctrl-C, or a TERM signal, ends the server when all that it
    has accepted is answered.
    """
    try:
        from elmo.serve.app import create_app
        from elmo.serve.server import address_of, bind, run
        from elmo.serve.settings import ServeSettings
    except ImportError as error:
        if not (error.name or "").startswith(("fastapi", "uvicorn", "starlette", "pydantic")):
            raise
        raise ValueError("elmo serve needs an extra: pip install 'elmo-torch[serve]'") from None

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
        cors=tuple(cors or ()),
    )
    named = [_named(text) for text in model or ["small"]]
    with bind(host, port) as listener:  # before the models are read: it is what fails most often
        from elmo.embed.embedder import load
        from elmo.embed.memory import limit_compiled_products

        limit_compiled_products()
        device = chosen_device(device)
        models: dict[str, Embedder] = {}
        for name, place in named:
            if name in models:
                raise ValueError(f"--model: two models are called {name}; give one another name, like other={place}")
            models[name] = load(place, device=device, precision=precision)
        app = create_app(models, settings, _indexes(models, corpus, index))
        listener.listen(2048)
        typer.echo(f"serving {', '.join(models)} at {address_of(listener)} (documentation: /docs)", err=True)
        if api_key is None and not listener.getsockname()[0].startswith(("127.", "::1")):
            typer.echo("warning: whoever reaches this address may use the server; --api-key asks for a key", err=True)
        run(app, listener, access_log)


def _named(text: str) -> tuple[str, str]:
    """NAME=PLACE, or a place that is called by its last part."""
    name, equals, place = text.partition("=")
    if equals and name and place and not set(name) & set("/\\."):
        return name, place
    return Path(text).name or text, text


def _indexes(models: "dict[str, Embedder]", corpus: list[Path] | None, folder: Path | None) -> "dict[str, Index]":
    """The index to search, for the model that it belongs to."""
    from tqdm import tqdm

    from elmo.search.index import build_index, default_index_folder, open_index
    from elmo.text.reading import find_texts, read_sentences

    if corpus is None and folder is None:
        return {}
    if corpus is None:
        assert folder is not None
        opened = open_index(folder)
        owners = [name for name, embedder in models.items() if opened.matches(embedder)]
        if not owners:
            raise ValueError(f"{folder}: was built with another model than {', '.join(models)}")
        return {owners[0]: opened}
    name, embedder = next(iter(models.items()))
    sentences = list(read_sentences(corpus, "words"))
    if folder is None:
        folder = default_index_folder(name, "all", find_texts(corpus))
    total = sum(map(len, sentences))
    with tqdm(total=total, desc="index", unit=" words", unit_scale=True, disable=None, leave=False) as bar:
        return {name: build_index(embedder, sentences, folder, "all", bar.update)}
