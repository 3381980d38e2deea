"""What the widgets show is what the recorded models do."""

import numpy as np
import pytest
import torch

from attention_book import runs
from attention_book.chapters.encoder_decoder.beam_tree import (
    BY,
    PER_WORD,
    SENTENCE,
    SENTENCES,
    STEP,
    SUM,
    WIDTH,
    WIDTHS,
    Search,
)
from attention_book.chapters.encoder_decoder.cross_attention import (
    Looked,
)
from attention_book.chapters.encoder_decoder.cross_attention import (
    cross_attention as made,
)
from attention_book.chapters.encoder_decoder.widgets import (
    OPENS,
    SHOWN,
    beam_tree,
    cross_attention,
)
from attention_book.data import START as BEGIN
from attention_book.data import STOP, encode_sources
from attention_book.decoding import beam, greedy
from attention_book.decoding.beam import BeamTree

HEADS = ["1", "2", "3", "4", "mean"]
LATER, KEPT, ABANDONED, BEST = range(4)


@pytest.fixture(scope="module")
def two_blocks():
    return runs.load("transformer-two-blocks")


@pytest.fixture(scope="module")
def looked():
    return cross_attention()


@pytest.fixture(scope="module")
def searched():
    return beam_tree()


@pytest.fixture(scope="module")
def model():
    return runs.load("transformer").model()


@pytest.fixture(scope="module")
def words():
    return runs.load("transformer").recipe.task.vocabularies


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


def search_of(searched, sentence, width):
    """The tree as it is shown, with the states left out."""
    searched.setting = {SENTENCE: sentence, WIDTH: width}
    return shown(searched, 0, "words", "places", "parents", "values")


def way(parents, node):
    return [] if node < 0 else [*way(parents, int(parents[node])), node]


@pytest.mark.parametrize("sentence", SENTENCES)
@torch.no_grad()
def test_what_stands_beside_a_word_is_log_P_of_all_down_to_it(
    searched, model, words, sentence
):
    source, visible = encode_sources([SENTENCES[sentence][0].split()], words["source"])
    for width in WIDTHS:
        names, places, parents, values = search_of(searched, sentence, width)
        assert names[0] == "[START]"
        assert values[0] == "0.00"
        for node in range(1, len(names)):
            path = way(parents, node)
            assert len(path) - 1 == places[node, 0], "its row is its number of words"
            ids = words["target"].encode([names[i] for i in path[1:]])
            target_in = torch.tensor([[BEGIN, *ids[:-1]]])
            log_P = model(source, visible, target_in)[0].log_softmax(-1)
            total = log_P[range(len(ids)), ids].sum().item()
            digits = 2
            if ids[-1] == STOP:
                total, digits = total / len(ids), 3
            shown = float(values[node].replace("\N{MINUS SIGN}", "-"))
            assert shown == pytest.approx(total, abs=0.6 * 0.1**digits)
            assert len(values[node].partition(".")[2]) == digits


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_winner_is_the_one_that_beam_search_gives(searched, model, words, sentence):
    inputs = encode_sources([SENTENCES[sentence][0].split()], words["source"])
    for name, width in WIDTHS.items():
        found = beam(model, *inputs, width=width).hypotheses[0]
        for by in (PER_WORD, SUM):
            searched.setting = {SENTENCE: sentence, WIDTH: name, STEP: 8, BY: by}
            names, states = shown(searched, 0, "words", "states")
            won = [names[i] for i in np.flatnonzero(states == BEST)]
            best = max(found, key=lambda h: h.log_probability if by == SUM else h.score)
            right = " ".join(words["target"].decode(best.ids))
            assert " ".join(won) == f"[START] {right} [STOP]"
            scores = [h.log_probability if by == SUM else h.score for h in found]
            decides = ", next ".join(
                f"{score:z.3f}".replace("-", "\N{MINUS SIGN}")
                for score in sorted(scores, reverse=True)[:2]
            )
            what = "log P" if by == SUM else "per word"
            source, due = SENTENCES[sentence]
            assert said(searched) == (
                f"Winner: {right}; {what} {decides}. Source: {source}. Right: {due}."
            )


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_beam_of_one_is_greedy(searched, model, words, sentence):
    inputs = encode_sources([SENTENCES[sentence][0].split()], words["source"])
    (ids,) = greedy(model, *inputs).ids
    names, *_ = search_of(searched, sentence, "1 (greedy)")
    assert names == ["[START]", *words["target"].decode(ids), "[STOP]"]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_is_abandoned_begins_nothing_that_is_in_the_race(searched, sentence):
    for width in WIDTHS:
        names, places, parents, _ = search_of(searched, sentence, width)
        for step in range(1, 9):
            searched.setting = {STEP: step}
            (states,) = shown(searched, 0, "states")
            there = places[:, 0] <= step
            assert ((states == LATER) == ~there).all()
            racing = [
                node
                for node in np.flatnonzero(there)
                if places[node, 0] == step or names[node] == "[STOP]"
            ]
            begins = {i for node in racing for i in way(parents, node)}
            for node in np.flatnonzero(there):
                assert (states[node] == ABANDONED) == (node not in begins)
            best = np.flatnonzero(states == BEST)
            assert best[-1] in racing
            assert way(parents, best[-1]) == best.tolist()


