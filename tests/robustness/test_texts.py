"""Texts of every kind go through every command that reads text, and through the Python API.

The families are generated: Unicode normalization forms, writing direction, invisible and control characters, lone
surrogates, emoji sequences, huge words, mixed scripts, byte order marks, line ends, and files that are not valid UTF-8
or empty. For each text, a command either succeeds or reports one line and exit code 2; it never ends in a traceback.
The vectors of a text do not depend on its normalization form (NFC or NFD), and character offsets refer to the text as
it was given. The normal run draws a sample of the pairs of command and text; ``ELMO_TEST_FULL=1`` takes all of them.
"""

import codecs
import dataclasses
import json
import os
import random
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
import torch
from commands import run

import elmo
from elmo.config import BiLMConfig, CharCNNConfig, LSTMConfig
from elmo.datasets.folders import TaskData
from elmo.model.bilm import BiLM
from elmo.model.language_model import LanguageModel
from elmo.model.softmax import Softmax
from elmo.tasks.recipe import read_task_recipe
from elmo.tasks.squad import AnswerScores
from elmo.tasks.task import task_named
from elmo.tasks.trainer import train_task
from elmo.text.alignment import word_spans
from elmo.text.reading import read_sentences
from elmo.text.tokens import compose, tokenizer, words
from elmo.text.vocabulary import Vocabulary
from elmo.train.cloze import predict_blanks, tokenize_with_blanks
from elmo.train.perplexity import perplexity
from elmo.weights.folder import write_folder

FULL = bool(os.environ.get("ELMO_TEST_FULL"))
pytestmark = [
    pytest.mark.filterwarnings("ignore::UserWarning"),  # that the model does not suit the text
    pytest.mark.timeout(1800 if FULL else 240),
]
Case = TypeVar("Case")

ACCENTED = "Zoë's café, naïve Ångström; Việt Nam. Ça va?"
KOREAN = "나는 오늘 학교에 갔다. 손을 씻고 밥을 먹었다."
PLAIN = {
    "english": 'The play wasn\'t sold out. She said: "No!"',
    "accents": ACCENTED,
    "korean": KOREAN,
    "japanese": "東京は大きい。「はい。」と言った。カタカナー",
    "hindi": "नमस्ते दुनिया। क़लम",
    "arabic": "قال: «هذا كتاب، أليس كذلك؟» ثمّ ذهب.",
    "hebrew": 'צה"ל אמר שלום, עולם!',
    "thai": "สวัสดีชาวโลก",
    "tibetan": "བོད་སྐད་ \u0f73\u0f75",
    "mixed scripts": "K팝 и rock'n'roll 東京2020 αβγ שלום 123 ٣٫٥",
    "compatibility": "\ufb01ne \u2460 \uff21\uff22 \u212b \u2126 \u1e9b\u0323 \uf900",
}
ODD = {
    "right-to-left marks": "a \u200fb\u200e \u202ec d\u202c \u2067e\u2069",
    "zero width": "a\u200bb c\u200cd e\u200df g\u2060h \ufeffi \u00adj",
    "only zero width": "\u200b\u200b \ufeff",
    "lone surrogates": "a \ud800 b\udfff \udc80\udc80 \ud83d",
    "nul": "a\x00b \x00 c",
    "control": "".join(map(chr, range(0x20))) + "x\x7f\x80\x85\x9f y",
    "line separators": "a\u2028b\u2029c\x0bd\x0ce\x1cf\x1dg\x1eh\x85i",
    "emoji": "👩🏽‍🚀👨‍👩‍👧‍👦 ❤️‍🔥 🇰🇷🇬🇧🇺 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏿👍🏽",
    "variation selectors": "a\ufe0f \u4e00\U000e0100 ☎︎",
    "combining": "e" + "\u0301\u0323\u0307" * 50 + " \u0301 \u0301x",
    "unassigned": "\u0378 \U000effff \U0010ffff \ue000",
    "quotes": "''' ’’ `` '' \"\" « » O'Brien l'homme '90s n't",
    "markers": "<S> </S> <UNK> <S>a !!!MAXTERMID ___ || ||| * *a*",
    "markup": "[bold]x[/] [/red] \\[ {} %s \x1b[31mred\x1b[0m",
    "spaces": " \t  \u00a0\u3000\u2003 ",
    "empty": "",
    "long word": "x" * 100_000,
    "long hangul": "가" * 33_334,
    "long accents": "e" + "\u0301" * 50_000,
    "many words": "a b " * 200,
}
TEXTS = (
    PLAIN
    | ODD
    | {
        f"{name}, {form}": unicodedata.normalize(form, text)
        for name, text in PLAIN.items()
        for form in ("NFD", "NFKC", "NFKD")
    }
)
LINES = f"The play was good .\n{KOREAN}\nShe went home .\n"
FILES = {name: text.encode("utf-8", "surrogatepass") for name, text in TEXTS.items()} | {
    "byte order mark": b"\xef\xbb\xbf" + LINES.encode(),
    "two byte order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + LINES.encode(),
    "only a byte order mark": b"\xef\xbb\xbf",
    "utf-16": LINES.encode("utf-16"),
    "utf-16 without a mark": LINES.encode("utf-16-le"),
    "latin-1": ACCENTED.encode("latin-1", "replace"),
    "euc-kr": KOREAN.encode("euc-kr"),
    "cut inside a character": KOREAN.encode()[:-2],
    "overlong": b"a \xc0\xaf \xe0\x80\xaf b\n",
    "invalid bytes": bytes(range(256)) * 3,
    "carriage returns": LINES.replace("\n", "\r").encode(),
    "carriage returns and line feeds": LINES.replace("\n", "\r\n").encode(),
    "mixed line ends": b"a b\r\n\r\n\n\rc d\n\r\ne f",
    "no last line end": LINES.rstrip("\n").encode(),
    "no bytes": b"",
    "only line ends": b"\n\r\n\n",
    "only spaces": b"  \t \n   \n",
    "nul bytes": b"\0" * 1000,
}


