import subprocess
import sys

import torch
from torch import nn

import elmo
from elmo.config import CharCNNConfig, LSTMConfig
from elmo.weights.strict import without_data

CONFIG = elmo.BiLMConfig(CharCNNConfig(4, ((2, 6),), projection_dim=8), LSTMConfig(16, 8))


def test_shapes_alone() -> None:
    with without_data():
        empty = elmo.BiLM(CONFIG)
        initialised = nn.init.normal_(tensor=torch.empty(3))
    assert {parameter.device.type for parameter in empty.parameters()} == {"meta"}
    assert initialised.shape == (3,)
    full = elmo.BiLM(CONFIG)
    assert {parameter.device.type for parameter in full.parameters()} == {"cpu"}
    empty.load_state_dict(full.state_dict(), strict=True, assign=True)
    assert all(torch.equal(a, b) for a, b in zip(empty.parameters(), full.parameters(), strict=True))


def test_the_compiler_is_not_loaded() -> None:
    code = (
        "import sys; from torch import nn; from elmo.weights.strict import without_data\n"
        "with without_data(): nn.Embedding(3, 4)\n"
        "sys.exit('torch._dynamo' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
