"""``elmo neighbors``: the uses in a corpus that are nearest to a word in its sentence."""

from pathlib import Path
from typing import Annotated

import typer

from elmo.cli.options import chosen_device


def neighbors(
    word: Annotated[str, typer.Argument(help="A word of the sentence.")],
    sentence: Annotated[str, typer.Option("--in", help="The sentence it stands in.")],
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="Text files or folders (repeat the option); default: a hundred sentences with play."),
    ] = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="A model's name or folder.")] = None,
    layer: Annotated[str, typer.Option(help="top, average, or a number from 0.")] = "top",
    count: Annotated[int, typer.Option("-k", help="How many neighbours.")] = 10,
    same_word: Annotated[bool, typer.Option("--same-word", help="Other uses of the same word only.")] = False,
    stem: Annotated[str | None, typer.Option(help="Uses of words that begin so only (Korean: 손).")] = None,
    occurrence: Annotated[int, typer.Option(help="Which one, where the word stands several times.")] = 1,
    vectors: Annotated[Path | None, typer.Option(help="Static word vectors, to compare with.")] = None,
    index: Annotated[Path | None, typer.Option(help="Folder of the index (default: in the user's cache).")] = None,
    pretokenised: Annotated[
        bool, typer.Option("--pretokenised", help="Lines are sentences, words stand apart.")
    ] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
) -> None:
    """Show the nearest uses of a word in context, and the neighbours of the word in static vectors.

    The corpus is read by the model once; after that the index is only looked up.
    """
    from rich.console import Console
    from tqdm import tqdm

    from elmo.datasets.static_vectors import read_vectors
    from elmo.embed.embedder import load
    from elmo.paper.probes.neighbors import show_neighbours
    from elmo.paper.probes.play import PLAY, read_uses
    from elmo.search.index import build_index, default_index_folder
    from elmo.search.occurrences import find_word
    from elmo.search.static_neighbors import StaticNeighbors
    from elmo.text.reading import find_texts, read_sentences
    from elmo.text.tokens import words as split_words
    from elmo.weights.locate import DEFAULT

    words = sentence.split() if pretokenised else split_words(sentence)
    place = find_word(words, word, occurrence)
    chosen = int(layer) if layer.isdecimal() else layer
    device = chosen_device(device)
    embedder = load(model, device=device)
    if corpus is None:
        sentences = [list(use.words) for use in read_uses(PLAY)]
        texts = [PLAY]
    else:
        sentences = list(read_sentences(corpus, "whitespace" if pretokenised else "words"))
        texts = list(find_texts(corpus))
    folder = index or default_index_folder(model or DEFAULT, layer, texts)
    total = sum(map(len, sentences))
    with tqdm(total=total, desc="index", unit=" words", unit_scale=True, disable=None, leave=False) as bar:
        built = build_index(embedder, sentences, folder, chosen, bar.update)  # type: ignore[arg-type]
    found = built.neighbors(embedder, words, place, chosen, count, same_word=same_word, stem=stem)  # type: ignore[arg-type]
    static = () if vectors is None else StaticNeighbors(read_vectors(vectors)).nearest(words[place], count)
    Console(highlight=False, soft_wrap=True).print(show_neighbours(words, place, found, static, built.note))
