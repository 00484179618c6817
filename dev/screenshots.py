"""Take the screenshots of the explorer that the documentation shows.

    python dev/screenshots.py [--task FOLDER ...] [--review FOLDER]

Starts ``elmo explore`` with the sample text and opens it in Chromium, without a window. The pictures go to
``docs/_static``: the neighbors of a word in two sentences, the map of a word, and the tab of each task whose model is
installed or given. With --review, nothing in the documentation changes: the folder gets every view as a whole, in
light and dark, on a desktop and on a phone, in English and Korean, to look at after a change of the page.
"""

import argparse
import contextlib
import io
import itertools
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from elmo.tasks.task import TASKS

DOCS = Path(__file__).parents[1] / "docs" / "_static"
ADDRESS = re.compile(r"(http\S+/)#token=(\S+)")
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
KOREAN_WORDS = ("0.5", "1.3")
"""The word 손 in the first two Korean examples."""
PATIENCE = 120_000
"""Milliseconds in which the text has to be embedded, and a task model loaded."""
COLORS = 256
"""Colors of a picture, which keeps its file small."""


@contextlib.contextmanager
def explorer(options: list[str]) -> Iterator[tuple[str, str]]:
    """Run the explorer, and yield its address and its token."""
    command = [sys.executable, "-m", "elmo", "explore", "--no-browser", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = []
        try:
            for line in process.stderr:
                lines.append(line)
                if found := ADDRESS.search(line):
                    yield found[1], found[2]
                    return
        finally:
            process.terminate()
    sys.exit("".join(lines))


def open_view(page: Any, address: str, token: str, **state: str) -> bool:
    """Open a view and wait until it is complete. Return whether it has a result: a task may have no model."""
    page.goto("about:blank")
    page.goto(f"{address}#{urlencode({**state, 'token': token})}")
    if "view" not in state:
        expect(page.locator("#loading")).to_be_hidden(timeout=PATIENCE)
        expect(page.locator("#map .point").first).to_be_visible(timeout=PATIENCE)
        expect(page.locator("#heatmap table")).to_be_visible(timeout=PATIENCE)
        page.wait_for_load_state("networkidle")
        return True
    expect(page.locator("#task-result > *, #task-missing > *").first).to_be_visible(timeout=PATIENCE)
    return bool(page.locator("#task-missing").is_hidden())


def save(path: Path, *pictures: bytes) -> None:
    """Save pictures, one below the other."""
    images = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    gap = 8
    whole = Image.new("RGB", (images[0].width, sum(image.height + gap for image in images) - gap), "#89919c")
    top = 0
    for image in images:
        whole.paste(image, (0, top))
        top += image.height + gap
    whole.quantize(COLORS).save(path, optimize=True)
    print(path)


def clip(page: Any, first: str, last: str, height: int | None = None, margin: int = 24) -> bytes:
    """Return a picture of the page from the top of one element to the bottom of another, or of a height."""
    page.evaluate("scrollTo(0, 0)")
    top = page.locator(first).bounding_box()["y"] - margin
    box = page.locator(last).bounding_box()
    bottom = box["y"] + box["height"] + margin
    size = {"x": 0, "y": top, "width": page.viewport_size["width"], "height": height or bottom - top}
    return bytes(page.screenshot(clip=size, full_page=True))


def new_page(browser: Any) -> Any:
    """Open a page as the documentation shows it."""
    return browser.new_page(viewport=DESKTOP, device_scale_factor=1.5, locale="en-US", reduced_motion="reduce")


def take_words(page: Any, address: str, token: str, words: tuple[str, str], suffix: str = "", **state: str) -> None:
    """Take the neighbors of a word in two sentences, and the map of the word that the page begins with."""
    neighbors = []
    for word in words:
        open_view(page, address, token, word=word, **state)
        neighbors.append(clip(page, "#neighbors-heading", "#layers", height=400))
    save(DOCS / f"explorer{suffix}.png", *neighbors)
    open_view(page, address, token, **state)
    last = "#map-key" if page.locator("#map-key").is_visible() else "#map-caption"  # no key for a single cluster
    save(DOCS / f"explorer{suffix}-map.png", clip(page, "#map-heading", last))


def take_for_docs(browser: Any, address: str, token: str) -> None:
    """Take the pictures of the documentation in English, apart from those in Korean."""
    page = new_page(browser)
    take_words(page, address, token, ("0.5", "1.3"))
    for task in TASKS:
        if open_view(page, address, token, view=task):
            save(DOCS / f"explorer-{task}.png", clip(page, "#task-tabs", "#task-output"))
        else:
            print(f"{task}: no model is installed", file=sys.stderr)
    page.close()


def take_for_review(browser: Any, address: str, token: str, folder: Path) -> None:
    """Take a picture of every view in every form."""
    folder.mkdir(parents=True, exist_ok=True)
    forms = itertools.product(("light", "dark"), (DESKTOP, PHONE), ("en", "ko"))
    for theme, size, language in forms:
        page = browser.new_page(viewport=size, color_scheme=theme, reduced_motion="reduce")
        for view in ("words", *TASKS):
            open_view(page, address, token, lang=language, **({} if view == "words" else {"view": view}))
            path = folder / f"{view}-{theme}-{size['width']}-{language}.png"
            page.screenshot(path=path, full_page=True)
            print(path)
        page.close()


def main() -> None:
    """Start the explorer and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--task", action="append", default=[], metavar="FOLDER", help="task model that is not installed"
    )
    parser.add_argument("--model", default="small", help="model of the view of words")
    parser.add_argument("--review", type=Path, metavar="FOLDER", help="take every view in every form instead")
    given = parser.parse_args()
    options = ["--model", given.model, *itertools.chain.from_iterable(("--task", folder) for folder in given.task)]
    with explorer(options) as (address, token), sync_playwright() as playwright:
        installed = shutil.which("chromium") or shutil.which("google-chrome")  # else the one that playwright installs
        browser = playwright.chromium.launch(executable_path=installed, args=["--no-sandbox"])
        if given.review:
            take_for_review(browser, address, token, given.review)
        else:
            take_for_docs(browser, address, token)
            with explorer(["--model", "korean"]) as (korean_address, korean_token):
                take_words(new_page(browser), korean_address, korean_token, KOREAN_WORDS, "-ko", lang="ko")
        browser.close()


if __name__ == "__main__":
    main()
