"""``elmo analyze``: what the layers of a model know, as tables and pictures."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from elmo.cli.options import chosen_device

if TYPE_CHECKING:
    from elmo.paper.probes.sources import Source
    from elmo.paper.report import Table

app = typer.Typer(
    name="analyze", help="What the layers know: word senses, parts of speech, geometry, maps.", no_args_is_help=True
)

Models = Annotated[
    list[str] | None, typer.Option("--model", "-m", help="Models by name or folder (repeat the option).")
]
Vectors = Annotated[Path | None, typer.Option(help="Static word vectors, to compare with.")]
Cove = Annotated[Path | None, typer.Option(help="A CoVe of cove-train, to compare with.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="Folder for tables, pictures and results.")]
Device = Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")]
Data = Annotated[Path | None, typer.Option(help="Folder with the data (default: $ELMO_DATA).")]
Pretokenised = Annotated[bool, typer.Option("--pretokenised", help="Lines are sentences, words stand apart.")]

FILE = "analysis.jsonl"
"""Where the results are, in the folder of results."""


@app.command(epilog="Example: elmo analyze wsd --data data --model small --vectors glove.txt")
def wsd(
    data: Data = None,
    model: Models = None,
    vectors: Vectors = None,
    cove: Cove = None,
    semcor: Annotated[Path | None, typer.Option(help="SemCor as JSON lines, in place of the data folder's.")] = None,
    sets: Annotated[Path | None, typer.Option(help="Folder of evaluation sets (Raganato's XML).")] = None,
    wordnet: Annotated[Path | None, typer.Option(help="WordNet's dict folder.")] = None,
    output: Output = Path("results"),
    device: Device = "auto",
) -> None:
    """Word senses by the nearest mean vector of a sense, for every layer (table 5 of the paper)."""
    from elmo.datasets.folders import data_folder, unpacked_folder
    from elmo.datasets.semcor import read_evaluation_sets, read_semcor
    from elmo.datasets.wordnet import read_wordnet
    from elmo.paper.probes.wsd import disambiguate

    started = time.monotonic()
    if semcor is None or sets is None or wordnet is None:
        home = unpacked_folder(data_folder(data) / "tasks" / "wsd", output / "data")
        semcor = semcor or _only(home, "semcor*.jsonl*")
        wordnet = wordnet or _only(home, "index.sense*")
        sets = sets or home
    sources = _sources(model, vectors, cove, device)
    training, measured, senses = read_semcor(semcor), read_evaluation_sets(sets), read_wordnet(wordnet)
    with _bars() as progress:
        result = disambiguate(sources, training, measured, senses, progress)
    _report([result.table(), result.table_by_pos()], ["table5", "table5-by-pos"], output)
    _keep(result.results(), [semcor, wordnet], time.monotonic() - started, output)


@app.command(epilog="Example: elmo analyze pos --train train.conllu --dev dev.conllu --test test.conllu --model small")
def pos(
    train: Annotated[Path | None, typer.Option(help="CoNLL-U, word/TAG lines, or trees.")] = None,
    dev: Annotated[Path | None, typer.Option(help="Chooses the regularisation.")] = None,
    test: Annotated[Path | None, typer.Option(help="Measured once.")] = None,
    column: Annotated[Literal["xpos", "upos"], typer.Option(help="Which tags of a CoNLL-U file.")] = "xpos",
    data: Data = None,
    model: Models = None,
    vectors: Vectors = None,
    cove: Cove = None,
    output: Output = Path("results"),
    device: Device = "auto",
) -> None:
    """Parts of speech by a linear probe on every layer (table 6 of the paper).

    Files that are not named are looked for in the data folder, tasks/pos.
    """
    from elmo.datasets.conllu import read_tagged
    from elmo.datasets.folders import data_folder
    from elmo.paper.probes.pos import probe

    started = time.monotonic()
    if train is None or dev is None or test is None:
        home = data_folder(data) / "tasks" / "pos"
        train, dev, test = (
            given or _only(home, f"*{part}*") for part, given in (("train", train), ("dev", dev), ("test", test))
        )
    sources = _sources(model, vectors, cove, device)
    parts = [read_tagged(path, column) for path in (train, dev, test)]
    with _bars() as progress:
        result = probe(sources, *parts, device=chosen_device(device), progress=progress)
    _report([result.table()], ["table6"], output)
    _keep(result.results(), [train, dev, test], time.monotonic() - started, output)


@app.command(epilog="Example: elmo analyze play --data data --vectors glove.txt")
def play(
    data: Data = None,
    model: Models = None,
    vectors: Vectors = None,
    semcor: Annotated[Path | None, typer.Option(help="SemCor as JSON lines, in place of the data folder's.")] = None,
    output: Output = Path("results"),
    device: Device = "auto",
) -> None:
    """Neighbours of "play" in the theatre and in sports, from SemCor (table 4 of the paper).

    Then the same is judged on a list of uses that was written by hand.
    """
    from tqdm import tqdm

    from elmo.datasets.folders import data_folder, unpacked_folder
    from elmo.datasets.semcor import read_semcor
    from elmo.datasets.static_vectors import read_vectors
    from elmo.embed.embedder import load
    from elmo.paper.probes.neighbors import table4
    from elmo.paper.probes.play import PLAY, judge, read_uses
    from elmo.paper.probes.sources import BiLMSource
    from elmo.search.index import build_index
    from elmo.weights.locate import DEFAULT

    started = time.monotonic()
    if semcor is None:
        semcor = _only(unpacked_folder(data_folder(data) / "tasks" / "wsd", output / "data"), "semcor*.jsonl*")
    static = None if vectors is None else read_vectors(vectors)
    uses = read_uses(PLAY)
    sentences = [list(sentence.words) for sentence in read_semcor(semcor)]
    firsts = [next(use for use in uses if use.part == "query" and use.sense == sense) for sense in ("theatre", "sport")]
    queries = [(use.words, use.position) for use in firsts]
    for name in model or [DEFAULT]:
        label = Path(name).name
        embedder = load(name, device=chosen_device(device))
        with tqdm(total=sum(map(len, sentences)), desc=f"index, {label}", unit_scale=True, disable=None) as bar:
            index = build_index(embedder, sentences, output / "data" / f"semcor-{label}", "top", bar.update)
        judged = judge(BiLMSource(embedder, label), uses)
        tables = [
            table4(index, embedder, queries, static),
            table4(index, embedder, queries, static, same_word=True),
            judged.table(),
        ]
        _report(tables, [f"table4-{label}", f"table4-{label}-same-word", f"table4-{label}-judged"], output)
        found = [
            ("neighbours", "right", 100 * judged.share(layer), {"source": label, "layer": layer})
            for layer in judged.layers
        ]
        _keep(found, [PLAY], time.monotonic() - started, output)


@app.command("cove-train", epilog="Example: elmo analyze cove-train pairs.txt --vectors glove.txt -o cove --quick")
def cove_train(
    pairs: Annotated[Path, typer.Argument(help="English and German sentences, a tab between.")],
    vectors: Annotated[Path, typer.Option(help="Static word vectors that it reads (GloVe).")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the model.")],
    recipe: Annotated[Path | None, typer.Option(help="A .json file in place of the recipe that comes along.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Small, in minutes on a CPU.")] = False,
    seed: Annotated[int, typer.Option(help="Of all random choices.")] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    device: Device = "auto",
) -> None:
    """Train CoVe (McCann et al. 2017), to compare with: the encoder of a translator."""
    from elmo.paper.cove.training import read_cove_recipe, train_cove

    chosen = read_cove_recipe(recipe, quick=quick)
    metrics = train_cove(pairs, vectors, output, chosen, chosen_device(device), seed=seed, resume=resume)
    typer.echo(f"{output}: the model is ready", err=True)
    typer.echo(f"held-out perplexity {metrics['perplexity']:.2f}, accuracy {100 * metrics['accuracy']:.1f} %")


@app.command(epilog="Example: elmo analyze geometry text.txt --model small --vectors glove.txt")
def geometry(
    texts: Annotated[list[Path], typer.Argument(metavar="TEXT...", help="Text files or folders.")],
    model: Models = None,
    vectors: Vectors = None,
    cove: Cove = None,
    most: Annotated[int, typer.Option(help="Read at most so many sentences.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the pairs that are drawn.")] = 1,
    pretokenised: Pretokenised = False,
    output: Output = Path("results"),
    device: Device = "auto",
) -> None:
    """How the vectors lie: anisotropy, likeness of a word's uses, of a sentence's words, of layers."""
    from elmo.paper.probes.geometry import draw, geometry_table, measure
    from elmo.results import append_results

    sentences = _sentences(texts, most, pretokenised)
    results = [measure(source, sentences, seed) for source in _sources(model, vectors, cove, device)]
    tables = [geometry_table(results), *(result.words_table() for result in results if len(result.layers) > 1)]
    names = ["geometry", *(f"geometry-words-{number}" for number in range(1, len(tables)))]
    _report(tables, names, output, draw(results, output / "geometry"))
    append_results(output / FILE, [r for result in results for r in result.results()])


@app.command("map", epilog="Example: elmo analyze map play --corpus text.txt --layer top")
def map_word(
    word: Annotated[str, typer.Argument(help="The word whose uses are mapped.")],
    corpus: Annotated[list[Path] | None, typer.Option(help="Text files or folders (repeat the option).")] = None,
    senses: Annotated[Path | None, typer.Option(help="Lines of sense, tab, sentence, in place of a corpus.")] = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="A model's name or folder.")] = None,
    layer: Annotated[str, typer.Option(help="Its name or number.")] = "LSTM 2",
    method: Annotated[Literal["auto", "pca", "umap"], typer.Option(help="auto: UMAP where it is installed.")] = "auto",
    most: Annotated[int, typer.Option(help="At most so many uses.")] = 500,
    pretokenised: Pretokenised = False,
    output: Output = Path("results"),
    device: Device = "auto",
) -> None:
    """A picture of all uses of a word, coloured by cluster or sense."""
    from elmo.paper.probes.maps import draw, map_uses, read_senses

    if (corpus is None) == (senses is None):
        raise ValueError("give either --corpus or --senses")
    labels: Sequence[str] | None = None
    if senses is not None:
        labels, sentences = read_senses(senses, word)
    else:
        sentences = _sentences(corpus or [], None, pretokenised)
    (source,) = _sources([model] if model else None, None, None, device)
    found = map_uses(source, sentences, word, layer, senses=labels, most=most, method=method)
    name = f"map-{''.join(c if c.isalnum() else '_' for c in word)}"
    _report([found.table()], [name], output, draw(found, _stem(output, name)))


def _sources(models: Sequence[str] | None, vectors: Path | None, cove: Path | None, device: str) -> "list[Source]":
    from elmo.datasets.static_vectors import read_vectors
    from elmo.embed.embedder import load
    from elmo.paper.cove.model import load_cove
    from elmo.paper.probes.sources import BiLMSource, StaticSource
    from elmo.weights.locate import DEFAULT

    sources: list[Source] = []
    if vectors is not None:
        sources.append(StaticSource(read_vectors(vectors), vectors.name.split(".txt")[0]))
    if cove is not None:
        sources.append(load_cove(cove, chosen_device(device)))
    for name in models or [DEFAULT]:
        sources.append(BiLMSource(load(name, device=chosen_device(device)), Path(name).name))
    return sources


@contextlib.contextmanager
def _bars() -> Iterator[Callable[[str, int, int], None]]:
    """A function that is told what is done, and how much of how much; it draws a bar for each."""
    from tqdm import tqdm

    bars: dict[str, Any] = {}

    def progress(what: str, done: int, total: int) -> None:
        if what not in bars:
            bars[what] = tqdm(total=total, desc=what, unit_scale=True, disable=None)
        bars[what].update(done - bars[what].n)

    try:
        yield progress
    finally:
        for bar in bars.values():
            bar.close()


def _sentences(texts: Sequence[Path], most: int | None, pretokenised: bool) -> list[list[str]]:
    import itertools

    from elmo.text.reading import read_sentences

    found = list(itertools.islice(read_sentences(texts, "whitespace" if pretokenised else "words"), most))
    if not found:
        raise ValueError("the text has no sentences")
    return found


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(path for path in folder.rglob(pattern) if path.is_file())
    if len(found) != 1:
        raise ValueError(f"{folder}: has {len(found)} files like {pattern}, not one")
    return found[0]


def _stem(output: Path, name: str) -> Path:
    output.mkdir(parents=True, exist_ok=True)
    return output / name


def _report(tables: "Sequence[Table]", names: Sequence[str], output: Path, pictures: Sequence[Path] = ()) -> None:
    """Show tables and write them."""
    from rich.console import Console

    written = []
    for table, name in zip(tables, names, strict=True):
        Console().print(table.rich())
        written += table.write(_stem(output, name))
    typer.echo(f"written: {', '.join(map(str, [*written, *pictures]))}", err=True)


def _keep(
    found: Sequence[tuple[str, str, float, dict[str, Any]]], data: Sequence[Path], seconds: float, output: Path
) -> None:
    """Add results to the file of results, with where they come from."""
    import hashlib

    from elmo.results import Result, append_results, commit, machine, versions

    digest = hashlib.sha256()
    for path in data:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            digest.update(file.read_bytes() if file.is_file() else b"")
    rest = (0, commit(), versions(), digest.hexdigest(), machine(), round(seconds, 1))
    append_results(
        output / FILE, [Result(what, metric, value, *rest, details) for what, metric, value, details in found]
    )
