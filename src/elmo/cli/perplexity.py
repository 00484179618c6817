"""``elmo perplexity`` and ``elmo predict``: what a model expects."""

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

WITH_SOFTMAX = "Bundled name, folder or Hub id of a model with a softmax."


def perplexity(
    model: Annotated[str, typer.Argument(metavar="M", help=WITH_SOFTMAX)],
    texts: Annotated[
        list[Path], typer.Argument(metavar="TEXT...", help="Text files or folders; - reads standard input.")
    ],
    pretokenised: Annotated[
        bool, typer.Option("--pretokenised", help="Lines are sentences, words stand apart.")
    ] = False,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto: a GPU if there is one.")] = "auto",
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Measure how well a model predicts a text, in each direction.

    Under the full softmax, every sentence from a zero state; predicted are the words and the closing boundary.
    """
    from tqdm import tqdm

    from elmo.text.reading import read_sentences
    from elmo.train.perplexity import perplexity
    from elmo.train.runtime import start_runtime
    from elmo.weights.locate import locate, read_language_model

    language_model = read_language_model(locate(model))
    sentences = read_sentences(texts, "whitespace" if pretokenised else "words")
    with start_runtime(device) as runtime:
        language_model.to(runtime.device)
        bar = tqdm(sentences, desc="perplexity", unit=" sentences", disable=None, leave=False)
        result = perplexity(language_model, bar)
    facts = {
        "forward": round(result.forward, 3),
        "backward": round(result.backward, 3),
        "arithmetic mean": round(result.arithmetic, 3),
        "geometric mean": round(result.geometric, 3),
        "unknown words": round(result.unknown, 6),
        "predictions": result.tokens,
    }
    if json:
        typer.echo(json_module.dumps(facts, indent=2))
        return
    for name, value in facts.items():
        shown = (
            f"{100 * value:.2f} %"
            if name == "unknown words"
            else f"{value:,}"
            if name == "predictions"
            else f"{value:.2f}"
        )
        typer.echo(f"{name:<16} {shown}")


def predict(
    model: Annotated[str, typer.Argument(metavar="M", help=WITH_SOFTMAX)],
    text: Annotated[str, typer.Argument(help="A sentence with ___ for each gap.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Words to show.")] = 10,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Show the most likely words for a gap: from what stands before it, from what comes after, and from both.

    "both" is the product of the two directions' probabilities, divided by that of the word anywhere (as its rank in
    the vocabulary tells it), which otherwise would count twice.
    """
    from elmo.train.gaps import guess_gaps, words_and_gaps
    from elmo.weights.locate import locate, read_language_model

    tokens = words_and_gaps(text)
    for guesses in guess_gaps(read_language_model(locate(model)), tokens, count):
        columns = {"both": guesses.both, "before": guesses.before, "after": guesses.after}
        if json:
            typer.echo(json_module.dumps({"gap": guesses.index, **columns}, ensure_ascii=False))
            continue
        typer.echo("   ".join(f"{name:<24}" for name in columns).rstrip())
        for row in zip(*columns.values(), strict=True):
            typer.echo("   ".join(f"{word[:16]:<16} {100 * p:5.1f} %" for word, p in row))
