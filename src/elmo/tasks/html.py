"""HTML of task results for notebooks. All text is escaped; colors are translucent, for light and dark pages.

``dir="auto"`` keeps marked parts together in text that is written from right to left.
"""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

from elmo.text.alignment import Span
from elmo.text.nesting import walk

HUES = (210, 130, 280, 30, 340, 170, 60, 0)
"""Angles on the color circle, by the number of a label or cluster."""


class Mark(NamedTuple):
    """A part of a text to highlight."""

    span: Span
    """Its characters."""
    label: str
    """Shown after it."""
    color: int
    """Number of its color."""


def marked(text: str, marks: Sequence[Mark], part: Span | None = None) -> str:
    """Return a paragraph in which parts of a text are highlighted, which may be nested.

    Args:
        text: The text.
        marks: What to highlight, in characters of the whole text.
        part: The characters to show; None shows all.
    """
    pieces = []
    for kind, value in walk(text, [mark.span for mark in marks], part):
        if kind == "text":
            pieces.append(escape(str(value)))
        elif kind == "open":
            hue = HUES[marks[int(value)].color % len(HUES)]
            style = f"background:hsla({hue},80%,50%,.25);border-radius:.25em;padding:.1em .2em;color:inherit"
            pieces.append(f'<mark dir="auto" style="{style}">')
        else:
            label = escape(marks[int(value)].label)
            shown = f'<sub style="opacity:.75;font-weight:600;margin-left:.3em">{label}</sub>' if label else ""
            pieces.append(f"{shown}</mark>")
    return f'<p dir="auto" style="line-height:1.9;white-space:pre-wrap;margin:.4em 0">{"".join(pieces)}</p>'


def bars(probabilities: Mapping[str, float]) -> str:
    """Return a table with a bar for each class."""
    rows = []
    for label, probability in probabilities.items():
        share = f"{100 * probability:.0f}%"
        style = f"background:hsla(210,80%,50%,.5);width:{100 * probability:.1f}%;height:.8em;border-radius:.2em"
        rows.append(
            f'<tr><td style="text-align:left">{escape(label)}</td><td style="text-align:right">{share}</td>'
            f'<td style="width:12em"><div style="{style}"></div></td></tr>'
        )
    return f'<table style="color:inherit">{"".join(rows)}</table>'


def line(text: str, title: str = "") -> str:
    """Return a paragraph of plain text, after a title in bold."""
    shown = f"<b>{escape(title)}</b> " if title else ""
    return f'<p dir="auto" style="white-space:pre-wrap;margin:.4em 0">{shown}{escape(text)}</p>'


def block(parts: Iterable[str]) -> str:
    """Return several parts as one block."""
    return f'<div style="color:inherit;max-width:60em">{"".join(parts)}</div>'
