"""What readers write about decoding, and what they are told; no case is a tie."""

import heapq
from itertools import pairwise

import numpy as np
import pytest
import torch

from attention_book.chapters.encoder_decoder.checks.decoding import (
    check_beam_search,
    check_greedy,
    check_words_right,
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


def nothing_if_cut_off(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        words.append(int(step(words).argmax()))
        if words[-1] == stop:
            return words[1:-1]
    return []


def filtered(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        words += [int(step(words).argmax())]
    return [word for word in words if word not in (start, stop)]


@pytest.mark.parametrize(
    ("function", "diagnosis", "says"),
    [
        (running_length, "a law", "you wrote 4 words with `max_words` 5"),
        (like_a_recurrent_net, "crash", "step takes all the words so far, [START] = 1"),
        (forgetting, "own words not shown", "with [START] every time"),
        (filtered, "a law", "[STOP] has P = 0.35"),
        (nothing_if_cut_off, "a law", "you return nothing where no [STOP] came"),
        (lambda step, start, stop, max_words: [], "a law", "after 1 you wrote [STOP]"),
    ],
)
def test_a_mistake_in_greedy_decoding_is_told_in_any_style(function, diagnosis, says):
    verdict = check_greedy(function)
    assert verdict.diagnosis == diagnosis
    assert says in verdict.says


def searching(
    *,
    per_word=True,
    copies=False,
    first=False,
    kept=True,
    frozen=True,
    own=False,
    unpruned=False,
    fewer=0,
    open_=True,
):
    """Beam search in lists of dictionaries, with switches for mistakes."""

    def search(step, start, stop, width, max_words):
        beam = [{"words": [start], "sum": 0.0}] * (width if copies else 1)
        done = []
        for _ in range(max_words):
            families = []
            for one in beam:
                log_p = step(one["words"])
                best = np.argsort(-log_p)[: max(1, width - fewer)]
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
        if not done and not open_:
            return []
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


def topk_of_too_few(step, start, stop, width, max_words):
    """Asks for `width` of the first words, however few there are."""
    torch.from_numpy(step((start,))).topk(width)
    return searching()(step, start, stop, width, max_words)


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
    ("function", "says"),
    [
        (free_slots, "what is finished in its slot"),
        (always_per_word, "compete for slots by log P per word"),
        (with_a_heap, "what is finished in its slot"),
        (last_scores, "with the largest sum of log P"),
        (searching(fewer=1), "with the largest sum of log P"),
        (searching(open_=False), "you return nothing where no [STOP] came"),
        (topk_of_too_few, "selected index k out of range"),
    ],
)
def test_a_mistake_in_another_search_is_told(function, says):
    assert says in check_beam_search(function).says


def never_the_same_twice(step, start, stop, max_words):
    words = [start]
    for _ in range(max_words):
        log_p = step(words)
        log_p[words] = -np.inf
        if int(log_p.argmax()) == stop:
            break
        words.append(int(log_p.argmax()))
    return words[1:]


def best_by(worth):
    """Beam search whose winner has the largest `worth`, of log P and of how many words
    there are with [START] and [STOP].
    """

    def search(step, start, stop, width, max_words):
        live, done = [(0.0, (start,))], []
        for _ in range(max_words):
            live = [
                (s + p, (*words, w))
                for s, words in live
                for w, p in enumerate(step(words))
            ]
            live = sorted(live, reverse=True)[: width - len(done)]
            done += [one for one in live if one[1][-1] == stop]
            live = [one for one in live if one[1][-1] != stop]
        best = max(done or live, key=lambda one: worth(one[0], len(one[1])))
        return [w for w in best[1][1:] if w != stop]

    return search


square_of_the_length = best_by(lambda log_p, N: log_p / N**2)
probability_per_word = best_by(lambda log_p, N: np.exp(log_p) / (N - 1))


@pytest.mark.parametrize(
    ("check", "function", "says"),
    [
        (check_greedy, never_the_same_twice, "has P ="),
        (check_greedy, with_the_end, "words holds 0, which is [STOP]"),
        (
            check_beam_search,
            searching(unpruned=True),
            "no more and no others",
        ),
        (check_greedy, lambda step, start, stop, max_words: [0.5], "which is no id"),
        (
            check_greedy,
            lambda step, start, stop, max_words: [4] * 9,
            "you wrote 9 words with `max_words` 5",
        ),
        (check_beam_search, square_of_the_length, "log P ="),
        (check_beam_search, probability_per_word, "and compare log P per word?"),
        (
            check_beam_search,
            lambda step, start, stop, width, max_words: [start],
            "which is [START]. Give back",
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
            words.append(int(step(words).argmax()))
        return words[1:-1]

    assert check_greedy(endless).diagnosis == "does not end"


def test_a_single_word_for_step_is_an_error_that_explains_itself():
    verdict = check_greedy(lambda step, start, stop, max_words: step(start))
    assert verdict.diagnosis == "crash"
    assert "step takes all the words so far" in verdict.says


def test_the_model_is_shown_in_full():
    verdict = check_beam_search(searching(per_word=False))
    step = check_beam_search.cases[1].inputs["step"]
    assert "step = log P, with P in row (sum of b and all words" in verdict.evidence
    assert len(repr(step)) < 400  # what a verdict shows
    np.testing.assert_allclose(np.exp(step.log_P).sum(axis=1), 1)
    np.testing.assert_array_equal(step((1, 3, 4)), step.log_P[8 % 5])
    of_many = check_words_right.cases[0].inputs["step"]
    after = of_many(2, torch.tensor([1, 3]))
    np.testing.assert_array_equal(after, of_many.log_P[6 % 5])


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
    for row in np.exp(case.inputs["step"].log_P):
        first, second = sorted(row)[:-3:-1]
        assert first - second > 0.005


def counting(**wrong):
    """Make a solution of `words_right` with another way to write, or to count."""

    def words_right(step, start, stop, references, max_words):
        written = []
        for b, reference in enumerate(references):
            words, seen = [start], wrong.get("seen", tuple)
            if wrong.get("shared") and written:
                words += written[-1]
            for _ in range(wrong["most"](reference) if "most" in wrong else max_words):
                words.append(int(step(b, seen(words)).argmax()))
                if words[-1] == stop and not wrong.get("endless"):
                    break
            kept = wrong.get("kept", stop)
            written.append([word for word in words[1:] if word != kept])
        return wrong.get("count", share)(written, references)

    return words_right


def share(written, references):
    pairs = zip(written, references, strict=True)
    return sum(sum(map(int.__eq__, *pair)) for pair in pairs) / sum(
        map(len, references)
    )


def whole_sentences(written, references):
    return sum(map(list.__eq__, written, references)) / len(references)


def wherever_they_stand(written, references):
    pairs = zip(written, references, strict=True)
    hits = sum(word in said for said, right in pairs for word in right)
    return hits / sum(map(len, references))


def of_the_longer(written, references):
    pairs = zip(written, references, strict=True)
    hits = sum(sum(map(int.__eq__, *pair)) for pair in pairs)
    return hits / sum(map(max, map(len, written), map(len, references)))


def to_the_end_of_the_output(written, references):
    hits = [
        r[i] == w
        for s, r in zip(written, references, strict=True)
        for i, w in enumerate(s)
    ]
    return sum(hits) / sum(map(len, references))


def with_stop(written, references):
    return share(*([[*each, -1] for each in some] for some in (written, references)))


def from_the_end(written, references):
    return share(*([each[::-1] for each in some] for some in (written, references)))


def without_b(step, start, stop, references, max_words):
    return step((start,))


def test_writing_alone_and_counting_words_is_right():
    assert check_words_right(counting())


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"count": whole_sentences}, "You give the share of sentences"),
        (
            {"count": wherever_they_stand},
            "[0 3 1 3] of the [1 5 1 5] in the references",
        ),
        ({"seen": lambda words: words[-1:]}, "step takes all the words so far"),
        ({"seen": lambda words: words[:1]}, "the share is off"),
        ({"most": len}, "the share is off"),
        ({"count": lambda written, _: share(written, written)}, "you get 1"),
        ({"count": of_the_longer}, "You divide by the longer of the two"),
        ({"count": to_the_end_of_the_output}, "IndexError"),
        ({"count": with_stop}, "You count [STOP] as a word"),
        ({"count": from_the_end}, "the share is off"),
        ({"count": lambda *both: 100 * share(*both)}, "the share in percent"),
        ({"count": lambda *both: 12 * share(*both)}, "the share is off"),
        ({"endless": True, "kept": None}, "Your model goes on after [STOP]"),
        ({"most": lambda reference: 3}, "one word less than `max_words`"),
        ({"shared": True}, "begins with what it wrote of the sentence before"),
    ],
)
def test_a_wrong_share_is_explained(wrong, says):
    assert says in check_words_right(counting(**wrong)).says


def test_the_number_of_the_sentence_is_asked_for():
    assert "argument: 'words'" in check_words_right(without_b).says


@pytest.mark.parametrize("case", check_words_right.cases, ids=lambda case: case.name)
def test_no_word_written_alone_is_a_tie(case):
    for row in np.exp(case.inputs["step"].log_P):
        first, second = sorted(row)[:-3:-1]
        assert first - second > 0.005
