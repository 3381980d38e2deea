"""Chapter 2's widgets, fed from recorded runs."""

import numpy as np

from attention_book import runs
from attention_book.metrics.alignment import gold_weights
from attention_book.widgets import (
    Widget,
    arcs,
    bars,
    by_text,
    chosen,
    computed,
    control,
    heat_map,
    ids,
    joined,
    named,
    over,
    select,
    shown,
    slider,
    text,
    typed,
    words_of,
    writing,
)

BY_SCORE = {
    "dot": "attention-dot",
    "bilinear": "attention-bilinear",
    "MLP": "attention-mlp",
    "dot, forward": "attention-dot-forward",  # longer names are cut on a phone
    "MLP, forward": "attention-mlp-forward",
}

LONGEST, MOST = 14, 20  # words of a sentence that is typed, and of its translation
INPUTS = {"source": ids, "visible": shown}  # of the translator
APPLE = "i see the big apple"
# sentences by a word of theirs, among those whose attention is kept
NAMES = {"minister": "the minister", "bread": "eating bread"}
MEANS = {
    "le": "the",
    "ministre": "minister",
    "européen": "European",
    "n'": "not, with pas",
    "achètera": "will buy",
    "pas": "not, with n'",
    "cette": "this",
    "maison": "house",
    "aujourd'hui": "today",
    "nous": "we",
    "mangeons": "are eating",
    "du": "some",
    "pain": "bread",
}


def decoder_stepper() -> Widget:
    """Show what a decoder has written before each step, and where it then looks.

    The scores are what a model computed; the softmax happens in the reader's browser.
    """
    kept = runs.kept_attention(runs.load("attention-dot"))
    sentences = {NAMES[word]: runs.sentence_with(word, kept) for word in NAMES}
    each = list(sentences.values())

    def row(one: runs.SentenceAttention, t: int) -> int:
        """The row of word t; beyond the end of a short sentence, its last."""
        return min(t, len(one.target)) - 1

    def step(name: str, t: int) -> str:
        words = sentences[name].target
        if t > len(words):
            return f"The sentence ended with word {len(words)}: nothing comes after it."
        before, word = " ".join(words[: t - 1]) or "nothing yet", words[t - 1]
        said = f"{word} ({MEANS[word]})" if word in MEANS else word
        return f"Written: {before}. Next: {said}."

    def scores(name: str, t: int) -> str:
        one = sentences[name]
        e_t = one.e[row(one, t)]
        said = ", ".join(f"{one.source[i]} {e_t[i]:.1f}" for i in np.argsort(-e_t)[:2])
        return f"Highest scores eₜ: {said}.".replace(" -", " \N{MINUS SIGN}")

    def summary(name: str, t: int) -> str:
        one = sentences[name]
        j = row(one, t)
        i = one.A[j].argmax()
        return f"{one.target[j]} looks mostly at {one.source[i]} ({one.A[j, i]:.2f})."

    e_t = computed(
        "last_row",
        rows=over("sentence", [one.e for one in each]),
        count=control("word"),
    )
    longest = max(len(one.target) for one in each)
    return Widget(
        title="One step of the decoder",
        question="Move from word to word.",
        controls=[
            select("sentence", list(sentences)),
            # where it goes back: européen, after ministre
            slider("word", range(1, longest + 1), default=3, play=True),
        ],
        panels=[
            text(over("sentence", "word", step)),
            bars(
                over("sentence", [one.source for one in each]),
                computed("softmax", scores=e_t, temperature=1.0),
                label="weights aₜ: where it looks",
                axis="source",
                limits=(0, 1),
                half=True,
            ),
            text(over("sentence", "word", scores), half=True),
        ],
        summary=over("sentence", "word", summary),
        link="stepper",
    )


def score_functions() -> Widget:
    """Show one sentence as five models read it, and how well each does on the test set.

    The translation may be as good while the attention points elsewhere: that is why
    exact match and alignment error stand side by side.
    """
    recorded = {name: runs.load(run) for name, run in BY_SCORE.items()}
    each = [
        runs.sentence_with("minister", runs.kept_attention(run))
        for run in recorded.values()
    ]
    first, words = each[0], len(each[0].target) - 1  # without [STOP]
    figures = [
        f"{name}: {run.table('test', 'exact_match').mean():.1%} of the test set "
        "without a mistake, alignment error "
        f"{run.per_seed('alignment', 'aer').mean():.3f}."
        for name, run in recorded.items()
    ]
    return Widget(
        title="Five models read one sentence",
        question="Which model looks elsewhere?",
        controls=[select("model", list(recorded))],
        panels=[
            heat_map(
                first.target[:words],
                first.source,
                over("model", [one.A[:words] for one in each]),
                label="weights",
                axes=("target", "source"),
                gold=sorted(first.alignment),
                gold_label="gold",
                limits=(0, 1),
                half=True,
            ),
            text(over("model", figures), half=True),
        ],
        link="scores",
    )


def own_sentence(*, link: str = "own-sentence") -> Widget:
    """Translate the reader's sentence with its own weights or with others.

    Gold weights are known of two sentences. Words that come out otherwise than with
    the model's own weights are marked.
    """
    run = runs.load("attention-dot")
    kept = runs.kept_attention(run)
    known = {}
    for word in NAMES:
        one = runs.sentence_with(word, kept)
        N_Y, N_X = len(one.target), len(one.source)
        gold = gold_weights(one.alignment, N_Y, N_X, otherwise=N_X - 1)
        known[" ".join(one.source[:-1])] = gold
    start, *others = [*known, APPLE]
    english, french = (side.words for side in run.vocabularies)
    gold = by_text("English", known, [[]])  # without rows, the weights stay
    weights = chosen(
        "weights",
        {
            "its own": [],
            "equal": [["uniform"]],
            "shuffled": [["shuffled", 0]],
            "one word": [["strongest"]],
            "gold, where known": [["forced", gold]],
        },
    )
    network = run.network()
    given = {name: of("English", stop=True) for name, of in INPUTS.items()}
    own = writing(network, most=MOST, **given)
    written = writing(network, most=MOST, change={"attention": weights}, **given)
    said = written.words("ids", french)
    same = computed("in_common", said=written.output("ids"), other=own.output("ids"))
    return Widget(
        title="Your sentence, and where it looked",
        question="With equal weights, which words change?",
        controls=[
            typed("English", english, start, examples=others, longest=LONGEST),
            select("weights", list(weights.changes)),
        ],
        panels=[
            arcs(
                said,
                words_of("English", stop=True),
                written.output("attention"),
                axes=("target", "source"),
                limits=(0, 1),
                marks=named(same, ["wrong", "", ""]),
            ),
        ],
        summary=joined(said),
        link=link,
    )
