"""Pretrain several models one after another on a machine that is reached by single commands, and pack each to be moved.

    python dev/train_models.py train OUTPUT NAME:RECIPE:CORPUS:MINUTES[:OPTION=VALUE...] ...
    python dev/train_models.py wait OUTPUT NAME [--seconds 500]

``train`` writes the run folder ``OUTPUT/NAME`` and the packed weights ``OUTPUT/NAME.packed`` (see ``dev/move.py``) of
each model. A run that fails is resumed twice. Options are ``from`` (the model to start from), ``seed``, ``rows``,
``length`` (tokens per row), ``dropout``, ``optimizer``, ``schedule``, ``learning_rate``, ``warmup_steps``,
``evaluate_every`` and ``save_every_minutes``. Start it in a session of its own (``setsid``).

``wait`` returns as soon as a model is packed. It fails at once if that will never happen, because training has failed
or does not run, so that a sequence of commands written in advance never waits for a model that nobody trains.
"""

import argparse
import dataclasses
import sys
import time
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import move

from elmo.train.corpus.corpus import open_corpus
from elmo.train.pretrain import Recipe, pretrain, read_recipe
from elmo.train.runtime import start_runtime

TRIES = 3
SILENCE = 120
"""Seconds without a sign of life after which training counts as dead; reading a large corpus takes half a minute."""


def parse(text: str) -> tuple[str, Recipe, Path, dict[str, Any]]:
    """Return the name, recipe, corpus and further arguments of ``pretrain`` for a model."""
    name, recipe_name, corpus, minutes, *options = text.split(":")
    given = dict(option.split("=", 1) for option in options)
    others = {"start": given.pop("from", None), "seed": int(given.pop("seed", "0"))}
    numbers = {"rows": ("rows", int), "length": ("steps", int), "dropout": ("dropout", float)}
    shape = {field: kind(given.pop(key)) for key, (field, kind) in numbers.items() if key in given}
    training: dict[str, Any] = {"minutes": float(minutes), "epochs": None, "steps": None}
    kinds = {"optimizer": str, "schedule": str, "learning_rate": float, "warmup_steps": int}
    kinds |= {"evaluate_every": int, "save_every_minutes": float}
    training |= {key: kind(given.pop(key)) for key, kind in kinds.items() if key in given}
    if given:
        sys.exit(f"unknown options: {', '.join(given)}")
    recipe = read_recipe(recipe_name)
    recipe = dataclasses.replace(
        recipe,
        rows=dataclasses.replace(recipe.rows, **shape),
        training=dataclasses.replace(recipe.training, **training),
    )
    return name, recipe, Path(corpus), others


def train(output: Path, models: list[str]) -> None:
    """Train and pack all models."""
    output.mkdir(parents=True, exist_ok=True)
    for name, recipe, corpus, others in [parse(text) for text in models]:
        run = output / name
        (output / f"{name}.started").touch()
        for attempt in range(1, TRIES + 1):
            try:
                with start_runtime() as runtime:
                    resume = (run / "run.json").exists()
                    result = pretrain(open_corpus(corpus), recipe, run, runtime, resume=resume, **others)
                print(f"{name}: {result}", flush=True)
                break
            except Exception:
                traceback.print_exc()
                if attempt == TRIES:
                    (output / f"{name}.failed").touch()
                    raise
        move.pack_model(SimpleNamespace(run=run, parts=output / f"{name}.packed", part=0, of=1))
        (output / f"{name}.done").touch()


def wait(output: Path, name: str, seconds: float) -> None:
    """Wait until a model is packed, at most so many seconds; exit with 1 if it will not be."""
    end = time.monotonic() + seconds
    while not (output / f"{name}.done").exists():
        signs = [
            *output.glob("*.started"),
            *output.glob("*/log.jsonl"),
            *output.glob("*/checkpoints"),
            *output.glob("*.packed"),
        ]
        last = max((path.stat().st_mtime for path in signs), default=0)
        if (output / f"{name}.failed").exists() or time.time() - last > SILENCE:
            sys.exit(f"{name}: nothing trains it")
        if time.monotonic() > end:
            print(f"{name}: still in training")
            return
        time.sleep(0.5)
    print(f"{name}: packed")


def main() -> None:
    """Run one of the two commands."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="train and pack models")
    training.add_argument("output", type=Path)
    training.add_argument("models", nargs="+", metavar="NAME:RECIPE:CORPUS:MINUTES[:OPTION=VALUE...]")
    waiting = commands.add_parser("wait", help="wait until a model is packed")
    waiting.add_argument("output", type=Path)
    waiting.add_argument("name")
    waiting.add_argument("--seconds", type=float, default=500)
    given = parser.parse_args()
    if given.command == "train":
        train(given.output, given.models)
    else:
        wait(given.output, given.name, given.seconds)


if __name__ == "__main__":
    main()
