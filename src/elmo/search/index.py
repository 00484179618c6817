"""An index of a corpus: the vectors of all its words in a folder, built once, memory-mapped and searched by cosine.

The search is exact for up to a million words. A larger index is searched with FAISS if that is installed.
"""

import contextlib
import hashlib
import importlib
import importlib.util
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from elmo.config import from_fields
from elmo.embed.embedder import Embedder
from elmo.files import (
    CHECKSUMS_FILE,
    check_output_folder,
    checksum,
    read_json_object,
    replacing_file,
    replacing_folder,
    verify_checksums,
    write_checksums,
    writing,
)
from elmo.search.occurrences import Neighbor, Occurrences, RowIds
from elmo.search.vectors import unit
from elmo.text.counts import counted
from elmo.validation import checked_count, checked_sentences
from elmo.weights.download import cache_folder

Layer = Literal["top", "average"] | int
"""The top layer, the average of all layers, or one layer by its index (0 is the token layer)."""
METADATA_FILE, TYPES_FILE = "index.json", "types.json"
WORDS_FILE, OFFSETS_FILE, SPACED_FILE = "words.npy", "offsets.npy", "spaced.npy"
FORMAT = 2
INCOMPLETE = '{"format": 0}'
"""Content of the metadata file while the other files of an index are written."""
_FILES = (
    *(METADATA_FILE, TYPES_FILE, WORDS_FILE, OFFSETS_FILE, SPACED_FILE, CHECKSUMS_FILE),
    *("layer-*.npy", "layer-*.faiss*"),
)
"""Names of the files that an index consists of."""
FAISS_PROBES = 64
"""Clusters that a FAISS search visits, of about 4 sqrt(words)."""
FAISS_CANDIDATES = 1024
"""Minimum number of rows that FAISS proposes. They are compared exactly, and repeated sentences are dropped."""


@dataclass(frozen=True)
class IndexMetadata:
    """What an index was built from. An index whose metadata is the same need not be built again."""

    format: int
    model: str
    """Hash of the model."""
    corpus: str
    """Hash of the sentences and their spacing."""
    layers: list[str]
    """The layers that are stored: their indices, and "average"."""
    n_layers: int
    """Number of layers that the model has, including the token layer."""
    dim: int
    tokens: int
    sentences: int


