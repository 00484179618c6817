"""A small model with an index, servers that speak real HTTP, and the explorer page in a real browser."""

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import elmo
from elmo.search.index import Index, build_index

pytest.importorskip("fastapi", reason="needs elmo-torch[serve]")
pytest.importorskip("uvicorn", reason="needs elmo-torch[serve]")
from serve import explorer
from serve.servers import CORPUS, random_model, running


@pytest.fixture(scope="session")
def speaker() -> elmo.Embedder:
    """A random model that can predict words."""
    return random_model()


@pytest.fixture(scope="session")
def index(speaker: elmo.Embedder, tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder: Path = tmp_path_factory.mktemp("serve") / "index"
    return build_index(speaker, [line.split() for line in CORPUS], folder)


@pytest.fixture(scope="session")
def serve() -> Callable[..., contextlib.AbstractContextManager[int]]:
    return running


@pytest.fixture(scope="module")
def small() -> elmo.Embedder:
    return elmo.load("small")


@pytest.fixture(scope="module")
def address(small: elmo.Embedder) -> Iterator[str]:
    """The address of a running explorer."""
    with explorer.running(explorer.explorer_app(small, token=explorer.TOKEN)) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # other tests may run at the same time
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        found = own if os.path.exists(own) else next(filter(None, map(shutil.which, names)), None)  # noqa: PTH110
        if found is None:
            pytest.skip("no Chromium: install it, or run `playwright install chromium`")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """Open the page; at the end, check for errors and for requests to other servers."""
    from playwright.sync_api import expect

    contexts: list[Any] = []
    problems: list[str] = []
    urls: list[str] = []

    def visit(hash: str = "", **options: Any) -> Any:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("dialog", lambda dialog: problems.append(dialog.message))
        page.on("request", lambda request: urls.append(request.url))
        page.goto(f"{address}{hash}&token={explorer.TOKEN}" if hash else f"{address}#token={explorer.TOKEN}")
        if "view=" in hash:
            expect(page.locator("#task-panel")).to_be_visible()
        else:
            expect(page.locator("#loading")).to_be_hidden()
            expect(page.locator("#layers .neighbors").first).to_be_visible()
        return page

    yield visit
    for context in contexts:
        context.close()
    assert problems == []
    assert all(url.startswith(address) for url in urls)
