"""Chapter 5's widgets: a sentence whose words look at one another, and four words by
hand.
"""

from attention_book import runs
from attention_book.chapters.self_attention.sentences import (
    ADJECTIVES,
    LONGEST,
    NOUNS,
    vocabularies,
)
from attention_book.chapters.self_attention.step_by_step import by_hand, step_by_step
from attention_book.networks import Network
from attention_book.widgets import Widget, ids, looks, reading, shown, typed, words_of
from attention_book.widgets.panel import Panel

__all__ = ["by_hand", "right_and_wrong_map", "step_by_step", "what_is_it"]

SENTENCE = (
    "the horse behind the bus passed the soup because it was scared and it was parked"
)
ASKS = [word for some in ADJECTIVES.values() for word in some]
OF = "sentence"


def what_is_it() -> Widget:
    """Let a network read a sentence, and show where each of its words looks."""
    return Widget(
        title="What is it?",
        question="Predict: a field is es, too. What answer appears under scared if you "
        "replace horse by field?",
        controls=[_a_sentence(SENTENCE)],
        panels=[_reads(runs.load("it").network())],
        link="what-is-it",
    )


def right_and_wrong_map() -> Widget:
    """Let two networks read a sentence that both of them get right."""
    first, second = (runs.load(name).network() for name in ("it", "it-always-fits"))
    return Widget(
        title="The same answers, two maps",
        question="Predict: hide the car. Which of the two answers under parked stays?",
        controls=[_a_sentence(SENTENCE.replace("bus", "car"))],
        panels=[
            _reads(first, "Trained with some adjectives that fit no noun"),
            _reads(second, "Trained only with adjectives that fit a noun"),
        ],
        follow={"word": len(SENTENCE.split()) - 1},
        link="two-maps",
    )


def _a_sentence(words: str):
    """A sentence that is typed, whose nouns and adjectives can be exchanged: a noun for
    those of its kind, and for those of its gender.
    """
    nouns = [[*map(str.split, kind.values())] for kind in NOUNS.values()]
    alike = [*nouns, *zip(*nouns, strict=True)]  # of a kind, then of a gender
    groups = [group for lists in alike for group in zip(*lists, strict=True)]
    return typed(
        OF,
        vocabularies()["source"].words,
        words,
        groups=[*groups, ASKS],
        longest=LONGEST,
        hides=True,
        tiles=False,
    )


def _reads(network: Network, label: str = "") -> Panel:
    """The sentence as a network reads it, its answers under the adjectives."""
    run = reading(network, source=ids(OF), visible=shown(OF))
    return looks(
        words_of(OF),
        run.tap("attend"),
        said=run.words("logits", vocabularies()["target"].words),
        asks=ASKS,
        shown=shown(OF),
        presses=OF,
        label=label,
    )
