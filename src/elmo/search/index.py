"""The vectors of all words of a corpus in a folder, built once, memory-mapped, and searched for the nearest.

The search is exact, up to a million words always, beyond that where FAISS is not installed. The similarity is the
cosine.
"""

import contextlib
import hashlib
import importlib
import importlib.util
import itertools
import json
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from elmo.config import WordTableConfig, from_fields
from elmo.embed.embedder import Embedder
from elmo.files import replacing_file, replacing_folder, writing

Layer = Literal["top", "average"] | int
"""The top layer, the average of all, or one by its number (0 is the word vector without context)."""
FACTS_FILE, TYPES_FILE, WORDS_FILE, OFFSETS_FILE = "index.json", "types.json", "words.npy", "offsets.npy"
FORMAT = 1
EXACT_UP_TO = 1_000_000
"""Words in an index that is always searched exactly; a larger one is searched with FAISS where that is installed."""
AT_ONCE = 1 << 13
"""Rows that are compared with a query at once: so few that they stay in the cache of the processor."""
PROBES = 64
"""Cells of a FAISS index that are looked into, of about 4 sqrt(words)."""
SHORTLIST = 1024
"""Rows that FAISS proposes; they are compared exactly, and repeated sentences are left out."""


@dataclass(frozen=True)
class Neighbour:
    """A use of a word in the corpus."""

    words: tuple[str, ...]
    """The sentence."""
    position: int
    """Of the word in it."""
    similarity: float


@dataclass(frozen=True)
class IndexFacts:
    """What an index holds; one that agrees in all of it need not be built again."""

    format: int
    model: str
    """Hash of the model's weights."""
    corpus: str
    """Hash of the sentences."""
    layers: list[str]
    """Those that are kept: their numbers, and average."""
    n_layers: int
    """That the model has, the words included."""
    dim: int
    tokens: int
    sentences: int


