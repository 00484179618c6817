"""Ctrl-C while modules are imported."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_IMPORT_SYSTEM = "<frozen importlib._bootstrap>"
_RETRY_SECONDS = 0.05


@contextmanager
def interrupts_after_imports() -> Iterator[None]:
    """Within the block, raise the KeyboardInterrupt of a Ctrl-C during an import when the import is complete.

    An import cannot be interrupted reliably: extension modules ignore exceptions while they are initialized, and NumPy
    cannot be imported again after one.
    """
    main_thread = threading.current_thread() is threading.main_thread()
    if not main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # `nohup` ignores Ctrl-C
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(_: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code.co_filename == _IMPORT_SYSTEM:
            # A real signal, because _thread.interrupt_main does not wake a thread that waits.
            retry = threading.Timer(_RETRY_SECONDS, os.kill, (os.getpid(), signal.SIGINT))
            retry.daemon = True
            retry.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt
