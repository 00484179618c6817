"""``elmo perplexity`` and ``elmo predict``: use a model as a language model."""

import json as json_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elmo.cli.options import (
    CountOption,
    DeviceOption,
    JsonOption,
    ModelAndTextsArgument,
    ModelOption,
    PretokenizedOption,
    chosen_device,
    model_and_texts,
    tokenizer_of,
)

if TYPE_CHECKING:
    from elmo.train.perplexity import Bits, Perplexity


def perplexity(
    texts: ModelAndTextsArgument,
    model: ModelOption = None,
    pretokenized: PretokenizedOption = False,
    device: DeviceOption = "auto",
    json: JsonOption = False,
) -> None:
    """Measure how well a model predicts a text, in each direction.

    Uses the full softmax and starts every sentence from a zero state. Each direction predicts the words and the
    closing boundary of a sentence. All unknown words count as one word, which makes the perplexity too low where they
    are frequent. The bits per character include 8 bits for each byte of an unknown word and for its end. Bits per
    Hangul syllable, which allow comparing tokenizers, are shown for Korean text.
    """
    from tqdm import tqdm

    from elmo.text.coverage import MAX_UNKNOWN
    from elmo.text.reading import read_sentences
    from elmo.train.perplexity import perplexity
    from elmo.train.runtime import start_runtime
    from elmo.weights.locate import locate, read_language_model

    model, files = model_and_texts(model, texts)
    language_model = read_language_model(locate(model))
    sentences = read_sentences(files, tokenizer_of(language_model.bilm.config, pretokenized))
    with start_runtime(device) as runtime:
        language_model.to(runtime.device)
        bar = tqdm(sentences, desc="perplexity", unit=" sentences", disable=None, leave=False)
        result = perplexity(language_model, bar)
    if result.unknown > MAX_UNKNOWN:
        typer.echo(
            f"warning: {result.unknown:.0%} of the words are not in the model's vocabulary, so the perplexity says "
            "little; compare bits per character",
            err=True,
        )
    typer.echo(_as_json(result) if json else _as_table(result))


def _as_json(result: "Perplexity") -> str:
    values: dict[str, Any] = {
        "forward": round(result.forward, 3),
        "backward": round(result.backward, 3),
        "arithmetic mean": round(result.arithmetic, 3),
        "geometric mean": round(result.geometric, 3),
        **{
            name: {"forward": round(bits.forward, 4), "backward": round(bits.backward, 4), "mean": round(bits.mean, 4)}
            for name, bits in _bits(result).items()
        },
        "unknown words": round(result.unknown, 6),
        "predictions": result.tokens,
        "characters": result.characters,
    }
    if result.per_syllable:
        values["syllables"] = result.syllables
    return json_module.dumps(values, indent=2)


def _as_table(result: "Perplexity") -> str:
    bits = _bits(result)
    rows = [
        ("", "perplexity", *bits),
        ("forward", f"{result.forward:.2f}", *(f"{each.forward:.3f}" for each in bits.values())),
        ("backward", f"{result.backward:.2f}", *(f"{each.backward:.3f}" for each in bits.values())),
        ("arithmetic mean", f"{result.arithmetic:.2f}", *(f"{each.mean:.3f}" for each in bits.values())),
        ("geometric mean", f"{result.geometric:.2f}"),
        ("unknown words", f"{result.unknown:.2%}"),
        ("predictions", f"{result.tokens:,}"),
    ]
    return "\n".join(
        f"{name:<16} {first:>12}" + "".join(f"   {value:>18}" for value in rest) for name, first, *rest in rows
    )


def _bits(result: "Perplexity") -> dict[str, "Bits"]:
    found = {"bits per character": result.per_character, "bits per syllable": result.per_syllable}
    return {name: bits for name, bits in found.items() if bits is not None}


def predict(
    texts: Annotated[
        list[str], typer.Argument(metavar="TEXT", help="A sentence with ___ in place of each missing word.")
    ],
    model: ModelOption = None,
    count: CountOption = 10,
    pretokenized: PretokenizedOption = False,
    device: DeviceOption = "auto",
    json: JsonOption = False,
) -> None:
    """Predict the missing words of a sentence.

    Shows the most likely words given the words before the blank, given the words after it, and given both. The last
    is the product of the two directions' probabilities, divided by the probability of the word in any context, which
    would otherwise count twice.
    """
    from elmo.search.occurrences import split_context
    from elmo.text.alignment import spacing
    from elmo.text.coverage import mismatch
    from elmo.text.tokens import tokenizer
    from elmo.train.cloze import BLANK, predict_blanks, tokenize_with_blanks
    from elmo.weights.locate import locate, read_language_model

    *before, text = texts
    if len(before) > (model is None):
        raise ValueError("predict takes one sentence; put it in quotes")
    model = before[0] if before else model  # the older spelling: elmo predict MODEL TEXT
    language_model = read_language_model(locate(model)).to(chosen_device(device))
    split = tokenizer_of(language_model.bilm.config, pretokenized)
    tokens = tokenize_with_blanks(text, tokenizer(split).words)
    context = [token for token in tokens if token != BLANK]
    if reason := mismatch([context], language_model.bilm.token_layer.vocabulary, language_model.vocabulary):
        typer.echo(f"warning: {reason}", err=True)
    blanks = predict_blanks(language_model, tokens, count)
    if json:
        content = {"tokens": tokens, "gaps": [blank.to_dict() for blank in blanks]}
        typer.echo(json_module.dumps(content, ensure_ascii=False))
        return
    for blank in blanks:
        columns = {"both": blank.both, "before": blank.before, "after": blank.after}
        if len(blanks) > 1:
            preceding, _, following = split_context(tokens, blank.index, spaced=spacing(text, tokens))
            typer.echo(f"{preceding}[{BLANK}]{following}")
        typer.echo(_side_by_side(columns))


def _side_by_side(columns: dict[str, list[tuple[str, float]]]) -> str:
    """Format words with their probabilities, one column for each way to predict them."""
    from rich.cells import set_cell_size  # Hangul and Han characters are two columns wide in a terminal

    lines = ["   ".join(f"{name:<24}" for name in columns)]
    for row in zip(*columns.values(), strict=True):
        lines.append("   ".join(f"{set_cell_size(word, 16)} {100 * probability:5.1f} %" for word, probability in row))
    return "\n".join(line.rstrip() for line in lines)
