"""Drawing sentences at random: what may be said of what, when, and how often.

The rules of sense live here: nobody eats a law, nothing was signed tomorrow, no
minister sees the same minister. The lexicon says which words go together; this file
only picks.
"""

from dataclasses import replace
from random import Random

from .lexicon import Adjective, Lexicon, Noun, Pronoun, Verb, Word
from .syntax import Clause, NounPhrase, Sentence, Time

# cumulative: 35 % have one clause, 25 % two, 20 % three, 12 % four, 8 % five
CLAUSES = (0.35, 0.60, 0.80, 0.92)
PLURAL, PASSIVE, NEGATIVE, PRONOUN, TIME = 0.3, 0.25, 0.25, 0.5, 0.6
COMPLEMENT, INNER_COMPLEMENT = 0.35, 0.25
ONE_ADJECTIVE, TWO_ADJECTIVES = 0.32, 0.18
DETERMINERS = ("the", "the", "a", "this", "our", "my")
WITH_OF = ("the",)
INSIDE = ("the", "the", "a", "this", "our")


def allowed_determiners(noun: Noun, determiners: tuple[str, ...]) -> tuple[str, ...]:
    """*my area* is nothing to say; a mass noun is bare instead of indefinite."""
    kept = tuple(d for d in determiners if d not in ("my", "our") or d in noun.owners)
    return tuple("" if noun.mass and d == "a" else d for d in kept)


def _adjectives(rng: Random, noun: Noun) -> tuple[Adjective, ...]:
    """None, one, or two of different rank in English order."""
    x, choice = rng.random(), noun.adjectives
    if not choice or x > ONE_ADJECTIVE + TWO_ADJECTIVES:
        return ()
    first = rng.choice(choice)
    if x > TWO_ADJECTIVES:
        return (first,)
    second = rng.choice(choice)
    if first.rank == second.rank:
        return (first,)
    return (first, second) if first.rank < second.rank else (second, first)


def _noun_phrase(
    rng: Random,
    lexicon: Lexicon,
    nouns: tuple[Noun, ...],
    used: set[Noun],
    determiners: tuple[str, ...] = DETERMINERS,
    complement: float = COMPLEMENT,
) -> NounPhrase:
    """A phrase on one of `nouns` that the clause has not `used` yet."""
    noun = rng.choice([n for n in nouns if n not in used])
    used.add(noun)
    preposition, inner = "", None
    choices = lexicon.complements[noun]
    if choices and rng.random() < complement:
        preposition = rng.choice(tuple(choices))
        inside = tuple(n for n in choices[preposition] if n not in used)
        if inside:
            inner = _noun_phrase(rng, lexicon, inside, used, INSIDE, INNER_COMPLEMENT)
    if inner and preposition == "of":
        determiners = WITH_OF
    determiner = rng.choice(allowed_determiners(noun, determiners))
    # "the report of some banks" is hard to place in French: an indefinite complement is
    # singular
    singular = noun.mass or (determiner == "a" and determiners is INSIDE)
    plural = not singular and rng.random() < PLURAL
    adjectives, preposition = _adjectives(rng, noun), preposition if inner else ""
    return NounPhrase(noun, determiner, plural, adjectives, preposition, inner)


def allowed_adverbs(
    lexicon: Lexicon, verb: Verb, tense: str, negative: bool
) -> list[Word]:
    """*yesterday* needs a past, *here* a verb of doing; *not again* is *ne plus*."""
    barred = {"again", "every day"} if negative else set()
    barred |= set() if verb.here else {"here"}
    return [
        adverb
        for adverb in lexicon.adverbs.values()
        if tense in adverb.tenses and adverb.en not in barred
    ]


def _time(
    rng: Random, lexicon: Lexicon, verb: Verb, tense: str, negative: bool
) -> Time | None:
    if rng.random() > TIME:
        return None
    x, dated = rng.random(), tense in ("past", "future")
    if dated and x < 0.5:
        month = rng.choice(tuple(lexicon.months.values()))
        years = tuple(lexicon.years.values())
        year = rng.choice(years) if tense == "past" and x < 0.35 else None
        return Time("month", month, year)
    if dated and x < 0.7:
        return Time("day", rng.choice(tuple(lexicon.days.values())))
    adverbs = allowed_adverbs(lexicon, verb, tense, negative)
    return Time("adverb", rng.choice(adverbs)) if adverbs else None


def _passive(rng: Random, lexicon: Lexicon) -> Clause:
    verb = rng.choice([v for v in lexicon.verbs.values() if v.passive])
    tense, negative = rng.choice(("past", "future")), rng.random() < NEGATIVE
    countable = tuple(noun for noun in verb.objects if not noun.mass)
    determiners = tuple(d for d in DETERMINERS if not (negative and d == "a"))
    subject = _noun_phrase(rng, lexicon, countable, set(), determiners)
    time = _time(rng, lexicon, verb, tense, negative)
    return Clause(subject, verb, tense, None, negative, time)


def _active(rng: Random, lexicon: Lexicon, tense: str | None) -> Clause:
    verbs = [v for v in lexicon.verbs.values() if tense is None or tense in v.tenses]
    verb = rng.choice(verbs)
    tense, negative = tense or rng.choice(verb.tenses), rng.random() < NEGATIVE
    used: set[Noun] = set()
    subject: Pronoun | NounPhrase = rng.choice(lexicon.pronouns)
    if rng.random() > PRONOUN:
        determiners = tuple(d for d in DETERMINERS if not (negative and d == "a"))
        subject = _noun_phrase(rng, lexicon, verb.subjects, used, determiners)
    thing = _noun_phrase(rng, lexicon, verb.objects, used)
    if negative and thing.determiner == "a" and verb.takes_as_person(thing.noun):
        # "no vi a ningún niño": the plural has no good form
        thing = replace(thing, plural=False)
    time = _time(rng, lexicon, verb, tense, negative)
    return Clause(subject, verb, tense, thing, negative, time)


def _clause(rng: Random, lexicon: Lexicon) -> Clause:
    passive = rng.random() < PASSIVE
    return _passive(rng, lexicon) if passive else _active(rng, lexicon, None)


def draw(rng: Random, lexicon: Lexicon) -> Sentence:
    """A random sentence of one to five clauses.

    *while* joins two progressive clauses only (elsewhere Spanish would ask for other
    moods and tenses), and no conjunction but *and* comes twice.
    """
    x = rng.random()
    clauses, conjunctions = [_clause(rng, lexicon)], []
    for _ in range(sum(x > edge for edge in CLAUSES)):
        choice = [
            word
            for word in lexicon.conjunctions.values()
            if (word.en == "and" or word not in conjunctions)
            and (word.en != "while" or clauses[-1].tense == "progressive")
        ]
        conjunctions.append(rng.choice(choice))
        together = conjunctions[-1].en == "while"
        clauses.append(
            _active(rng, lexicon, "progressive") if together else _clause(rng, lexicon)
        )
    return Sentence(tuple(clauses), tuple(conjunctions))
