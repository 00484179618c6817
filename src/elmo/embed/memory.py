"""For processes that embed for hours: what libraries keep for themselves stays small."""

import ctypes
import os
import sys


def limit_compiled_products() -> None:
    """To be called before a model computes anything in this process.

    oneDNN keeps a compiled product for each shape that it has met, 1,024 of them by default. Sentences of all
    lengths make many shapes, and some hundred megabytes; with a tenth of that it is as fast.
    """
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "128")


def give_back_memory() -> None:
    """Hand memory that is free within this process back to the system.

    Batches of all sizes leave gaps of all sizes, which glibc keeps for later, hundreds of megabytes in the end. It
    takes a few milliseconds. Other systems' libraries are left alone.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
