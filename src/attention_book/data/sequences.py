"""Copy and reverse: the smallest tasks in which every input must reach the output.

A random string of letters is to be written again, or backwards. There is nothing to
know about the letters, so what a model gets wrong it has lost on the way. The gold
alignment is the diagonal, or the other one.
"""

from collections.abc import Sequence
from random import Random
from string import ascii_lowercase

from attention_book.shapes import check_choice, check_count, check_filled

from .pairs import Pair
from .vocabulary import Vocabulary

TASKS = ("copy", "reverse")


def symbol_vocabulary(N_symbols: int = 20) -> Vocabulary:
    """The vocabulary of the tasks: the first `N_symbols` letters."""
    check_count("N_symbols", N_symbols, 2, len(ascii_lowercase))
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
    """
    check_choice("task", task, TASKS)
    check_count("N_symbols", N_symbols, 2, len(ascii_lowercase))
    check_count("n", n, 0)
    check_count("seed", seed, 0)
    check_filled("lengths", lengths, "length")
    for i, length in enumerate(lengths):
        check_count(f"lengths[{i}]", length)
    rng = Random(f"{task} {seed}")
    return tuple(_pair(rng, task, N_symbols, rng.choice(lengths)) for _ in range(n))


def _pair(rng: Random, task: str, N_symbols: int, length: int) -> Pair:
    source = tuple(rng.choices(ascii_lowercase[:N_symbols], k=length))
    places = range(length)[:: 1 if task == "copy" else -1]
    target = tuple(source[i] for i in places)
    return Pair(source, target, frozenset(zip(places, range(length), strict=True)))
