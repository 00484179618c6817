import numpy as np
import pytest

from elmo.datasets.static_vectors import StaticVectors
from elmo.search.static_neighbors import StaticNeighbors

STATIC = StaticVectors(("tel", "brint", "dorn", "none"), np.array([[1, 0], [2, 0.2], [0, 1], [0, 0]], dtype=np.float32))


def test_static_neighbors() -> None:
    assert "Tel" in StaticNeighbors(STATIC)
    assert "lusk" not in StaticNeighbors(STATIC)
    found = StaticNeighbors(STATIC).nearest("Tel", 2)
    assert [word for word, _ in found] == ["brint", "dorn"]
    assert [s for _, s in found] == pytest.approx([1 / 1.01**0.5, 0])
    assert len(StaticNeighbors(STATIC).nearest("tel", 10)) == 3
    # Equal vectors: the word itself need not come first.
    twins = StaticVectors(("a", "b", "c"), np.array([[1, 1], [1, 1], [-1, 1]], dtype=np.float32))
    assert [word for word, _ in StaticNeighbors(twins).nearest("b", 1)] == ["a"]
    with pytest.raises(ValueError, match="'lusk' has no static vector"):
        StaticNeighbors(STATIC).nearest("lusk")
