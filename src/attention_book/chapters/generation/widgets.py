"""Chapter 15's widgets: a network that is told by examples what to do, and one that goes
on with a text.
"""

from typing import Any

from attention_book import runs
from attention_book.chapters.generation.operations import (
    ADJECTIVES,
    DETERMINERS,
    MOST_EXAMPLES,
    NOUNS,
    TOKENS,
    VERBS,
    Pair,
    pair,
    parsed,
    prompt,
)
from attention_book.data import STOP
from attention_book.widgets import (
    Widget,
    computed,
    control,
    ids,
    slider,
    switches,
    tokens,
    typed,
    writing,
)

PROMPT, SHOWN = "prompt", "examples"
SILENCED = "silenced in block 1", "silenced in block 2"
POOR = (  # English, of the running example
    "the cat see my dog",
    "our king forget the foxes",
    "my big bird hide the mice",
)
ASKED = "your old teacher draw my friend"
GROUPS = (
    [*NOUNS],
    [*NOUNS.values()],
    DETERMINERS,
    ADJECTIVES,
    *zip(*VERBS, strict=True),
)


def examples(*operations: str) -> list[Pair]:
    """Do something to each sentence of the running example."""
    return [
        pair(parsed(poor.split()), name)
        for poor, name in zip(POOR, operations, strict=True)
    ]


def prompts() -> dict[str, str]:
    """The running example, and what the text makes of it, by the name of a button."""
    outputs = [output for _, output in examples("past", "past", "past")]
    moved = [*outputs[1:], outputs[0]]
    made = {
        name: examples(*3 * [name])
        for name in ("mend", "past", "question", "passive", "backwards")
    } | {
        "plural + past": examples(*3 * ["plural + past"]),
        "past, past, question": examples("past", "past", "question"),
        "outputs moved on": [
            (tuple(poor.split()), output)
            for poor, output in zip(POOR, moved, strict=True)
        ],
    }
    return {name: " ".join(prompt(some, ASKED.split())) for name, some in made.items()}


def by_prompt() -> Widget:
    """Let a network complete a prompt whose examples say what to do."""
    taps = [f"encoder.blocks.{k}.attend" for k in range(len(SILENCED))]
    off = [[["off", control(name)]] for name in SILENCED]
    given = prompts()
    source = computed("last_parts", values=ids(PROMPT), end=STOP, count=control(SHOWN))
    written = writing(
        runs.load("prompting").network(),
        change=dict(zip(taps, off, strict=True)),
        most=16,
        source=source,
    )
    return Widget(
        title="Told by examples",
        question="Predict: without any example, what will it write?",
        controls=[
            typed(
                PROMPT,
                TOKENS,
                given["mend"],
                groups=GROUPS,
                longest=100,
                examples={name: text for name, text in given.items() if name != "mend"},
            ),
            slider(SHOWN, range(MOST_EXAMPLES + 1), default=len(POOR)),
            *(switches(name, list("1234"), [0] * 4) for name in SILENCED),
        ],
        panels=[tokens("it writes", written.words("ids", TOKENS), room=12)],
        link="by-prompt",
    )
