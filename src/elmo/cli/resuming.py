"""``--resume`` of the commands that train: what is given with it must agree with what the run recorded.

An option that is not given has the recorded value. A command says what it recorded for each option, and leaves out the
options that may change.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer


@dataclass(frozen=True)
class Recorded:
    """A recorded value that can be given in another form, such as a file under another name."""

    value: Any
    """The value as it was given when the run began, or a description of it."""
    agrees: Callable[[Any], bool]
    """Whether a given value means the same."""


def check_agreement(
    context: typer.Context, folder: Path, given: Mapping[str, Any], recorded: Mapping[str, Any]
) -> None:
    """Check the options that were given against what a run recorded.

    Args:
        context: The context of the command.
        folder: The run folder.
        given: The options that were given and must agree, by the names of their parameters (see
            ``elmo.cli.options.given``).
        recorded: What the run recorded for each option: a value, or a ``Recorded``. None and False say that the option
            was not given.

    Raises:
        ValueError: Naming the first option that differs, with both values.
    """
    for name, value in given.items():
        before = recorded[name]
        agrees = before.agrees(value) if isinstance(before, Recorded) else value == before
        if not agrees:
            shown = _shown(before.value if isinstance(before, Recorded) else before)
            started = f"with {shown}" if shown else "without it"
            if shown == _shown(value):
                difference = f"{_shown(value)} ({_option(context, name)}) has changed since the run was started"
            elif value is True:
                difference = f"{_option(context, name)} is given, but the run was started {started}"
            else:
                difference = f"{_option(context, name)} is {_shown(value)}, but the run was started {started}"
            raise ValueError(f"{folder}: cannot be resumed: {difference}")


def check_recipe(
    folder: Path, name: str, recipe: Mapping[str, Any], recorded: Mapping[str, Any], free: Iterable[str] = ()
) -> None:
    """Check a recipe that was given against the recorded one.

    Args:
        folder: The run folder.
        name: The recipe as it was given.
        recipe: Its content, with the changes by other options.
        recorded: The recorded recipe, with the same changes.
        free: Settings that may differ, as ``section.name``.

    Raises:
        ValueError: Naming the first setting that differs, with both values.
    """
    from elmo.train.run import differences

    for section, settings in recipe.items():
        for key, now, before in differences(section, settings, recorded[section]):
            if key not in free:
                raise ValueError(
                    f"{folder}: cannot be resumed: {key} is {now} in --recipe {name}, but the run was started with "
                    f"{before}"
                )


def same_model(recorded: str | Path | None, fingerprint: str | None) -> Recorded:
    """Return the record of a model, which may be given under another name or from another folder.

    Args:
        recorded: The name or folder that the run recorded; None if it recorded none.
        fingerprint: The fingerprint of the model; None if the run has no model.
    """

    def agrees(name: str) -> bool:
        from elmo.weights.locate import locate, read_model

        if fingerprint is None or name == str(recorded):  # a model that has changed is found when it is read
            return fingerprint is not None
        return read_model(locate(name)).fingerprint() == fingerprint

    return Recorded(recorded or (fingerprint and f"the model {fingerprint[:12]}"), agrees)


def same_texts(recorded: Sequence[Mapping[str, Any]]) -> Recorded:
    """Return the record of text files, which may be given from another folder; see ``same_inputs``."""

    def agrees(texts: Sequence[str | Path]) -> bool:
        from elmo.train.corpus.corpus import same_inputs

        return same_inputs(texts, recorded)

    return Recorded([text["name"] for text in recorded], agrees)


def same_paths(given: Sequence[str | Path], recorded: Sequence[str | Path]) -> bool:
    """Return whether paths are the same, seen from the working directory."""
    return [*map(os.path.abspath, given)] == [*map(os.path.abspath, recorded)]


def _option(context: typer.Context, name: str) -> str:
    """Return how a parameter is written on the command line."""
    parameter = next(parameter for parameter in context.command.params if parameter.name == name)
    return parameter.opts[0] if parameter.opts[0].startswith("-") else str(parameter.metavar)


def _shown(value: Any) -> str:
    """Return a value as it is given; an empty string if it was not given."""
    if value is True:
        return "it"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value[:3])) + (f" and {len(value) - 3} more" if len(value) > 3 else "")
    return "" if value is None or value is False else str(value)
