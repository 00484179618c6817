"""The ``elmo`` command. An error that a user can cause is reported in one line, with exit code 2."""

import io
import os
import sys
import warnings
from collections.abc import Callable
from typing import Annotated, Any, NoReturn

import typer

from elmo import __version__
from elmo.cli.analyze import app as analyze
from elmo.cli.app import App
from elmo.cli.convert import convert
from elmo.cli.embed import embed
from elmo.cli.explore import explore
from elmo.cli.export import export
from elmo.cli.finetune import finetune
from elmo.cli.info import info
from elmo.cli.models import download, models
from elmo.cli.neighbors import neighbors
from elmo.cli.perplexity import perplexity, predict
from elmo.cli.prepare import prepare
from elmo.cli.pretrain import pretrain
from elmo.cli.reproduce import reproduce
from elmo.cli.serve import serve
from elmo.cli.task import app as task

OLD_SPELLINGS = {"neighbours": "neighbors", "analyse": "analyze", "pretokenised": "pretokenized", "k": "n"}
"""Names of commands and options that still work but are not shown, and the names that replaced them."""

app = App(
    name="elmo",
    help="ELMo: contextual word vectors from a bidirectional language model.",
    epilog="Example: elmo embed sentences.txt -o vectors.h5",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "token_normalize_func": lambda name: OLD_SPELLINGS.get(name, name),
    },
)
COMMANDS: dict[str, dict[Any, str]] = {
    "Use a model": {
        embed: "elmo embed sentences.txt -o vectors.h5 --model my-model --layers top",
        predict: 'elmo predict "The cat sat on the ___ ."',
        neighbors: 'elmo neighbors play --in "The play was sold out."',
        explore: "elmo explore my-text.txt --vectors glove.6B.100d.txt",
        serve: "elmo serve --model small --model mine=my-folder --port 8000",
        task: "elmo task train ner --train train.conll --dev dev.conll --elmo small -o run",
    },
    "Find, inspect and convert models": {
        models: "elmo models --language Korean",
        download: "elmo download english-small",
        info: "elmo info my-model",
        convert: "elmo convert published-model my-model",
        export: "elmo export small small.onnx",
    },
    "Train a model": {
        prepare: "elmo prepare text.txt.gz -o corpus --heldout dev.txt",
        pretrain: "elmo pretrain corpus -o run --recipe tiny --minutes 1",
        finetune: "elmo finetune domain.txt -o run",
        perplexity: "elmo perplexity text.txt --model small",
    },
    "Research": {
        analyze: "elmo analyze map play --corpus text.txt",
        reproduce: "elmo reproduce table1 --quick --data data --tasks ner,sst",
    },
}
"""The commands with an example each, by their panel in the help."""
for panel, examples in COMMANDS.items():
    for command, example in examples.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, epilog=f"Example: {example}", rich_help_panel=panel)
        else:
            app.command(epilog=f"Example: {example}", rich_help_panel=panel)(command)


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"elmo {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    pass


def main() -> NoReturn:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Text that the terminal's encoding lacks is escaped; it does not end the command.
            stream.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.showwarning = _each_warning_once()
        sys.exit(_run())


def _run() -> int:
    """Run the command line, and return the exit code."""
    code: int | None
    try:
        code = app(prog_name="elmo", standalone_mode=False)
        if code == 130:  # newer versions of typer turn Ctrl-C into this code and print nothing
            _report("interrupted", code)
    except KeyboardInterrupt:
        code = _report("interrupted", 130)
    except BrokenPipeError:  # the reader of our output has exited, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except OSError as error:
        code = _report(f"{error.filename}: {error.strerror}" if error.filename else str(error), 2)
    except ValueError as error:
        code = _report(str(error), 2)
    except typer.Abort:
        code = _report("interrupted", 130)
    except Exception as error:
        # Usage errors have a class of typer's own, which moved between its versions.
        if not hasattr(error, "format_message"):
            raise
        message = error.format_message().replace("Value error, ", "")  # newer versions of typer add this
        path = getattr(getattr(error, "ctx", None), "command_path", "elmo")
        code = _report(f"{message} (see {path} --help)", 2)
    return code or 0


def _each_warning_once() -> Callable[..., None]:
    """Return a function that writes a warning in one line, without the place in the code that Python adds.

    A warning that a command repeats, say for every figure, is written once. Python's own rule does not hold: it forgets
    what it has shown whenever a library changes the filters.
    """
    shown: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        line = " ".join(str(message).split())
        if line not in shown:
            shown.add(line)
            sys.stderr.write(f"warning: {line}\n")

    return show


def _report(message: str, code: int) -> int:
    """Write a one-line error message and return the exit code."""
    sys.stderr.write(f"elmo: {' '.join(message.split())}\n")
    return code
