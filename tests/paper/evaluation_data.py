"""A data folder with a few sentences of every dataset whose texts are measured."""

import json
from pathlib import Path

TWEET = "the king @home sees the old cat in the garden of the palace today ."
PASSAGE = "The old king saw a quick dog in the garden of his palace. He didn't like it, and sent for his guards."
DOCUMENT = "Once upon a time there was an old king who had a quick dog and a lazy cat in his palace ."


def conll(words: list[str], name: str) -> str:
    rows = "".join(f"{name}\t0\t{n}\t{word}\t_\t-\n" for n, word in enumerate(words))
    return f"#begin document ({name}); part 0\n{rows}\n#end document\n"


def columns(text: str) -> str:
    return "".join(f"{word}\tO\n" for word in text.split()) + "\n"


def write_evaluation_data(folder: Path) -> Path:
    """Write the folder, and return it."""

    def write(name: str, text: str) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    questions = [{"id": f"q{n}", "question": "Who?", "answers": [{"text": "king", "answer_start": 8}]} for n in (1, 2)]
    other = {"context": "The new king ruled a very small land that nobody had ever heard of.", "qas": []}
    other["qas"] = [{"id": "q3", "question": "Who?", "answers": [{"text": "king", "answer_start": 8}]}]
    squad = {"data": [{"title": "t", "paragraphs": [{"context": PASSAGE, "qas": questions}, other]}]}
    write("tasks/squad/dev-v1.1.json", json.dumps(squad))
    for number in range(10):
        write(f"tasks/coref/litbank/{number}_brat.conll", conll(DOCUMENT.split(), f"{number}_brat"))
    pair = {"gold_label": "neutral", "sentence1": "A dog sees a cat .", "sentence2": "A cat ."}
    write("tasks/snli/snli_test.jsonl", f"{json.dumps(pair)}\n" * 2)
    write("tasks/sst/test.txt", "(2 (2 the) (2 (2 is) (2 n't)))\n")
    write("tasks/ner/general.test-twitter.conll", columns(TWEET) * 2)
    rows = "".join(f"{n}\t{word}\t_\t_\tX\t_\t_\t_\t_\t_\n" for n, word in enumerate(["Good", "-LRB-", "food"], 1))
    write("tasks/pos/ud-ewt.dev.conllu", f"# sent_id = reviews-1\n{rows}\n# sent_id = email-1\n{rows}\n")
    write("tasks/pos/ud-ewt.test.conllu", f"# sent_id = reviews-2\n{rows}\n")
    write("corpus/en-heldout-dev.txt", "The cat sees a dog. The dog sees the old cat and the old king in the garden.\n")
    write("corpus/en-heldout-test.txt", "A dog sees the king.\n")
    write("corpus/ko-heldout.txt", "not measured\n")
    return folder
