"""What readers write about decoding, and what they are told; no case is a tie."""

import copy
import heapq
from itertools import pairwise

import numpy as np
import pytest
import torch

from attention_book.chapters.encoder_decoder.checks.decoding import (
    check_beam_search,
    check_greedy,
)


def running_length(step, start, stop, max_words):
    words = [start]
    while len(words) < max_words and words[-1] != stop:
        words.append(int(step(words).argmax()))
    return [word for word in words[1:] if word != stop]


def like_a_recurrent_net(step, start, stop, max_words):
    word, written = start, []
    for _ in range(max_words):
        word = int(np.argmax(step([word])))
        if word == stop:
            return written
        written.append(word)
    return written


def forgetting(step, start, stop, max_words):
    written = []
    log_p = torch.from_numpy(step((start,)))
    for _ in range(max_words):
        word = log_p.argmax().item()
        if word == stop:
            break
        written.append(word)
    return written


def with_the_end(step, start, stop, max_words):
    written = torch.tensor([start])
    for _ in range(max_words):
        written = torch.cat([written, torch.tensor(step(written)).argmax().view(1)])
        if written[-1] == stop:
            break
    return written[1:].tolist()


def filtered(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        words += [int(step(words).argmax())]
    return [word for word in words if word not in (start, stop)]


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (running_length, "one word too few"),
        (like_a_recurrent_net, "only the last word shown"),
        (forgetting, "own words not shown"),
        (filtered, "goes on after [STOP] and takes it out in the end"),
    ],
)
def test_a_known_mistake_in_greedy_decoding_is_named_in_any_style(function, diagnosis):
    assert check_greedy(function).diagnosis == diagnosis


def searching(
    *,
    per_word=True,
    copies=False,
    first=False,
    kept=True,
    frozen=True,
    own=False,
    unpruned=False,
):
    """Beam search in lists of dictionaries, with switches for mistakes."""

    def search(step, start, stop, width, max_words):
        beam = [{"words": [start], "sum": 0.0}] * (width if copies else 1)
        done = []
        for _ in range(max_words):
            families = []
            for one in beam:
                log_p = step(one["words"])
                best = np.argsort(-log_p)[:width]
                families.append(
                    [
                        {"words": [*one["words"], int(w)], "sum": one["sum"] + log_p[w]}
                        for w in best
                    ]
                )
            if own and len(beam) > 1:
                families = [family[:1] for family in families]
            longer = sorted(
                [one for family in families for one in family],
                key=lambda one: -one["sum"],
            )
            if not unpruned:
                longer = longer[: width - (len(done) if kept else 0)]
            done += [one for one in longer if one["words"][-1] == stop and frozen]
            beam = [one for one in longer if one["words"][-1] != stop or not frozen]
            if first and done:
                break
        length = (lambda one: len(one["words"]) - 1) if per_word else (lambda one: 1)
        best = max(done or beam, key=lambda one: one["sum"] / length(one))
        return [w for w in best["words"][1:] if w != stop]

    return search


def test_without_a_mistake_it_is_right():
    assert check_beam_search(searching())


@pytest.mark.parametrize(
    ("mistake", "diagnosis"),
    [
        ({"per_word": False}, "log P not divided by the length"),
        ({"copies": True}, "width ignored"),
        ({"first": True}, "ends with the first sentence"),
        ({"kept": False}, "sentences leave their slot to others"),
        ({"frozen": False}, "goes on after [STOP]"),
        ({"own": True}, "no competition between beginnings"),
    ],
)
def test_a_known_mistake_in_beam_search_is_named_in_any_style(mistake, diagnosis):
    assert check_beam_search(searching(**mistake)).diagnosis == diagnosis


def with_a_heap(step, start, stop, width, max_words):
    """Probabilities multiplied; finished ones stay in the heap, until pushed out."""
    heap = [(1.0, [start])]
    for _ in range(max_words):
        longer = []
        for p, words in heap:
            if words[-1] == stop:
                longer.append((p, words))
            else:
                longer += [
                    (p * q, [*words, word])
                    for word, q in enumerate(np.exp(step(words)).tolist())
                ]
        heap = heapq.nlargest(width, longer)
    done = [
        (p ** (1 / (len(words) - 1)), words[1:-1])
        for p, words in heap
        if words[-1] == stop
    ]
    return max(done or [(p, words[1:]) for p, words in heap])[1]


