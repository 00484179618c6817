import numpy as np
import pytest

from elmo.search.vectors import principal_components


def test_components_keep_distances_and_signs() -> None:
    vectors = np.random.default_rng(6).normal(size=(20, 6)) * [5, 3, 2, 1, 1, 1]
    coordinates, explained = principal_components(vectors, 10)
    assert coordinates.shape == (20, 6)
    assert explained.sum() == pytest.approx(1)
    assert list(explained) == sorted(explained, reverse=True)
    apart = [np.linalg.norm(x[:, None] - x[None], axis=-1) for x in (vectors, coordinates)]
    assert np.allclose(*apart)
    again, _ = principal_components(vectors[::-1], 10)
    assert np.allclose(again[::-1], coordinates)


def test_few_directions() -> None:
    line = np.linspace(0, 1, 9)[:, None] * np.ones(4)
    assert principal_components(line, 10)[0].shape == (9, 1)
    assert principal_components(np.ones((9, 4)), 10)[0].shape == (9, 0)
