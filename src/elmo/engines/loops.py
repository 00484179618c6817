"""Loops of the CPU engine. ``dev/translate_loops.py`` translates them to ``loops.ll``; nothing else imports them.

Torch runs each of these as several operations, which read and write the values again and again. For a sentence alone,
starting the operations takes longer than their arithmetic. The loops are written in Python, which Numba translates to
LLVM's language. The result is part of the package, and ``compiled`` turns it into code for the processor at hand. So
neither a compiler nor Numba has to be installed, and starting takes a fraction of a second. ``elmo.engines.cpu`` and
``packed_cpu`` compute the same in torch, as the readable twins and for systems where this does not work.

read_layer     a layer for a few sentences, from its inputs to its outputs
update_cells   from the gates of one step to the new cells, for many sentences
finish_step    from the projected output of one step to the layer's output and the next step's input
quantize_rows  float32 to 8-bit integers
filter_words   the convolutions of the character CNN, by adding up rows of a table
cell_forward   training: one step of the cells
cell_backward  training: its gradients

An argument is a number or the address of an array, whose rows follow each other without gaps. Arrays must not overlap.
bfloat16 numbers are the 16-bit integers with the same bits. ``LOOPS`` lists what is translated, with the types of the
arguments.

Shapes: R rows, P output, D cell, U words, C characters, F filters.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from llvmlite import ir
from numba import float32, int8, int32, int64, njit, types, uint8, uint16, uint32
from numba.extending import intrinsic, overload

APART = 272
"""Numbers between rows of sums. If rows were a power of two apart, as those of weights often are, the parts of them
that are added up at the same time would evict each other from the fastest cache."""
HALF = 32
"""Half of the columns that share a scale in ``grouped_integers``."""

Function = TypeVar("Function", bound=Callable[..., Any])


def translated(function: Function) -> Function:
    """Let Numba translate a function."""
    # contract: multiply and add in one instruction. Nothing else may be reordered, and NaN stays NaN.
    return njit(fastmath={"contract"}, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def inlined(function: Function) -> Function:
    """Make a function part of its callers. A call inside a loop would keep the compiler from using vectors."""
    return njit(inline="always")(function)


@intrinsic
def _at(typing_context: Any, array: Any, offset: Any) -> Any:
    """The address of an element."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return array(array, types.int64), generate


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


@translated
def update_cells(
    products: Any,
    scales: Any,
    inputs: Any,
    index: Any,
    cells: Any,
    hidden: Any,
    rows: Any,
    dim: Any,
    clip: Any,
) -> None:
    """Compute the cell from its gates, ``scales * products + inputs[index]``.

    Args:
        products: State times matrix, (R, 4D), float32 or bfloat16.
        scales: Scale of each row, (R,).
        inputs: Input times matrix, and the bias, (u, 4D), float32 or bfloat16.
        index: Which inputs belong to each row, (R,).
        cells: The cells, (R, D), updated in place.
        hidden: Half the output before the projection, (R, D), float32 or bfloat16, overwritten.
        rows: R.
        dim: D.
        clip: Bound of the cells.
    """
    for row in range(rows):
        product, given, scale = _at(products, row * 4 * dim), _at(inputs, index[row] * 4 * dim), scales[row]
        cell, out = _at(cells, row * dim), _at(hidden, row * dim)
        _update_scaled_row(product, scale, given, cell, out, dim, clip)


@translated
def _update_scaled_row(product: Any, scale: Any, given: Any, cell: Any, out: Any, dim: Any, clip: Any) -> None:
    """One row of ``update_cells``."""
    for d in range(dim):
        i = _loaded(product[d]) * scale + _loaded(given[d])
        j = _loaded(product[d + dim]) * scale + _loaded(given[d + dim])
        f = _loaded(product[d + 2 * dim]) * scale + _loaded(given[d + 2 * dim])
        o = _loaded(product[d + 3 * dim]) * scale + _loaded(given[d + 3 * dim])
        new = _next_cell(i, j, f, cell[d], clip)
        cell[d] = new
        _store(out, d, float32(0.5) * _cell_output(o, new))