def last_scores(step, start, stop, width, max_words):
    """Tensors; the new scores take the place of the old ones."""
    live, done = [[start]], []
    for _ in range(max_words):
        if not live:
            break
        scores = torch.stack([torch.from_numpy(step(words)) for words in live])
        best, place = scores.flatten().topk(min(width - len(done), scores.numel()))
        found = [
            (s, [*live[k // scores.shape[1]], k % scores.shape[1]])
            for s, k in zip(best, place.tolist(), strict=True)
        ]
        done += [
            (float(s) / (len(words) - 1), words[1:-1])
            for s, words in found
            if words[-1] == stop
        ]
        live = [words for _, words in found if words[-1] != stop]
        open_ = [
            (float(s) / (len(words) - 1), words[1:])
            for s, words in found
            if words[-1] != stop
        ]
    return max(done or open_)[1]


def free_slots(step, start, stop, width, max_words):
    """As in many libraries: more continuations than slots, `width` always go on."""
    live, done = [((start,), 0.0)], []
    while len(live[0][0]) <= max_words and len(done) < width:
        longer = [
            ((*words, w), s + p) for words, s in live for w, p in enumerate(step(words))
        ]
        longer = sorted(longer, key=lambda one: one[1])[: -2 * width - 1 : -1]
        done += [one for one in longer[:width] if one[0][-1] == stop]
        live = [one for one in longer if one[0][-1] != stop][:width]
    best = max(done or live, key=lambda one: one[1] / (len(one[0]) - 1))[0]
    return [*best[1:-1]] if done else [*best[1:]]


def always_per_word(step, start, stop, width, max_words):
    beam = [(0.0, 0.0, (start,))]
    for t in range(1, max_words + 1):
        longer = [one for one in beam if one[2][-1] == stop]
        for _, s, words in beam:
            if words[-1] != stop:
                longer += [
                    ((s + p) / t, s + p, (*words, w)) for w, p in enumerate(step(words))
                ]
        beam = heapq.nlargest(width, longer)
    return [
        w
        for w in next((one for one in beam if one[2][-1] == stop), beam[0])[2][1:]
        if w != stop
    ]


@pytest.mark.parametrize(
    ("function", "diagnosis"),
    [
        (free_slots, "sentences leave their slot until `width` are finished"),
        (always_per_word, "compared per word while searching"),
        (with_a_heap, "sentences compete with beginnings"),
        (last_scores, "score of the last word only"),
    ],
)
def test_a_known_mistake_in_another_search_is_named(function, diagnosis):
    assert check_beam_search(function).diagnosis == diagnosis


def never_the_same_twice(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        log_p = step(words)
        log_p[words] = -np.inf
        if int(log_p.argmax()) == stop:
            break
        words.append(int(log_p.argmax()))
    return words[1:]


def square_of_the_length(step, start, stop, width, max_words):
    found = []
    live = [(0.0, (start,))]
    for _ in range(max_words):
        live = [
            (s + p, (*words, w)) for s, words in live for w, p in enumerate(step(words))
        ]
        live = sorted(live, reverse=True)[: width - len(found)]
        found += [one for one in live if one[1][-1] == stop]
        live = [one for one in live if one[1][-1] != stop]
    best = max(found or live, key=lambda one: one[0] / len(one[1]) ** 2)
    return [w for w in best[1][1:] if w != stop]


@pytest.mark.parametrize(
    ("check", "function", "says"),
    [
        (check_greedy, never_the_same_twice, "has P ="),
        (check_greedy, with_the_end, "words holds 2, which is [STOP]"),
        (check_beam_search, searching(unpruned=True), "do you keep more than `width`"),
        (check_greedy, lambda step, start, stop, max_words: [0.5], "which is no id"),
        (
            check_greedy,
            lambda step, start, stop, max_words: [4] * 9,
            "and max_words is",
        ),
        (check_beam_search, square_of_the_length, "log P ="),
        (
            check_beam_search,
            lambda step, start, stop, width, max_words: [start],
            "which is [START]",
        ),
    ],
)
def test_a_mistake_that_nobody_recorded_breaks_a_law(check, function, says):
    verdict = check(function)
    assert verdict.diagnosis == "a law"
    assert says in verdict.says


def test_a_loop_without_a_limit_is_named():
    def endless(step, start, stop, max_words):
        words = [start]
        while words[-1] != stop:
            words.append(int(step(words[-2:]).argmax()))
        return words[1:-1]

    assert check_greedy(endless).diagnosis == "does not end"


def test_a_single_word_for_step_is_an_error_that_explains_itself():
    verdict = check_greedy(lambda step, start, stop, max_words: step(start))
    assert verdict.diagnosis == "crash"
    assert "step takes all the words so far" in verdict.says


def test_the_model_is_shown_in_full_and_equals_its_copy():
    verdict = check_beam_search(searching(per_word=False))
    assert "... 1     | .04 .02 .31 .06 .57" in verdict.evidence
    for check in (check_greedy, check_beam_search):
        for case in check.cases:
            step = case.inputs["step"]
            assert len(repr(step)) < 400  # what a verdict shows
            assert copy.deepcopy(step) == step
            assert all(
                sum(row) == pytest.approx(1)
                for _, row in [*step.after, ((), step.otherwise)]
            )


@pytest.mark.parametrize("case", check_beam_search.cases, ids=lambda case: case.name)
def test_no_choice_of_the_search_is_a_tie(case):
    step, start, stop, width, max_words = case.inputs.values()
    live, done = [((start,), 0.0)], []
    for _ in range(max_words):
        longer = [
            ((*words, w), s + p) for words, s in live for w, p in enumerate(step(words))
        ]
        longer.sort(key=lambda one: -one[1])
        room = width - len(done)
        assert all(a[1] - b[1] > 0.01 for a, b in pairwise(longer[: room + 1]))
        done += [one for one in longer[:room] if one[0][-1] == stop]
        live = [one for one in longer[:room] if one[0][-1] != stop]
    scores = sorted(s / (len(words) - 1) for words, s in (done or live))
    assert len(scores) < 2 or scores[-1] - scores[-2] > 0.01


@pytest.mark.parametrize("case", check_greedy.cases, ids=lambda case: case.name)
def test_no_choice_of_greedy_decoding_is_a_tie(case):
    for _, row in [*case.inputs["step"].after, ((), case.inputs["step"].otherwise)]:
        first, second = sorted(row)[:-3:-1]
        assert first - second > 0.005
