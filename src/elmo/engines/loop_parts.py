"""What the loops of the CPU engine are made of: numbers, bits and addresses, and what tells Numba how to translate.

Everything here becomes part of the loops that use it (see ``loops``).
"""

from collections.abc import Callable
from typing import Any, TypeVar

from llvmlite import ir
from numba import float32, njit, types, uint16, uint32
from numba.extending import intrinsic, overload

Function = TypeVar("Function", bound=Callable[..., Any])


def translated(function: Function) -> Function:
    """Let Numba translate a function."""
    # contract: multiply and add in one instruction. Nothing else may be reordered, and NaN stays NaN.
    return njit(fastmath={"contract"}, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def inlined(function: Function) -> Function:
    """Make a function part of its callers. A call inside a loop would keep the compiler from using vectors."""
    return njit(inline="always")(function)


@intrinsic
def at(typing_context: Any, array: Any, offset: Any) -> Any:
    """The address of an element."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return array(array, types.int64), generate


@intrinsic
def float_of_bits(typing_context: Any, bits: Any) -> Any:
    """The float32 with the given 32 bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(types.float32))

    return types.float32(types.uint32), generate


@intrinsic
def bits_of_float(typing_context: Any, value: Any) -> Any:
    """The 32 bits of a float32."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(types.uint32))

    return types.uint32(types.float32), generate


@intrinsic
def add_product(typing_context: Any, total: Any, a: Any, b: Any) -> Any:
    """``total + a * b``, in one instruction and rounded once if the processor has one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total, a, b = arguments
        kind = ir.FunctionType(total.type, [total.type] * 3)
        return builder.call(builder.module.declare_intrinsic("llvm.fmuladd", [total.type], kind), [a, b, total])

    return types.float32(types.float32, types.float32, types.float32), generate


@inlined
def exp(x: Any) -> Any:
    """The exponential, to about one unit in the last place if |x| <= 28, beyond it that of 28 or -28; NaN stays NaN."""
    p, scale = _exp_parts(x)
    return (p + float32(1.0)) * scale


@inlined
def exp_minus_one(x: Any) -> Any:
    """exp(x) - 1, with the bounds of ``exp``, to a few units in the last place also where it is close to zero."""
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
    return p * (r * r) + r, float_of_bits(uint32(bits_of_float(shifted) << uint32(23)))


@inlined
def clipped(x: Any, limit: Any) -> Any:
    """Clip to plus or minus ``limit``; NaN stays NaN."""
    x = -limit if x < -limit else x
    return limit if x > limit else x


@inlined
def lower_half(pair: Any) -> Any:
    """The float32 from the bfloat16 in the lower half of 32 bits."""
    return float_of_bits(uint32(pair << uint32(16)))


@inlined
def upper_half(pair: Any) -> Any:
    """The float32 from the bfloat16 in the upper half of 32 bits."""
    return float_of_bits(uint32(pair & uint32(0xFFFF0000)))


def loaded(x: Any) -> Any:
    """A float32 from a float32 or from the bits of a bfloat16."""


@overload(loaded, inline="always")
def _overload_loaded(x: Any) -> Any:
    if x == types.uint16:

        def convert(x: Any) -> Any:
            return float_of_bits(uint32(x) << uint32(16))

        return convert

    if x == types.int8:

        def widen(x: Any) -> Any:
            return float32(x)

        return widen

    def keep(x: Any) -> Any:
        return x

    return keep


def store(array: Any, place: Any, value: Any) -> None:
    """Write a float32 to an array of float32, or of the bits of bfloat16, rounded to nearest."""


@overload(store, inline="always")
def _overload_store(array: Any, place: Any, value: Any) -> Any:
    if array.dtype == types.uint16:

        def shorten(array: Any, place: Any, value: Any) -> None:
            bits = bits_of_float(value)
            array[place] = uint16((bits + uint32(0x7FFF) + ((bits >> uint32(16)) & uint32(1))) >> uint32(16))

        return shorten

    def keep(array: Any, place: Any, value: Any) -> None:
        array[place] = value

    return keep
