"""Reading SemCor and the evaluation sets of Raganato et al."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from elmo.datasets.semcor import (
    SenseTaggedSentence,
    SenseTarget,
    read_evaluation_set,
    read_evaluation_sets,
    read_semcor,
)

BANK, BEAK, BLOCK = "blick%1:01:00::", "blick%1:02:00::", "blick%1:03:00::"


def token(surface: str, keys: Any = None) -> list[Any]:
    return [surface, surface.lower(), "NN", keys]


def semcor(path: Path, *sentences: Any) -> Path:
    path.write_text("".join(json.dumps({"doc": "d", "sent": 1, "toks": s}) + "\n" for s in sentences), "utf-8")
    return path


def evaluation(folder: Path, name: str, sentences: str, gold: str) -> tuple[Path, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    xml, keys = folder / f"{name}.data.xml", folder / f"{name}.gold.key.txt"
    body = f'<corpus lang="en" source="{name}"><text id="d0">{sentences}</text></corpus>'
    xml.write_text(f'<?xml version="1.0" encoding="UTF-8" ?>\n{body}\n', "utf-8")
    keys.write_text(gold, "utf-8")
    return xml, keys


def test_semcor_splits_multiword_expressions(tmp_path: Path) -> None:
    path = semcor(
        tmp_path / "semcor.jsonl",
        [token("The"), token("took_big_place", [BANK, BEAK]), token("_to"), token("_"), token("blicks", [BLOCK])],
        [],
        [token("Feps")],
    )
    first, second = read_semcor(path)
    assert first.words == ("The", "took", "big", "place", "to", "_", "blicks")
    assert [(t.start, t.end, t.keys) for t in first.targets] == [(1, 4, (BANK, BEAK)), (6, 7, (BLOCK,))]
    assert second == SenseTaggedSentence(("Feps",), ())
    compressed = tmp_path / "semcor.jsonl.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_semcor(compressed) == [first, second]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"toks": [', "Expecting value"),
        ("[" * 100_000, "recursion|Expecting"),
        ("[1]", "is not an object with a list 'toks'"),
        ('{"toks": 3}', "is not an object with a list 'toks'"),
        ('{"toks": [["a", "a", "NN"]]}', "is not .surface, lemma"),
        ('{"toks": [["", "a", "NN", null]]}', "is not .surface, lemma"),
        ('{"toks": [["a", "a", "NN", "a%1"]]}', "is not .surface, lemma"),
        ('{"toks": [["a", "a", "NN", []]]}', "are not sense keys"),
        ('{"toks": [["a", "a", "NN", [5]]]}', "are not sense keys"),
        ('{"toks": [["a", "a", "NN", ["a.n.01"]]]}', "are not sense keys"),
    ],
)
def test_malformed_semcor(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "semcor.jsonl"
    path.write_text('{"toks": [["a", "a", "NN", null]]}\n' + line, "utf-8")
    with pytest.raises(ValueError, match=rf"semcor\.jsonl, line 2: .*({reason})"):
        read_semcor(path)


SENTENCES = """
<sentence id="s0"><wf lemma="the" pos="DET">The</wf><instance id="t0" lemma="blick" pos="NOUN">big blick</instance>
<wf lemma="&amp;" pos="."/><instance id="t1" lemma="wug" pos="ADJ">wug&apos;s</instance></sentence>
<sentence id="s1"/><sentence id="s2"><wf lemma="." pos=".">.</wf></sentence>"""
GOLD = f"t0 {BANK} {BEAK}\nt1 wug%3:00:00::\n"


def test_evaluation_set(tmp_path: Path) -> None:
    sentence, empty = read_evaluation_set(*evaluation(tmp_path, "toy", SENTENCES, GOLD))
    assert sentence.words == ("The", "big", "blick", "wug's")
    assert sentence.targets == (
        SenseTarget(1, 3, (BANK, BEAK), "blick", "NOUN", "t0"),
        SenseTarget(3, 4, ("wug%3:00:00::",), "wug", "ADJ", "t1"),
    )
    assert empty == SenseTaggedSentence((".",), ())


@pytest.mark.parametrize(
    ("change", "gold", "reason"),
    [
        (("", ""), f"t0 {BANK}\n", r"toy\.gold\.key\.txt: has no key for instance t1"),
        (("", ""), GOLD + f"t9 {BANK}\n", r"toy\.gold\.key\.txt, line 3: there is no instance t9"),
        (("", ""), GOLD + f"t0 {BANK}\n", r"toy\.gold\.key\.txt, line 3: instance t0 occurs twice"),
        (("", ""), GOLD + "t2\n", r"line 3: is not an instance and its sense keys"),
        (("", ""), GOLD + "t2 blick\n", r"line 3: is not an instance and its sense keys"),
        (('"t1"', '"t0"'), GOLD, r"toy\.data\.xml: instance t0 occurs twice"),
        (('id="t1"', ""), GOLD, r"toy\.data\.xml: an instance has no id"),
        (('pos="ADJ"', 'pos="X"'), GOLD, r"toy\.data\.xml: instance t1 needs a text, a lemma and a pos \(one of NOUN"),
        (("wug&apos;s", " "), GOLD, r"instance t1 needs a text"),
        (("</sentence>", ""), GOLD, r"toy\.data\.xml, line 5: is not XML"),
        ((SENTENCES, ""), "", r"toy\.data\.xml: has no instances"),
    ],
)
def test_malformed_evaluation_set(tmp_path: Path, change: tuple[str, str], gold: str, reason: str) -> None:
    text = SENTENCES.replace(*change) if change[0] else SENTENCES
    with pytest.raises(ValueError, match=reason):
        read_evaluation_set(*evaluation(tmp_path, "toy", text, gold))


def test_evaluation_sets_of_a_folder(tmp_path: Path) -> None:
    for name in ("own", "semeval2007", "senseval2", "ALL"):
        evaluation(tmp_path / name, name, SENTENCES, GOLD)
    assert list(read_evaluation_sets(tmp_path)) == ["senseval2", "semeval2007", "own"]
    evaluation(tmp_path / "again", "own", SENTENCES, GOLD)
    with pytest.raises(ValueError, match="the set own is also in"):
        read_evaluation_sets(tmp_path)
    (tmp_path / "again" / "own.gold.key.txt").unlink()
    with pytest.raises(ValueError, match=r"own\.data\.xml: there is no own\.gold\.key\.txt in the same folder"):
        read_evaluation_sets(tmp_path / "again")
    (tmp_path / "again" / "own.data.xml").unlink()
    with pytest.raises(ValueError, match="has no evaluation sets"):
        read_evaluation_sets(tmp_path / "again")
