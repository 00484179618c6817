"""The loops of ``loops`` and ``training_loops`` as machine code for the processor at hand, as functions of tensors.

``loops.ll`` contains the loops in LLVM IR. LLVM, which comes with llvmlite, compiles a loop when it is first called,
in a tenth of a second. Neither a compiler nor a place to write to is needed.

Nothing here starts threads or holds the interpreter's lock, so that each direction can run in its own thread. Tensors
must be contiguous.

Shapes: R rows, P output, D cell, U words, C characters, F filters.
"""

import ctypes
import functools
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

APART = 272
"""As in ``loops``, whose hash tells whether it was translated."""
INPUTS = 64
"""Positions whose inputs ``read_layer`` multiplies at a time."""
BLOCK = 2**19
"""Bytes of a matrix that all inputs are multiplied with before the next; they stay in the L2 cache."""

_NAMES = {torch.float32: "float32", torch.bfloat16: "bf16", torch.int8: "int8"}
_PRECISIONS = {
    (torch.float32, torch.float32): "float32",
    (torch.bfloat16, torch.bfloat16): "bf16",
    (torch.float32, torch.bfloat16): "int8",
}
"""The precision of an engine, by the types of its products with states and with inputs."""


def update_cells(
    products: Tensor, scales: Tensor, inputs: Tensor, index: Tensor, cells: Tensor, hidden: Tensor, clip: float
) -> None:
    """Compute the cell from its gates, ``scales * products + inputs[index]``.

    Args:
        products: State times matrix, (R, 4D), of the type of the inputs, or float32 (in int8).
        scales: Scale of each row, (R,).
        inputs: Input times matrix, and the bias, (u, 4D), float32 or bfloat16.
        index: Which inputs belong to each row, (R,).
        cells: The cells, (R, D), updated in place.
        hidden: Half the output before the projection, (R, D), of the type of the inputs, overwritten.
        clip: Bound of the cells.
    """
    assert inputs.dtype == hidden.dtype
    name = _PRECISIONS[products.dtype, inputs.dtype]
    _loop(f"update_cells_{name}")(products, scales, inputs, index, cells, hidden, *cells.shape, clip)


def finish_step(products: Tensor, out: Tensor, h: Tensor, clip: float) -> None:
    """Clip the projected output, float32 or bfloat16, and write it to the layer's output and the state: all (R, P)."""
    _loop(f"finish_step_{_NAMES[products.dtype]}")(products, out, h, products.numel(), clip)


def quantize_rows(x: Tensor, integers: Tensor, scales: Tensor) -> None:
    """Quantize rows as ``packed_matrix`` does: (R, P) float32 to bytes around 128 (R, P) and a scale per row (R,)."""
    _loop("quantize_rows")(x, integers, scales, *x.shape)


def multiply(x: Tensor, weight: Tensor, out: Tensor, columns: int) -> None:
    """Add x (R, K) times ``weight`` (K, N), float32, bfloat16 or int8, to ``out`` (4m, N or more); see ``loops``."""
    loop = _loop(f"multiply_{_NAMES[weight.dtype]}")
    loop(x, *x.shape, weight, weight.shape[1], out, out.shape[1], columns)


