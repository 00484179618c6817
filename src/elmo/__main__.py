"""The command ``elmo``, which is also ``python -m elmo``."""

from typing import NoReturn

from elmo.cli.interrupts import interrupts_after_imports


def main() -> NoReturn:
    """Run the command line and exit."""
    with interrupts_after_imports():
        from elmo.cli.main import main

        main()


if __name__ == "__main__":
    main()
