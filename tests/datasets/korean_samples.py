"""A data folder with made-up sentences in the formats of four Korean datasets."""

import itertools
import json
import random
import tarfile
from pathlib import Path

TIMES = ["어제", "오늘", "아침에", "저녁에", "밤에", "먼저", "다시", "함께"]
HANDS = ["손을 씻었다", "손을 잡았다", "손을 들었다"]
HELP = ["손이 모자란다", "손이 부족하다", "손이 필요하다"]
ROW = "{}\t{}\t_\t{}\t_\t_\t_\t_\t_\t_\n"


def write_korean_data(folder: Path, examples: int, seed: int = 0) -> Path:
    """Write the folder, with this many examples per split, and return it."""
    home = folder / "tasks/korean"
    inside = folder / "inside"
    for place in (home, inside / "WiC", inside / "ud-kaist"):
        place.mkdir(parents=True)
    made = random.Random(seed)
    header = "ID\tTarget\tSENTENCE1\tDictionary 1\tLink 1\tSENTENCE2\tDictionary 2\tLink2\tANSWER\n"
    for split in ("train", "dev", "test"):
        rows = []
        for number in range(examples):
            senses = [made.choice([HANDS, HELP]) for _ in range(2)]
            texts = [f"나는 {made.choice(TIMES)} {made.choice(sense).replace('손', '[손]')}." for sense in senses]
            rows.append(f"{number}\t손\t{texts[0]}\t1\tx\t{texts[1]}\t1\tx\t{senses[0] is senses[1]}\n")
        (inside / f"WiC/{split}.tsv").write_text(header + "".join(rows), "utf-8")
        trees = []
        for number in range(examples):
            when, act = TIMES[(number + 1) % len(TIMES)] if number else "어제", HANDS[number % 3].split()
            words = [("나는", "PRON"), (when, "ADV"), (act[0], "NOUN"), (act[1], "VERB"), (".", "PUNCT")]
            trees.append("".join(ROW.format(n, word, tag) for n, (word, tag) in enumerate(words, 1)) + "\n")
        (inside / f"ud-kaist/ko_kaist.{split}.conllu").write_text("".join(trees), "utf-8")
    for archive, name in (("kobest-wic", "WiC"), ("ud-kaist", "ud-kaist")):
        with tarfile.open(home / f"{archive}.tar.xz", "w:xz") as tar:
            tar.add(inside / name, name)
    texts = [f"나는 {when} {act}." for when, act in itertools.product(TIMES, HANDS + HELP)]
    for split, some in (("train", texts[:-6]), ("dev", texts[-6:])):
        pairs = [
            {"premise": text, "hypothesis": other, "gold_label": label}
            for text, label in zip(some, itertools.cycle(["entailment", "neutral", "contradiction"]), strict=False)
            for other in (text, made.choice(texts))
        ]
        lines = "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
        (home / f"klue-nli.{split}.jsonl").write_text(lines, "utf-8")
    reviews = [
        f"{number}\t{made.choice(TIMES)} {'정말 좋다' if number % 2 else '아주 나쁘다'}..\t{number % 2}\n"
        for number in range(examples)
    ]
    part = "id\tdocument\tlabel\n" + "".join(reviews)
    (home / "nsmc-train.txt").write_text(part, "utf-8")
    (home / "nsmc-devtest.txt").write_text(part * 2, "utf-8")
    (folder / "corpus").mkdir()
    (folder / "corpus/ko-heldout.txt").write_text("\n".join(texts[:10]) + "\n", "utf-8")
    return folder
