"""Chapter 2's widgets, fed from recorded runs."""

from attention_book import runs
from attention_book.chapters.attention.decoder_stepper import SentenceSteps
from attention_book.chapters.attention.decoder_stepper import (
    decoder_stepper as _decoder_stepper,
)
from attention_book.chapters.attention.score_functions import SentenceByScore
from attention_book.chapters.attention.score_functions import (
    score_functions as _score_functions,
)
from attention_book.metrics.alignment import gold_weights
from attention_book.widgets import (
    Widget,
    arcs,
    by_text,
    chosen,
    computed,
    ids,
    joined,
    named,
    select,
    shown,
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
BREAD, MINISTER = "bread", "minister"
NAMES = {BREAD: "eating bread", MINISTER: "the minister"}
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
    """Chapter 2's first widget: scores and weights of every step."""
    kept = runs.kept_attention(runs.load("attention-dot"))
    sentences = {}
    for word in (MINISTER, BREAD):
        one = runs.sentence_with(word, kept)
        gloss = [MEANS.get(written, "") for written in one.target]
        sentences[NAMES[word]] = SentenceSteps(one.source, one.target, one.e, gloss)
    return _decoder_stepper(
        sentences,
        start_sentence=next(iter(sentences)),
        start_t=3,  # where it goes back: européen, after ministre
    )


def score_functions() -> Widget:
    """Chapter 2's second widget: five models read the same sentence."""
    recorded = {name: runs.load(run) for name, run in BY_SCORE.items()}
    final = {name: runs.kept_attention(run) for name, run in recorded.items()}
    each = {name: runs.sentence_with(MINISTER, kept) for name, kept in final.items()}
    first = each["dot"]
    words = len(first.target) - 1
    A = {name: one.A[:words] for name, one in each.items()}
    sentence = SentenceByScore(
        first.source, first.target[:words], A, sorted(first.alignment)
    )
    aer = {
        name: run.per_seed("alignment", "aer").mean() for name, run in recorded.items()
    }
    exact = {
        name: run.table("test", "exact_match").mean() for name, run in recorded.items()
    }
    return _score_functions(
        sentence,
        aer,
        exact,
        start_score="dot",  # not the one that is looked for
    )


def own_sentence(*, link: str = "own-sentence") -> Widget:
    """Translate the reader's sentence with its own weights or with others.

    Gold weights are known of two sentences. Words that come out otherwise than with
    the model's own weights are marked.
    """
    run = runs.load("attention-dot")
    kept = runs.kept_attention(run)
    known = {}
    for word in (MINISTER, BREAD):
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
