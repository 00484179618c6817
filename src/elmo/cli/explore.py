"""``elmo explore``: the server with a page, on which to see what a model makes of words."""

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from elmo.cli.options import chosen_device

STATIC_WORDS = 50_000
"""Static vectors that are read: the first of the file, and those of the text's words."""


def explore(
    text: Annotated[
        list[Path] | None,
        typer.Argument(metavar="TEXT", help="Text files or folders whose words to look at; default: a sample."),
    ] = None,
    model: Annotated[str, typer.Option("--model", "-m", help="A model's name, folder or Hub id.")] = "small",
    vectors: Annotated[Path | None, typer.Option(help="Static word vectors (GloVe), to compare with.")] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    pretokenised: Annotated[
        bool, typer.Option("--pretokenised", help="Lines of the text are sentences, words stand apart.")
    ] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
) -> None:
    """Explore words in context on a page in the browser.

    Choose a word of a sentence, and see its nearest uses in a text by each layer, a map of all its uses, the words
    of two sentences compared, and what the model expects in a gap. Ctrl-C ends it.
    """
    try:
        from elmo.search.live_index import LiveIndex
        from elmo.search.static_neighbors import StaticNeighbors
        from elmo.serve.app import create_app
        from elmo.serve.pages import SAMPLE, Explorer, add_explorer
        from elmo.serve.server import address_of, bind, run
        from elmo.serve.settings import ServeSettings
    except ImportError as error:
        if not (error.name or "").startswith(("fastapi", "uvicorn", "starlette", "pydantic")):
            raise
        raise ValueError("elmo explore needs an extra: pip install 'elmo-torch[serve]'") from None

    from elmo.datasets.static_vectors import read_vectors
    from elmo.embed.embedder import load
    from elmo.text.reading import read_sentences

    with bind(host, port) as listener:  # before anything is read: it is what fails most often
        device = chosen_device(device)
        embedder = load(model, device=device)
        config = embedder.bilm.config
        sentences = read_sentences(text or [SAMPLE], "whitespace" if pretokenised else "words")
        uses = LiveIndex(sentences, config.n_representations, config.output_dim)
        static = None
        if vectors is not None:
            wanted = {word for sentence in uses.sentences for word in sentence}
            static = StaticNeighbors(read_vectors(vectors, STATIC_WORDS, wanted), vectors.name.split(".txt")[0])
        name = Path(model).name or model
        app = create_app({name: embedder}, ServeSettings(shutdown_timeout=2.0))
        shown = "sample text" if not text else text[0].name if len(text) == 1 else f"{len(text)} texts"
        add_explorer(app, Explorer(app.state.service.models[name].batcher, uses, shown, static))
        url = f"{address_of(listener)}/"
        listener.listen()
        typer.echo(f"exploring {shown} with {name} at {url} (Ctrl-C ends it)", err=True)
        if not listener.getsockname()[0].startswith(("127.", "::1")):
            typer.echo("warning: whoever reaches this address may use the explorer, and read the text", err=True)
        if browser and _has_screen():
            webbrowser.open(url)  # the listener keeps it waiting until the server has started
        run(app, listener)


def _has_screen() -> bool:
    """Whether a browser would have a window; without one, a browser for the terminal would take its place."""
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
