"""All models that can be loaded by name: bundled, installed, downloaded, and available for download."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import ClassVar, Literal, TypeVar

from elmo.validation import checked_text
from elmo.weights.catalog import catalog
from elmo.weights.folder import CARD_FILE
from elmo.weights.locate import BUNDLED, bundled
from elmo.weights.packages import installed, package_folder

Status = Literal["bundled", "installed", "downloaded", "available"]


@dataclass(frozen=True)
class ListedModel:
    """A model that ``elmo.load(name)`` loads."""

    name: str
    language: str
    code: str
    """ISO 639 code of the language."""
    status: Status
    parameters: str
    trained_on: str
    path: Path | None
    """Where it is on this machine; None if it has not been downloaded."""


T = TypeVar("T")


class PrintedTable(list[T]):
    """A list that is printed as a table."""

    columns: ClassVar[tuple[str, ...]]
    """The attributes of an entry that are shown."""

    def rows(self) -> list[list[str]]:
        """The cells of the table, with a header."""
        header = [column.replace("_", " ") for column in self.columns]
        return [header, *([str(getattr(entry, column)) for column in self.columns] for entry in self)]

    def __repr__(self) -> str:
        rows = self.rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
        return "\n".join(line.rstrip() for line in lines)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.rows()]
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


class ModelTable(PrintedTable[ListedModel]):
    """A list of models that is printed as a table."""

    columns = ("name", "language", "status", "parameters", "trained_on")


def models(language: str | None = None) -> ModelTable:
    """List the models that can be loaded by name.

    Args:
        language: Only models for this language, given by its English name or its ISO 639 code.

    Returns:
        The models on this machine first, then those that would be downloaded.
    """
    wanted = None if language is None else checked_text("language", language).casefold()
    found = [_with_card(name, "bundled", BUNDLED / name) for name in bundled()]
    found += [_with_card(name, "installed", package_folder(name)) for name in installed()]
    for model in catalog().values():
        here = model.is_downloaded()
        status: Status = "downloaded" if here else "available"
        about = (model.language, model.code, status, model.parameters, model.trained_on)
        found.append(ListedModel(model.name, *about, model.path if here else None))
    order = ("bundled", "installed", "downloaded", "available")
    found.sort(key=lambda model: order.index(model.status))
    return ModelTable(model for model in found if wanted in (None, model.code, model.language.casefold()))


def _with_card(name: str, status: Status, folder: Path) -> ListedModel:
    """Describe a model by the front matter of its card."""
    card = front_matter(folder / CARD_FILE)
    code = card.get("language", "")
    language = next((model.language for model in catalog().values() if model.code == code), code)
    return ListedModel(name, language, code, status, card.get("parameters", ""), card.get("trained_on", ""), folder)


def front_matter(path: Path) -> dict[str, str]:
    """Read the simple entries between the two lines of dashes that a card begins with."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    if lines[:1] != ["---"] or "---" not in lines[1:]:
        return {}
    entries = (line.partition(":") for line in lines[1 : lines.index("---", 1)])
    return {key.strip(): value.strip() for key, _, value in entries}
