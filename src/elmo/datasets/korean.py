"""Four Korean datasets, split into words once by the tokenizer of a model, in the layout of a data folder.

Korean data is raw text, and its tokenizer needs a package that not every machine has. So the datasets are tokenized
beforehand, where it is, and can be moved to a machine with a GPU:

    prepared.json                          the tokenizer, and the checksums of the files that the data was made from
    tasks/wic/{train,dev,test}.jsonl       KoBEST-WiC: two sentences and the words of the target in each
    tasks/pos/{train,dev,test}.conllu      UD Kaist: the form is the tokens of an eojeol, separated by spaces
    tasks/snli/klue/{train,dev,test}.jsonl KLUE-NLI: lists of words
    tasks/sst/nsmc/{train,dev,test}.txt    NSMC: a class (1 negative, 3 positive), a tab, words
    tasks/vectors/                         static vectors, trained on the text that the model was trained on
    corpus/ko-heldout.txt                  held-out text, one sentence per line, if there is any

KLUE publishes no labels for its test data. As usual, its development data is the test data here; the premises of a
tenth of the training data, with all of their hypotheses, are the development data.
"""

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from elmo.config import TokenizerName
from elmo.datasets.conllu import read_tagged
from elmo.datasets.folders import unpacked_folder
from elmo.datasets.lines import bad_line, blocks_of_lines, numbered_lines
from elmo.datasets.nli import read_nli, read_nli_texts
from elmo.datasets.nsmc import Review, read_reviews
from elmo.datasets.trees import read_sentiment
from elmo.datasets.wic import MarkedWord, read_wic
from elmo.files import checksum, parse_json_object, read_json_object, replacing_folder
from elmo.text.alignment import Span, whitespace_words, word_spans
from elmo.text.reading import read_sentences
from elmo.text.tokens import tokenizer as tokenizer_named

PREPARED_FILE = "prepared.json"
HELDOUT_FILE = "ko-heldout.txt"
SPLITS = ("train", "dev", "test")
NEGATIVE, POSITIVE = 1, 3
"""The classes of reviews among the five classes of the task ``sst``."""
DEVELOPMENT = 10
"""One of this many premises of the training data of KLUE-NLI is development data."""
_FORM = 1
"""The column of CoNLL-U with the word."""
_Split = Callable[[str], list[str]]


@dataclass(frozen=True)
class TokenizedOccurrence:
    """A word in a sentence that is split into words."""

    words: list[str]
    span: Span
    """The words of the target."""


@dataclass(frozen=True)
class TokenizedPair:
    """A word in two sentences."""

    occurrences: tuple[TokenizedOccurrence, TokenizedOccurrence]
    same: bool
    """Whether it has the same sense in both."""


def is_prepared(folder: Path) -> bool:
    """Return whether a data folder contains the tokenized datasets."""
    return (folder / PREPARED_FILE).is_file()


def prepared_tokenizer(folder: Path) -> str:
    """Return the tokenizer of prepared datasets.

    Raises:
        ValueError: If its record is damaged.
    """
    tokenizer = read_json_object(folder / PREPARED_FILE).get("tokenizer")
    if not isinstance(tokenizer, str):
        raise ValueError(f"{folder / PREPARED_FILE}: damaged, it names no tokenizer")
    return tokenizer


def prepare_korean(data: Path, folder: Path, tokenizer: TokenizerName, extracted: Path) -> None:
    """Write the tokenized datasets to a folder, unless they are there.

    Args:
        data: The data folder, with the datasets in ``tasks/korean``, and held-out text in ``corpus/ko-heldout.txt``.
        folder: The folder to write.
        tokenizer: The tokenizer of the model.
        extracted: Folder into which archives are extracted, if they are not there.

    Raises:
        ValueError: If a dataset is missing or malformed, if the tokenizer is not installed, or if the folder was made
            from other data or with another tokenizer.
    """
    sources = _find_sources(unpacked_folder(data / "tasks" / "korean", extracted))
    for heldout in sorted((data / "corpus").glob(f"{HELDOUT_FILE}*"))[:1]:
        sources[HELDOUT_FILE] = heldout
    checksums = {name: checksum(path)["sha256"] for name, path in sources.items()}
    record = {"tokenizer": tokenizer, "sources": checksums}
    if is_prepared(folder):
        if read_json_object(folder / PREPARED_FILE) != record:
            raise ValueError(
                f"{folder}: was made from other data or with another tokenizer; delete it to prepare it again"
            )
        return
    split = tokenizer_named(tokenizer).words
    reviews = [*read_reviews(sources["nsmc train"]), *read_reviews(sources["nsmc dev"])]
    if len(reviews) != len(SPLITS):
        raise ValueError(f"{sources['nsmc dev']}: expected a development part and a test part, each with a header")
    entailment = _entailment(sources["klue train"], sources["klue dev"], split)
    with replacing_folder(folder) as scratch:
        for name, part in zip(SPLITS, reviews, strict=True):
            for path, lines in (
                (f"wic/{name}.jsonl", _pairs(sources[f"wic {name}"], split)),
                (f"pos/{name}.conllu", _treebank(sources[f"kaist {name}"], split)),
                (f"snli/klue/{name}.jsonl", entailment[name]),
                (f"sst/nsmc/{name}.txt", _sentiment(part, split)),
            ):
                file = scratch / "tasks" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("w", encoding="utf-8", newline="\n") as written:
                    written.writelines(f"{line}\n" for line in lines)
        if HELDOUT_FILE in sources:
            sentences = read_sentences([sources[HELDOUT_FILE]], tokenizer)
            (scratch / "corpus").mkdir()
            (scratch / "corpus" / HELDOUT_FILE).write_text("".join(f"{' '.join(s)}\n" for s in sentences), "utf-8")
        (scratch / PREPARED_FILE).write_text(json.dumps(record, indent=2) + "\n", "utf-8")


