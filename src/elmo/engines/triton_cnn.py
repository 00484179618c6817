"""The operations of ``character_cnn.torch_cnn`` as Triton kernels.

Each function computes the same as its namesake there; the tests compare them where there is a GPU.

A window of a word is a contiguous piece of its embedded characters, so a block of windows, one per word, is a matrix
(U, K), where K is w*d, filled up to a power of two. Words come sorted by length, so the words of a block need about as
many windows.
"""

# mypy: ignore-errors

import torch
import triton
import triton.language as tl
from torch import Tensor

from elmo.engines.character_cnn import place_type

_WORDS = 64
"""Words in a block."""
_FILTERS = 128
"""Filters in a block."""
_CHARACTERS = 128
"""Rows of the character table in a block."""
_PARTS = 16
"""The words are divided into parts, each of which adds up a gradient of all filters."""
_POINTS = 1024
"""Elements of a highway layer in a block."""


@triton.jit
def _filter_maxima(
    embedded,
    filters,
    bias,
    windows,
    ends,
    activations,
    places,
    words,
    size,
    dim,
    n_filters,
    word_stride,
    RELU: tl.constexpr,
    U: tl.constexpr,
    F: tl.constexpr,
    K: tl.constexpr,
):
    rows = tl.program_id(1) * U + tl.arange(0, U)
    columns = tl.program_id(0) * F + tl.arange(0, F)
    k = tl.arange(0, K)
    real, inside = rows < words, columns < n_filters
    matrix = tl.load(filters + k[:, None] * n_filters + columns, (k[:, None] < size) & inside, other=0.0)
    end = tl.load(ends + columns, inside, other=0)
    at = embedded + rows[:, None].to(tl.int64) * word_stride + k
    readable = real[:, None] & (k < size)
    highest = tl.full((U, F), float("-inf"), tl.float32)
    place = tl.zeros((U, F), tl.int32)
    for window in range(tl.max(tl.load(windows + rows, real, other=0), 0)):
        inputs = tl.load(at + window * dim, readable, other=0.0)
        response = tl.dot(inputs, matrix, input_precision="tf32x3")
        better = (response > highest) & (window < end)
        highest = tl.where(better, response, highest)
        place = tl.where(better, window, place)
    value = highest + tl.load(bias + columns, inside, other=0.0)
    value = tl.maximum(value, 0.0) if RELU else 2 * tl.sigmoid(2 * value) - 1
    at = rows[:, None].to(tl.int64) * n_filters + columns
    tl.store(activations + at, value.to(activations.dtype.element_ty), real[:, None] & inside)
    tl.store(places + at, place.to(places.dtype.element_ty), real[:, None] & inside)


def filter_maxima(
    embedded: Tensor, filters: Tensor, bias: Tensor, windows: Tensor, ends: Tensor, relu: bool
) -> tuple[Tensor, Tensor]:
    """See ``torch_cnn.filter_maxima``."""
    words, (width, dim, n_filters) = len(embedded), filters.shape
    activations = torch.empty(words, n_filters, dtype=embedded.dtype, device=embedded.device)
    places = torch.empty(words, n_filters, dtype=place_type(embedded.shape[1]), device=embedded.device)
    _filter_maxima[triton.cdiv(n_filters, _FILTERS), triton.cdiv(words, _WORDS)](
        embedded,
        filters,
        bias,
        windows,
        ends,
        activations,
        places,
        words,
        width * dim,
        dim,
        n_filters,
        embedded.stride(0),
        RELU=relu,
        U=_WORDS,
        F=_FILTERS,
        K=_power(width * dim),
    )
    return activations, places


@triton.jit
def _filter_gradient(
    embedded,
    d_maxima,
    places,
    windows,
    d_filters,
    words,
    size,
    dim,
    n_filters,
    word_stride,
    U: tl.constexpr,
    F: tl.constexpr,
    K: tl.constexpr,
):
    part, columns = tl.program_id(1), tl.program_id(0) * F + tl.arange(0, F)
    k = tl.arange(0, K)
    inside = columns < n_filters
    total = tl.zeros((K, F), tl.float32)
    for start in range(part * U, words, tl.num_programs(1) * U):
        rows = start + tl.arange(0, U)
        real = rows < words
        at_maxima = rows[:, None].to(tl.int64) * n_filters + columns
        gradient = tl.load(d_maxima + at_maxima, real[:, None] & inside, other=0.0)
        place = tl.load(places + at_maxima, real[:, None] & inside, other=0)
        at = embedded + rows[:, None].to(tl.int64) * word_stride + k
        readable = real[:, None] & (k < size)
        for window in range(tl.max(tl.load(windows + rows, real, other=0), 0)):
            inputs = tl.load(at + window * dim, readable, other=0.0)
            chosen = tl.where(place == window, gradient, 0.0)
            total = tl.dot(tl.trans(inputs), chosen, total, input_precision="tf32x3")
    at = d_filters + (part * size + k[:, None]) * n_filters + columns
    tl.store(at, total, (k[:, None] < size) & inside)


