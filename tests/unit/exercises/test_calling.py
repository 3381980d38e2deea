"""A reader's function is called on copies, for a time that counts what it computes."""

import itertools
import threading
import time

import numpy as np
import pytest

from attention_book.chapters.attention_layer.checks import check_softmax
from attention_book.exercises.calling import Returned, Stopped, call
from attention_book.exercises.checking import Case, Check
from attention_book.exercises.time_limit import TimeLimit

X = np.array([[1.0, -2.0, 4.0], [0.5, 3.0, 7.0]])


def hours():
    """The clock of a thread that has computed for hours."""
    return lambda: 7200.0


def nothing():
    """The clock of a thread that only waits."""
    return lambda: 0.0


def jumping(seconds):
    """A clock on the wall that is so much later at each look."""
    return itertools.count(step=seconds).__next__


def endless(e):
    while True:
        pass


def endless_and_deaf(e):
    while True:
        try:  # noqa: SIM105
            e.sum()
        except:  # noqa: E722
            pass


def endless_generator(e):
    return sum(0 for _ in itertools.count())


def waiting(e):
    while True:
        time.sleep(0.005)


@pytest.fixture
def busy():
    """Two threads that compute all the time."""
    done = threading.Event()

    def work():
        while not done.is_set():
            sum(range(1000))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    yield
    done.set()
    for thread in threads:
        thread.join()


LOOPS = pytest.mark.parametrize("loop", [endless, endless_and_deaf, endless_generator])


@LOOPS
def test_a_loop_that_never_ends_is_named(loop):
    verdict = check_softmax(loop, TimeLimit(clock=hours))
    assert verdict.diagnosis == "does not end"
    assert "computed for more than 3 s, far more than" in verdict.says
    assert "line " in verdict.evidence
    assert "e = " in verdict.evidence


def test_no_line_is_quoted_that_is_a_librarys():
    verdict = check_softmax(np.linalg.inv)
    assert verdict.diagnosis == "crash"
    assert verdict.evidence.startswith("called with")


@LOOPS
def test_a_loop_that_is_named_is_also_ended(loop, capfd):
    threads = threading.active_count()
    for _ in range(10):
        assert isinstance(call(loop, {"e": X}, TimeLimit(clock=hours)), Stopped)
    while threading.active_count() > threads:  # as long as it takes
        time.sleep(0.01)
    assert capfd.readouterr().err == ""


def test_code_that_waits_for_ever_is_named():
    verdict = check_softmax(waiting, TimeLimit(clock=nothing, now=jumping(40)))
    assert verdict.diagnosis == "does not end"
    assert "not ended after 60 s, of which it computed for 0.0 s" in verdict.says
    assert "such as input()" in verdict.says


def slow(x):
    time.sleep(0.05)
    return 2 * x


check_twice = Check(
    name="twice",
    reference=lambda x: 2 * x,
    gives={"y": "N_X"},
    task="",
    cases=(Case("two rows", x=X),),
    batch=("x",),
)


def test_right_code_may_take_long_on_a_busy_machine():
    assert check_twice(slow, TimeLimit(clock=nothing, now=jumping(1)))


def test_each_call_has_its_own_time():
    def fifth():
        return lambda: 0.2

    assert check_twice(slow, TimeLimit(processor=0.3, clock=fifth))
    verdict = check_twice(slow, TimeLimit(processor=0.1, clock=fifth))
    assert verdict.diagnosis == "does not end"


@pytest.mark.usefixtures("busy")
def test_neither_waiting_nor_other_threads_count_as_computing():
    if not hasattr(time, "pthread_getcpuclockid"):
        pytest.skip("this platform has no clock of a thread")
    time_limit = TimeLimit(processor=0.1)
    assert isinstance(call(lambda x: time.sleep(0.5), {"x": 1}, time_limit), Returned)


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("has_clock", [True, False])
def test_a_loop_is_ended_beside_other_threads(has_clock, monkeypatch):
    if not has_clock:
        monkeypatch.delattr(time, "pthread_getcpuclockid", raising=False)
    ended = call(endless, {"e": X}, TimeLimit(processor=0.05))
    assert "computed for more than 0.05 s" in ended.reason


def test_the_callers_input_is_never_touched():
    def overwrite(x):
        x[...] = 0
        return x

    before = X.copy()
    assert call(overwrite, {"x": X}, TimeLimit()).changed == {"x"}
    assert np.array_equal(X, before)


def test_exit_does_not_end_the_notebook():
    assert check_softmax(lambda e: exit()).says == "Your code raised SystemExit: None"
