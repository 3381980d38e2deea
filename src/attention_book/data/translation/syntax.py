"""What a sentence says, before any language says it: the abstract tree, and the numbers
that carry the alignment.

Every meaningful part of the tree has a number, its *atom*: this noun, that adjective,
the tense of the second clause. A language writes the tree as tokens (word, atoms). Two
words of two languages are aligned exactly when they share an atom, so *are eating* and
*mangeons* are aligned because both carry the tense and the verb of the same clause.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from .lexicon import Adjective, Noun, Pronoun, Verb, Word


class Token(NamedTuple):
    """A word and the atoms it stands for."""

    word: str
    atoms: tuple[int, ...]


class Atom:
    """Where atoms are counted from: in a clause, a noun phrase in it, its verb."""

    SUBJECT, OBJECT, VERB, TIME, CONJUNCTION = 0, 30, 60, 70, 80
    DETERMINER, NOUN, ADJECTIVES, PREPOSITION, COMPLEMENT = 0, 1, 2, 4, 5
    TENSE, LEXICAL, NEGATION, BE = 0, 1, 2, 3


CLAUSE_SIZE = 100


@dataclass(frozen=True, slots=True, eq=False)
class NounPhrase:
    """*the european economic areas of a city*.

    The determiner is "the", "a", "this", "my", "our" or, of a mass, "".
    """

    noun: Noun
    determiner: str
    plural: bool = False
    adjectives: tuple[Adjective, ...] = ()
    preposition: str = ""
    complement: "NounPhrase | None" = None

    def phrases(self) -> "list[NounPhrase]":
        """This phrase and the one inside it."""
        return [self, *(self.complement.phrases() if self.complement else [])]


@dataclass(frozen=True, slots=True, eq=False)
class Time:
    """*in august 1992*: of kind "month", "day" or "adverb"; a month may have a year."""

    kind: str
    word: Word
    year: Word | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """Who did what when. A passive clause has no object, its subject is no pronoun."""

    subject: Pronoun | NounPhrase
    verb: Verb
    tense: str
    object: NounPhrase | None
    negative: bool = False
    time: Time | None = None

    @property
    def passive(self) -> bool:
        return self.object is None

    @property
    def person(self) -> int:
        """0 first singular, 1 third singular, 2 first plural, 3 third plural."""
        if isinstance(self.subject, Pronoun):
            return self.subject.person
        return 3 if self.subject.plural else 1

    def phrases(self) -> list[NounPhrase]:
        """The noun phrases of the clause, inner ones included."""
        tops = [t for t in (self.subject, self.object) if isinstance(t, NounPhrase)]
        return [phrase for top in tops for phrase in top.phrases()]


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """Clauses with a conjunction before each but the first."""

    clauses: tuple[Clause, ...]
    conjunctions: tuple[Word, ...] = ()

    def adjective_noun_pairs(self) -> set[tuple[str, str]]:
        """English adjectives with the nouns they stand by."""
        phrases = (phrase for clause in self.clauses for phrase in clause.phrases())
        return {
            (adjective.en, phrase.noun.en[0])
            for phrase in phrases
            for adjective in phrase.adjectives
        }

    def signature(self) -> str:
        """What is left of the sentence in each of the three languages.

        Each language merges something: Spanish *come* is *he eats* and *she eats*,
        *compramos* is *we buy* and *we bought*, French *mange* is *eats* and *is
        eating*, *de pays* is *of a country* and *of countries*. Sentences that any
        language writes alike have one signature, so what is split by it shares no
        sentence in any language.
        """
        said = [_clause_signature(clause) for clause in self.clauses]
        return " ".join([*said, *(word.en for word in self.conjunctions)])


def in_turn(
    sentence: Sentence, language: str, write: Callable[[Clause, int], list[Token]]
) -> list[Token]:
    """The clauses that a language writes, a conjunction before each but the first."""
    tokens: list[Token] = []
    for k, clause in enumerate(sentence.clauses):
        if k:
            atom = (CLAUSE_SIZE * k + Atom.CONJUNCTION,)
            words = getattr(sentence.conjunctions[k - 1], language).split()
            tokens += [Token(word, atom) for word in words]
        tokens += write(clause, CLAUSE_SIZE * k)
    return tokens


def _phrase_signature(phrase: NounPhrase) -> str:
    adjectives = [each.en for each in phrase.adjectives]
    noun = phrase.noun.fr[phrase.plural]
    words = " ".join([phrase.determiner, *adjectives, noun, phrase.preposition])
    return words + (_phrase_signature(phrase.complement) if phrase.complement else "")


def _clause_signature(clause: Clause) -> str:
    subject = (
        str(clause.person)
        if isinstance(clause.subject, Pronoun)
        else _phrase_signature(clause.subject)
    )
    thing = _phrase_signature(clause.object) if clause.object else "passive"
    time = (
        f"{clause.time.word.en} {clause.time.year.en if clause.time.year else ''}"
        if clause.time
        else ""
    )
    future, polarity = clause.tense == "future", "not" if clause.negative else ""
    return f"{subject} {clause.verb.fr[-1]} {future} {polarity} {thing} {time};"
