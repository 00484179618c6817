"""Missing words: where the blanks are, and how likely each word is."""

import json
from pathlib import Path

import pytest
import torch
from commands import error_of, run

import elmo
from elmo.model.batches import collate
from elmo.model.language_model import LanguageModel
from elmo.model.softmax import log_uniform
from elmo.text.tokens import tokenizer, words
from elmo.train.cloze import predict_blanks, tokenize_with_blanks


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The ___ sat.", ["The", "___", "sat", "."]),
        ("___", ["___"]),
        ("a___b ___", ["a", "___", "b", "___"]),
        ("It wasn't ___, was it?", ["It", "wasn", "'t", "___", ",", "was", "it", "?"]),
        ("the ___ing of No. ___", ["the", "___", "ing", "of", "No", ".", "___"]),
        ("The ________ sat __ ___ ____.", ["The", "___", "sat", "__", "___", "___", "."]),
    ],
)
def test_words(text: str, tokens: list[str]) -> None:
    assert tokenize_with_blanks(text, words) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("밥을 먹기 전에 ___을 씻었다.", "밥 을 먹 기 전 에 ___ 을 씻 었 다 ."),
        ("___을 씻고 ___에 앉았다.", "___ 을 씻 고 ___ 에 앉 았 다 ."),
        ("이 책___ 아주 재미있다.", "이 책 ___ 아주 재미있 다 ."),
        ("그는 대학교에서 물리학을 ___했다.", "그 는 대학교 에서 물리학 을 ___ 했 다 ."),
        ("할머니는 배를 깎아 ___에게 주셨다.", "할머니 는 배 를 깎 아 ___ 에게 주 셨 다 ."),  # not 에, 게
        ("___ ______을 씻었다.", "___ ___ 을 씻 었 다 ."),
    ],
)
def test_korean_morphemes(text: str, tokens: str) -> None:
    pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
    assert tokenize_with_blanks(text, tokenizer("korean").words) == tokens.split()


def test_no_blank() -> None:
    with pytest.raises(ValueError, match="has no blank; write ___"):
        tokenize_with_blanks("The cat sat .", words)


def test_predictions() -> None:
    small = elmo.load("small")
    model = LanguageModel(small.bilm, small.softmax).eval()
    tokens = ["The", "cat", "sat", "on", "the", "___", "and", "___", "."]
    found = predict_blanks(model, tokens, 5)
    assert [guesses.index for guesses in found] == [5, 7]
    for guesses in found:
        before, after = model.log_probabilities(collate([tokens], small.bilm.token_layer.encode), guesses.index + 1)
        both = torch.softmax(before.double() + after.double() - log_uniform(len(before)), 0)
        for scores, side in ((both, guesses.both), (before.exp(), guesses.before), (after.exp(), guesses.after)):
            assert len(side) == 5
            assert [chance for _, chance in side] == sorted((chance for _, chance in side), reverse=True)
            for word, chance in side:
                assert chance == pytest.approx(float(scores[model.vocabulary.id(word)]), rel=1e-4)
    assert {"floor", "ground", "table"} & {word for word, _ in found[0].both}


def test_command(trained: Path) -> None:
    answer = json.loads(run("predict", trained, "the king ___ land .", "--json", "-n", "2").stdout)
    assert answer["tokens"] == ["the", "king", "___", "land", "."]
    [blank] = answer["gaps"]
    assert {guess["word"] for guess in blank["both"]} <= {"rules", "loves"}
    assert blank["index"] == 2
    for options, expected in (((), ["didn", "'t", "___", "."]), (("--pretokenized",), ["didn't", "___", "."])):
        found = run("predict", "She didn't ___.", "--json", "--device", "cpu", *options)
        assert json.loads(found.stdout)["tokens"] == ["She", *expected]
    shown = run("predict", trained, "the ___ eats ___ .").stdout.decode()
    assert shown.count("both") == 2
    assert "the [___] eats ___ .\nboth" in shown
    assert "the ___ eats [___] .\nboth" in shown


def test_command_without_a_blank(trained: Path) -> None:
    assert "has no blank" in error_of(run("predict", trained, "the king rules ."))
