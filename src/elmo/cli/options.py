"""Options and arguments that have the same name, type and help text in every command that accepts them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from elmo.config import BiLMConfig, InitialState, Merge, Pool, Precision, Tokenize, TokenizerName
from elmo.settings import MAX_SEED

# What a command reads.
ModelOption = Annotated[
    str | None,
    typer.Option("--model", "-m", help="Name, folder, zip archive or Hub id of a model (default: the bundled model)."),
]
ModelsOption = Annotated[
    list[str] | None,
    typer.Option("--model", "-m", help="Name, folder or Hub id of a model. Repeat the option to compare models."),
]
_TEXTS = typer.Argument(
    metavar="TEXT", help="Text files (plain, .gz, .xz, .bz2 or .zst), folders of them, or - for standard input."
)
TextsArgument = Annotated[list[Path], _TEXTS]
ModelAndTextsArgument = Annotated[list[str], _TEXTS]
"""Texts of a command that used to take the model before them; see ``model_and_texts``."""
OptionalModelAndTextsArgument = Annotated[list[str] | None, _TEXTS]
"""The same in a command that needs no text with ``--resume``."""
HeldoutOption = Annotated[
    list[Path] | None,
    typer.Option("--heldout", help="Text file held out for validation. Repeat the option to hold out several files."),
]
CorpusOption = Annotated[
    list[Path] | None,
    typer.Option("--corpus", help="Text file or folder to search. Repeat the option to search several."),
]
DataOption = Annotated[
    Path | None, typer.Option("--data", help="Folder that contains the datasets (default: $ELMO_DATA).")
]
VectorsOption = Annotated[
    Path | None, typer.Option("--vectors", help="Text file of static word vectors, such as GloVe.")
]
CoveOption = Annotated[
    Path | None,
    typer.Option("--cove", help="Folder of a CoVe model to compare with, from elmo analyze cove-train."),
]

# How text becomes vectors.
LayersOption = Annotated[
    str,
    typer.Option("--layers", help="Layers to return: all, top, average, or the index of one (0 is the token layer)."),
]
LayerOption = Annotated[
    str,
    typer.Option("--layer", help="Layer to compare: top, average, or the index of one (0 is the token layer)."),
]
PoolOption = Annotated[
    Pool | None, typer.Option("--pool", help="Pool the word vectors of each sentence into a single vector.")
]
TokenizeOption = Annotated[
    Tokenize,
    typer.Option("--tokenize", help="Tokenizer: the one that the model names, words, whitespace, or korean."),
]
MergeOption = Annotated[
    Merge | None,
    typer.Option(
        "--merge", help="Return one vector per whitespace-separated word: the mean of its tokens, or the last one."
    ),
]
PretokenizedOption = Annotated[
    bool,
    typer.Option("--pretokenized", help="Treat every line as one sentence whose tokens are separated by spaces."),
]
InitialStateOption = Annotated[
    InitialState,
    typer.Option(
        "--initial-state",
        "--state",
        help="LSTM state at the start of each sentence: zero, warm (the state after a fixed warm-up text), or carry "
        "(the state after the previous sentence).",
    ),
]

CountOption = Annotated[int, typer.Option("--count", "-n", min=1, help="Number of results to show, the best first.")]

# How the computation runs.
DeviceOption = Annotated[
    str, typer.Option("--device", help="Device to compute on: cpu, cuda, or auto (a GPU if one is available).")
]
PrecisionOption = Annotated[
    Precision,
    typer.Option("--precision", help="Numeric precision: float32 is exact; bf16 and int8 (CPU only) are faster."),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, max=MAX_SEED, help="Seed of the random number generators.")]

# What a command writes.
OutputOption = Annotated[Path, typer.Option("--output", "-o", help="File to write.")]
RunOption = Annotated[
    Path, typer.Option("--output", "-o", help="Folder for the run: logs, checkpoints and the trained model.")
]
ResultsOption = Annotated[Path, typer.Option("--output", "-o", help="Folder for tables, figures and results.")]
OverwriteOption = Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def given(context: typer.Context, **options: Any) -> dict[str, Any]:
    """Return those of the options, by the names of their parameters, that were given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in options}
    return {name: options[name] for name, source in sources.items() if source and source.name == "COMMANDLINE"}


def tokenizer_of(model: BiLMConfig, pretokenized: bool) -> TokenizerName:
    """Return the tokenizer for the text of a command: the model's, unless the text is tokenized."""
    return "whitespace" if pretokenized else model.tokenizer


def model_and_texts(model: str | None, arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Separate the model from the texts, in the older spelling ``COMMAND MODEL TEXT ...`` of some commands.

    Args:
        model: The value of ``--model``.
        arguments: The arguments of the command. Without ``--model``, the first of several may name a model.

    Returns:
        The model, None if it is the default one, and the texts.
    """
    if model is None and len(arguments) > 1 and _names_a_model(arguments[0]):
        return arguments[0], list(arguments[1:])
    return model, list(arguments)


def _names_a_model(argument: str) -> bool:
    """Whether an argument can be a model but not a text."""
    from elmo.files import RUN_FILE
    from elmo.weights.archives import is_archive
    from elmo.weights.locate import HUB_ID, kind_of_name

    path = Path(argument)
    if kind_of_name(argument):
        return True
    if path.is_dir():
        return any((path / name).is_file() for name in ("config.json", "options.json", RUN_FILE))
    if path.exists():
        return is_archive(path)
    return HUB_ID.fullmatch(argument) is not None and not path.parent.exists()


def chosen_device(name: str) -> str:
    """Return the device that ``--device`` names, with "auto" resolved to a GPU if one is available.

    Raises:
        ValueError: If the device is unknown or cannot be used on this machine.
    """
    import torch

    from elmo.engines.devices import checked_device

    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return str(checked_device(name, "--device"))
