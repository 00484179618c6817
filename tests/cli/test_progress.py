"""The estimate of the remaining time."""

import pytest

from elmo.cli.embed import RemainingTime


def test_the_first_seconds_do_not_count() -> None:
    """A job of 10,000 sentences: one sentence in the first 4 seconds, then 100 per second."""
    remaining = RemainingTime(sentences=0, now=0.0)
    assert remaining(1, 10_000, 4.0) is None
    assert remaining(101, 10_000, 5.0) is None, "too early to tell"
    assert remaining(401, 10_000, 8.0) == pytest.approx((10_000 - 401) / 100)
    assert remaining(10_000, 10_000, 104.0) == 0


def test_what_an_earlier_run_did_does_not_count() -> None:
    remaining = RemainingTime(sentences=5000, now=0.0)
    assert remaining(5000, 10_000, 60.0) is None
    assert remaining(5100, 10_000, 61.0) is None
    assert remaining(5500, 10_000, 65.0) == 45.0
