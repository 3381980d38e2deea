"""The solutions of chapter 1 are right; mistakes in another style are named."""

from difflib import SequenceMatcher
from itertools import groupby

import pytest
import torch

from attention_book.chapters.bottleneck.checks import (
    check_first_error,
    check_gru_parameters,
    check_teacher_forced,
)
from attention_book.chapters.bottleneck.solutions import (
    START,
    STOP,
    first_error,
    gru_parameters,
    how_far_failures_get,
    reached_by_part,
    risk_by_part,
    teacher_forced,
)


@pytest.mark.parametrize(("D_X", "D_H"), [(3, 5), (64, 128), (7, 2)])
def test_the_count_of_a_gru_is_that_of_torch(D_X, D_H):
    assert gru_parameters(D_X, D_H) == sum(
        p.numel() for p in torch.nn.GRU(D_X, D_H).parameters()
    )


def test_the_decoder_reads_one_word_behind_what_it_says():
    read, say = teacher_forced([7, 8, 9])
    assert read == [START, 7, 8, 9]
    assert say == [7, 8, 9, STOP]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "where"),
    [
        ("a b c", "a b c", None),
        ("a x c", "a b c", 1),
        ("a b", "a b c", 2),
        ("a b c d", "a b c", 3),
        ("", "a", 0),
    ],
)
def test_the_first_error_is_found(hypothesis, reference, where):
    assert first_error(hypothesis.split(), reference.split()) == where


def test_only_failures_say_how_far_they_get():
    references = [list("abcd"), list("abcd"), list("abcdefghij")]
    hypotheses = [list("abcd"), list("aXcX"), list("abcde")]  # a letter is a word
    assert how_far_failures_get(hypotheses, references) == {
        "wrong": 2,
        "words right before": (1 + 5) / 2,
        "share of the sentence": (1 / 4 + 5 / 10) / 2,
    }


def test_where_nothing_fails_there_is_nothing_to_measure():
    with pytest.raises(ValueError, match="hypotheses are all right"):
        how_far_failures_get(["ab"], ["ab"])


def test_a_part_is_reached_where_all_before_it_is_right():
    references = [list("abcdef")] * 5
    hypotheses = [list(said) for said in ("abcdef", "abcdXf", "abXdef", "aXcdef", "")]
    assert reached_by_part(hypotheses, references) == [5, 3, 2]
    assert reached_by_part(hypotheses, references, N_parts=2) == [5, 2]


def test_parts_of_a_sentence_begin_where_the_risk_counts_them():
    references, said = [list("abcd")] * 2, [list("abXd"), list("abcX")]
    assert risk_by_part(said, references) == [0, 1 / 2, 1]  # ab, c and d
    assert reached_by_part(said, references) == [2, 2, 1]


def test_the_risk_of_a_part_counts_words_that_were_reached():
    references = [list("abcdef"), list("abcdef"), list("abc")]
    hypotheses = [list("abcdef"), list("abXdXf"), list("Xbc")]
    assert risk_by_part(hypotheses, references) == [1 / 5, 1 / 3, 0 / 2]


def test_an_early_stop_is_a_wrong_word_and_a_word_too_many_is_none():
    assert risk_by_part([list("ab"), list("abcdX")], [list("abcd")] * 2, N_parts=2) == [
        0,
        1 / 3,
    ]


def test_where_none_is_an_answer_no_return_is_asked_for():
    verdict = check_first_error(lambda hypothesis, reference: None)
    assert verdict.diagnosis == "a law"
    assert "you return None, but the first wrong word" in verdict.says


def test_a_part_that_nobody_reaches_has_no_risk():
    first, second = risk_by_part([["x", "b"]], [["a", "b"]], N_parts=2)
    assert first == 1
    assert second != second


class OneBias(torch.nn.GRU):
    """A count by a module that merges the two biases."""

    def count(self):
        return sum(
            w.numel()
            for name, w in self.named_parameters()
            if not name.startswith("bias_hh")
        )


