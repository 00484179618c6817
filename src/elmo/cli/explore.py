"""``elmo explore``: the server with a web page that shows how a model represents words in context."""

import os
import secrets
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from elmo.cli.options import DeviceOption, ModelOption, PretokenizedOption, VectorsOption, chosen_device, tokenizer_of
from elmo.cli.serve import AllowHostOption, HostOption, PortOption, missing_extra

MAX_STATIC_VECTORS = 50_000
"""Number of static vectors to read from the beginning of a file, in addition to those of the words of the text."""


def explore(
    text: Annotated[
        list[Path] | None,
        typer.Argument(metavar="TEXT", help="Text files or folders to explore (default: a sample text)."),
    ] = None,
    model: ModelOption = None,
    vectors: VectorsOption = None,
    task: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            help="Name of an installed task model, or folder of a trained one, for the tab of its task (default: all "
            "that are installed). Repeat the option for several.",
        ),
    ] = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    allow_host: AllowHostOption = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a web browser.")] = True,
    pretokenized: PretokenizedOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Explore words in context and task models on a web page.

    Select a word of a sentence to see its nearest neighbors in the text in each layer, a map of all its occurrences,
    the similarity of two sentences word by word, and the words that the model predicts for a blank. A second view shows
    what task models find in a text. Ctrl-C stops the server.

    The address of the page contains a token, which is new at each start. Without it, nobody can read the text.
    """
    try:
        from elmo.serve.access import is_loopback
        from elmo.serve.app import create_app
        from elmo.serve.examples import opening_for, opening_of
        from elmo.serve.pages import Explorer, add_explorer, page_paths
        from elmo.serve.server import BACKLOG, bind, run, url_of
        from elmo.serve.settings import ServeSettings
    except ImportError as error:
        raise missing_extra("explore", error) from None

    from elmo.datasets.static_vectors import read_vectors
    from elmo.embed.embedder import load
    from elmo.search.live_index import LiveIndex
    from elmo.search.sample_texts import raw_tokenizer, sample_for
    from elmo.search.static_neighbors import StaticNeighbors
    from elmo.text.reading import read_raw_sentences
    from elmo.weights.locate import DEFAULT

    with bind(host, port) as listener:  # before anything is loaded, because an occupied port is the likeliest error
        embedder = load(model, device=chosen_device(device))
        config = embedder.config
        if text:
            split = tokenizer_of(config, pretokenized)
            sentences = read_raw_sentences(text, split)
        else:
            sample, split = sample_for(embedder.mismatch, config.tokenizer), raw_tokenizer(config.tokenizer)
            sentences = iter(sample.sentences())
        index = LiveIndex(sentences, config.n_representations, config.output_dim, tokenizer=split)
        if reason := embedder.mismatch(index.sentences):
            typer.echo(f"warning: {reason}", err=True)
        opening = opening_of(index.spacing) if text else opening_for(sample, config.tokenizer)
        static = None
        if vectors is not None:
            words = {word for sentence in index.sentences for word in sentence}
            static = StaticNeighbors(read_vectors(vectors, MAX_STATIC_VECTORS, words), vectors.name.split(".txt")[0])
        name = DEFAULT if model is None else Path(model).name or model
        token = secrets.token_urlsafe(16)
        settings = ServeSettings(
            shutdown_timeout=2.0, api_key=token, public_paths=page_paths(), hosts=(host, *(allow_host or ()))
        )
        app = create_app({name: embedder}, settings)
        names = [path.name for path in text or ()]
        batcher = app.state.service.models[name].batcher
        add_explorer(app, Explorer(batcher, index, names, opening, static, _task_models(task or [])))
        text_name = "sample text" if not names else names[0] if len(names) == 1 else f"{len(names)} texts"
        url = f"{url_of(listener)}/#token={token}"  # browsers do not send the part after # to any server
        listener.listen(BACKLOG)
        typer.echo(f"exploring {text_name} with {name} at {url} (press Ctrl-C to stop)", err=True)
        if not is_loopback(listener.getsockname()[0]):
            typer.echo("warning: the connection is not encrypted; others on the network may read the text", err=True)
        if browser and _has_display():
            webbrowser.open(url)  # its connection waits in the listener's backlog until the server has started
        run(app, listener)


def _task_models(given: list[str]) -> dict[str, str | Path]:
    """Return the task models to offer, by task: the given ones, and the installed ones for all other tasks."""
    from elmo.tasks.load import locate_task
    from elmo.tasks.task import TASKS
    from elmo.tasks.trainer import task_of
    from elmo.weights.packages import TASK_GROUP, installed

    models: dict[str, str | Path] = {name: name for name in TASKS if name in installed(TASK_GROUP)}
    return models | {task_of(folder): folder for folder in map(locate_task, given)}


def _has_display() -> bool:
    """Return whether there is a display; without one, webbrowser would start a text browser in this terminal."""
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
