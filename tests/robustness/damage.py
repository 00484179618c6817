"""Ways to damage files that several suites share."""

import random


def flipped(content: bytes, rng: random.Random) -> bytes:
    """Flip one bit."""
    changed = bytearray(content)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)
