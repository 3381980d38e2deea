"""The lexicon: the words of the three languages with what the grammar must know about
each.

The words stand in `lexicon.toml`; here they become objects. Two variants: "lite" (a
recurrent network learns it in about a minute) and "full". Entries are compared by
identity: the noun *orange* is one object per variant.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from attention_book.shapes import check_choice

VARIANTS = ("lite", "full")
UNCHANGING = ("conjunctions", "adverbs", "months", "days")


@dataclass(frozen=True, slots=True, eq=False)
class Adjective:
    """Forms are (m.sg, f.sg, m.pl, f.pl), and a fifth for some.

    It is the singular before a vowel (fr) or before the noun (es).
    """

    en: str
    fr: tuple[str, ...]
    es: tuple[str, ...]
    rank: int
    before_fr: bool = False
    before_es: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Noun:
    """Forms are (singular, plural); a mass noun has the singular only."""

    en: tuple[str, ...]
    fr: tuple[str, ...]
    es: tuple[str, ...]
    feminine_fr: bool
    feminine_es: bool
    kinds: tuple[str, ...]
    adjectives: tuple[Adjective, ...]
    of: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    owners: tuple[str, ...] = ("our",)
    aspirated: bool = False

    def __repr__(self) -> str:
        return f"Noun({self.en[0]!r})"

    @property
    def mass(self) -> bool:
        return len(self.en) == 1

    @property
    def person(self) -> bool:
        return "person" in self.kinds


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verb:
    """The order of the forms is told at the head of `lexicon.toml`."""

    en: tuple[str, ...]
    fr: tuple[str, ...]
    es: tuple[str, ...]
    tenses: tuple[str, ...]
    passive: bool
    here: bool
    subjects: tuple[Noun, ...]
    objects: tuple[Noun, ...]
    personal: bool = False

    def __repr__(self) -> str:
        return f"Verb({self.en[0]!r})"

    def takes_as_person(self, noun: Noun) -> bool:
        """`person`: 0 first singular, 1 third singular, 2 and 3 the same in plural."""
        return noun.person or (self.personal and "body" in noun.kinds)


@dataclass(frozen=True, slots=True, eq=False)
class Pronoun:
    """`person`: 0 first singular, 1 third singular, 2 first plural, 3 third plural."""

    en: str
    fr: str
    person: int


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A word that never changes, such as a month; several words are split by spaces."""

    en: str
    fr: str
    es: str
    tenses: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Lexicon:
    """All words of one variant."""

    pronouns: tuple[Pronoun, ...]
    nouns: dict[str, Noun]
    verbs: dict[str, Verb]
    conjunctions: dict[str, Word]
    adverbs: dict[str, Word]
    months: dict[str, Word]
    days: dict[str, Word]
    years: dict[str, Word]
    aspirated: frozenset[str]  # French words whose h forbids elision
    complements: dict[Noun, dict[str, tuple[Noun, ...]]]  # after "of" and after "on"


def _of_kinds(nouns: dict[str, Noun], kinds: Sequence[str]) -> tuple[Noun, ...]:
    return tuple(noun for noun in nouns.values() if set(noun.kinds) & set(kinds))


def _complements(noun: Noun, nouns: dict[str, Noun]) -> dict[str, tuple[Noun, ...]]:
    found = {"of": _of_kinds(nouns, noun.of), "on": _of_kinds(nouns, noun.on)}
    return {preposition: choice for preposition, choice in found.items() if choice}


def _noun(row: dict, adjectives: dict[str, Adjective]) -> Noun:
    known = [adjectives[name] for name in row["adjectives"] if name in adjectives]
    row = row | {"adjectives": tuple(known)}
    for language in ("fr", "es"):
        gender, *row[language] = row[language]
        row[f"feminine_{language}"] = gender == "f"
    return Noun(**_fixed(row))


def _verb(row: dict, nouns: dict[str, Noun]) -> Verb:
    sides = {side: _of_kinds(nouns, row[side]) for side in ("subjects", "objects")}
    return Verb(**_fixed(row | sides))


def _words(rows: dict[str, dict]) -> dict[str, Word]:
    return {name: Word(name, **_fixed(row)) for name, row in rows.items()}


def _fixed(row: dict) -> dict:
    """A row of the table, as it stays: lists are tuples."""
    known = {name: value for name, value in row.items() if name != "lite"}
    return {n: tuple(v) if isinstance(v, list) else v for n, v in known.items()}


@cache
def lexicon(variant: str = "lite") -> Lexicon:
    """Read the lexicon, "lite" or "full"."""
    check_choice("variant", variant, VARIANTS)
    path = files(__package__).joinpath("lexicon.toml")
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    full = variant == "full"
    years = table.pop("years")
    span = range(years["full"]["first"], years["full"]["last"] + 1)
    rows = {
        part: {name: row for name, row in entries.items() if full or "lite" in row}
        for part, entries in table.items()
    }
    adjectives = {
        name: Adjective(**{"en": name} | _fixed(row))
        for name, row in rows["adjectives"].items()
    }
    nouns = {name: _noun(row, adjectives) for name, row in rows["nouns"].items()}
    return Lexicon(
        pronouns=tuple(Pronoun(**_fixed(row)) for row in rows["pronouns"].values()),
        nouns=nouns,
        verbs={name: _verb(row, nouns) for name, row in rows["verbs"].items()},
        **{part: _words(rows[part]) for part in UNCHANGING},
        years={y: Word(y, y, y) for y in map(str, span if full else years["lite"])},
        aspirated=frozenset(
            form for noun in nouns.values() if noun.aspirated for form in noun.fr
        ),
        complements={noun: _complements(noun, nouns) for noun in nouns.values()},
    )
