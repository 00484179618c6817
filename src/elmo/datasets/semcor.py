"""Sentences annotated with WordNet senses: SemCor, and the evaluation sets of Raganato et al. (2017)."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from elmo.datasets.lines import bad_line, numbered_lines
from elmo.datasets.wordnet import PARTS_OF_SPEECH
from elmo.text.reading import read_text

EVALUATION_SETS = ("senseval2", "senseval3", "semeval2007", "semeval2013", "semeval2015")
"""The sets of Raganato et al., in their order."""
ALL_SETS = "ALL"
"""The name of their union, which has a file of its own in the published folder."""


@dataclass(frozen=True)
class SenseTarget:
    """A word, or a multiword expression, annotated with its sense."""

    start: int
    end: int
    """Position after the last word."""
    keys: tuple[str, ...]
    """The correct sense keys; several where the annotators accepted more than one."""
    lemma: str
    pos: str
    """Part of speech as written in the file: NOUN, VERB, ADJ or ADV in the evaluation sets."""
    id: str = ""


@dataclass(frozen=True)
class SenseTaggedSentence:
    """A sentence in which some words are annotated with their sense."""

    words: tuple[str, ...]
    targets: tuple[SenseTarget, ...]


def read_semcor(path: str | Path) -> list[SenseTaggedSentence]:
    """Read SemCor from JSON lines.

    Each line is an object whose list ``toks`` has one ``[surface, lemma, part of speech, sense keys or null]`` per
    token. Multiword expressions (``took_place``) are split into words. For SemCor in the XML format of Raganato et al.,
    use :func:`read_evaluation_set`.
    """
    sentences = []
    for number, line in numbered_lines(path):
        try:
            sentence = _sentence(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise bad_line(path, number, str(error)) from None
        if sentence.words:
            sentences.append(sentence)
    return sentences


def _sentence(record: Any) -> SenseTaggedSentence:
    tokens = record.get("toks") if isinstance(record, dict) else None
    if not isinstance(tokens, list):
        raise ValueError("is not an object with a list 'toks'")
    words: list[str] = []
    targets = []
    for token in tokens:
        match token:
            case [str(surface), str(lemma), str(pos), None | list() as keys] if surface.strip():
                pass
            case _:
                raise ValueError(f"{token!s:.60} is not [surface, lemma, part of speech, sense keys or null]")
        start = len(words)
        words += [piece for piece in surface.split("_") if piece] or [surface]
        if keys is not None:
            if not keys or not all(isinstance(key, str) and "%" in key for key in keys):
                raise ValueError(f"{keys!s:.60} are not sense keys like bank%1:17:01::")
            targets.append(SenseTarget(start, len(words), tuple(keys), lemma, pos))
    return SenseTaggedSentence(tuple(words), tuple(targets))


def read_evaluation_set(xml: str | Path, gold: str | Path) -> list[SenseTaggedSentence]:
    """Read a set in the format of Raganato et al. (2017): sentences in XML, and the sense keys of its instances."""
    keys = _read_gold(gold)
    try:
        root = ElementTree.fromstring(read_text(xml))
    except ElementTree.ParseError as error:
        raise bad_line(xml, error.position[0], f"is not XML ({error})") from None
    sentences = []
    found: set[str] = set()
    for element in root.iter("sentence"):
        words: list[str] = []
        targets = []
        for word in element:
            start = len(words)
            words += (word.text or "").split()
            if word.tag != "instance":
                continue
            name, lemma, pos = (word.get(attribute, "") for attribute in ("id", "lemma", "pos"))
            if not name or name in found:
                raise ValueError(f"{xml}: {f'instance {name} occurs twice' if name else 'an instance has no id'}")
            if not lemma or pos not in PARTS_OF_SPEECH or start == len(words):
                raise ValueError(
                    f"{xml}: instance {name} needs a text, a lemma and a pos (one of {', '.join(PARTS_OF_SPEECH)})"
                )
            if name not in keys:
                raise ValueError(f"{gold}: has no key for instance {name} of {xml}")
            found.add(name)
            targets.append(SenseTarget(start, len(words), keys[name][1], lemma, pos, name))
        if words:
            sentences.append(SenseTaggedSentence(tuple(words), tuple(targets)))
    for name, (number, _) in keys.items():
        if name not in found:
            raise bad_line(gold, number, f"there is no instance {name} in {xml}")
    if not found:
        raise ValueError(f"{xml}: has no instances")
    return sentences


def _read_gold(path: str | Path) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return the line number and the sense keys of each instance."""
    keys: dict[str, tuple[int, tuple[str, ...]]] = {}
    for number, line in numbered_lines(path):
        name, *own = line.split()
        if not own or not all("%" in key for key in own):
            raise bad_line(path, number, "is not an instance and its sense keys")
        if name in keys:
            raise bad_line(path, number, f"instance {name} occurs twice")
        keys[name] = number, tuple(own)
    return keys


def read_evaluation_sets(folder: str | Path) -> dict[str, list[SenseTaggedSentence]]:
    """Read all evaluation sets in a folder and its subfolders, by name.

    A set is a pair of files, ``NAME.data.xml`` and ``NAME.gold.key.txt``, compressed or not. The set ``ALL`` is
    skipped, since it repeats the instances of the others.
    """
    folder = Path(folder)
    files = {name: sorted(folder.rglob(f"*{name}*")) for name in (".data.xml", ".gold.key.txt")}
    golds = {(file.parent, file.name.split(".")[0]): file for file in files[".gold.key.txt"]}
    found: dict[str, tuple[Path, Path]] = {}
    for xml in files[".data.xml"]:
        name = xml.name.split(".")[0]
        if name == ALL_SETS:
            continue
        if (xml.parent, name) not in golds:
            raise ValueError(f"{xml}: there is no {name}.gold.key.txt in the same folder")
        if name in found:
            raise ValueError(f"{xml}: the set {name} is also in {found[name][0]}")
        found[name] = xml, golds[xml.parent, name]
    if not found:
        raise ValueError(f"{folder}: has no evaluation sets (NAME.data.xml with NAME.gold.key.txt)")
    order = [*(name for name in EVALUATION_SETS if name in found), *(n for n in found if n not in EVALUATION_SETS)]
    return {name: read_evaluation_set(*found[name]) for name in order}
