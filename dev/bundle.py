"""Add a trained model to the checkout, with quantized weights.

    python dev/bundle.py RUN NAME [--corpus CORPUS] [--before RUN] [--test TEXT] [--without-softmax]
                         [--vocabulary-size N] [--steps N N] [TEXT ...]

RUN is the folder of the trained model, and NAME the name under which ``elmo.load`` finds it. The default model belongs
to the core package, any other to a package of its own, ``models/NAME``, which is written as a whole.

The card of the model is ``dev/cards/NAME.md`` (``english.md`` for the English models) with numbers from ``run.json``,
from the run before, if the model was trained in two, from the corpus that the model was trained on, and from the texts;
without such a file, it is the card of the run. If texts are given and the model keeps its softmax, the script also
prints the perplexity on every tenth sentence before and after quantization, and that of the whole test text.
"""

import argparse
import itertools
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import torch

from elmo.config import BiLMConfig
from elmo.files import RUN_FILE
from elmo.model.bilm import BiLM
from elmo.model.softmax import Softmax
from elmo.text.reading import read_sentences
from elmo.text.vocabulary import Vocabulary
from elmo.train.perplexity import Perplexity, perplexity
from elmo.weights.folder import CARD_FILE, describe, read_folder, read_softmax, write_folder
from elmo.weights.locate import BUNDLED, DEFAULT, read_language_model

ROOT = Path(__file__).parents[1]
CARDS = Path(__file__).parent / "cards"
STEPS = (48, 31)
"""Quantization steps of the biLM and of the softmax. The rise in perplexity should stay below 0.5 %; these cost 0.2 %
(medium), 0.5 % (small) and 1.0 % (korean, whose biLM needs more than 48); 80 and 40 cost 0.04 to 0.2 %."""
MAX_BYTES = 48_000_000
"""Size of a model folder that can be committed."""
LANGUAGES = {"medium": "An English", "korean": "A Korean"}
"""How the description of a package begins."""
TEMPLATES = {"small": "english.md", "medium": "english.md"}
"""Cards that several models share; other models have cards of their own name."""

PYPROJECT = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "elmo-model-{name}"
version = "0.1.0"
description = "{description}, for elmo-torch."
readme = "README.md"
requires-python = ">=3.10"
license = "CC-BY-SA-4.0"
dependencies = ["elmo-torch{extra}"]

[project.entry-points."elmo.models"]
{name} = "elmo_model_{name}:FOLDER"

[tool.hatch.build.targets.wheel]
packages = ["src/elmo_model_{name}"]
"""
README = """# elmo-model-{name}

{description}, as a package for [elmo-torch](../../README.md).

```sh
pip install elmo-model-{name}    # in a checkout: pip install ./models/{name}
```

```python
import elmo

model = elmo.load("{name}")
```

