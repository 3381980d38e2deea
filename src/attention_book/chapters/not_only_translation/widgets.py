"""Chapter 13's widgets."""

from collections.abc import Sequence

from attention_book import runs
from attention_book.chapters.not_only_translation.parse_tree import LINE, Parse
from attention_book.chapters.not_only_translation.parse_tree import (
    parse_tree as _parse_tree,
)
from attention_book.data.translation import tag
from attention_book.shapes import STOP
from attention_book.trees import CLOSE, OPEN
from attention_book.widgets import (
    Widget,
    computed,
    control,
    ids,
    joined,
    named,
    over,
    select,
    shown,
    slider,
    text,
    tokens,
    tree,
    typed,
    words_of,
    writing,
)
from attention_book.widgets.functions import CLOSES, ENDS, OPENS, WORD
from attention_book.widgets.trees import PHRASES

ELEPHANT = "i shot an elephant in my pajamas"
OTHERS = ("i shot my pajamas in an elephant",)
DECIDES = 11  # the token that makes the pajamas part of the shooting
VERDICTS = (
    "A tree over your words.",
    "A tree, but not over your words.",
    "This is no tree: a bracket is missing, or one too many.",
)
TAGS = {"English": "en", "French": "fr", "Spanish": "es"}  # in the menu
ASKED = "la femme a signé notre traité", "estamos comiendo pan"
READINGS = "the likelier tree", "the other"  # by the grammar


def parse_tree(parses: Sequence[Parse] | None = None) -> Widget:
    """Step through the tokens of a tree, and see where a parser looks.

    Left out, `parses` are the sentences of two readings that the recorded parser was
    shown, and the mean of the heads of its last block.
    """
    return _parse_tree(_recorded() if parses is None else parses)


def _recorded() -> list[Parse]:
    """Both trees of each sentence that the recorded parser keeps."""
    kept = runs.load("parsing").kept("parses")
    return [
        Parse(
            " ".join(one["words"]),
            reading,
            one["words"],
            one["tokens"],
            one["A"][-1].astype(float).mean(axis=0),
        )
        for one, reading in zip(kept, READINGS * (len(kept) // 2), strict=True)
    ]


def own_tree(*, link: str = "own-tree") -> Widget:
    """Parse the reader's sentence: its tree grows of the tokens that are written."""
    run = runs.load("parsing")
    known, spelled = (side.words for side in run.vocabularies)
    kinds = [
        ENDS if i == STOP else CLOSES if each == CLOSE else OPENS * (each[0] == OPEN)
        for i, each in enumerate(spelled)
    ]
    letters = [len(each) * (kinds[i] == WORD) for i, each in enumerate(spelled)]
    written = writing(
        run.network(),
        most=60,
        source=ids("sentence", stop=True),
        visible=shown("sentence", stop=True),
    )
    said, read = written.output("ids"), ids("sentence", stop=True)
    places = computed(
        "word_places",
        read=computed("at_places", values=[len(each) for each in known], places=read),
        written=computed("at_places", values=letters, places=said),
        line=LINE,
    )
    token = control("token")
    nodes = computed("tree_nodes", tokens=said, kinds=kinds, places=places, count=token)
    of = [computed("entry", values=nodes, at=i) for i in range(5)]
    spots = computed("transposed", rows=computed("first_rows", rows=nodes, count=2))
    A = computed(
        "of_head", A=written.tap("decoder.blocks.1.cross"), head=len(spelled)
    )  # past the last head: their mean
    own = [spelled.index(each) if each in spelled else 0 for each in known]
    verdict = computed(
        "tree_verdict",
        tokens=said,
        kinds=kinds,
        words=computed("at_places", values=own, places=ids("sentence")),
    )
    return Widget(
        title="Your own sentence, parsed",
        question="Predict: elephant and pajamas trade places. Which tree is written?",
        controls=[
            typed("sentence", known, ELEPHANT, examples=OTHERS, longest=14),
            slider("token", range(1, 46), default=DECIDES, play=True),
        ],
        panels=[
            text(joined(named(said, spelled))),
            tree(
                named(of[3], [*spelled, *(each.strip(OPEN) for each in spelled)]),
                spots,
                of[2],
                None,
                of[4],
                names=PHRASES,
                columns=LINE,
                read=(
                    words_of("sentence", stop=True),
                    places,
                    computed("last_row", rows=A, count=token),
                ),
            ),
        ],
        summary=joined(named(verdict, VERDICTS)),
        link=link,
    )


def own_languages(*, link: str = "own-languages") -> Widget:
    """Ask two models for a sentence in a language, by the tag that comes first."""
    runs_of = {"no copies": "three-languages", "35 % copies": "three-languages-35"}
    recorded = {name: runs.load(run) for name, run in runs_of.items()}
    known, written = (side.words for side in recorded["no copies"].vocabularies)
    tags = [known.index(tag(to)) for to in TAGS.values()]
    asked = computed(
        "preceded", values=ids("sentence", stop=True), first=over("tag", tags)
    )
    seen = computed("preceded", values=shown("sentence", stop=True), first=1)
    inputs = {"source": asked, "visible": seen}
    return Widget(
        title="One sentence, three tags",
        question="Predict: Spanish is wanted of French. Which language comes out?",
        controls=[
            typed("sentence", known, "nous mangeons du pain", examples=ASKED),
            select("tag", list(TAGS), "Spanish"),
        ],
        panels=[
            tokens("reads", named(asked, known)),
            *(
                tokens(name, writing(run.network(), **inputs).words("ids", written))
                for name, run in recorded.items()
            ),
        ],
        summary="The tag is the first word that is read; below, what is written.",
        link=link,
    )
