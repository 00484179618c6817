"""The benchmarks still run. The numbers that they measure are not checked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.parametrize("precision", ["float32", "bf16", "int8"])
def test_embedding_on_a_cpu(precision: str, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("It was sold out .\nThey play .\n")
    command = [sys.executable, BENCHMARKS / "embed_systems.py", f"elmo {precision}", "--model", "small"]
    done = subprocess.run([*command, "--text", tmp_path / "text.txt"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    measured = json.loads(done.stdout)
    assert measured["latency_words"] == 4
    assert all(value > 0 for value in measured.values())
