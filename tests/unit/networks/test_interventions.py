"""What a change does in a page is what `models.interventions` does to the model."""

import numpy as np
import pytest
import torch

from attention_book import data, decoding, models, runs
from attention_book.models import interventions
from attention_book.networks import change_of
from attention_book.widgets import control, reading, select

SENTENCES = (
    "we are eating bread",
    "the european minister will not buy this house today",
)
ROWS = [[0.5, 0.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0, 0.0]]  # of five inputs


@pytest.mark.parametrize(
    ("told", "change"),
    [
        ([], None),
        ([["uniform"]], interventions.uniform),
        ([["strongest"]], interventions.strongest),
        ([["forced", ROWS]], interventions.forced(torch.tensor([ROWS]))),
    ],
    ids=["its own", "uniform", "strongest", "forced"],
)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_change_writes_what_the_intervened_model_writes(ask, sentence, told, change):
    if told and told[0][0] == "forced" and len(sentence.split()) != 4:
        pytest.skip("its rows are of four words and [STOP]")
    run = runs.load("attention-dot")
    network, (english, _) = run.network("float32"), run.vocabularies
    ids, visible = data.encode_sources([sentence.split()], english)
    inputs = {"source": ids.tolist(), "visible": visible.tolist()}
    question = {"call": "write", "inputs": inputs, "change": {"attention": told}}
    ((outputs, _),) = ask(network, [question])
    model = run.model()
    trial = models.Intervened(model, change) if change else model
    with torch.no_grad():
        right = decoding.greedy(trial, ids, visible)
    said = outputs["ids"].astype(int).tolist()
    assert said == right.ids[0] + [data.STOP] * bool(right.finished[0])


ONE_EACH = np.eye(4).tolist()


@pytest.mark.parametrize(
    ("step", "N_Q", "places"), [(0, 3, [0, 1, 2]), (2, 1, [2]), (2, 3, [0, 1, 2])]
)
@pytest.mark.parametrize("kind", ["forced", "masked"])
def test_a_query_has_the_row_of_its_place_in_every_kind_of_step(
    engine, kind, step, N_Q, places
):
    A = torch.full((1, 1, N_Q, 4), 0.25)
    changed = change_of([[kind, ONE_EACH]])(A, step)
    np.testing.assert_array_equal(changed[0, 0], np.eye(4)[places])
    np.testing.assert_array_equal(engine([[kind, ONE_EACH]], A, step), changed)


def test_where_nothing_is_left_the_strongest_is_nothing(engine):
    A, told = torch.full((1, 2, 3), 1 / 3), [["hiding", [1, 1, 1]], ["strongest"]]
    assert not change_of(told)(A, 0).any()
    assert not engine(told, A, 0).any()


@pytest.mark.parametrize("seed", [2, -3])
def test_a_control_may_be_the_seed_that_shuffles(seed):
    network = runs.load("it").network()
    given = {"source": [3] * 5, "visible": [1] * 5}
    changes = [{"attend": [["shuffled", each]]} for each in (control("seed"), seed)]
    asked = [reading(network, change=each, **given) for each in changes]
    of_control, of_number = (
        each.start([select("seed", [seed])], "tap:attend") for each in asked
    )
    np.testing.assert_array_equal(of_control, of_number)
