"""What chapter 1's figures show is what was recorded, and what the text says."""

from dataclasses import replace

import numpy as np

from attention_book import runs
from attention_book.chapters.bottleneck import widgets
from attention_book.data.translation.lexicon import lexicon
from attention_book.data.translation.syntax import Clause, NounPhrase, Sentence, Time
from attention_book.data.translation.triple import Triple


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

    def phrase(determiner, noun):
        return NounPhrase(words.nouns[noun], determiner)

    def when(kind, each):
        return Time(kind, getattr(words, f"{kind}s")[each])

    we, she = (
        next(p for p in words.pronouns if p.en == each) for each in ("we", "she")
    )
    eat, read, buy = (words.verbs[each] for each in ("eat", "read", "buy"))
    eating = Clause(we, eat, "progressive", phrase("", "bread"))
    reading = Clause(she, read, "progressive", phrase("a", "letter"))
    bought = Clause(phrase("the", "minister"), buy, "past", phrase("this", "house"))
    today = replace(eating, time=when("adverb", "today"))
    again = replace(reading, time=when("adverb", "again"))
    june = when("month", "june")
    in_1992 = replace(june, year=words.years["1992"])
    grown = [[eating], [today], [today, reading], [today, again]]
    grown += [
        [today, again, replace(bought, time=time)]
        for time in (bought.time, june, in_1992)
    ]
    joined = words.conjunctions["and"], words.conjunctions["but"]
    for k, clauses in enumerate(grown, start=1):
        sentence = Sentence(tuple(clauses), joined[: len(clauses) - 1])
        triple = Triple(sentence, words)
        assert triple.text("en") == " ".join([*widgets.PIECES][:k])
        assert triple.text("es") == " ".join([*widgets.PIECES.values()][:k])
