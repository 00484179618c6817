"""Preparing a corpus: the result does not depend on how it is computed, and errors are clear."""

import bz2
import functools
import gzip
import json
import lzma
import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import error_of, run, run_apart

from elmo.text.reading import find_texts
from elmo.text.tokens import sentences, words
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus import kept_blocks, tokenization
from elmo.train.corpus import prepare as module
from elmo.train.corpus.corpus import MARKERS, open_corpus
from elmo.train.corpus.prepare import prepare
from elmo.train.corpus.staging import StagingLimits

KOREAN = "손을 씻고 저녁을 먹었다. 그는 '하녀'와 함께 있었다.\n"


def read(folder: Path, part: str = "train") -> list[str]:
    """Return the sentences of a part, with spaces between their words."""
    corpus = open_corpus(folder)
    return [" ".join(corpus.types[i] for i in sentence) for sentence in getattr(corpus, part)]


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def write(tmp_path: Path):
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def tokenized(tmp_path: Path, write):
    """Prepare tokenized text; nothing is held out by default."""

    def make(text: str, **options):
        options = {"tokenizer": "whitespace", "heldout_fraction": 0, "overwrite": True, **options}
        prepare([write("text.txt", text)], tmp_path / "corpus", **options)
        return open_corpus(tmp_path / "corpus")

    return make


