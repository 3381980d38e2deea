"""The running example, and prompts that ask for something to be done to it."""

from collections.abc import Sequence

from attention_book.chapters.generation.operations import (
    Pair,
    pair,
    parsed,
    prompt,
)

INPUTS = (  # of the examples
    "your old teacher follow my friend",
    "our king forget the red foxes",
)
CORRECTED = (  # inputs of examples, too: poor English, and three, as GPT-3 was shown
    "the fox bite our king",
    "my man draw your bird",
    "the man hide my cats",
)
ASKED = "the cat see my dog"
SHOWN = (
    "correct",
    "past",
    "plural",
    "negation",
    "passive",
    "question",
    "backwards",
    "plural + past",
)


def examples(*operations: str, inputs: Sequence[str] = INPUTS) -> list[Pair]:
    """Do something to each input."""
    return [
        pair(parsed(given.split()), name)
        for given, name in zip(inputs, operations, strict=True)
    ]


def prompts() -> dict[str, str]:
    """Write the prompts of the text, by what their examples show."""
    shown = {name: examples(name, name) for name in SHOWN}
    shown["correct"] = examples(*3 * ["correct"], inputs=CORRECTED)
    shown["past, question"] = examples("past", "question")
    (first, output), (second, other) = shown["past"]
    shown["other outputs"] = [(first, other), (second, output)]
    return {name: " ".join(prompt(some, ASKED.split())) for name, some in shown.items()}
