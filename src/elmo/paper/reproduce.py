"""What ``elmo reproduce`` can produce: tables and figures of Peters et al. (2018), and measurements of our own."""

from collections.abc import Iterable
from typing import Any

from elmo.paper.exhibit import Exhibit
from elmo.paper.korean import Korean
from elmo.paper.perplexity import Perplexities
from elmo.paper.probes.neighbors import PlayNeighbors
from elmo.paper.probes.pos import PartsOfSpeech
from elmo.paper.probes.wsd import WordSenses
from elmo.paper.task_tables import (
    LayerWeighting,
    LearnedLayerWeights,
    MainResults,
    Placement,
    SampleEfficiency,
    TaskExhibit,
)

EXHIBITS: dict[str, Exhibit[Any]] = {
    "table1": MainResults(),
    "table2": LayerWeighting(),
    "table3": Placement(),
    "table4": PlayNeighbors(),
    "table5": WordSenses(),
    "table6": PartsOfSpeech(),
    "figure1": SampleEfficiency(),
    "figure2": LearnedLayerWeights(),
    "perplexity": Perplexities(),
    "korean": Korean(),
}
"""The tables and figures, by the name that ``elmo reproduce`` takes."""


def chosen_exhibits(names: Iterable[str]) -> dict[str, Exhibit[Any]]:
    """Return tables and figures by name.

    Raises:
        ValueError: If there is no such table or figure.
    """
    for name in names:
        if name not in EXHIBITS:
            raise ValueError(f"{name}: no such table or figure (choose from {', '.join(EXHIBITS)})")
    return {name: EXHIBITS[name] for name in names}


def task_exhibit(exhibit: Exhibit[Any]) -> TaskExhibit | None:
    """Return the tables or figures about trained task models: the exhibit itself, or a part of it. None if none is."""
    found = exhibit.tasks if isinstance(exhibit, Korean) else exhibit
    return found if isinstance(found, TaskExhibit) else None
