"""Pictures of results."""

import statistics
from collections.abc import Mapping
from pathlib import Path

from elmo.paper.report import COLOURS, new_figure, readable, save_figure
from elmo.paper.tables import FRACTIONS, TITLES, Experiment, Values, learned_shares
from elmo.results import Result


def draw_sample_efficiency(experiment: Experiment, results: Mapping[str, Result], stem: Path) -> list[Path]:
    """Figure 1: scores over the share of the training data, without and with ELMo."""
    e, values = experiment, Values(results)
    figure = new_figure(5 * len(e.tasks), 4)
    with readable():
        for axes, task in zip(figure.subplots(1, len(e.tasks), squeeze=False)[0], e.tasks, strict=True):
            for who, label, colour in ((None, "baseline", COLOURS[1]), (e.elmo, "+ ELMo", COLOURS[0])):
                points = [(100 * f, values(e.cells(task, who, fraction=f))) for f in FRACTIONS]
                points = [(share, scores) for share, scores in points if scores]
                if not points:
                    continue
                means = [statistics.mean(scores) for _, scores in points]
                spread = [statistics.stdev(scores) if len(scores) > 1 else 0.0 for _, scores in points]
                axes.errorbar([p[0] for p in points], means, spread, label=label, color=colour, marker="o", capsize=3)
            axes.set(title=TITLES[task], xlabel="% of the training data", ylabel="dev", xscale="log")
            axes.set_xticks([100 * f for f in FRACTIONS], [f"{100 * f:g}" for f in FRACTIONS])
            axes.grid(alpha=0.3)
            axes.legend()
    return save_figure(figure, stem)


def draw_layer_weights(experiment: Experiment, results: Mapping[str, Result], stem: Path) -> list[Path]:
    """Figure 2: the learned shares of the layers, as a heat map for the input and for the output."""
    shares = learned_shares(experiment, results)
    figure = new_figure(9, 1.5 + 0.5 * len(experiment.tasks))
    with readable():
        places = figure.subplots(1, 2, squeeze=False)[0]
        for axes, (place, tasks) in zip(places, shares.items(), strict=True):
            if not tasks:
                axes.set_axis_off()
                continue
            axes.imshow(list(tasks.values()), cmap="Blues", vmin=0, vmax=1, aspect="auto")
            axes.set_yticks(range(len(tasks)), [TITLES[task] for task in tasks])
            count = len(next(iter(tasks.values())))
            axes.set_xticks(range(count), ["words", *(f"LSTM {number}" for number in range(1, count))])
            axes.set_title(f"ELMo at the {place}")
            for row, values in enumerate(tasks.values()):
                for column, share in enumerate(values):
                    colour = "white" if share > 0.5 else "black"
                    axes.text(column, row, f"{share:.2f}", ha="center", va="center", color=colour)
    return save_figure(figure, stem)


DRAWINGS = {"figure1": draw_sample_efficiency, "figure2": draw_layer_weights}