def random_text(lines: int, seed: int = 0) -> str:
    """Return lines of frequent and rare words, some of them duplicated."""
    rng = random.Random(seed)
    made = [" ".join(f"w{int(rng.paretovariate(0.6)) % 5000}" for _ in range(rng.randint(1, 12))) for _ in range(lines)]
    return "\n".join(made + rng.sample(made, lines // 10)) + "\n"


class TestText:
    def test_raw_text_is_split_in_sentences_and_words(self, write, tmp_path: Path) -> None:
        text = "It wasn't Mr. Smith. He'd left!\n\n   \r\nThe end\r\n" + KOREAN
        prepare([write("text.txt", text)], tmp_path / "corpus", heldout_fraction=0)
        expected = [" ".join(words(sentence)) for line in text.split("\n") for sentence in sentences(line)]
        assert read(tmp_path / "corpus") == expected
        assert expected[:3] == ["It wasn 't Mr. Smith .", "He 'd left !", "The end"]
        assert expected[-1] == "그는 ' 하녀 ' 와 함께 있었다 ."

    def test_tokenized_text_stays(self, tokenized, tmp_path: Path) -> None:
        tokenized("It was n't . Mr. Smith\n\n a  b \r\nno end", min_count=1)
        assert read(tmp_path / "corpus") == ["It was n't . Mr. Smith", "a b", "no end"]

    def test_order_of_types(self, tokenized) -> None:
        corpus = tokenized("é z a b b\n한 b 😀 \uffee\n")
        assert corpus.types == (*MARKERS, "b", "a", "z", "é", "한", "\uffee", "😀")
        assert len(corpus.vocabulary) == 4

    def test_literal_markers(self, tokenized, tmp_path: Path) -> None:
        corpus = tokenized("a <S> b\na </S> b <UNK>\n<s> <S>x\na </S> b\n")
        assert read(tmp_path / "corpus") == ["a <UNK> b", "a <UNK> b <UNK>", "<s> <S>x"]
        assert corpus.counts[:3].tolist() == [0, 0, 3]
        assert len(set(corpus.types)) == len(corpus.types)

    def test_a_word_that_a_vocabulary_file_cannot_hold(self, tokenized, tmp_path: Path) -> None:
        corpus = tokenized("a !!!MAXTERMID b\n!!!MAXTERMID\n!!!MAXTERMID2 a\n")
        assert read(tmp_path / "corpus") == ["a <UNK> b", "<UNK>", "!!!MAXTERMID2 a"]
        assert Vocabulary.from_bytes(corpus.vocabulary.to_bytes()) == corpus.vocabulary

    def test_literal_markers_in_raw_text(self, write, tmp_path: Path) -> None:
        prepare([write("text.txt", "a <S> b </S> <UNK>\n")], tmp_path / "corpus", heldout_fraction=0)
        corpus = open_corpus(tmp_path / "corpus")
        assert not set(corpus.train.ids.tolist()) & {0, 1}

    @pytest.mark.filterwarnings("default")
    def test_invalid_utf8(self, write, tmp_path: Path) -> None:
        text = write("text.txt", b"fine \xff line\ngood one\n\xe2\x82\n\xed\xa0\x80 surrogate\n")
        result = run(
            "prepare", text, "-o", tmp_path / "corpus", "--pretokenized", "--heldout-fraction", "0", "--workers", "1"
        )
        assert "not valid UTF-8: 3 lines" in result.stderr.decode()
        assert read(tmp_path / "corpus") == ["fine \ufffd line", "good one", "\ufffd", "\ufffd\ufffd\ufffd surrogate"]
        assert open_corpus(tmp_path / "corpus").metadata["counts"]["invalid_lines"] == 3

    def test_words_that_a_model_will_cut(self, write, tmp_path: Path) -> None:
        text = write("text.txt", "a " + "b" * 48 + "\n" + "MKT" * 17 + "\n" + "손" * 17 + " c " + "MKT" * 17 + "\n")
        with pytest.warns(UserWarning, match="^longer than 48 bytes: 3 words; a model reads only the beginning"):
            prepare([text], tmp_path / "corpus", tokenizer="whitespace", heldout_fraction=0)

    def test_byte_order_mark(self, write, tmp_path: Path) -> None:
        paths = [write(name, "\ufeff" + text) for name, text in (("1.txt", "a b"), ("2.txt", "c d"))]
        prepare(paths, tmp_path / "corpus", heldout_fraction=0)
        assert read(tmp_path / "corpus") == ["a b", "c d"]

    def test_a_very_long_line_is_cut_between_words(self, tokenized, tmp_path: Path) -> None:
        line = " ".join(f"w{i}" for i in range(50))
        tokenized(line + "\n" + "x" * 100 + "\nlast", limits=StagingLimits(max_line_bytes=32))
        sentences = read(tmp_path / "corpus")
        assert " ".join(sentences).startswith(line)
        assert "".join(sentences).endswith("x" * 36 + "last")

    def test_counts_and_sizes(self, tokenized) -> None:
        text = "a a a a b b b c c d\n"
        assert tokenized(text, min_count=2).vocabulary.words == (*MARKERS, "a", "b", "c")
        assert tokenized(text, min_count=3).vocabulary.words == (*MARKERS, "a", "b")
        assert tokenized(text, vocabulary_size=4).vocabulary.words == (*MARKERS, "a")
        corpus = tokenized(text, max_types=5)
        assert corpus.types == (*MARKERS, "a", "b")
        assert corpus.train.ids.tolist() == [3] * 4 + [4] * 3 + [2] * 3
        assert corpus.counts.tolist() == [0, 0, 3, 4, 3]
        assert corpus.metadata["counts"]["train_unknown_rate"] == 0.3

    def test_dropped_types(self, tokenized) -> None:
        """If there are more types than fit in memory, only rare ones are lost."""
        lines = [f"the {i} of x{i}" for i in range(200)]
        corpus = tokenized(
            "\n".join(lines), max_types=12, limits=StagingLimits(block_bytes=200, max_line_bytes=100, spare_types=10)
        )
        assert corpus.types[3:5] == ("of", "the")
        assert corpus.counts[3:5].tolist() == [200, 200]
        assert len(corpus.types) == 12
        assert corpus.metadata["counts"]["forms_forgotten"] > 300
        assert all(sentence[[0, 2]].tolist() == [4, 3] for sentence in corpus.train)


class TestFiles:
    @pytest.mark.parametrize("suffix", [".txt", ".gz", ".XZ", ".bz2", ".zst"])
    def test_compressed(self, write, tmp_path: Path, suffix: str) -> None:
        text = random_text(50).encode()
        packers = {".gz": gzip.compress, ".XZ": lzma.compress, ".bz2": bz2.compress}
        if suffix == ".zst":
            zstandard = pytest.importorskip("zstandard")
            packers[suffix] = lambda text: zstandard.compress(text[:99]) + zstandard.compress(text[99:])
        path = write("text" + suffix, packers.get(suffix, bytes)(text))
        prepare([write("plain", text)], tmp_path / "a")
        metadata = prepare([path], tmp_path / "b")
        assert metadata["inputs"] == [{"name": str(path), "bytes": path.stat().st_size}]
        assert (tmp_path / "a/train.ids.npy").read_bytes() == (tmp_path / "b/train.ids.npy").read_bytes()
        if suffix != ".txt":
            cut = write("cut" + suffix, path.read_bytes()[:-20])
            with pytest.raises(ValueError, match=f"cut{suffix}: cannot be read or is damaged"):
                prepare([cut], tmp_path / "c")

    def test_zst_without_the_package(self, write, tmp_path: Path, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "zstandard", None)
        error = error_of(run("prepare", write("text.zst", b"x"), "-o", tmp_path / "corpus"))
        assert "text.zst: .zst files need the package zstandard (pip install zstandard)" in error

    def test_folder(self, write, tmp_path: Path) -> None:
        for name, text in (("b.txt", "two"), ("c.gz", gzip.compress(b"three")), ("a.txt", "one\n"), (".no", "hidden")):
            write(f"texts/{name}", text)
        (tmp_path / "texts/d").mkdir()
        write("texts/d/e.txt", "four")
        prepare([tmp_path / "texts"], tmp_path / "corpus", heldout_fraction=0)
        assert read(tmp_path / "corpus") == ["one", "two", "three", "four"]
        assert [path.name for path in find_texts([tmp_path / "texts"])] == ["a.txt", "b.txt", "c.gz", "e.txt"]

    def test_stdin(self, tmp_path: Path) -> None:
        result = run("prepare", "-", "-o", tmp_path / "corpus", "--workers", "1", stdin=b"One. Two.\nThree.\n")
        assert result.returncode == 0, result.stderr.decode()
        assert sorted(read(tmp_path / "corpus") + read(tmp_path / "corpus", "heldout")) == ["One .", "Three .", "Two ."]
        assert open_corpus(tmp_path / "corpus").metadata["inputs"] == [{"name": "-", "bytes": 17}]

    def test_several_texts_keep_their_order(self, write, tmp_path: Path) -> None:
        paths = [write(name, f"{name}\n") for name in ("z", "a", "m")]
        prepare(paths, tmp_path / "corpus", heldout_fraction=0)
        assert read(tmp_path / "corpus") == ["z", "a", "m"]

    def test_repeated_texts(self, write, tmp_path: Path) -> None:
        texts = [write("one.txt", "a\nb b b\n"), write("two.txt", "c c\na\nd\n"), write("three.txt", "e\n")]
        prepare(texts, tmp_path / "plain", heldout_fraction=0, min_count=1, tokenizer="whitespace")
        repeat = {texts[1]: 3, str(texts[2]): 2}
        metadata = prepare(
            texts, tmp_path / "corpus", repeat=repeat, heldout_fraction=0, min_count=1, tokenizer="whitespace"
        )
        # "a" of two.txt is a duplicate, and so it is never seen.
        assert read(tmp_path / "corpus") == [*read(tmp_path / "plain"), "c c", "d", "e", "c c", "d"]
        corpus = open_corpus(tmp_path / "corpus")
        counts = dict(zip(corpus.types[3:], corpus.counts[3:].tolist(), strict=True))
        assert counts == {"c": 6, "b": 3, "d": 3, "e": 2, "a": 1}
        assert metadata["counts"]["train_sentences"] == 10
        assert metadata["settings"]["repeat"] == {str(texts[1]): 3, str(texts[2]): 2}
        assert metadata["repeated"] == [[2, 5], [2, 4]]


class TestSentences:
    def test_duplicates(self, tokenized, tmp_path: Path) -> None:
        text = "a b\nc\na  b\na b c\nc\n"
        metadata = tokenized(text).metadata
        assert read(tmp_path / "corpus") == ["a b", "c", "a b c"]
        assert metadata["counts"]["duplicates_removed"] == 2
        metadata = tokenized(text, keep_duplicates=True).metadata
        assert read(tmp_path / "corpus") == ["a b", "c", "a b", "a b c", "c"]
        assert metadata["counts"]["duplicates_removed"] == 0

    def test_duplicates_across_ranges_of_hashes(self, tokenized, tmp_path: Path) -> None:
        text = random_text(500)
        tokenized(text)
        expected = read(tmp_path / "corpus")
        assert expected == list(dict.fromkeys(text.splitlines()))
        limits = StagingLimits(block_bytes=1000, max_line_bytes=500, read_hashes=64, read_words=100)
        tokenized(text, limits=limits)
        assert read(tmp_path / "corpus") == expected

    def test_held_out_file(self, tokenized, write, tmp_path: Path) -> None:
        dev = [write("dev1.txt", "b c\nnew\nb c\n"), write("dev2.txt", "x\n")]
        metadata = tokenized("a b\nb c\nc d\nb c\nc d\n", heldout=dev).metadata
        assert read(tmp_path / "corpus") == ["a b", "c d"]
        assert read(tmp_path / "corpus", "heldout") == ["b c", "new", "b c", "x"]
        assert (metadata["counts"]["duplicates_removed"], metadata["counts"]["overlap_removed"]) == (2, 1)
        assert metadata["settings"]["heldout"] == [str(path) for path in dev]
        metadata = tokenized("a b\nb c\nc d\nb c\nc d\n", heldout=dev, keep_duplicates=True).metadata
        assert read(tmp_path / "corpus") == ["a b", "c d", "c d"]
        assert (metadata["counts"]["duplicates_removed"], metadata["counts"]["overlap_removed"]) == (0, 2)

    @pytest.mark.parametrize("keep", [False, True])
    def test_held_out_fraction(self, tokenized, tmp_path: Path, keep: bool) -> None:
        text = random_text(1000)
        lines = text.splitlines()
        distinct = set(lines)
        tokenized(text, heldout_fraction=0.1, keep_duplicates=keep)
        train, held = read(tmp_path / "corpus"), read(tmp_path / "corpus", "heldout")
        assert len(held) == len(set(held)) == -(-len(distinct) // 10)
        assert not set(train) & set(held)
        expected = lines if keep else dict.fromkeys(lines)
        assert train == [line for line in expected if line not in set(held)]

        tokenized("\n".join(reversed(lines)), heldout_fraction=0.1)
        assert sorted(read(tmp_path / "corpus", "heldout")) == sorted(held), "the order does not matter"
        tokenized(text, heldout_fraction=0.1, seed=1)
        assert len(set(read(tmp_path / "corpus", "heldout")) & set(held)) < len(held) / 2

    def test_held_out_sentences_are_few(self, tokenized) -> None:
        assert len(tokenized("a\nb\nc\n", heldout_fraction=0.001).heldout) == 1
        assert len(tokenized("a\n", heldout_fraction=0.5).heldout) == 0
        assert len(tokenized(random_text(500), heldout_fraction=0.5, max_heldout=7).heldout) == 7


class TestWorkers:
    def test_the_result_is_the_same(self, write, tmp_path: Path) -> None:
        limits = StagingLimits(block_bytes=20_000, max_line_bytes=5_000)
        text = write("text.txt", random_text(5000) + KOREAN * 3)
        prepare([text], tmp_path / "one", workers=1, limits=limits)
        prepare([text], tmp_path / "two", workers=2, limits=limits)
        assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
        prepare([text], tmp_path / "whole", workers=1)
        assert files_of(tmp_path / "one") == files_of(tmp_path / "whole")

    def test_a_worker_that_dies(self, write, tmp_path: Path, monkeypatch) -> None:
        monkeypatch.setattr(tokenization, "_start_worker", os.abort)
        with pytest.raises(ValueError, match="a worker process died"):
            prepare([write("text.txt", "a b")], tmp_path / "corpus", workers=2)
        assert not (tmp_path / "corpus").exists()

    def test_killed(self, tmp_path: Path) -> None:
        """A run that is killed leaves nothing behind but its tokenized text, and its workers end."""
        command = [sys.executable, "-m", "elmo", "prepare", "-", "-o", str(tmp_path / "corpus"), "--workers", "2"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            process.stdin.write(random_text(100_000).encode())
            process.stdin.flush()
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            workers: list[str] = []
            for _ in range(600):
                workers = children.read_text().split() if children.exists() else ["unknown"]
                if workers:
                    break
                time.sleep(0.05)
            process.kill()
        assert [path.name for path in tmp_path.iterdir()] == ["corpus.parts"]
        for _ in range(600):
            if not any(Path(f"/proc/{worker}").exists() for worker in workers):
                break
            time.sleep(0.05)
        else:
            pytest.fail("the workers go on without their parent")
        options = ("--workers", "1", "--resume")
        assert run("prepare", "-", "-o", tmp_path / "corpus", *options, stdin=b"a b\nc\n").returncode == 0
        assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


class TestResume:
    """An interrupted run that is resumed gives the same files, and tokenizes nothing twice."""

    limits = StagingLimits(block_bytes=1000, max_line_bytes=300)

    @pytest.fixture
    def texts(self, write) -> dict:
        """Three texts, the second of which is repeated, and a held-out text that shares sentences with the first."""
        paths = [write(f"{seed}.txt", random_text(200, seed)) for seed in range(3)]
        heldout = write("heldout.txt", random_text(50, 9) + paths[0].read_text()[:500])
        return {"texts": paths, "heldout": [heldout], "repeat": {paths[1]: 3}, "limits": self.limits}

    @pytest.fixture
    def tokenize(self, monkeypatch):
        """Count the blocks that are tokenized, and interrupt before one of them."""

        class Counting:
            def __init__(self) -> None:
                self.blocks, self.stop_before = 0, -1
                self._tokenize = tokenization.tokenize

            def __call__(self, *arguments):
                if self.blocks == self.stop_before:
                    raise KeyboardInterrupt
                self.blocks += 1
                return self._tokenize(*arguments)

        counting = Counting()
        monkeypatch.setattr(tokenization, "tokenize", counting)
        return counting

    @pytest.mark.parametrize("held_out", [True, False])
    @pytest.mark.parametrize("repeated", [True, False])
    def test_the_result_is_the_same(self, texts, tokenize, tmp_path: Path, held_out: bool, repeated: bool) -> None:
        texts |= {} if held_out else {"heldout": [], "heldout_fraction": 0.1}
        texts |= {} if repeated else {"repeat": {}}
        prepare(output=tmp_path / "whole", **texts)
        total, tokenize.blocks = tokenize.blocks, 0
        assert total > 10
        output = tmp_path / "corpus"
        for tokenize.stop_before in (1, 5, total // 2, total - 1):
            with pytest.raises(KeyboardInterrupt):
                prepare(output=output, resume=True, **texts)
            assert not output.exists()
        tokenize.stop_before = -1
        prepare(output=output, resume=True, workers=1, **texts)
        assert tokenize.blocks == total, "no block was tokenized twice"
        assert files_of(output) == files_of(tmp_path / "whole")
        assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["corpus", "whole"]

    def test_with_workers(self, texts, tokenize, tmp_path: Path, monkeypatch) -> None:
        prepare(output=tmp_path / "whole", **texts)
        tokenize.blocks, tokenize.stop_before = 0, 7
        with pytest.raises(KeyboardInterrupt):
            prepare(output=tmp_path / "corpus", **texts)
        monkeypatch.undo()  # workers need the function by its name
        prepare(output=tmp_path / "corpus", resume=True, workers=2, **texts)
        assert files_of(tmp_path / "corpus") == files_of(tmp_path / "whole")

    def test_other_texts(self, texts, tokenize, write, tmp_path: Path) -> None:
        """What has changed since is tokenized again; the rest is not."""
        tokenize.stop_before = 10
        with pytest.raises(KeyboardInterrupt):
            prepare(output=tmp_path / "corpus", **texts)
        tokenize.stop_before = -1
        texts["texts"][0].write_text("something else\n" * 3)
        texts |= {"texts": texts["texts"][::-1], "repeat": {}, "vocabulary_size": 20}
        prepare(output=tmp_path / "whole", **texts)
        prepare(output=tmp_path / "corpus", resume=True, **texts)
        assert files_of(tmp_path / "corpus") == files_of(tmp_path / "whole")

    def test_damaged_blocks(self, texts, tokenize, tmp_path: Path) -> None:
        prepare(output=tmp_path / "whole", **texts)
        blocks = tmp_path / "corpus.parts/blocks"
        tokenize.blocks, tokenize.stop_before = 0, 8
        with pytest.raises(KeyboardInterrupt):
            prepare(output=tmp_path / "corpus", **texts)
        intact = blocks.read_bytes()
        for damaged in (
            intact[:-1],
            intact[:10],
            intact + b"x",
            intact + bytes(100),
            intact + b"\xff" * 100,
            intact[: len(intact) // 2] + bytes(50) + intact[len(intact) // 2 + 50 :],
        ):
            blocks.parent.mkdir(exist_ok=True)
            blocks.write_bytes(damaged)
            (blocks.parent / "tokenizer.json").write_text(json.dumps(kept_blocks._made_by("words")))
            tokenize.stop_before = -1
            prepare(output=tmp_path / "corpus", resume=True, overwrite=True, **texts)
            assert files_of(tmp_path / "corpus") == files_of(tmp_path / "whole")

    def test_many_types_in_a_block(self, write, tokenize, tmp_path: Path) -> None:
        """Ids that do not fit in two bytes."""
        text = write("text.txt", "\n".join(f"a{i} b{i}" for i in range(60_000)) + "\n")
        limits = StagingLimits(block_bytes=600_000, max_line_bytes=100_000)
        prepare([text], tmp_path / "whole", limits=limits)
        tokenize.blocks, tokenize.stop_before = 0, 1
        with pytest.raises(KeyboardInterrupt):
            prepare([text], tmp_path / "corpus", limits=limits)
        tokenize.stop_before = -1
        prepare([text], tmp_path / "corpus", limits=limits, resume=True)
        assert files_of(tmp_path / "corpus") == files_of(tmp_path / "whole")

    def test_messages(self, texts, tokenize, tmp_path: Path, capsys) -> None:
        output, parts = tmp_path / "corpus", tmp_path / "corpus.parts"
        tokenize.stop_before = 5
        with pytest.raises(KeyboardInterrupt):
            prepare(output=output, **texts)
        command = ("prepare", texts["texts"][0], "-o", output, "--workers", "1")
        assert f"{parts}: contains the tokenized text of an interrupted run; use --resume" in error_of(run(*command))
        assert "had another tokenizer" in error_of(run(*command, "--resume", "--pretokenized"))
        (parts / "tokenizer.json").write_text("{")
        assert "tokenizer.json is missing or damaged; delete the folder" in error_of(run(*command, "--resume"))

    def test_a_finished_run(self, texts, tmp_path: Path, monkeypatch) -> None:
        """One that was killed when the corpus was in its place, but the folder of parts was not removed yet."""
        output, parts = tmp_path / "corpus", tmp_path / "corpus.parts"
        with monkeypatch.context() as patch:
            patch.setattr(module, "remove_parts", lambda output: None)
            metadata = prepare(output=output, **texts)
        before = {path: path.stat().st_mtime_ns for path in output.iterdir()}
        with pytest.raises(FileExistsError, match="already contains a corpus"):
            prepare(output=output, **texts)
        assert prepare(output=output, resume=True, **texts) == metadata
        assert {path: path.stat().st_mtime_ns for path in output.iterdir()} == before
        assert not parts.exists()
        with pytest.raises(FileExistsError, match="already contains a corpus"):
            prepare(output=output, resume=True, seed=1, **texts)

    def test_two_runs_at_once(self, texts, tmp_path: Path) -> None:
        with (
            kept_blocks.kept_blocks(tmp_path / "corpus", "words", resume=False),
            pytest.raises(ValueError, match="another run is writing here"),
        ):
            prepare(output=tmp_path / "corpus", resume=True, **texts)


class TestCommand:
    def test_metadata(self, write, tmp_path: Path) -> None:
        text, dev = write("text.txt", "One two. Two.\nOne two.\n" + KOREAN), write("dev.txt", "Two three.\n")
        options = ["--vocabulary-size", "50", "--min-count", "1", "--heldout", dev, "--workers", "1"]
        result = run("prepare", text, "-o", tmp_path / "corpus", *options)
        assert result.returncode == 0, result.stderr.decode()
        assert "4 sentences (18 words) to train on, 1 (3 words) held out" in result.stderr.decode()
        assert "removed: 1 duplicate," in result.stderr.decode()
        metadata = json.loads((tmp_path / "corpus/corpus.json").read_text())
        assert metadata["settings"] == {
            "tokenizer": "words",
            "min_count": 1,
            "vocabulary_size": 50,
            "max_types": 5_000_000,
            "heldout": [str(dev)],
            "keep_duplicates": False,
            "seed": 0,
        }
        assert metadata["inputs"] == [{"name": str(text), "bytes": text.stat().st_size}]
        assert len(metadata["data_hash"]) == 64

        shown = run("info", tmp_path / "corpus").stdout.decode()
        assert "4 sentences, 18 words (4.5 per sentence, at most 8)" in shown
        printed = json.loads(run("info", tmp_path / "corpus", "--json").stdout)
        assert printed["counts"] == metadata["counts"]
        assert printed["coverage"]["1000"] == 1

    def test_info_about_a_damaged_corpus(self, tokenized, tmp_path: Path) -> None:
        tokenized("a b\n")
        (tmp_path / "corpus/train.ids.npy").unlink()
        assert "train.ids.npy: is missing" in error_of(run("info", tmp_path / "corpus"))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["{tmp}/none.txt", "-o", "{tmp}/c"], "none.txt: cannot be read (No such file"),
            (["{text}", "-o", "{tmp}/c", "--heldout", "{tmp}/none"], "none: cannot be read"),
            (["{tmp}/empty", "-o", "{tmp}/c"], "empty: the folder has no files"),
            (["{tmp}/blank.txt", "-o", "{tmp}/c"], "blank.txt: no sentences to train on"),
            (["{text}", "-o", "{tmp}/c", "--heldout", "{tmp}/blank.txt"], "blank.txt: no sentences to hold out"),
            (["{text}", "-o", "{tmp}/c", "--heldout", "{text}"], "no sentences to train on"),
            (["{tmp}/bad.gz", "-o", "{tmp}/c"], "bad.gz: cannot be read or is damaged"),
            (["{tmp}/a.7z", "-o", "{tmp}/c"], "a.7z: is an archive; extract it first"),
            (["{text}", "-o", "{text}"], "exists and is not a folder"),
            (["{text}", "-o", "{text}/c"], "text.txt/c: cannot be written"),
            (["{text}", "-o", "{tmp}"], "is not empty and not a corpus"),
            (["{text}", "-o", "{tmp}", "--overwrite"], "is not empty and not a corpus"),
            (["{text}", "-o", "{tmp}/empty", "--heldout", "{tmp}/empty"], "the folder has no files"),
            (["-", "-", "-o", "{tmp}/c"], "standard input (-) can be read only once"),
            (["-", "-o", "{tmp}/c", "--heldout", "-"], "standard input (-) can be read only once"),
            (
                ["{text}", "-o", "{tmp}/c", "--heldout", "{text}", "--heldout-fraction", "0.1"],
                "cannot be combined with --heldout",
            ),
            (["{text}", "-o", "{tmp}/c", "--heldout-fraction", "1"], "--heldout-fraction"),
            (["{text}", "-o", "{tmp}/c", "--vocabulary-size", "3"], "--vocabulary-size"),
            (["{text}", "-o", "{tmp}/c", "--min-count", "0"], "--min-count"),
            (["{text}", "-o", "{tmp}/c", "--workers", "0"], "--workers"),
            (["{text}", "-o", "{tmp}/c", "--repeat", "{text}"], "expected TEXT=N"),
            (["{text}", "-o", "{tmp}/c", "--repeat", "{text}=0"], "at least once"),
            (["{text}", "-o", "{tmp}/c", "--repeat", "other.txt=2"], "other.txt is not among the texts"),
            (["{text}"], "--output"),
            (["-o", "{tmp}/c"], "TEXT"),
        ],
    )
    def test_bad_input(self, write, tmp_path: Path, arguments, message) -> None:
        write("text.txt", "a b\nc\n")
        write("blank.txt", " \n\r\n\t\n")
        write("bad.gz", b"not gzip")
        write("a.7z", b"7z")
        (tmp_path / "empty").mkdir()
        before = sorted(tmp_path.rglob("*"))
        places = {"text": tmp_path / "text.txt", "tmp": tmp_path}
        command = [argument.format(**places) for argument in arguments]
        assert message in error_of(run("prepare", *command, *([] if "--workers" in command else ["--workers", "1"])))
        assert sorted(tmp_path.rglob("*")) == before, "nothing is left behind"

    @pytest.mark.parametrize(
        "options", [{"vocabulary_size": 3}, {"max_types": 3}, {"min_count": 0}, {"workers": 0}, {"heldout_fraction": 1}]
    )
    def test_bad_numbers(self, write, tmp_path: Path, options: dict) -> None:
        [name] = options
        with pytest.raises(ValueError, match=name):
            prepare([write("text.txt", "a")], tmp_path / "corpus", **options)

    def test_overwrite(self, write, tmp_path: Path) -> None:
        text, corpus = write("text.txt", "a b\nc\n"), tmp_path / "corpus"
        corpus.mkdir()  # an empty folder is as good as none
        prepare([text], corpus)
        before = files_of(corpus)
        assert "corpus: already contains a corpus; use --overwrite to replace it" in error_of(
            run("prepare", text, "-o", corpus)
        )
        error = error_of(run("prepare", corpus / "types.txt", "-o", corpus, "--overwrite"))
        assert "types.txt: is read as input but is inside" in error
        assert files_of(corpus) == before
        text.write_text("d e\nf\n")
        assert run("prepare", text, "-o", corpus, "--overwrite", "--workers", "1").returncode == 0
        assert {"d", "e", "f"} < set(open_corpus(corpus).types)

    def test_full_disk(self, write, tmp_path: Path) -> None:
        """A limit on the file size simulates a full disk."""
        text = write("text.txt", random_text(5000))
        result = subprocess.run(
            [sys.executable, "-m", "elmo", "prepare", text, "-o", tmp_path / "corpus", "--workers", "1"],
            capture_output=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)),
        )
        assert "corpus: cannot be written" in error_of(result)
        assert list(tmp_path.iterdir()) == [text]

    def test_names_that_are_not_utf8(self, tmp_path: Path) -> None:
        text, output = (tmp_path / os.fsdecode(name) for name in (b"te\xffxt.txt", b"cor\xffpus"))
        text.write_text("a b\nc d\ne f\n")
        result = run_apart("prepare", text, "-o", output, "--workers", 1, "--heldout-fraction", 0.4)
        assert result.returncode == 0, result.stderr.decode()
        assert open_corpus(output).metadata["inputs"][0]["name"].endswith("te\ufffdxt.txt")

    def test_dropped_types_are_reported(self, write, tmp_path: Path, monkeypatch) -> None:
        monkeypatch.setattr(module, "prepare", functools.partial(prepare, limits=StagingLimits(spare_types=2)))
        text = write("text.txt", "a b c d e f g h i j k\n")
        options = ["--max-types", "4", "--workers", "1"]
        result = run("prepare", text, "-o", tmp_path / "corpus", *options)
        assert "more distinct words than --max-types" in result.stderr.decode()
