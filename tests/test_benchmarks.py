"""The benchmarks still run, each at a tiny size and on the CPU. The numbers that they measure are not checked."""

import subprocess
import sys
from pathlib import Path

import pytest
from tasks.test_trainer import train, write_sample

from elmo.datasets.folders import TaskData

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
CPU = ["--device", "cpu"]
SHAPE = ["--rows", "4", "--steps", "8", "--samples", "16", "--tokens", "2000", "--seconds", "0.1", "--workers", "1"]
TINY = {
    "embed_gpu.py": (["--text", "TEXT", "--models", "small", "--rounds", "1", *CPU], "| small | bf16 |"),
    "precision.py": (["--text", "TEXT"], "| lowest cosine | small | int8 | all | 0.9"),
    "pretrain_gpu.py": (["--sizes", "tiny", *SHAPE, *CPU], '"times plain": '),
    "train_cpu.py": (
        ["--text", "TEXT", "--models", "small", "--rows", "2", "--rounds", "1", "--threads", "1"],
        "| ner+bilm | small |",
    ),
    "task_gpu.py": (["--batch", "2", "--batches", "2", "--words", "5", *CPU], "| cuDNN |"),
    "tasks.py": (["RUN", "RUN", "--sentences", "20", "--rounds", "1", "--threads", "1"], "| all |"),
    "run_all.py": (["--tiny"], "| serve: micro-batching, 2 clients | requests/s |"),
}
"""The options of scripts, and a part of what they print."""
RUN_BY_OTHERS = {"embed.py": "| elmo float32 | full |", "embed_systems.py": "plain nn.LSTM ", "serve.py": "200: "}
"""Scripts that run_all.py runs, and a part of what it prints for them."""


def test_no_script_is_forgotten() -> None:
    assert {path.name for path in BENCHMARKS.glob("*.py")} == set(TINY) | set(RUN_BY_OTHERS)


@pytest.mark.parametrize("script", TINY)
def test_it_runs(script: str, tmp_path: Path, published_folder: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("It was sold out .\nThey play .\n" * 12)
    options, printed = TINY[script]
    files = {"TEXT": text, "RUN": tmp_path / "run"}
    if "RUN" in options:
        data = str(write_sample("ner", tmp_path / "ner.conll", 10, 0))
        train("ner", TaskData((data,), (data,)), tmp_path / "run", published_folder)
    command = [sys.executable, BENCHMARKS / script, *(str(files.get(option, option)) for option in options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # At this size, the server misses its goals.
    assert done.returncode in ((0, 1) if script == "run_all.py" else (0,)), done.stderr
    for part in (printed, *(RUN_BY_OTHERS.values() if script == "run_all.py" else ())):
        assert part in done.stdout, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_onnxruntime(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    (tmp_path / "text.txt").write_text("It was sold out .\nThey play .\n")
    command = [sys.executable, BENCHMARKS / "embed_systems.py", "elmo onnxruntime", "--model", "small"]
    done = subprocess.run([*command, "--text", tmp_path / "text.txt"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"words_per_s": ' in done.stdout
