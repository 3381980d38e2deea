"""What the widgets show is what the recorded models do."""

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.encoder_decoder import widgets
from attention_book.chapters.encoder_decoder.widgets import (
    ATTENTION,
    HARD,
    OPENS,
    SHOWN,
    TEACHER,
    beam_tree,
    cache,
    cross_attention,
    own_translation,
)
from attention_book.data import encode_sources
from attention_book.decoding import beam
from attention_book.widgets.functions import search_nodes

HEADS = ["1", "2", "3", "4", "mean"]
BEST = 3


@pytest.fixture(scope="module")
def two_blocks():
    return runs.load("transformer-two-blocks")


@pytest.fixture(scope="module")
def looked():
    return cross_attention()


@pytest.fixture(scope="module")
def network():
    return runs.load("transformer").network()


@pytest.fixture(scope="module")
def words():
    return runs.load("transformer").vocabularies


def written(network, words, text, silent=None, width=1):
    """What is written of a sentence, with heads of taps silenced."""
    source, visible = encode_sources([text.split()], words[0])
    change = {
        tap: [["off", [h in heads for h in (1, 2, 3, 4)]]]
        for tap, heads in (silent or {}).items()
    }
    inputs = {"source": source, "visible": visible}
    outputs, _ = network.answer("write", inputs, change, {"width": width, "most": 24})
    return outputs, " ".join(words[1].decode(outputs["ids"].tolist()))


def shown(widget, panel, *names):
    fields = widget.panels[panel].fields
    return [fields[name].at(widget.index) for name in names]


def kept_of(run, word):
    return next(one for one in run.kept("cross_attention") if word in one["source"])


@pytest.mark.parametrize("word", SHOWN)
def test_every_head_is_shown_where_it_looked_and_the_mean_is_their_mean(
    looked, two_blocks, word
):
    kept = kept_of(two_blocks, word)
    assert (kept["said"] != kept["target"]) == ("it errs" in SHOWN[word])
    for block in (1, 2):
        A = kept["A"][block - 1]
        for k, head in enumerate(HEADS):
            looked.setting = {"sentence": SHOWN[word], "block": block, "head": head}
            right = A.mean(axis=0) if head == "mean" else A[k]
            (values,) = shown(looked, 0, "values")
            (small,) = shown(looked, 1, "values")
            np.testing.assert_allclose(values, right, atol=1e-6)
            np.testing.assert_allclose(small[k], right, atol=1e-6)
    rows, columns, gold = shown(looked, 0, "rows", "columns", "gold")
    assert rows == [*kept["target"], "[STOP]"]
    assert columns == [*kept["source"], "[STOP]"]
    assert gold == sorted(map(list, kept["alignment"]))


def test_it_opens_where_an_adjective_is_written_and_the_noun_is_looked_at():
    widget = cross_attention()
    assert widget.setting == OPENS
    rows, columns, A = shown(widget, 0, "rows", "columns", "values")
    assert (rows[3], columns[A[3].argmax()]) == ("grosse", "apple")
    assert widget.summary.startswith("grosse (4 of 13) looks at apple (0.9")


@pytest.mark.parametrize(
    ("alone", "errs"),
    [
        ("du pain et du vin .", ""),
        ("du lait et du vin .", "lait"),
        ("le lait et du vin .", "le lait"),
        ("du pain et de bon vin .", "de bon"),
        ("du pain et vin .", "vin"),  # a word is left out: what stands there instead
        ("du pain et du .", "."),
        ("lait", "lait"),
    ],
)
def test_what_is_written_alone_is_said_where_it_is_not_right(alone, errs):
    assert widgets._errs(alone.split(), ["du", "pain", "et", "du", "vin", "."]) == errs