def sample(cases: Sequence[Case], count: int, seed: object) -> list[Case]:
    """Draw some of the cases, or return all of them if everything is to be tested."""
    return list(cases) if FULL or len(cases) <= count else random.Random(str(seed)).sample(cases, count)


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random model that can predict words."""
    torch.manual_seed(1)
    config = BiLMConfig(CharCNNConfig(4, ((1, 4), (2, 8)), projection_dim=8, max_characters=12), LSTMConfig(16, 8))
    vocabulary = Vocabulary(["<S>", "</S>", "<UNK>", "the", "play", "a", ".", "나는", "café"])
    folder = tmp_path_factory.mktemp("models") / "tiny"
    write_folder(BiLM(config).eval(), folder, Softmax(vocabulary, 8))
    return folder


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tagger that has hardly been trained, so that it finds entities anywhere."""
    folder = tmp_path_factory.mktemp("tagger")
    (folder / "train.conll").write_text("mister O\nHugo B-person\n. O\n\nin O\nBonn B-place\n. O\n\n" * 5)
    recipe = read_task_recipe(task_named("ner"))
    small = dataclasses.replace(recipe.model, **{name: 8 for name in ("dim",) if hasattr(recipe.model, name)})
    training = dataclasses.replace(recipe.training, batch=4, epochs=0.1, least_steps=2, evaluations=1)
    inputs = dataclasses.replace(recipe.inputs, dim=8, characters=None)
    chosen = dataclasses.replace(recipe, model=small, training=training, inputs=inputs)
    data = TaskData((str(folder / "train.conll"),), (str(folder / "train.conll"),), ())
    train_task(task_named("ner"), chosen, data, folder / "run", torch.device("cpu"), seed=1)
    return folder / "run"


def check(result: Any) -> None:
    """A command succeeds, or says in one line why not."""
    errors = result.stderr.decode("utf-8", "surrogateescape")
    assert "Traceback" not in errors
    if result.returncode:
        assert result.returncode == 2, errors
        failures = [line for line in errors.splitlines() if line.startswith("elmo: ")]
        assert len(failures) == 1, errors


