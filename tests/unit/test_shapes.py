"""Checks of one line: what fits passes; a message says what came and what was due."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from attention_book.shapes import (
    check_choice,
    check_count,
    check_filled,
    check_floats,
    check_ids,
    check_mask,
    check_multiple,
    check_number,
    check_same,
    check_shape,
    check_shapes,
    check_type,
    unchecked,
)

MASK = np.array([[True, False, True], [False, True, False]])


@pytest.mark.parametrize("zeros", [np.zeros, torch.zeros])
def test_what_fits_passes(zeros):
    check_shapes(
        Q=(zeros((2, 3, 4)), "*axes N_Q D_Q"),
        K=(zeros((2, 5, 4)), "*axes N_X D_Q"),
        W=(zeros((4, 12)), "D_Q 3*D_Q"),
        image=(zeros((1, 8)), "1 8"),
        number=(zeros(()), ""),
    )
    check_shape("s", zeros((2, 4)), "B D_S", D_S=4)
    check_shape("x", zeros(7), "*axes D")


@pytest.mark.parametrize("kind", [np.asarray, torch.as_tensor])
def test_masks_and_ids_that_fit_pass(kind):
    check_mask("visible", kind(MASK), "B N_X", B=2, N_X=3)
    check_mask("visible", kind(MASK)[None, None], "*axes N_Q N_X", N_X=3)
    check_ids("token", kind(np.array([[0, 4]])), "B N_Y", 5)


@pytest.mark.parametrize("zeros", [np.zeros, torch.zeros])
@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"h": ((3,), "N_X D_H")}, r"h has shape \(3,\), expected \(N_X, D_H\)$"),
        ({"h": ((0, 3), "N_X D_H")},
         r"shape \(0, 3\), expected \(N_X, D_H\), not empty$"),
        ({"s": ((4,), "D_S"), "h": ((5, 3), "N_X D_S")},
         r"h has shape \(5, 3\), expected \(N_X, D_S\) = \(N_X, 4\), D_S as in s$"),
        ({"s": ((4,), "D_S"), "b": ((13,), "3*D_S")},
         r"b has shape \(13,\), expected \(3\*D_S,\) = \(12,\), D_S as in s$"),
        ({"W": ((4, 13), "D_S 3*D_S")}, r"W has shape .*, expected \(D_S, 3\*D_S\)$"),
        ({"W": ((4, 3), "D D")}, r"W has shape \(4, 3\), expected \(D, D\)$"),
        ({"image": ((2, 1, 7), "B 1 8")}, r"expected \(B, 1, 8\)$"),
        ({"Q": ((2, 4, 3), "*axes N D"), "K": ((4,), "*axes N_X D")},
         r"shape \(4,\), expected \(..., N_X, D\) = \(..., N_X, 3\), D as in Q$"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(zeros, arrays, says):
    with pytest.raises(ValueError, match=says):
        check_shapes(**{name: (zeros(s), axes) for name, (s, axes) in arrays.items()})


@pytest.mark.parametrize(
    "check",
    [
        lambda W, h: check_shapes(W=(W, "3*D_H N"), h=(h, "D_H")),
        lambda W, h: check_shape("W", W, "3*D_H N"),
    ],
)
def test_an_axis_whose_factor_nobody_knows_is_named(check):
    says = r"axis '3\*D_H' needs the size of D_H, expected an array before it"
    with pytest.raises(ValueError, match=says):
        check(np.zeros((6, 4)), np.zeros(2))


NOWHERE = MASK & np.array([[True], [False]])


@pytest.mark.parametrize("kind", [np.asarray, torch.as_tensor])
@pytest.mark.parametrize(
    ("mask", "says"),
    [
        (MASK.astype(int), r"visible is .*int64 of shape \(2, 3\), expected bool of"),
        (MASK.T, r"of shape \(3, 2\), expected bool of \(B, N_X\) = \(B, 3\)$"),
        (MASK[:, :0], r"\(2, 0\), expected bool of .* = \(B, 3\), not empty$"),
        (NOWHERE, "visible is False everywhere in row 1: there is nothing to look at"),
    ],
)
def test_a_wrong_mask_is_named(kind, mask, says):
    with pytest.raises(ValueError, match=says):
        check_mask("visible", kind(mask.copy()), "B N_X", N_X=3)


@pytest.mark.parametrize("kind", [np.asarray, torch.as_tensor])
@pytest.mark.parametrize(
    ("ids", "says"),
    [
        (np.array([[1.0, 2]]), r"token is .*float64 of shape \(1, 2\), expected int64"),
        (np.array([1, 2]), r"of shape \(2,\), expected int64 of \(B, N_Y\)$"),
        (np.zeros((2, 0), int), r"\(2, 0\), expected int64 of .*, not empty$"),
        (np.array([[1, 5]]), "token holds ids from 1 to 5, expected 0 to 4"),
        (np.array([[-1, 2]]), "token holds ids from -1 to 2"),
    ],
)
def test_wrong_ids_are_named(kind, ids, says):
    with pytest.raises(ValueError, match=says):
        check_ids("token", kind(ids), "B N_Y", 5)


@pytest.mark.parametrize(
    ("check", "error", "says"),
    [
        (lambda: check_count("n", 0), ValueError, "n is 0, expected at least 1$"),
        (lambda: check_count("n", 10, 0, 9), ValueError, "n is 10, expected 0 to 9$"),
        (lambda: check_count("n", 2.0), TypeError,
         "n must be an int, got 2.0 of type float"),
        (lambda: check_count("n", True), TypeError, "n must be an int, got True"),
        (lambda: check_number("clip", 0, above=0), ValueError,
         "clip is 0, expected a finite number above 0"),
        (lambda: check_number("clip", float("nan"), above=0), ValueError,
         "clip is nan"),
        (lambda: check_number("clip", float("inf"), above=0), ValueError,
         "clip is inf"),
        (lambda: check_multiple("D_H", 5, 2), ValueError,
         "D_H is 5, expected a multiple of 2"),
        (lambda: check_floats("images", torch.zeros(2, dtype=torch.uint8)), ValueError,
         "images is of torch.uint8, expected floats"),
        (lambda: check_choice("score", "cosine", ("dot", "mlp")), ValueError,
         "score is 'cosine', expected one of dot, mlp"),
        (lambda: check_type("reverse", 1, bool), TypeError,
         "reverse must be a bool, got 1 of type int"),
        (lambda: check_same("both need B rows", source=3, target=2), ValueError,
         "source is 3 but target is 2: both need B rows"),
        (lambda: check_filled("pairs", [], "pair"), ValueError,
         "pairs is empty, expected at least one pair"),
        (lambda: check_filled("words", "a b", "word"), TypeError,
         "words must be a sequence, got the string 'a b': split it first"),
    ],
)  # fmt: skip
def test_what_is_out_of_range_is_named(check, error, says):
    with pytest.raises(error, match=says):
        check()


def test_what_one_thread_leaves_unchecked_another_checks():
    nothing = unchecked()
    with ThreadPoolExecutor(max_workers=1) as other:
        other.submit(nothing.__enter__).result()
        with pytest.raises(ValueError, match="n is 0"):
            check_count("n", 0)
        other.submit(nothing.__exit__, None, None, None).result()
