"""How Sphinx makes the site out of these pages: ``make docs``, then open docs/_build/html/index.html.

The pages are Markdown (MyST) and read well as they are. Nothing is fetched from the network, neither when the site is
built nor when it is read. A warning is an error, so that a link that breaks is noticed.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

import elmo

DOCS = Path(__file__).parent

project = "elmo"
copyright = "the elmo developers; Apache 2.0"
version = release = elmo.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]

myst_heading_anchors = 3  # so that [a title](#a-title) works, as it does on code hosts

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_display_short_literal_types = True
python_maximum_signature_line_length = 80  # longer ones get a line for each argument

html_theme = "furo"  # light and dark, wide and narrow
html_title = f"elmo {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}

LINK = re.compile(r"\]\((\.\./[^)#]+\.md)\)")
ARGUMENT = re.compile(r"``[\w., `]+``: ")
"""How our docstrings begin to speak of an argument: the name in code, and a colon."""


def link_files(_app: Sphinx, page: str, source: list[str]) -> None:
    """Make a link to a file outside of docs/, which is no page of the site, a link to the file itself."""

    def link(match: re.Match[str]) -> str:
        target = (DOCS / page).parent / match[1]
        return match[0] if target.resolve().is_relative_to(DOCS) else f"](path:{match[1]})"

    source[0] = LINK.sub(link, source[0])


def list_arguments(_app: Sphinx, _what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    """Make every argument that a docstring speaks of a point of a list, where it would be a running paragraph."""
    out: list[str] = []
    inside = False
    for line in lines:
        starts = ARGUMENT.match(line) is not None
        inside = starts or (inside and line.strip() != "")
        out += ["", f"- {line}"] if starts else [f"  {line}" if inside else line]
    lines[:] = out


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("source-read", link_files)
    app.connect("autodoc-process-docstring", list_arguments)
