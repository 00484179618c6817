"""Loops of the CPU engine that Numba compiles for the processor at hand; no compiler has to be installed.

Torch runs each of these as several operations, which read and write the values again and again. For a sentence alone,
starting the operations takes longer than their arithmetic. ``elmo.engines.cpu`` computes the same in torch, as the
readable twin and for systems without Numba.

read_layer       a layer for a few sentences, from its inputs to its outputs
update_cells     from the gates of one step to the new cells, for many sentences
finish_step      from the projected output of one step to the layer's output and the next step's input
quantize_rows    float32 to 8-bit integers
filter_words     the convolutions of the character CNN, by adding up rows of a table

Nothing here starts threads or holds the interpreter's lock, so that each direction can run in its own thread. bfloat16
numbers, which NumPy does not have, are passed as the 16-bit integers with the same bits. Indices that are not obviously
positive are converted to unsigned integers: Python's negative indices would keep the compiler from using vectors.

Compiled code is cached on disk by Numba, next to this file or in the user's cache folder.

Shapes: R rows, P output, D cell, U words, C characters, F filters.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import float32, njit, types, uint8, uint16, uint32, uintp
from numba.extending import intrinsic, overload

INPUTS = 64
"""Positions whose inputs ``read_layer`` multiplies at a time."""
APART = 272
"""Numbers between rows of sums. If rows were a power of two apart, as those of weights often are, the parts of them
that are added up at the same time would evict each other from the fastest cache."""

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function when it is first called, and cache it on disk if there is a place for it."""
    # contract: multiply and add in one instruction. Nothing else may be reordered, and NaN stays NaN.
    options: dict[str, Any] = {"nogil": True, "fastmath": {"contract"}, "error_model": "numpy"}
    try:
        return njit(cache=True, **options)(function)
    except RuntimeError:  # no folder is writable
        return njit(**options)(function)


def inlined(function: Function) -> Function:
    """Make a function part of its callers. A call inside a loop would keep the compiler from using vectors."""
    return njit(inline="always")(function)


@intrinsic
def _float_of_bits(typing_context: Any, bits: Any) -> Any:
    """The float32 with the given 32 bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(types.float32))

    return types.float32(types.uint32), generate


@intrinsic
def _bits_of_float(typing_context: Any, value: Any) -> Any:
    """The 32 bits of a float32."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(types.uint32))

    return types.uint32(types.float32), generate


