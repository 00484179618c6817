"""Text is read once, from start to end, so that pipes work like files."""

import gzip
import lzma
import os
import threading
from pathlib import Path

import pytest
from commands import error_of, run

from elmo.text.reading import blocks, check_texts, find_texts, read_sentences

FASTA = b">sp|P01 first\r\nMKTAYIAKQR\r\n>second\nmktayiakqrqisfvkshfsrqleerlglievq\n"


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
        ("밥을 먹기 전에 손을 씻었다.\n".encode("cp949"), "is not UTF-8; save it as UTF-8"),
        (gzip.compress(b"a text"), "is compressed; give it a name that ends in .gz"),
        (lzma.compress(b"a text"), "is compressed; give it a name that ends in .xz"),
    ],
    ids=["UTF-16", "CP949", "gzip", "xz"],
)
def test_files_that_are_not_what_their_names_say(content: bytes, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"text.txt: {problem}"):
        list(read_sentences([path]))


@pytest.mark.parametrize(
    ("encoding", "line"),
    [
        ("cp949", "손을 씻고 1시에 갔다. (A4)"),
        ("shift-jis", "手を洗った。"),
        ("gb18030", "我去洗手。"),
        ("koi8-r", "Я мою руки."),
    ],
)
def test_other_encodings_are_refused_before_any_work(encoding: str, line: str, tmp_path: Path) -> None:
    content = f"{line}\n".encode(encoding) * 2000
    (tmp_path / "text.txt").write_bytes(content)
    problem = "is not UTF-8; save it as UTF-8 (for CP949: iconv -f CP949 -t UTF-8)"
    output = tmp_path / "corpus"
    assert error_of(run("prepare", tmp_path / "text.txt", "-o", output)) == f"elmo: {tmp_path}/text.txt: {problem}"
    assert error_of(run("prepare", "-", "-o", output, stdin=content)) == f"elmo: standard input: {problem}"
    assert not output.exists()


@pytest.mark.filterwarnings("ignore:not valid UTF-8")
@pytest.mark.parametrize("content", ["Un café très serré, à côté.\n".encode("latin-1"), b"a \xff b\n", b"\xea\xb0"])
def test_stray_bytes_are_not_another_encoding(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_bytes(content + b"and more text\n" * 10)
    assert len(list(read_sentences([tmp_path / "text.txt"]))) >= 10


@pytest.mark.parametrize(
    ("file", "kind"), [("corpus.json", "a corpus"), ("run.json", "a training run"), ("model.safetensors", "a model")]
)
def test_a_corpus_or_a_model_in_place_of_text(file: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("{}")
    with pytest.raises(ValueError, match=f"is {kind}.*, not text"):
        find_texts([tmp_path])


@pytest.mark.parametrize(
    "content",
    [FASTA, b"\xef\xbb\xbf" + FASTA, b">lower\n" + FASTA[-34:], b"\n>cut\n" + b"ACGT" * 10_000, b">one\nMKT"],
    ids=["proteins", "byte order mark", "lower case", "long", "short"],
)
def test_fasta(content: bytes, tmp_path: Path) -> None:
    plain, compressed = tmp_path / "proteins.txt", tmp_path / "proteins.fa.gz"
    plain.write_bytes(content)
    compressed.write_bytes(gzip.compress(content))
    for path in (plain, compressed):
        with pytest.raises(ValueError, match=f"{path.name}: is FASTA, not text; write each sequence as one line"):
            check_texts([path])


@pytest.mark.parametrize(
    "content",
    [b"> Hello Ann,\n> are you there?\nYES\n", b"> a quotation\n\nwith an answer\n", b"> Title\n-----\n", b">\n", b">"],
)
def test_quotations_are_not_fasta(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "mail.txt").write_bytes(content)
    check_texts([tmp_path / "mail.txt"])


@pytest.mark.parametrize("source", ["file", "standard input"])
@pytest.mark.parametrize(
    "command",
    [
        ("embed", "{}", "-o", "out.h5"),
        ("embed", "{}", "-o", "out.h5", "--state", "carry"),
        ("prepare", "{}", "-o", "out", "--workers", "1"),
        ("finetune", "{}", "-o", "out"),
        ("perplexity", "{}"),
    ],
    ids=lambda command: " ".join(command[::4]),
)
def test_commands_refuse_fasta(
    command: tuple[str, ...], source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.fasta").write_bytes(FASTA)
    name = "text.fasta" if source == "file" else "-"
    error = error_of(run(*(argument.format(name) for argument in command), stdin=FASTA))
    shown = "standard input" if name == "-" else name
    assert error.startswith(f"elmo: {shown}: is FASTA, not text; ")
    assert [path.name for path in tmp_path.iterdir()] == ["text.fasta"]
