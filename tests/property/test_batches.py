from hypothesis import given
from hypothesis import strategies as st

from elmo.model.batches import by_length


@given(st.lists(st.integers(2, 60), max_size=60), st.integers(1, 200))
def test_every_sentence_once_and_within_the_budget(lengths: list[int], budget: int) -> None:
    groups = list(by_length(lengths, budget))
    assert sorted(index for group in groups for index in group) == list(range(len(lengths)))
    for group in groups:
        longest = max(lengths[index] for index in group)
        assert len(group) == 1 or len(group) * longest <= budget
