"""The texts of the evaluation data, without its labels.

They serve to measure how well a language model predicts text that it was not trained on, and to find out which of them
occur in its training text. Words are written as the tokenizer writes them: treebanks' ``is n't`` is ``isn 't``, and
``-LRB-`` is a parenthesis.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from elmo.datasets.columns import read_entities
from elmo.datasets.conllu import read_tagged
from elmo.datasets.coreference import CorefDocument, read_coreference
from elmo.datasets.folders import unpacked_folder
from elmo.datasets.gap import read_gap
from elmo.datasets.nli import read_nli
from elmo.datasets.semcor import read_evaluation_set, read_semcor
from elmo.datasets.squad import read_squad
from elmo.datasets.trees import plain_words, read_sentiment


class TextUnit(NamedTuple):
    """A passage, document or sentence, which is what a dataset is made of."""

    name: str
    sentences: list[list[str]]


@dataclass(frozen=True)
class TextSource:
    """Where the texts of a dataset are found, and how they are read."""

    name: str
    domain: str
    """The kind of text."""
    unit: str
    """What a unit of the dataset is: passage, document or sentence."""
    task: str
    """The folder of the data, in the folder tasks."""
    patterns: tuple[str, ...]
    """Names of the files; all of them must be there."""
    read: Callable[[Sequence[Path]], list[TextUnit]]


@dataclass(frozen=True)
class EvaluationText:
    """The texts of a dataset."""

    source: TextSource
    files: tuple[Path, ...]
    units: list[TextUnit]

    @property
    def sentences(self) -> list[list[str]]:
        """All sentences, each once, in the order of their first occurrence."""
        found = {tuple(words): words for unit in self.units for words in unit.sentences if words}
        return list(found.values())


def read_evaluation_texts(sources: Iterable[TextSource], folder: Path, extracted: Path) -> Iterator[EvaluationText]:
    """Read the texts of those datasets that are there.

    Args:
        sources: The datasets.
        folder: The data folder.
        extracted: Folder into which archives are extracted, if they have not been before.
    """
    for source in sources:
        home = folder / "tasks" / source.task
        if not home.is_dir():
            continue
        unpacked = unpacked_folder(home, extracted)
        found = [sorted(path for path in unpacked.rglob(pattern) if path.is_file()) for pattern in source.patterns]
        if all(found):
            files = tuple(path for paths in found for path in paths)
            if units := source.read(files):
                yield EvaluationText(source, files, units)


def _numbered(sentences: Iterable[Sequence[str]]) -> list[TextUnit]:
    return [TextUnit(str(number), [list(words)]) for number, words in enumerate(sentences, 1)]


def _ewt(section: str) -> Callable[[Sequence[Path]], list[TextUnit]]:
    """Read a section of the English Web Treebank, which begins the id of its sentences, or all ("")."""

    def read(files: Sequence[Path]) -> list[TextUnit]:
        sentences = (sentence for file in files for sentence in read_tagged(file))
        return [TextUnit(s.id, [plain_words(s.words)]) for s in sentences if s.id.startswith(section)]

    return read


def _semcor(files: Sequence[Path]) -> list[TextUnit]:
    return _numbered(plain_words(sentence.words) for file in files for sentence in read_semcor(file))


def _senses(files: Sequence[Path]) -> list[TextUnit]:
    half = len(files) // 2
    pairs = zip(files[:half], files[half:], strict=True)
    return _numbered(plain_words(s.words) for xml, gold in pairs for s in read_evaluation_set(xml, gold))


def _entities(files: Sequence[Path]) -> list[TextUnit]:
    return _numbered(plain_words(example.words) for file in files for example in read_entities(file))


def _sentiment(files: Sequence[Path]) -> list[TextUnit]:
    return _numbered(example.words for file in files for example in read_sentiment(file))


def _captions(files: Sequence[Path]) -> list[TextUnit]:
    """Read the premises of SNLI, each once; the hypotheses were written for the dataset."""
    return _numbered(dict.fromkeys(tuple(pair.premise) for file in files for pair in read_nli(file)))


def _pronouns(files: Sequence[Path]) -> list[TextUnit]:
    return [TextUnit(e.document.name, e.document.sentences) for file in files for e in read_gap(file)]


def _passages(files: Sequence[Path]) -> list[TextUnit]:
    """Read the passages of SQuAD. A passage is named by its first question."""
    questions = [question for file in files for question in read_squad(file)]
    first = {question.passage.text: question for question in reversed(questions)}
    return [TextUnit(q.id, [list(q.passage.words)]) for q in reversed(first.values())]


def _documents(files: Sequence[Path]) -> list[CorefDocument]:
    return [document for file in files for document in read_coreference(file)]


def _unit(document: CorefDocument) -> TextUnit:
    return TextUnit(document.name, [plain_words(words) for words in document.sentences])


def _litbank(held_out: bool) -> Callable[[Sequence[Path]], list[TextUnit]]:
    """Read LitBank; of every ten documents by name, the last two are held out for development and test."""

    def read(files: Sequence[Path]) -> list[TextUnit]:
        chosen = [file for number, file in enumerate(files) if (number % 10 in (8, 9)) == held_out]
        return [_unit(document) for document in _documents(chosen)]

    return read


def _ontogum(files: Sequence[Path]) -> list[TextUnit]:
    return [_unit(document) for document in _documents(files)]


_NEWS_SETS = ("senseval2", "semeval2007", "semeval2013")
_SENSE_SETS = ("senseval2", "senseval3", "semeval2007", "semeval2013", "semeval2015")
_EWT = ("ud-ewt.dev.*", "ud-ewt.test.*")


def _sense_files(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{name}.{suffix}" for suffix in ("data.xml*", "gold.key.txt*") for name in names)


OUT_OF_DOMAIN = (
    TextSource("word sense sets, news", "news", "sentence", "wsd", _sense_files(_NEWS_SETS), _senses),
    TextSource("EWT, reviews", "reviews", "sentence", "pos", _EWT, _ewt("reviews")),
    TextSource("SST, test", "reviews", "sentence", "sst", ("test.txt*",), _sentiment),
    TextSource("Broad Twitter, test", "tweets", "sentence", "ner", ("general.test-twitter.*",), _entities),
    TextSource("WNUT-17, test", "comments", "sentence", "ner", ("emerging.test.annotated*",), _entities),
    TextSource("EWT, weblogs", "weblogs", "sentence", "pos", _EWT, _ewt("weblog")),
    TextSource("EWT, newsgroups", "newsgroups", "sentence", "pos", _EWT, _ewt("newsgroup")),
    TextSource("EWT, email", "email", "sentence", "pos", _EWT, _ewt("email")),
    TextSource("EWT, answers", "questions and answers", "sentence", "pos", _EWT, _ewt("answers")),
    TextSource("SNLI, test", "captions", "sentence", "snli", ("snli_test.*",), _captions),
)
"""Kinds of text that our corpora do not contain, although single sentences may occur in them."""

EVALUATION_DATA = (
    TextSource("SQuAD, dev", "Wikipedia", "passage", "squad", ("dev*.json*",), _passages),
    TextSource("SQuAD, train", "Wikipedia", "passage", "squad", ("train*.json*",), _passages),
    TextSource("LitBank, dev and test", "novels", "document", "coref", ("*_brat.conll*",), _litbank(held_out=True)),
    TextSource("LitBank, train", "novels", "document", "coref", ("*_brat.conll*",), _litbank(held_out=False)),
    TextSource(
        "OntoGUM, dev and test", "13 genres", "document", "coref", ("ontogum.dev.*", "ontogum.test.*"), _ontogum
    ),
    TextSource("GAP", "Wikipedia", "passage", "coref", ("gap-*.tsv*",), _pronouns),
    TextSource("SNLI, dev and test", "captions", "sentence", "snli", ("snli_dev.*", "snli_test.*"), _captions),
    TextSource("SST, dev and test", "reviews", "sentence", "sst", ("dev.txt*", "test.txt*"), _sentiment),
    TextSource("EWT, dev and test", "web", "sentence", "pos", _EWT, _ewt("")),
    TextSource("WNUT-17, test", "comments", "sentence", "ner", ("emerging.test.annotated*",), _entities),
    TextSource("NER, Wikigold", "Wikipedia", "sentence", "ner", ("general.test-wiki.*",), _entities),
    TextSource("NER, Broad Twitter", "tweets", "sentence", "ner", ("general.test-twitter.*",), _entities),
    TextSource("SemCor", "Brown corpus", "sentence", "wsd", ("semcor*.jsonl*",), _semcor),
    TextSource("word sense sets", "news and others", "sentence", "wsd", _sense_files(_SENSE_SETS), _senses),
)
"""The data that models are evaluated on, and SQuAD's and LitBank's training data."""
