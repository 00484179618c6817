"""The optimizer that makes updates orthogonal."""

import copy

import pytest
import torch
from torch import nn

from elmo.config import LSTMConfig
from elmo.model.lstm import LSTMLayer
from elmo.train.muon import Muon, orthogonalized


def module(projection: int | None = 6) -> nn.ModuleDict:
    torch.manual_seed(0)
    layer = LSTMLayer(LSTMConfig(dim=10, projection_dim=projection, n_layers=1))
    for parameter in layer.parameters():
        nn.init.normal_(parameter)
    return nn.ModuleDict({"lstm": layer, "table": nn.Embedding(5, 3)})


def muon_for(module: nn.Module) -> Muon:
    return Muon([{"params": list(module.parameters())}], module, 0.01)


def set_gradients(module: nn.Module, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    for parameter in module.parameters():
        parameter.grad = torch.randn(parameter.shape, generator=generator)


def test_singular_values_become_about_one() -> None:
    matrices = (
        torch.randn(3, 8, 20, generator=torch.Generator().manual_seed(1)) * torch.tensor([1e-3, 1, 50])[:, None, None]
    )
    values = torch.linalg.svdvals(orthogonalized(matrices))
    assert values.min() > 0.6
    assert values.max() < 1.3


@pytest.mark.skipif(not hasattr(torch.optim, "Muon"), reason="this version of torch has no Muon")
@pytest.mark.parametrize("projection", [6, 12, None])
def test_equals_the_optimizers_of_torch(projection: int | None) -> None:
    """The slow twin: each gate's matrix is a parameter of its own, trained with torch.optim.Muon."""
    trained = module(projection)
    ours = muon_for(trained)
    layer = trained["lstm"]
    width, dim = layer.config.output_dim, layer.config.dim

    def matrices(weight: torch.Tensor) -> list[torch.Tensor]:
        return [
            weight[direction, row : row + width, gate : gate + dim]
            for direction in range(2)
            for row in (0, width)
            for gate in range(0, 4 * dim, dim)
        ]

    twins = [nn.Parameter(matrix.detach().clone()) for matrix in matrices(layer.weight)]
    if layer.projection is not None:
        twins += [nn.Parameter(matrix.detach().clone()) for matrix in layer.projection]
    table = copy.deepcopy(trained["table"])
    bias = nn.Parameter(layer.bias.detach().clone())
    muon = torch.optim.Muon(twins, 0.01, weight_decay=0, adjust_lr_fn="match_rms_adamw")
    adam = torch.optim.Adam([table.weight, bias], 0.01)
    for step in range(4):
        set_gradients(trained, step)
        gradients = matrices(layer.weight.grad) + ([] if layer.projection is None else list(layer.projection.grad))
        for twin, gradient in zip(twins, gradients, strict=True):
            twin.grad = gradient.clone()
        table.weight.grad, bias.grad = trained["table"].weight.grad.clone(), layer.bias.grad.clone()
        ours.step()
        muon.step()
        adam.step()
    result = matrices(layer.weight) + ([] if layer.projection is None else list(layer.projection))
    for twin, matrix in zip(twins, result, strict=True):
        assert (twin - matrix).abs().max() < 2e-3  # torch computes the updates, of size 0.02, in bfloat16
    assert torch.equal(table.weight, trained["table"].weight)
    assert torch.equal(bias, layer.bias)


def test_the_state_can_be_stored() -> None:
    trained = module()
    optimizer = muon_for(trained)
    set_gradients(trained, 0)
    optimizer.step()
    other = copy.deepcopy(trained)
    resumed = muon_for(other)
    resumed.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    for one, two in ((trained, optimizer), (other, resumed)):
        set_gradients(one, 1)
        two.step()
    for one, two in zip(trained.parameters(), other.parameters(), strict=True):
        assert torch.equal(one, two)
