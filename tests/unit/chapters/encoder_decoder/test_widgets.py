"""What the widgets show is what the recorded models do."""

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.encoder_decoder.cross_attention import (
    Looked,
)
from attention_book.chapters.encoder_decoder.cross_attention import (
    cross_attention as made,
)
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


def said(widget):
    """What is read out at the setting."""
    summary, index = widget.spec["summary"], widget.index
    which = 0
    for k in summary["by"]:
        which = which * len(widget.controls[k].values) + index[k]
    return summary["of"][which]


def kept_of(run, word):
    return next(one for one in run.kept("cross_attention") if word in one["source"])


@pytest.mark.parametrize("word", SHOWN)
def test_every_head_is_shown_where_it_looked_and_the_mean_is_their_mean(
    looked, two_blocks, word
):
    A = kept_of(two_blocks, word)["A"]
    for block in (1, 2):
        for k, head in enumerate(HEADS):
            looked.setting = {
                "sentence": SHOWN[word],
                "block": block,
                "head": head,
            }
            right = A[block - 1].mean(axis=0) if head == "mean" else A[block - 1, k]
            (values,) = shown(looked, 0, "values")
            (small,) = shown(looked, 1, "values")
            np.testing.assert_allclose(values, right, atol=1e-6)
            np.testing.assert_allclose(small[k], right, atol=1e-6)


@pytest.mark.parametrize("word", SHOWN)
def test_words_and_gold_links_are_the_sentences_own(looked, two_blocks, word):
    kept = kept_of(two_blocks, word)
    looked.setting = {"sentence": SHOWN[word]}
    rows, columns, gold = shown(looked, 0, "rows", "columns", "gold")
    assert rows == [*kept["target"], "[STOP]"]
    assert columns == [*kept["source"], "[STOP]"]
    assert gold == sorted(map(list, kept["alignment"]))


def test_a_sentence_that_is_said_to_err_errs_and_the_others_do_not(two_blocks):
    for word, name in SHOWN.items():
        kept = kept_of(two_blocks, word)
        assert (kept["said"] != kept["target"]) == ("it errs" in name), name


def test_it_reads_out_the_strongest_input_and_the_figures_of_the_head(
    looked, two_blocks
):
    whole = two_blocks.table("test", "exact_match")[0].mean()
    heads = {
        name: two_blocks.per_seed("heads", name)[0]
        for name in ("aer", "without", "blocks_aer", "without_block")
    }
    for word, name in SHOWN.items():
        kept = kept_of(two_blocks, word)
        source = [*kept["source"], "[STOP]"]
        gold = set(map(tuple, kept["alignment"]))
        for block in (1, 2):
            for k, head in enumerate(HEADS):
                A = kept["A"][block - 1]
                A = A.mean(axis=0) if head == "mean" else A[k]
                at = (block - 1,) if head == "mean" else (block - 1, k)
                names = ("blocks_aer", "without_block") if head == "mean" else None
                aer, right = (heads[n][at] for n in names or ("aer", "without"))
                what = "all blinded" if head == "mean" else "blinded"
                alone = "économique européen sur la zone"
                errs = f" Alone: …{alone}…" if word == "economic" else ""
                for j, target in enumerate(kept["target"]):
                    looked.setting = {
                        "sentence": name,
                        "block": block,
                        "head": head,
                        "word": j + 1,
                    }
                    best = int(A[j].argmax())
                    judged = "gold" if (best, j) in gold else "not gold"
                    assert said(looked) == (
                        f"{target} ({j + 1} of {len(kept['target']) + 1}) looks at "
                        f"{source[best]} ({A[j, best]:.2f}), "
                        f"{judged}. Test set: alignment error {aer:.2f}; right "
                        f"{whole:.0%}, {what} (equal weights) {right:.0%}.{errs}"
                    )


def test_a_row_without_gold_and_the_end_of_a_brief_sentence_are_said(looked):
    looked.setting = {"sentence": SHOWN["bread"], "block": 1, "head": "1", "word": 5}
    assert said(looked).startswith("[STOP] (5 of 5) looks at [STOP] (")
    assert "no gold link" in said(looked)
    looked.setting = {"word": 6}
    assert said(looked) == "Nothing here: the sentence has 5 words."


def test_one_head_of_the_first_block_can_be_spared_least_by_far(two_blocks):
    right = two_blocks.per_seed("heads", "without")[0]
    assert np.unravel_index(right.argmin(), right.shape) == (0, 3)
    assert right.min() < 0.7
    assert np.sort(right.ravel())[1] > 0.8


def test_it_opens_where_an_adjective_is_written_and_the_noun_is_looked_at():
    widget = cross_attention()
    assert widget.setting == OPENS
    assert said(widget).startswith("grosse (4 of 13) looks at apple (0.9")
    rows, columns = shown(widget, 0, "rows", "columns")
    assert rows[3] == "grosse"
    assert "big" in columns
    assert widget.spec["title"] == "Where 2 decoder blocks look"
    assert widget.panels[0].options["names"] == ["shown", "looks at"]
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760


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
    target = ["du", "pain", "et", "du", "vin", "."]
    A = np.full((1, 1, 6, 1), 1.0)
    assert Looked(["we"], target, frozenset(), A, alone.split()).errs() == errs


A = np.full((2, 2, 2, 3), 1 / 3)
ONE = Looked(
    ["we", "eat", "[STOP]"], ["mangeons", "[STOP]"], frozenset({(1, 0)}), A, ["nous"]
)
FIGURES = np.full((2, 3), 0.25)
SET = {"sentence": "one", "word": 1, "block": 1, "head": "1"}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Looked(["we"], ["nous"], frozenset(), A, ["nous"]), "A has shape"),
        (
            lambda: Looked(
                ["we"], ["nous"], frozenset(), np.nan * A[:, :, :1, :1], ["nous"]
            ),
            "A has a row that sums to nan",
        ),
        (
            lambda: Looked(["we"], ["nous"], {(9, 9)}, np.ones((1, 1, 1, 1)), ["nous"]),
            r"gold has \(9, 9\)",
        ),
        (lambda: Looked([], ["nous"], frozenset(), A, ["nous"]), "source is empty"),
        (lambda: Looked(["we"], ["nous"], frozenset(), A, []), "alone is empty"),
        (lambda: made({}, FIGURES, 1.0, FIGURES, start=SET), "sentences is empty"),
        (
            lambda: made({"one": ONE}, FIGURES[:, :2], 1.0, FIGURES, start=SET),
            "aer has",
        ),
        (lambda: made({"one": ONE}, FIGURES, 1.0, FIGURES.T, start=SET), "blinded has"),
        (
            lambda: made({"one": ONE}, FIGURES, 1.0, FIGURES, start=SET | {"word": 3}),
            "word",
        ),
    ],
)
def test_what_does_not_fit_is_named(call, message, as_a_reader):
    with pytest.raises(ValueError, match=message):
        call()


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
