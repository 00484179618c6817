"""The hand-written path over packed rows against the readable one over padded sentences."""

import copy
import dataclasses

import numpy as np
import pytest
import torch

import elmo
from elmo.config import CharCNNConfig, LSTMConfig
from elmo.engines import packed_cpu
from elmo.engines.packed import PackedStack, Workspace, packed_layer, torch_kernels
from elmo.model.batches import collate
from elmo.model.language_model import LanguageModel, PackedBatch
from elmo.model.softmax import LogUniform, Softmax
from elmo.text.vocabulary import Vocabulary
from elmo.train.corpus.packing import packed_batches
from elmo.train.runtime import fixed_order_of_sums

TYPES = ["<S>", "</S>", "<UNK>", "the", "play", "was", "sold", "out", ".", "x" * 60]


def tiny_model(projection: int | None = 4, residual: bool = True, scale: float = 3.0) -> LanguageModel:
    """Weights so large that some clips bind."""
    torch.manual_seed(0)
    width = projection or 5
    cnn = CharCNNConfig(3, ((1, 4), (3, 6)), projection_dim=width, max_characters=12)
    config = elmo.BiLMConfig(cnn, LSTMConfig(5, projection, 2, 1.0, 0.5, residual))
    bilm = elmo.BiLM(config)
    with torch.no_grad():
        for parameter in bilm.lstm.parameters():
            parameter.copy_(torch.randn(parameter.shape) * scale / 2)
    return LanguageModel(bilm, Softmax(Vocabulary(TYPES), width)).double()


def corpus(seed: int = 0) -> tuple[np.ndarray, np.ndarray, list[list[int]]]:
    random = np.random.default_rng(seed)
    sentences = [random.integers(3, len(TYPES), n).tolist() for n in (3, 1, 7, 2, 0, 5, 6, 4)]
    offsets = np.cumsum([0, *map(len, sentences)])
    return np.array([word for sentence in sentences for word in sentence], dtype=np.int32), offsets, sentences


def as_tensors(model: LanguageModel, rows, dtype=torch.float64, device="cpu") -> PackedBatch:
    return PackedBatch(
        words=[model.bilm.token_layer.encode(TYPES).to(device)],
        positions=torch.from_numpy(rows.words).long().to(device),
        targets=torch.from_numpy(rows.targets).long().to(device),
        keep=torch.from_numpy(rows.keep).to(device, dtype),
        weights=torch.from_numpy(rows.valid).to(device, torch.float32 if dtype == torch.bfloat16 else dtype),
    )


@pytest.mark.parametrize("projection", [4, None], ids=["projected", "unprojected"])
@pytest.mark.parametrize("residual", [True, False], ids=["residual", "plain"])
def test_loss_and_gradients_are_those_of_the_twin(projection: int | None, residual: bool) -> None:
    model = tiny_model(projection, residual)
    ids, offsets, sentences = corpus()
    [rows, _] = next(packed_batches(ids, offsets, steps=8, rows=6, seed=0))
    assert rows.valid.sum() == sum(len(s) + 1 for s in sentences)
    lstm = PackedStack(model.bilm.lstm, 8, 6, torch.float64, torch.device("cpu"))
    loss = model(as_tensors(model, rows), None, lstm)
    loss.backward()
    ours = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    model.zero_grad()

    # The twin: whole sentences, padded, by autograd.
    batch = collate([[TYPES[i] for i in sentence] for sentence in sentences], model.bilm.token_layer.encode)
    output = model.bilm(batch)
    targets = torch.zeros(output.mask.shape, dtype=torch.long)
    for row, sentence in enumerate(sentences):
        targets[row, : len(sentence) + 2] = torch.tensor([0, *sentence, 1])
    forwards, backwards = output.layers[-1].chunk(2, -1)
    real = output.mask[:, 1:]
    twin = sum(
        torch.nn.functional.cross_entropy(model.softmax(hidden[real]), target[real], reduction="sum") / 2
        for hidden, target in ((forwards[:, :-1], targets[:, 1:]), (backwards[:, 1:], targets[:, :-1]))
    )
    twin.backward()
    torch.testing.assert_close(loss, twin)
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(ours[name], parameter.grad, msg=name)
    losses = model.negative_log_likelihood(batch, targets)
    torch.testing.assert_close(sum(direction.sum() for direction in losses) / 2, twin.detach())