@dataclass(frozen=True, eq=False)
class Index:
    """The vectors of all words of a corpus. The arrays are memory-mapped and read only as far as they are needed."""

    folder: Path
    metadata: IndexMetadata
    text: Occurrences
    vectors: Mapping[str, NDArray[np.float16]]
    """Unit vectors by layer, (tokens, D) each."""
    exact_up_to: int = 1_000_000
    """Number of words up to which all vectors are compared, even if FAISS is installed."""
    chunk_size: int = 1 << 13
    """Rows compared at a time: few enough to stay in the processor's cache."""
    _clusters: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """FAISS indexes by layer, once they have been searched: comparing a file with its checksum reads all of it."""

    def __repr__(self) -> str:
        layers = ", ".join(self.metadata.layers)
        return f"Index({str(self.folder)!r}, {counted(self.metadata.tokens, 'word')}, layers {layers})"

    def matches(self, embedder: Embedder) -> bool:
        """Return whether the index was built with this model."""
        return embedder.fingerprint() == self.metadata.model

    def check(self, embedder: Embedder) -> None:
        """Raise a ValueError if the index was built with another model."""
        if not self.matches(embedder):
            raise ValueError(f"{self.folder}: was built with another model")

    @property
    def _uses_faiss(self) -> bool:
        return self.metadata.tokens > self.exact_up_to and _has_faiss()

    @property
    def note(self) -> str:
        """A remark about how the index is searched; empty for an exact search of a small index."""
        if self.metadata.tokens <= self.exact_up_to:
            return ""
        if not self._uses_faiss:
            return "compared with every word; FAISS is faster: pip install 'elmo-torch[analysis]'"
        return "approximate search with FAISS; searches for occurrences of one word are exact"

    def neighbors(
        self,
        embedder: Embedder,
        words: Sequence[str],
        position: int,
        layer: Layer = "top",
        k: int = 10,
        *,
        same_word: bool = False,
        stem: str | None = None,
    ) -> list[Neighbor]:
        """Find the occurrences nearest to the word at a position of a sentence, outside that sentence.

        Args:
            embedder: The model that the index was built with.
            words: The sentence.
            position: Position of the word in the sentence, counted from 0.
            layer: The layer whose vectors are compared.
            k: Number of neighbors.
            same_word: Search only other occurrences of the same word, in any case.
            stem: Search only words that start with this (손 finds 손을 and 손이).

        Raises:
            ValueError: If the sentence has no such position, or if the index was built with another model or lacks the
                layer.
        """
        [words] = checked_sentences([words])
        if not words:
            raise ValueError("the sentence has no words")
        position = checked_count("position", position, minimum=0, maximum=len(words) - 1)
        self.check(embedder)
        vector = embedder.embed([words], layer)[0].layers[position]  # (D,)
        word = stem or (words[position] if same_word else None)
        return self.search(vector, layer, k, word, prefix=stem is not None, exclude_sentence=words)

    def search(
        self,
        vector: NDArray[Any],
        layer: Layer | str = "top",
        k: int = 10,
        word: str | None = None,
        *,
        prefix: bool = False,
        exclude_sentence: Sequence[str] | None = None,
        distinct_sentences: bool = True,
    ) -> list[Neighbor]:
        """Find the ``k`` words of the corpus nearest to a vector, the nearest first and ties in the order of the text.

        Args:
            vector: The query (D,).
            layer: The layer that the query comes from.
            k: Number of neighbors.
            word: Search only occurrences of this word, in any case.
            prefix: Search all words that start with ``word``.
            exclude_sentence: Skip sentences with exactly these words.
            distinct_sentences: Return each distinct sentence at most once, at its nearest word.

        Raises:
            ValueError: If the index lacks the layer, or ``k`` is less than 1.
        """
        name = layer_name(layer, self.metadata.n_layers)
        self._require([name])
        vectors = self.vectors[name]
        query = unit(np.asarray(vector, np.float32))  # (D,)

        def nearest(rows: RowIds | None) -> list[Neighbor]:
            return self._nearest(lambda part: vectors[part], query, rows, k, exclude_sentence, distinct_sentences)

        if word is None and self._uses_faiss:
            # In the order of the corpus, so that ties are resolved as in an exact search.
            found = nearest(np.sort(self._candidates(name, query, 16 * k)))
            if len(found) == k:
                return found
        return nearest(None if word is None else self.text.rows_of(word, prefix=prefix))

    def search_mix(
        self,
        layers: NDArray[np.float32],
        weights: Sequence[float],
        k: int = 10,
        word: str | None = None,
        *,
        exclude_sentence: Sequence[str] | None = None,
    ) -> list[Neighbor]:
        """Find the ``k`` words nearest to a word by a weighted sum of all layers.

        The sum is computed during the search, so the weights may differ in every call. Each layer's vectors are scaled
        to length 1 first: no layer counts more because its values are larger.

        Args:
            layers: The vectors of the word in every layer, (L+1, D).
            weights: One weight per layer.
            k: Number of neighbors.
            word: Search only occurrences of this word, in any case.
            exclude_sentence: Skip sentences with exactly these words.

        Raises:
            ValueError: If the weights do not fit, the index lacks a layer, or ``k`` is less than 1.
        """
        if len(weights) != len(layers) or not any(weights):
            raise ValueError(f"mix must have one weight for each of the {len(layers)} layers, and not all zero")
        names = [str(layer) for layer in range(len(layers))]
        self._require(names)
        weighted = [(np.float32(w), self.vectors[name]) for w, name in zip(weights, names, strict=True) if w]

        def mixed(part: Any) -> NDArray[np.float32]:
            return unit(sum(weight * vectors[part].astype(np.float32) for weight, vectors in weighted))

        query = unit(np.asarray(weights, np.float32) @ unit(layers))  # (D,)
        rows = None if word is None else self.text.rows_of(word)
        return self._nearest(mixed, query, rows, k, exclude_sentence, True)

    def _require(self, names: Sequence[str]) -> None:
        missing = [name for name in names if name not in self.vectors]
        if missing:
            raise ValueError(f"{self.folder}: has no layer {', '.join(missing)}, only {', '.join(self.vectors)}")

    def _nearest(
        self,
        read: Callable[[Any], NDArray[Any]],
        query: NDArray[np.float32],
        rows: RowIds | None,
        k: int,
        exclude: Sequence[str] | None,
        distinct_sentences: bool,
    ) -> list[Neighbor]:
        """Compare the query with some rows (None for all), whose vectors ``read`` returns chunk by chunk."""
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        size = self.chunk_size
        starts = range(0, self.metadata.tokens if rows is None else len(rows), size)
        parts = (slice(at, at + size) if rows is None else rows[at : at + size] for at in starts)
        similarities = [read(part).astype(np.float32) @ query for part in parts]
        return self.text.nearest(
            np.concatenate([np.empty(0, np.float32), *similarities]),
            rows,
            k,
            exclude=exclude,
            distinct="sentence" if distinct_sentences else None,
        )

    def _candidates(self, name: str, query: NDArray[np.float32], count: int) -> RowIds:
        """Return the rows that FAISS considers nearest."""
        if name not in self._clusters:
            self._clusters[name] = self._open_clusters(name)
        _, rows = self._clusters[name].search(query[None], max(FAISS_CANDIDATES, count))
        return rows[0][rows[0] >= 0]

    def _open_clusters(self, name: str) -> Any:
        """Open the FAISS index of a layer, which is built unless there is one that is intact."""
        faiss: Any = importlib.import_module("faiss")
        path = self.folder / f"layer-{name}.faiss"
        record = path.with_name(path.name + ".json")
        if not _is_unchanged(path, record):
            with replacing_file(path) as scratch:
                faiss.write_index(self._faiss_index(faiss, self.vectors[name]), str(scratch))
            with replacing_file(record) as scratch:
                scratch.write_text(json.dumps(checksum(path)))
        clusters = faiss.read_index(str(path), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)
        clusters.nprobe = FAISS_PROBES
        return clusters

    def _faiss_index(self, faiss: Any, vectors: NDArray[np.float16]) -> Any:
        """Build an inverted-file index that keeps the vectors in float16."""
        n_clusters = int(4 * len(vectors) ** 0.5)
        centers = faiss.IndexFlatIP(vectors.shape[1])
        kind, cosine = faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
        clusters = faiss.IndexIVFScalarQuantizer(centers, vectors.shape[1], n_clusters, kind, cosine, False)
        # 40 vectors per center are enough; they are taken from all parts of the corpus.
        sample = np.linspace(0, len(vectors) - 1, min(len(vectors), 40 * n_clusters)).astype(np.int64)
        clusters.train(vectors[sample].astype(np.float32))
        for at in range(0, len(vectors), self.chunk_size):
            clusters.add(vectors[at : at + self.chunk_size].astype(np.float32))
        return clusters


