"""The metrics on cases that can be worked out by hand."""

import math

import pytest
import sacrebleu

from attention_book.metrics import bleu, exact_match, token_accuracy

REFERENCES = [["a", "b", "c", "d", "e"], ["f", "g", "h", "i"]]


@pytest.mark.parametrize(
    ("hypotheses", "share"),
    [
        (REFERENCES, 1.0),
        ([("a", "b", "c", "d", "e"), []], 0.5),
        ([["a", "b", "c", "d"], ["f", "g", "h", "i", "j"]], 0.0),
    ],
)
def test_exact_match_counts_whole_sentences(hypotheses, share):
    assert exact_match(hypotheses, REFERENCES) == share


@pytest.mark.parametrize(
    ("hypotheses", "share"),
    [
        (REFERENCES, 1.0),
        ([["a", "b", "x", "d", "e"], ["f"]], 5 / 9),
        ([["a"] * 5, ["f"] * 4], 2 / 9),
        ([["b", "c", "d", "e"], ["f", "g", "h", "i", "j", "k"]], 4 / 9),
        ([[], []], 0.0),
    ],
)
def test_token_accuracy_counts_words_at_their_own_place(hypotheses, share):
    assert token_accuracy(hypotheses, REFERENCES) == pytest.approx(share)


def test_bleu_agrees_with_the_formula_worked_by_hand():
    hypothesis, reference = (
        list("abcdxf"),
        list("abcdef"),
    )  # n-grams met: 5/6, 3/5, 2/4, 1/3; same length
    expected = 100 * math.prod([5 / 6, 3 / 5, 2 / 4, 1 / 3]) ** 0.25
    assert bleu([hypothesis], [reference]) == pytest.approx(expected)


CAT = [*map(str.split, ("the cat is on the mat", "there is a cat on the mat"))]
HE, CAR = [*map(str.split, ("he eats", "we see a red car today"))]
SEVERAL = [CAT, [HE], CAR]  # one alone needs no list of its own
SAID = [*map(str.split, ("there is a cat on a mat", "he eats", "we see the red car"))]


def test_bleu_with_several_references_is_sacrebleus():
    streams = [
        ["the cat is on the mat", "he eats", "we see a red car today"],
        ["there is a cat on the mat", None, None],
    ]
    said = [" ".join(sentence) for sentence in SAID]
    oracle = sacrebleu.corpus_bleu(said, streams, tokenize="none", force=True).score
    assert bleu(SAID, SEVERAL) == pytest.approx(oracle)
    first = [SEVERAL[0][0], SEVERAL[1][0], SEVERAL[2]]
    assert bleu(SAID, first) < oracle < 100
    assert bleu(SAID, [[one] for one in first]) == bleu(SAID, first)


def test_an_exact_match_is_one_with_any_reference():
    assert exact_match([SEVERAL[0][1], *SAID[1:]], SEVERAL) == pytest.approx(2 / 3)
    assert exact_match([SEVERAL[0][0], *SAID[1:]], SEVERAL) == pytest.approx(2 / 3)
    assert exact_match(SAID, SEVERAL) == pytest.approx(1 / 3)


def test_token_accuracy_names_several_references(as_a_reader):
    with pytest.raises(TypeError, match="several references, expected one"):
        token_accuracy(SAID, SEVERAL)


@pytest.mark.parametrize("metric", [exact_match, bleu])
@pytest.mark.parametrize(
    ("references", "error", "says"),
    [
        ([[["a"], []]], ValueError, "a reference is empty"),
        ([[[]]], ValueError, "a reference is empty"),
        ([["a b", "a c"]], ValueError, r"references\[0\] holds 'a b', expected words"),
        ([[["a b"], ["a"]]], ValueError, "without a space"),
        ([[["a\u00a0b"], ["a"]]], ValueError, "without a space"),
        ([["a", ["b"]]], TypeError, r"references\[0\] is the string 'a'"),
        ([["a"], ["b"]], ValueError, "stand in a list of their own"),
    ],
)
def test_bad_references_are_named(as_a_reader, metric, references, error, says):
    with pytest.raises(error, match=says):
        metric([["a"]], references)


@pytest.mark.parametrize("metric", [exact_match, token_accuracy, bleu])
@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "says"),
    [
        ([["a"]], REFERENCES, ValueError, "1 hypotheses but 2 references"),
        ([], [], ValueError, "empty"),
        (["a b", "c"], REFERENCES, TypeError, r"hypotheses\[0\] is the string 'a b'"),
        (REFERENCES, ["a b c", ["d"]], TypeError, r"references\[0\]"),
        (REFERENCES, [["a"], []], ValueError, "a reference is empty"),
    ],
)
def test_bad_input_is_named(as_a_reader, metric, hypotheses, references, error, says):
    with pytest.raises(error, match=says):
        metric(hypotheses, references)
