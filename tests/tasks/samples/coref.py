"""Made-up stories of two people in the columns of CoNLL-2012."""

from pathlib import Path

import numpy as np

PEOPLE = {"ho": ["Zan", "Bor", "Kel", "Dorun"], "sha": ["Mira", "Tova", "Sela", "Anil"]}
"""Names, by their pronoun."""
VERBS = ["saw", "met", "left", "called"]
THINGS = ["house", "boat", "garden"]
WHEN = [["on", "a", "cold", "day"], ["before", "noon", "again"], ["and", "nobody", "knew", "why", "so", "soon"]]


def write(path: Path, count: int, seed: int) -> None:
    """Write documents whose mentions are names, pronouns, and possessions, which are singletons."""
    random = np.random.default_rng(seed)
    lines = []
    for number in range(count):
        name = f"story_{number}"
        lines.append(f"#begin document ({name}); part 000")
        who = [(str(random.choice(names)), pronoun) for pronoun, names in PEOPLE.items()]
        said: set[int] = set()
        cluster = 2  # 0 and 1 are the people
        for _ in range(random.integers(3, 6)):
            subject = int(random.integers(2))
            words, marks = _mention(random, who, subject, said)
            words, marks = [*words, str(random.choice(VERBS))], [*marks, "-"]
            if random.random() < 0.3:
                words += [who[1 - subject][0], "'s", str(random.choice(THINGS))]
                marks += [f"({cluster}|({1 - subject})", "-", f"{cluster})"]
                said.add(1 - subject)
                cluster += 1
            else:
                others, other_marks = _mention(random, who, 1 - subject, said)
                words, marks = words + others, marks + other_marks
            words += [*WHEN[random.integers(len(WHEN))], "."]
            marks += ["-"] * (len(words) - len(marks))
            for place, (word, mark) in enumerate(zip(words, marks, strict=True)):
                lines.append(f"{name}   0   {place}   {word}   XX   *   -   -   -   -   *   {mark}")
            lines.append("")
        lines.append("#end document")
    path.write_text("".join(line + "\n" for line in lines), "utf-8")


def _mention(
    random: np.random.Generator, who: list[tuple[str, str]], number: int, said: set[int]
) -> tuple[list[str], list[str]]:
    """Mention a person by name (always the first time) or pronoun; return the words and the coreference column."""
    name, pronoun = who[number]
    if number in said and random.random() < 0.6:
        return [pronoun], [f"({number})"]
    said.add(number)
    if random.random() < 0.3:
        return ["old", name], [f"({number}", f"{number})"]
    return [name], [f"({number})"]
