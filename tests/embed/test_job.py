"""An interrupted job that is resumed gives the same output as one that was not interrupted."""

import gzip
import itertools
import math
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest
from commands import error_of, run

import elmo
from elmo.config import Format
from elmo.embed import job as work
from elmo.embed.job import EmbeddingSummary, embed_file
from elmo.embed.parts import MANIFEST, EmbeddingJob
from elmo.files import parts_folder

LINES = ["The play was sold out .", "", "손을 씻고", "a b", "a b", "Dem Volke", "last"]
FORMATS: list[Format] = ["hdf5", "parquet", "safetensors", "npz"]
OPTIONS = {
    "layers": "all",
    "pool": None,
    "tokenize": "whitespace",
    "merge": None,
    "initial_state": "zero",
    "batch_tokens": 64,
}


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_bytes("\n".join(LINES).encode())
    return path


def run_job(job: EmbeddingJob, model: elmo.Embedder, resume: bool = False) -> int:
    """Run a job in parts of two lines and return the number of parts that were computed."""
    summary = embed_file(
        *(job.input, job.output, model),
        **{**job.options, "format": job.format, "sharded": job.sharded, "resume": resume, "shard_lines": 2},
    )
    return math.ceil(summary.sentences / 2) - math.ceil(summary.resumed / 2)


class TestEmbedFile:
    @pytest.mark.parametrize(
        ("lines", "merge", "cut"),
        [
            (["MKT" * 20, "a", "ACGT" * 12, "MKT" * 17 + " b " + "손" * 17], None, "3 words"),
            (["a", "a " + "b" * 49], None, "1 word"),
            (["a", "東" * 30 + " " + "c" * 48], "mean", None),  # the tokens of a merged word are short
            (["a", "b" * 49 + "."], "last", "1 word"),
        ],
        ids=["sequences", "one", "short tokens of a long word", "merged"],
    )
    def test_words_that_are_cut(self, model: elmo.Embedder, tmp_path: Path, lines, merge, cut: str | None) -> None:
        """Once for a file in parts, and once for input that can be read only once."""
        (tmp_path / "long.txt").write_text("\n".join(lines), "utf-8")
        for name, source in enumerate((tmp_path / "long.txt", iter(lines))):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                embed_file(source, tmp_path / f"{name}.npz", model, merge=merge, tokenize="words", shard_lines=1)
            message = f"longer than 48 bytes: {cut}; the model reads only the beginning of such a word"
            assert [str(warning.message) for warning in caught] == ([message] if cut else [])

    def test_progress_and_summary(self, model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
        """An interrupted job reports what the next run will not repeat."""
        reports = []

        def interrupt(stage: str, sentences: int, total: int | None, words: int) -> None:
            if sentences == 4:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            embed_file(text, tmp_path / "out.npz", model, shard_lines=2, progress=interrupt)
        assert len(list(parts_folder(tmp_path / "out.npz").glob("part-*"))) == 1
        summary = embed_file(
            text, tmp_path / "out.npz", model, shard_lines=2, resume=True, progress=lambda *r: reports.append(r)
        )
        words = sum(len(line.split()) for line in LINES[2:])
        earlier = sum(len(line.split()) for line in LINES[:2])
        assert summary == EmbeddingSummary(tmp_path / "out.npz", len(LINES), earlier + words, 2, earlier)
        assert reports[0] == ("embed", 2, len(LINES), 0)
        assert ("embed", len(LINES), len(LINES), words) in reports
        assert reports[-1] == ("join", len(LINES), len(LINES), words)

    def test_an_iterable_is_read_once(self, published_folder: Path, model: elmo.Embedder, tmp_path: Path) -> None:
        summary = embed_file(iter([*LINES, ["in", "words"]]), tmp_path / "out.npz", published_folder, layers="top")
        assert summary == EmbeddingSummary(tmp_path / "out.npz", len(LINES) + 1, 17)
        with np.load(tmp_path / "out.npz") as file:
            np.testing.assert_allclose(file["7"], model.embed(["in words"], "top")[0].layers, atol=1e-6)
        with pytest.raises(ValueError, match="resume is not possible: the input can be read only once"):
            embed_file(iter(LINES), tmp_path / "new.npz", model, resume=True)

    def test_integers_of_other_types(self, model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
        embed_file(text, tmp_path / "out.npz", model, layers=np.int64(1), shard_lines=np.int32(2))  # type: ignore[arg-type]
        with np.load(tmp_path / "out.npz") as file:
            np.testing.assert_allclose(file["0"], model.embed(LINES[:1], 1)[0].layers, atol=1e-6)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"ray_workers": 2}, "require ray=True"),
            ({"ray": True}, "Ray workers load the model themselves"),
            ({"shard_lines": 0}, "shard_lines must be at least 1"),
            ({"shard_lines": "5"}, "shard_lines must be an integer"),
            ({"batch_sentences": 0}, "batch_sentences must be at least 1"),
            ({"layers": 7}, "layers must be"),
        ],
    )
    def test_bad_options(self, model: elmo.Embedder, text: Path, tmp_path: Path, options: dict, message: str) -> None:
        with pytest.raises(ValueError, match=message):
            embed_file(text, tmp_path / "out.npz", model, **options)
        assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


