"""``elmo perplexity`` and ``elmo predict``: use a model as a language model."""

import json as json_module
from typing import Annotated

import typer

from elmo.cli.options import DeviceOption, JsonOption, PretokenizedOption, TextsArgument

LanguageModelArgument = Annotated[
    str, typer.Argument(metavar="MODEL", help="Name, folder or Hub id of a model with a softmax.")
]


def perplexity(
    model: LanguageModelArgument,
    texts: TextsArgument,
    pretokenized: PretokenizedOption = False,
    device: DeviceOption = "auto",
    json: JsonOption = False,
) -> None:
    """Measure how well a model predicts a text, in each direction.

    Uses the full softmax and starts every sentence from a zero state. Each direction predicts the words and the
    closing boundary of a sentence.
    """
    from tqdm import tqdm

    from elmo.text.reading import read_sentences
    from elmo.train.perplexity import perplexity
    from elmo.train.runtime import start_runtime
    from elmo.weights.locate import locate, read_language_model

    language_model = read_language_model(locate(model))
    sentences = read_sentences(texts, "whitespace" if pretokenized else "words")
    with start_runtime(device) as runtime:
        language_model.to(runtime.device)
        bar = tqdm(sentences, desc="perplexity", unit=" sentences", disable=None, leave=False)
        result = perplexity(language_model, bar)
    values = {
        "forward": result.forward,
        "backward": result.backward,
        "arithmetic mean": result.arithmetic,
        "geometric mean": result.geometric,
    }
    if json:
        rounded = {name: round(value, 3) for name, value in values.items()}
        counts = {"unknown words": round(result.unknown, 6), "predictions": result.tokens}
        typer.echo(json_module.dumps({**rounded, **counts}, indent=2))
        return
    for name, value in values.items():
        typer.echo(f"{name:<16} {value:.2f}")
    typer.echo(f"{'unknown words':<16} {result.unknown:.2%}")
    typer.echo(f"{'predictions':<16} {result.tokens:,}")


def predict(
    model: LanguageModelArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A sentence with ___ in place of each missing word.")],
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="Number of words to show for each blank.")] = 10,
    json: JsonOption = False,
) -> None:
    """Predict the missing words of a sentence.

    Shows the most likely words given the words before the blank, given the words after it, and given both. The last
    is the product of the two directions' probabilities, divided by the probability of the word in any context, which
    would otherwise count twice.
    """
    from elmo.train.cloze import predict_blanks, tokenize_with_blanks
    from elmo.weights.locate import locate, read_language_model

    tokens = tokenize_with_blanks(text)
    for blank in predict_blanks(read_language_model(locate(model)), tokens, count):
        columns = {"both": blank.both, "before": blank.before, "after": blank.after}
        if json:
            typer.echo(json_module.dumps({"gap": blank.index, **columns}, ensure_ascii=False))
            continue
        typer.echo("   ".join(f"{name:<24}" for name in columns).rstrip())
        for row in zip(*columns.values(), strict=True):
            typer.echo("   ".join(f"{word[:16]:<16} {100 * probability:5.1f} %" for word, probability in row))
