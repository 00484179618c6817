"""Measure how many words of each task's data have a static vector, a learned one, or none of their own.

    python dev/vector_coverage.py DATA_FOLDER VECTORS... [--output results/vector-coverage.md]

The percentages are shares of all words in the distinct sentences of a split. Words without a vector of their own share
the vector of unknown words.
"""

import argparse
import tempfile
from pathlib import Path

from elmo.datasets.folders import find_task_data, split_name
from elmo.paper.report import Table
from elmo.paper.task_tables import DATASETS
from elmo.tasks.examples import read_examples
from elmo.tasks.task import task_named
from elmo.tasks.word_list import choose_words


def rows_of(name: str, data_folder: Path, extracted: Path, vectors: list[Path]) -> list[list[str]]:
    """Return one row per file of vectors for a dataset."""
    data, task = find_task_data(data_folder, name, extracted), task_named(split_name(name)[0])
    splits = {}
    for split, paths in (("train", data.train), ("dev", data.dev)):
        examples = read_examples(task, paths)
        splits[split] = list(dict.fromkeys(tuple(words) for example in examples for words in task.sequences(example)))
    rows = []
    for path in vectors:
        words, _ = choose_words(splits["train"], splits["dev"], path)
        missing = [share for sequences in splits.values() for share in words.missing(sequences).values()]
        learned = len(words.learned or ())
        rows.append([name, path.name, f"{learned:,}", *(f"{share:.2f} %" for share in missing)])
    return rows


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("vectors", type=Path, nargs="+")
    parser.add_argument("--output", type=Path, default=Path("results/vector-coverage.md"))
    given = parser.parse_args()
    header = ["task", "static vectors", "learned vectors"]
    header += [f"{split}: {what}" for split in ("train", "dev") for what in ("no static vector", "unknown")]
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for name in DATASETS for row in rows_of(name, given.data, Path(folder), given.vectors)]
    table = Table("Words without a static vector, and without any vector of their own", header, rows, "")
    written = table.write(given.output.with_suffix(""))
    print(given.output.read_text() if given.output in written else written)


if __name__ == "__main__":
    main()
