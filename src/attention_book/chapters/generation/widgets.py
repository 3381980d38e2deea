"""Chapter 15's widgets: a network that is told by examples what to do, one that goes on
with a text, and a code of the reader's own, looked up in the prompt.
"""

import numpy as np

from attention_book import runs
from attention_book.chapters.generation.codes import KEYS, N_PAIRS, VALUES, WORDS
from attention_book.chapters.generation.docstrings import N_PIECES
from attention_book.chapters.generation.operations import (
    ADJECTIVES,
    DETERMINERS,
    MOST_EXAMPLES,
    NOUNS,
    TOKENS,
    VERBS,
)
from attention_book.chapters.generation.running_example import INPUTS, prompts
from attention_book.data import STOP
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    ids,
    joined,
    maps,
    named,
    over,
    picked,
    reading,
    select,
    silencing,
    slider,
    switches,
    tokens,
    typed,
    words_of,
    writing,
)

__all__ = ["by_prompt", "next_piece", "own_code"]

PROMPT, SHOWN = "prompt", "examples"
PAIRS, NETWORK, GUESSES = "pairs", "network", 4
BEGINNINGS = ["Return the", "Return True if the", "If the file", "This function"]
MOST_PIECES = 12
DRAWN = {
    "temperature": [0.1, 0.5, 0.8, 1, 1.5, 2],
    "top-k": [1, 2, 5, 20, 100, N_PIECES],
    "top-p": [0.1, 0.5, 0.8, 0.9, 0.95, 1],
}
RUNS = {"two blocks": "look-up", "one block": "look-up-one"}
SILENT = "silent heads"
HEADS = [f"{block}.{head}" for block in (1, 2) for head in (1, 2)]
GROUPS = (
    [*NOUNS],
    [*NOUNS.values()],
    DETERMINERS,
    ADJECTIVES,
    *zip(*VERBS, strict=True),
)


def by_prompt() -> Widget:
    """Let a network complete a prompt whose examples say what to do."""
    given = prompts()
    source = computed("last_parts", values=ids(PROMPT), end=STOP, count=control(SHOWN))
    network = runs.load("prompting").network()
    written = writing(
        network,
        change=silencing(SILENT, _taps(2), network.model.encoder.N_heads),
        most=16,
        source=source,
    )
    return Widget(
        title="Told by examples",
        question="Predict: what if there is no example?",
        controls=[
            typed(
                PROMPT,
                TOKENS,
                given["correct"],
                groups=GROUPS,
                longest=100,
                examples={
                    name: text for name, text in given.items() if name != "correct"
                },
            ),
            slider(SHOWN, range(MOST_EXAMPLES + 1), default=len(INPUTS)),
            switches(SILENT, [f"{b}.{h}" for b in (1, 2) for h in (1, 2, 3, 4)]),
        ],
        panels=[tokens("it writes", written.words("ids", TOKENS), room=7)],
        summary=joined(written.words("ids", TOKENS), "It writes: {}"),
        link="by-prompt",
    )


def next_piece() -> Widget:
    """Let a network go on with a text, and show what each piece is drawn from."""
    run = runs.load("docstrings")
    (pieces,) = run.vocabularies
    words = [each.replace("Ġ", "▁").replace("Ċ", "⏎") for each in pieces.words]
    begun = [each.replace(" ", " Ġ").split() for each in BEGINNINGS]
    given = [np.array(pieces.encode(each, start=True)) for each in begun]
    written = writing(
        run.network(),
        most=MOST_PIECES,
        sample={"seed": "draw", **{name.replace("-", "_"): name for name in DRAWN}},
        source=over("begins with", given),
    )
    chances = computed(
        "last_row", rows=written.output("chances"), count=control("piece")
    )
    best = computed("top", values=chances, count=GUESSES)
    return Widget(
        title="Which piece to take",
        question="Predict: what makes the text of temperature 2 readable again?",
        controls=[
            select("begins with", BEGINNINGS),
            slider("temperature", DRAWN["temperature"], default=1),
            *(
                slider(name, DRAWN[name], default=DRAWN[name][-1])
                for name in ("top-k", "top-p")
            ),
            slider("draw", range(1, 11)),
            slider("piece", range(1, MOST_PIECES + 1)),
        ],
        panels=[
            tokens(
                "it writes",
                written.words("ids", words),
                axis="piece",
                room=MOST_PIECES,
            ),
            bars(
                named(best, words),
                computed("at_places", values=chances, places=best),
                label="what that piece is drawn from",
                axis="guess",
                limits=(0, 1),
                measure="probability",
            ),
        ],
        follow={"piece": "piece"},
        summary=joined(named(best, words), "Likeliest pieces: {}"),
        link="next-piece",
    )


def own_code() -> Widget:
    """Let the reader write a code, ask for a value, and silence heads."""
    asked = {
        name: reading(
            runs.load(run).network(),
            change=silencing(SILENT, _taps(blocks), 2),
            source=ids(PAIRS),
        )
        for blocks, (name, run) in zip((2, 1), RUNS.items(), strict=True)
    }
    one, two = asked["one block"], asked["two blocks"]
    first, second = (two.tap(tap) for tap in _taps(2))
    (only,) = (one.tap(tap) for tap in _taps(1))
    heads = {"two blocks": HEADS, "one block": HEADS[:2]}
    weights = {
        "two blocks": computed("stacked", A=first, B=second),
        "one block": only,
    }
    logits = picked(
        NETWORK, {name: each.output("logits") for name, each in asked.items()}
    )
    best = computed("top", values=logits, count=GUESSES)
    chances = computed("softmax", scores=logits, temperature=1.0)
    return Widget(
        title="A code of your own",
        question="Predict: what will the network with one block say? Then silence one "
        "head of two blocks at a time.",
        controls=[
            typed(
                PAIRS,
                WORDS.words,
                "fox 7 bird 2 king 9 bird 2 fox",
                groups=[KEYS, VALUES],
                longest=2 * N_PAIRS,
            ),
            select(NETWORK, [*RUNS]),
            switches(SILENT, HEADS),
        ],
        panels=[
            bars(
                named(best, WORDS.words),
                computed("at_places", values=chances, places=best),
                label="guesses for the next token",
                axis="guess",
                limits=(0, 1),
                measure="probability",
                half=True,
            ),
            maps(
                picked(NETWORK, heads),
                words_of(PAIRS),
                words_of(PAIRS),
                picked(NETWORK, weights),
                label="where each head looks",
                cell=(9, 6),
                half=True,
            ),
        ],
        summary=joined(named(best, WORDS.words), "Likeliest first: {}"),
        link="own-code",
    )


def _taps(N_blocks: int) -> list[str]:
    return [f"encoder.blocks.{block}.attend" for block in range(N_blocks)]
