"""Checks of what a caller passes in: sentences, numbers, flags and layers. Every public function uses these.

An argument that cannot be meant that way (None, NaN, bytes or a table among the sentences; 2.5 layers; the string "no"
as a flag) is a ``ValueError`` that names it, before anything is computed. Nothing heavy is imported here.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

_NOT_SEQUENCES = (str, bytes, bytearray, memoryview, Mapping, Set)
"""Iterable, but neither sentences nor words: the items are characters, bytes or keys, or have no order."""


def checked_sentences(sentences: Iterable[Any], split: Callable[[str], list[str]] | None = None) -> Iterator[list[str]]:
    """Return the words of each sentence, and check the sentences one by one as they are read.

    A sentence is a string, or its words in order: a list, a tuple, an array or a column of strings.

    Args:
        sentences: The sentences, in any iterable that has an order.
        split: Splits a string into words. None does not allow strings.

    Returns:
        An iterator over lists of words. The argument itself is checked at once, the sentences when they are reached.

    Raises:
        ValueError: If an item is not a sentence. The message has its position, counted from 0.
    """
    if isinstance(sentences, str):
        raise ValueError("expected a list of sentences, got a string; put a single sentence into a list")
    if hasattr(sentences, "columns"):
        raise ValueError(f"expected a list of sentences, got a {kind(sentences)}; select the column with the sentences")
    if not _is_ordered(sentences):
        raise ValueError(f"expected a list of sentences, got {kind(sentences)}")
    return (_words(number, sentence, split) for number, sentence in enumerate(sentences))


def _words(number: int, sentence: Any, split: Callable[[str], list[str]] | None) -> list[str]:
    """Check one sentence and return its words."""
    if isinstance(sentence, str) and split is not None:
        return split(_plain(sentence))
    if not _is_ordered(sentence):
        wanted = "a list of words" if split is None else "a string or a list of words"
        hint = "; split it into words first" if isinstance(sentence, str) else ""
        raise ValueError(f"sentence {number}: expected {wanted}, got {kind(sentence)}{hint}")
    words = list(sentence)
    if set(map(type, words)) <= {str}:  # nearly always, and much faster than a loop
        return words
    for position, word in enumerate(words):
        if not isinstance(word, str):
            raise ValueError(f"sentence {number}, word {position}: expected a string, got {kind(word)}")
    return list(map(_plain, words))


def checked_text(name: str, text: Any) -> str:
    """Return a text, after checking that it is a string."""
    if not isinstance(text, str):
        raise ValueError(f"{name} must be a string, not {kind(text)}")
    return _plain(text)


def checked_count(name: str, value: Any, minimum: int = 1, maximum: int = 2**31 - 1) -> int:
    """Return an integer of any integer type, after checking its type and that it is in range."""
    number = _integer(value)
    if number is None:
        raise ValueError(f"{name} must be an integer, not {shown(value)}")
    if number < minimum:
        raise ValueError(f"{name} must be at least {minimum}, not {shown(value)}")
    if number > maximum:
        raise ValueError(f"{name} must be at most {maximum:,}, not {shown(value)}")
    return number


def checked_fraction(name: str, value: Any) -> float:
    """Return a number from 0 to 1, such as a dropout probability."""
    number = checked_number(name, value)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, not {shown(value)}")
    return number


def checked_list(name: str, values: Any) -> list[Any]:
    """Return the items of an iterable that has an order, as a list."""
    if not _is_ordered(values):
        raise ValueError(f"{name} must be a list, not {kind(values)}")
    return list(values)


def checked_stream(name: str, values: Any) -> Iterator[Any]:
    """Return an iterator over an iterable that has an order, such as a list or a generator."""
    if not _is_ordered(values):
        raise ValueError(f"{name} must be a list, not {kind(values)}")
    return iter(values)


def checked_number(name: str, value: Any) -> float:
    """Return a finite real number."""
    try:
        number = None if _is_flag(value) or isinstance(value, str | bytes | bytearray) else float(value)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        number = None
    if number is None or not abs(number) < float("inf"):  # NaN fails every comparison
        raise ValueError(f"{name} must be a finite number, not {shown(value)}")
    return number


def checked_flag(name: str, value: Any) -> bool:
    """Return True or False; 0 and 1 are also allowed."""
    if not (_is_flag(value) or (isinstance(value, int) and value in (0, 1))):
        raise ValueError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)


def checked_choice(name: str, value: Any, choices: Sequence[str]) -> str:
    """Return one of several names."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be {_or(choices)}, not {shown(value)}")
    return _plain(value)


def checked_layers(value: Any, names: Sequence[str], n_layers: int | None = None) -> Any:
    """Return one of the names, or the index of a layer as an ordinary integer.

    Args:
        value: What was given as ``layers``.
        names: The names that are allowed, such as "top".
        n_layers: Number of layers, if it is known already.
    """
    if isinstance(value, str) and value in names:
        return _plain(value)
    number = _integer(value)
    if number is None or number < 0 or (n_layers is not None and number >= n_layers):
        index = "the index of a layer" if n_layers is None else f"a number from 0 to {n_layers - 1}"
        raise ValueError(f"layers must be {_or([*names, index])}, not {shown(value)}")
    return number


def checked_instance(name: str, value: Any, wanted: type, hint: str, *, optional: bool = False) -> None:
    """Check the class of an object, which may be None if it is optional; the hint says where such objects come from."""
    if not isinstance(value, wanted) and not (optional and value is None):
        raise ValueError(f"{name} must be a {wanted.__name__} ({hint}), not {kind(value)}")


def kind(value: Any) -> str:
    """Describe the type of a value for an error message."""
    if isinstance(value, str):
        return "a string"
    return "nan" if isinstance(value, float) and value != value else type(value).__name__


def shown(value: Any) -> str:
    """Show a value in an error message, in one short line."""
    try:
        text = (
            repr(value) if isinstance(value, str | int | float | bool | None) else f"{type(value).__name__} {value!r}"
        )
    except ValueError:  # an integer with thousands of digits
        return "a huge number"
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def _integer(value: Any) -> int | None:
    """Return the value of an integer of any type (Python, NumPy, torch); None for anything else."""
    if _is_flag(value):
        return None
    try:
        return operator.index(value)
    except (TypeError, ValueError, RuntimeError):
        return None


def _is_flag(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")  # NumPy's is called either, depending on its version


def _is_ordered(value: Any) -> bool:
    """Whether a value can be iterated over in an order; arrays without axes only claim to be iterable."""
    try:
        iter(value)
    except TypeError:
        return False
    # The items of a tensor are tensors, never strings, and those of a table are the names of its columns.
    return not (isinstance(value, _NOT_SEQUENCES) or hasattr(value, "requires_grad") or hasattr(value, "columns"))


def _plain(text: str) -> str:
    """Return a string of a subclass, such as NumPy's, as an ordinary one."""
    return text if type(text) is str else str.__str__(text)


def _or(choices: Sequence[str]) -> str:
    return f"{', '.join(choices[:-1])} or {choices[-1]}"
