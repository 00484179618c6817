"""Signals that ask a program to stop."""

import signal
import threading


class StopSignals:
    """Within the block, turns SIGTERM and Ctrl-C into a flag, so that what must not be cut off can end first."""

    def __init__(self) -> None:
        self.received = False

    def __enter__(self) -> "StopSignals":
        self._previous = {}
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                self._previous[number] = signal.signal(number, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def _receive(self, *_: object) -> None:
        self.received = True