@pytest.mark.parametrize("rows", [6, 1], ids=["rows", "one row"])
@pytest.mark.parametrize("projection", [4, None], ids=["projected", "unprojected"])
@pytest.mark.parametrize("clips", [True, False], ids=["clips", "no clips"])
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "torch"])
def test_the_cpu_has_the_outputs_and_gradients_of_the_twin(
    rows: int, projection: int | None, clips: bool, compiled: bool
) -> None:
    """With several input products, and twice, so that buffers are used again."""
    if compiled:
        pytest.importorskip("llvmlite", reason="llvmlite is not installed")
    layer = tiny_model(projection, scale=1.0).float().bilm.lstm.layers[1]
    if not clips:
        layer.config = dataclasses.replace(layer.config, cell_clip=None, projection_clip=None)
    steps, width = 600 // rows, layer.config.output_dim
    assert steps * rows > 2 * packed_cpu.POSITIONS_PER_PRODUCT
    space = packed_cpu.CPUWorkspace(layer.config, steps, rows, loops=None if compiled else packed_cpu.torch_loops)
    assert (space.loops is packed_cpu.torch_loops) == (not compiled)
    twin = copy.deepcopy(layer).double()
    twin_space = Workspace(twin, steps, rows, torch.float64, torch.device("cpu"))
    for seed in (1, 2):
        torch.manual_seed(seed)
        x, d_outputs = torch.randn(2, 2, steps, rows, width, dtype=torch.float64)
        keep = (torch.rand(steps, rows, dtype=torch.float64) > 0.2).double()
        keep[0] = 0
        results = []
        for compute, one, buffers, dtype in (
            (packed_layer, twin, twin_space, torch.float64),
            (packed_cpu.packed_layer, layer, space, torch.float32),
        ):
            one.zero_grad()
            inputs = x.detach().to(dtype, copy=True).requires_grad_()
            outputs = compute(one, inputs, keep.to(dtype), buffers)
            outputs.backward(d_outputs.to(dtype))
            results.append([outputs, inputs.grad, *(parameter.grad for parameter in one.parameters())])
        for ours, expected in zip(results[1], results[0], strict=True):
            torch.testing.assert_close(ours, expected.float(), atol=2e-5, rtol=2e-5)


@pytest.mark.parametrize("projection", [16, None], ids=["projected", "unprojected"])
@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "torch"])
def test_bfloat16_on_the_cpu_is_close_to_the_twin(projection: int | None, compiled: bool) -> None:
    """Relative to the norm: bfloat16 has eight bits, and errors add up over the steps."""
    if compiled:
        pytest.importorskip("llvmlite", reason="llvmlite is not installed")
    layer = tiny_model(projection, scale=0.3).float().bilm.lstm.layers[1]
    steps, rows, width = 20, 6, layer.config.output_dim
    loops = None if compiled else packed_cpu.torch_loops
    space = packed_cpu.CPUWorkspace(layer.config, steps, rows, torch.bfloat16, loops)
    twin = copy.deepcopy(layer).double()
    twin_space = Workspace(twin, steps, rows, torch.float64, torch.device("cpu"))
    torch.manual_seed(1)
    x, d_outputs = torch.randn(2, 2, steps, rows, width).bfloat16()
    keep = (torch.rand(steps, rows) > 0.2).double()
    keep[0] = 0
    results = []
    for compute, one, buffers, dtype in (
        (packed_layer, twin, twin_space, torch.float64),
        (packed_cpu.packed_layer, layer, space, torch.bfloat16),
    ):
        inputs = x.detach().to(dtype, copy=True).requires_grad_()
        outputs = compute(one, inputs, keep.to(dtype), buffers)
        assert outputs.dtype == dtype
        outputs.backward(d_outputs.to(dtype))
        results.append([outputs, inputs.grad, *(parameter.grad for parameter in one.parameters())])
    for ours, expected in zip(results[1], results[0], strict=True):
        assert (ours.double() - expected).norm() <= 0.02 * expected.norm()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_cpu_gives_the_same_bits_again(threads: int) -> None:
    """With dropout and a sampled softmax, at a size at which torch divides its work among threads."""
    torch.manual_seed(0)
    cnn = CharCNNConfig(8, ((1, 16), (3, 48)), projection_dim=32, max_characters=12)
    bilm = elmo.BiLM(elmo.BiLMConfig(cnn, LSTMConfig(256, 32, 2)))
    types = [*TYPES, *(f"word{number}" for number in range(3000))]
    model = LanguageModel(bilm, Softmax(Vocabulary(types), 32), dropout=0.2)
    sampler = LogUniform(len(types), 500)
    random = np.random.default_rng(0)
    ids, offsets = random.integers(3, len(types), 1200).astype(np.int32), np.arange(0, 1201, 12)
    [rows, _] = next(packed_batches(ids, offsets, steps=64, rows=16, seed=0))
    batch = as_tensors(model, rows, torch.float32)._replace(words=[bilm.token_layer.encode(types)])
    lstm = PackedStack(bilm.lstm, 64, 16, torch.float32, torch.device("cpu"))
    results, before = [], torch.get_num_threads()
    try:
        for count in (threads, threads, 3 - threads):
            torch.set_num_threads(count)
            torch.manual_seed(1)
            model.zero_grad()
            with fixed_order_of_sums(torch.device("cpu")):
                loss = model(batch, sampler.draw(torch.Generator().manual_seed(2)), lstm)
                loss.backward()
            results.append([loss, *(parameter.grad for parameter in model.parameters())])
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(first, second) for first, second, _ in zip(*results, strict=True))
    for first, _, other in zip(*results, strict=True):
        torch.testing.assert_close(other, first, atol=1e-3, rtol=1e-4)  # the loss is a sum over 1,300 positions


