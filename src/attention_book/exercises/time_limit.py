"""How long a check waits for a reader's function.

What counts is the processor's time in the function's own thread: on a busy machine the
right code of a reader takes long, but it computes no more than elsewhere. Code that
waits (for `input()`, for a lock) computes nothing, so the clock on the wall counts as
well, with far more time.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass


def clock_of_this_thread() -> Callable[[], float]:
    """Make a clock, for any thread to read, of the seconds that this one computes.

    Where the platform has none (macOS, Windows), it counts what the whole process
    computes: too much if other threads are busy, but other programs do not count.
    """
    if hasattr(time, "pthread_getcpuclockid"):
        clock = time.pthread_getcpuclockid(threading.get_ident())
        return lambda: time.clock_gettime(clock)
    began = time.process_time()
    return lambda: time.process_time() - began


@dataclass
class TimeLimit:
    """Limit the time of each call.

    Attributes
    ----------
    processor, wall : float
        Seconds that a call may compute, and that it may last.
    clock : callable
        Called in the thread of a call; makes its clock.
    now : callable
        The clock on the wall, in seconds.
    """

    processor: float = 3.0
    wall: float = 60.0
    clock: Callable[[], Callable[[], float]] = clock_of_this_thread
    now: Callable[[], float] = time.monotonic

    def over(self, began: float, computed: float) -> str:
        """Tell why the time is over, of a call that `began` then; "" if it is not."""
        if computed > self.processor:
            return (
                f"Your function computed for more than {self.processor:g} s, far more "
                "than it takes. A loop that never ends, or one of very many rounds?"
            )
        if self.now() - began > self.wall:
            return (
                f"Your function had not ended after {self.wall:g} s, of which it "
                f"computed for {computed:.1f} s. Does it wait for something, such as "
                "input()?"
            )
        return ""
