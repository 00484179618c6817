"""Sphinx configuration. ``make docs`` builds the site; open docs/_build/html/index.html.

The pages are Markdown (MyST), so they can also be read as they are. Nothing is fetched from the network, neither when
the site is built nor when it is read. Warnings are errors, so that a broken link does not go unnoticed.
"""

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

import elmo

DOCS = Path(__file__).parent

project = "elmo"
copyright = "the elmo developers; Apache 2.0"
version = release = elmo.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]

myst_heading_anchors = 3  # [text](#a-title) works for headings up to this level, as on code hosts
myst_enable_extensions = ["dollarmath"]  # formulas as code hosts show them: $x$ in text, ```math for a line of its own
myst_fence_as_directive = ["math"]
html_math_renderer = "mathml"  # browsers show it without a script

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


def set_language(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: nodes.document) -> None:
    """Declare pages in docs/ko/ to be Korean, for screen readers, fonts and line breaks."""
    if page.startswith("ko/"):
        context["language"] = "ko"


def write_math(writer: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML."""
    formula = tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block))
    writer.body.append(f'<div class="math">{formula}</div>' if isinstance(node, nodes.math_block) else formula)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the event handlers and the renderer of formulas. Sphinx calls this function."""
    app.connect("source-read", link_files)
    app.connect("html-page-context", set_language)
    app.add_html_math_renderer("mathml", (write_math, None), (write_math, None))