@translated
def finish_step(products: Any, out: Any, h: Any, size: Any, clip: Any) -> None:
    """Clip the projected output, float32 or bfloat16, and write it to the layer's output and the state.

    Each of them has ``size`` numbers in all.
    """
    for j in range(size):
        value = _clip(_loaded(products[j]), clip)
        out[j] = value
        h[j] = value


@translated
def quantize_rows(x: Any, integers: Any, scales: Any, rows: Any, width: Any) -> None:
    """Quantize rows as ``packed_matrix`` does: (R, P) float32 to bytes around 128 (R, P) and a scale per row (R,)."""
    for row in range(rows):
        scales[row] = _quantize_row(_at(x, row * width), _at(integers, row * width), width)


@translated
def _quantize_row(values: Any, integers: Any, width: Any) -> Any:
    """Quantize one row, and return its scale."""
    largest = uint32(0)
    for column in range(width):
        magnitude = uint32(_bits_of_float(values[column]) & uint32(0x7FFFFFFF))  # ordered as the floats are
        largest = magnitude if magnitude > largest else largest
    bound = _float_of_bits(largest)
    scale = (bound if bound > float32(1e-30) else float32(1e-30)) / float32(127)
    for column in range(width):
        integers[column] = uint8(int32(values[column] / scale + float32(128.5)))
    return scale


@inlined
def _add_four(total: Any, a0: Any, w0: Any, a1: Any, w1: Any, a2: Any, w2: Any, a3: Any, w3: Any) -> Any:
    total = _add_product(_add_product(total, a0, w0), a1, w1)
    return _add_product(_add_product(total, a2, w2), a3, w3)