@pytest.mark.parametrize("projection", [4, None], ids=["projected", "unprojected"])
def test_the_gradients_of_the_twin_are_those_of_finite_differences(projection: int | None) -> None:
    layer = tiny_model(projection, scale=1.0).bilm.lstm.layers[0]
    steps, rows = 5, 2
    space = Workspace(layer, steps, rows, torch.float64, torch.device("cpu"))
    keep = torch.ones(steps, rows, dtype=torch.float64)
    keep[0], keep[3, 1] = 0, 0
    x = torch.randn(2, steps, rows, layer.config.output_dim, dtype=torch.float64, requires_grad=True)
    varied = [x, *layer.parameters()]
    values = [value.detach().clone() for value in varied]

    def loss() -> torch.Tensor:
        return packed_layer(layer, x, keep, space).sin().sum()

    loss().backward()
    for _ in range(5):
        direction = [torch.randn_like(value) for value in values]
        expected = sum(float((value.grad * change).sum()) for value, change in zip(varied, direction, strict=True))
        found = []
        for sign in (1, -1):
            with torch.no_grad():
                for value, middle, change in zip(varied, values, direction, strict=True):
                    value.copy_(middle + sign * 1e-6 * change)
                found.append(float(loss()))
        assert (found[0] - found[1]) / 2e-6 == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("samples", [40, 1], ids=["samples", "one sample"])
def test_the_pointwise_part_of_the_softmax_on_a_cpu_is_that_of_the_twin(samples: int) -> None:
    torch.manual_seed(0)
    words, targets = torch.randperm(50)[:samples], torch.randint(0, 50, (30,))
    targets[0] = words[0]
    logits, bias = 5 * torch.randn(30, samples), torch.randn(samples)
    target_logits, weights = torch.randn(30), torch.rand(30)
    results = []
    for pointwise in (torch_kernels.sampled_pointwise, packed_cpu.sampled_pointwise):
        losses, d_target = torch.empty(30), torch.empty(30)
        d_logits = pointwise(logits.clone(), bias, words, targets, target_logits, weights, losses, d_target)
        results.append((losses, d_target, d_logits))
    torch.testing.assert_close(results[1], results[0])
    assert results[0][2][0, 0] == 0


def test_clips_bind_in_this_test() -> None:
    model = tiny_model()
    ids, offsets, _ = corpus()
    [rows, _] = next(packed_batches(ids, offsets, steps=8, rows=6, seed=0))
    layer = model.bilm.lstm.layers[0]
    space = Workspace(layer, 8, 6, torch.float64, torch.device("cpu"))
    packed_layer(layer, torch.randn(2, 8, 6, 4, dtype=torch.float64), torch.from_numpy(rows.keep).double(), space)
    assert 0 < (space.cells.abs() == 1.0).float().mean() < 1
    assert 0 < (space.outputs.abs() == 0.5).float().mean() < 1


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["plain", "CPU"])
def test_a_workspace_holds_one_pass(dtype: torch.dtype) -> None:
    model = tiny_model().to(dtype)
    stack = PackedStack(model.bilm.lstm, 4, 3, dtype, torch.device("cpu"))
    x, keep = torch.randn(2, 4, 3, 4, dtype=dtype), torch.ones(4, 3, dtype=dtype)
    first, second = (next(stack(x, keep)).sum() for _ in range(2))
    with pytest.raises(RuntimeError, match="one pass"):
        first.backward()
    second.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="one pass"):
        second.backward()