COMMANDS = {
    "embed": ("embed", "{file}", "-o", "{out}.npz", "-m", "{model}"),
    "embed, raw": ("embed", "{file}", "-o", "{out}.h5", "-m", "{model}", "--tokenize", "words", "--layers", "top"),
    "embed, safetensors": ("embed", "{file}", "-o", "{out}.safetensors", "-m", "{model}", "--pool", "mean"),
    "embed, parquet": ("embed", "{file}", "-o", "{out}.parquet", "-m", "{model}", "--layers", "0"),
    "embed, stream": ("embed", "-", "-o", "{out}.h5", "-m", "{model}"),
    "prepare": ("prepare", "{file}", "-o", "{out}", "--workers", "1", "--min-count", "1"),
    "prepare, pretokenized": ("prepare", "{file}", "-o", "{out}", "--workers", "1", "--pretokenized"),
    "perplexity": ("perplexity", "{file}", "-m", "{model}", "--json"),
    "perplexity, pretokenized": ("perplexity", "-", "-m", "{model}", "--pretokenized"),
    "neighbors": ("neighbors", "play", "--in", "the play", "--corpus", "{file}", "-m", "{model}", "--index", "{out}"),
    "geometry": ("analyze", "geometry", "{file}", "-m", "{model}", "-o", "{out}"),
    "map": ("analyze", "map", "a", "--corpus", "{file}", "-m", "{model}", "-o", "{out}", "--method", "pca"),
    "task predict": ("task", "predict", "{tagger}", "{file}", "--json"),
    "task predict, stream": ("task", "predict", "{tagger}"),
}
ARGUMENTS = {
    "predict": ("predict", "{text} ___ {text}", "-m", "{model}", "-n", "2"),
    "predict, json": ("predict", "___ {text}", "-m", "{model}", "--json"),
    "neighbors": ("neighbors", "play", "--in", "play {text}", "-m", "{model}", "--index", "{index}", "-k", "2"),
    "neighbors of it": ("neighbors", "{text}", "--in", "a {text}", "-m", "{model}", "--index", "{index}"),
    "task predict": ("task", "predict", "{tagger}", "{text} x", "--json"),
    "task predict, shown": ("task", "predict", "{tagger}", "{text} x"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_files(command: str, language_model: Path, tagger: Path, tmp_path: Path) -> None:
    count = 3 if command == "geometry" else 12  # it draws figures, which takes seconds
    for number, name in enumerate(sample(list(FILES), count, command)):
        file = tmp_path / f"{number}.txt"
        file.write_bytes(FILES[name])
        places = {"file": file, "out": tmp_path / f"out{number}", "model": language_model, "tagger": tagger}
        check(run(*(part.format(**places) for part in COMMANDS[command]), stdin=FILES[name]))


@pytest.mark.parametrize("command", ARGUMENTS)
def test_arguments(command: str, language_model: Path, tagger: Path, tmp_path: Path) -> None:
    for name in sample(list(TEXTS), 10, command):
        places = {"model": language_model, "tagger": tagger, "index": tmp_path / "index"}
        arguments = [
            part.replace("{text}", TEXTS[name]) if "{text}" in part else part.format(**places)
            for part in ARGUMENTS[command]
        ]
        result = run(*arguments)
        check(result)
        if "--json" in arguments and not result.returncode:
            for line in result.stdout.decode().rstrip("\n").split("\n"):
                json.loads(line)


@pytest.mark.parametrize("tokenize", ["whitespace", "words"])
def test_python(tokenize: Any, language_model: Path) -> None:
    """Every text as a string, as words and decomposed: the vectors are finite and the same."""
    model = elmo.load(language_model)
    split = tokenizer(tokenize).words
    together = model.embed(TEXTS.values(), "top", tokenize=tokenize)
    as_words = model.embed([split(text) for text in TEXTS.values()], "top")
    decomposed = model.embed([unicodedata.normalize("NFD", text) for text in TEXTS.values()], "top", tokenize=tokenize)
    for text, first, second, third in zip(TEXTS.values(), together, as_words, decomposed, strict=True):
        assert first.tokens == second.tokens == third.tokens == split(text)
        assert first.layers.shape == (len(first.tokens), 16)
        assert np.isfinite(first.layers).all()
        np.testing.assert_array_equal(first.layers, second.layers)
        np.testing.assert_allclose(first.layers, third.layers, atol=1e-6)
    for text in sample(list(TEXTS.values()), 10, tokenize):
        model.mismatch([split(text)])


def test_words_as_given(language_model: Path) -> None:
    """Lists of words are not composed."""
    model = elmo.load(language_model)
    composed, decomposed = model.embed([["café"], [unicodedata.normalize("NFD", "café")]])
    assert composed.tokens != decomposed.tokens
    assert not np.allclose(composed.layers, decomposed.layers)


def test_language_model(language_model: Path) -> None:
    loaded = elmo.load(language_model)
    assert loaded.softmax is not None
    model = LanguageModel(loaded.bilm, loaded.softmax).eval()
    for text in TEXTS.values():
        result = perplexity(model, [words(text)])
        assert result.per_character.forward > 0
        assert result.characters == max(sum(len(word) + 1 for word in words(text)), 1)
        assert predict_blanks(model, tokenize_with_blanks(f"{text[:1000]} ___", words), 1)


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD", None])
def test_offsets(form: Any) -> None:
    """Words are where the text as given has them, and between them is only whitespace."""
    for given in TEXTS.values():
        text = given if form is None else unicodedata.normalize(form, given)
        found = words(text)
        spans = word_spans(text, found)
        parts = [text[start:end] for start, end in spans]
        ends, starts = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)]
        assert all(end <= start and not text[end:start].strip() for end, start in zip(ends, starts, strict=True))
        assert compose("".join(parts)) == compose("".join(found))
        if form == "NFC":
            assert parts == found


