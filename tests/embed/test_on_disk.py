import json
import zipfile
from pathlib import Path

import pytest

from elmo.embed.on_disk import SentenceIndex, StoredZip


def test_archive(tmp_path: Path) -> None:
    """More members than fit into 16 bits, and one in pieces."""
    archive = StoredZip(tmp_path / "a.zip")
    for number in range(66_000):
        archive.add(str(number), [b"%d" % number])
    archive.add("pieces", (b"x" * size for size in range(100)))
    archive.close()
    with zipfile.ZipFile(tmp_path / "a.zip") as read:
        assert read.testzip() is None
        assert len(read.namelist()) == 66_001
        assert read.read("65999") == b"65999"
        assert read.read("pieces") == b"x" * (99 * 50)
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_empty_archive(tmp_path: Path) -> None:
    StoredZip(tmp_path / "a.zip").close()
    assert zipfile.ZipFile(tmp_path / "a.zip").namelist() == []


@pytest.mark.parametrize("sentences", [[], ["a"], ["a", "b c", "a", "", 'quo"ted', "손을", "\ud800", "b c", "\\"]])
def test_index(tmp_path: Path, sentences: list[str]) -> None:
    index = SentenceIndex(tmp_path / "index")
    for number, sentence in enumerate(sentences):
        index.add(sentence, number)
    expected = {sentence: str(number) for number, sentence in enumerate(sentences)}
    assert b"".join(index.as_json()).decode() == json.dumps(expected)
    index.close()
    assert not list(tmp_path.iterdir())
