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
from elmo.search.index import Index, Layer, layer_name
from elmo.search.occurrences import Neighbor, split_context
from elmo.search.static_neighbors import StaticNeighbors


def show_neighbours(
    words: Sequence[str],
    position: int,
    found: Sequence[Neighbor],
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
        static = StaticNeighbors(vectors)
        for word in dict.fromkeys(words[position].lower() for words, position in queries):
            near = ", ".join(other for other, _ in static.nearest(word))
            rows.append(["static", word, near])
    for words, position in queries:
        found = index.neighbors(embedder, words, position, layer, k, same_word=same_word)
        for number, neighbour in enumerate(found):
            query = "*".join(split_context(words, position)) if number == 0 else ""
            near = f"{'*'.join(split_context(neighbour.words, neighbour.position))} ({neighbour.similarity:.2f})"
            rows.append(["biLM" if number == 0 else "", query, near])
    facts = index.metadata
    note = (
        f"Layer {layer_name(layer, facts.n_layers)} of the biLM; neighbours from {facts.sentences:,} sentences "
        f"({facts.tokens:,} words){', uses of the same word only' if same_word else ''}. In brackets, the cosine."
    )
    return Table("Nearest neighbours of a word in context", ["source", "word", "nearest neighbours"], rows, note)


def _text(words: Sequence[str], position: int) -> Text:
    before, word, after = split_context(words, position)
    return Text.assemble(before, (f"[{word}]", "bold"), after)