class TestCut:
    def test_lines(self, text: Path) -> None:
        for lines in (1, 2, 3, 100):
            shards = work.cut_shards(text, lines)
            assert [shard.number for shard in shards] == list(range(len(shards)))
            assert [line for shard in shards for line in work.read_shard(text, shard)] == LINES
            assert [shard.first for shard in shards] == list(range(0, len(LINES), lines))

    @pytest.mark.parametrize(
        ("content", "lines"),
        [
            (b"", []),
            (b"\n", [""]),
            (b"a\n\n", ["a", ""]),
            (b"a\r\nb\r\n", ["a", "b"]),
            ("\ufeffa\n\ufeffb".encode(), ["a", "\ufeffb"]),
            ("a\u2028b\x0cc".encode(), ["a\u2028b\x0cc"]),
        ],
    )
    def test_ends(self, tmp_path: Path, content: bytes, lines: list[str]) -> None:
        path = tmp_path / "text.txt"
        path.write_bytes(content)
        assert [line for shard in work.cut_shards(path, 1) for line in work.read_shard(path, shard)] == lines

    def test_compressed(self, tmp_path: Path) -> None:
        path = tmp_path / "text.txt.gz"
        path.write_bytes(gzip.compress(b"a text"))
        with pytest.raises(ValueError, match="is compressed; decompress it first, or pipe the text to elmo embed -"):
            work.cut_shards(path, 2)

    def test_not_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "text.txt"
        path.write_bytes(b"fine\nfine\nfine\n\xff\n")
        with pytest.raises(ValueError, match="line 4 is not valid UTF-8; save the text as UTF-8"):
            work.cut_shards(path, 3)

    def test_a_text_that_changes(self, text: Path) -> None:
        shards = work.cut_shards(text, 2)
        text.write_text(text.read_text().replace("a b", "a c"))
        assert work.read_shard(text, shards[0]) == LINES[:2]
        with pytest.raises(ValueError, match=r"text\.txt: the file has changed"):
            work.read_shard(text, shards[1])


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("options", [{}, {"layers": "top", "pool": "mean"}], ids=["all", "pooled"])
def test_parts_make_the_whole(model: elmo.Embedder, text: Path, tmp_path: Path, format: Format, options: dict) -> None:
    """Joined parts are what a sink would have written, byte for byte."""
    job = EmbeddingJob(text, tmp_path / "out", format, False, {**OPTIONS, **options})
    run_job(job, model)
    parts = [model.embed(LINES[start : start + 2], **job.options) for start in range(0, len(LINES), 2)]
    if format == "parquet":
        rows = pyarrow.parquet.read_table(tmp_path / "out").to_pylist()
        assert [row["index"] for row in rows] == list(range(len(LINES)))
        assert [row["tokens"] for row in rows] == [line.split() for line in LINES]
        column = "vectors" if options else "layer_2"
        expected = [part.layers if options else part.layers[2] for part in itertools.chain(*parts)]
        assert all(
            np.array_equal(np.array(row[column]).reshape(e.shape), e) for row, e in zip(rows, expected, strict=True)
        )
    else:
        with work.open_sink(tmp_path / "direct", format, job.by_layer) as write:
            for sentence in itertools.chain(*parts):
                write(sentence)
        assert (tmp_path / "out").read_bytes() == (tmp_path / "direct").read_bytes()
        (tmp_path / "direct").unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "text.txt"]


@pytest.mark.parametrize("format", FORMATS)
def test_sharded(model: elmo.Embedder, text: Path, tmp_path: Path, format: Format) -> None:
    """Sentences are numbered across all parts."""
    job = EmbeddingJob(text, tmp_path / "out", format, True, OPTIONS)
    run_job(job, model)
    suffix = {"hdf5": "h5"}.get(format, format)
    assert sorted(path.name for path in job.output.iterdir()) == [
        "_job.json",
        *(f"part-00000{i}.{suffix}" for i in range(4)),
    ]
    if format == "parquet":
        assert pyarrow.parquet.read_table(job.output)["index"].to_pylist() == list(range(len(LINES)))
    if format == "npz":
        with np.load(job.output / "part-000003.npz") as last:
            assert sorted(last) == ["6", "tokens"]
    with pytest.raises(FileExistsError, match="already exists"):
        run_job(job, model)


