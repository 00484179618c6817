"""The explorer over a small text, as an application and as a running server."""

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode

import uvicorn
from fastapi import FastAPI

import elmo
from elmo.search.live_index import LiveIndex
from elmo.search.sample_texts import ENGLISH
from elmo.search.static_neighbors import StaticNeighbors
from elmo.serve.app import create_app
from elmo.serve.examples import Opening, opening_for
from elmo.serve.pages import Explorer, add_explorer, page_paths
from elmo.serve.settings import ServeSettings
from elmo.text.tokens import words

TOKEN = "the-token"
TEXT = """
The play was sold out. She wrote a play about two sisters. The actors rehearsed the play for weeks.
The children play in the garden. The boys play outside. Old men play chess in the park.
The team must play without its captain. The band will play a new song. He can play the piano.
The bank raised its interest rates. I put my savings in the bank. The bank refused to lend him money.
We had a picnic on the bank of the river. An old man was fishing from the bank. Banks lend money.
A <b> frame </b> for a play. "Play it again", she said, 'or I'll go.'
""".replace(". ", ".\n")
SENTENCES = [words(line) for line in TEXT.strip().splitlines()]
SENTENCES.append(words("He went away.") + words("We used to play hide and seek."))  # as in a pretokenized text


def explorer_app(
    model: elmo.Embedder,
    static: StaticNeighbors | None = None,
    token: str | None = None,
    sentences: Sequence[str | Sequence[str]] = SENTENCES,
    opening: Opening | None = None,
    tasks: Mapping[str, str | Path] | None = None,
) -> FastAPI:
    """Create an application with the explorer."""
    app = create_app({"tested": model}, ServeSettings(api_key=token, public_paths=page_paths()))
    config = model.bilm.config
    index = LiveIndex(sentences, config.n_representations, config.output_dim)
    batcher = app.state.service.models["tested"].batcher
    add_explorer(app, Explorer(batcher, index, ["test text"], opening or opening_for(ENGLISH), static, tasks))
    return app


def hash_of(**parameters: str) -> str:
    """Return the fragment of a link to a view."""
    return "#" + urlencode(parameters)


@contextlib.contextmanager
def running(app: FastAPI) -> Iterator[str]:
    """Run an application in a thread and yield its URL."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, ws="none", log_level="warning", lifespan="on"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.should_exit = True
        thread.join()
