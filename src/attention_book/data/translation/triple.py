"""One sentence in three languages, with the gold alignment of any two of them."""

from collections import defaultdict
from functools import cached_property
from random import Random

from attention_book.shapes import check_choice, check_type

from . import english, french, spanish
from .draw import draw
from .lexicon import Lexicon, lexicon
from .syntax import Clause, NounPhrase, Sentence, Time, Token

WRITERS = {"en": english.write, "fr": french.write, "es": spanish.write}


def check_language(name: str, language: str) -> None:
    """Raise ValueError if the argument `name` is not a language of the grammar."""
    check_choice(name, language, WRITERS)


class Triple:
    """A sentence that each language writes on demand."""

    def __init__(self, tree: Sentence, lexicon: Lexicon):
        self.tree = tree
        self._lexicon = lexicon
        self._written: dict[str, list[Token]] = {}
        self._words: dict[str, tuple[str, ...]] = {}

    def _write(self, language: str) -> list[Token]:
        if language not in self._written:
            check_language("language", language)
            self._written[language] = WRITERS[language](self.tree, self._lexicon)
        return self._written[language]

    def tokens(self, language: str) -> tuple[str, ...]:
        """The words in "en", "fr" or "es"."""
        if language not in self._words:
            self._words[language] = tuple(each.word for each in self._write(language))
        return self._words[language]

    def text(self, language: str) -> str:
        """The words with spaces between; `detokenize` writes them as is usual."""
        return " ".join(self.tokens(language))

    def alignment(self, source: str, target: str) -> frozenset[tuple[int, int]]:
        """Links (i, j): word i of `source` and word j of `target` share an atom."""
        places = defaultdict(list)
        for i, token in enumerate(self._write(source)):
            for atom in token.atoms:
                places[atom].append(i)
        written = self._write(target)
        return frozenset(
            (i, j)
            for j, token in enumerate(written)
            for atom in token.atoms
            for i in places[atom]
        )

    @cached_property
    def signature(self) -> str:
        """What no language merges away; see `Sentence.signature`."""
        return self.tree.signature()

    def __repr__(self) -> str:
        return f"Triple({self.text('en')!r})"


def sentence(rng: Random, variant: str = "lite") -> Triple:
    """A random sentence of a variant of the lexicon, "lite" or "full"."""
    check_type("rng", rng, Random)
    words = lexicon(variant)
    return Triple(draw(rng, words), words)


def _bread(words: Lexicon) -> Clause:
    we = next(pronoun for pronoun in words.pronouns if pronoun.en == "we")
    bread = NounPhrase(words.nouns["bread"], "")
    return Clause(we, words.verbs["eat"], "progressive", bread)


def _area(words: Lexicon) -> Clause:
    area = words.nouns["area"]
    european, economic = (
        next(a for a in area.adjectives if a.en == name)
        for name in ("european", "economic")
    )
    inner = NounPhrase(area, "the", adjectives=(european, economic))
    agreement = NounPhrase(
        words.nouns["agreement"], "the", preposition="on", complement=inner
    )
    when = Time("month", words.months["august"], words.years["1992"])
    return Clause(agreement, words.verbs["sign"], "past", None, time=when)


CLASSICS = {"bread": _bread, "area": _area}


def classic(name: str) -> Triple:
    """A sentence known from the literature: "bread" or "area" [bahdanau2015neural].

    "bread" is *we are eating bread*.
    """
    check_choice("name", name, CLASSICS)
    words = lexicon("lite")
    return Triple(Sentence((CLASSICS[name](words),)), words)