@intrinsic
def _add_product(typing_context: Any, total: Any, a: Any, b: Any) -> Any:
    """``total + a * b``, in one instruction and rounded once if the processor has one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total, a, b = arguments
        kind = ir.FunctionType(total.type, [total.type] * 3)
        return builder.call(builder.module.declare_intrinsic("llvm.fmuladd", [total.type], kind), [a, b, total])

    return types.float32(types.float32, types.float32, types.float32), generate


@inlined
def _exp(x: Any) -> Any:
    """exp(x) to about one unit in the last place for |x| <= 28, exp(28) or exp(-28) beyond; NaN if x is NaN."""
    p, scale = _exp_parts(x)
    return (p + float32(1.0)) * scale


@inlined
def _exp_minus_one(x: Any) -> Any:
    """exp(x) - 1, with the bounds of ``_exp``, to a few units in the last place also where it is close to zero."""
    p, scale = _exp_parts(x)
    return p * scale + (scale - float32(1.0))


@inlined
def _exp_parts(x: Any) -> Any:
    """Return p and 2^n with exp(x) = (p + 1) 2^n."""
    x = float32(-28.0) if x < float32(-28.0) else x
    x = float32(28.0) if x > float32(28.0) else x
    # Method and constants are those of ``expf`` in the Cephes Mathematical Library (S. Moshier, netlib.org/cephes).
    # exp(x) = 2^n exp(r) with an integer n and |r| <= ln(2) / 2. Adding 1.5 * 2^23 rounds to an integer, which is then
    # in the lowest bits; with 127 more, it is the exponent of 2^n.
    shifted = x * float32(1.44269504) + float32(12582912.0 + 127)
    n = shifted - float32(12582912.0 + 127)
    r = (x - n * float32(0.693359375)) - n * float32(-2.12194440e-4)
    p = float32(1.9875691500e-4)
    p = p * r + float32(1.3981999507e-3)
    p = p * r + float32(8.3334519073e-3)
    p = p * r + float32(4.1665795894e-2)
    p = p * r + float32(1.6666665459e-1)
    p = p * r + float32(5.0000001201e-1)
    return p * (r * r) + r, _float_of_bits(uint32(_bits_of_float(shifted) << uint32(23)))


@inlined
def _clip(x: Any, limit: Any) -> Any:
    """Clip to plus or minus ``limit``; NaN stays NaN."""
    x = -limit if x < -limit else x
    return limit if x > limit else x


def _loaded(x: Any) -> Any:
    """A float32 from a float32 or from the bits of a bfloat16."""


@overload(_loaded, inline="always")
def _overload_loaded(x: Any) -> Any:
    if x == types.uint16:

        def convert(x: Any) -> Any:
            return _float_of_bits(uint32(x) << uint32(16))

        return convert

    if x == types.int8:

        def widen(x: Any) -> Any:
            return float32(x)

        return widen

    def keep(x: Any) -> Any:
        return x

    return keep


def _store(array: Any, place: Any, value: Any) -> None:
    """Write a float32 to an array of float32, or of the bits of bfloat16, rounded to nearest."""


@overload(_store, inline="always")
def _overload_store(array: Any, place: Any, value: Any) -> Any:
    if array.dtype == types.uint16:

        def shorten(array: Any, place: Any, value: Any) -> None:
            bits = _bits_of_float(value)
            array[place] = uint16((bits + uint32(0x7FFF) + ((bits >> uint32(16)) & uint32(1))) >> uint32(16))

        return shorten

    def keep(array: Any, place: Any, value: Any) -> None:
        array[place] = value

    return keep


@inlined
def _next_cell(i: Any, j: Any, f: Any, cell: Any, clip: Any) -> Any:
    """The new cell, sigmoid(f) * cell + sigmoid(i) * tanh(j / 2), clipped.

    With one division instead of three: sigmoid(x) = 1 / (1 + exp(-x)) and tanh(x / 2) = (1 - exp(-x)) / (1 + exp(-x)).
    No product overflows, because ``_exp`` has an upper bound; there, sigmoid and tanh are 0 or 1 up to 1e-12.
    """
    exp_i, exp_j, exp_f = _exp(-i), _exp(-j), _exp(-f)
    below = (float32(1.0) + exp_i) * (float32(1.0) + exp_j)
    forget = float32(1.0) + exp_f
    return _clip((cell * below + (float32(1.0) - exp_j) * forget) / (below * forget), clip)


@inlined
def _cell_output(o: Any, cell: Any) -> Any:
    """sigmoid(o) * tanh(cell)."""
    exp_o, exp_cell = _exp(-o), _exp(float32(-2.0) * cell)
    return (float32(1.0) - exp_cell) / ((float32(1.0) + exp_o) * (float32(1.0) + exp_cell))


@compiled
def update_cells(products: Any, scales: Any, inputs: Any, index: Any, cells: Any, hidden: Any, clip: Any) -> None:
    """Compute the cell from its gates, ``scales * products + inputs[index]``.

    Args:
        products: State times matrix, (R, 4D), float32.
        scales: Scale of each row, (R,).
        inputs: Input times matrix, and the bias, (u, 4D), float32 or bfloat16.
        index: Which inputs belong to each row, (R,).
        cells: The cells, (R, D), updated in place.
        hidden: Half the output before the projection, (R, D), float32 or bfloat16, overwritten.
        clip: Bound of the cells.
    """
    rows, dim = cells.shape
    for row in range(rows):
        product, given, scale = products[row], inputs[index[row]], scales[row]
        cell, out = cells[row], hidden[row]
        for d in range(uintp(dim)):
            i = product[d] * scale + _loaded(given[d])
            j = product[d + uintp(dim)] * scale + _loaded(given[d + uintp(dim)])
            f = product[d + uintp(2 * dim)] * scale + _loaded(given[d + uintp(2 * dim)])
            o = product[d + uintp(3 * dim)] * scale + _loaded(given[d + uintp(3 * dim)])
            new = _next_cell(i, j, f, cell[d], clip)
            cell[d] = new
            _store(out, d, float32(0.5) * _cell_output(o, new))


@compiled
def update_summed_cells(gates: Any, cells: Any, hidden: Any, clip: Any) -> None:
    """As ``update_cells``, from complete gates (R, 4D), float32 or bfloat16."""
    rows, dim = cells.shape
    for row in range(rows):
        gate, cell, out = gates[row], cells[row], hidden[row]
        for d in range(uintp(dim)):
            i, j = _loaded(gate[d]), _loaded(gate[d + uintp(dim)])
            f, o = _loaded(gate[d + uintp(2 * dim)]), _loaded(gate[d + uintp(3 * dim)])
            new = _next_cell(i, j, f, cell[d], clip)
            cell[d] = new
            _store(out, d, float32(0.5) * _cell_output(o, new))


@compiled
def finish_step(products: Any, out: Any, h: Any, clip: Any) -> None:
    """Clip the projected output, float32 or bfloat16, and write it to the layer's output and the state: all (R, P)."""
    rows, width = products.shape
    for row in range(rows):
        for column in range(width):
            value = _clip(_loaded(products[row, column]), clip)
            out[row, column] = value
            h[row, column] = value


