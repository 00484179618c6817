"""What a run shows and logs."""

from pathlib import Path

import pytest

from elmo.train import meters
from elmo.train.meters import Meters, read_log


def test_a_resumed_run_continues_its_log_and_its_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bars = []

    def shown_bar(**options: object) -> object:
        bars.append(tqdm(**{**options, "disable": False}))
        return bars[-1]

    tqdm = meters.tqdm
    monkeypatch.setattr(meters, "tqdm", shown_bar)
    for step, progress in ((0, 0.0), (4, 0.4)):
        run = Meters(tmp_path, "train", step, progress)
        for number in range(step + 1, step + 7):
            run.log(number, loss=1.0)
            run.show_progress(number / 10)
        run.show_values(loss="1.000")
        run.close()
    assert [record["step"] for record in read_log(tmp_path)] == list(range(1, 11))
    assert [(bar.initial, bar.n) for bar in bars] == [(0.0, 0.6), (0.4, 1.0)]
    assert "loss=1.000" in str(bars[1])
