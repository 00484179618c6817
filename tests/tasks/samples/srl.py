"""Clauses of a made-up language in which the first word of a phrase determines its role."""

import random
from pathlib import Path

ROLES = {"da": "ARG0", "zo": "ARG1", "pi": "ARGM-LOC"}
VERBS = ("tamek", "sirek", "bolek", "wunek")
NOUNS = ("kilo", "mira", "sona", "pelu", "rani")


def write(path: Path, count: int, seed: int) -> None:
    """Write ``count`` predicates in sentences of one or two clauses, whose phrases are the arguments of their verb."""
    choice = random.Random(seed)
    text = "#begin document (made/up); part 000\n"
    while count > 0:
        clauses = [clause(choice) for _ in range(min(count, choice.choice((1, 1, 2))))]
        count -= len(clauses)
        lines = []
        for number, own in enumerate(clauses):
            for word, role in own:
                roles = [role if column == number else "*" for column in range(len(clauses))]
                sense = (word, "01") if word in VERBS else ("-", "-")
                fields = ["made/up", "0", str(len(lines)), word, "X", "*", *sense, "-", "-", "*", *roles, "-"]
                lines.append("\t".join(fields) + "\n")
        text += "".join(lines) + "\n"
    path.write_text(text + "#end document\n", "utf-8")


def clause(choice: random.Random) -> list[tuple[str, str]]:
    """Return the words of a clause, each with its field in the column of the clause's verb."""
    phrases = [[("vu", "*")], [(choice.choice(VERBS), "(V*)")]]
    for article in choice.sample(sorted(ROLES), choice.randint(1, 3)):
        nouns = [(choice.choice(NOUNS), "*") for _ in range(choice.randint(0, 1))]
        last = (choice.choice(NOUNS), "*)")
        phrases.append([(article, f"({ROLES[article]}*"), *nouns, last])
    rest = phrases[1:]
    choice.shuffle(rest)
    return [word for phrase in (phrases[0], *rest) for word in phrase]
