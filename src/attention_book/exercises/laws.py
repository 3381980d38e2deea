"""Laws that results must keep, as sentences for a reader whose mistake is not among the known ones."""

from collections.abc import Callable

import numpy as np

from attention_book.exercises.checking import Law, Seen


def rows_sum_to_one(name: str, *, over: str, instead: str = "the other axis") -> Law:
    """Weights sum to 1 along the last axis, and to nothing in particular along the one
    before.

    Parameters
    ----------
    name : name of the result
    over : what the last axis counts, such as "the inputs"
    instead : what the axis before it counts
    """

    def law(seen: Seen) -> str | None:
        A = np.asarray(seen.got[name], dtype=float)
        sums = A.sum(axis=-1)
        if np.allclose(sums, 1, atol=1e-3):
            return None
        if A.ndim > 1 and np.allclose(A.sum(axis=-2), 1, atol=1e-3):
            return f"{name} sums to 1 over {instead}. Softmax runs over {over}, the last axis."
        worst = float(sums.ravel()[np.abs(sums - 1).argmax()])
        return f"a row of {name} sums to {worst:.3f}. Weights sum to 1 over {over}, after everything you do to them."

    return law


def not_negative(name: str) -> Law:
    """Weights are never negative."""

    def law(seen: Seen) -> str | None:
        low = float(np.min(seen.got[name]))
        return (
            f"{name} holds {low:.3f}. A weight is never negative: are these scores?"
            if low < -1e-6
            else None
        )

    return law


def hidden_gets_nothing(
    name: str, mask: Callable[[Seen], np.ndarray] | str = "visible"
) -> Law:
    """What is not visible gets weight 0.

    Parameters
    ----------
    name : name of the weights mask : name of the mask among the inputs, or a function
    that makes one as large as the weights
    """

    def law(seen: Seen) -> str | None:
        visible = seen.inputs[mask] if isinstance(mask, str) else mask(seen)
        A = np.asarray(seen.got[name])
        leaked = float(np.where(np.broadcast_to(visible, A.shape), 0, np.abs(A)).max())
        if leaked < 1e-6:
            return None
        return f"{name} gives {leaked:.3f} to an input that is not visible. Set its score to -inf before the softmax."

    return law