def _is_unchanged(path: Path, record: Path) -> bool:
    """Return whether a file has the checksum that was recorded when it was written."""
    try:
        return read_json_object(record) == checksum(path)
    except (OSError, ValueError):
        return False


def _has_faiss() -> bool:
    return importlib.util.find_spec("faiss") is not None


def build_index(
    embedder: Embedder,
    sentences: Iterable[str | Sequence[str]] | Occurrences,
    folder: str | Path,
    layers: Literal["all"] | Layer | Sequence[Layer] = "all",
    progress: Callable[[int], object] = lambda words: None,
) -> Index:
    """Build the index of a corpus, or open it if the folder has one of the same model, sentences and layers.

    Args:
        embedder: The model.
        sentences: The corpus: strings, which the model's tokenizer splits into words, or lists of words. Neighbors from
            strings are shown as they were written. ``Occurrences.of`` takes another tokenizer.
        folder: Folder of the index: new, empty, or an index, which is replaced if it is one of something else or is
            damaged.
        layers: The layers to store; "all" for every layer and their average.
        progress: Called with the number of words embedded since the last call.

    Raises:
        ValueError: If the corpus has no words, or a layer does not exist.
        OSError: If the folder contains other files.
    """
    folder = Path(folder)
    check_output_folder(folder, "an index", is_index, overwrite=True)
    config = embedder.config
    count = config.n_representations
    chosen = [layers] if isinstance(layers, str | int) else list(layers)
    if layers == "all":
        chosen = [*range(count), "average"]
    text = sentences if isinstance(sentences, Occurrences) else Occurrences.of(sentences, config.tokenizer)
    arrays = (text.word_ids, text.offsets, text.spaced)
    metadata = IndexMetadata(
        format=FORMAT,
        model=embedder.fingerprint(),
        corpus=_hash(json.dumps(text.types).encode(), *(array.tobytes() for array in arrays)),
        layers=list(dict.fromkeys(layer_name(layer, count) for layer in chosen)),
        n_layers=count,
        dim=config.output_dim,
        tokens=len(text.word_ids),
        sentences=len(text.offsets) - 1,
    )
    if (folder / METADATA_FILE).exists():
        # An index that cannot be opened is built again.
        with contextlib.suppress(ValueError):
            index = open_index(folder)
            if index.metadata == metadata:
                return index
    _write_index(folder, metadata, text, embedder, progress)
    return open_index(folder)


