"""What the typed figures show is what the recorded models write."""

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.not_only_translation.tasks.parsing import SENTENCES
from attention_book.chapters.not_only_translation.widgets import (
    VERDICTS,
    own_languages,
    own_tree,
)
from attention_book.data.translation import tagged
from attention_book.data.treebank import tree_over
from attention_book.trees import CLOSE, OPEN, nodes
from attention_book.widgets.functions import tree_nodes, tree_verdict, word_places

TREE = "(S (NP i ) (VP shot (NP an elephant ) (PP in (NP my pajamas ) ) ) )"
ELEPHANT = "i shot an elephant in my pajamas"
SWAPPED, NO_SENTENCE = "i shot my pajamas in an elephant", "an elephant in my pajamas"


@pytest.fixture(scope="module")
def parsing():
    run = runs.load("parsing")
    return run, run.network(), run.vocabularies


def written(network, words, source):
    ids = [*words[0].encode(source), 2]
    inputs = {"source": [ids], "visible": [[True] * len(ids)]}
    outputs, _ = network.write(inputs, max_words=150)
    return outputs["ids"].astype(float)


def kinds(vocabulary):
    of = {OPEN: 1.0, CLOSE: 2.0}
    return np.array(
        [3.0 if i == 2 else of.get(w[0], 0.0) for i, w in enumerate(vocabulary.words)]
    )


@pytest.mark.parametrize(
    "text", [ELEPHANT, "we met a man with a telescope", NO_SENTENCE]
)
def test_nodes_are_those_of_the_tokens_at_every_step(parsing, text):
    _, network, words = parsing
    tokens = written(network, words, text.split())
    spelled = words[1].words
    letters = np.array([len(each) for each in text.split()], float)
    places = word_places(letters, letters, 46.0)
    for count in range(1, len(tokens)):
        row, column, parent, name, state = tree_nodes(
            tokens, kinds(words[1]), places, float(count)
        )
        due = nodes([spelled[int(i)] for i in tokens[:count]])
        assert parent.tolist() == [node.parent for node in due]
        is_word = np.array([node.kind == "word" for node in due])
        assert row[~is_word].tolist() == [
            node.row for node in due if node.kind != "word"
        ]
        assert (column[is_word] == places[: is_word.sum(), 1]).all()
        assert ((name >= len(spelled)) == [node.kind == "phrase" for node in due]).all()
        assert (state == 3).sum() == 1


def test_the_verdict_is_that_of_the_score(parsing):
    run, _, words = parsing
    texts = *SENTENCES.values(), SWAPPED, NO_SENTENCE, "pajamas"
    sources = [text.split() for text in texts]
    verdicts = []
    answers = run.recipe.task.write(run.model(), sources)
    for source, said in zip(sources, answers, strict=True):
        tokens = np.array([*words[1].encode(said), 2], float)
        own = np.array(words[1].encode(source), float)
        verdicts.append(int(tree_verdict(tokens, kinds(words[1]), own)))
        assert (verdicts[-1] == 0) == (tree_over(said, source) is not None)
    assert verdicts == [0] * 5 + [1, 2, 1]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (
            ELEPHANT,
            "(S (NP i ) (VP shot (NP an elephant ) (PP in (NP my pajamas ) ) ) )",
        ),
        (
            SWAPPED,
            "(S (NP i ) (VP shot (NP an elephant ) (PP in (NP my pajamas ) ) ) )",
        ),
        (NO_SENTENCE, "(S (NP (NP an elephant ) (PP in (NP my pajamas ) ) ) (VP"),
    ],
)
def test_the_parser_writes_what_the_chapter_says(parsing, text, right):
    _, network, words = parsing
    tokens = written(network, words, text.split())
    assert " ".join(words[1].decode(tokens.astype(int).tolist())) == right


def test_the_tree_opens_where_the_pajamas_join_the_shooting():
    widget = own_tree()
    names, states, parents, weights = (
        widget.panels[1].fields[name].at(widget.index)
        for name in ("words", "states", "parents", "weights")
    )
    assert names[-1] == "(PP"
    assert names[int(parents[-1])] == "(VP"
    assert states[-1] == 3
    assert weights.sum() == pytest.approx(1, abs=1e-5)
    assert VERDICTS[0] in widget.spec["summary"]["named"]["labels"]


NOUS, FEMME = "nous mangeons du pain", "la femme a signé notre traité"
ENGLISH = "the woman signed our treaty"


@pytest.mark.parametrize(
    ("text", "to", "answers"),
    [
        (NOUS, "es", ["we eat bread", NOUS]),
        (NOUS, "en", ["we eat bread", "we eat bread"]),
        ("we eat bread", "es", ["comemos pan", "comemos pan"]),
        (FEMME, "es", [ENGLISH, "la mujer firmó nuestro tratado"]),
        (ENGLISH, "es", ["la mujer firmó nuestro tratado"] * 2),
    ],
)
def test_each_model_answers_as_the_chapter_says(text, to, answers):
    for name, answer in zip(("", "-35"), answers, strict=True):
        run = runs.load(f"three-languages{name}")
        words = run.vocabularies
        ids = written(run.network(), words, tagged(text.split(), to))
        assert " ".join(words[1].decode(ids.astype(int).tolist())) == answer


def test_the_tag_is_the_first_word_that_is_read():
    widget = own_languages()
    read, without, with_copies = (
        panel.fields["words"].at(widget.index) for panel in widget.panels
    )
    assert read == ["[ES]", *NOUS.split(), "[STOP]"]
    assert without == ["we", "eat", "bread", "[STOP]"]
    assert with_copies == [*NOUS.split(), "[STOP]"]