@pytest.mark.parametrize(
    ("count", "mistake"),
    [
        (lambda D_X, D_H: OneBias(D_X, D_H).count(), "You count one bias a block"),
        (
            lambda D_X, D_H: sum(
                w.numel() for w in torch.nn.LSTM(D_X, D_H).parameters()
            ),
            "You count four, as an LSTM. A GRU has three blocks",
        ),
        (
            lambda D_X, D_H: sum(
                w.numel() for w in torch.nn.RNN(D_X, D_H).parameters()
            ),
            "You count one block, as an RNN",
        ),
        (
            lambda D_X, D_H: sum(
                w.numel() for w in torch.nn.GRU(D_X, D_H, bias=False).parameters()
            ),
            "You count the matrices only",
        ),
        (
            lambda D_X, D_H: sum(rows * D_H for rows in 3 * [D_X, 2]),
            "You count no matrix for h_{t-1}",
        ),
        (lambda D_X, D_H: 3 * D_H * (2 * D_X + 2), "for h_{t-1} is D_H × D_X, but"),
        (lambda D_X, D_H: 3 * D_H * (D_X + D_H) + 2 * D_H, "each block has its own"),
        (lambda D_X, D_H: 3 * D_H * (D_X + D_H + 3), "you get 33759"),
    ],
)
def test_a_wrong_count_is_named(count, mistake):
    assert mistake in repr(check_gru_parameters(count))


def cut_the_wrong_ends(target):
    whole = [START, *target, STOP]
    return whole[1:], whole[:-1]


def without_a_shift(target):
    read, say = [], []
    for word in [*target, STOP]:
        read.append(word)
        say.append(word)
    return read, say


def inserted_into_the_target(target):
    target.insert(len(target), STOP)
    return [START] + target[:-1], list(target)  # noqa: RUF005


def cut_twice(target):
    whole = torch.tensor([START, *target])
    return whole[:-1].tolist(), whole[1:].tolist()


def remembered(target, read=[START]):  # noqa: B006
    read += target
    return list(read), [*target, STOP]


def over_the_last_word(target):
    say = [*target, STOP][-len(target) or None :]
    say[: len(target)] = [*target[:-1], STOP] if target else [STOP]
    return [START, *target][: len(say)], say


def under_two_names(target):
    read = say = [START, *target]
    say.append(STOP)
    return read, say


def as_text(target):
    return ["[START]", *target], [*target, "[STOP]"]


@pytest.mark.parametrize(
    ("shift", "mistake"),
    [
        (cut_the_wrong_ends, "one step ahead"),
        (without_a_shift, "reads the very word that it must say"),
        (inserted_into_the_target, "Your function writes into target"),
        (lambda target: (target.copy(), target + [STOP]), "read begins with [7]"),  # noqa: RUF005
        (
            lambda target: ([START, *target, STOP][:-1], [START, *target, STOP]),
            "[START] is also in what is said",
        ),
        (over_the_last_word, "[STOP] comes after the last word, not in its place."),
        (lambda target: teacher_forced(target[:-1]), "not in its place."),
        (lambda target: ([START] + target[:-1], target + [STOP]), "[:-1] is only for"),  # noqa: RUF005
        (under_two_names, "the same list, under two names?"),
        (lambda target: teacher_forced([*dict.fromkeys(target)]), "be [9, 7, 7, 8, 9]"),
        (lambda target: teacher_forced(sorted(target)), "be [9, 7, 7, 8, 9]"),
        (
            lambda target: teacher_forced([word for word, _ in groupby(target)]),
            "be [9, 7, 7, 8, 9]",
        ),
        (as_text, "read begins with ['[START]']"),
        (cut_twice, "say ends with [9]"),
        (
            lambda target: (
                [START, *target] if target else [],
                target + [STOP] * bool(target),
            ),
            "both lists are empty. Even an empty translation has a step",
        ),
        (lambda target: (map(int, target), None), "read is a map, expected a list"),
        (remembered, "remembered between calls (a list as a default argument"),
    ],
)
def test_a_wrong_shift_is_named(shift, mistake):
    assert mistake in repr(check_teacher_forced(shift))


