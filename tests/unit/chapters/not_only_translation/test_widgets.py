"""A tree that grows shows what has been written and nothing of what comes; what typed
figures show is what the recorded models write.
"""

import numpy as np
import pytest
from parses import MADE_UP, made_up

from attention_book import runs
from attention_book.chapters.not_only_translation.tasks.parsing import SENTENCES
from attention_book.chapters.not_only_translation.widgets import (
    NEW,
    OPENED,
    READING,
    SENTENCE,
    STEP,
    VERDICTS,
    Parse,
    _parse_tree,
    own_languages,
    own_tree,
    parse_tree,
)
from attention_book.data.translation import tagged
from attention_book.data.treebank import readings, tree_over
from attention_book.trees import CLOSE, OPEN, nodes
from attention_book.widgets.functions import tree_nodes, tree_verdict, word_places

FORK = 7  # "(NP (NP" or "(NP an"


@pytest.fixture(scope="module")
def grown():
    return _parse_tree(made_up())


def field(widget, name, panel=1):
    return widget.panels[panel].fields[name].at(widget.index)


def all_of(widget):
    names = ("words", "places", "parents", "states", "read", "spots")
    return [np.asarray(field(widget, name)).tolist() for name in names]


def test_before_they_part_two_readings_look_alike(grown):
    seen = {}
    for reading, spelled in MADE_UP.items():
        tokens = spelled.split()
        for step in range(1, len(tokens) + 1):
            grown.setting = {READING: reading, STEP: step}
            seen[reading, step] = all_of(grown)
            assert field(grown, "text", 0) == " ".join(tokens[:step])
    one, other = MADE_UP
    alike = [seen[one, step] == seen[other, step] for step in range(1, 20)]
    assert alike == [True] * FORK + [False] * (19 - FORK)
    assert _parse_tree(made_up()).setting[STEP] == FORK + 1, "there it opens"


def test_at_each_step_the_token_is_new_and_the_weights_are_its_own(grown):
    for parse in made_up():
        open_ones = []
        for step, token in enumerate(parse.tokens, 1):
            grown.setting = {READING: parse.reading, STEP: step}
            np.testing.assert_allclose(
                field(grown, "weights"), parse.A[step - 1], atol=1e-6
            )
            words, states = field(grown, "words"), field(grown, "states")
            (new,) = np.flatnonzero(states == NEW)
            if token == ")":
                assert new == open_ones.pop()
                assert not words[new].startswith("(")
            else:
                assert (words[new], new) == (token, len(words) - 1)
                open_ones += [new] * token.startswith("(")
            assert {*np.flatnonzero(states == OPENED)} == {*open_ones} - {new}
            assert all(words[k].startswith("(") for k in open_ones)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (1, "To write “(S” it looks at “i” (0.75) and “shot” (0.19)."),
        (4, "To close the NP “i” it looks at “i” (0.75) and “shot” (0.19)."),
        (
            19,
            "To close the NP “an … pajamas” it looks at "
            "“pajamas” (0.63) and “my” (0.16).",
        ),
    ],
)
def test_it_reads_out_what_is_written_and_what_is_looked_at(grown, step, words):
    grown.setting = {READING: "on the elephant", STEP: step}
    assert grown.summary == words


@pytest.mark.parametrize(
    ("words", "weights", "looks"),
    [
        ("we", [0.95, 0.05], "“we” (0.95)"),  # the second is hardly looked at
        ("a b c d e f g h i j", [1 / 11] * 11, "“a” (0.09)"),
        ("a b a", [0.15, 0, 0.65, 0.2], "“a” no. 2 (0.65) and “[STOP]” (0.20)"),
    ],
)
def test_what_is_looked_at_most_is_named_and_which_of_two_alike(words, weights, looks):
    source = words.split()
    A = np.tile(weights, (len(source) + 2, 1))
    widget = _parse_tree([Parse("one", "1", source, ["(S", *source, ")"], A)])
    assert widget.summary.endswith(f"it looks at {looks}.")


def test_what_is_recorded_is_shown_as_the_last_block_looked():
    recorded = parse_tree()
    kept = runs.load("parsing").kept("parses")
    assert len(recorded.controls[0].labels) * 2 == len(kept)
    weights = kept[0]["A"][-1].mean(axis=0)[recorded.setting[STEP] - 1]
    assert weights.sum() == pytest.approx(1, abs=0.01)
    assert f"{weights.max():.2f}"[1:] in recorded.summary
    for sentence in recorded.controls[0].values:
        likelier = readings(sentence.split())[0].tree.bracketed
        recorded.setting = {SENTENCE: sentence, READING: "the likelier tree"}
        recorded.setting = {STEP: len(likelier)}
        assert field(recorded, "text", 0) == " ".join(likelier)


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