def _write_index(
    folder: Path, metadata: IndexMetadata, text: Occurrences, embedder: Embedder, progress: Callable[[int], object]
) -> None:
    """Embed a text and write its index, in place of one that may be there."""
    with replacing_folder(folder) as scratch, writing(folder):
        (scratch / TYPES_FILE).write_text(json.dumps(text.types), "utf-8")
        np.save(scratch / WORDS_FILE, text.word_ids)
        np.save(scratch / OFFSETS_FILE, text.offsets)
        np.save(scratch / SPACED_FILE, text.spaced)
        with contextlib.ExitStack() as stack:
            header = {"descr": "<f2", "fortran_order": False, "shape": (metadata.tokens, metadata.dim)}
            files = {name: stack.enter_context((scratch / f"layer-{name}.npy").open("wb")) for name in metadata.layers}
            for file in files.values():
                np.lib.format.write_array_header_1_0(file, header)
            for embedded in embedder.embed_stream(text.sentences()):
                for name, file in files.items():
                    values = embedded.layers.mean(0) if name == "average" else embedded.layers[int(name)]  # (n, D)
                    file.write(unit(values).astype("<f2").tobytes())
                progress(len(embedded.tokens))
        # The metadata marks an index as complete: it is the first file of an old index to be invalidated, and the last
        # file of a new one to become valid.
        (scratch / METADATA_FILE).write_text(INCOMPLETE)
        write_checksums(scratch, [path.name for path in scratch.iterdir() if path.name != METADATA_FILE])
        if folder.exists():
            with replacing_file(folder / METADATA_FILE) as path:
                path.write_text(INCOMPLETE)
            for old in (folder / CHECKSUMS_FILE, *folder.glob("layer-*")):
                old.unlink(missing_ok=True)
    with replacing_file(folder / METADATA_FILE) as path:
        path.write_text(json.dumps(asdict(metadata), indent=2) + "\n", "utf-8")


def is_index(folder: Path) -> bool:
    """Return whether a folder is an index, perhaps an incomplete or a damaged one, and nothing else."""
    names = {entry.name for entry in folder.iterdir() if not fnmatch(entry.name, ".*.part")}
    if METADATA_FILE not in names or not all(any(fnmatch(name, own) for own in _FILES) for name in names):
        return False
    if len(names) > 1:
        return True
    with contextlib.suppress(ValueError):  # other programs have files of this name, too
        return "format" in read_json_object(folder / METADATA_FILE)
    return False


