"""Sphinx configuration. ``make docs`` builds the site; open docs/_build/html/index.html.

The pages are Markdown (MyST), so they can also be read as they are. Nothing is fetched from the network, neither when
the site is built nor when it is read. Warnings are errors, so that a broken link does not go unnoticed.
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

myst_heading_anchors = 3  # [text](#a-title) works for headings up to this level, as on code hosts

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_display_short_literal_types = True
python_maximum_signature_line_length = 80  # longer signatures have one argument per line

html_theme = "furo"  # light and dark, wide and narrow screens
html_title = f"elmo {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}

LINK = re.compile(r"\]\((\.\./[^)#]+\.md)\)")


def link_files(_app: Sphinx, page: str, source: list[str]) -> None:
    """Turn links to Markdown files outside of docs/, which are not pages of the site, into links to the files."""

    def link(match: re.Match[str]) -> str:
        target = (DOCS / page).parent / match[1]
        return match[0] if target.resolve().is_relative_to(DOCS) else f"](path:{match[1]})"

    source[0] = LINK.sub(link, source[0])


def setup(app: Sphinx) -> None:
    """Register the event handler. Sphinx calls this function."""
    app.connect("source-read", link_files)
