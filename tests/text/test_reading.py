"""Text is read once, from start to end, so that pipes work like files."""

import gzip
import lzma
import os
import threading
from pathlib import Path

import pytest

from elmo.text.reading import blocks, check_texts, find_texts, read_sentences


def test_a_pipe(tmp_path: Path) -> None:
    """As in ``elmo perplexity small <(zcat text.gz)``. The writer would be killed if the pipe were opened twice."""
    os.mkfifo(tmp_path / "pipe")
    content = "one two\n" * 100_000 + "three\n"  # more than a pipe holds
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=[content])
    writer.start()
    taken: list[int] = []
    check_texts([tmp_path / "pipe"])
    found = b"".join(blocks([tmp_path / "pipe"], lambda path, size: taken.append(size)))
    writer.join()
    assert found.split() == content.encode().split()
    assert sum(taken) == len(content)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("손".encode("utf-16"), "is UTF-16; save it as UTF-8"),
        (gzip.compress(b"a text"), "is compressed; give it a name that ends in .gz"),
        (lzma.compress(b"a text"), "is compressed; give it a name that ends in .xz"),
    ],
    ids=["UTF-16", "gzip", "xz"],
)
def test_files_that_are_not_what_their_names_say(content: bytes, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"text.txt: {problem}"):
        list(read_sentences([path]))


@pytest.mark.parametrize(
    ("file", "kind"), [("corpus.json", "a corpus"), ("run.json", "a training run"), ("model.safetensors", "a model")]
)
def test_a_corpus_or_a_model_in_place_of_text(file: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("{}")
    with pytest.raises(ValueError, match=f"is {kind}.*, not text"):
        find_texts([tmp_path])
