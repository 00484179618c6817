"""Nearest neighbours of a word in its context, and of the same word in static vectors (Peters et al. 2018, table 4).

"play" has one vector in GloVe, and its neighbours there belong to several senses at once. A biLM gives every use a
vector of its own, so the nearest uses should share the sense. Similarities do not compare between layers, or
between models.
"""

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from elmo.datasets.static_vectors import StaticVectors
from elmo.embed.embedder import Embedder
from elmo.paper.report import Table
from elmo.search.index import Index, Layer, Neighbour, falling, layer_name, plain_word, unit


def neighbours(
    index: Index,
    embedder: Embedder,
    words: Sequence[str],
    position: int,
    layer: Layer = "top",
    k: int = 10,
    *,
    same_word: bool = False,
    stem: str | None = None,
    once: bool = True,
) -> list[Neighbour]:
    """The uses in a corpus that are nearest to the word at a position of a sentence; not those of the sentence itself.

    ``same_word``: other uses of this word only; ``stem``: of words that begin so (손 for 손을 and 손이). For ``once``
    see ``Index.search``.
    """
    index.check(embedder)
    vector = embedder.embed([list(words)], layer)[0].layers[position]  # (D,)
    word = stem or (words[position] if same_word else None)
    return index.search(vector, layer, k, word, prefix=stem is not None, exclude_sentence=words, once=once)


def find_word(words: Sequence[str], word: str, occurrence: int = 1) -> int:
    """Where a word stands in a sentence: as it is, else in another case, else, in Korean, with particles behind it.

    ``occurrence``: which one of several, from 1.
    """
    plain = plain_word(word)
    korean = plain != "" and "가" <= plain[-1] <= "힣"
    places = (
        [place for place, other in enumerate(words) if other == word]
        or [place for place, other in enumerate(words) if plain_word(other) == plain]
        or [place for place, other in enumerate(words) if korean and plain_word(other).startswith(plain)]
    )
    sentence = " ".join(words)
    if not places:
        raise ValueError(f"{word!r} is not a word of: {sentence}")
    if not 1 <= occurrence <= len(places):
        raise ValueError(f"{word!r} stands {len(places)} times, so there is no number {occurrence}, in: {sentence}")
    return places[occurrence - 1]


def static_neighbours(vectors: StaticVectors, word: str, k: int = 10) -> list[tuple[str, float]]:
    """The words with the nearest static vectors, and how near; the word is looked up as it is, then in lower case."""
    rows = {known: row for row, known in enumerate(vectors.words)}
    row = rows.get(word, rows.get(word.lower()))
    if row is None:
        raise ValueError(f"{word!r} has no static vector")
    units = unit(vectors.values)  # (words, D)
    similarities = units @ units[row]
    near = [place for place, _ in zip(falling(similarities), range(k + 1), strict=False) if place != row]
    return [(vectors.words[place], float(similarities[place])) for place in near[:k]]


def show_neighbours(
    words: Sequence[str],
    position: int,
    found: Sequence[Neighbour],
    static: Sequence[tuple[str, float]] = (),
    note: str = "",
) -> Group:
    """For the terminal: the sentence, its neighbours with their similarity, and the word's static neighbours."""
    lines = RichTable.grid(padding=(0, 2))
    lines.add_column(justify="right", style="cyan")
    lines.add_column()
    lines.add_row("", _text(words, position))
    for neighbour in found:
        lines.add_row(f"{neighbour.similarity:.3f}", _text(neighbour.words, neighbour.position))
    if not found:
        lines.add_row("", Text("no other use in the corpus", style="italic"))
    below = [Text(f"({note})", style="dim")] if note else []
    if static:
        named = ", ".join(f"{other} {similarity:.2f}" for other, similarity in static)
        below.append(Text.assemble("static vectors: ", named))
    return Group(lines, *below)


def table4(
    index: Index,
    embedder: Embedder,
    queries: Sequence[tuple[Sequence[str], int]],
    vectors: StaticVectors | None = None,
    layer: Layer = "top",
    k: int = 3,
    *,
    same_word: bool = False,
) -> Table:
    """The paper's table: static neighbours of the word, then each sentence (words, position) with its nearest uses."""
    rows = []
    if vectors is not None:
        for word in dict.fromkeys(words[position].lower() for words, position in queries):
            near = ", ".join(other for other, _ in static_neighbours(vectors, word, 10))
            rows.append(["static", word, near])
    for words, position in queries:
        found = neighbours(index, embedder, words, position, layer, k, same_word=same_word)
        for number, neighbour in enumerate(found):
            query = "*".join(_parts(words, position)) if number == 0 else ""
            near = f"{'*'.join(_parts(neighbour.words, neighbour.position))} ({neighbour.similarity:.2f})"
            rows.append(["biLM" if number == 0 else "", query, near])
    facts = index.facts
    note = (
        f"Layer {layer_name(layer, facts.n_layers)} of the biLM; neighbours from {facts.sentences:,} sentences "
        f"({facts.tokens:,} words){', uses of the same word only' if same_word else ''}. In brackets, the cosine."
    )
    return Table("Nearest neighbours of a word in context", ["source", "word", "nearest neighbours"], rows, note)


def _parts(words: Sequence[str], position: int, around: int = 20) -> tuple[str, str, str]:
    """What stands before the word, the word, and what follows; long sentences are cut."""
    start, end = max(0, position - around), position + 1 + around
    before = "".join(word + " " for word in words[start:position])
    after = "".join(" " + word for word in words[position + 1 : end])
    return ("… " if start else "") + before, words[position], after + (" …" if end < len(words) else "")


def _text(words: Sequence[str], position: int) -> Text:
    before, word, after = _parts(words, position)
    return Text.assemble(before, (f"[{word}]", "bold"), after)
