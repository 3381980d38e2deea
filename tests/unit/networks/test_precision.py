"""What is written with the weights that travel is what the model itself writes."""

from copy import deepcopy

import numpy as np
import pytest
import torch
from typechecker import unchecked

from attention_book import runs
from attention_book.data.translation import LANGUAGES, tagged

N = 15  # sentences of each length, or direction
WHO, DID = ("i", "the doctor", "we said that she"), ("shot", "met", "watched")
WHAT = "an elephant", "the man in the hat", "this dog", "a child"
WHERE = "in my pajamas", "with the telescope", "in the park and he slept"


def travelled(network):
    """The model with its weights as a page unpacks them."""
    program, data = network.packed()
    model = deepcopy(network.model)
    state = model.state_dict()
    for name, (kind, start, shape) in program["weights"].items():
        assert kind == "float16"
        x = np.frombuffer(data, "<f2", int(np.prod(shape)), start).astype("f4")
        state[name].copy_(torch.from_numpy(x.reshape(shape)))
    return model


def sentences(name, task):
    if name == "parsing":
        return [
            tree.words for some in task.unseen.by_length.values() for tree in some[:N]
        ]
    if name == "transformer":
        return [one.source for some in task.unseen["test"].values() for one in some[:N]]
    pairs = [(of, to) for of in LANGUAGES for to in LANGUAGES]
    return [tagged(one.tokens(of), to) for of, to in pairs for one in task.test[:N]]


@pytest.mark.parametrize(
    "name", ["transformer", "parsing", "three-languages", "three-languages-35"]
)
def test_float16_writes_the_same_of_test_sentences(name):
    """int8 does not: of 700 test sentences of `transformer` 1 comes out another, of
    1100 of `parsing` 17, of 3600 of the models of three languages 39 and 60."""
    run = runs.load(name)
    with unchecked():
        some = sentences(name, run.recipe.task)
    assert len(some) >= 90
    models = run.model(), travelled(run.network())
    own, sent = (runs.translate(each, some, *run.vocabularies) for each in models)
    assert own == sent