The [model card](src/elmo_model_{name}/model/README.md) says how it was trained, how good it is, and under which license
it is shared.
"""
MODULE = '''"""The model ``{name}``: ``elmo.load("{name}")`` finds it here."""

from pathlib import Path

FOLDER = Path(__file__).parent / "model"
"""The model folder."""
'''


def package_files(name: str, config: BiLMConfig, parameters: int) -> dict[str, str]:
    """Return the files of a model package, apart from the model, by their path in the package."""
    extra = "[korean]" if config.tokenizer == "korean" else ""
    description = f"{LANGUAGES.get(name, 'An')} ELMo model with {parameters / 1e6:.0f} million parameters"
    return {
        path: text.format(name=name, description=description, extra=extra)
        for path, text in (
            ("pyproject.toml", PYPROJECT),
            ("README.md", README),
            (f"src/elmo_model_{name}/__init__.py", MODULE),
        )
    }


def parameter_count(bilm: BiLM) -> int:
    """Return the number of parameters as model cards state it."""
    return int(str(describe(bilm)["parameters"]).replace(",", ""))


def cut_vocabulary(softmax: Softmax, size: int) -> Softmax:
    """Return a softmax over the most frequent words, with which the vocabulary begins."""
    smaller = Softmax(Vocabulary(softmax.vocabulary.words[:size]), softmax.weight.shape[1])
    with torch.no_grad():
        smaller.weight.copy_(softmax.weight[:size])
        smaller.bias.copy_(softmax.bias[:size])
    return smaller


def amount(run: dict[str, Any]) -> str:
    """Say in words how long a run trained its model."""
    trained, settings, dropout = run["trained"], run["recipe"]["training"], run["recipe"]["rows"]["dropout"]
    machine = run["device"] if run["device"].endswith("cores") else f"one {run['device']}"
    return (
        f"{trained['step']:,} steps, {trained['tokens'] / 1e6:,.0f} million tokens ({trained['epochs']:.1f} epochs), "
        f"{trained['seconds'] / 60:.1f} minutes on {machine}, with {settings['optimizer'].capitalize()} at a "
        f"learning rate of {settings['learning_rate']}, dropout {dropout} and seed {run['seed']}"
    )


def perplexity_values(measured: Perplexity) -> dict[str, float]:
    """Return a perplexity as cards state it; its bits are per syllable of Korean text, else per character."""
    bits = measured.per_syllable or measured.per_character
    return {
        "forward": measured.forward,
        "backward": measured.backward,
        "mean": measured.arithmetic,
        "unknown": 100 * measured.unknown,
        "forward_bits": bits.forward,
        "backward_bits": bits.backward,
        "mean_bits": bits.mean,
    }


def card_values(
    run: dict[str, Any],
    before: dict[str, Any] | None,
    counts: dict[str, int],
    bilm: BiLM,
    softmax: Softmax | None,
    test: Perplexity | None,
) -> dict[str, Any]:
    """Return what a card may name in braces: what ``run.json`` and the corpus say of a model."""
    heldout = Perplexity(**{key: value for key, value in run["heldout"].items() if key != "arithmetic"})
    trained, rows = run["trained"], run["recipe"]["rows"]
    lstm = bilm.config.lstm
    values: dict[str, Any] = {"amount": amount(run), "cells": lstm.dim}
    if before is not None:
        values |= {"first_amount": amount(before), "first_mean": before["heldout"]["arithmetic"]}
    if test is not None:
        values |= {f"test_{name}": value for name, value in perplexity_values(test).items()}
    return {
        **values,
        **counts,
        **perplexity_values(heldout),
        "train_tokens_millions": counts["train_tokens"] / 1e6,
        "parameters": f"{parameter_count(bilm) / 1e6:.1f}",
        "dim": bilm.config.output_dim,
        "lstm": f"{lstm.dim:,}",
        "projection": lstm.output_dim,
        "vocabulary": len(softmax.vocabulary) if softmax else counts["vocabulary"],
        "steps": trained["step"],
        "tokens": trained["tokens"] / 1e6,
        "epochs": trained["epochs"],
        "minutes": trained["seconds"] / 60,
        "device": run["device"],
        "seed": run["seed"],
        "rows": f"{rows['rows']} rows of {rows['steps']} tokens",
        "dropout": rows["dropout"],
    }


def bundle(
    run: Path,
    name: str,
    *,
    root: Path = ROOT,
    corpus: Path | None = None,
    before: Path | None = None,
    test: Path | None = None,
    softmax: bool = True,
    vocabulary_size: int | None = None,
    steps: tuple[int, int] = STEPS,
    texts: list[str] | None = None,
) -> Path:
    """Write the model of a run, in a package if it is not the default model, and return the model folder."""
    package = root / "models" / name
    target = BUNDLED / name if name == DEFAULT else package / "src" / f"elmo_model_{name}" / "model"
    bilm = read_folder(run)
    output = read_softmax(run, bilm) if softmax else None
    if output is not None and vocabulary_size is not None:
        output = cut_vocabulary(output, vocabulary_size)
    template = CARDS / TEMPLATES.get(name, f"{name}.md")
    card = Path(run, CARD_FILE).read_text("utf-8")
    write_folder(bilm, target, output, card=card, steps=steps)
    size = sum(file.stat().st_size for file in target.iterdir())
    print(f"{target}: {size / 1e6:.1f} MB")
    if size > MAX_BYTES:
        shutil.rmtree(target)
        sys.exit(f"more than {MAX_BYTES / 1e6:.0f} MB, so it was deleted; give --vocabulary-size or --without-softmax")
    measured = []
    if texts and output is not None:
        sentences = list(itertools.islice(read_sentences(texts, bilm.config.tokenizer), 0, None, 10))
        for folder in (run, target):
            measured.append(perplexity(read_language_model(folder), sentences).arithmetic)
            print(folder, measured[-1])
    if template.exists():
        if corpus is None or not measured:
            sys.exit(f"{template} needs --corpus and a held-out text")
        record = json.loads((run / RUN_FILE).read_text("utf-8"))
        earlier = None if before is None else json.loads((before / RUN_FILE).read_text("utf-8"))
        if earlier is None and "{first_amount}" in template.read_text("utf-8"):
            sys.exit(f"{template} needs --before, the run of the first stage")
        if test is None and "{test_" in template.read_text("utf-8"):
            sys.exit(f"{template} needs --test, a text")
        counts = json.loads((corpus / "corpus.json").read_text("utf-8"))["counts"]
        tested = None
        if test is not None:
            tested = perplexity(read_language_model(target), read_sentences([test], bilm.config.tokenizer))
            print(test, tested)
        values = card_values(record, earlier, counts, bilm, output, tested)
        card = template.read_text("utf-8").format(
            name=name, **values, before=measured[0], after=measured[1], bilm_steps=steps[0], softmax_steps=steps[1]
        )
        (target / CARD_FILE).write_text(card, "utf-8")
    if name != DEFAULT:
        for path, text in package_files(name, bilm.config, parameter_count(bilm)).items():
            (package / path).write_text(text, "utf-8")
    return target


def main() -> None:
    """Bundle the model that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("name")
    parser.add_argument("texts", nargs="*")
    parser.add_argument("--corpus", type=Path, help="corpus that the model was trained on, for its card")
    parser.add_argument("--before", type=Path, help="run folder of the model that the training started from")
    parser.add_argument("--test", type=Path, help="text for the perplexity that the card reports")
    parser.add_argument("--without-softmax", action="store_true", help="leave out what predicts words")
    parser.add_argument("--vocabulary-size", type=int, help="keep the softmax of the most frequent words only")
    parser.add_argument("--steps", type=int, nargs=2, default=STEPS, help="quantization steps of biLM and softmax")
    args = parser.parse_args()
    bundle(
        args.run,
        args.name,
        corpus=args.corpus,
        before=args.before,
        test=args.test,
        softmax=not args.without_softmax,
        vocabulary_size=args.vocabulary_size,
        steps=tuple(args.steps),
        texts=args.texts,
    )


if __name__ == "__main__":
    main()