class TestResume:
    def test_what_is_there_is_not_repeated(self, model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
        whole, stopped = (EmbeddingJob(text, tmp_path / name, "npz", False, OPTIONS) for name in ("whole", "stopped"))
        assert run_job(whole, model) == 4
        shards = work.cut_shards(text, 2)
        made_from = work.identity(stopped, shards, model)

        def stop_after_two() -> None:
            with work.job_folder(stopped, made_from, False):
                for shard in shards[:2]:
                    work.embed_shard(stopped, shard, model, lambda sentences, words, cut: None)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            stop_after_two()
        with pytest.raises(FileExistsError, match="2 finished parts of an interrupted run; use --resume"):
            run_job(stopped, model)
        assert run_job(stopped, model, resume=True) == 2
        assert stopped.output.read_bytes() == whole.output.read_bytes()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["stopped", "text.txt", "whole"]

    @pytest.mark.parametrize(
        ("change", "name"),
        [
            ({"options": {**OPTIONS, "layers": "top"}}, r"--layers \(it was all\)"),
            ({"options": {**OPTIONS, "initial_state": "warm"}}, r"--initial-state \(it was zero\), warm_up"),
            ({"format": "parquet"}, "format"),
            ({"lines": [*LINES, "one more"]}, "input"),
        ],
    )
    def test_another_job(self, model: elmo.Embedder, text: Path, tmp_path: Path, change: dict, name: str) -> None:
        job = EmbeddingJob(text, tmp_path / "out", "npz", False, OPTIONS)
        start(job, model)
        text.write_text("\n".join(change.pop("lines", LINES)))
        other = EmbeddingJob(**{**vars(job), **change})
        with pytest.raises(ValueError, match=rf"out\.parts: the interrupted run differs in {name};"):
            run_job(other, model, resume=True)
        assert len(list(job.folder.glob("part-*"))) == 1, "finished work is never lost"

    def test_another_model(self, model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
        job = EmbeddingJob(text, tmp_path / "out", "npz", False, OPTIONS)
        start(job, model)
        with pytest.raises(ValueError, match="differs in model;"):
            run_job(job, elmo.load(), resume=True)

    def test_other_batches_are_no_other_job(self, model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
        job = EmbeddingJob(text, tmp_path / "out", "npz", False, OPTIONS)
        start(job, model)
        assert (
            run_job(EmbeddingJob(**{**vars(job), "options": {**OPTIONS, "batch_tokens": 9}}), model, resume=True) == 3
        )

    def test_two_at_once(self, model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
        job = EmbeddingJob(text, tmp_path / "out", "npz", False, OPTIONS)
        with work.job_folder(job, {}, False), pytest.raises(ValueError, match="another run is writing here"):
            run_job(job, model)

    def test_a_folder_of_the_users(self, model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
        job = EmbeddingJob(text, tmp_path / "out", "npz", False, OPTIONS)
        job.folder.mkdir()
        (job.folder / "diary").write_text("precious")
        with pytest.raises(FileExistsError, match="diary: unexpected file"):
            run_job(job, model)
        assert (job.folder / "diary").read_text() == "precious"

    def test_a_folder_without_a_manifest(self, model: elmo.Embedder, text: Path, tmp_path: Path) -> None:
        job = EmbeddingJob(text, tmp_path / "out", "npz", False, OPTIONS)
        start(job, model)
        (job.folder / MANIFEST).write_text("{")
        with pytest.raises(ValueError, match=r"_job\.json is missing or damaged"):
            run_job(job, model, resume=True)


def test_too_much_for_safetensors(text: Path, tmp_path: Path) -> None:
    """The error comes before any work is done."""
    job = EmbeddingJob(text, tmp_path / "out", "safetensors", False, OPTIONS)
    with pytest.raises(ValueError, match="more words than a single safetensors file can hold"):
        work.check_size(job, work.cut_shards(text, 2), max_header=300)


class TestCommand:
    @pytest.mark.parametrize("name", ["o.h5", "o.parquet"])
    def test_killed_and_resumed(self, published_folder: Path, tmp_path: Path, name: str) -> None:
        text = tmp_path / "text.txt"
        text.write_text("".join(f"one two three {i}\n" for i in range(1500)))
        command = ["embed", str(text), "-m", str(published_folder), "--shard-lines", "50"]
        parts = tmp_path / f"{name}.parts"
        with subprocess.Popen([sys.executable, "-m", "elmo", *command, "-o", str(tmp_path / name)]) as process:
            while len(list(parts.glob("part-*"))) < 2:
                assert process.poll() is None
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
        finished = len(list(parts.glob("part-*")))
        assert not (tmp_path / name).exists()
        assert "use --resume" in error_of(run(*command, "-o", tmp_path / name))

        result = run(*command, "-o", tmp_path / name, "--resume")
        earlier = f"{finished * 50:,} sentences, {finished * 200:,} words embedded earlier"
        assert f"1,500 sentences, 6,000 words ({earlier}) in " in result.stderr.decode()
        assert run(*command, "-o", tmp_path / f"whole-{name}").returncode == 0
        assert (tmp_path / name).read_bytes() == (tmp_path / f"whole-{name}").read_bytes()
        assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == [
            name,
            "text.txt",
            f"whole-{name}",
        ]


def start(job: EmbeddingJob, model: elmo.Embedder) -> None:
    """Finish one part of a job."""
    shards = work.cut_shards(job.input, 2)
    with work.job_folder(job, work.identity(job, shards, model), False):
        work.embed_shard(job, shards[0], model, lambda sentences, words, cut: None)
