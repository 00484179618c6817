"""Made-up questions: each passage has a color, an animal and an amount among meaningless words."""

import json
from pathlib import Path

import numpy as np

COLORS = ("vermal", "ochir", "sablin", "lazuro")
ANIMALS = ("morrug", "tibbek", "fanoth", "quissel")
AMOUNTS = ("dwee skarps", "trell skarps", "pomma skarps")
FILLER = ("ne", "olu", "kasta", "birim", "don't", "sel-vo", "hapt", "(ir)", "zoë,", "“mup”")
QUESTIONS = {"Which colour is it?": COLORS, "What animal came?": ANIMALS, "How many skarps?": AMOUNTS}


def write(path: Path, count: int, seed: int) -> None:
    """Write ``count`` questions in the format of SQuAD 1.1, three per passage."""
    random = np.random.default_rng(seed)
    paragraphs = []
    for first in range(0, count, len(QUESTIONS)):
        answers = {question: str(random.choice(choices)) for question, choices in QUESTIONS.items()}
        pieces = [*answers.values(), *(str(word) for word in random.choice(FILLER, random.integers(2, 7)))]
        context = " ".join(pieces[place] for place in random.permutation(len(pieces))) + "."
        qas = []
        for number, (question, answer) in enumerate(answers.items(), first):
            start = context.index(answer)
            gold = {"text": answer, "answer_start": start}
            qas.append({"id": f"sample-{seed}-{number}", "question": question, "answers": [gold, gold]})
        paragraphs.append({"context": context, "qas": qas[: count - first]})
    articles = [{"title": "Skarps", "paragraphs": paragraphs[::2]}, {"title": "More", "paragraphs": paragraphs[1::2]}]
    path.write_text(json.dumps({"version": "1.1", "data": articles}, ensure_ascii=False), "utf-8")
