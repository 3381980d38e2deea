"""The running example, and prompts that ask for something to be done to it."""

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


def examples(*operations: str) -> list[Pair]:
    """Do something to each input."""
    return [
        pair(parsed(given.split()), name)
        for given, name in zip(INPUTS, operations, strict=True)
    ]


def prompts() -> dict[str, str]:
    """Write the prompts of the text, by what their examples show."""
    shown = {name: examples(name, name) for name in SHOWN}
    shown["past, question"] = examples("past", "question")
    (first, output), (second, other) = shown["past"]
    shown["other outputs"] = [(first, other), (second, output)]
    return {name: " ".join(prompt(some, ASKED.split())) for name, some in shown.items()}