def open_index(folder: str | Path) -> Index:
    """Open an index that was built before.

    Raises:
        ValueError: If the folder has no index, or one that cannot be read.
    """
    folder = Path(folder)
    if not (folder / METADATA_FILE).exists():
        raise ValueError(f"{folder}: is not an index ({METADATA_FILE} is missing)")
    try:
        fields = read_json_object(folder / METADATA_FILE)
        if fields.get("format") != FORMAT:
            raise ValueError(f"it has format {fields.get('format')}, and this version reads format {FORMAT}")
        metadata = from_fields(IndexMetadata, fields, "index")
        if not all(re.fullmatch(r"\d{1,4}|average", name) for name in metadata.layers):
            raise ValueError("its layers have no valid names")
        verify_checksums(folder)
        types = json.loads((folder / TYPES_FILE).read_text("utf-8"))
        text = Occurrences(types, *(_mapped(folder / name) for name in (WORDS_FILE, OFFSETS_FILE, SPACED_FILE)))
        vectors = {name: _mapped(folder / f"layer-{name}.npy") for name in metadata.layers}
        _check_arrays(metadata, text, vectors)
    except (ValueError, TypeError, OSError, EOFError, RecursionError) as error:
        raise ValueError(f"{folder}: the index cannot be read; build it again ({error})") from None
    return Index(folder, metadata, text, vectors)


def _mapped(path: Path) -> NDArray[Any]:
    """Map an array into memory."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except Exception as error:  # a damaged header is evaluated as Python, with any error that this may have
        raise ValueError(f"{path}: not a NumPy array ({error})") from None


def _check_arrays(metadata: IndexMetadata, text: Occurrences, vectors: Mapping[str, NDArray[Any]]) -> None:
    """Check that the files of an index belong together, in case the checksums are missing."""
    types: Any = text.types  # whatever the file has
    words, offsets = text.word_ids, text.offsets
    arrays: list[NDArray[Any]] = [words, offsets, text.spaced, *vectors.values()]
    tokens = (metadata.tokens,)
    shapes = [tokens, (metadata.sentences + 1,), tokens] + [(metadata.tokens, metadata.dim)] * len(vectors)
    kinds = [*map(np.dtype, (np.int32, np.int64, np.bool_))] + [np.dtype(np.float16)] * len(vectors)
    if [array.shape for array in arrays] != shapes or [array.dtype for array in arrays] != kinds:
        raise ValueError("its files do not belong together")
    if not isinstance(types, list) or not all(isinstance(word, str) for word in types):
        raise ValueError(f"{TYPES_FILE} is not a list of words")
    if words.min() < 0 or words.max() >= len(types):
        raise ValueError(f"{WORDS_FILE} has words that {TYPES_FILE} lacks")
    if offsets[0] != 0 or offsets[-1] != len(words) or (np.diff(offsets) < 1).any():
        raise ValueError(f"{OFFSETS_FILE} does not divide the words into sentences")


def default_index_folder(model: str, layers: str, texts: Iterable[str | Path]) -> Path:
    """Return the folder in the user's cache for the index of some texts by a model."""
    key = f"{model} {layers} " + "".join(f"{Path(path).resolve()} " for path in texts)
    return cache_folder() / hashlib.sha256(key.encode()).hexdigest()[:16]


def layer_name(layer: Layer | str, n_layers: int) -> str:
    """Return the name of a layer in an index: its index as a string, or "average".

    Raises:
        ValueError: If the model has no such layer.
    """
    name = str(n_layers - 1 if layer == "top" else layer)
    if name not in ("average", *map(str, range(n_layers))):
        raise ValueError(f"layer must be top, average or a number from 0 to {n_layers - 1}, not {layer!r}")
    return name


def _hash(*pieces: bytes) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()
