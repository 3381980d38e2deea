"""What the chapter says of its figures, put through the networks that they run."""

import pytest

from attention_book import runs
from attention_book.chapters.masks_and_heads.sentences import WORDS
from attention_book.chapters.masks_and_heads.widgets import (
    ASKED,
    MASKS,
    SAID,
    WRITERS,
    four_heads,
    peeking,
)
from attention_book.data import START

SENTENCE = "someone told everyone that the very"
NONSENSE = "because told because the the because"


@pytest.mark.parametrize(
    ("trained", "mask", "chance", "written"),
    [
        ("without the mask", "all", 1.00, NONSENSE),
        ("without the mask", "causal", 0.40, NONSENSE),
        ("with the mask", "all", 0.63, SENTENCE),
        ("with the mask", "causal", 0.63, SENTENCE),
        ("with the mask", "window", 0.46, "someone told everyone that and egg"),
    ],
)
def test_the_one_that_peeked_scores_best_and_writes_nonsense(
    trained, mask, chance, written
):
    network = runs.load(WRITERS[trained]).network()
    given = {"source": [[START, *WORDS.encode(SAID[1:])]]}
    change = {"attend": [["masked", MASKS[mask]]]}
    read, _ = network.answer("read", given, change, {})
    wrote, _ = network.answer("write", given, change, {"most": len(SAID)})
    assert read["chance"].mean() == pytest.approx(chance, abs=0.005)
    assert " ".join(WORDS.words[int(i)] for i in wrote["ids"]) == written


@pytest.mark.parametrize(
    ("last", "silent", "answers"),
    [
        ("flooded", [], "hana max almost house"),
        ("flooded", [1], "hana max almost -"),
        ("flooded", [2], "fay max almost house"),
        ("flooded", [3], "hana gus almost house"),
        ("flooded", [4], "hana max was house"),
        ("salty", [], "hana max almost cheese"),
        ("salty", [1], "hana max almost cheese"),
        ("salty", [4], "hana max rather -"),
    ],
)
def test_a_silent_head_takes_its_answer_away_and_once_another(last, silent, answers):
    words = [*ASKED.split()[:-1], last]
    off = [float(k in silent) for k in range(1, 5)]
    given = {"source": [WORDS.encode(words)], "visible": [[True] * len(words)]}
    network, change = runs.load("heads-4").network(), {"attend": [["off", off]]}
    said, _ = network.answer("read", given, change, {})
    found = [WORDS.words[i] for i in said["logits"].argmax(axis=-1)]
    assert " ".join(found) == answers


def test_they_open_in_the_state_that_makes_the_point():
    _, _, score, written = peeking().static_text()
    assert score.endswith("with the mask 0.63; without the mask 1.00.")
    assert written == f"it writes: {NONSENSE}"
    answers = "speaker: hana; hearer: max; before: almost; noun: house"
    assert four_heads().static_text()[-1] == f"it answers: {answers}"
