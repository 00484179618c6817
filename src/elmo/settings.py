"""Settings of training, checked where they are made, whether they come from an option, a recipe or a record of a run.

A dataclass of settings calls ``check_fields`` in its ``__post_init__``. The type of a field says what it may be, limits
included: ``dropout: Annotated[float, Range(0, 0.9)]``.
"""

import dataclasses
import functools
import types
import typing
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Annotated, Any, Literal, Union

from elmo.config import MAX_LAYERS
from elmo.validation import shown


@dataclass(frozen=True)
class Range:
    """The limits of a number. Both belong to the range, unless ``above`` excludes the lower one."""

    least: float
    most: float
    above: bool = False

    def __contains__(self, value: Any) -> bool:
        return (self.least < value if self.above else self.least <= value) and value <= self.most

    def __str__(self) -> str:
        if self.above:
            return f"greater than {self.least:,} and at most {self.most:,}"
        return f"from {self.least:,} to {self.most:,}"


MAX_SEED = 2**31 - 1
"""The seed of every step is derived from it, and fits in 64 bits."""

Seed = Annotated[int, Range(0, MAX_SEED)]
Size = Annotated[int, Range(1, 1_000_000)]
"""A number of examples, rows or units in a layer."""
Depth = Annotated[int, Range(1, MAX_LAYERS)]
"""A number of layers."""
Count = Annotated[int, Range(1, 1_000_000_000_000)]
"""A number of steps or evaluations."""
Amount = Annotated[int, Range(0, 1_000_000_000_000)]
"""The same, but it may be 0."""
Positive = Annotated[float, Range(0, 1_000_000_000, above=True)]
NotNegative = Annotated[float, Range(0, 1_000_000_000)]
Dropout = Annotated[float, Range(0, 0.9)]
Fraction = Annotated[float, Range(0, 1, above=True)]
Decay = Annotated[float, Range(0, 0.999999)]
"""The decay of a moving average. With 1, it would never change."""
Schedule = Literal["cosine", "linear", "constant"]
"""The learning rate after the warm-up: cosine or linear decay to zero over the budget, or constant."""

_WHOLE, _ANY_NUMBER = Range(-(2**63), 2**63 - 1), Range(-1e300, 1e300)
_NAMES = {bool: "true or false", str: "a string", dict: "an object", list: "a list", tuple: "a list"}


def check_fields(settings: Any) -> None:
    """Check that every field of a dataclass has a value of its type, within its limits.

    Raises:
        ValueError: Naming the first field that has not, and what it must be.
    """
    for name, kind in _types(type(settings)).items():  # type: ignore[arg-type]
        check_value(getattr(settings, name), kind, name)


def check_value(value: Any, kind: Any, name: str) -> None:
    """Check that a value has a type, which may be ``Annotated`` with a ``Range``.

    Raises:
        ValueError: Saying what ``name`` must be.
    """
    if not _fits(value, kind):
        raise ValueError(f"{name} must be {_described(kind)}, not {shown(value)}")


@functools.cache
def _types(cls: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value has a type. A list counts as a tuple, because JSON has no tuples, and an integer as a float."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is Any:
        return True
    if kind is None or kind is types.NoneType:
        return value is None
    if origin in (Union, types.UnionType):
        return any(_fits(value, argument) for argument in arguments)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if origin is Annotated:
        return _fits(value, arguments[0]) and value in arguments[1]
    if kind in (int, float):
        number, limits = (Integral, _WHOLE) if kind is int else (Real, _ANY_NUMBER)
        return type(value) is not bool and isinstance(value, number) and value in limits
    if origin is tuple and arguments[-1] is not Ellipsis:
        return isinstance(value, list | tuple) and len(value) == len(arguments) and all(map(_fits, value, arguments))
    if origin in (list, tuple):
        return isinstance(value, list | tuple) and all(_fits(item, arguments[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(
            _fits(key, arguments[0]) and _fits(item, arguments[1]) for key, item in value.items()
        )
    return isinstance(value, kind)


def _described(kind: Any) -> str:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind is None or kind is types.NoneType:
        return "null"
    if origin in (Union, types.UnionType):
        return _alternatives([_described(argument) for argument in arguments])
    if origin is Literal:
        return _alternatives(arguments)
    if origin is Annotated:
        return f"{_described(arguments[0])} {arguments[1]}"
    if kind in (int, float):
        return "an integer" if kind is int else "a number"
    return _NAMES.get(origin or kind, f"a {getattr(kind, '__name__', kind)}")


def _alternatives(names: Sequence[str]) -> str:
    """Return "a", "a or b" or "a, b, or c"."""
    if len(names) < 3:
        return " or ".join(names)
    return f"{', '.join(names[:-1])}, or {names[-1]}"
