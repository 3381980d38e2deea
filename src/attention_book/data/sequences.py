"""Copy and reverse: the smallest tasks in which every input must reach the output.

A random string of letters is to be written again, or backwards. There is nothing to
know about the letters, so what a model gets wrong it has lost on the way. The gold
alignment is the diagonal, or the other one.
"""

from collections.abc import Sequence
from random import Random
from string import ascii_lowercase

from .pairs import Pair
from .vocabulary import Vocabulary

TASKS = ("copy", "reverse")


def _check_int(name: str, value: int, least: int, most: int | None = None) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(
            f"{name} must be an int, got {value!r} of type {type(value).__name__}"
        )
    if value < least or (most is not None and value > most):
        raise ValueError(
            f"{name} is {value}: expected at least {least}"
            + (f" and at most {most}" if most else "")
        )


def symbol_vocabulary(N_symbols: int = 20) -> Vocabulary:
    """The vocabulary of the tasks: the first `N_symbols` letters.

    Raises
    ------
    ValueError
        If `N_symbols` is not 2 to 26.
    """
    _check_int("N_symbols", N_symbols, 2, len(ascii_lowercase))
    return Vocabulary(list(ascii_lowercase[:N_symbols]))


def sequences(
    task: str = "copy",
    *,
    N_symbols: int = 20,
    lengths: Sequence[int],
    n: int,
    seed: int,
) -> tuple[Pair, ...]:
    """Random strings with their copy or their reverse.

    Parameters
    ----------
    task : {"copy", "reverse"}
    N_symbols : int
        How many letters there are.
    lengths : sequence of int
        Each string's length is one of these, each as likely (`range(5, 21)`, or
        `[20]`).
    n : int
        How many strings.
    seed : int

    Returns
    -------
    tuple of Pair

    Raises
    ------
    TypeError
        If a count or length is not an int.
    ValueError
        If the task is unknown, there are no lengths, or a number is out of range.
    """
    if task not in TASKS:
        raise ValueError(f"task is {task!r}: expected one of {', '.join(TASKS)}")
    _check_int("N_symbols", N_symbols, 2, len(ascii_lowercase))
    _check_int("n", n, 0)
    _check_int("seed", seed, 0)
    if len(lengths) == 0:
        raise ValueError("lengths is empty: expected at least one length")
    for i, length in enumerate(lengths):
        _check_int(f"lengths[{i}]", length, 1)
    rng = Random(f"{task} {seed}")
    return tuple(_pair(rng, task, N_symbols, rng.choice(lengths)) for _ in range(n))


def _pair(rng: Random, task: str, N_symbols: int, length: int) -> Pair:
    source = tuple(rng.choices(ascii_lowercase[:N_symbols], k=length))
    if task == "copy":
        return Pair(source, source, frozenset((i, i) for i in range(length)))
    return Pair(
        source, source[::-1], frozenset((length - 1 - j, j) for j in range(length))
    )
