"""Chapter 15's widgets: a network that is told by examples what to do, one that goes on
with a text, and a code of the reader's own, looked up in the prompt.
"""

from attention_book import runs
from attention_book.chapters.generation.codes import KEYS, N_PAIRS, VALUES, WORDS
from attention_book.chapters.generation.docstring_pieces import (
    N_PIECES,
    read_as,
    shown_as,
)
from attention_book.chapters.generation.operations import (
    ADJECTIVES,
    DETERMINERS,
    MOST_EXAMPLES,
    NOUNS,
    TOKENS,
    VERBS,
)
from attention_book.chapters.generation.running_example import CORRECTED, prompts
from attention_book.data import STOP
from attention_book.models import heads
from attention_book.widgets import (
    Widget,
    bars,
    computed,
    control,
    digits,
    ids,
    joined,
    maps,
    named,
    picked,
    pieces_of,
    reading,
    select,
    silencing,
    slider,
    switches,
    tokens,
    typed,
    words_of,
    writing,
    written,
)

__all__ = ["by_prompt", "next_piece", "own_code"]

PROMPT, SHOWN = "prompt", "examples read, at most"
PAIRS, NETWORK, GUESSES = "sequence", "network", 4
BEGINNINGS = ["Return the", "Return True if the", "If the file", "This function"]
MOST_PIECES, LIKELIEST = 12, 6
DRAWN = {
    "temperature": [0.1, 0.5, 0.8, 1, 1.5, 2],
    "top-k": [1, 2, 5, 20, 100, N_PIECES],
    "top-p": [0.1, 0.5, 0.8, 0.9, 0.95, 1],
}
RUNS = {"one block": "look-up-one", "two blocks": "look-up"}
SILENT = "heads off"
GROUPS = (
    [*NOUNS],
    [*NOUNS.values()],
    DETERMINERS,
    ADJECTIVES,
    *([*dict.fromkeys(forms)] for forms in VERBS),
)


def by_prompt() -> Widget:
    """Let a network complete a prompt whose examples say what to do."""
    given = prompts()
    source = computed("last_parts", values=ids(PROMPT), end=STOP, count=control(SHOWN))
    network = runs.load("prompting").network()
    written = writing(
        network,
        change=silencing(SILENT, network),
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
                examples=given,
                reads=SHOWN,
            ),
            slider(SHOWN, range(MOST_EXAMPLES + 1), default=len(CORRECTED)),
            switches(SILENT, heads(network.model)),
        ],
        panels=[tokens("it writes", written.words("ids", TOKENS), room=7)],
        aloud=joined(written.words("ids", TOKENS), "It writes: {}"),
        link="by-prompt",
    )


def next_piece() -> Widget:
    """Let a network go on with a text, and show what each piece is drawn from."""
    run = runs.load("docstrings")
    network = run.network()
    pieces = run.vocabularies[0].words
    words = [shown_as(each) for each in pieces]
    drawn = writing(
        network,
        most=MOST_PIECES,
        sample={"seed": "draw", **{name.replace("-", "_"): name for name in DRAWN}},
        source=pieces_of("beginning", network),
    )
    chances = computed("last_row", rows=drawn.output("chances"), count=control("piece"))
    kept = computed("last_row", rows=drawn.output("kept"), count=control("piece"))
    best = computed("likeliest", values=chances, kept=kept, count=LIKELIEST)
    heard = drawn.words("ids", [read_as(each) for each in pieces])
    return Widget(
        title="Which piece to take",
        question="Predict: what helps at temperature 1.5?",
        controls=[
            written("beginning", BEGINNINGS),
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
                drawn.words("ids", words),
                axis="piece",
                room=MOST_PIECES,
            ),
            bars(
                named(best, [*words, "all others"]),
                computed("with_rest", values=chances, places=best),
                label="probabilities of that piece",
                axis="guess",
                limits=(0, 1),
                measure="probability",
                close=True,
            ),
        ],
        follow={"piece": "piece"},
        summary=joined(
            digits(kept, 0), f"This piece is drawn from {{}} of {N_PIECES} pieces."
        ),
        aloud=joined(heard, "It writes: {}", between=""),
        link="next-piece",
    )


def own_code() -> Widget:
    """Let the reader write a code, ask for a value, and silence heads."""
    networks = {name: runs.load(run).network() for name, run in RUNS.items()}
    asked = {
        name: reading(network, change=silencing(SILENT, network), source=ids(PAIRS))
        for name, network in networks.items()
    }
    names = {name: heads(network.model) for name, network in networks.items()}
    one, two = asked["one block"], asked["two blocks"]
    (only,), (first, second) = (map(each.tap, each.change) for each in (one, two))
    weights = {
        "one block": only,
        "two blocks": computed("stacked", A=first, B=second),
    }
    logits = picked(
        NETWORK, {name: each.output("logits") for name, each in asked.items()}
    )
    best = computed("top", values=logits, count=GUESSES)
    chances = computed("softmax", scores=logits, temperature=1.0)
    return Widget(
        title="A code of your own",
        question="Predict: what does each network say? Then switch off one head "
        "at a time.",
        controls=[
            typed(
                PAIRS,
                WORDS.words,
                "fox 7 bird 2 king 9 bird 2 fox",
                groups=[KEYS, VALUES],
                longest=2 * N_PAIRS,
            ),
            select(NETWORK, [*RUNS]),
            switches(SILENT, names["two blocks"], there=(NETWORK, names)),
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
                picked(NETWORK, names),
                words_of(PAIRS),
                words_of(PAIRS),
                picked(NETWORK, weights),
                label="where each head looks",
                cell=(11, 7),
                across=2,
                half=True,
            ),
        ],
        summary=joined(named(best, WORDS.words), "Likeliest first: {}"),
        link="own-code",
    )
