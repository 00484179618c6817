"""Seeds and the order of sums, which decide whether a run can be repeated bit by bit."""

import pytest
import torch

from elmo.settings import MAX_SEED
from elmo.train.runtime import fast_products, fixed_order_of_sums, seed_step


def test_gradients_of_indexed_rows_are_added_in_a_fixed_order() -> None:
    """Without it, two threads add them in the order in which they happen to get there."""
    random = torch.Generator().manual_seed(0)
    index = torch.randint(20, (4096,), generator=random)
    weights = torch.randn(4096, 64, generator=random)
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        gradients = []
        with fixed_order_of_sums(torch.device("cpu")):
            for _ in range(20):
                table = torch.zeros(20, 64, requires_grad=True)
                (table[index] * weights).sum().backward()
                gradients.append(table.grad)
    finally:
        torch.set_num_threads(threads)
    assert all(torch.equal(gradients[0], gradient) for gradient in gradients)
    assert not torch.are_deterministic_algorithms_enabled()


@pytest.mark.parametrize(("device", "expected"), [("cpu", "medium"), ("cuda", "high")])
def test_factors_of_products_may_be_rounded_within_the_block_only(device: str, expected: str) -> None:
    before = torch.get_float32_matmul_precision()
    with fast_products(torch.device(device)):
        assert torch.get_float32_matmul_precision() == expected
    assert torch.get_float32_matmul_precision() == before


def test_seeds() -> None:
    seed_step(MAX_SEED, 10**9, 4095)
    with pytest.raises(ValueError, match="seed must be an integer from 0"):
        seed_step(MAX_SEED + 1, 0)