CROSS, OWN, FIRST, SECOND = ATTENTION.values()
APPLE, AUGUST = "i ate a big apple", "a european house in august"
ALL = (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("text", "silent", "right"),
    [
        (TEACHER, {}, "ils n' ont pas vu notre professeur"),
        *(
            (TEACHER, {CROSS: [head]}, "ils n' ont pas vu notre professeur")
            for head in (1, 2, 3)
        ),
        (TEACHER, {CROSS: [4]}, "ils ont vu de notre professeur"),
        (APPLE, {}, "j' ai mangé une grosse pomme"),
        (APPLE, {CROSS: [1]}, "j' ai mangé une pomme"),
        (TEACHER, {FIRST: ALL}, "ils n' ont pas vu notre professeur"),
        (TEACHER, {SECOND: ALL}, "ils n' ont pas vu notre professeur"),
        (AUGUST, {}, "une maison européenne a vu en août"),
        (AUGUST, {FIRST: ALL}, "une maison européenne en août"),
        (AUGUST, {SECOND: ALL}, "une maison européenne en août"),
    ],
)
def test_silenced_heads_cost_what_the_chapter_says(network, words, text, silent, right):
    assert written(network, words, text, silent)[1] == right


def test_without_a_look_at_the_source_or_itself_it_writes_what_the_chapter_says(
    network, words
):
    blind = {
        written(network, words, text, {CROSS: ALL})[1] for text in (TEACHER, APPLE)
    }
    assert len(blind) == 1
    alone = written(network, words, TEACHER, {OWN: ALL})[1].split()
    assert alone[:6] == ["ils"] * 6


def test_only_head_4_looks_at_not_when_n_is_written():
    widget = own_translation()
    said, read, A = shown(widget, 1, "rows", "columns", "values")
    looked = [read[int(a.argmax())] for a in A[:, said.index("n'")]]
    assert looked == ["did", "did", "did", "not"]
    widget.setting = {"attention": "decoder's own"}
    rows, columns = shown(widget, 1, "rows", "columns")
    assert [columns[0], *rows[:-1]] == ["[START]", *columns[1:]]


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("text", HARD)
def test_the_winner_of_the_tree_is_the_one_that_beam_search_gives(
    network, words, text, width
):
    outputs, _ = written(network, words, text, width=width)
    tree = (outputs[f"tree_{name}"] for name in ("words", "parents", "scores"))
    row, _, _, word, score, state = search_nodes(*(x.astype(float) for x in tree), 16.0)
    best = beam(network.model, *encode_sources([text.split()], words[0]), width=width)
    (found, *_), on_way = best.hypotheses[0], state == BEST
    assert word[on_way].tolist() == [1, *found.ids, 2]
    assert score[on_way][-1] == pytest.approx(found.score, abs=1e-5)
    assert (np.diff(row[on_way]) == 1).all()


WON = {
    HARD[0]: ["notre enfant", *["notre grand enfant"] * 2],
    HARD[1]: [
        "une maison européenne a vu en août",
        *["une maison européenne en août"] * 2,
    ],
    HARD[2]: [
        "ces gros enfants ont visité cette voiture",
        "les grands enfants ont visité cette voiture",
        "petits enfants ont visité cette voiture",
    ],
}


@pytest.mark.parametrize("text", HARD)
def test_beams_write_what_the_chapter_says(network, words, text):
    said = [written(network, words, text, width=width)[1] for width in (1, 2, 3)]
    assert said == WON[text]


def test_the_tree_opens_with_what_greedy_search_writes_ahead_though_it_loses():
    widget = beam_tree()
    for step, won in ((2, "notre enfant"), (9, "notre grand enfant [STOP]")):
        widget.setting = {"step": step}
        names, states = shown(widget, 0, "words", "states")
        assert " ".join(np.array(names)[states == BEST]) == f"[START] {won}"


def test_a_step_makes_one_row_of_the_cache_and_changes_none():
    widget = cache()
    grown = []
    for step in widget.controls[0].values:
        widget.setting = {"step": step}
        grown.append(shown(widget, 0, "values")[0])
    assert [len(keys) for keys in grown] == list(range(1, 9))
    for keys in grown:
        np.testing.assert_array_equal(keys, grown[-1][: len(keys)])
