"""From the text of a request to words, with an eye on how much it is."""

from collections.abc import Sequence

from elmo.config import Tokenize
from elmo.embed.embedder import tokenizer
from elmo.serve.errors import Refusal
from elmo.serve.settings import ServeSettings


def to_words(
    sentences: Sequence[str | Sequence[str]], tokenize: Tokenize, settings: ServeSettings, param: str
) -> list[list[str]]:
    """The words of each sentence; what is too large is refused as soon as that is known. ``param``: the field."""
    if len(sentences) > settings.max_sentences:
        raise Refusal(413, f"{len(sentences)} sentences are more than {settings.max_sentences}", param)
    split = tokenizer(tokenize)
    result: list[list[str]] = []
    total = 0
    for number, sentence in enumerate(sentences):
        where = f"sentence {number}" if len(sentences) > 1 else "the sentence"
        characters = len(sentence) if isinstance(sentence, str) else sum(map(len, sentence))
        if characters > settings.max_characters:
            raise Refusal(413, f"{where} has more than {settings.max_characters} characters", param)
        words = split(sentence) if isinstance(sentence, str) else list(sentence)
        if len(words) > settings.max_words:
            raise Refusal(413, f"{where} has {len(words)} words, more than {settings.max_words}", param)
        total += len(words)
        if total > settings.max_request_words:
            raise Refusal(413, f"the request has more than {settings.max_request_words} words", param)
        result.append(words)
    return result