@dataclass(frozen=True, eq=False)
class Index:
    """The vectors of all words of a corpus. The arrays lie in files and are read as far as they are needed."""

    folder: Path
    facts: IndexFacts
    types: list[str]
    """The different words."""
    words: NDArray[np.int32]
    """All words of the corpus as numbers of types, (tokens,)."""
    offsets: NDArray[np.int64]
    """Where each sentence begins, and the end, (sentences + 1,)."""
    vectors: Mapping[str, NDArray[np.float16]]
    """Unit vectors of each layer, (tokens, D)."""

    def sentence(self, number: int) -> tuple[str, ...]:
        """The words of a sentence."""
        return tuple(self.types[word] for word in self.words[self.offsets[number] : self.offsets[number + 1]])

    def check(self, embedder: Embedder) -> None:
        """Complain about a model other than the one that the index was built with."""
        if model_hash(embedder) != self.facts.model:
            raise ValueError(f"{self.folder}: was built with another model")

    @property
    def note(self) -> str:
        """How the index is searched, where that is not simply exact."""
        if self.facts.tokens <= EXACT_UP_TO:
            return ""
        if not _has_faiss():
            return "every word was compared; with FAISS it is faster: pip install 'elmo-torch[analysis]'"
        return "found with FAISS, which may miss some; searches for the same word are exact"

    def search(
        self,
        vector: NDArray[Any],
        layer: Layer | str = "top",
        k: int = 10,
        word: str | None = None,
        *,
        prefix: bool = False,
        exclude_sentence: Sequence[str] | None = None,
        once: bool = True,
        exact: bool = False,
    ) -> list[Neighbour]:
        """The k words of the corpus whose vectors are nearest to ``vector`` (D,), the nearest first.

        ``word``: uses of this word only, whatever its case; with ``prefix``, all words that begin with it.
        ``exclude_sentence``: leave out sentences of exactly these words. ``once``: a sentence appears once, at its
        nearest word, and so do sentences of the same words. ``exact``: compare all words of a large index, too.
        Of words that are equally near, those that come first in the corpus are given.
        """
        name = layer_name(layer, self.facts.n_layers)
        if name not in self.vectors:
            raise ValueError(f"{self.folder}: has no layer {name}, only {', '.join(self.vectors)}")
        if k < 1:
            raise ValueError(f"k must be at least 1, not {k}")
        query = unit(np.asarray(vector, np.float32))  # (D,)
        excluded = None if exclude_sentence is None else tuple(exclude_sentence)
        if word is None and not exact and self.facts.tokens > EXACT_UP_TO and _has_faiss():
            # In the order of the corpus, so that equals are treated as in an exact search.
            found = self._pick(name, query, np.sort(self._shortlist(name, query, 16 * k)), k, excluded, once)
            if len(found) == k:
                return found
        rows = None
        if word is not None:
            start = plain_word(word)
            same = np.array([(t.startswith(start) if prefix else t == start) for t in map(plain_word, self.types)])
            rows = np.flatnonzero(same[self.words])
        return self._pick(name, query, rows, k, excluded, once)

    def _pick(
        self,
        name: str,
        query: NDArray[np.float32],
        rows: NDArray[np.int64] | None,
        k: int,
        excluded: tuple[str, ...] | None,
        once: bool,
    ) -> list[Neighbour]:
        """The nearest among some rows (None for all)."""
        vectors = self.vectors[name]
        parts = (
            slice(at, at + AT_ONCE) if rows is None else rows[at : at + AT_ONCE]
            for at in range(0, self.facts.tokens if rows is None else len(rows), AT_ONCE)
        )
        pieces = [vectors[part].astype(np.float32) @ query for part in parts]
        # Rounded: equal vectors may differ in the last digit, depending on their place among those computed together.
        similarities = np.round(np.concatenate([np.empty(0, np.float32), *pieces]), 6)
        found: list[Neighbour] = []
        seen = set() if excluded is None else {excluded}
        for place in falling(similarities):
            row = int(place if rows is None else rows[place])
            number = int(np.searchsorted(self.offsets, row, "right")) - 1
            sentence = self.sentence(number)
            if sentence in seen:
                continue
            if once:
                seen.add(sentence)
            found.append(Neighbour(sentence, row - int(self.offsets[number]), float(similarities[place])))
            if len(found) == k:
                break
        return found

    def _shortlist(self, name: str, query: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        """Rows that FAISS takes for the nearest; its index is built when it is first needed."""
        faiss: Any = importlib.import_module("faiss")
        path = self.folder / f"layer-{name}.faiss"
        if not path.exists():
            with replacing_file(path) as scratch:
                faiss.write_index(_cells(faiss, self.vectors[name]), str(scratch))
        cells = faiss.read_index(str(path), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)
        cells.nprobe = PROBES
        _, rows = cells.search(query[None], max(SHORTLIST, count))
        return rows[0][rows[0] >= 0]


def _has_faiss() -> bool:
    return importlib.util.find_spec("faiss") is not None


def _cells(faiss: Any, vectors: NDArray[np.float16]) -> Any:
    """A FAISS index of the vectors in cells around centres, of float16 as they are."""
    n_cells = int(4 * len(vectors) ** 0.5)
    centres = faiss.IndexFlatIP(vectors.shape[1])
    kind, cosine = faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT
    cells = faiss.IndexIVFScalarQuantizer(centres, vectors.shape[1], n_cells, kind, cosine, False)
    # 40 vectors for a centre are enough, and come from all parts of the corpus.
    sample = np.linspace(0, len(vectors) - 1, min(len(vectors), 40 * n_cells)).astype(np.int64)
    cells.train(vectors[sample].astype(np.float32))
    for at in range(0, len(vectors), AT_ONCE):
        cells.add(vectors[at : at + AT_ONCE].astype(np.float32))
    return cells


def build_index(
    embedder: Embedder,
    sentences: Iterable[Sequence[str]],
    folder: str | Path,
    layers: Literal["all"] | Layer | Sequence[Layer] = "all",
    progress: Callable[[int], object] = lambda words: None,
) -> Index:
    """The index of a corpus in a folder; one of the same model, sentences and layers that is there is only opened.

    ``layers``: "all" for each one and their average. ``progress`` is told how many more words are done.
    """
    folder = Path(folder)
    config = embedder.bilm.config
    count = config.n_representations
    chosen = [layers] if isinstance(layers, str | int) else list(layers)
    if layers == "all":
        chosen = [*range(count), "average"]
    types, words, offsets = _numbered(sentences)
    facts = IndexFacts(
        format=FORMAT,
        model=model_hash(embedder),
        corpus=_hash(json.dumps(types).encode(), words.tobytes(), offsets.tobytes()),
        layers=list(dict.fromkeys(layer_name(layer, count) for layer in chosen)),
        n_layers=count,
        dim=config.output_dim,
        tokens=len(words),
        sentences=len(offsets) - 1,
    )
    if (folder / FACTS_FILE).exists():
        # What cannot be opened is built anew.
        with contextlib.suppress(ValueError):
            index = open_index(folder)
            if index.facts == facts:
                return index
    stream = ([types[word] for word in words[start:end]] for start, end in itertools.pairwise(offsets))
    with replacing_folder(folder) as scratch, writing(folder):
        (scratch / TYPES_FILE).write_text(json.dumps(types), "utf-8")
        np.save(scratch / WORDS_FILE, words)
        np.save(scratch / OFFSETS_FILE, offsets)
        with contextlib.ExitStack() as stack:
            header = {"descr": "<f2", "fortran_order": False, "shape": (facts.tokens, facts.dim)}
            files = {name: stack.enter_context((scratch / f"layer-{name}.npy").open("wb")) for name in facts.layers}
            for file in files.values():
                np.lib.format.write_array_header_1_0(file, header)
            for embedded in embedder.embed_stream(stream):
                for name, file in files.items():
                    values = embedded.layers.mean(0) if name == "average" else embedded.layers[int(name)]  # (n, D)
                    file.write(unit(values).astype("<f2").tobytes())
                progress(len(embedded.tokens))
        # The facts say that the rest is whole: an old index loses them first, a new one gets them last.
        for old in (folder / FACTS_FILE, *folder.glob("layer-*.npy"), *folder.glob("layer-*.faiss")):
            old.unlink(missing_ok=True)
    with replacing_file(folder / FACTS_FILE) as path:
        path.write_text(json.dumps(asdict(facts), indent=2) + "\n", "utf-8")
    return open_index(folder)


def open_index(folder: str | Path) -> Index:
    """An index that was built."""
    folder = Path(folder)
    if not (folder / FACTS_FILE).exists():
        raise ValueError(f"{folder}: is no index ({FACTS_FILE} is missing)")
    try:
        facts = from_fields(IndexFacts, json.loads((folder / FACTS_FILE).read_text("utf-8")), "index")
        if facts.format != FORMAT:
            raise ValueError(f"has format {facts.format}, this version reads {FORMAT}")
        types = json.loads((folder / TYPES_FILE).read_text("utf-8"))
        words, offsets = (np.load(folder / name, mmap_mode="r") for name in (WORDS_FILE, OFFSETS_FILE))
        vectors = {name: np.load(folder / f"layer-{name}.npy", mmap_mode="r") for name in facts.layers}
        shapes = [words.shape, offsets.shape, *(array.shape for array in vectors.values())]
        if shapes != [(facts.tokens,), (facts.sentences + 1,)] + [(facts.tokens, facts.dim)] * len(vectors):
            raise ValueError("its files do not belong together")
    except (ValueError, OSError, EOFError) as error:
        raise ValueError(f"{folder}: cannot be read, build the index anew ({error})") from None
    return Index(folder, facts, types, words, offsets, vectors)


def model_hash(embedder: Embedder) -> str:
    """Hash of everything that a model's vectors depend on."""
    bilm = embedder.bilm
    looked_up = isinstance(bilm.config.token_layer, WordTableConfig)
    words = bilm.vocabulary.words if looked_up and bilm.vocabulary is not None else ()
    if bilm.dictionary is not None:
        words = (*bilm.dictionary.characters, *bilm.dictionary.words)
    tensors = sorted(bilm.state_dict().items())
    facts = [bilm.config.to_dict(), words, [(name, str(tensor.dtype), list(tensor.shape)) for name, tensor in tensors]]
    return _hash(json.dumps(facts).encode(), *(tensor.float().cpu().numpy().tobytes() for _, tensor in tensors))


def layer_name(layer: Layer | str, n_layers: int) -> str:
    """How an index calls a layer: by its number, or average."""
    name = str(n_layers - 1 if layer == "top" else layer)
    if name not in ("average", *map(str, range(n_layers))):
        raise ValueError(f"layer must be top, average or a number from 0 to {n_layers - 1}, not {layer!r}")
    return name


def _numbered(sentences: Iterable[Sequence[str]]) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """Different words, all words as their numbers, and where sentences begin; empty ones are left out."""
    numbers: dict[str, int] = {}
    words, offsets = array("i"), array("q", [0])
    for sentence in sentences:
        if isinstance(sentence, str):
            raise ValueError("an index takes sentences as lists of words, not as strings")
        words.extend(numbers.setdefault(word, len(numbers)) for word in sentence)
        if len(words) > offsets[-1]:
            offsets.append(len(words))
    if not words:
        raise ValueError("there are no words to build an index of")
    return list(numbers), np.array(words, np.int32), np.array(offsets, np.int64)


def _hash(*pieces: bytes) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()


def unit(vectors: NDArray[Any]) -> NDArray[Any]:
    """Vectors of length 1; zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def falling(values: NDArray[np.float32]) -> Iterator[int]:
    """Places of the values, the largest first, equals in their order; sorted only as far as somebody asks."""
    done, size = 0, 256
    while done < len(values):
        rest = max(0, len(values) - size)
        top = np.flatnonzero(values >= np.partition(values, rest)[rest])  # with all that equal the last
        yield from map(int, top[np.argsort(-values[top], kind="stable")][done:])
        done, size = len(top), 16 * max(size, len(top))


def plain_word(word: str) -> str:
    """A word whatever its case; and Hangul is the same in syllables as in letters."""
    return unicodedata.normalize("NFC", word.casefold())
