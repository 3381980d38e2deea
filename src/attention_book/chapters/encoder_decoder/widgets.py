"""Chapter 12's widgets, fed from recorded runs."""

from typing import Any

import numpy as np

from attention_book import runs
from attention_book.shapes import START, STOP
from attention_book.widgets import (
    Widget,
    chosen,
    computed,
    control,
    digits,
    heat_map,
    ids,
    joined,
    maps,
    named,
    over,
    picked,
    select,
    shown,
    slider,
    spotlight,
    switches,
    tree,
    typed,
    words_of,
    writing,
)
from attention_book.widgets.running import Run

SENTENCE, WORD, BLOCK, HEAD = "sentence", "word", "block", "head"
MEAN = "mean"
# a word of the source -> the sentence's name in the menu
SHOWN = {
    "apple": "a big apple",
    "economic": "economic area (it errs)",
    "bread": "eating bread",
}
OPENS = {SENTENCE: SHOWN["apple"], WORD: 4, BLOCK: 2, HEAD: "1"}  # grosse: which?
END = "[STOP]"
TEACHER = "they did not see our teacher"
TRY = ("i ate a big apple",)
OWN = "decoder's own"
ATTENTION = {  # in the menu -> the tap
    "cross-attention": "decoder.blocks.0.cross",
    OWN: "decoder.blocks.0.attend",
    "encoder, block 1": "encoder.blocks.0.attend",
    "encoder, block 2": "encoder.blocks.1.attend",
}
HARD = (
    "our big child",
    "a european house in august",
    "big children visited this car",
)
STEP, TRAPPED = "step", 2  # where greedy search is lost
SHOWN_NUMBERS = 12  # of a key
HEADS = ("1", "2", "3", "4")


def cross_attention() -> Widget:
    """Show where each head of two blocks looks while a translation is written.

    The model is shown the right words. The mean of a block's heads stands beside them:
    what is averaged are the weights.
    """
    run = runs.load("transformer-two-blocks")
    kept = {}
    for word, name in SHOWN.items():
        (kept[name],) = (
            one for one in run.kept("cross_attention") if word in one["source"]
        )
    looks = {
        name: np.append(A, A.mean(axis=1, keepdims=True), axis=1)
        for name, A in ((name, one["A"].astype(float)) for name, one in kept.items())
    }  # (2 blocks, heads and their mean, N_Y, N_X)
    heads = [*HEADS, MEAN]
    aer, blinded = (
        np.column_stack([run.per_seed("heads", name)[0] for name in names])
        for names in (("aer", "blocks_aer"), ("without", "without_block"))
    )  # (2 blocks, heads and all of the block)
    right = run.table("test", "exact_match")[0].mean()

    def words(name, side):
        return [*kept[name][side], END]

    def at(name, t):
        return min(t, len(words(name, "target"))) - 1

    def weights(name, block):
        return looks[name][block - 1]

    def of_head(name, block, head):
        return weights(name, block)[heads.index(head)]

    def said(name, t, block, head):
        source, target, alone = (
            words(name, side) for side in ("source", "target", "said")
        )
        if t > len(target):
            return f"Nothing here: the sentence has {len(target)} words."
        row = at(name, t)
        a_t = of_head(name, block, head)[row]
        best = int(a_t.argmax())
        gold = [i for i, j in kept[name]["alignment"] if j == row]
        judged = f"{'' if best in gold else 'not '}gold" if gold else "no gold link"
        k = heads.index(head)
        errs = _errs(alone, target)
        alone = f" Alone: …{errs}…" if errs else ""
        what = "all blinded" if head == MEAN else "blinded"
        return (
            f"{target[row]} ({t} of {len(target)}) looks at "
            f"{source[best]} ({a_t[best]:.2f}), {judged}. "
            f"Test set: alignment error {aer[block - 1, k]:.2f}; right {right:.0%}, "
            f"{what} (equal weights) {blinded[block - 1, k]:.0%}.{alone}"
        )

    source, target = (
        over(SENTENCE, lambda name, side=side: words(name, side))
        for side in ("source", "target")
    )
    longest = max(len(words(name, "target")) for name in kept)
    return Widget(
        title="Where 2 decoder blocks look",
        question="Predict: which head can it least spare?",
        controls=[
            select(SENTENCE, list(kept), default=OPENS[SENTENCE]),
            slider(WORD, range(1, longest + 1), default=OPENS[WORD], play=True),
            select(BLOCK, [1, 2], default=OPENS[BLOCK]),
            select(HEAD, heads, default=OPENS[HEAD]),
        ],
        panels=[
            spotlight(
                target,
                source,
                over(SENTENCE, BLOCK, HEAD, of_head),
                names=("shown", "looks at"),
                axes=("target", "source"),
                gold=over(SENTENCE, lambda name: kept[name]["alignment"]),
                gold_label="gold alignment",
            ),
            maps(
                [*(f"head {head}" for head in HEADS), MEAN],
                target,
                source,
                over(SENTENCE, BLOCK, weights),
                label="all heads of the block: a row for each word",
                axes=("head", "target", "source"),
                chooses=control(HEAD),
                cell=(6, 3),
            ),
        ],
        follow={"target": over(SENTENCE, WORD, at), "head": HEAD},
        summary=over(SENTENCE, WORD, BLOCK, HEAD, said),
        link="cross-attention",
    )


