"""`check_flatten`: a tree as a sequence of brackets and words."""

import re
from itertools import zip_longest

from attention_book.chapters.not_only_translation import solutions
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)
NOTHING = "nothing more"
TOKEN = re.compile(r"\)|\(?[^\s()]+")


def one_token_each(example: Example) -> str | None:
    """Every token is a text, and holds one bracket or one word."""
    for place, token in enumerate(example.got["tokens"]):
        if not isinstance(token, str):
            return (
                f"tokens[{place}] is {token!r}, no text. All brackets and words stand "
                "in one list, however deep the phrase they belong to."
            )
        if not TOKEN.fullmatch(token):
            return (
                f"tokens[{place}] is {token!r}, expected one token: a bracket with its "
                "label, a word, or ) alone."
            )
    return None


def no_word_lost(example: Example) -> str | None:
    """The tokens that are no brackets are the sentence."""
    said, due = (
        [token for token in result["tokens"] if token[:1] not in ("(", ")")]
        for result in (example.got, example.expected)
    )
    if said == due:
        return None
    return f"without brackets you have {said}; the sentence is {due}, in this order."


def first_difference(example: Example) -> str | None:
    """Say at which token the sequences part."""
    said, due = example.got["tokens"], example.expected["tokens"]
    for place, (mine, right) in enumerate(zip_longest(said, due, fillvalue=NOTHING)):
        if mine != right:
            before = " ".join(due[:place])
            return (
                f"after {before!r} you write {mine!r}, expected {right!r}: a phrase is "
                "closed right behind its last part."
            )
    return None


PARK = ("PP", "in", ("NP", "the", "park"))

check_flatten = Check(
    name="flatten",
    reference=solutions.flatten,
    gives={"tokens": ""},
    task="Write `flatten(tree)`: the tree (label, part, part, ...), whose parts are "
    "words and such trees, as a list of tokens: '(' and the label in one, each word, "
    "and ')' alone.",
    cases=(
        Case("a phrase of one word", tree=("S", ("NP", "i"), ("VP", "slept"))),
        Case(
            "a phrase in the middle",
            tree=("S", ("NP", "the", "man"), "and", ("NP", "i"), ("VP", "left"), "now"),
        ),
        Case(
            "phrases in phrases",
            tree=("VP", "saw", ("NP", ("NP", "a", "man"), ("PP", "in", ("NP", "it")))),
        ),
        Case("a word that is the label", tree=("NP", "the", "NP", ("NP", "NP"))),
        Case("one phrase twice", tree=("VP", "slept", PARK, PARK)),
    ),
    mutants=MISTAKES["flatten"],
    laws=(one_token_each, no_word_lost, first_difference),
)
