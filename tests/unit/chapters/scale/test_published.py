"""Ten published models: their sizes give what was printed of them."""

import pytest
import torch
import transformers

from attention_book.chapters.scale import napkin
from attention_book.chapters.scale.published import facts, models

KINDS = {
    "BERT-Base": ("BertModel", {}),
    "BERT-Large": ("BertModel", {}),
    "XLNet-Large": ("XLNetModel", {}),
    "RoBERTa": ("RobertaModel", {"type_vocab_size": 1}),
    "GPT-2": ("GPT2Model", {}),
}


@pytest.mark.parametrize("model", models().values(), ids=lambda model: model.name)
def test_our_count_is_the_printed_one_or_it_is_told_why_not(model):
    assert (abs(model.off) > 0.03) == bool(model.why)
    assert model.note


@pytest.mark.parametrize("name", KINDS)
def test_transformers_builds_models_of_as_many_weights(name):
    kind, changes = KINDS[name]
    model, sizes = models()[name], models()[name].sizes
    theirs = {
        "vocab_size": sizes.N_words,
        "hidden_size": sizes.D,
        "num_hidden_layers": sizes.N_blocks,
        "num_attention_heads": model.N_heads,
    }
    if kind == "XLNetModel":
        theirs["d_inner"] = 4 * sizes.D
    else:
        theirs["max_position_embeddings"] = sizes.N_positions
    if kind in ("BertModel", "RobertaModel"):
        theirs["intermediate_size"] = 4 * sizes.D
    kind = getattr(transformers, kind)
    with torch.device("meta"):
        built = kind(kind.config_class(**theirs, **changes))
    assert sum(each.numel() for each in built.parameters()) == model.weights


def test_the_napkin_is_wrong_of_those_with_a_decoder_that_looks_at_an_encoder():
    wrong = {
        name
        for name, model in models().items()
        if abs(napkin.napkin_weights(model.sizes) / model.printed - 1) > 0.03
    }
    assert wrong == {"Transformer-Base", "Transformer-Large"}


def test_the_work_of_training_gpt_3_is_the_printed_one():
    model = models()["GPT-3"]
    estimated = napkin.napkin_training(model.weights, model.tokens)
    assert estimated == pytest.approx(model.operations, rel=0.005)
    more = napkin.left_out(model.sizes.D, model.N)
    assert model.training == pytest.approx(estimated * (1 + more), rel=0.005)


def test_the_days_told_of_gpt_3_are_worked_out_from_its_speed_alone():
    model, told = models()["GPT-3"], facts("gpt3")
    hours = napkin.hours(model.operations, told["achieved"]) / told["N_devices"]
    assert hours / 24 == pytest.approx(14.8, abs=0.05)
    assert model.N_devices is model.days is model.achieved is None


@pytest.mark.parametrize("name", ["BERT-Base", "BERT-Large"])
def test_tokens_that_were_not_read_tell_no_speed(name):
    assert models()[name].days
    assert models()[name].training is models()[name].achieved is None


def test_only_a_part_of_the_training_is_done_in_the_days_of_a_part():
    model = models()["RoBERTa"]
    first = 6 * model.weights * 100_000 * 8192 * 512
    assert model.achieved == pytest.approx(first / (1024 * 24 * 3600), rel=0.1)


def test_what_is_not_known_is_not_made_up():
    model = models()["GPT-2"]
    assert model.training is model.achieved is model.tokens is None
    assert models()["Turing-NLG"].achieved is None


def test_the_price_of_megatron_is_that_of_the_lecture():
    rent, model = facts("rent"), models()["Megatron-LM"]
    machines = model.N_devices // rent["N_devices"]
    price = napkin.dollars(rent["days"] * 24, rent["price"], machines)
    assert round(price, -4) == 430_000
