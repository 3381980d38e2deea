"""Spanish: the tree written as *el acuerdo sobre la zona económica europea fue firmado
en agosto de 1992*.

Subject pronouns are dropped: the verb carries the atom of the subject. Human objects
take the personal *a*.
"""

from typing import cast

from .lexicon import Lexicon, Pronoun
from .syntax import Atom, Clause, NounPhrase, Sentence, Time, Token, in_turn

ESTAR = ("estoy", "está", "estamos", "están")
FUTURE = ("é", "á", "emos", "án")
PRETERITE, PARTICIPLE, GERUND, STEM = 4, 8, 9, 10

# (m.sg, f.sg, m.pl, f.pl)
DETERMINERS = {
    "the": ("el", "la", "los", "las"),
    "a": ("un", "una", "unos", "unas"),
    "this": ("este", "esta", "estos", "estas"),
    "my": ("mi", "mi", "mis", "mis"),
    "our": ("nuestro", "nuestra", "nuestros", "nuestras"),
    "": ("", "", "", ""),
}
NONE = ("ningún", "ninguna")
CONTRACTED = {("de", "el"): "del", ("a", "el"): "al"}


def join(tokens: list[Token]) -> list[Token]:
    """Contract *de el* and *a el*; *y* is *e* before the sound i."""
    joined: list[Token] = []
    for i, (word, atoms) in enumerate(tokens):
        following = tokens[i + 1].word if i + 1 < len(tokens) else "."
        if (
            word == "y"
            and following.startswith(("i", "hi", "í"))
            and not following.startswith("hie")
        ):
            word = "e"
        contracted = CONTRACTED.get((joined[-1].word, word)) if joined else None
        if contracted:
            word, atoms = contracted, joined.pop().atoms + atoms
        joined.append(Token(word, atoms))
    return joined


def _determiner(phrase: NounPhrase, form: int, negated: bool) -> str:
    """*una* becomes *ninguna* as the object of a negative verb, *unas* goes away."""
    if phrase.determiner == "a" and negated:
        return "" if phrase.plural else NONE[form]
    return DETERMINERS[phrase.determiner][form]


def noun_phrase(phrase: NounPhrase, at: int, negated: bool = False) -> list[Token]:
    """Determiner, some adjectives, noun, the others outermost last, complement."""
    noun, form = phrase.noun, phrase.noun.feminine_es + 2 * phrase.plural
    determiner = _determiner(phrase, form, negated)
    # where Spanish has no word for "any", the noun stands for it too
    silent = phrase.determiner and not determiner
    atoms = (at + Atom.NOUN, *[at + Atom.DETERMINER] * bool(silent))
    core = [Token(noun.es[phrase.plural], atoms)]
    for i, adjective in reversed(list(enumerate(phrase.adjectives))):
        before = noun.kinds[0] in adjective.before_es
        shortened = before and not phrase.plural and len(adjective.es) > 4
        word = adjective.es[4 if shortened else form]
        token = Token(word, (at + Atom.ADJECTIVES + i,))
        core.insert(0 if before else len(core), token)
    tokens = [Token(determiner, (at + Atom.DETERMINER,)), *core] if determiner else core
    if phrase.complement:
        preposition = "de" if phrase.preposition == "of" else "sobre"
        tokens.append(Token(preposition, (at + Atom.PREPOSITION,)))
        tokens += noun_phrase(phrase.complement, at + Atom.COMPLEMENT)
    return tokens


def _agreeing(participle: str, subject: NounPhrase) -> str:
    ending = "a" if subject.noun.feminine_es else "o"
    return participle[:-1] + ending + "s" * subject.plural


def _verb(clause: Clause, at: int) -> list[Token]:
    """*no*, then the verb, which stands for a dropped subject too."""
    forms, person = clause.verb.es, clause.person
    tense, lexical, be = at + Atom.TENSE, at + Atom.LEXICAL, at + Atom.BE
    dropped = (
        (at - Atom.VERB + Atom.SUBJECT,) if isinstance(clause.subject, Pronoun) else ()
    )
    no = [Token("no", (at + Atom.NEGATION,))] if clause.negative else []
    if clause.passive:
        subject = cast(NounPhrase, clause.subject)  # a passive clause has no pronoun
        participle = Token(_agreeing(forms[PARTICIPLE], subject), (lexical,))
        if clause.tense == "future":
            finite = Token("serán" if person == 3 else "será", (tense, be))
        else:
            finite = Token("fueron" if person == 3 else "fue", (tense,))
        return [*no, finite, participle]
    if clause.tense == "progressive":
        finite = Token(ESTAR[person], (tense, *dropped))
        return [*no, finite, Token(forms[GERUND], (lexical,))]
    if clause.tense == "future":
        word = forms[STEM] + FUTURE[person]
    else:
        word = forms[person + PRETERITE if clause.tense == "past" else person]
    return [*no, Token(word, (tense, lexical, *dropped))]


def _object(clause: Clause, thing: NounPhrase, at: int) -> list[Token]:
    tokens = noun_phrase(thing, at, clause.negative)
    as_person = clause.verb.takes_as_person(thing.noun)
    return [Token("a", (at + Atom.NOUN,)), *tokens] if as_person else tokens


def _time(time: Time, at: int) -> list[Token]:
    if time.kind == "adverb":
        return [Token(word, (at + 1,)) for word in time.word.es.split()]
    tokens = [
        Token("el" if time.kind == "day" else "en", (at,)),
        Token(time.word.es, (at + 1,)),
    ]
    year = ("de", time.year.es) if time.year else ()
    return tokens + [Token(word, (at + 2,)) for word in year]


def _clause(clause: Clause, at: int) -> list[Token]:
    tokens = []
    if isinstance(clause.subject, NounPhrase):
        tokens += noun_phrase(clause.subject, at + Atom.SUBJECT)
    tokens += _verb(clause, at + Atom.VERB)
    if clause.object:
        tokens += _object(clause, clause.object, at + Atom.OBJECT)
    if clause.time:
        tokens += _time(clause.time, at + Atom.TIME)
    return tokens


def write(sentence: Sentence, lexicon: Lexicon) -> list[Token]:
    """The Spanish words of a sentence, each with its atoms."""
    return join(in_turn(sentence, "es", _clause))