@pytest.mark.gpu
@pytest.mark.parametrize(("dim", "width", "rows"), [(1024, 128, 64), (100, 24, 3)], ids=["small", "odd sizes"])
def test_triton_kernels_do_what_the_torch_ones_do(dim: int, width: int, rows: int) -> None:
    from elmo.engines import triton_kernels

    torch.manual_seed(0)
    cuda = {"device": "cuda"}
    for dtype in (torch.float32, torch.bfloat16):
        results = []
        for kernels in (torch_kernels, triton_kernels):
            torch.manual_seed(1)
            gates = torch.randn(2, 3, rows, 4 * dim, dtype=dtype, **cuda)[:, 1]
            bias, keep = torch.randn(2, 4 * dim, **cuda), (torch.rand(rows, **cuda) > 0.3).to(dtype)
            before, cells, d_cell = (torch.randn(2, rows, dim, **cuda) for _ in range(3))
            hidden = torch.zeros(2, rows, dim, dtype=dtype, **cuda)
            kernels.cell_forward(gates, bias, before, keep, cells, hidden, 1.0)
            raw, outputs, d_outputs, d_raw = (torch.randn(2, rows, width, dtype=dtype, **cuda) for _ in range(4))
            following, d_following = (torch.randn(2, rows, 2 * width, dtype=dtype, **cuda)[..., width:] for _ in "ab")
            kernels.output_forward(raw, outputs, following, keep, 0.5)
            kernels.output_backward(d_outputs, d_following, keep, outputs, d_raw, 0.5)
            d_hidden = torch.randn(2, rows, dim, dtype=dtype, **cuda)
            d_bias = torch.ones(2, kernels.row_groups(rows, dim), 4 * dim, **cuda)
            kernels.cell_backward(gates, bias, before, keep, d_hidden, d_cell, d_bias, 1.0)
            sums = (d_bias - 1).sum(1)
            results.append((cells, hidden, outputs, following, d_raw, gates, d_cell, sums))
        tolerance = 1e-5 if dtype == torch.float32 else 2e-2
        for theirs, ours in zip(*results, strict=True):
            torch.testing.assert_close(ours, theirs, atol=tolerance, rtol=tolerance)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=["float32", "bfloat16"])
def test_gpu_gives_the_losses_and_gradients_of_the_cpu(dtype: torch.dtype) -> None:
    """Three times with different rows, so that captured graphs are replayed on new data."""
    model = tiny_model(scale=1.0).float()
    ids, offsets, _ = corpus()
    batches = packed_batches(ids, offsets, steps=8, rows=6, seed=0)
    cpu = PackedStack(model.bilm.lstm, 8, 6, torch.float32, torch.device("cpu"))
    gpu = PackedStack(model.bilm.lstm, 8, 6, dtype, torch.device("cuda"))
    for _ in range(3):
        [rows, _] = next(batches)
        losses, gradients = [], []
        for device, lstm, kind in (("cpu", cpu, torch.float32), ("cuda", gpu, dtype)):
            model.to(device)
            model.zero_grad()
            loss = model(as_tensors(model, rows, kind, device), None, lstm)
            loss.backward()
            losses.append(loss.item())
            gradients.append({name: p.grad.cpu().clone() for name, p in model.named_parameters()})
        tolerance = 1e-4 if dtype == torch.float32 else 0.1  # a handful of numbers, each of 8 bits
        assert losses[1] == pytest.approx(losses[0], rel=tolerance)
        for name, expected in gradients[0].items():
            if dtype == torch.bfloat16 and name.startswith("bilm.token_layer"):
                continue  # rounding decides which of two nearly equal windows is the maximum
            error = (gradients[1][name] - expected).norm() / expected.norm().clamp_min(1e-6)
            assert error < tolerance, name
