"""French: the tree written as *l' accord sur la zone économique européenne a été signé
en août 1992*.

Phrases are built with full forms (*le accord*, *de le ministre*, *que il*); `join` then
elides and contracts them.
"""

from typing import cast

from .lexicon import Adjective, Lexicon, Pronoun
from .syntax import Atom, Clause, NounPhrase, Sentence, Time, Token, in_turn

HAVE = ("ai", "a", "avons", "ont")
FUTURE = ("ai", "a", "ons", "ont")
PARTICIPLE, STEM = 4, 5

# (m.sg, f.sg, m.pl, f.pl)
DETERMINERS = {
    "the": ("le", "la", "les", "les"),
    "a": ("un", "une", "des", "des"),
    "this": ("ce", "cette", "ces", "ces"),
    "my": ("mon", "ma", "mes", "mes"),
    "our": ("notre", "notre", "nos", "nos"),
    "": ("de le", "de la", "", ""),
}
ELIDED = {"le": "l'", "la": "l'", "de": "d'", "je": "j'", "ne": "n'", "que": "qu'"}
BEFORE_A_VOWEL = {**ELIDED, "ce": "cet", "ma": "mon"}
CONTRACTED = {("de", "le"): "du", ("de", "les"): "des"}
# every h of the lexicon is mute but that of a noun marked `aspirated`
VOWELS = frozenset("aeiouyéèêàâîïôœhâû")


def _begins_with_vowel(word: str, aspirated: frozenset[str]) -> bool:
    return word[0] in VOWELS and word not in aspirated


def join(tokens: list[Token], aspirated: frozenset[str] = frozenset()) -> list[Token]:
    """Elide before vowels (*le accord*: *l' accord*), or contract (*de le*: *du*)."""
    joined: list[Token] = []
    for i, (word, atoms) in enumerate(tokens):
        following = tokens[i + 1].word if i + 1 < len(tokens) else "."
        if word in BEFORE_A_VOWEL and _begins_with_vowel(following, aspirated):
            word = BEFORE_A_VOWEL[word]
        contracted = CONTRACTED.get((joined[-1].word, word)) if joined else None
        if contracted:
            before = joined.pop().atoms
            atoms = before + tuple(a for a in atoms if a not in before)
            word = contracted
        joined.append(Token(word, atoms))
    return joined


def _adjective(
    adjective: Adjective, form: int, next_word: str, aspirated: frozenset[str]
) -> str:
    masculine = form == 0 and len(adjective.fr) > 4
    shortened = masculine and _begins_with_vowel(next_word, aspirated)
    return adjective.fr[4 if shortened else form]


def _determiner(
    phrase: NounPhrase, form: int, before_adjective: bool, negated: bool
) -> str:
    """*un, des, du* become *de* after a negative verb; *des* before an adjective."""
    if phrase.determiner in ("a", "") and (
        negated or (phrase.plural and before_adjective)
    ):
        return "de"
    return DETERMINERS[phrase.determiner][form]


def noun_phrase(phrase: NounPhrase, at: int, negated: bool = False) -> list[Token]:
    """Determiner, some adjectives, noun, the others outermost last, complement."""
    noun, form = phrase.noun, phrase.noun.feminine_fr + 2 * phrase.plural
    aspirated = frozenset(noun.fr if noun.aspirated else ())
    core = [Token(noun.fr[phrase.plural], (at + Atom.NOUN,))]
    for i, adjective in reversed(list(enumerate(phrase.adjectives))):
        atom = (at + Atom.ADJECTIVES + i,)
        if adjective.before_fr:
            word = _adjective(adjective, form, core[0].word, aspirated)
            core.insert(0, Token(word, atom))
        else:
            core.append(Token(adjective.fr[form], atom))
    before_adjective = any(adjective.before_fr for adjective in phrase.adjectives)
    determiner = _determiner(phrase, form, before_adjective, negated)
    # English leaves a mass noun bare: its French article then belongs to the noun
    atom = (at + Atom.DETERMINER if phrase.determiner else at + Atom.NOUN,)
    tokens = [Token(word, atom) for word in determiner.split()] + core
    if phrase.complement:
        preposition = "de" if phrase.preposition == "of" else "sur"
        tokens.append(Token(preposition, (at + Atom.PREPOSITION,)))
        tokens += noun_phrase(phrase.complement, at + Atom.COMPLEMENT)
    return tokens


def _agreeing(participle: str, subject: NounPhrase) -> str:
    return participle + "e" * subject.noun.feminine_fr + "s" * subject.plural


def _verb(clause: Clause, at: int) -> list[Token]:
    """Finite verb between *ne* and *pas*, then the participles."""
    forms, person = clause.verb.fr, clause.person
    tense, lexical, be = at + Atom.TENSE, at + Atom.LEXICAL, at + Atom.BE
    if clause.passive:
        subject = cast(NounPhrase, clause.subject)  # a passive clause has no pronoun
        participle = Token(_agreeing(forms[PARTICIPLE], subject), (lexical,))
        if clause.tense == "future":
            verb = [Token("seront" if person == 3 else "sera", (tense, be))]
        else:
            verb = [Token(HAVE[person], (tense,)), Token("été", (tense,))]
        verb.append(participle)
    elif clause.tense == "past":
        verb = [Token(HAVE[person], (tense,)), Token(forms[PARTICIPLE], (lexical,))]
    elif clause.tense == "future":
        verb = [Token(forms[STEM] + FUTURE[person], (tense, lexical))]
    else:
        verb = [Token(forms[person], (tense, lexical))]
    if not clause.negative:
        return verb
    no = (at + Atom.NEGATION,)
    return [Token("ne", no), verb[0], Token("pas", no), *verb[1:]]


def _time(time: Time, at: int) -> list[Token]:
    if time.kind == "adverb":
        return [Token(word, (at + 1,)) for word in time.word.fr.split()]
    if time.kind == "day":  # one day is bare: "le lundi" would be every monday
        return [Token(time.word.fr, (at, at + 1))]
    tokens = [Token("en", (at,)), Token(time.word.fr, (at + 1,))]
    return tokens + ([Token(time.year.fr, (at + 2,))] if time.year else [])


def _clause(clause: Clause, at: int) -> list[Token]:
    if isinstance(clause.subject, Pronoun):
        tokens = [Token(clause.subject.fr, (at + Atom.SUBJECT,))]
    else:
        tokens = noun_phrase(clause.subject, at + Atom.SUBJECT)
    tokens += _verb(clause, at + Atom.VERB)
    if clause.object:
        tokens += noun_phrase(clause.object, at + Atom.OBJECT, clause.negative)
    if clause.time:
        tokens += _time(clause.time, at + Atom.TIME)
    return tokens


def write(sentence: Sentence, lexicon: Lexicon) -> list[Token]:
    """The French words of a sentence, each with its atoms."""
    return join(in_turn(sentence, "fr", _clause), lexicon.aspirated)
