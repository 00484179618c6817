"""How a run reports its progress: a progress bar, ``log.jsonl``, TensorBoard and a learning curve."""

import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from tqdm import tqdm

from elmo.files import replacing_file
from elmo.settings import Amount, check_value

LOG_FILE = "log.jsonl"
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")


class Meters:
    """The progress bar and the logs of a run. A resumed run continues the log from the step of its checkpoint.

    Args:
        folder: The run folder.
        title: Label of the progress bar.
        step: The step at which the run begins or continues.
        progress: The fraction of the budget that is used up by then.
    """

    def __init__(self, folder: Path, title: str, step: int, progress: float) -> None:
        # Records after the checkpoint are dropped, because those steps are trained and logged again.
        records = [record for record in read_log(folder) if record["step"] <= step]
        with replacing_file(folder / LOG_FILE) as path:
            path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        self._file = (folder / LOG_FILE).open("a")
        bar_format = "{desc} {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"
        # The remaining time is estimated from what is done from now on.
        self._bar: Any = tqdm(total=1.0, initial=progress, desc=title, bar_format=bar_format, disable=None)
        self._tensorboard: Any = _tensorboard_writer(folder, step)

    def show_progress(self, fraction: float) -> None:
        """Move the progress bar to a fraction of the budget."""
        self._bar.update(min(fraction, 1.0) - self._bar.n)

    def show_values(self, **values: str) -> None:
        """Show values next to the progress bar."""
        self._bar.set_postfix(values)

    def log(self, step: int, **values: float) -> None:
        """Write one record to ``log.jsonl``, immediately, and to TensorBoard."""
        self._file.write(json.dumps({"step": step, **values}) + "\n")
        self._file.flush()
        if self._tensorboard is not None:
            for name, value in values.items():
                self._tensorboard.add_scalar(name.replace(" ", "_"), value, step)

    def print(self, line: str) -> None:
        """Print a line above the progress bar."""
        tqdm.write(line)

    def close(self) -> None:
        """Close the progress bar and the files."""
        self._bar.close()
        self._file.close()
        if self._tensorboard is not None:
            self._tensorboard.close()


def read_log(folder: Path) -> list[dict[str, Any]]:
    """Return the records of a run. A last line that a killed process left incomplete is ignored.

    Nothing that a run computes depends on its log, so other damaged lines are left out with a warning.
    """
    records: list[dict[str, Any]] = []
    path = folder / LOG_FILE
    damaged = []
    lines = path.read_bytes().split(b"\n") if path.exists() else []
    for number, line in enumerate(lines[:-1], 1):
        try:
            record = json.loads(line)
            check_value(record, dict[str, float], "the record")
            check_value(record.get("step"), Amount, "step")
            records.append(record)
        except (ValueError, RecursionError):
            damaged.append(number)
    if damaged:
        warnings.warn(f"{path}, line {damaged[0]}: damaged; {len(damaged)} lines are left out", stacklevel=2)
    return records


def draw_curve(
    records: list[dict[str, Any]],
    x: str,
    series: Mapping[str, str],
    path: Path,
    title: str,
    scale: Literal["log", "linear"] = "log",
) -> None:
    """Plot values of the log against ``x``. Does nothing if matplotlib is not installed.

    Args:
        records: The records of a run.
        x: The name of the value on the horizontal axis.
        series: The names of the plotted values and their labels. The first one determines the vertical range.
        path: The image file to write.
        title: The title of the figure.
        scale: The scale of the vertical axis.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.ticker import EngFormatter, ScalarFormatter
    except ImportError:
        return
    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for (name, label), color in zip(series.items(), COLORS, strict=False):
        points = [(record[x], record[name]) for record in records if name in record and x in record]
        if points:
            axes.plot(*zip(*points, strict=True), label=label, color=color, linewidth=2 if len(points) < 200 else 1)
    axes.set(xlabel=x, title=title, yscale=scale)
    first = next(iter(series))
    values = [record[first] for record in records if first in record]
    if values and scale == "log":  # the losses of the first steps would flatten everything else
        axes.set_ylim(top=1.5 * max(values))
    axes.yaxis.set_major_formatter(ScalarFormatter())
    if scale == "log":
        axes.yaxis.set_minor_formatter(ScalarFormatter())
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    with replacing_file(path) as scratch:
        figure.savefig(scratch, dpi=120)


def _tensorboard_writer(folder: Path, step: int) -> Any:
    """Return a TensorBoard writer, or None if TensorBoard is not installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(folder / "tensorboard", purge_step=step)
