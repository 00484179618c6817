"""``elmo neighbors``: the occurrences in a corpus that are nearest to a word in a sentence."""

import json as json_module
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elmo.cli.options import (
    CorpusOption,
    CountOption,
    DeviceOption,
    JsonOption,
    LayerOption,
    ModelOption,
    PretokenizedOption,
    VectorsOption,
    chosen_device,
    tokenizer_of,
)

if TYPE_CHECKING:
    from rich.console import Group
    from rich.text import Text

    from elmo.search.occurrences import Neighbor


def neighbors(
    word: Annotated[str, typer.Argument(metavar="WORD", help="Word to find neighbors of.")],
    sentence: Annotated[str, typer.Option("--in", help="Sentence that contains the word.")],
    corpus: CorpusOption = None,
    model: ModelOption = None,
    layer: LayerOption = "top",
    count: CountOption = 10,
    same_word: Annotated[
        bool, typer.Option("--same-word", help="Search only other occurrences of the same word.")
    ] = False,
    stem: Annotated[
        str | None, typer.Option(help="Search only words that start with this (for Korean: 손 finds 손을 and 손이).")
    ] = None,
    occurrence: Annotated[
        int, typer.Option(help="Which occurrence to use if the sentence contains the word several times.")
    ] = 1,
    vectors: VectorsOption = None,
    index: Annotated[Path | None, typer.Option(help="Folder of the index (default: in the user's cache).")] = None,
    pretokenized: PretokenizedOption = False,
    device: DeviceOption = "auto",
    json: JsonOption = False,
) -> None:
    """Find the nearest neighbors of a word in context.

    Without --corpus, a sample text is searched: short English or Korean sentences around words with several meanings,
    such as "play" and 손. The model reads a corpus once and stores its vectors in an index; further searches are fast.
    With --vectors, the neighbors of the word by static vectors are shown as well.
    """
    from rich.console import Console
    from tqdm import tqdm

    from elmo.datasets.static_vectors import read_vectors
    from elmo.embed.embedder import load
    from elmo.search.index import build_index, default_index_folder
    from elmo.search.occurrences import Occurrences, find_word, split_context
    from elmo.search.sample_texts import raw_tokenizer, sample_for
    from elmo.search.static_neighbors import StaticNeighbors
    from elmo.text.alignment import spacing
    from elmo.text.reading import find_texts, read_raw_sentences
    from elmo.text.tokens import tokenizer
    from elmo.weights.locate import DEFAULT

    embedder = load(model, device=chosen_device(device))
    split = tokenizer_of(embedder.config, pretokenized)
    words = tokenizer(split).words(sentence)
    position = find_word(words, word, occurrence)
    chosen: Any = int(layer) if layer.isdecimal() else layer
    if corpus is None:
        sample = sample_for(embedder.mismatch, embedder.config.tokenizer)
        texts = [sample.path]
        text = Occurrences.of(sample.sentences(), raw_tokenizer(embedder.config.tokenizer))
    else:
        texts = find_texts(corpus)
        text = Occurrences.of(read_raw_sentences(corpus, split), split)
    if reason := embedder.mismatch([words]) or embedder.mismatch(text.sentences()):
        typer.echo(f"warning: {reason}", err=True)
    folder = index or default_index_folder(model or DEFAULT, layer, texts)
    total = len(text.word_ids)
    with tqdm(total=total, desc="index", unit=" words", unit_scale=True, disable=None, leave=False) as bar:
        built = build_index(embedder, text, folder, chosen, bar.update)
    found = built.neighbors(embedder, words, position, chosen, count, same_word=same_word, stem=stem)
    static = None
    if vectors is not None:
        all_static = StaticNeighbors(read_vectors(vectors))
        static = all_static.nearest(words[position], count) if words[position] in all_static else []
    if json:
        content: dict[str, Any] = {"tokens": words, "index": position, "neighbors": [near.to_dict() for near in found]}
        if static is not None:
            content["static"] = [{"word": other, "similarity": similarity} for other, similarity in static]
        typer.echo(json_module.dumps(content, ensure_ascii=False))
        return
    query = split_context(words, position, spaced=spacing(sentence, words))
    Console(highlight=False, soft_wrap=True).print(format_neighbors(query, found, static, built.note))


def format_neighbors(
    query: tuple[str, str, str],
    found: "Sequence[Neighbor]",
    static: Sequence[tuple[str, float]] | None = None,
    note: str = "",
) -> "Group":
    """Format a word in context, its neighbors with their similarities, and its static neighbors for the terminal.

    There are no static neighbors if the word has no static vector; None if there are no static vectors at all.
    """
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    lines = Table.grid(padding=(0, 2))
    lines.add_column(justify="right", style="cyan")
    lines.add_column()
    lines.add_row("", _highlighted(*query))
    for neighbor in found:
        lines.add_row(f"{neighbor.similarity:.3f}", _highlighted(*neighbor.context()))
    if not found:
        lines.add_row("", Text("no other occurrence in the corpus", style="italic"))
    below = [Text(f"({note})", style="dim")] if note else []
    if static is not None:
        named = ", ".join(f"{other} {similarity:.2f}" for other, similarity in static) or "the word has none"
        below.append(Text.assemble("static vectors: ", named))
    return Group(lines, *below)


def _highlighted(before: str, word: str, after: str) -> "Text":
    from rich.text import Text

    return Text.assemble(before, (f"[{word}]", "bold"), after)
