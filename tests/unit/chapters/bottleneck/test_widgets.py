"""LengthCollapse marks what is wrong, and refuses figures that do not fit."""

from dataclasses import replace

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.bottleneck import widgets
from attention_book.chapters.bottleneck.length_collapse import length_collapse
from attention_book.data.translation.lexicon import lexicon
from attention_book.data.translation.syntax import Clause, NounPhrase, Sentence, Time
from attention_book.data.translation.triple import Triple

GOOD = {
    "sources": [["we", "eat", "bread"], ["we", "eat", "bread", "today"]],
    "references": [["comemos", "pan"], ["comemos", "pan", "hoy"]],
    "predictions": [["comemos", "pan"], ["comemos", "carne"]],
    "groups": [(3, 3), (4, 6)],
    "shares": {"64 numbers": [1.0, 0.2], "128 numbers": [1.0, 0.6]},
    "start_length": 4,
}


def test_the_bars_stand_at_what_was_measured_at_every_length():
    widget = widgets.length_collapse()
    lengths = widget.spec["controls"][0]["values"]
    names = list(widgets.BY_SIZE.values())
    measured = [runs.load(name).table("test", "exact_match") for name in names]
    values = widget.panels[2].fields["values"]
    for place, length in enumerate(lengths):
        group = max(0, (int(length) - 4) // 3)  # 3-6, then threes
        expected = [figures.mean(axis=0)[group] for figures in measured]
        np.testing.assert_allclose(values.at([place]), expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sources": GOOD["sources"][::-1]}, "sources must grow"),
        (
            {"references": GOOD["references"][:1]},
            "references has 1 sentences but there are 2 sources",
        ),
        ({"predictions": [["comemos"]]}, "predictions has 1 sentences"),
        ({"start_length": 9}, "9"),
        ({"groups": [(3, 3)]}, "groups has 0 groups for sources of 4 words"),
        ({"groups": [(3, 4), (4, 6)]}, "groups has 2 groups for sources of 4 words"),
    ],
)
def test_figures_that_do_not_belong_together_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        length_collapse(**{**GOOD, **change})


TOLD = {  # what the text says of the sentence that grows, by its pieces
    4: "estamos comiendo pan hoy y está leyendo una carta de nuevo",
    5: "estamos comiendo pan hoy pero está leyendo una carta de nuevo y el ministro "
    "compró esta casa",
    6: "estamos comiendo pan hoy pero está leyendo una carta de nuevo y el ministro "
    "comprará la casa en mayo de 1995",
    7: "estamos comiendo pan hoy pero está leyendo un acuerdo hoy pero la casa fue "
    "visitada de nuevo y está visitando la casa hoy",
}


def test_the_sentence_that_grows_goes_wrong_where_the_text_says():
    sources, targets = widgets.PIECES.keys(), widgets.PIECES.values()
    run = runs.load("bottleneck-short")
    grown = [" ".join([*sources][:k]).split() for k in range(1, len(sources) + 1)]
    said = runs.translate(run.model(), grown, *run.vocabularies, reverse_source=True)
    for k, words in enumerate(said, start=1):
        assert " ".join(words) == TOLD.get(k, " ".join([*targets][:k]))


def test_the_grammar_writes_the_sentence_that_grows():
    words = lexicon("lite")
    we, she = (
        next(p for p in words.pronouns if p.en == each) for each in ("we", "she")
    )
    the, a, this = (
        NounPhrase(words.nouns[noun], determiner)
        for noun, determiner in (
            ("minister", "the"),
            ("letter", "a"),
            ("house", "this"),
        )
    )
    bread, eat = NounPhrase(words.nouns["bread"], ""), words.verbs["eat"]
    today, again = (Time("adverb", words.adverbs[each]) for each in ("today", "again"))
    june = Time("month", words.months["june"])
    in_1992 = replace(june, year=words.years["1992"])
    progressive = [Clause(we, eat, "progressive", bread)]
    progressive += [Clause(she, words.verbs["read"], "progressive", a)]
    buys = Clause(the, words.verbs["buy"], "past", this)
    eating, reading = (
        [each, replace(each, time=time)]
        for each, time in zip(progressive, (today, again), strict=True)
    )
    buying = [buys, replace(buys, time=june), replace(buys, time=in_1992)]
    clauses = [(each,) for each in eating]
    clauses += [(eating[1], each) for each in reading]
    clauses += [(eating[1], reading[1], each) for each in buying]
    joined = words.conjunctions["and"], words.conjunctions["but"]
    for k, told in enumerate(clauses, start=1):
        triple = Triple(Sentence(told, joined[: len(told) - 1]), words)
        assert triple.text("en") == " ".join([*widgets.PIECES][:k])
        assert triple.text("es") == " ".join([*widgets.PIECES.values()][:k])