def filter_gradient(embedded: Tensor, d_maxima: Tensor, places: Tensor, windows: Tensor, width: int) -> Tensor:
    """See ``torch_cnn.filter_gradient``."""
    (words, _, dim), n_filters = embedded.shape, places.shape[1]
    d_filters = torch.empty(_PARTS, width, dim, n_filters, dtype=torch.float32, device=embedded.device)
    _filter_gradient[triton.cdiv(n_filters, _FILTERS), _PARTS](
        embedded,
        d_maxima,
        places,
        windows,
        d_filters,
        words,
        width * dim,
        dim,
        n_filters,
        embedded.stride(0),
        U=_WORDS,
        F=_FILTERS,
        K=_power(width * dim),
        num_warps=8,
    )
    return d_filters.sum(0)


@triton.jit
def _window_gradient(
    filters,
    d_maxima,
    places,
    windows,
    d_windows,
    words,
    size,
    n_filters,
    n_windows,
    U: tl.constexpr,
    F: tl.constexpr,
    K: tl.constexpr,
):
    # Two windows at a time, because reading takes longer than multiplying.
    window, rows = 2 * tl.program_id(0), tl.program_id(1) * U + tl.arange(0, U)
    real = rows < words
    count = tl.max(tl.load(windows + rows, real, other=0), 0)
    if window >= count:
        return
    k = tl.arange(0, K)
    first = tl.zeros((U, K), tl.float32)
    second = tl.zeros((U, K), tl.float32)
    for start in range(0, n_filters, F):
        columns = start + tl.arange(0, F)
        inside = columns < n_filters
        at_maxima = rows[:, None].to(tl.int64) * n_filters + columns
        gradient = tl.load(d_maxima + at_maxima, real[:, None] & inside, other=0.0)
        place = tl.load(places + at_maxima, real[:, None] & inside, other=0)
        matrix = tl.load(filters + k[:, None] * n_filters + columns, (k[:, None] < size) & inside, other=0.0)
        matrix = tl.trans(matrix)
        first = tl.dot(tl.where(place == window, gradient, 0.0), matrix, first, input_precision="tf32x3")
        second = tl.dot(tl.where(place == window + 1, gradient, 0.0), matrix, second, input_precision="tf32x3")
    at = d_windows + (rows[:, None].to(tl.int64) * n_windows + window) * size + k
    writable = real[:, None] & (k < size)
    tl.store(at, first.to(d_windows.dtype.element_ty), writable)
    tl.store(at + size, second.to(d_windows.dtype.element_ty), writable & (window + 1 < count))


@triton.jit
def _table_gradient(
    ids,
    windows,
    d_windows,
    d_table,
    words,
    ids_stride,
    n_windows,
    n_characters,
    dim,
    WIDTH: tl.constexpr,
    U: tl.constexpr,
    V: tl.constexpr,
    D: tl.constexpr,
):
    rows = tl.program_id(1) * U + tl.arange(0, U)
    real = rows < words
    characters = tl.program_id(0) * V + tl.arange(0, V)
    d = tl.arange(0, D)
    count = tl.load(windows + rows, real, other=0)
    at = d_windows + rows[:, None].to(tl.int64) * n_windows * WIDTH * dim + d
    kind = d_windows.dtype.element_ty
    total = tl.zeros((V, D), tl.float32)
    for column in range(tl.max(count, 0) + WIDTH - 1):
        gradient = tl.zeros((U, D), tl.float32)
        for offset in tl.static_range(WIDTH):  # the windows that contain this character
            window = column - offset
            known = (real & (window >= 0) & (window < count))[:, None] & (d < dim)
            gradient += tl.load(at + (window * WIDTH + offset) * dim, known, other=0.0).to(tl.float32)
        character = tl.load(ids + rows * ids_stride + column, real, other=0)
        equal = tl.where(characters[:, None] == character, 1.0, 0.0)  # (V, U)
        total = tl.dot(equal.to(kind), gradient.to(kind), total, input_precision="tf32x3")
    at = (tl.program_id(1) * n_characters + characters[:, None]) * dim + d
    tl.store(d_table + at, total, (characters[:, None] < n_characters) & (d < dim))


