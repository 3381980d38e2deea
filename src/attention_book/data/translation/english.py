"""English: *the agreement on the european economic area was signed in august 1992*."""

from .lexicon import Lexicon, Pronoun
from .syntax import (
    ADJECTIVES,
    BE,
    CLAUSE_SIZE,
    COMPLEMENT,
    CONJUNCTION,
    DETERMINER,
    LEXICAL,
    NEGATION,
    NOUN,
    OBJECT,
    PREPOSITION,
    SUBJECT,
    TENSE,
    TIME,
    VERB,
    Clause,
    NounPhrase,
    Sentence,
    Time,
    Token,
)

BE_PRESENT = ("am", "is", "are", "are")
BE_PAST = ("was", "was", "were", "were")
BASE, THIRD, PAST, PARTICIPLE, ING = range(5)


def _article(next_word: str) -> str:
    sounds_like_a_vowel = next_word[0] in "aeiou" and not next_word.startswith(
        ("eu", "uni")
    )
    return "an" if sounds_like_a_vowel else "a"


def _determiner(phrase: NounPhrase, next_word: str, negated: bool) -> str:
    if phrase.determiner == "a":
        return ("any" if negated else "some") if phrase.plural else _article(next_word)
    if phrase.determiner == "this":
        return "these" if phrase.plural else "this"
    return phrase.determiner


def noun_phrase(phrase: NounPhrase, at: int, negated: bool = False) -> list[Token]:
    """Determiner, adjectives, noun, complement; `negated`: after a negative verb."""
    tokens = [
        Token(a.en, (at + ADJECTIVES + i,)) for i, a in enumerate(phrase.adjectives)
    ]
    tokens.append(Token(phrase.noun.en[phrase.plural], (at + NOUN,)))
    if phrase.determiner:
        tokens.insert(
            0, Token(_determiner(phrase, tokens[0].word, negated), (at + DETERMINER,))
        )
    if phrase.complement:
        tokens.append(Token(phrase.preposition, (at + PREPOSITION,)))
        tokens += noun_phrase(phrase.complement, at + COMPLEMENT)
    return tokens


def _verb(clause: Clause, at: int) -> list[Token]:
    """Auxiliary, *not*, lexical verb; do-support where there is no other auxiliary."""
    forms, person, past = clause.verb.en, clause.person, clause.tense == "past"
    tense, lexical = (at + TENSE,), (at + LEXICAL,)
    no = [Token("not", (at + NEGATION,))] if clause.negative else []
    if clause.tense == "future":
        be = [Token("be", (at + BE,))] if clause.passive else []
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
        tokens = [Token(clause.subject.en, (at + SUBJECT,))]
    else:
        tokens = noun_phrase(clause.subject, at + SUBJECT)
    tokens += _verb(clause, at + VERB)
    if clause.object:
        tokens += noun_phrase(clause.object, at + OBJECT, clause.negative)
    if clause.time:
        tokens += _time(clause.time, at + TIME)
    return tokens


def write(sentence: Sentence, lexicon: Lexicon) -> list[Token]:
    """The English words of a sentence, each with its atoms."""
    tokens = []
    for k, clause in enumerate(sentence.clauses):
        if k:
            tokens.append(
                Token(sentence.conjunctions[k - 1].en, (CLAUSE_SIZE * k + CONJUNCTION,))
            )
        tokens += _clause(clause, CLAUSE_SIZE * k)
    return tokens
