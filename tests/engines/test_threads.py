"""The number of threads follows the load of the machine and stays the engine's own business. Times are made up."""

import threading

import pytest
import torch

from elmo.engines.threads import LONGEST_WAIT, WINDOW, ThreadChooser, pair_of_threads


class Machine:
    """Steps on a machine with some cores, where other programs may take some of them."""

    def __init__(self, cores: int) -> None:
        self.cores, self.taken, self.now = cores, 0, 0.0
        self.chooser = ThreadChooser()
        self.chooser._restart(cores)

    def step(self, rows: int = 1) -> float:
        """Run one step, and return its duration: about 1 ms, more with fewer threads, 8 ms more if one must wait."""
        threads = self.chooser.threads
        seconds = 0.001 * (1 + rows / 8) * self.cores / threads
        if threads > self.cores - self.taken:
            seconds += 0.008
        self.now += seconds
        self.chooser.learn(rows, seconds, self.now)
        return seconds

    def run(self, seconds: float, rows: int = 1) -> set[int]:
        """Run steps for some time, and return the numbers of threads that were used."""
        end, used = self.now + seconds, set()
        while self.now < end:
            self.step(rows)
            used.add(self.chooser.threads)
        return used


@pytest.mark.parametrize(("cores", "taken", "best"), [(2, 1, 1), (8, 1, 4), (8, 5, 2), (6, 1, 3)])
def test_threads_make_room_for_other_programs_and_come_back(cores: int, taken: int, best: int) -> None:
    machine = Machine(cores)
    assert machine.run(3) == {cores}  # nothing is tried on a free machine
    machine.taken = taken
    machine.run(2)
    alone = 0.001 * (1 + 1 / 8) * cores / best
    begin, steps = machine.now, 0
    while machine.now < begin + 20:
        machine.step()
        steps += 1
    assert (machine.now - begin) / steps < 1.15 * alone  # trials of more threads cost little
    machine.taken = 0
    machine.run(cores * (LONGEST_WAIT + 2 * WINDOW))
    assert machine.run(3) == {cores}


def test_other_numbers_of_rows_are_not_mistaken_for_load() -> None:
    machine = Machine(2)
    for _ in range(50):
        for rows in range(8, 0, -1):
            machine.step(rows)
    assert machine.chooser.threads == 2
    machine.taken = 1
    machine.run(1)
    machine.taken = 0
    machine.run(5, rows=20)  # a number of rows that was never measured with all threads
    assert machine.chooser.threads == 2


def test_slower_threads_are_given_up_again() -> None:
    machine = Machine(2)
    machine.run(1)
    machine.taken = 2  # all cores are taken: fewer threads do not help
    used = machine.run(5)
    assert used == {1, 2}
    assert machine.chooser._wait == LONGEST_WAIT


@pytest.fixture
def four_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    yield
    torch.set_num_threads(before)


def of_a_new_thread() -> int:
    found = []
    thread = threading.Thread(target=lambda: found.append(torch.get_num_threads()))
    thread.start()
    thread.join()
    return found[0]


def test_the_program_keeps_its_threads(four_threads: None) -> None:
    chooser = ThreadChooser()
    with chooser.team():
        pass
    chooser.threads = 2
    with chooser.team() as team:
        assert torch.get_num_threads() == 2
        assert of_a_new_thread() == 4
        chooser.threads = 1
        team.after_step(1, 0.0)
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == of_a_new_thread() == 4
    with pytest.raises(KeyError), chooser.team():
        raise KeyError
    assert torch.get_num_threads() == of_a_new_thread() == 4

    with pair_of_threads() as team:
        assert team.map(lambda _: torch.get_num_threads(), (0, 1)) == [2, 2]
        assert torch.get_num_threads() == of_a_new_thread() == 4
    assert torch.get_num_threads() == of_a_new_thread() == 4


def test_another_number_of_threads_is_taken_up(four_threads: None) -> None:
    chooser = ThreadChooser()
    with chooser.team():
        assert chooser.threads == 4
    torch.set_num_threads(1)
    with chooser.team() as team:
        team.after_step(1, 0.0)
        assert chooser.threads == 1


def test_an_interrupted_start_prints_nothing(
    four_threads: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Interrupted(threading.Barrier):
        def wait(self, timeout: float | None = None) -> int:
            if threading.current_thread() is threading.main_thread():
                raise KeyboardInterrupt
            return super().wait(timeout)

    monkeypatch.setattr(threading, "Barrier", Interrupted)
    with pytest.raises(KeyboardInterrupt), pair_of_threads():
        pass
    assert not caplog.records
