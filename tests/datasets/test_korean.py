"""Reading Korean datasets, and splitting them into words beforehand."""

import json
from pathlib import Path

import pytest
from datasets.korean_samples import write_korean_data

from elmo.datasets.conllu import read_tagged
from elmo.datasets.folders import find_task_data
from elmo.datasets.korean import prepare_korean, prepared_tokenizer, prepared_words, read_pairs
from elmo.datasets.nli import read_nli
from elmo.datasets.nsmc import Review, read_reviews
from elmo.datasets.trees import read_sentiment
from elmo.datasets.wic import read_wic
from elmo.text.tokens import tokenizer

HEADER = "ID\tTarget\tSENTENCE1\tDictionary 1\tLink 1\tSENTENCE2\tDictionary 2\tLink2\tANSWER\n"


def wic(first: str, second: str, answer: str = "True", word: str = "배") -> str:
    return f"1\t{word}\t{first}\t1\tx\t{second}\t2\tx\t{answer}\n"


class TestReaders:
    def test_words_in_context(self, tmp_path: Path) -> None:
        path = tmp_path / "some.tsv"
        path.write_text(
            HEADER + wic("큰 [배]를 탔다.", "[배]가 [배]다.", "FALSE") + wic("배가 고프다.", "그 [배의] 맛")
        )
        first, second = read_wic(path)
        assert not first.same
        assert second.same
        places = [one.text[slice(*one.span)] for pair in (first, second) for one in pair.occurrences]
        assert places == ["배", "배", "배", "배의"]
        assert first.occurrences[1].text == "배가 배다."

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("ID\tTarget\n", "line 1: has no column SENTENCE1"),
            (HEADER + "1\t배\n", "line 2: expected 9 columns, found 2"),
            (HEADER + wic("[배]", "[배]", "maybe"), "line 2: 'maybe' is not an answer"),
            (HEADER + wic("[배]", "없다"), "line 2: the sentence does not have the word '배'"),
        ],
    )
    def test_malformed_words_in_context(self, tmp_path: Path, text: str, reason: str) -> None:
        (tmp_path / "bad.tsv").write_text(text)
        with pytest.raises(ValueError, match=rf"bad\.tsv, {reason}"):
            read_wic(tmp_path / "bad.tsv")

    def test_reviews(self, tmp_path: Path) -> None:
        (tmp_path / "some.txt").write_text("id\tdocument\tlabel\n1\t좋다.\t1\nid\tdocument\tlabel\n2\t\t0\n")
        assert read_reviews(tmp_path / "some.txt") == [[Review("좋다.", True)], [Review("", False)]]

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("1\t좋다.\t1\n", "line 1: expected 'id"),
            ("id\tdocument\tlabel\n1\t1\n", "line 2: expected 3 columns"),
            ("id\tdocument\tlabel\n1\t좋다.\t2\n", "line 2: '2' is not a label"),
        ],
    )
    def test_malformed_reviews(self, tmp_path: Path, text: str, reason: str) -> None:
        (tmp_path / "bad.txt").write_text(text)
        with pytest.raises(ValueError, match=rf"bad\.txt, {reason}"):
            read_reviews(tmp_path / "bad.txt")


class TestPrepared:
    @pytest.fixture(params=["korean", "words"])
    def prepared(self, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        if request.param == "korean":
            pytest.importorskip("mecab", reason="python-mecab-ko is not installed (extra: korean)")
        write_korean_data(tmp_path / "data", 30)
        prepare_korean(tmp_path / "data", tmp_path / "prepared", request.param, tmp_path / "extracted")
        return tmp_path / "prepared"

    def test_words_are_those_of_the_tokenizer(self, prepared: Path, tmp_path: Path) -> None:
        split = tokenizer(prepared_tokenizer(prepared)).words
        raw = read_wic(tmp_path / "extracted/korean/kobest-wic/WiC/train.tsv")
        for pair, expected in zip(read_pairs(prepared / "tasks/wic/train.jsonl"), raw, strict=True):
            assert pair.same == expected.same
            for one, text in zip(pair.occurrences, expected.occurrences, strict=True):
                assert one.words == split(text.text)
                target = "".join(one.words[slice(*one.span)])
                assert text.text[slice(*text.span)] in target
        heldout = (prepared / "corpus/ko-heldout.txt").read_text("utf-8").splitlines()
        assert heldout[0].split() == split("나는 어제 손을 씻었다.")
        assert len(heldout) == 10
        for data, read in (("snli/klue", read_nli), ("sst/nsmc", read_sentiment)):
            found = find_task_data(prepared, data, tmp_path / "x")
            assert all(read(Path(path)) for path in (*found.train, *found.dev, *found.test))
        [first, *_] = read_sentiment(prepared / "tasks/sst/nsmc/train.txt")
        assert first.label in (1, 3)
        assert "".join(first.words) in (tmp_path / "data/tasks/korean/nsmc-train.txt").read_text().replace(" ", "")
        sentence = read_tagged(prepared / "tasks/pos/train.conllu", "upos")[0]
        assert [word.replace(" ", "") for word in sentence.words] == ["나는", "어제", "손을", "씻었다", "."]
        assert {token for word in sentence.words for token in word.split(" ")} <= prepared_words(prepared)

    def test_premises_are_in_one_split_only(self, prepared: Path) -> None:
        premises = [
            {tuple(pair.premise) for pair in read_nli(prepared / f"tasks/snli/klue/{split}.jsonl")}
            for split in ("train", "dev")
        ]
        assert all(premises)
        assert premises[0].isdisjoint(premises[1])

    def test_nothing_is_done_twice(self, prepared: Path, tmp_path: Path) -> None:
        name = prepared_tokenizer(prepared)
        before = {path: path.stat().st_mtime_ns for path in prepared.rglob("*")}
        prepare_korean(tmp_path / "data", prepared, name, tmp_path / "extracted")
        assert {path: path.stat().st_mtime_ns for path in prepared.rglob("*")} == before
        with pytest.raises(ValueError, match="was made from other data or with another tokenizer"):
            prepare_korean(tmp_path / "data", prepared, "whitespace", tmp_path / "extracted")

    def test_missing_data(self, tmp_path: Path) -> None:
        write_korean_data(tmp_path / "data", 4)
        (tmp_path / "data/tasks/korean/klue-nli.dev.jsonl").unlink()
        with pytest.raises(ValueError, match=r"expected one file that matches klue-nli\*dev\*\.jsonl\*, found 0"):
            prepare_korean(tmp_path / "data", tmp_path / "prepared", "words", tmp_path / "extracted")
        assert not (tmp_path / "prepared").exists()

    def test_damaged_pairs(self, tmp_path: Path) -> None:
        (tmp_path / "bad.jsonl").write_text(json.dumps({"occurrences": [[["a"], [0, 1]]], "same": True}) + "\n")
        with pytest.raises(ValueError, match=r"bad\.jsonl, line 1: is not a pair of sentences"):
            read_pairs(tmp_path / "bad.jsonl")
