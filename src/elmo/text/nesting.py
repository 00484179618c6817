"""Show spans of a text in place, nested in each other."""

from collections.abc import Iterator, Sequence
from typing import Literal

from elmo.text.alignment import Span

Step = tuple[Literal["text", "open", "close"], str | int]
"""A piece of text, or the number of a span that opens or closes."""


def walk(text: str, spans: Sequence[Span], part: Span | None = None) -> Iterator[Step]:
    """Go through a text and say where spans open and close. The longer of two spans opens first.

    Args:
        text: The text.
        spans: Characters of each span. Spans may be nested.
        part: The characters to go through, which contain all spans; None is the whole text.

    Returns:
        Steps whose pieces of text give ``text[part]`` when they are joined.
    """
    position, end = (0, len(text)) if part is None else part
    opened: list[int] = []
    for number in sorted(range(len(spans)), key=lambda number: (spans[number][0], -spans[number][1])):
        start = spans[number][0]
        while opened and spans[opened[-1]][1] <= start:
            stop = spans[opened[-1]][1]
            yield "text", text[position:stop]
            yield "close", opened.pop()
            position = max(position, stop)
        yield "text", text[position:start]
        yield "open", number
        position = max(position, start)
        opened.append(number)
    while opened:
        stop = spans[opened[-1]][1]
        yield "text", text[position:stop]
        yield "close", opened.pop()
        position = max(position, stop)
    yield "text", text[position:end]
