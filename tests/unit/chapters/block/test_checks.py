"""What readers write about blocks and senses, and what they are told."""

import copy

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from attention_book.chapters.block.checks import (
    PARTS,
    check_block,
    check_block_weights,
    check_nearest_sense,
    check_pre_norm_block,
)
from attention_book.chapters.block.solutions import block_weights


def loop_with_one_norm(X, attend, mlp, norm_1, norm_2):
    for part in (attend, mlp):
        X = norm_1(X + part(X))
    return X


def tutorial(X, attend, mlp, norm_1, norm_2):
    def sublayer(X, part, norm):
        return X + part(norm(X))

    return sublayer(sublayer(X, attend, norm_1), mlp, norm_2)


class NormOfThePart(nn.Module):
    def __init__(self, part, norm):
        super().__init__()
        self.part, self.norm = part, norm

    def forward(self, X):
        return torch.add(self.norm(self.part(X)), X)


def norm_of_the_part(X, attend, mlp, norm_1, norm_2):
    return nn.Sequential(NormOfThePart(attend, norm_1), NormOfThePart(mlp, norm_2))(X)


def side_by_side(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(torch.cat([X, attend(X)], dim=-1))
    return norm_2(torch.cat((Z, mlp(Z)), -1))


def kept_from_the_start(X, attend, mlp, norm_1, norm_2):
    residual = X
    X = norm_1(attend(X) + residual)
    X = mlp(X) + residual
    return norm_2(X)


def transposed(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(Z + mlp(Z.T).T)


def mlp_beside_attention(X, attend, mlp, norm_1, norm_2):
    return norm_2(norm_1(X + attend(X)) + mlp(X))


def plus_equals(X, attend, mlp, norm_1, norm_2):
    X += attend(X)
    X = norm_1(X)
    X += mlp(X)
    return norm_2(X)


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (loop_with_one_norm, "a block of: attend, mlp, norm_1, norm_1"),
        (tutorial, "norms in front of the parts"),
        (norm_of_the_part, "only the part is normalised"),
        (side_by_side, "the sums: beside, beside"),
        (transposed, "a block of: attend, lambda X: mlp(X.T).T, norm_1, norm_2"),
        (mlp_beside_attention, "the MLP is given X"),
        (kept_from_the_start, "second sum with X"),
        (plus_equals, "overwrites its input"),
    ],
)
def test_a_known_mistake_in_a_block_is_named_in_any_style(function, diagnosis):
    assert check_block(function).diagnosis == diagnosis


def under_one_name(X, attend, mlp, norm_1, norm_2):
    for part, norm in [(attend, norm_1), (mlp, norm_2)]:
        X = norm(X)
        X = X + part(X)
    return X


def lectures(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(torch.add(attend(X), X))
    return norm_2(torch.add(mlp(Z), Z))


def attention_over_features(X, attend, mlp, norm_1, norm_2):
    Z = X + attend(norm_1(X).T).T
    return Z + mlp(norm_2(Z))


def one_more_norm(X, attend, mlp, norm_1, norm_2):
    H = np.array(X)
    H += attend(norm_1(H))
    H += mlp(norm_2(H))
    return norm_2(H)


def both_read_X(X, attend, mlp, norm_1, norm_2):
    return X + attend(norm_1(X)) + mlp(norm_2(X))


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (under_one_name, "the normalised is added"),
        (lectures, "norms behind the sums"),
        (
            attention_over_features,
            "a block of: lambda X: attend(X.T).T, mlp, norm_1, norm_2",
        ),
        (one_more_norm, "a norm behind the block"),
        (both_read_X, "the MLP is given X"),
    ],
)
def test_a_known_mistake_in_a_pre_norm_block_is_named_in_any_style(function, diagnosis):
    assert check_pre_norm_block(function).diagnosis == diagnosis