def read_layer(
    x: Tensor,
    starts: Tensor,
    from_input: Tensor,
    bias: Tensor,
    from_state: Tensor,
    scales: Tensor,
    projection: Tensor,
    integers: tuple[Tensor, ...] | None,
    h: Tensor,
    c: Tensor,
    out: Tensor,
    cell_clip: float,
    clip: float,
    spread: bool,
) -> None:
    """Compute one layer in one direction for a few rows.

    Args:
        x: The inputs in the order of reading, (N, P).
        starts: First position of each step, and N at the end.
        from_input: Matrix from the input to the gates, (P, 4D), float32 or bfloat16.
        bias: What to add to the gates, (4D,).
        from_state: Matrix from the state to the gates, (P, 4D), float32, bfloat16 or 8-bit integers.
        scales: Scales of the columns of this matrix, (4D,).
        projection: Matrix from cell to output, (D, P), of the type of the other one.
        integers: The pairs and scales of ``from_state`` and of ``projection``, if both are ``grouped_integers``. They
            change the speed, never the result.
        h: The state, (B, P), updated in place.
        c: The cells, (B, D), updated in place.
        out: The outputs, (N, P), overwritten.
        cell_clip: Bound of the cells.
        clip: Bound of the output.
        spread: Whether the first step, of a single row, is that of all rows.
    """
    (positions, width), (batch, dim) = x.shape, c.shape
    fours = _multiple_of_four(batch)
    capacity = max(fours, min(INPUTS, _multiple_of_four(positions)))
    inputs, gates = x.new_empty(capacity, 4 * dim + APART), x.new_empty(fours, 4 * dim + APART)
    hidden, projected = x.new_empty(batch, dim), x.new_empty(fours, width)
    weights = from_input, bias, from_state, scales, projection, *(integers or (None,) * 4)
    columns = min(4 * dim, max(16, BLOCK // (width * from_input.element_size())))
    space = inputs, capacity, columns, gates, hidden, projected
    loop = _loop(f"read_layer_{'integers' if integers else _NAMES[from_state.dtype]}")
    loop(x, starts, len(starts) - 1, *weights, h, c, out, *space, batch, width, dim, cell_clip, clip, int(spread))


def filter_words(ids: Tensor, tables: Tensor, firsts: Tensor, lasts: Tensor, out: Tensor) -> None:
    """Convolve characters and take the maximum over positions: (U, C) -> (U, F), without bias.

    Args:
        ids: Character ids, (U, C).
        tables: What a character adds to each filter at each place of the window, (places, characters, F).
        firsts: For each place, the first filter that is wide enough to have it, (places,).
        lasts: The end of the filters that fit at each position, (positions,).
        out: Maxima, (U, F), overwritten.
    """
    sums = out.new_empty(out.shape[1])
    _loop("filter_words")(ids, tables, firsts, lasts, out, sums, *ids.shape, *tables.shape, len(lasts))


def cell_forward(
    sums: Tensor,
    keep: Tensor,
    before: Tensor,
    gates: Tensor,
    cells: Tensor,
    squashed: Tensor,
    hidden: Tensor,
    clip: float,
) -> None:
    """See ``packed_cpu.torch_loops.cell_forward``."""
    _loop("cell_forward")(sums, keep, before, gates, cells, squashed, hidden, *cells.shape, clip)


def cell_backward(
    gates: Tensor,
    keep: Tensor,
    before: Tensor,
    cells: Tensor,
    squashed: Tensor,
    d_hidden: Tensor,
    d_cell: Tensor,
    clip: float,
) -> None:
    """See ``packed_cpu.torch_loops.cell_backward``."""
    _loop("cell_backward")(gates, keep, before, cells, squashed, d_hidden, d_cell, *cells.shape, clip)


@functools.cache
def available() -> bool:
    """Whether llvmlite is installed, works on this processor, and understands the loops."""
    try:
        import llvmlite.binding as llvm

        _machine()
        llvm.parse_assembly(_modules()["read_layer_float32"])
    except (ImportError, OSError, RuntimeError):
        return False
    return True


def _multiple_of_four(number: int) -> int:
    return (number + 3) // 4 * 4


def _loop(name: str) -> Callable[..., None]:
    """A loop as a function of tensors and numbers."""
    if name not in _loops:
        with _lock:
            if name not in _loops:  # another thread may have been faster
                _loops[name] = _Loop(name)
    return _loops[name]


_loops: dict[str, "_Loop"] = {}
_lock = threading.Lock()


class _Loop:
    """A function in machine code."""

    def __init__(self, name: str) -> None:
        self.engine = _compiled(name)  # owns the machine code
        self.address = self.engine.get_function_address(name)
        self.function: Any = None

    def __call__(self, *arguments: Tensor | int | float | None) -> None:
        if self.function is None:
            self.function = ctypes.CFUNCTYPE(None, *map(_c_type, arguments))(self.address)
        self.function(*map(_c_value, arguments))


def _c_type(argument: Tensor | int | float | None) -> Any:
    if argument is None or isinstance(argument, Tensor):
        return ctypes.c_void_p
    return ctypes.c_int64 if isinstance(argument, int) else ctypes.c_float


def _c_value(argument: Tensor | int | float | None) -> int | float | None:
    if isinstance(argument, Tensor):
        assert argument.is_contiguous()
        return argument.data_ptr()
    return argument


def _compiled(name: str) -> Any:
    """Compile one loop to machine code."""
    import llvmlite.binding as llvm

    machine = _machine()
    module = llvm.parse_assembly(_modules()[name])
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = True
    options.loop_unrolling = options.loop_interleaving = False  # not faster, but more code to make
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine


@functools.cache
def _modules() -> dict[str, str]:
    """The module of each loop, in LLVM IR."""
    _, *parts = Path(__file__).with_name("loops.ll").read_text(encoding="utf-8").split("\n; loop: ")
    return dict(part.split("\n", 1) for part in parts)


def _machine() -> Any:
    """The processor at hand."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # On Windows, LLVM can load only the format of Linux.
    triple = llvm.get_process_triple() + ("-elf" if sys.platform == "win32" else "")
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(llvm.get_host_cpu_name(), features, opt=3, jit=True)
