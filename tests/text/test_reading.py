"""Text is read once, from start to end, so that pipes work like files."""

import os
import threading
from pathlib import Path

from elmo.text.reading import blocks, check_texts


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
