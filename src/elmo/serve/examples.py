"""The sentences that the explorer opens with: chosen by hand for the texts that come with it, else from the text."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from elmo.config import TokenizerName
from elmo.search.occurrences import normalize_word
from elmo.search.sample_texts import KOREAN, SampleText, raw_tokenizer
from elmo.text.alignment import spacing
from elmo.text.coverage import script_of
from elmo.text.tokens import tokenizer as tokenizer_named

Words = Sequence[str]

MAX_EXAMPLES = 6
MAX_SENTENCES = 20_000
"""Number of sentences at the beginning of a text from which examples are taken."""
MAX_PAIRS = 12
"""Number of sentences with a word among which the two most different ones are found."""
LENGTHS = range(4, 25)
"""Preferred numbers of words of a sentence."""
MAX_FUNCTION_WORDS = 500
"""Number of the most frequent words that are not taken from a large text, because most are function words."""
TYPES_PER_FUNCTION_WORD = 20
"""A small text has fewer function words: one for this number of distinct words, beyond the first thousand."""
_SYLLABIC = frozenset({"Hangul", "Han", "Hiragana", "Katakana"})


class Example(NamedTuple):
    """A word with several meanings or uses, and sentences with it."""

    word: str
    """The word as the first sentence spells it."""
    position: int
    """Position of the word in the first sentence."""
    sentences: tuple[tuple[str, ...], ...]
    spaced: tuple[tuple[bool, ...], ...]
    """Which words of each sentence follow a space."""


class Opening(NamedTuple):
    """What the page shows at first."""

    examples: list[Example]
    """The first two are shown; the others can be selected."""
    blank: str
    """A sentence with a blank."""


def _example(word: str, sentences: Sequence[Words], spaced: Sequence[Sequence[bool]]) -> Example:
    wanted = normalize_word(word)
    position = next(place for place, other in enumerate(sentences[0]) if normalize_word(other) == wanted)
    return Example(sentences[0][position], position, tuple(map(tuple, sentences)), tuple(map(tuple, spaced)))


_ENGLISH = {
    "play": ("The critics praised her new play.", "Let the children play in the garden."),
    "bank": ("He sat on the bank and watched the boats go by.", "The bank will not lend us any more money."),
    "spring": (
        "The spring in the lock is rusty.",
        "They will marry in the spring.",
        "Cold water flows from a spring in the hill.",
    ),
    "light": ("The light in the hall went out.", "Her coat was light and warm.", "Shall I light the stove?"),
    "bat": ("A bat flew over the pond.", "The boy swung his bat at the ball."),
    "right": ("You have no right to be here.", "Take the second street on the right.", "I think you are right."),
}
_KOREAN = {
    "눈이": ("어제는 하루 종일 눈이 내렸다.", "아기는 엄마를 닮아 눈이 예쁘다."),
    "배가": ("큰 배가 바다를 건너왔다.", "아침을 먹지 않아서 배가 고프다.", "이 배가 사과보다 달다."),
    "말을": ("그 사람은 말을 참 잘한다.", "장군은 말을 타고 전쟁터로 나갔다."),
    "밤을": ("친구와 이야기하며 밤을 새웠다.", "가을이면 뒷산에서 밤을 줍는다."),
    "다리를": ("계단에서 넘어져 다리를 다쳤다.", "시에서 강에 다리를 놓았다."),
    "차를": ("주차장에 차를 세웠다.", "손님과 함께 차를 마셨다."),
}
"""For models that do not split morphemes: a noun has the same particle in all sentences, else it is another word."""
_KOREAN_MORPHEMES = {
    "손": (
        "집에 오면 먼저 손을 씻어라.",
        "큰이모는 손이 커서 김장을 백 포기씩 한다.",
        "농사철에는 손이 부족하다.",
    ),
    "배": ("큰 배가 바다를 건너왔다.", "아침을 먹지 않아서 배가 고프다.", "이 배가 사과보다 달다."),
    "눈": ("어제는 하루 종일 눈이 내렸다.", "아기는 엄마를 닮아 눈이 예쁘다."),
    "은행": ("은행에서 대출을 받아 집을 샀다.", "꼬치에 꿴 은행에서 고소한 냄새가 난다."),
    "사과": ("잘못을 했으면 사과를 해야 한다.", "아침마다 사과를 갈아 마신다."),
    "의사": ("아파서 의사를 찾아갔다.", "모임에 참석할 의사를 밝혔다."),
}


def opening_for(sample: SampleText, tokenizer: TokenizerName = "words") -> Opening:
    """Return the sentences for a text that comes with the package, split for a model with this tokenizer."""
    if sample is not KOREAN:
        chosen, blank = _ENGLISH, "He was born in the ___ of 1902."
    elif tokenizer == "korean":
        chosen, blank = _KOREAN_MORPHEMES, "어제는 하루 종일 ___이 내렸다."
    else:
        chosen, blank = _KOREAN, "어제는 하루 종일 ___ 내렸다."
    split = tokenizer_named(raw_tokenizer(tokenizer)).words
    examples = []
    for word, written in chosen.items():
        sentences = list(map(split, written))
        examples.append(_example(word, sentences, list(map(spacing, written, sentences))))
    return Opening(examples, blank)


def opening_of(sentences: Mapping[tuple[str, ...], Sequence[bool]]) -> Opening:
    """Choose examples from a text: frequent words that are not function words, each in two different sentences.

    Args:
        sentences: The text, with at least one sentence, and which words of each sentence follow a space.
    """
    first = list(islice(sentences, MAX_SENTENCES))
    suitable = [sentence for sentence in first if len(sentence) in LENGTHS] or first
    found: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    for sentence in suitable:
        for word in {normalize_word(word): word for word in sentence}:
            found[word].append(sentence)
    by_frequency = sorted(found, key=lambda word: -len(found[word]))
    function_words = min(MAX_FUNCTION_WORDS, max(0, len(found) - 1000) // TYPES_PER_FUNCTION_WORD)
    content = [word for word in by_frequency[function_words:] if _is_content(word)]
    repeated = [word for word in content if len(found[word]) > 1][:MAX_EXAMPLES]
    chosen = {word: _most_different(found[word]) for word in repeated} or {max(suitable[0], key=len): suitable[:2]}
    examples = [_example(word, pair, [sentences[one] for one in pair]) for word, pair in chosen.items()]
    blanked = list(examples[0].sentences[0])
    blanked[examples[0].position] = "___"
    gaps = [" " * gap for gap in examples[0].spaced[0]]
    return Opening(examples, "".join(gap + word for gap, word in zip(gaps, blanked, strict=True)).strip())


def _is_content(word: str) -> bool:
    """Return whether a word is long enough to mean something by itself."""
    return word.isalpha() and len(word) >= (2 if script_of(word) in _SYLLABIC else 4)


def _most_different(sentences: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
    """Return the two sentences that share the smallest fraction of their words."""

    def overlap(pair: Sequence[Words]) -> float:
        one, other = map(set, pair)
        return len(one & other) / len(one | other)

    return min(combinations(sentences[:MAX_PAIRS], 2), key=overlap)
