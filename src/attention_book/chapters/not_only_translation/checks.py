"""Chapter 13's checks: a tree as a sequence of brackets and words, how much of it is
right, and from one language to another by way of a third.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from attention_book.chapters.not_only_translation import solutions
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import Counted
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)
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
    pairs = zip_longest(map(repr, said), map(repr, due), fillvalue="nothing more")
    for place, (mine, right) in enumerate(pairs):
        if mine != right:
            before = " ".join(due[:place])
            closing = repr(")") in (mine, right)
            where = ": a phrase is closed right behind its last part" * closing
            return f"after {before!r} you write {mine}, expected {right}{where}."
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
        Case(
            "a phrase whose only part is a phrase, six deep",
            tree=(
                "S",
                ("VP", "met", ("NP", "her", ("PP", "in", ("NP", ("N", "may"))))),
            ),
        ),
        Case(
            "labels and words that hold more than letters",
            tree=("NP-SBJ", ("NP", ("Det", "the"), "dog", "'s"), ",", "3,000", "fleas"),
        ),
    ),
    mutants=MISTAKES["flatten"],
    laws=(one_token_each, no_word_lost, first_difference),
)


def taken_for_f1(right, said, gold, R_t, S, G, p, r, P, R):
    """Other measures, of phrases that are right, said and due."""
    p_m, r_m = p.mean(), r.mean()
    others = {
        "You give the precision, the share of what was said that is right: what says "
        "little looks good. F1 asks for the recall, too.": P,
        "You give the recall, the share of the gold phrases that was said: what says "
        "much looks good. F1 asks for the precision, too.": R,
        "You give the plain mean of precision and recall. F1 is the harmonic one, 2 P "
        "R / (P + R), which lies nearer to the smaller.": (P + R) / 2,
        "You give half of F1: twice the right phrases are divided by those said and "
        "those due together.": R_t / (S + G),
        "You divide by the phrases that are said or due, each once. F1 is 2 P R / (P + "
        "R).": R_t / (S + G - R_t),
        "You average precision and recall over the sentences. Count over all sentences "
        "first, and divide once.": 2 * p_m * r_m / max(p_m + r_m, 1e-9),
        "You give the geometric mean of precision and recall. F1 is the harmonic one, "
        "2 P R / (P + R).": np.sqrt(P * R),
        "You skip the sentences of which nothing is said, and with them their gold "
        "trees: a silent parser looks better. Their gold phrases count, as not "
        "found.": 2 * R_t / max(S + gold[said > 0].sum(), 1),
        "You give F1 in percent: it is a number from 0 to 1.": 200 * R_t / (S + G),
        "You give the share of trees that are right as a whole. Here phrases are "
        "counted.": ((right == said) & (right == gold)).mean(),
    }
    return [(2 * R_t / (S + G), others)]


def counts(example: Example) -> dict[str, object]:
    """By sentence: phrases that are right, said and due; and shares of their sums."""
    own, due = ([Counter(p or ()) for p in some] for some in example.inputs.values())
    both = [a & b for a, b in zip(own, due, strict=True)]
    right, said, gold = (
        np.array([c.total() for c in some]) for some in (both, own, due)
    )
    R_t, S, G = right.sum(), said.sum(), gold.sum()
    named = {"right": right, "said": said, "gold": gold, "R_t": R_t, "S": S, "G": G}
    shares = {"p": right / np.maximum(said, 1), "r": right / gold}
    return named | shares | {"P": R_t / max(S, 1), "R": R_t / G}


def scored(name: str, *pairs: str) -> Case:
    """Pairs "what is said / what is due"; "NP24" is one over words 2 and 3."""
    said, gold = zip(*(pair.split(" / ") for pair in pairs), strict=True)
    return Case(name, said=[*map(phrases, said)], gold=[*map(phrases, gold)])


def phrases(text: str) -> list[tuple[str, int, int]] | None:
    if text == "no tree":
        return None
    return [(each[:-2], int(each[-2]), int(each[-1])) for each in text.split()]


LOW = "NP01 NP24 NP57 PP47 NP27 VP17 S07"  # i shot an elephant in my pajamas
HIGH = "NP01 NP24 NP57 PP47 VP17 S07"
SLEPT = "NP02 VP23 S03"  # the man slept

check_bracket_f1 = Check(
    name="bracket_f1",
    reference=solutions.bracket_f1,
    gives={"f1": ""},
    task="Write `bracket_f1(said, gold)`: F1, 2 P R / (P + R), of labelled phrases "
    "(label, start, end), counted over all sentences together. A phrase that a tree "
    "has twice counts twice. `said[i]` is None where there was no tree: nothing was "
    "said, and the gold phrases count. 0 where no phrase is right.",
    cases=(
        scored(
            "two sentences",
            f"{HIGH} / {LOW}",
            f"NP02 NP04 NP35 VP25 S05 / {SLEPT} NP34",
        ),
        scored(
            "an output that is no tree",
            f"{SLEPT} / {SLEPT}",
            f"no tree / {LOW}",
            f"{SLEPT} NP34 / {SLEPT}",
            f" / {SLEPT}",
        ),
        scored(
            "phrases that are there twice",
            f"NP01 NP01 {HIGH} / {HIGH}",
            f"NP02 {SLEPT} / NP02 NP02 NP02 {SLEPT}",
            f"{SLEPT} / NP02 {SLEPT}",
        ),
        scored("another order", f"S07 VP17 NP27 PP47 NP57 NP24 NP01 / {LOW}"),
        scored("another label", f"NP02 PP23 S03 / {SLEPT}"),
        scored("each other's phrases", f"{SLEPT} / {LOW}", f"{LOW} / {SLEPT}"),
        scored("no tree at all", f"no tree / {SLEPT}"),
    ),
    mutants=MISTAKES["bracket_f1"],
    laws=(
        Counted(
            "F1",
            taken_for_f1,
            names=counts,
            hint="By sentence, {said} phrases are said, {gold} are due and {right} "
            "are both, with label, start and end, each as often as both trees have "
            "it. Add each up over the sentences.",
        ),
    ),
)


LANGUAGES = ("en", "fr", "es")
SAME = """
they see | ils voient | ven
you see | tu vois | ves
you see | vous voyez | ven
he sees | il voit | ve
she sees | elle voit | ve
he is seeing | il voit | está viendo
we buy | nous achetons | compramos
we bought | nous avons acheté | compramos
Paris | Paris | París
"""  # each language loses something, so that another way ends elsewhere


class Translator:
    """A translator that knows a few sentences; the first that fits is taken."""

    rows = tuple(
        tuple(tuple(text.split()) for text in row.split(" | "))
        for row in SAME.strip().splitlines()
    )

    def __call__(self, sentences, to):
        """Translate a list of sentences, each some words, into "en", "fr" or "es"."""
        if to not in LANGUAGES:
            raise ValueError(f"to is {to!r}, expected one of {', '.join(LANGUAGES)}")
        for one in [sentences, *sentences]:
            if not isinstance(one, list | tuple):
                raise TypeError(
                    "translate takes a list of sentences, each a list of words; got "
                    f"{sentences!r}"
                )
        return [self.translated(words, to) for words in sentences]

    def translated(self, words: Sequence[str], to: str) -> list[str]:
        """Translate one sentence."""
        for row in self.rows:
            if tuple(words) in row:
                return [*row[LANGUAGES.index(to)]]
        raise ValueError(f"{words} is none of the sentences that translate knows")

    def __repr__(self) -> str:
        return f"a translator that knows these, {' | '.join(LANGUAGES)}:{SAME}"


def one_for_each(example: Example) -> str | None:
    """As many sentences as came, each of them words."""
    said, N = example.got["translations"], len(example.inputs["sentences"])
    if len(said) != N:
        return f"you return {len(said)} sentences for {N}."
    for i, one in enumerate(said):
        if not isinstance(one, list | tuple) or not all(
            isinstance(w, str) for w in one
        ):
            return f"sentence {i} of yours is {one!r}, expected a list of words."
    return None


def step_by_step(example: Example) -> str | None:
    """Show the way of the first sentence that ends elsewhere."""
    translate, sentences, to, by = example.inputs.values()
    pairs = zip(sentences, *(it["translations"] for it in example[1:3]), strict=True)
    for source, said, due in pairs:
        if [*said] != due:
            first, second, third, yours = map(
                " ".join, (source, translate.translated(source, by), due, said)
            )
            return (
                f"of {first!r} translate makes {second!r} ({by}), and of that {third!r}"
                f" ({to}). You return {yours!r}."
            )
    return None


def asked(name: str, sentences: str, *, to: str, by: str) -> Case:
    given = [text.split() for text in sentences.split(" / ")]
    return Case(name, translate=Translator(), sentences=given, to=to, by=by)


check_pivot = Check(
    name="pivot",
    reference=solutions.pivot,
    gives={"translations": ""},
    task="Write `pivot(translate, sentences, to, by)`: translate a list of sentences "
    "into the language `to` by way of the language `by`, with translate(sentences, "
    "language), which takes and gives lists of sentences, each a list of words.",
    cases=(
        asked(
            "French to Spanish by way of English",
            "vous voyez / vous voyez / elle voit / vous voyez / Paris",
            to="es",
            by="en",
        ),
        asked(
            "English to Spanish by way of French",
            "he is seeing / she sees",
            to="es",
            by="fr",
        ),
        asked(
            "French to English by way of Spanish",
            "vous voyez / elle voit",
            to="en",
            by="es",
        ),
    ),
    mutants=MISTAKES["pivot"],
    laws=(one_for_each, step_by_step),
)
