"""The running example, and prompts that ask for something to be done to it."""

from attention_book.chapters.generation.operations import (
    OPERATIONS,
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
SHOWN = {  # what a button is called, and what its examples show
    **{name: name for name in (*OPERATIONS, "backwards")},
    "subject and object swapped": "swap",
    "plural + past": "plural + past",
}


def examples(*operations: str) -> list[Pair]:
    """Do something to each input."""
    return [
        pair(parsed(given.split()), name)
        for given, name in zip(INPUTS, operations, strict=True)
    ]


def prompts() -> dict[str, str]:
    """Write the prompts of the text, by what their examples show."""
    shown = {name: examples(done, done) for name, done in SHOWN.items()}
    shown["past, then question"] = examples("past", "question")
    (first, output), (second, other) = shown["past"]
    shown["past, outputs exchanged"] = [(first, other), (second, output)]
    return {name: " ".join(prompt(some, ASKED.split())) for name, some in shown.items()}
