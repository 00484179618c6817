"""The run folder of a trained task model in as little space as possible, for packages.

It has what is needed to use the model, and to know where it comes from:

    run.json             task, recipe, label sets, seed, hash of the data; name and fingerprint of the biLM, which is
                         not included; how the model was made smaller
    words.txt            the most frequent words with a static vector
    learned.txt          the most frequent words with a learned one
    model.safetensors    quantized weights (see ``elmo.weights.compact``)
    metrics.json         scores

Words whose vectors are left out are read like words that do not occur in the training data.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from elmo.files import WEIGHTS_FILE
from elmo.tasks.inputs import UNKNOWN, TaskInputs
from elmo.tasks.trainer import ELMO_FOLDER, RECORDED, load_run
from elmo.tasks.word_list import WORDS_FILE, WordList
from elmo.train.checkpoints import save_tensors
from elmo.train.run import METRICS_FILE, RunFolder, write_record
from elmo.weights.compact import COMPACT_KEY, compacted

KEPT = ("base_model", "max_vectors", "commit", "versions", "device")
"""What is copied from the original run besides ``RECORDED``, if it is there."""


def write_compact_run(
    source: Path, target: Path, *, steps: int, vectors: int, metrics: Mapping[str, Any] | None = None
) -> None:
    """Write a small copy of the run folder of a trained model, for predictions.

    Args:
        source: The run folder.
        target: The folder to write, which must be empty or absent.
        steps: Quantize the weights to this many steps on either side of zero.
        vectors: Number of static vectors to keep, and of learned ones.
        metrics: The scores to record; by default those of the run.

    Raises:
        ValueError: If the run has not finished, was trained with a biLM that has no name, or cannot be read; or if the
            target is not empty.
    """
    run = RunFolder(source)
    metadata = run.read(**RECORDED)
    if metadata["elmo"] == ELMO_FOLDER:
        raise ValueError(f"{source}: was trained with a biLM of its own, which a package cannot refer to by name")
    words = WordList.read(run)
    kept = words.most_frequent(vectors)
    model = load_run(source).model
    tensors = {**model.state_dict(), **_kept_vectors(model.words, words, kept)}
    data = {split: [Path(path).name for path in metadata["data"][split]] for split in ("train", "dev", "test")}
    recorded = {name: metadata[name] for name in (*RECORDED, *KEPT) if name in metadata} | {
        "vectors": metadata["vectors"] and Path(metadata["vectors"]).name,
        "data": {**metadata["data"], **data},  # not the paths of another machine
        "compact": {"steps": steps, "vectors": vectors},
    }

    def add_files(folder: Path) -> dict[str, Any]:
        kept.write(folder)
        stored, sizes = compacted(tensors, steps)
        save_tensors(stored, folder / WEIGHTS_FILE, COMPACT_KEY, sizes[COMPACT_KEY])
        shutil.copymode(folder / WORDS_FILE, folder / WEIGHTS_FILE)  # safetensors makes its files private
        write_record(run.metrics() if metrics is None else metrics, folder / METRICS_FILE)
        return {name: metadata[name] for name in KEPT if name in metadata}

    RunFolder(target).begin(recorded, add_files)


def _kept_vectors(inputs: TaskInputs, words: WordList, kept: WordList) -> dict[str, Tensor]:
    """Return the rows of the embedding tables of the words that are kept, by the name of the weight."""
    first = UNKNOWN + 1
    n_static, n_learned = len(kept.static), len(kept.learned or ())
    rows = list(range(first + n_static))
    found = {}
    if inputs.offsets is not None:
        found["words.offsets.weight"] = inputs.offsets.weight[: first + n_learned]
    else:  # one table for both
        rows += range(first + len(words.static), first + len(words.static) + n_learned)
    return {**found, "words.table.weight": inputs.table.weight[rows]}