def _errs(alone: list[str], target: list[str]) -> str:
    """What is written alone from the first word that is not right to the last."""

    def alike(one, other):  # words before the first that differs
        pairs = enumerate(zip(one, other, strict=False))
        return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))

    first, last = alike(alone, target), len(alone) - alike(alone[::-1], target[::-1])
    return " ".join(alone[first : max(first + 1, last)])


def own_translation() -> Widget:
    """Translate the reader's sentence: each head of each attention, and without it."""
    run = runs.load("transformer")
    english, french = (side.words for side in run.vocabularies)
    silence = [["off", control("silence head")]]
    none: dict[str, list] = {name: [] for name in ATTENTION}
    change = {
        tap: [chosen("attention", none | {name: silence})]
        for name, tap in ATTENTION.items()
    }
    written = _written(run, change=change)
    said = written.words("ids", french)
    read = words_of("English", stop=True)
    fed = named(computed("shifted", values=written.output("ids"), first=START), french)
    rows, columns, heads = {}, {}, {}
    for name, tap in ATTENTION.items():
        encodes = tap.startswith("encoder")
        rows[name] = read if encodes else said
        columns[name] = fed if name == OWN else read
        A = written.tap(tap)
        heads[name] = A if encodes else computed("heads_first", A=A)
    means = {name: computed("mean_of", values=A) for name, A in heads.items()}
    return Widget(
        title="Every head of every attention",
        question="Predict: which head carries the not? Silence one at a time.",
        controls=[
            typed("English", english, TEACHER, examples=TRY, longest=18),
            select("attention", list(ATTENTION)),
            switches("silence head", HEADS),
        ],
        panels=[
            spotlight(
                picked("attention", rows),
                picked("attention", columns),
                picked("attention", means),
                names=("looks", "looked at"),
            ),
            maps(
                [f"head {head}" for head in HEADS],
                picked("attention", rows),
                picked("attention", columns),
                picked("attention", heads),
                label="above: mean of the heads; below: each",
                cell=(14, 7),
            ),
        ],
        follow={"query": 1},
        summary=joined(said, "It writes: {}"),
        link="own-translation",
    )


def _written(run: runs.RecordedRun, **options: Any) -> Run:
    """Translate what is typed."""
    inputs = {
        "source": ids("English", stop=True),
        "visible": shown("English", stop=True),
    }
    return writing(run.network(), most=24, **options, **inputs)


def beam_tree() -> Widget:
    """Follow a beam search through the reader's sentence, word by word."""
    run = runs.load("transformer")
    english, french = (side.words for side in run.vocabularies)
    found = _written(run, width="beam width")
    kept = {name: found.output(f"tree_{name}") for name in ("words", "parents")}
    nodes = computed(
        "search_nodes", **kept, scores=found.output("tree_scores"), count=control(STEP)
    )
    up, word, score, state = (
        computed("entry", values=nodes, at=i) for i in range(2, 6)
    )
    places = computed("transposed", rows=computed("first_rows", rows=nodes, count=2))
    return Widget(
        title="A beam search, word by word",
        question="Predict: will the leader win?",
        controls=[
            typed("English", english, HARD[0], examples=HARD[1:], longest=12),
            slider(STEP, range(1, 17), default=TRAPPED, play=True),
            select("beam width", [1, 2, 3], default=3),
        ],
        panels=[
            tree(
                named(word, french),
                places,
                up,
                digits(score, 2),
                state,
                label="log P per word, down to each",
                columns=3,
            )
        ],
        summary="A beam of 1 is greedy: it takes the likeliest word, for good.",
        link="beam-tree",
    )


def cache() -> Widget:
    """Watch the decoder's keys: a row more at each step, and none that changes."""
    run = runs.load("transformer")
    english, french = (side.words for side in run.vocabularies)
    network, words = run.network(), TEACHER.split()
    source = [*map(english.index, words), STOP]
    inputs = {"source": [source], "visible": [[True] * len(source)]}
    written = network.write(inputs)[0]["ids"]
    read = [START, *map(int, written[:-1])]
    kept = encoded = network.run("encode", inputs)[0]
    for token in read:
        batch = {name: x[None] for name, x in (encoded | kept).items()}
        kept = network.run("step", {**batch, "token": [token]})[0]
    keys = kept["state.0.0"][0, :, :SHOWN_NUMBERS]  # of head 1
    of_source = encoded["memory.kv_cache.0.0"][0, :, :SHOWN_NUMBERS]
    rows, columns = [french[i] for i in read], range(1, SHOWN_NUMBERS + 1)
    options = {"diverging": True, "digits": 1, "half": True, "cell": (18, 18)}
    options |= {"say": "{column} of the key of {row}: {value}"}
    return Widget(
        title="The keys that are kept",
        question="Predict: which rows change when a word is written?",
        controls=[slider("step", range(1, len(read) + 1), default=3, play=True)],
        panels=[
            heat_map(
                over("step", lambda t: rows[:t]),
                columns,
                over("step", lambda t: keys[:t]),
                label="words so far, a row more a step",
                axes=("written", "number"),
                **options,
            ),
            heat_map(
                [*words, END],
                columns,
                of_source,
                label="source, made once",
                axes=("read", "number"),
                **options,
            ),
        ],
        follow={"written": "step"},
        summary=over(
            "step",
            lambda t: (
                f"Step {t} makes 1 row. With nothing kept it would make {t} on the "
                f"left, and the {len(source)} on the right again."
            ),
        ),
        link="cache",
    )
