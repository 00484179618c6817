"""The texts that come with the package."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import pytest

from elmo.search.sample_texts import ENGLISH, KOREAN, SampleText, raw_tokenizer, sample_for
from elmo.text.tokens import tokenizer


@pytest.mark.parametrize("sample", [ENGLISH, KOREAN], ids=lambda sample: sample.path.stem)
def test_sentences_are_short_and_distinct(sample: SampleText) -> None:
    assert sample.path.stat().st_size < 150_000
    sentences = sample.sentences()
    assert len(set(sentences)) == len(sentences) > 300
    for sentence in sentences:
        assert sentence[-1] in ".?!"
        assert "\t" not in sentence
        assert tokenizer("words").sentences(sentence) == [sentence]
        assert len(sentence.split()) < 30


def test_senses_of_korean_homonyms() -> None:
    pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
    lines = [line.split("\t") for line in KOREAN.path.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert [sentence for *_, sentence in lines] == KOREAN.sentences()
    translations = defaultdict(set)
    for word, sense, translation, sentence in lines:
        translations[word, sense].add(translation)
        stem = word.removesuffix("다")  # of a verb
        assert tokenizer("korean").words(sentence).count(stem) == 1, sentence
    assert all(len(found) == 1 for found in translations.values())
    assert min(Counter((word, sense) for word, sense, _, _ in lines).values()) >= 8
    assert min(Counter(word for word, _ in translations).values()) >= 2
    assert {"배", "눈", "말", "밤", "손"} <= {word for word, _ in translations}


def test_the_sample_is_one_that_the_model_suits() -> None:
    def knows(script: str) -> Callable[[Sequence[Sequence[str]]], str | None]:
        return lambda sentences: None if any(script in word for words in sentences for word in words) else "no"

    assert sample_for(knows("the")) is ENGLISH
    assert sample_for(knows("눈이"), "whitespace") is KOREAN
    assert sample_for(knows("ничего")) is ENGLISH
    assert sample_for(knows("the"), "korean") is KOREAN
    assert [raw_tokenizer(name) for name in ("words", "whitespace", "korean")] == ["words", "words", "korean"]