def test_no_step_is_idle(searched):
    assert searched.controls[1].values == tuple(range(1, 9))
    for sentence in SENTENCES:
        for width in WIDTHS:
            _, places, *_ = search_of(searched, sentence, width)
            assert places[:, 0].max() == 8


# What was read off once: of each sentence the winners with one, two and three beams by
# log P per word, and with three by log P
WINNERS = [
    [
        "une maison européenne a vu en août",
        *["une maison européenne en août"] * 3,
    ],
    [
        "ces gros enfants ont visité cette voiture",
        "les grands enfants ont visité cette voiture",
        *["petits enfants ont visité cette voiture"] * 2,
    ],
    [
        "les traités européens ont acheté en juin",
        "les traités européens en juin",
        "les traités européens ont vu en juin",
        "les traités européens en juin",
    ],
    ["cette femme ne voit pas de voiture"] * 4,
]


@pytest.mark.parametrize(
    ("sentence", "right"), list(zip(SENTENCES, WINNERS, strict=True))
)
def test_winners_are_those_that_were_found(searched, sentence, right):
    for (width, by), expected in zip(
        [*((width, PER_WORD) for width in WIDTHS), ("3", SUM)], right, strict=True
    ):
        searched.setting = {SENTENCE: sentence, WIDTH: width, STEP: 8, BY: by}
        assert said(searched).startswith(f"Winner: {expected};")


def test_it_opens_with_what_greedy_search_writes_ahead_though_it_will_lose():
    widget = beam_tree()
    names, states = shown(widget, 0, "words", "states")
    ahead = [names[i] for i in np.flatnonzero(states == BEST)]
    assert ahead == ["[START]", "une", "maison", "européenne", "a"]
    assert said(widget).startswith("Ahead: une maison européenne a; per word")
    wide, narrow = widget.spec["height"]
    assert wide <= 620
    assert narrow <= 760


def test_sentences_of_different_lengths_race_by_the_measure_that_is_asked(words):
    """[STOP] at once, or two words and [STOP]: log P prefers the first."""
    ids = words["target"].encode(["pain", "pain"])
    found = BeamTree(
        words=torch.tensor([[[STOP, ids[0]], [ids[0], 0], [STOP, 0]]]),
        parents=torch.tensor([[[0, 0], [1, 0], [0, 0]]]),
        log_probability=torch.tensor(
            [[[-1.0, -1.1], [-1.15, -torch.inf], [-1.2, -torch.inf]]]
        ),
    )
    search = Search.of(found, words["target"])
    assert search.words == ["[START]", "[STOP]", "pain", "pain", "[STOP]"]
    assert search.parents.tolist() == [-1, 0, 0, 2, 3]
    assert search.race(3, SUM) == [1, 4]
    assert search.race(3, PER_WORD) == [4, 1]
    assert search.states(3, SUM).tolist() == [BEST, BEST, KEPT, KEPT, KEPT]
    assert search.states(1, PER_WORD).tolist() == [BEST, BEST, KEPT, LATER, LATER]
    assert search.states(2, PER_WORD).tolist() == [BEST, KEPT, BEST, BEST, LATER]
