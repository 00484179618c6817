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

``training_loops`` has those for training, and ``loop_parts`` what all of them are made of.

An argument is a number or the address of an array, whose rows follow each other without gaps. Arrays must not overlap.
bfloat16 numbers are the 16-bit integers with the same bits. ``LOOPS`` lists what is translated, with the types of the
arguments.

Shapes: R rows, P output, D cell, U words, C characters, F filters.
"""

from typing import Any

from numba import float32, int8, int32, int64, types, uint8, uint16, uint32

from elmo.engines.loop_parts import (
    add_product,
    at,
    bits_of_float,
    clipped,
    exp,
    float_of_bits,
    inlined,
    loaded,
    lower_half,
    store,
    translated,
    upper_half,
)

APART = 272
"""Numbers between rows of sums. If rows were a power of two apart, as those of weights often are, the parts of them
that are added up at the same time would evict each other from the fastest cache."""
HALF = 32
"""Half of the columns that share a scale in ``grouped_integers``."""


@inlined
def _next_cell(i: Any, j: Any, f: Any, cell: Any, clip: Any) -> Any:
    """The new cell, sigmoid(f) * cell + sigmoid(i) * tanh(j / 2), clipped.

    With one division instead of three: sigmoid(x) = 1 / (1 + exp(-x)) and tanh(x / 2) = (1 - exp(-x)) / (1 + exp(-x)).
    No product overflows, because ``exp`` has an upper bound; there, sigmoid and tanh are 0 or 1 up to 1e-12.
    """
    exp_i, exp_j, exp_f = exp(-i), exp(-j), exp(-f)
    below = (float32(1.0) + exp_i) * (float32(1.0) + exp_j)
    forget = float32(1.0) + exp_f
    return clipped((cell * below + (float32(1.0) - exp_j) * forget) / (below * forget), clip)


@inlined
def _cell_output(o: Any, cell: Any) -> Any:
    """sigmoid(o) * tanh(cell)."""
    exp_o, exp_cell = exp(-o), exp(float32(-2.0) * cell)
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
        product, given, scale = at(products, row * 4 * dim), at(inputs, index[row] * 4 * dim), scales[row]
        cell, out = at(cells, row * dim), at(hidden, row * dim)
        _update_scaled_row(product, scale, given, cell, out, dim, clip)


@translated
def _update_scaled_row(product: Any, scale: Any, given: Any, cell: Any, out: Any, dim: Any, clip: Any) -> None:
    """One row of ``update_cells``."""
    for d in range(dim):
        i = loaded(product[d]) * scale + loaded(given[d])
        j = loaded(product[d + dim]) * scale + loaded(given[d + dim])
        f = loaded(product[d + 2 * dim]) * scale + loaded(given[d + 2 * dim])
        o = loaded(product[d + 3 * dim]) * scale + loaded(given[d + 3 * dim])
        new = _next_cell(i, j, f, cell[d], clip)
        cell[d] = new
        store(out, d, float32(0.5) * _cell_output(o, new))


@translated
def finish_step(products: Any, out: Any, h: Any, size: Any, clip: Any) -> None:
    """Clip the projected output, float32 or bfloat16, and write it to the layer's output and the state.

    Each of them has ``size`` numbers in all.
    """
    for j in range(size):
        value = clipped(loaded(products[j]), clip)
        out[j] = value
        h[j] = value


@translated
def quantize_rows(x: Any, integers: Any, scales: Any, rows: Any, width: Any) -> None:
    """Quantize rows as ``packed_matrix`` does: (R, P) float32 to bytes around 128 (R, P) and a scale per row (R,)."""
    for row in range(rows):
        scales[row] = _quantize_row(at(x, row * width), at(integers, row * width), width)


@translated
def _quantize_row(values: Any, integers: Any, width: Any) -> Any:
    """Quantize one row, and return its scale."""
    largest = uint32(0)
    for column in range(width):
        magnitude = uint32(bits_of_float(values[column]) & uint32(0x7FFFFFFF))  # ordered as the floats are
        largest = magnitude if magnitude > largest else largest
    bound = float_of_bits(largest)
    scale = (bound if bound > float32(1e-30) else float32(1e-30)) / float32(127)
    for column in range(width):
        integers[column] = uint8(int32(values[column] / scale + float32(128.5)))
    return scale


@inlined
def _add_four(total: Any, a0: Any, w0: Any, a1: Any, w1: Any, a2: Any, w2: Any, a3: Any, w3: Any) -> Any:
    total = add_product(add_product(total, a0, w0), a1, w1)
    return add_product(add_product(total, a2, w2), a3, w3)


@translated
def _multiply_row(a: Any, size: Any, weight: Any, stride: Any, out: Any, columns: Any) -> None:
    """Add a (K,) times the first columns of ``weight`` (K, N) to ``out``.

    The weights are read once, in the order of memory, eight rows at a time: reading them is what takes the time.
    Products are added one by one, in the order of rows, as in ``_multiply_four``: a sentence has the same vectors, to
    the last bit, alone and among others.
    """
    for k in range(0, size - 7, 8):
        a0, a1, a2, a3, a4, a5, a6, a7 = a[k], a[k + 1], a[k + 2], a[k + 3], a[k + 4], a[k + 5], a[k + 6], a[k + 7]
        w = at(weight, k * stride)
        for j in range(columns):
            w0, w1 = loaded(w[j]), loaded(w[j + stride])
            w2, w3 = loaded(w[j + 2 * stride]), loaded(w[j + 3 * stride])
            w4, w5 = loaded(w[j + 4 * stride]), loaded(w[j + 5 * stride])
            w6, w7 = loaded(w[j + 6 * stride]), loaded(w[j + 7 * stride])
            out[j] = _add_four(_add_four(out[j], a0, w0, a1, w1, a2, w2, a3, w3), a4, w4, a5, w5, a6, w6, a7, w7)
    for k in range(size // 8 * 8, size):
        ak, w = a[k], at(weight, k * stride)
        for j in range(columns):
            out[j] = add_product(out[j], ak, loaded(w[j]))


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
        w = at(weight, k * stride)
        for j in range(columns):
            w0, w1 = loaded(w[j]), loaded(w[j + stride])
            w2, w3 = loaded(w[j + 2 * stride]), loaded(w[j + 3 * stride])
            out_a[j] = _add_four(out_a[j], a0, w0, a1, w1, a2, w2, a3, w3)
            out_b[j] = _add_four(out_b[j], b0, w0, b1, w1, b2, w2, b3, w3)
            out_c[j] = _add_four(out_c[j], c0, w0, c1, w1, c2, w2, c3, w3)
            out_d[j] = _add_four(out_d[j], d0, w0, d1, w1, d2, w2, d3, w3)
    for k in range(size // 4 * 4, size):
        ak, bk, ck, dk, w = a[k], b[k], c[k], d[k], at(weight, k * stride)
        for j in range(columns):
            wk = loaded(w[j])
            out_a[j] = add_product(out_a[j], ak, wk)
            out_b[j] = add_product(out_b[j], bk, wk)
            out_c[j] = add_product(out_c[j], ck, wk)
            out_d[j] = add_product(out_d[j], dk, wk)


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
            a, out_a, w = at(x, row * size), at(out, row * apart + first), at(weight, first)
            left = rows - row
            if left == 1:
                _multiply_row(a, size, w, width, out_a, wide)
            else:
                b, c, d = at(a, size), at(a, min(2, left - 1) * size), at(a, min(3, left - 1) * size)
                out_b, out_c, out_d = at(out_a, apart), at(out_a, 2 * apart), at(out_a, 3 * apart)
                _multiply_four(a, b, c, d, size, w, width, out_a, out_b, out_c, out_d, wide)


@translated
def _multiply_group(a: Any, size: Any, pairs: Any, scales: Any, out: Any) -> None:
    """Add a (K,) times a group of columns to ``out`` (64,), with the bits of ``_multiply_row``."""
    for k in range(0, size, 4):
        a0, a1, a2, a3 = a[k], a[k + 1], a[k + 2], a[k + 3]
        s0, s1, s2, s3 = scales[k], scales[k + 1], scales[k + 2], scales[k + 3]
        w = at(pairs, k * HALF)
        for j in range(HALF):
            w0, w1, w2, w3 = w[j], w[j + HALF], w[j + 2 * HALF], w[j + 3 * HALF]
            l0, l1, l2, l3 = lower_half(w0) * s0, lower_half(w1) * s1, lower_half(w2) * s2, lower_half(w3) * s3
            u0, u1, u2, u3 = upper_half(w0) * s0, upper_half(w1) * s1, upper_half(w2) * s2, upper_half(w3) * s3
            out[j] = _add_four(out[j], a0, l0, a1, l1, a2, l2, a3, l3)
            out[j + HALF] = _add_four(out[j + HALF], a0, u0, a1, u1, a2, u2, a3, u3)


@translated
def _multiply_state(
    x: Any, rows: Any, size: Any, weight: Any, pairs: Any, scales: Any, width: Any, out: Any, apart: Any, columns: Any
) -> None:
    """As ``multiply``; a single row is multiplied by the integers of the matrix, if there are any.

    For more rows, weights are faster: arithmetic takes more of the time, and integers need more of it.
    """
    # Numba leaves out what cannot happen only if a condition is about None and nothing else.
    if pairs is None:
        multiply(x, rows, size, weight, width, out, apart, columns)
    elif rows == 1:
        for group in range(width // (2 * HALF)):
            place = group * size
            _multiply_group(x, size, at(pairs, place * HALF), at(scales, place), at(out, group * 2 * HALF))
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
        value = clipped(projected[j], clip)
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
                _copy(bias, at(inputs, row * apart), wide)
            multiply(at(x, first * width), last - first, width, from_input, wide, inputs, apart, columns)
        for row in range(rows):
            _clear(at(gates, row * apart), wide)
        block = wide if rows == 1 else dim
        _multiply_state(h, rows, width, from_state, state_pairs, state_scales, wide, gates, apart, block)
        for row in range(rows):
            given = at(inputs, (start - first + row) * apart)
            cell, output = at(c, row * dim), at(hidden, row * dim)
            _update_row(at(gates, row * apart), scales, given, cell, output, dim, cell_clip)
        _clear(projected, rows * width)
        _multiply_state(
            hidden, rows, dim, projection, projection_pairs, projection_scales, width, projected, width, width
        )
        _finish_row(projected, h, at(out, start * width), rows * width, clip)
        if spread and step == 0:
            for row in range(1, batch):
                _copy(h, at(h, row * width), width)
                _copy(c, at(c, row * dim), dim)


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
        maxima, letters = at(out, word * filters), at(ids, word * length)
        for position in range(positions):
            last = lasts[position]
            _copy(at(tables, letters[position] * filters), sums, last)
            for place in range(1, places):
                if position + place < length:
                    row = (place * characters + letters[position + place]) * filters
                    first = firsts[place]
                    _add(at(tables, row + first), at(sums, first), last - first)
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
    return loops


LOOPS = _loops()
"""For each name, the function and the types of its arguments."""
