"""A biLM as an ONNX graph, which ``onnxruntime`` computes in many languages, without torch.

    from elmo.interop.onnx import write_onnx

    write_onnx(elmo.load().bilm, "small.onnx")

    ids      (B, T, C)        int32    character ids of the words, without boundaries; (B, T) if words are looked up
    lengths  (B,)             int32    number of words of each sentence
    layers   (L+1, B, T, 2P)  float32  all layers, zero at padding

The ids are those of ``TokenLayer.words_to_ids``; docs/onnx.md shows how to compute them without this library. They are
32-bit integers because JavaScript has no ordinary arrays of 64-bit ones. The graph adds the boundaries itself. Every
sentence starts from a zero state.

The graph is built node by node instead of being traced, because the recurrence has to stay a loop (``Scan``) over any
number of steps, and the ``LSTM`` operator of ONNX has neither a projection nor the clips of our cell.

Shapes: B sentences, T words, U distinct words, C character positions, d character dimensions, F filters, D cell, P
output. Tensors are time-major, because ``Scan`` reads them step by step.
"""

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from elmo import __version__
from elmo.files import replacing_file, writing
from elmo.model.bilm import BiLM
from elmo.model.lstm import FORGET_BIAS, LSTMLayer
from elmo.model.token_layers import CharacterEncoder, CharCNN, TokenLayer, WordAndCharCNN, WordTable
from elmo.text.markers import BEGIN_SENTENCE, END_SENTENCE

try:
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    raise ImportError("elmo.interop.onnx needs an extra package: pip install 'elmo-torch[onnx]'") from error

OPSET = 17
"""Version of the operators: old enough for the runtimes of recent years."""
IR_VERSION = 8
"""Version of the file format that belongs to this opset."""
MAX_BYTES = 2**31 - 2**20
"""Maximum size of an ONNX file, which is a protocol buffer, with some room for everything besides the weights."""

WAYS = ("forward", "backward")
"""The directions, as they are named in the graph."""

DESCRIPTION = """\
ELMo: all layers of a bidirectional language model for a batch of sentences. Inputs: ids, the ids of the words of each
sentence, without boundaries and padded with any valid id; lengths, the number of words of each sentence. Output: layers
(layer, sentence, word, dimension), zero at padding. The metadata contain the configuration of the model."""


def write_onnx(bilm: BiLM, path: str | Path) -> None:
    """Write a biLM as an ONNX file, which appears when it is complete.

    Args:
        bilm: The model, on any device.
        path: The file to write. An existing file is replaced.

    Raises:
        ValueError: If the model is too large for an ONNX file.
        OSError: If the file cannot be written.
    """
    model = onnx_model(bilm)
    with replacing_file(path) as temporary, writing(path):
        temporary.write_bytes(model.SerializeToString())


