"""``elmo analyze``: what the layers of a model encode, as tables and figures."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from elmo.cli.app import App
from elmo.cli.options import (
    CorpusOption,
    CoveOption,
    DataOption,
    DeviceOption,
    LayerOption,
    ModelOption,
    ModelsOption,
    PretokenizedOption,
    ResultsOption,
    ResumeOption,
    RunOption,
    SeedOption,
    TextsArgument,
    VectorsOption,
    chosen_device,
)
from elmo.cli.reproduce import produce

if TYPE_CHECKING:
    from elmo.paper.exhibit import Setup

app = App(
    name="analyze",
    help="Analyze what the layers of a model encode: word senses, parts of speech, geometry.",
    no_args_is_help=True,
)

SemcorOption = Annotated[
    Path | None, typer.Option("--semcor", help="SemCor as JSON lines (default: the file in the data folder).")
]


@app.command(epilog="Example: elmo analyze wsd --data data --model small --vectors glove.txt")
def wsd(
    data: DataOption = None,
    model: ModelsOption = None,
    vectors: VectorsOption = None,
    cove: CoveOption = None,
    semcor: SemcorOption = None,
    sets: Annotated[
        Path | None,
        typer.Option(help="Folder of evaluation sets in the XML format of Raganato et al. (default: the data folder)."),
    ] = None,
    wordnet: Annotated[
        Path | None, typer.Option(help="WordNet's dict folder or index.sense file (default: in the data folder).")
    ] = None,
    output: ResultsOption = Path("results"),
    device: DeviceOption = "auto",
) -> None:
    """Disambiguate word senses with every layer (table 5 of the paper).

    A word is assigned the sense whose mean vector in SemCor is nearest. Files that are not given are found in the
    folder tasks/wsd of the data.
    """
    from elmo.paper.probes.wsd import WordSenses

    produce(WordSenses(semcor, sets, wordnet), _setup(output, device, model, data, vectors, cove), [semcor, wordnet])


@app.command(epilog="Example: elmo analyze pos --train train.conllu --dev dev.conllu --test test.conllu --model small")
def pos(
    train: Annotated[
        Path | None, typer.Option(help="Training data: CoNLL-U, lines of word/TAG, or bracketed trees.")
    ] = None,
    dev: Annotated[Path | None, typer.Option(help="Development data, used to choose the regularization.")] = None,
    test: Annotated[Path | None, typer.Option(help="Test data.")] = None,
    column: Annotated[
        Literal["xpos", "upos"], typer.Option(help="Column of a CoNLL-U file that has the tags.")
    ] = "xpos",
    data: DataOption = None,
    model: ModelsOption = None,
    vectors: VectorsOption = None,
    cove: CoveOption = None,
    output: ResultsOption = Path("results"),
    device: DeviceOption = "auto",
) -> None:
    """Tag parts of speech with a linear probe on every layer (table 6 of the paper).

    Files that are not given are found in the folder tasks/pos of the data.
    """
    from elmo.paper.probes.pos import PartsOfSpeech

    exhibit = PartsOfSpeech(train, dev, test, column)
    produce(exhibit, _setup(output, device, model, data, vectors, cove), [train, dev, test])


@app.command(epilog="Example: elmo analyze play --data data --vectors glove.txt")
def play(
    data: DataOption = None,
    model: ModelsOption = None,
    vectors: VectorsOption = None,
    semcor: SemcorOption = None,
    output: ResultsOption = Path("results"),
    device: DeviceOption = "auto",
) -> None:
    """Find the nearest neighbors of "play" in the theater and in sports, in SemCor (table 4 of the paper).

    Also measures how often the nearest neighbors have the right sense, on a hundred labeled sentences.
    """
    from elmo.paper.probes.neighbors import PlayNeighbors

    produce(PlayNeighbors(semcor), _setup(output, device, model, data, vectors), [semcor])


@app.command("cove-train", epilog="Example: elmo analyze cove-train pairs.txt --vectors glove.txt -o cove --quick")
def cove_train(
    pairs: Annotated[
        Path, typer.Argument(metavar="PAIRS", help="English and German sentences, separated by a tab on each line.")
    ],
    vectors: Annotated[Path, typer.Option(help="Text file of static word vectors (GloVe) that the encoder reads.")],
    output: RunOption,
    recipe: Annotated[Path | None, typer.Option(help="Recipe as a .json file (default: the one for CoVe).")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Train a small model, in minutes on a CPU.")] = False,
    seed: SeedOption = 1,
    resume: ResumeOption = False,
    device: DeviceOption = "auto",
) -> None:
    """Train CoVe (McCann et al. 2017), the encoder of a translation model, to compare ELMo with."""
    from elmo.paper.cove.training import read_cove_recipe, train_cove

    chosen = read_cove_recipe(recipe, quick=quick)
    metrics = train_cove(pairs, vectors, output, chosen, chosen_device(device), seed=seed, resume=resume)
    typer.echo(f"written: {output}", err=True)
    typer.echo(f"held-out perplexity {metrics['perplexity']:.2f}, accuracy {100 * metrics['accuracy']:.1f} %")


@app.command(epilog="Example: elmo analyze geometry text.txt --model small --vectors glove.txt")
def geometry(
    texts: TextsArgument,
    model: ModelsOption = None,
    vectors: VectorsOption = None,
    cove: CoveOption = None,
    max_sentences: Annotated[
        int, typer.Option("--max-sentences", "--most", min=1, help="Maximum number of sentences to read.")
    ] = 10_000,
    seed: SeedOption = 1,
    pretokenized: PretokenizedOption = False,
    output: ResultsOption = Path("results"),
    device: DeviceOption = "auto",
) -> None:
    """Measure how similar vectors are: of random words, of a word in different contexts, of layers."""
    from elmo.paper.probes.geometry import Geometry

    exhibit = Geometry(texts, max_sentences, seed, pretokenized)
    produce(exhibit, _setup(output, device, model, vectors=vectors, cove=cove), texts)


@app.command("map", epilog="Example: elmo analyze map play --corpus text.txt --layer top")
def map_word(
    word: Annotated[str, typer.Argument(metavar="WORD", help="Word whose occurrences are mapped.")],
    corpus: CorpusOption = None,
    senses: Annotated[
        Path | None, typer.Option(help="File to use in place of a corpus: lines with a sense, a tab and a sentence.")
    ] = None,
    model: ModelOption = None,
    layer: LayerOption = "top",
    method: Annotated[
        Literal["auto", "pca", "umap"], typer.Option(help="Projection; auto is UMAP if it is installed, otherwise PCA.")
    ] = "auto",
    max_occurrences: Annotated[
        int, typer.Option("--max-occurrences", "--most", min=1, help="Maximum number of occurrences to draw.")
    ] = 500,
    pretokenized: PretokenizedOption = False,
    output: ResultsOption = Path("results"),
    device: DeviceOption = "auto",
) -> None:
    """Draw all occurrences of a word in a text, colored by cluster or by sense.

    Without --corpus or --senses, they come from a sample text: short English or Korean sentences around words with
    several meanings.
    """
    from elmo.paper.probes.maps import WordMapFigure

    if corpus is not None and senses is not None:
        raise ValueError("give --corpus or --senses, not both")
    exhibit = WordMapFigure(word, corpus, senses, layer, method, max_occurrences, pretokenized)
    produce(exhibit, _setup(output, device, [model] if model else None), [*(corpus or ()), senses])


@app.command(epilog="Example: elmo analyze homonyms --senses homonyms.tsv --vectors glove.txt")
def homonyms(
    senses: Annotated[
        Path | None,
        typer.Option(
            help="File of labeled sentences: lines with a word, its sense, the sense in English (optional) and a "
            "sentence, separated by tabs (default: the Korean sample text)."
        ),
    ] = None,
    word: Annotated[
        list[str] | None, typer.Option("--word", help="Word to measure (default: all). Repeat it for several.")
    ] = None,
    model: ModelsOption = None,
    vectors: VectorsOption = None,
    layer: LayerOption = "top",
    method: Annotated[
        Literal["auto", "pca", "umap"], typer.Option(help="Projection; auto is UMAP if it is installed, otherwise PCA.")
    ] = "pca",
    output: ResultsOption = Path("results"),
    device: DeviceOption = "auto",
) -> None:
    """Measure whether the occurrences nearest to a homonym have its sense, and draw maps colored by sense.

    Every occurrence is compared with the other occurrences of its word, in every layer. --layer selects the layer of
    the maps.
    """
    from elmo.paper.probes.homonyms import Homonyms

    exhibit = Homonyms(senses, tuple(word or ()), layer, method)
    produce(exhibit, _setup(output, device, model, vectors=vectors), [senses])


@app.command(epilog="Example: elmo analyze contamination text.txt --data data")
def contamination(texts: TextsArgument, data: DataOption = None, output: ResultsOption = Path("results")) -> None:
    """Measure which part of the evaluation data occurs in a training text.

    A passage, document or sentence is contaminated if at least 70 % of its 8-grams of words occur in the text. The
    names of contaminated passages and documents are written to contamination-units.jsonl.
    """
    from elmo.paper.contamination import Contamination

    produce(Contamination(texts), _setup(output, "cpu", None, data), texts)


def _setup(
    output: Path,
    device: str,
    models: list[str] | None,
    data: Path | None = None,
    vectors: Path | None = None,
    cove: Path | None = None,
) -> "Setup":
    from elmo.paper.exhibit import Setup
    from elmo.weights.locate import DEFAULT

    return Setup(output, data, tuple(models or [DEFAULT]), vectors, cove, chosen_device(device))
