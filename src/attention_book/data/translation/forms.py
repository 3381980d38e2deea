"""Every form the grammar can write, and so the vocabulary of each language.

The vocabulary must not depend on which sentences were drawn. It is read off a set of
sentences built to hold each form at least once: every noun with every determiner and
adjective, every verb in every tense with every subject, every time, every conjunction.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product

from ..vocabulary import Vocabulary
from .draw import DETERMINERS, allowed_adverbs, allowed_determiners
from .lexicon import Lexicon, Noun, Pronoun, Verb, lexicon
from .syntax import Clause, NounPhrase, Sentence, Time
from .triple import WRITERS, check_language


def _phrases(lexicon: Lexicon, noun: Noun) -> Iterator[NounPhrase]:
    """The noun with each determiner, number and adjective; then after *of* and *on*."""
    numbers = (False,) if noun.mass else (False, True)
    determiners = sorted(set(allowed_determiners(noun, DETERMINERS)))
    for determiner, plural, adjective in product(
        determiners, numbers, (None, *noun.adjectives)
    ):
        yield NounPhrase(noun, determiner, plural, (adjective,) if adjective else ())
    for preposition, inside in lexicon.complements[noun].items():
        for inner, determiner in product(inside, ("the", "a", "this", "our")):
            if determiner in allowed_determiners(inner, DETERMINERS):
                yield NounPhrase(
                    noun, "the", False, (), preposition, NounPhrase(inner, determiner)
                )


def _with_subjects(lexicon: Lexicon, verb: Verb) -> Iterator[Clause]:
    """The verb in each tense, active with each subject, passive with each object."""
    thing = NounPhrase(verb.objects[0], "the")
    subjects: list[Pronoun | NounPhrase] = [*lexicon.pronouns]
    subjects += [
        NounPhrase(noun, "the", plural)
        for noun in verb.subjects
        for plural in (False, True)
    ]
    for tense, subject, negative in product(verb.tenses, subjects, (False, True)):
        yield Clause(subject, verb, tense, thing, negative)
    if not verb.passive:
        return
    countable = [noun for noun in verb.objects if not noun.mass]
    for tense, noun, plural, negative in product(
        ("past", "future"), countable, (False, True), (False, True)
    ):
        yield Clause(NounPhrase(noun, "the", plural), verb, tense, None, negative)


def _with_objects(lexicon: Lexicon) -> Iterator[Clause]:
    """Each noun phrase as the object of one verb that takes it, affirmed and denied."""
    for noun in lexicon.nouns.values():
        verb = next(
            (verb for verb in lexicon.verbs.values() if noun in verb.objects), None
        )
        for phrase, negative in product(_phrases(lexicon, noun), (False, True)):
            if verb:
                yield Clause(
                    lexicon.pronouns[0], verb, verb.tenses[0], phrase, negative
                )
            elif not negative:  # a noun that is only ever a subject
                verb_of = next(v for v in lexicon.verbs.values() if noun in v.subjects)
                yield Clause(
                    phrase,
                    verb_of,
                    verb_of.tenses[0],
                    NounPhrase(verb_of.objects[0], "the"),
                )


def _with_times(lexicon: Lexicon) -> Iterator[Clause]:
    year = next(iter(lexicon.years.values()))
    months, years = lexicon.months.values(), lexicon.years.values()
    times = [Time("month", month, year) for month in months]
    times += [Time("month", next(iter(months)), year) for year in years]
    times += [Time("day", day) for day in lexicon.days.values()]
    verb = lexicon.verbs["eat"]
    subject, thing = lexicon.pronouns[0], NounPhrase(lexicon.nouns["bread"], "the")
    for time in times:
        yield Clause(subject, verb, "past", thing, False, time)
    for tense in verb.tenses:
        for adverb in allowed_adverbs(lexicon, verb, tense, False):
            yield Clause(subject, verb, tense, thing, False, Time("adverb", adverb))


def constructions(lexicon: Lexicon) -> Iterator[Sentence]:
    """Sentences with every form of the lexicon's words that the grammar can write."""
    for verb in lexicon.verbs.values():
        yield from (Sentence((clause,)) for clause in _with_subjects(lexicon, verb))
    for clause in [*_with_objects(lexicon), *_with_times(lexicon)]:
        yield Sentence((clause,))
    bread = NounPhrase(lexicon.nouns["bread"], "the")
    for conjunction, pronoun in product(
        lexicon.conjunctions.values(), lexicon.pronouns
    ):
        clause = Clause(pronoun, lexicon.verbs["eat"], "progressive", bread)
        yield Sentence((clause, clause), (conjunction,))


@cache
def vocabulary(language: str, variant: str = "lite") -> Vocabulary:
    """All words of a language, in alphabetical order after the specials.

    It is the same for every corpus.
    """
    check_language("language", language)
    words = lexicon(variant)
    write = WRITERS[language]
    trees = constructions(words)
    return Vocabulary(sorted({t.word for tree in trees for t in write(tree, words)}))