@translated
def _multiply_row(a: Any, size: Any, weight: Any, stride: Any, out: Any, columns: Any) -> None:
    """Add a (K,) times the first columns of ``weight`` (K, N) to ``out``.

    The weights are read once, in the order of memory, eight rows at a time: reading them is what takes the time.
    Products are added one by one, in the order of rows, as in ``_multiply_four``: a sentence has the same vectors, to
    the last bit, alone and among others.
    """
    for k in range(0, size - 7, 8):
        a0, a1, a2, a3, a4, a5, a6, a7 = a[k], a[k + 1], a[k + 2], a[k + 3], a[k + 4], a[k + 5], a[k + 6], a[k + 7]
        w = _at(weight, k * stride)
        for j in range(columns):
            w0, w1 = _loaded(w[j]), _loaded(w[j + stride])
            w2, w3 = _loaded(w[j + 2 * stride]), _loaded(w[j + 3 * stride])
            w4, w5 = _loaded(w[j + 4 * stride]), _loaded(w[j + 5 * stride])
            w6, w7 = _loaded(w[j + 6 * stride]), _loaded(w[j + 7 * stride])
            out[j] = _add_four(_add_four(out[j], a0, w0, a1, w1, a2, w2, a3, w3), a4, w4, a5, w5, a6, w6, a7, w7)
    for k in range(size // 8 * 8, size):
        ak, w = a[k], _at(weight, k * stride)
        for j in range(columns):
            out[j] = _add_product(out[j], ak, _loaded(w[j]))


@translated
def _multiply_four(
    a: Any,
    b: Any,
    c: Any,
    d: Any,
    size: Any,
    weight: Any,
    stride: Any,
    out_a: Any,
    out_b: Any,
    out_c: Any,
    out_d: Any,
    columns: Any,
) -> None:
    """As ``_multiply_row``, for four rows at once."""
    for k in range(0, size - 3, 4):
        a0, a1, a2, a3 = a[k], a[k + 1], a[k + 2], a[k + 3]
        b0, b1, b2, b3 = b[k], b[k + 1], b[k + 2], b[k + 3]
        c0, c1, c2, c3 = c[k], c[k + 1], c[k + 2], c[k + 3]
        d0, d1, d2, d3 = d[k], d[k + 1], d[k + 2], d[k + 3]
        w = _at(weight, k * stride)
        for j in range(columns):
            w0, w1 = _loaded(w[j]), _loaded(w[j + stride])
            w2, w3 = _loaded(w[j + 2 * stride]), _loaded(w[j + 3 * stride])
            out_a[j] = _add_four(out_a[j], a0, w0, a1, w1, a2, w2, a3, w3)
            out_b[j] = _add_four(out_b[j], b0, w0, b1, w1, b2, w2, b3, w3)
            out_c[j] = _add_four(out_c[j], c0, w0, c1, w1, c2, w2, c3, w3)
            out_d[j] = _add_four(out_d[j], d0, w0, d1, w1, d2, w2, d3, w3)
    for k in range(size // 4 * 4, size):
        ak, bk, ck, dk, w = a[k], b[k], c[k], d[k], _at(weight, k * stride)
        for j in range(columns):
            wk = _loaded(w[j])
            out_a[j] = _add_product(out_a[j], ak, wk)
            out_b[j] = _add_product(out_b[j], bk, wk)
            out_c[j] = _add_product(out_c[j], ck, wk)
            out_d[j] = _add_product(out_d[j], dk, wk)


@translated
def multiply(x: Any, rows: Any, size: Any, weight: Any, width: Any, out: Any, apart: Any, columns: Any) -> None:
    """Add x (R, K) times ``weight`` (K, N) to ``out``, in blocks of columns.

    Rows of ``out`` are ``apart`` numbers apart. Their number is a multiple of four: two or three rows are computed as
    four, which is faster than one by one, and something is added to the others.

    Args:
        x: (R, K).
        rows: R.
        size: K.
        weight: (K, N), float32, bfloat16 or 8-bit integers.
        width: N.
        out: (4m, apart).
        apart: At least N.
        columns: Columns in a block.
    """
    for block in range((width + columns - 1) // columns):
        first = block * columns
        wide = min(columns, width - first)
        for row in range(0, rows, 4):
            a, out_a, w = _at(x, row * size), _at(out, row * apart + first), _at(weight, first)
            left = rows - row
            if left == 1:
                _multiply_row(a, size, w, width, out_a, wide)
            else:
                b, c, d = _at(a, size), _at(a, min(2, left - 1) * size), _at(a, min(3, left - 1) * size)
                out_b, out_c, out_d = _at(out_a, apart), _at(out_a, 2 * apart), _at(out_a, 3 * apart)
                _multiply_four(a, b, c, d, size, w, width, out_a, out_b, out_c, out_d, wide)


@inlined
def _lower(pair: Any) -> Any:
    """The float32 from the bfloat16 in the lower half of 32 bits."""
    return _float_of_bits(uint32(pair << uint32(16)))


@inlined
def _upper(pair: Any) -> Any:
    """The float32 from the bfloat16 in the upper half of 32 bits."""
    return _float_of_bits(uint32(pair & uint32(0xFFFF0000)))


@translated
def _multiply_group(a: Any, size: Any, pairs: Any, scales: Any, out: Any) -> None:
    """Add a (K,) times a group of columns to ``out`` (64,), with the bits of ``_multiply_row``."""
    for k in range(0, size, 4):
        a0, a1, a2, a3 = a[k], a[k + 1], a[k + 2], a[k + 3]
        s0, s1, s2, s3 = scales[k], scales[k + 1], scales[k + 2], scales[k + 3]
        w = _at(pairs, k * HALF)
        for j in range(HALF):
            w0, w1, w2, w3 = w[j], w[j + HALF], w[j + 2 * HALF], w[j + 3 * HALF]
            l0, l1, l2, l3 = _lower(w0) * s0, _lower(w1) * s1, _lower(w2) * s2, _lower(w3) * s3
            u0, u1, u2, u3 = _upper(w0) * s0, _upper(w1) * s1, _upper(w2) * s2, _upper(w3) * s3
            out[j] = _add_four(out[j], a0, l0, a1, l1, a2, l2, a3, l3)
            out[j + HALF] = _add_four(out[j + HALF], a0, u0, a1, u1, a2, u2, a3, u3)


@translated
def _multiply_state(
    x: Any, rows: Any, size: Any, weight: Any, pairs: Any, scales: Any, width: Any, out: Any, apart: Any, columns: Any
) -> None:
    """As ``multiply``; a single row is multiplied by the integers of the matrix, if there are any.

    For more rows, weights are faster: arithmetic takes more of the time, and integers need more of it.
    """
    if pairs is None:
        multiply(x, rows, size, weight, width, out, apart, columns)
    elif rows == 1:
        for group in range(width // (2 * HALF)):
            place = group * size
            _multiply_group(x, size, _at(pairs, place * HALF), _at(scales, place), _at(out, group * 2 * HALF))
    else:
        multiply(x, rows, size, weight, width, out, apart, columns)


@translated
def _update_row(product: Any, scales: Any, given: Any, cell: Any, hidden: Any, dim: Any, clip: Any) -> None:
    """Compute the cell (D,) and its output (D,) from the gates ``product * scales + given``, (4D,)."""
    for d in range(dim):
        i = product[d] * scales[d] + given[d]
        j = product[d + dim] * scales[d + dim] + given[d + dim]
        f = product[d + 2 * dim] * scales[d + 2 * dim] + given[d + 2 * dim]
        o = product[d + 3 * dim] * scales[d + 3 * dim] + given[d + 3 * dim]
        new = _next_cell(i, float32(2.0) * j, f, cell[d], clip)
        cell[d] = new
        hidden[d] = _cell_output(o, new)


@translated
def _finish_row(projected: Any, h: Any, out: Any, width: Any, clip: Any) -> None:
    """Clip the projected output (P,)."""
    for j in range(width):
        value = _clip(projected[j], clip)
        h[j] = value
        out[j] = value


@translated
def _copy(source: Any, target: Any, size: Any) -> None:
    for j in range(size):
        target[j] = source[j]


@translated
def _clear(target: Any, size: Any) -> None:
    for j in range(size):
        target[j] = float32(0.0)


@translated
def read_layer(
    x: Any,
    starts: Any,
    steps: Any,
    from_input: Any,
    bias: Any,
    from_state: Any,
    scales: Any,
    projection: Any,
    state_pairs: Any,
    state_scales: Any,
    projection_pairs: Any,
    projection_scales: Any,
    h: Any,
    c: Any,
    out: Any,
    inputs: Any,
    capacity: Any,
    columns: Any,
    gates: Any,
    hidden: Any,
    projected: Any,
    batch: Any,
    width: Any,
    dim: Any,
    cell_clip: Any,
    clip: Any,
    spread: Any,
) -> None:
    """Compute one layer in one direction for a few rows.

    Args:
        x: The inputs in the order of reading, (N, P).
        starts: First position of each step, and N at the end.
        steps: Number of steps.
        from_input: Matrix from the input to the gates, (P, 4D), float32 or bfloat16.
        bias: What to add to the gates, (4D,).
        from_state: Matrix from the state to the gates, (P, 4D), float32, bfloat16 or 8-bit integers.
        scales: Scales of the columns of this matrix, (4D,).
        projection: Matrix from cell to output, (D, P), float32 or bfloat16.
        state_pairs: The same matrix as ``from_state``, of ``grouped_integers``, (4D/64, P, 32), or None.
        state_scales: Its scales, (4D/64, P), or None.
        projection_pairs: The same matrix as ``projection``, of ``grouped_integers``, (P/64, D, 32), or None.
        projection_scales: Its scales, (P/64, D), or None.
        h: The state, (B, P), updated in place.
        c: The cells, (B, D), updated in place.
        out: The outputs, (N, P), overwritten.
        inputs: Space for the products of inputs, (capacity, 4D + APART).
        capacity: Positions that are multiplied at a time, a multiple of four, at least B.
        columns: Columns of ``from_input`` that all rows are multiplied with before the next.
        gates: Space for the gates, (4m, 4D + APART), for B <= 4m.
        hidden: Space for the outputs before the projection, (B, D).
        projected: Space for the outputs, (4m, P).
        batch: B.
        width: P.
        dim: D.
        cell_clip: Bound of the cells.
        clip: Bound of the output.
        spread: Whether the first step, of a single row, is that of all rows: 1 or 0.
    """
    wide = 4 * dim
    apart = wide + APART
    first = last = int64(0)  # positions whose inputs have been multiplied
    for step in range(steps):
        start, stop = starts[step], starts[step + 1]
        rows = stop - start
        if stop > last:
            first, last = start, min(start + capacity, starts[steps])
            for row in range(last - first):
                _copy(bias, _at(inputs, row * apart), wide)
            multiply(_at(x, first * width), last - first, width, from_input, wide, inputs, apart, columns)
        for row in range(rows):
            _clear(_at(gates, row * apart), wide)
        block = wide if rows == 1 else dim
        _multiply_state(h, rows, width, from_state, state_pairs, state_scales, wide, gates, apart, block)
        for row in range(rows):
            given = _at(inputs, (start - first + row) * apart)
            cell, output = _at(c, row * dim), _at(hidden, row * dim)
            _update_row(_at(gates, row * apart), scales, given, cell, output, dim, cell_clip)
        _clear(projected, rows * width)
        _multiply_state(
            hidden, rows, dim, projection, projection_pairs, projection_scales, width, projected, width, width
        )
        _finish_row(projected, h, _at(out, start * width), rows * width, clip)
        if spread and step == 0:
            for row in range(1, batch):
                _copy(h, _at(h, row * width), width)
                _copy(c, _at(c, row * dim), dim)


@translated
def filter_words(
    ids: Any,
    tables: Any,
    firsts: Any,
    lasts: Any,
    out: Any,
    sums: Any,
    words: Any,
    length: Any,
    places: Any,
    characters: Any,
    filters: Any,
    positions: Any,
) -> None:
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
        sums: Space for sums, (F,).
        words: U.
        length: C.
        places: Number of places.
        characters: Number of characters.
        filters: F.
        positions: Number of positions.
    """
    for word in range(words):
        maxima, letters = _at(out, word * filters), _at(ids, word * length)
        for position in range(positions):
            last = lasts[position]
            _copy(_at(tables, letters[position] * filters), sums, last)
            for place in range(1, places):
                if position + place < length:
                    row = (place * characters + letters[position + place]) * filters
                    first = firsts[place]
                    _add(_at(tables, row + first), _at(sums, first), last - first)
            if position == 0:
                _copy(sums, maxima, filters)
            else:
                _raise_to(sums, maxima, last)


@translated
def _add(source: Any, target: Any, size: Any) -> None:
    for j in range(size):
        target[j] += source[j]


@translated
def _raise_to(source: Any, target: Any, size: Any) -> None:
    """Replace numbers of ``target`` by those of ``source`` that are larger."""
    for j in range(size):
        target[j] = source[j] if target[j] < source[j] else target[j]


@inlined
def _sigmoid(x: Any) -> Any:
    return float32(1.0) / (float32(1.0) + _exp(-x))


@inlined
def _tanh(x: Any) -> Any:
    """tanh(x) to a few units in the last place, also close to zero, where exp(-2x) - 1 would lose digits."""
    difference = _exp_minus_one(float32(-2.0) * x)
    return -difference / (float32(2.0) + difference)


@translated
def cell_forward(
    sums: Any,
    keep: Any,
    before: Any,
    gates: Any,
    cells: Any,
    squashed: Any,
    hidden: Any,
    rows: Any,
    dim: Any,
    clip: Any,
) -> None:
    """See ``packed_cpu.torch_loops.cell_forward``."""
    for row in range(rows):
        total, gate, r = _at(sums, row * 4 * dim), _at(gates, row * 4 * dim), row * dim
        # Several loops, because with too many arrays in one the compiler gives up on vectors.
        _sigmoid_row(total, gate, dim)
        _tanh_row(_at(total, dim), _at(gate, dim), dim)
        _sigmoid_row(_at(total, 2 * dim), _at(gate, 2 * dim), 2 * dim)
        _cell_row(gate, keep[row], _at(before, r), _at(cells, r), dim, clip)
        _tanh_row(_at(cells, r), _at(squashed, r), dim)
        _multiply_elements(_at(gate, 3 * dim), _at(squashed, r), _at(hidden, r), dim)


@translated
def _sigmoid_row(source: Any, target: Any, size: Any) -> None:
    for d in range(size):
        target[d] = _sigmoid(source[d])


@translated
def _tanh_row(source: Any, target: Any, size: Any) -> None:
    for d in range(size):
        target[d] = _tanh(source[d])


@translated
def _cell_row(gate: Any, kept: Any, old: Any, new: Any, dim: Any, clip: Any) -> None:
    for d in range(dim):
        new[d] = _clip(gate[d + 2 * dim] * (kept * old[d]) + gate[d] * gate[d + dim], clip)


@translated
def _multiply_elements(one: Any, other: Any, target: Any, size: Any) -> None:
    for d in range(size):
        target[d] = one[d] * other[d]


@translated
def cell_backward(
    gates: Any,
    keep: Any,
    before: Any,
    cells: Any,
    squashed: Any,
    d_hidden: Any,
    d_cell: Any,
    rows: Any,
    dim: Any,
    clip: Any,
) -> None:
    """See ``packed_cpu.torch_loops.cell_backward``."""
    for row in range(rows):
        gate, r = _at(gates, row * 4 * dim), row * dim
        _gradients_of_row(
            gate,
            keep[row],
            _at(before, r),
            _at(cells, r),
            _at(squashed, r),
            _at(d_hidden, r),
            _at(d_cell, r),
            dim,
            clip,
        )


@translated
def _gradients_of_row(
    gate: Any, kept: Any, old: Any, new: Any, squashed: Any, d_out: Any, d_next: Any, dim: Any, clip: Any
) -> None:
    """One row of ``cell_backward``."""
    one = float32(1.0)
    for d in range(dim):
        gate_i, gate_j, gate_f, gate_o = gate[d], gate[d + dim], gate[d + 2 * dim], gate[d + 3 * dim]
        tanh = squashed[d]
        total = d_next[d] + d_out[d] * gate_o * (one - tanh * tanh)
        total = total if abs(new[d]) < clip else float32(0.0)
        gate[d] = total * gate_j * gate_i * (one - gate_i)
        gate[d + dim] = total * gate_i * (one - gate_j * gate_j)
        gate[d + 2 * dim] = total * (kept * old[d]) * gate_f * (one - gate_f)
        gate[d + 3 * dim] = d_out[d] * tanh * gate_o * (one - gate_o)
        d_next[d] = total * gate_f * kept


def _loops() -> dict[str, tuple[Any, tuple[Any, ...]]]:
    f, i = float32, int64
    floats, shorts, chars, longs = (types.CPointer(t) for t in (float32, uint16, int8, int64))
    three, two = [floats] * 3, [floats] * 2
    space = (*three, floats, i, i, *three)  # h, c, out, inputs, capacity, columns, gates, hidden, projected
    loops: dict[str, tuple[Any, tuple[Any, ...]]] = {}
    nothing, integers = (types.none,) * 4, (types.CPointer(uint32), floats) * 2
    for name, given, recurrent, more in (
        ("float32", floats, floats, nothing),
        ("bf16", shorts, shorts, nothing),
        ("int8", shorts, chars, nothing),
        ("integers", floats, floats, integers),
    ):
        weights = (given, floats, recurrent, floats, given, *more)
        loops[f"read_layer_{name}"] = (read_layer, (floats, longs, i, *weights, *space, i, i, i, f, f, i))
    for name, kind in (("float32", floats), ("bf16", shorts), ("int8", chars)):
        loops[f"multiply_{name}"] = (multiply, (floats, i, i, kind, i, floats, i, i))
    for name, kind in (("float32", floats), ("bf16", shorts)):
        loops[f"update_cells_{name}"] = (update_cells, (kind, floats, kind, longs, floats, kind, i, i, f))
        loops[f"finish_step_{name}"] = (finish_step, (kind, *two, i, f))
    loops["update_cells_int8"] = (update_cells, (*two, shorts, longs, floats, shorts, i, i, f))
    loops["quantize_rows"] = (quantize_rows, (floats, types.CPointer(uint8), floats, i, i))
    loops["filter_words"] = (filter_words, (longs, floats, longs, longs, *two, i, i, i, i, i, i))
    of_training = (*three, *three, floats, i, i, f)
    loops |= {"cell_forward": (cell_forward, of_training), "cell_backward": (cell_backward, of_training)}
    return loops


LOOPS = _loops()
"""For each name, the function and the types of its arguments."""