@compiled
def quantize_rows(x: Any, integers: Any, scales: Any) -> None:
    """Quantize rows as ``packed_matrix`` does: (R, P) float32 to bytes around 128 (R, P) and a scale per row (R,)."""
    rows, width = x.shape
    for row in range(rows):
        values, largest = x[row], uint32(0)
        for column in range(width):
            magnitude = _bits_of_float(values[column]) & uint32(0x7FFFFFFF)  # as integers, floats have the same order
            largest = max(largest, magnitude)
        scale = max(_float_of_bits(largest), float32(1e-30)) / float32(127)
        scales[row] = scale
        bytes_of_row = integers[row]
        for column in range(width):
            bytes_of_row[column] = uint8(np.int32(values[column] / scale + float32(128.5)))


@inlined
def _add_four(total: Any, a0: Any, w0: Any, a1: Any, w1: Any, a2: Any, w2: Any, a3: Any, w3: Any) -> Any:
    total = _add_product(_add_product(total, a0, w0), a1, w1)
    return _add_product(_add_product(total, a2, w2), a3, w3)


@compiled
def _multiply_row(a: Any, weight: Any, out: Any, first: Any, last: Any) -> None:
    """Add columns ``first`` to ``last`` of a (K,) times ``weight`` (K, N) to those of ``out``.

    The weights are read once, in the order of memory, eight rows at a time: reading them is what takes the time.
    Products are added one by one, in the order of rows, as in ``_multiply_four``: a sentence has the same vectors, to
    the last bit, alone and among others.
    """
    begin, end, size = uintp(first), uintp(last), a.shape[0]
    for k in range(0, size - 7, 8):
        a0, a1, a2, a3, a4, a5, a6, a7 = a[k], a[k + 1], a[k + 2], a[k + 3], a[k + 4], a[k + 5], a[k + 6], a[k + 7]
        for j in range(begin, end):
            total = _add_product(out[j], a0, _loaded(weight[k, j]))
            total = _add_product(total, a1, _loaded(weight[k + 1, j]))
            total = _add_product(total, a2, _loaded(weight[k + 2, j]))
            total = _add_product(total, a3, _loaded(weight[k + 3, j]))
            total = _add_product(total, a4, _loaded(weight[k + 4, j]))
            total = _add_product(total, a5, _loaded(weight[k + 5, j]))
            total = _add_product(total, a6, _loaded(weight[k + 6, j]))
            out[j] = _add_product(total, a7, _loaded(weight[k + 7, j]))
    for k in range(size // 8 * 8, size):
        ak = a[k]
        for j in range(begin, end):
            out[j] = _add_product(out[j], ak, _loaded(weight[k, j]))


@compiled
def _multiply_four(a: Any, b: Any, c: Any, d: Any, weight: Any, out: Any, row: Any, first: Any, last: Any) -> None:
    """As ``_multiply_row``, for four rows at once: a, b, c, d (K,) into four rows of ``out`` (R, N) from ``row``."""
    begin, end, size = uintp(first), uintp(last), a.shape[0]
    out_a, out_b, out_c, out_d = out[row], out[row + 1], out[row + 2], out[row + 3]
    for k in range(0, size - 3, 4):
        a0, a1, a2, a3 = a[k], a[k + 1], a[k + 2], a[k + 3]
        b0, b1, b2, b3 = b[k], b[k + 1], b[k + 2], b[k + 3]
        c0, c1, c2, c3 = c[k], c[k + 1], c[k + 2], c[k + 3]
        d0, d1, d2, d3 = d[k], d[k + 1], d[k + 2], d[k + 3]
        for j in range(begin, end):
            w0, w1 = _loaded(weight[k, j]), _loaded(weight[k + 1, j])
            w2, w3 = _loaded(weight[k + 2, j]), _loaded(weight[k + 3, j])
            out_a[j] = _add_four(out_a[j], a0, w0, a1, w1, a2, w2, a3, w3)
            out_b[j] = _add_four(out_b[j], b0, w0, b1, w1, b2, w2, b3, w3)
            out_c[j] = _add_four(out_c[j], c0, w0, c1, w1, c2, w2, c3, w3)
            out_d[j] = _add_four(out_d[j], d0, w0, d1, w1, d2, w2, d3, w3)
    for k in range(size // 4 * 4, size):
        ak, bk, ck, dk = a[k], b[k], c[k], d[k]
        for j in range(begin, end):
            w = _loaded(weight[k, j])
            out_a[j] = _add_product(out_a[j], ak, w)
            out_b[j] = _add_product(out_b[j], bk, w)
            out_c[j] = _add_product(out_c[j], ck, w)
            out_d[j] = _add_product(out_d[j], dk, w)


@compiled
def _multiply(x: Any, weight: Any, out: Any, rows: Any, columns: Any) -> None:
    """Add the first rows of x (R, K) times ``weight`` (K, N) to ``out``, in blocks of columns.

    ``out`` has N columns or more. Its number of rows is a multiple of four: two or three rows are computed as four,
    which is faster than one by one, and something is added to the others.
    """
    for first in range(0, weight.shape[1], columns):
        for row in range(0, rows, 4):
            left = rows - row
            if left == 1:
                _multiply_row(x[row], weight, out[row], first, first + columns)
            else:
                b, c, d = x[row + 1], x[row + min(2, left - 1)], x[row + min(3, left - 1)]
                _multiply_four(x[row], b, c, d, weight, out, row, first, first + columns)


@compiled
def _update_row(product: Any, scales: Any, given: Any, cell: Any, hidden: Any, clip: Any) -> None:
    """Compute the cell (D,) and its output (D,) from the gates ``product * scales + given``, (4D,)."""
    dim = uintp(len(cell))
    for d in range(dim):
        i = product[d] * scales[d] + given[d]
        j = product[d + dim] * scales[d + dim] + given[d + dim]
        f = product[d + uintp(2) * dim] * scales[d + uintp(2) * dim] + given[d + uintp(2) * dim]
        o = product[d + uintp(3) * dim] * scales[d + uintp(3) * dim] + given[d + uintp(3) * dim]
        new = _next_cell(i, float32(2.0) * j, f, cell[d], clip)
        cell[d] = new
        hidden[d] = _cell_output(o, new)


@compiled
def read_layer(
    x: Any,
    starts: Any,
    from_input: Any,
    bias: Any,
    from_state: Any,
    scales: Any,
    projection: Any,
    h: Any,
    c: Any,
    out: Any,
    cell_clip: Any,
    clip: Any,
    spread: Any,
) -> None:
    """Compute one layer in one direction for a few rows.

    Args:
        x: The inputs in the order of reading, (N, P).
        starts: First position of each step, and N at the end.
        from_input: Matrix from the input to the gates, (P, 4D), float32 or bfloat16.
        bias: What to add to the gates, (4D,).
        from_state: Matrix from the state to the gates, (P, 4D), float32, bfloat16 or 8-bit integers.
        scales: Scales of the columns of this matrix, (4D,).
        projection: Matrix from cell to output, (D, P), float32 or bfloat16.
        h: The state, (B, P), updated in place.
        c: The cells, (B, D), updated in place.
        out: The outputs, (N, P), overwritten.
        cell_clip: Bound of the cells.
        clip: Bound of the output.
        spread: Whether the first step, of a single row, is that of all rows.
    """
    batch, dim = c.shape
    positions, width = x.shape
    fours = (batch + 3) // 4 * 4
    inputs = np.empty((max(INPUTS, fours), 4 * dim + APART), np.float32)
    gates = np.empty((fours, 4 * dim + APART), np.float32)
    hidden = np.empty((batch, dim), np.float32)
    projected = np.empty((fours, width), np.float32)
    first = last = 0  # positions whose inputs have been multiplied
    for step in range(len(starts) - 1):
        start, stop = starts[step], starts[step + 1]
        rows = stop - start
        if stop > last:
            first, last = start, min(start + len(inputs), positions)
            for row in range(last - first):
                for j in range(4 * dim):
                    inputs[row, j] = bias[j]
            _multiply(x[first:last], from_input, inputs, last - first, dim)
        for row in range(rows):
            for j in range(4 * dim):
                gates[row, j] = float32(0.0)
        _multiply(h, from_state, gates, rows, dim)
        for row in range(rows):
            _update_row(gates[row], scales, inputs[start - first + row], c[row], hidden[row], cell_clip)
        for row in range(rows):
            for j in range(width):
                projected[row, j] = float32(0.0)
        _multiply(hidden, projection, projected, rows, width)
        for row in range(rows):
            for j in range(width):
                h[row, j] = out[start + row, j] = _clip(projected[row, j], clip)
        if spread and step == 0:
            for row in range(1, batch):
                for j in range(width):
                    h[row, j] = h[0, j]
                for d in range(dim):
                    c[row, d] = c[0, d]


@compiled
def filter_words(ids: Any, tables: Any, firsts: Any, lasts: Any, out: Any) -> None:
    """Convolve characters and take the maximum over positions: (U, C) -> (U, F), without bias.

    A filter's response is a sum over the characters in its window. What each character adds at each place of the window
    was computed beforehand, so that adding rows of a table replaces multiplying.

    Args:
        ids: Character ids, (U, C).
        tables: What a character adds to each filter at each place of the window, (places, characters, F).
        firsts: For each place, the first filter that is wide enough to have it, (places,).
        lasts: The end of the filters that fit at each position, (positions,): near the end of the longest words, wide
            filters no longer do.
        out: Maxima, (U, F), overwritten.
    """
    places, _, filters = tables.shape
    sums = np.empty(filters, np.float32)
    for word in range(len(ids)):
        maxima = out[word]
        for position in range(len(lasts)):
            last = uintp(lasts[position])
            row = tables[0, ids[word, position]]
            for f in range(last):
                sums[f] = row[f]
            for place in range(1, places):
                if position + place < ids.shape[1]:
                    row = tables[place, ids[word, position + place]]
                    for f in range(uintp(firsts[place]), last):
                        sums[f] += row[f]
            if position == 0:
                for f in range(uintp(filters)):
                    maxima[f] = sums[f]
            else:
                for f in range(last):
                    maxima[f] = sums[f] if maxima[f] < sums[f] else maxima[f]
