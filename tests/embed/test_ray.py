"""Nothing is lost or duplicated when a worker of a Ray cluster dies."""

import os
import signal
import sys
from pathlib import Path

import pytest
from commands import error_of, run

import elmo
from elmo.embed import job as work
from elmo.embed.job import EmbeddingJob

RAY_IS_MISSING = "Ray is not installed (pip install 'elmo-torch[ray]')"
SHARDS, LINES = 6, 5
OPTIONS = {
    "layers": "top",
    "pool": None,
    "merge": None,
    "tokenize": "whitespace",
    "initial_state": "zero",
    "batch_tokens": 64,
}


def test_without_ray(published_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    (tmp_path / "text.txt").write_text("a b\n")
    result = run("embed", tmp_path / "text.txt", "-o", tmp_path / "o.h5", "-m", published_folder, "--ray")
    assert "elmo-torch[ray]" in error_of(result)
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning:ray.data.context")  # about its own defaults
def test_no_cluster_there(published_folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray.data", reason=RAY_IS_MISSING)
    (tmp_path / "text.txt").write_text("a b\n")
    command = ["embed", tmp_path / "text.txt", "-o", tmp_path / "o.h5", "-m", published_folder, "--ray"]
    assert "no Ray cluster found at 127.0.0.1:1" in error_of(run(*command, "--ray-address", "127.0.0.1:1"))
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning:ray.data.context")  # about its own defaults
def test_a_worker_dies(
    published_folder: Path, model: elmo.Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray.data", reason=RAY_IS_MISSING)
    from elmo.embed.ray_job import embed_on_ray

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    text, diary = tmp_path / "text.txt", tmp_path / "diary"
    text.write_text("".join(f"sentence number {i}\n" for i in range(SHARDS * LINES)))
    diary.mkdir()

    def load_mortal(device: str) -> elmo.Embedder:
        """Load a model that logs what it embeds and kills its process once, in the middle of the third shard."""
        embedder = elmo.load(published_folder, device=device)
        embed_stream = embedder.embed_stream

        def mortal_stream(sentences, **options):
            with (diary / "begun").open("a") as begun:
                begun.write(f"{os.getpid()} {sentences[0]}\n")
            for sentence in embed_stream(sentences, **options):
                if sentence.tokens[-1] == str(2 * LINES + 2) and not (diary / "died").exists():
                    (diary / "died").touch()
                    os.kill(os.getpid(), signal.SIGKILL)
                yield sentence

        embedder.embed_stream = mortal_stream
        return embedder

    job = EmbeddingJob(text, tmp_path / "ray.h5", "hdf5", False, OPTIONS)
    shards = work.cut_shards(text, LINES)
    made_from = work.identity(job, shards, model)
    counted = []
    with work.job_folder(job, made_from, False):
        embed_on_ray(
            job,
            shards,
            load_mortal,
            "cpu",
            made_from["model"],
            lambda *done: counted.append(done),
            address=None,
            workers=2,
        )
        assert work.missing_shards(job, shards) == []
        work.join_parts(job, shards, lambda sentences: None)

    assert (diary / "died").exists()
    begun = [line.split(maxsplit=1) for line in (diary / "begun").read_text().splitlines()]
    assert len({worker for worker, _ in begun}) >= 2
    firsts = [f"sentence number {shard.first}" for shard in shards]
    assert sorted(first for _, first in begun) == sorted([*firsts, firsts[2]]), "only what died is done again"
    assert sorted(counted) == [(LINES, 3 * LINES, 0)] * SHARDS

    command = ["embed", text, "-m", published_folder, "--layers", "top", "--batch-tokens", "64", "--shard-lines", LINES]
    assert run(*command, "-o", tmp_path / "plain.h5").returncode == 0
    assert (tmp_path / "ray.h5").read_bytes() == (tmp_path / "plain.h5").read_bytes()