@pytest.mark.parametrize("task", ["ner", "srl", "coref", "squad"])
def test_offsets_of_tasks(task: str) -> None:
    """Records of spans at every position, made from the text as given."""
    chosen = task_named(task)
    labels = {"labels": ["O"]}
    split = tokenizer("words")
    for text in (f"{text} x" for text in TEXTS.values()):
        given = chosen.split(text, split)
        documents = [chosen.split("Who?", split), given] if task == "squad" else [given]
        example = chosen.examples(documents, labels)[-1]
        count = sum(map(len, chosen.sequences(example)[1 if task == "squad" else 0 :]))
        pairs = sorted({(0, 1), (count - 1, count), (0, count)})
        detail: Any = [("X", *pair) for pair in pairs]
        if task == "coref":
            detail = [pairs]
        elif task == "srl":
            detail = [(0, detail)]
        elif task == "ner":
            detail = [(span, 1.0) for span in detail]
        elif task == "squad":
            spans = example.passage.spans
            detail = AnswerScores([(0.0, (spans[first][0], spans[after - 1][1])) for first, after in pairs], 0.0)
        [*found] = chosen.result(documents, [example], [detail])
        if task in ("srl", "coref"):
            found = list(found[0].arguments if task == "srl" else found[0])
        assert len(found) == len(pairs)
        for span in found:
            assert text[span.start : span.end] == span.text
            assert span.words[0] < span.words[1]


@pytest.mark.parametrize("tokenize", ["whitespace", "words"])
def test_reading(tokenize: Any, tmp_path: Path) -> None:
    """Files of any bytes are read as sentences without whitespace inside words, whatever the size of a block."""
    for content in FILES.values():
        path = tmp_path / "text.txt"
        path.write_bytes(content)
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            with pytest.raises(ValueError, match="is UTF-16"):
                list(read_sentences([path], tokenize))
            continue
        try:
            found = list(read_sentences([path], tokenize))
        except ValueError as error:
            assert str(error).startswith(f"{path}: is not UTF-8")  # noqa: PT017
            with pytest.raises(UnicodeDecodeError):
                content.decode()
            continue
        for sentence in found:
            assert sentence
            assert all(word and not any(map(str.isspace, word)) for word in sentence)


def test_normalization_changes_nothing_in_a_corpus(tmp_path: Path) -> None:
    """Composed and decomposed text give the same corpus."""
    contents = []
    for form in ("NFC", "NFD"):
        lines = (unicodedata.normalize(form, text.replace("\ufeff", "")) for text in PLAIN.values())
        (tmp_path / f"{form}.txt").write_text("\n".join(lines), "utf-8")
        command = ("prepare", tmp_path / f"{form}.txt", "-o", tmp_path / form, "--workers", "1", "--min-count", "1")
        assert run(*command).returncode == 0
        files = sorted(path for path in (tmp_path / form).iterdir() if path.suffix != ".json")
        contents.append({path.name: path.read_bytes() for path in files})
    assert contents[0] == contents[1]
    assert any(contents[0].values())


def test_number_of_cases() -> None:
    """The families are as large as the documentation says."""
    pairs = len(COMMANDS) * len(FILES) + len(ARGUMENTS) * len(TEXTS)
    assert len(TEXTS) >= 60
    assert len(FILES) >= 80
    assert pairs >= 1500