def table_gradient(
    ids: Tensor, filters: Tensor, d_maxima: Tensor, places: Tensor, windows: Tensor, characters: int
) -> Tensor:
    """See ``torch_cnn.table_gradient``."""
    (words, columns), (width, dim, n_filters) = ids.shape, filters.shape
    count, blocks = columns - width + 1, triton.cdiv(words, _WORDS)
    d_windows = torch.empty(words, count, width * dim, dtype=d_maxima.dtype, device=ids.device)
    _window_gradient[triton.cdiv(count, 2), triton.cdiv(words, 2 * _WORDS)](
        filters,
        d_maxima,
        places,
        windows,
        d_windows,
        words,
        width * dim,
        n_filters,
        count,
        U=2 * _WORDS,
        F=_FILTERS // 2,
        K=_power(width * dim),
        num_warps=8,
    )
    d_table = torch.empty(blocks, characters, dim, dtype=torch.float32, device=ids.device)
    _table_gradient[triton.cdiv(characters, _CHARACTERS), blocks](
        ids,
        windows,
        d_windows,
        d_table,
        words,
        ids.stride(0),
        count,
        characters,
        dim,
        WIDTH=width,
        U=_WORDS,
        V=_CHARACTERS,
        D=_power(dim),
    )
    return d_table.sum(0)


@triton.jit
def _highway_forward(sums, x, y, dim, BLOCK: tl.constexpr):
    row, columns = tl.program_id(0).to(tl.int64), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = columns < dim
    at, at_gate = row * dim + columns, row * 2 * dim + columns
    gate = tl.sigmoid(tl.load(sums + at_gate, inside).to(tl.float32))
    transform = tl.maximum(tl.load(sums + at_gate + dim, inside).to(tl.float32), 0.0)
    value = gate * transform + (1 - gate) * tl.load(x + at, inside).to(tl.float32)
    tl.store(y + at, value.to(y.dtype.element_ty), inside)


def highway_forward(sums: Tensor, x: Tensor) -> Tensor:
    """See ``torch_cnn.highway_forward``."""
    (words, dim), y = x.shape, torch.empty_like(x)
    _highway_forward[words, triton.cdiv(dim, _POINTS)](sums, x, y, dim, BLOCK=_POINTS)
    return y


@triton.jit
def _highway_backward(sums, x, d_y, d_sums, d_x, dim, BLOCK: tl.constexpr):
    row, columns = tl.program_id(0).to(tl.int64), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = columns < dim
    at, at_gate = row * dim + columns, row * 2 * dim + columns
    gate = tl.sigmoid(tl.load(sums + at_gate, inside).to(tl.float32))
    transform = tl.load(sums + at_gate + dim, inside).to(tl.float32)
    value, gradient = tl.load(x + at, inside).to(tl.float32), tl.load(d_y + at, inside).to(tl.float32)
    d_gate = gradient * (tl.maximum(transform, 0.0) - value) * gate * (1 - gate)
    d_transform = tl.where(transform > 0, gradient * gate, 0.0)
    kind = d_x.dtype.element_ty
    tl.store(d_sums + at_gate, d_gate.to(kind), inside)
    tl.store(d_sums + at_gate + dim, d_transform.to(kind), inside)
    tl.store(d_x + at, (gradient * (1 - gate)).to(kind), inside)


def highway_backward(sums: Tensor, x: Tensor, d_y: Tensor) -> tuple[Tensor, Tensor]:
    """See ``torch_cnn.highway_backward``."""
    (words, dim), d_sums, d_x = x.shape, torch.empty_like(sums), torch.empty_like(x)
    _highway_backward[words, triton.cdiv(dim, _POINTS)](sums, x, d_y, d_sums, d_x, dim, BLOCK=_POINTS)
    return d_sums, d_x


def _power(size: int) -> int:
    """The size of a block in a matrix product."""
    return max(16, triton.next_power_of_2(size))