def all_that_is_shared(hypothesis, reference):
    wrong = [
        k
        for k in range(min(len(hypothesis), len(reference)))
        if hypothesis[k] != reference[k]
    ]
    return wrong[0] if wrong else None


def truth_of_a_position(hypothesis, reference):
    found = None
    for k in range(max(len(hypothesis), len(reference))):
        if hypothesis[k : k + 1] != reference[k : k + 1] and not found:
            found = k
    return found


def keeps_the_last(hypothesis, reference):
    found = None
    for k, word in enumerate(hypothesis[: len(reference)]):
        if word != reference[k]:
            found = k
    if found is None and len(hypothesis) != len(reference):
        found = min(len(hypothesis), len(reference))
    return found


def by_identity(hypothesis, reference):
    k = 0
    while k < len(hypothesis) and k < len(reference) and hypothesis[k] is reference[k]:
        k += 1
    return None if k == len(hypothesis) == len(reference) else k


def loop_over_the_reference(hypothesis, reference):
    for k in range(len(reference)):
        if hypothesis[k] != reference[k]:
            return k
    return None


def aligned(hypothesis, reference):
    matcher = SequenceMatcher(None, hypothesis, reference, autojunk=False)
    edits = (edit for edit in matcher.get_opcodes() if edit[0] != "equal")
    return next((min(i, j) for _, i, _, j, _ in edits), None)


def as_bags(hypothesis, reference):
    if sorted(hypothesis) == sorted(reference):
        return None
    return first_error(hypothesis, reference)


def small_letters(hypothesis, reference):
    return first_error(*([w.lower() for w in it] for it in (hypothesis, reference)))


def only_if_there_are_words(hypothesis, reference):
    return first_error(hypothesis, reference) if hypothesis and reference else None


def lengths_first(hypothesis, reference):
    if len(hypothesis) != len(reference):
        return min(len(hypothesis), len(reference))
    return first_error(hypothesis, reference)


def all_but_the_last(hypothesis, reference):
    n = min(len(hypothesis), len(reference)) - 1
    if hypothesis[:n] != reference[:n] or len(hypothesis) != len(reference):
        return first_error(hypothesis, reference)
    return None


@pytest.mark.parametrize(
    ("find", "mistake"),
    [
        (aligned, "On a word that is written twice: you return 0, but the first"),
        (as_bags, "On a word in another place: you return None, but the first"),
        (small_letters, "position 1: 'El' where 'el' is due"),
        (only_if_there_are_words, "at the shorter one's length, 0"),
        (
            lambda *both: first_error(*both) if all(both) else 0,
            "none written: you return 0. No word is wrong: None.",
        ),
        (lengths_first, "On a wrong word, and too few: you return 3, but the first"),
        (all_but_the_last, "'pan' where 'sopa' is due"),
        (all_that_is_shared, "the error is at the shorter one's length, 2"),
        (
            keeps_the_last,
            "you return 3, but the first wrong word, counted from 0, is at position 1",
        ),
        (by_identity, "You compare with `is`"),
        (loop_over_the_reference, "Your code raised IndexError"),
        (truth_of_a_position, "0 counts as false"),
    ],
)
def test_a_wrong_search_is_named(find, mistake):
    assert mistake in repr(check_first_error(find))


def test_a_search_that_runs_off_the_end_is_shown_with_its_line_and_input():
    verdict = check_first_error(loop_over_the_reference)
    assert "IndexError" in verdict.says
    assert "if hypothesis[k] != reference[k]" in verdict.evidence
