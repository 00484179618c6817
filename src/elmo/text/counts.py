"""Numbers of things in messages: 1 sentence, 2 sentences."""


def counted(number: int, thing: str, things: str | None = None) -> str:
    """Return a number with its noun, in the plural unless there is one.

    Args:
        number: How many.
        thing: The noun in the singular.
        things: The noun in the plural, if it is not formed with -s.
    """
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"
