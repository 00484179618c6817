"""A corpus of made-up words, and of Korean ones."""

TEXT = """Mavo tel brint the dorn .
the dorn brint Mavo , tel
tel tel brint a lusk
the dorn brint Mavo , tel
Brint the lusk , a dorn of Mavo
손을 씻고 밥을 먹었다 .
그 사람은 손이 크다 .
brint"""
SENTENCES = [line.split() for line in TEXT.splitlines()]