def read_pairs(path: Path) -> list[TokenizedPair]:
    """Read the tokenized pairs of KoBEST-WiC.

    Raises:
        ValueError: If a line is malformed.
    """
    pairs = []
    for number, line in numbered_lines(path):
        record = parse_json_object(line, f"{path}, line {number}")
        try:
            first, second = (TokenizedOccurrence(words, (start, end)) for words, (start, end) in record["occurrences"])
            pairs.append(TokenizedPair((first, second), bool(record["same"])))
        except (KeyError, TypeError, ValueError):
            raise bad_line(path, number, "is not a pair of sentences") from None
    return pairs


def prepared_words(folder: Path) -> set[str]:
    """Return all words of the prepared datasets."""
    words: set[str] = set()
    for split in SPLITS:
        for pair in read_pairs(folder / f"tasks/wic/{split}.jsonl"):
            words.update(word for occurrence in pair.occurrences for word in occurrence.words)
        for sentence in read_tagged(folder / f"tasks/pos/{split}.conllu", "upos"):
            words.update(token for word in sentence.words for token in word.split(" "))
        for both in read_nli(folder / f"tasks/snli/klue/{split}.jsonl"):
            words.update(both.premise, both.hypothesis)
        for review in read_sentiment(folder / f"tasks/sst/nsmc/{split}.txt"):
            words.update(review.words)
    return words


def _find_sources(folder: Path) -> dict[str, Path]:
    """Find the files of all datasets, by dataset and split.

    Raises:
        ValueError: If one is missing, or if there are several.
    """
    patterns = {
        **{f"wic {split}": f"*wic*/**/{split}.tsv*" for split in SPLITS},
        **{f"kaist {split}": f"*kaist*/**/*{split}*.conllu*" for split in SPLITS},
        **{f"klue {split}": f"klue-nli*{split}*.jsonl*" for split in ("train", "dev")},
        **{f"nsmc {split}": f"nsmc*{split}*.txt*" for split in ("train", "dev")},
    }
    found = {name: sorted(filter(Path.is_file, folder.glob(pattern))) for name, pattern in patterns.items()}
    for name, paths in found.items():
        if len(paths) != 1:
            raise ValueError(f"{folder}: expected one file that matches {patterns[name]}, found {len(paths)}")
    return {name: path for name, [path] in found.items()}


def _pairs(path: Path, split: _Split) -> Iterator[str]:
    for pair in read_wic(path):
        occurrences = [_tokenized(occurrence, split) for occurrence in pair.occurrences]
        yield json.dumps({"occurrences": occurrences, "same": pair.same}, ensure_ascii=False)


def _tokenized(occurrence: MarkedWord, split: _Split) -> tuple[list[str], Span]:
    """Split a sentence, and find the words that the target overlaps."""
    words = split(occurrence.text)
    start, end = occurrence.span
    spans = word_spans(occurrence.text, words)
    inside = [index for index, span in enumerate(spans) if span[0] < end and start < span[1]]
    return words, (inside[0], inside[-1] + 1)


def _treebank(path: Path, split: _Split) -> Iterator[str]:
    """Replace the forms of a treebank, which are eojeol, by their tokens."""
    for block in blocks_of_lines(path):
        rows = [line.split("\t") for _, line in block if not line.startswith("#")]
        text = " ".join(row[_FORM] for row in rows)
        tokens = split(text)
        _, counts = whitespace_words(text, tokens)
        if len(counts) != len(rows):
            raise bad_line(path, block[0][0], "a form contains a space, or is empty")
        rest = iter(tokens)
        for row, count in zip(rows, counts, strict=True):
            row[_FORM] = " ".join(itertools.islice(rest, count))
            yield "\t".join(row)
        yield ""


def _entailment(train: Path, dev: Path, split: _Split) -> dict[str, list[str]]:
    """Return the lines of each split; see the top of this module."""
    found: dict[str, list[str]] = {name: [] for name in SPLITS}
    for path in (train, dev):
        for pair in read_nli_texts(path):
            first, second = (split(text) if isinstance(text, str) else text for text in (pair.premise, pair.hypothesis))
            digest = hashlib.sha256(" ".join(first).encode()).digest()
            part = "test" if path == dev else "train" if digest[0] % DEVELOPMENT else "dev"
            record = {"gold_label": pair.label, "sentence1": first, "sentence2": second}
            found[part].append(json.dumps(record, ensure_ascii=False))
    return found


def _sentiment(reviews: Iterable[Review], split: _Split) -> Iterator[str]:
    """Return the lines of a split, without the few reviews that have no words."""
    for review in reviews:
        if words := split(review.text):
            yield f"{POSITIVE if review.positive else NEGATIVE}\t{' '.join(words)}"
