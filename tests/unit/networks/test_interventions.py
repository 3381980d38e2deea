"""What a change does in a page is what `models.interventions` does to the model."""

import pytest
import torch

from attention_book import data, decoding, models, runs
from attention_book.models import interventions

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
