"""What a run tells while it goes on: a progress bar, ``log.jsonl``, TensorBoard, and a curve."""

import json
from pathlib import Path
from typing import Any

from tqdm import tqdm

LOG_FILE = "log.jsonl"
CURVE_FILE = "curve.png"


class Meters:
    """Writes records of a run; a resumed run goes on from its checkpoint's step."""

    def __init__(self, folder: Path, title: str, step: int) -> None:
        self.folder = folder
        self.records = [record for record in read_log(folder) if record["step"] <= step]
        folder.mkdir(parents=True, exist_ok=True)
        # What was logged after the checkpoint will be logged again.
        (folder / LOG_FILE).write_text("".join(json.dumps(record) + "\n" for record in self.records))
        self._file = (folder / LOG_FILE).open("a")
        bar_format = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"
        self._bar: Any = tqdm(total=1.0, desc=title, bar_format=bar_format, disable=None)
        self._tensorboard: Any = _tensorboard(folder, step)

    def progress(self, done: float, **values: str) -> None:
        """Move the bar to a share of the whole."""
        self._bar.n = min(done, 1.0)
        self._bar.set_postfix(values, refresh=True)

    def log(self, step: int, **values: float) -> None:
        """Keep a record, on disk at once."""
        record = {"step": step, **values}
        self.records.append(record)
        self._file.write(json.dumps(record) + "\n")
        self._file.flush()
        if self._tensorboard is not None:
            for name, value in values.items():
                self._tensorboard.add_scalar(name.replace(" ", "_"), value, step)

    def say(self, line: str) -> None:
        """A line above the bar (or on its own, where there is no terminal)."""
        tqdm.write(line)

    def close(self) -> None:
        """Finish the files and the bar."""
        self._bar.close()
        self._file.close()
        if self._tensorboard is not None:
            self._tensorboard.close()


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The records of a run; a last line that was cut off is left out."""
    records = []
    path = folder / LOG_FILE
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            records.append(json.loads(line))
        except ValueError:
            break
    return records


def _tensorboard(folder: Path, step: int) -> Any:
    """A TensorBoard writer where the package is installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(folder / "tensorboard", purge_step=step)


def draw_curve(
    records: list[dict[str, Any]], x: str, series: dict[str, str], path: Path, title: str, scale: str = "log"
) -> bool:
    """Draw named series of the records over ``x``; False where matplotlib is not installed.

    ``series``: name of a value in the records to its label; the first one sets the scale.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.ticker import EngFormatter, ScalarFormatter
    except ImportError:
        return False
    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for (name, label), colour in zip(series.items(), ("#0072B2", "#D55E00", "#009E73", "#CC79A7"), strict=False):
        points = [(record[x], record[name]) for record in records if name in record and x in record]
        if points:
            axes.plot(*zip(*points, strict=True), label=label, color=colour, linewidth=2 if len(points) < 200 else 1)
    main = [record[next(iter(series))] for record in records if next(iter(series)) in record]
    axes.set(xlabel=x, title=title, yscale=scale)
    if main and scale == "log":  # the first steps would flatten all that matters
        axes.set_ylim(top=1.5 * max(main))
    axes.yaxis.set_major_formatter(ScalarFormatter())
    if scale == "log":
        axes.yaxis.set_minor_formatter(ScalarFormatter())
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    figure.savefig(path, dpi=120)
    return True