def onnx_model(bilm: BiLM) -> onnx.ModelProto:
    """Convert a biLM to an ONNX model.

    Raises:
        ValueError: If the model is too large for an ONNX file.
    """
    files = bilm.token_layer.files()
    size = sum(weight.numel() * 4 for weight in bilm.parameters()) + sum(map(len, files.values()))
    if size > MAX_BYTES:
        raise ValueError(f"the model has {size / 2**30:.1f} GiB, but an ONNX file can have 2 GiB at most")
    graph = Graph()
    boundaries = bilm.token_layer.words_to_ids(
        [BEGIN_SENTENCE, END_SENTENCE], bilm.token_layer.config, bilm.token_layer.vocabulary
    )  # (2, C), or (2,) if words are looked up
    columns = list(boundaries.shape[1:])
    _build(graph, bilm, boundaries)
    proto = helper.make_graph(
        graph.nodes,
        "elmo",
        [
            helper.make_tensor_value_info("ids", TensorProto.INT32, ["sentences", "words", *columns]),
            helper.make_tensor_value_info("lengths", TensorProto.INT32, ["sentences"]),
        ],
        [
            helper.make_tensor_value_info(
                "layers",
                TensorProto.FLOAT,
                [bilm.config.n_representations, "sentences", "words", bilm.config.output_dim],
            )
        ],
        list(graph.weights.values()),
    )
    model = helper.make_model(
        proto,
        producer_name="elmo",
        producer_version=__version__,
        doc_string=DESCRIPTION.replace("\n", " "),
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    metadata = {"config.json": json.dumps(bilm.config.to_dict()), "fingerprint": bilm.fingerprint()}
    helper.set_model_props(model, metadata | {name: content.decode("utf-8") for name, content in files.items()})
    return model


class Graph:
    """The nodes and weights of a graph while it is built. Values are known by their names.

    Args:
        prefix: Precedes the names of all nodes.
        around: The graph around this one, which owns all weights and constants.
    """

    def __init__(self, prefix: str = "", around: "Graph | None" = None) -> None:
        self.prefix = prefix
        self.nodes: list[onnx.NodeProto] = []
        self.weights: dict[str, onnx.TensorProto] = {} if around is None else around.weights

    def __call__(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Add a node with one output, and return its name."""
        return self.several(operator, inputs, [name or f"{operator}_{len(self.nodes)}"], **attributes)[0]

    def several(self, operator: str, inputs: Sequence[str], names: Sequence[str], **attributes: Any) -> list[str]:
        """Add a node with several outputs, and return their names."""
        outputs = [self.prefix + name for name in names]
        self.nodes.append(helper.make_node(operator, list(inputs), outputs, outputs[0], **attributes))
        return outputs

    def weight(self, name: str, value: Tensor | NDArray[Any]) -> str:
        """Add a weight."""
        array = value.detach().float().cpu().numpy() if isinstance(value, Tensor) else value
        name = self.prefix + name
        self.weights[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def constant(self, value: float | list[int], dtype: Any = np.int64) -> str:
        """A constant number or vector. Equal ones are stored once."""
        name = f"{np.dtype(dtype).name} {value}"
        self.weights[name] = numpy_helper.from_array(np.array(value, dtype), name)
        return name

    def linear(self, x: str, layer: nn.Linear, name: str) -> str:
        """A linear layer, (U, n) -> (U, m)."""
        weight, bias = self.weight(f"{name}/weight", layer.weight), self.weight(f"{name}/bias", layer.bias)
        return self("Gemm", x, weight, bias, transB=1, name=name)

    def clip(self, x: str, limit: float | None) -> str:
        """Clip to plus or minus ``limit``, if there is one."""
        if limit is None:
            return x
        return self("Clip", x, self.constant(-limit, np.float32), self.constant(limit, np.float32))

    def without_first(self, x: str, axis: int) -> str:
        """Everything but the first entry of an axis."""
        return self("Slice", x, self.constant([1]), self.constant([np.iinfo(np.int32).max]), self.constant([axis]))


def _build(graph: Graph, bilm: BiLM, boundaries: NDArray[np.int64]) -> None:
    """Add everything between the inputs ``ids`` and ``lengths`` and the output ``layers``."""
    config = bilm.config.lstm
    shape = graph("Shape", "ids")
    sentences, words = (graph("Gather", shape, graph.constant([axis])) for axis in (0, 1))  # (1,) each
    lengths = graph("Cast", "lengths", to=TensorProto.INT64)  # (B,)

    # All words, time-major, and the boundaries behind them. The token layer computes each distinct word once.
    columns = boundaries.shape[1:]
    ids = graph("Transpose", graph("Cast", "ids", to=TensorProto.INT64), perm=[1, 0, *range(2, 2 + len(columns))])
    ids = graph("Reshape", ids, graph.constant([-1, *columns]))  # (T*B, C)
    ids = graph("Concat", ids, graph.weight("boundaries", boundaries), axis=0)  # (T*B + 2, C)
    distinct, _, numbers = graph.several("Unique", [ids], ["distinct_words", "first_places", "word_numbers"], axis=0)
    vectors = token_vectors(bilm.token_layer, graph, distinct)  # (U, P)

    position = graph("Range", graph.constant(0), graph("Squeeze", words), graph.constant(1))
    position = graph("Unsqueeze", position, graph.constant([1]))  # (T, 1)
    mask = graph("Less", position, lengths)  # (T, B)
    streams = [
        graph("Gather", vectors, graph("Gather", numbers, places), name=f"{way}/words")  # (T+1, B, P)
        for way, places in zip(WAYS, _reading_orders(graph, position, mask, lengths, sentences, words), strict=True)
    ]
    initial = [
        graph("Expand", graph.constant(0.0, np.float32), graph("Concat", sentences, graph.constant([width]), axis=0))
        for width in (config.output_dim, config.dim)
    ]  # (B, P) and (B, D)

    no_context = graph.without_first(streams[0], axis=0)  # (T, B, P)
    layers = [graph("Concat", no_context, no_context, axis=2, name="layer0")]
    for number, layer in enumerate(bilm.lstm.layers, 1):
        for direction, way in enumerate(WAYS):
            output = _lstm_layer(graph, layer, direction, streams[direction], initial, f"layer{number}/{way}/")
            if config.residual and number > 1:
                output = graph("Add", output, streams[direction])
            streams[direction] = output  # (T+1, B, P)
        forward, backward = (graph.without_first(stream, axis=0) for stream in streams)  # (T, B, P)
        backward = graph("ReverseSequence", backward, lengths)  # back into the order of the text
        layers.append(graph("Concat", forward, backward, axis=2, name=f"layer{number}"))

    stacked = graph("Concat", *(graph("Unsqueeze", layer, graph.constant([0])) for layer in layers), axis=0)
    mask = graph("Unsqueeze", mask, graph.constant([2]))  # (T, B, 1)
    stacked = graph("Where", mask, stacked, graph.constant(0.0, np.float32))  # (L+1, T, B, 2P)
    graph("Transpose", stacked, perm=[0, 2, 1, 3], name="layers")


def _reading_orders(
    graph: Graph, position: str, mask: str, lengths: str, sentences: str, words: str
) -> tuple[str, str]:
    """Add what each direction reads: its boundary and then the words in its order, as places in all words, (T+1, B).

    The other boundary need not be read, because nothing that is returned depends on it. Neither does anything depend
    on what is read after the end of a sentence, so that may be any word.
    """
    sentence = graph("Range", graph.constant(0), graph("Squeeze", sentences), graph.constant(1))  # (B,)
    one_step = graph("Concat", graph.constant([1]), sentences, axis=0)
    end = graph("Mul", words, sentences)  # (1,), where the boundaries are
    from_end = graph("Sub", graph("Sub", lengths, graph.constant(1)), position)  # (T, B)
    from_end = graph("Where", mask, from_end, graph.constant(0))

    def places(order: str, boundary: int) -> str:
        first = graph("Expand", graph("Add", end, graph.constant([boundary])), one_step)  # (1, B)
        return graph("Concat", first, graph("Add", graph("Mul", order, sentences), sentence), axis=0)

    return places(position, 0), places(from_end, 1)


@functools.singledispatch
def token_vectors(layer: TokenLayer, graph: Graph, ids: str) -> str:
    """Add a token layer: ids (U, C) or (U,) to vectors (U, P)."""
    raise ValueError(f"models with the token layer {type(layer).__name__} cannot be exported")


@token_vectors.register
def _(layer: CharCNN, graph: Graph, ids: str) -> str:
    return _character_vectors(layer, graph, ids)


@token_vectors.register
def _(layer: WordTable, graph: Graph, ids: str) -> str:
    return graph("Gather", graph.weight("token_layer/words", layer.embedding.weight), ids)


@token_vectors.register
def _(layer: WordAndCharCNN, graph: Graph, ids: str) -> str:
    joined = _character_vectors(layer.characters, graph, graph.without_first(ids, axis=1))  # (U, F)
    if layer.words is not None:
        word = graph("Gather", ids, graph.constant(0), axis=1)  # (U,)
        word = graph("Gather", graph.weight("token_layer/words", layer.words.weight), word)
        joined = graph("Concat", word, joined, axis=1)  # (U, W+F)
    return graph.linear(joined, layer.projection, "token_layer/joined")


def _character_vectors(cnn: CharacterEncoder, graph: Graph, ids: str) -> str:
    """Add a character CNN, (U, C) -> (U, P)."""
    # Columns that are padding in all words are cut; see ``CharacterEncoder.columns_for``.
    is_padding = graph("Equal", ids, graph.constant(cnn.padding_id))
    lengths = graph("Cast", graph("Not", is_padding), to=TensorProto.INT64)
    lengths = graph("ReduceSum", lengths, graph.constant([1]), keepdims=0)  # (U,)
    columns = graph("Add", graph("ReduceMax", lengths), graph.constant([cnn.widest]))  # (1,)
    ids = graph("Slice", ids, graph.constant([0]), columns, graph.constant([1]))

    embedded = graph("Gather", graph.weight("token_layer/characters", cnn.embedding.weight), ids)  # (U, C, d)
    embedded = graph("Transpose", embedded, perm=[0, 2, 1])
    maxima = []
    for number, convolution in enumerate(cnn.convolutions):
        name = f"token_layer/convolution{number}"
        assert convolution.bias is not None
        weight = graph.weight(f"{name}/weight", convolution.weight)
        bias = graph.weight(f"{name}/bias", convolution.bias)
        responses = graph("Conv", embedded, weight, bias, name=name)  # (U, n, positions)
        maxima.append(graph("ReduceMax", responses, axes=[2], keepdims=0))
    x = graph("Concat", *maxima, axis=1)  # (U, F)
    x = graph("Relu" if cnn.config.activation == "relu" else "Tanh", x)
    for number, highway in enumerate(cnn.highways):
        name = f"token_layer/highway{number}"
        gate = graph("Sigmoid", graph.linear(x, highway.gate, f"{name}/gate"))
        transformed = graph("Relu", graph.linear(x, highway.transform, f"{name}/transform"))
        # gate * transformed + (1 - gate) * x
        x = graph("Add", x, graph("Mul", gate, graph("Sub", transformed, x)), name=name)
    return x if cnn.projection is None else graph.linear(x, cnn.projection, "token_layer/projection")


def _lstm_layer(graph: Graph, layer: LSTMLayer, direction: int, x: str, initial: Sequence[str], prefix: str) -> str:
    """Add one direction of a layer, (T+1, B, P) -> (T+1, B, P), without the residual connection.

    Args:
        graph: The graph to add it to.
        layer: The layer.
        direction: 0 forward, 1 backward.
        x: The input, in reading order.
        initial: The initial h (B, P) and c (B, D).
        prefix: Precedes the names of everything that is added.
    """
    width, dim = layer.config.output_dim, layer.config.dim
    weight, bias = layer.weight[direction].detach().cpu(), layer.bias[direction].detach().cpu()
    # The gates i, j, f, o are reordered to i, f, o, j, so that one sigmoid serves three of them.
    weight, bias = (part.unflatten(-1, (4, dim))[..., [0, 2, 3, 1], :].flatten(-2) for part in (weight, bias))
    bias[dim : 2 * dim] += FORGET_BIAS

    step = Graph(prefix, around=graph)
    from_input = graph("MatMul", x, step.weight("input_weight", weight[:width]))  # (T+1, B, 4D): one large product
    from_input = graph("Add", from_input, step.weight("bias", bias))

    h, c, new = (f"{prefix}{name}" for name in ("h", "c", "from_input"))
    gates = step("Gemm", h, step.weight("state_weight", weight[width:]), new)  # (B, 4D)
    sigmoids, j = step.several("Split", [gates, step.constant([3 * dim, dim])], ["gates_ifo", "gate_j"], axis=1)
    i, f, o = step.several(
        "Split", [step("Sigmoid", sigmoids), step.constant([dim] * 3)], ["gate_i", "gate_f", "gate_o"], axis=1
    )
    next_c = step("Add", step("Mul", f, c), step("Mul", i, step("Tanh", j)))
    next_c = step.clip(next_c, layer.config.cell_clip)
    next_h = step("Mul", o, step("Tanh", next_c))
    if layer.projection is not None:
        next_h = step("MatMul", next_h, step.weight("projection", layer.projection[direction]))
        next_h = step.clip(next_h, layer.config.projection_clip)
    output = step("Identity", next_h)  # the same value as state and as output needs two names

    def values(names: Sequence[str], widths: Sequence[int]) -> list[onnx.ValueInfoProto]:
        pairs = zip(names, widths, strict=True)
        return [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["sentences", size]) for name, size in pairs]

    inputs, outputs = values([h, c, new], [width, dim, 4 * dim]), values([next_h, next_c, output], [width, dim, width])
    body = helper.make_graph(step.nodes, f"{prefix}step", inputs, outputs)
    results = [f"{prefix}{name}" for name in ("last_h", "last_c", "outputs")]
    return graph.several("Scan", [*initial, from_input], results, body=body, num_scan_inputs=1)[-1]
