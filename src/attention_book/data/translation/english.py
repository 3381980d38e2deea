"""English: *the agreement on the european economic area was signed in august 1992*."""

from .lexicon import Lexicon, Pronoun
from .syntax import Atom, Clause, NounPhrase, Sentence, Time, Token, in_turn

BE_PRESENT = ("am", "is", "are", "are")
BE_PAST = ("was", "was", "were", "were")
BASE, THIRD, PAST, PARTICIPLE, ING = range(5)


def _article(next_word: str) -> str:
    consonant = next_word[0] not in "aeiou" or next_word.startswith(("eu", "uni"))
    return "a" if consonant else "an"


def _determiner(phrase: NounPhrase, next_word: str, negated: bool) -> str:
    if phrase.determiner == "a":
        return ("any" if negated else "some") if phrase.plural else _article(next_word)
    if phrase.determiner == "this":
        return "these" if phrase.plural else "this"
    return phrase.determiner


def noun_phrase(phrase: NounPhrase, at: int, negated: bool = False) -> list[Token]:
    """Determiner, adjectives, noun, complement; `negated`: after a negative verb."""
    first = at + Atom.ADJECTIVES
    tokens = [Token(a.en, (first + i,)) for i, a in enumerate(phrase.adjectives)]
    tokens.append(Token(phrase.noun.en[phrase.plural], (at + Atom.NOUN,)))
    if phrase.determiner:
        word = _determiner(phrase, tokens[0].word, negated)
        tokens.insert(0, Token(word, (at + Atom.DETERMINER,)))
    if phrase.complement:
        tokens.append(Token(phrase.preposition, (at + Atom.PREPOSITION,)))
        tokens += noun_phrase(phrase.complement, at + Atom.COMPLEMENT)
    return tokens


def _verb(clause: Clause, at: int) -> list[Token]:
    """Auxiliary, *not*, lexical verb; do-support where there is no other auxiliary."""
    forms, person, past = clause.verb.en, clause.person, clause.tense == "past"
    tense, lexical = (at + Atom.TENSE,), (at + Atom.LEXICAL,)
    no = [Token("not", (at + Atom.NEGATION,))] if clause.negative else []
    if clause.tense == "future":
        be = [Token("be", (at + Atom.BE,))] if clause.passive else []
        main = forms[PARTICIPLE if clause.passive else BASE]
        return [Token("will", tense), *no, *be, Token(main, lexical)]
    if clause.passive:
        return [Token(BE_PAST[person], tense), *no, Token(forms[PARTICIPLE], lexical)]
    if clause.tense == "progressive":
        return [Token(BE_PRESENT[person], tense), *no, Token(forms[ING], lexical)]
    if clause.negative:
        do = "did" if past else "does" if person == 1 else "do"
        return [Token(do, tense), *no, Token(forms[BASE], lexical)]
    finite = forms[PAST if past else THIRD if person == 1 else BASE]
    return [Token(finite, tense + lexical)]


def _time(time: Time, at: int) -> list[Token]:
    if time.kind == "adverb":
        return [Token(word, (at + 1,)) for word in time.word.en.split()]
    tokens = [
        Token("on" if time.kind == "day" else "in", (at,)),
        Token(time.word.en, (at + 1,)),
    ]
    return tokens + ([Token(time.year.en, (at + 2,))] if time.year else [])


def _clause(clause: Clause, at: int) -> list[Token]:
    if isinstance(clause.subject, Pronoun):
        tokens = [Token(clause.subject.en, (at + Atom.SUBJECT,))]
    else:
        tokens = noun_phrase(clause.subject, at + Atom.SUBJECT)
    tokens += _verb(clause, at + Atom.VERB)
    if clause.object:
        tokens += noun_phrase(clause.object, at + Atom.OBJECT, clause.negative)
    if clause.time:
        tokens += _time(clause.time, at + Atom.TIME)
    return tokens


def write(sentence: Sentence, lexicon: Lexicon) -> list[Token]:
    """The English words of a sentence, each with its atoms."""
    return in_turn(sentence, "en", _clause)
