"""Code is shown with its idea first: no types, the shapes as a comment, no checks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention_book.listing import WIDTH, listing
from attention_book.shapes import check_count, check_shape

Both = tuple[Float[Tensor, "B D"], Tensor]


# fmt: off
def a_layer(
    self,
    X: Float[Tensor, "*axes N D"],
    visible: Bool[Tensor, "... N"] | None = None,
) -> tuple[Float[Tensor, "*axes N D"], Float[Tensor, "*axes N N"] | None]:
    """Say the idea in one line.

    Parameters
    ----------
    X : everything below is for the reference pages
    """
    check_shape("X", X, "*axes N D")
    if visible is not None:
        check_shape("visible", visible, "N N")
    if visible is None:
        check_count("N", 3)
        return X, None
    A: Tensor = X @ X.mT  # (..., N, N)
    return A @ X, A


A_LAYER = '''
def a_layer(self, X, visible=None):  # (N, D) -> (N, D), A (N, N)
    """Say the idea in one line."""
    if visible is None:
        return X, None
    A = X @ X.mT  # (..., N, N)
    return A @ X, A
'''


@torch.no_grad()
def attends(Q: Float[Tensor, "N_Q D"], K: Float[Tensor, "N_X D"], D: int = 8, *,
            base: float = 1e-5, kind: str = "a") -> Float[Tensor, "N_Q N_X"]:
    # a word on the code
    return Q @ K.mT / D


ATTENDS = '''
@torch.no_grad()
def attends(Q, K, D=8, *, base=1e-5, kind="a"):  # Q (N_Q, D), K (N_X, D) -> (N_Q, N_X)
    # a word on the code
    return Q @ K.mT / D
'''


def normed(x: Float[Tensor, "*axes D"], gamma: Float[Tensor, "D"]) -> Float[
        Tensor, "*axes D"]:  # a word for a tool
    return x * gamma


NORMED = '''
def normed(x, gamma):  # x (..., D), gamma (D,) -> (..., D)
    return x * gamma
'''


def others(f: Callable[..., Float[Tensor, "D"]], read: Sequence[Int[Tensor, "N"]],
           h: Float[Tensor, "B *axes"] | None, loss: Float[Tensor, ""]) -> Both:
    return f(h), loss


OTHERS = '''
def others(f, read, h, loss):  # read list of (N,), h (B, ...), loss () -> (B, D), loss
    return f(h), loss
'''


def without(names: list[str], N: int = 3) -> dict[str, int]:
    """Count: a sentence that is so long that it does not end before it has come to its
    end.

    More.
    """
    def inner(name: str) -> int:
        """Count one; a sentence of one line, which is too long with what closes it."""
        return len(name)
    left: list[str]
    left = [name for name in names if name]
    return {name: inner(name) for name in left}


WITHOUT = '''
def without(names, N=3):
    """Count: a sentence that is so long that it does not end before it has come to its
    end."""
    def inner(name):
        """Count one; a sentence of one line, which is too long with what closes it."""
        return len(name)
    left = [name for name in names if name]
    return {name: inner(name) for name in left}
'''


@dataclass
class Wide:
    """A class with a sentence that fills its line to the end, but for what closes it.

    More.
    """

    N_heads: int = 4

    def project(self, first: int, second: int, third: int, fourth: int, fifth: int = 5,
                sixth: int = 6) -> Float[Tensor, "N_heads D"]:
        """Do it.

        More.
        """
        check_count("first", first)
        return torch.zeros(self.N_heads, second)


WIDE = '''
@dataclass
class Wide:
    """A class with a sentence that fills its line to the end, but for what closes
    it."""

    N_heads: int = 4

    def project(self, first, second, third, fourth, fifth=5, sixth=6):
        # -> (N_heads, D)
        """Do it."""
        return torch.zeros(self.N_heads, second)
'''


def very(long_name_of_an_array: Float[Tensor, "N_rows D_first"],
         another_name_of_an_array: Float[Tensor, "N_rows D_second"],
         a_third_name_of_another_kind: int = 0) -> Float[Tensor, "N_rows D"]:
    return long_name_of_an_array


VERY = '''
def very(
    long_name_of_an_array, another_name_of_an_array, a_third_name_of_another_kind=0
):
    # long_name_of_an_array (N_rows, D_first),
    # another_name_of_an_array (N_rows, D_second) -> (N_rows, D)
    return long_name_of_an_array
'''
# fmt: on
CASES = (
    (a_layer, A_LAYER),
    (attends, ATTENDS),
    (normed, NORMED),
    (others, OTHERS),
    (without, WITHOUT),
    (Wide, WIDE),
    (very, VERY),
)


@pytest.mark.parametrize(("thing", "shown"), CASES, ids=lambda each: str(each)[:20])
def test_a_listing(thing, shown):
    assert listing(thing) == shown.strip("\n")
    assert max(map(len, shown.splitlines())) <= WIDTH