def weighed(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(np.tanh(X) + attend(X))
    return norm_2(Z + mlp(Z))


def too_early(X, attend, mlp, norm_1, norm_2):
    Z = X + attend(norm_1(X))
    return norm_1(X) + mlp(norm_2(Z)) - norm_1(X) * (mlp(X) == 0).all()


def second_sum_before_its_norm(X, attend, mlp, norm_1, norm_2):
    Z = X + attend(X)
    return norm_2(Z + mlp(norm_1(Z)))


def norm_of_a_norm(X, attend, mlp, norm_1, norm_2):
    N = norm_1(X)
    return X + attend(N) + mlp(norm_2(N))


def after_the_mlp(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(Z + mlp(Z)) + X


def minus(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(Z - mlp(Z))


@pytest.mark.parametrize(
    ("check", "function", "says"),
    [
        (check_block, second_sum_before_its_norm, "Y is norm_2(Z + mlp(Z))"),
        (check_block, weighed, "with 0 from mlp, Y is norm_2(norm_1(X + attend(X)))"),
        (check_pre_norm_block, too_early, "(mlp gives 0 here: look at the first half"),
        (check_block, after_the_mlp, "what you add and normalise after the MLP.)"),
        (check_pre_norm_block, norm_of_a_norm, "Does the MLP read what the first half"),
        (check_block, minus, "(attend gives 0 here: look at the second half"),
    ],
)
def test_a_mistake_that_nobody_recorded_breaks_a_law(check, function, says):
    verdict = check(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says


@pytest.mark.parametrize("check", [check_block, check_pre_norm_block])
def test_two_digits_are_told_as_such_also_of_numbers_near_0(check):
    def rounded(*parts):
        return np.round(check.reference(*parts), 2)

    assert "right to two or three digits" in check(rounded).says


@pytest.mark.parametrize("check", [check_block, check_pre_norm_block])
def test_a_result_that_is_kept_is_told_as_such(check):
    kept = {}

    def keeping(X, *parts):
        return kept.setdefault(X.shape, check.reference(X, *parts))

    assert "is something kept between calls" in check(keeping).says.lower()


def halves(X, attend, mlp, norm_1, norm_2):
    Z = norm_1((X + attend(X)) / 2)
    return norm_2((Z + mlp(Z)) / 2)


def last_norm_twice(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(norm_2(Z + mlp(Z)))


def shifted(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(Z + mlp(Z) + 1)


def first_norm_twice(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(norm_1(X + attend(X)))
    return norm_2(Z + mlp(Z))


def first_norm_within_the_last(X, attend, mlp, norm_1, norm_2):
    Z = norm_1(X + attend(X))
    return norm_2(norm_1(Z + mlp(Z)))


def pre_norm_twice(X, attend, mlp, norm_1, norm_2):
    Z = X + attend(norm_1(norm_1(X)))
    return Z + mlp(norm_2(Z))


def pre_norm_of_doubles(X, attend, mlp, norm_1, norm_2):
    Z = X + attend(norm_1(X))
    return Z + mlp(norm_2(2 * Z + 1))


@pytest.mark.parametrize(
    ("check", "function"),
    [
        (check_block, halves),
        (check_block, last_norm_twice),
        (check_block, shifted),
        (check_block, first_norm_twice),
        (check_block, first_norm_within_the_last),
        (check_pre_norm_block, pre_norm_twice),
        (check_pre_norm_block, pre_norm_of_doubles),
    ],
)
def test_what_a_layer_norm_swallows_is_seen_with_other_norms(check, function):
    verdict = check(function)
    assert verdict.state == "wrong"
    assert "On other norms: with layer norms your block is right" in verdict.says


@pytest.mark.parametrize(
    "function",
    [
        lambda X, attend, mlp, norm_1, norm_2: X + attend(X, X, X),
        lambda X, attend, mlp, norm_1, norm_2: X + attend(norm_1)(X),
    ],
)
def test_who_hands_attention_more_than_vectors_is_told_what_it_takes(function):
    says = check_pre_norm_block(function).says
    assert "attend takes the vectors alone: attend(X)." in says


def test_who_unpacks_what_attention_gives_is_told_to_look_at_it():
    def with_weights(X, attend, mlp, norm_1, norm_2):
        A, W = attend(X)
        return norm_2(norm_1(X + A) + mlp(W))

    assert "Look at what attend gives: is it that" in check_block(with_weights).says


def test_a_part_is_shown_as_its_formula_and_equals_its_copy():
    verdict = check_block(kept_from_the_start)
    assert "attend = softmax(X Xᵀ / √D) X" in verdict.evidence
    assert "0x" not in verdict.evidence
    assert copy.deepcopy(PARTS) == PARTS


def test_a_part_works_on_tensors_as_on_arrays():
    X = np.random.default_rng(0).normal(size=(3, 4))
    for part in PARTS.values():
        theirs = part(torch.from_numpy(X))
        assert theirs.dtype is torch.float64
        np.testing.assert_array_equal(theirs.numpy(), part(X))


def with_another(part, count):
    return lambda D, D_hidden: block_weights(D, D_hidden) | {part: count(D, D_hidden)}


@pytest.mark.parametrize(
    ("part", "count", "says"),
    [
        ("attention", lambda D, H: 3 * D * D, "There is a fourth, W_O"),
        ("attention", lambda D, H: 4 * D * D + 4 * D, "Ours has none."),
        ("attention", lambda D, H: 5 * D * D, "It has W_Q, W_K, W_V and W_O"),
        ("mlp", lambda D, H: 2 * D * H, "you leave out the biases b_1 and b_2"),
        ("mlp", lambda D, H: 2 * D * H + 2 * D, "you count b_1 as D wide"),
        ("mlp", lambda D, H: D * H + H + D, "There are W_1 and W_2."),
        ("mlp", lambda D, H: D * H, "you leave out the biases b_1 and b_2"),
        ("norms", lambda D, H: 2 * D, "You count one norm, or one vector a norm."),
        ("norms", lambda D, H: 0, "You count nothing for the norms."),
    ],
)
def test_a_wrong_count_of_weights_is_told_what_it_leaves_out(part, count, says):
    assert says in check_block_weights(with_another(part, count)).says


def one_by_one_but_squared_sums(new, known):
    return [int(np.argmin([abs((x - m.mean(0)).sum()) for m in known])) for x in new]


def by_medians(new, known):
    away = new[:, None] - np.median(known, axis=1)
    return (away**2).sum(axis=-1).argmin(axis=-1)


def by_torch_cosines(new, known):
    return F.cosine_similarity(new[:, None], known.mean(1), dim=-1).argmax(-1)


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (
            lambda new, known: [
                int(np.argmin([np.linalg.norm(v - x, axis=-1).min() for v in known]))
                for x in new
            ],
            "You look for the nearest single vector",
        ),
        (
            lambda new, known: (new @ known.mean(1).T).argmax(-1),
            "You compare by dot products.",
        ),
        (one_by_one_but_squared_sums, "its distances to the mean vectors"),
        (
            lambda new, known: (
                torch.cdist(new, known.flatten(0, 1))
                .unflatten(1, known.shape[:2])
                .mean(-1)
                .argmin(-1)
            ),
            "You average the distances to all vectors of a sense.",
        ),
        (by_medians, "its distances to the mean vectors"),
        (by_torch_cosines, "You compare by the cosine"),
        (
            lambda new, known: torch.cdist(new, known.mean(1)).argmin(-1) + 1,
            "a sense that does not exist: 2. The senses are the whole numbers from 0 "
            "to 1;",
        ),
        (
            lambda new, known: torch.cdist(new, known.mean(1)).min(-1).values,
            "a sense that does not exist: 3.124.",
        ),
    ],
)
def test_a_wrong_sense_is_told_why(function, says):
    verdict = check_nearest_sense(function)
    assert verdict.state == "wrong"
    assert says in verdict.says


def test_senses_are_no_truth_values():
    def second_is_nearer(new, known):
        away = new[:, None] - known.mean(1)
        return (away**2).sum(-1).argmin(-1).astype(bool)

    says = check_nearest_sense(second_is_nearer).says
    assert (
        "you give True and False; expected are whole numbers, the senses' own" in says
    )


def test_the_vector_is_shown_whose_sense_is_farthest_off():
    def always_the_first(new, known):
        return np.zeros(len(new), dtype=bool)

    case = check_nearest_sense.cases[0]
    away = np.linalg.norm(
        case.inputs["new"][:, None] - case.inputs["known"].mean(1), axis=-1
    )
    worst = (away[:, 0] - away.min(axis=-1)).argmax()
    says = check_nearest_sense(always_the_first).says
    assert f"you give new[{worst}] the sense 0;" in says


@pytest.mark.parametrize("case", check_nearest_sense.cases, ids=lambda case: case.name)
def test_no_vector_lies_so_near_a_border_that_two_digits_hide_it(case):
    new, known = case.inputs.values()
    away = np.linalg.norm(new[:, None] - known.mean(1), axis=-1)
    nearest, second = np.sort(away, axis=-1)[:, :2].T
    assert (second - nearest > 0.02).all()
