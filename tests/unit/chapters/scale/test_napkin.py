"""What is counted from sizes alone, beside what PyTorch counts."""

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from attention_book import models
from attention_book.chapters.scale import napkin
from attention_book.chapters.scale.napkin import Sizes
from attention_book.recipes import recipes

B, N, D, N_HEADS = 3, 40, 32, 4
GPT = Sizes(D, N_blocks=3, N_words=50, N_positions=N, others=2 * D)
GPT_3 = Sizes(12288, 96, 50257, N_positions=2048, others=2 * 12288)


def stack(sizes, N_heads=N_HEADS):
    D_hidden = 4 * sizes.D
    depth = sizes.N_blocks, sizes.N_positions
    return sizes.N_words, sizes.D, N_heads, D_hidden, *depth


def gpt(sizes, N_heads=N_HEADS):
    return models.GPT(models.GPTConfig(*stack(sizes, N_heads)))


def bert(sizes):
    return models.Bert(models.BertConfig(*stack(sizes)))


def transformer(sizes):
    return models.Transformer(
        models.TransformerConfig(
            sizes.N_words,
            sizes.N_words,
            D=sizes.D,
            N_heads=N_HEADS,
            D_hidden=4 * sizes.D,
            N_encoder_blocks=sizes.N_blocks - sizes.N_cross,
            N_decoder_blocks=sizes.N_cross,
            norm="post",
        )
    )


def text(sizes, length=N):
    torch.manual_seed(0)
    return torch.randint(3, sizes.N_words, (B, length))


@pytest.mark.parametrize("sizes", [GPT, replace(GPT, D=64, others=128), GPT_3])
def test_a_gpt_has_the_weights_that_are_counted(sizes):
    with torch.device("meta"):
        model = gpt(sizes)
    assert models.N_weights(model) == napkin.weights(sizes)


@pytest.mark.parametrize("sizes", [Sizes(D, 3, 50, N), Sizes(768, 12, 30_522, 512)])
def test_a_bert_has_the_weights_that_are_counted(sizes):
    W, b = sizes.D**2, sizes.D
    parts = {
        "segments and first norm": 4 * b,
        "pooler": W + b,
        "words": W + 3 * b + sizes.N_words,
        "next sentence": 2 * b + 2,
    }
    with torch.device("meta"):
        model = bert(sizes)
    sizes = replace(sizes, others=sum(parts.values()))
    assert models.N_weights(model) == napkin.weights(sizes)


@pytest.mark.parametrize(
    "sizes", [Sizes(D, 5, 50, N_cross=2), Sizes(512, 12, 37_000, N_cross=6)]
)
def test_a_transformer_has_the_weights_that_are_counted(sizes):
    with torch.device("meta"):
        model = transformer(sizes)
    attentions = sizes.N_blocks + sizes.N_cross
    no_biases = -4 * sizes.D * attentions
    two_tables = sizes.N_words * sizes.D
    sizes = replace(sizes, others=no_biases + two_tables)
    assert models.N_weights(model) == napkin.weights(sizes)


@pytest.mark.filterwarnings("ignore:.*copying from a non-meta parameter")
def test_the_largest_network_of_the_book_has_nearly_a_million_weights():
    with torch.device("meta"):
        counts = [models.N_weights(each.task.model()) for each in recipes().values()]
    assert 900_000 < max(counts) <= 1_000_000


def test_in_powers_of_the_width():
    assert napkin.block(D) == 12 * D**2 + 13 * D
    assert napkin.block(D) + napkin.cross(D) == 16 * D**2 + 19 * D
    assert napkin.napkin_weights(GPT) == 3 * 12 * D**2 + 50 * D


@pytest.mark.parametrize("sizes", [GPT, Sizes(48, 1, 300, N)])
def test_pytorch_counts_the_same_operations_of_a_gpt(sizes):
    model, ids = gpt(sizes), text(sizes)
    forward = napkin.forward(sizes, N)
    assert models.N_operations(lambda: model(ids)) == B * forward
    both = models.N_operations(lambda: model(ids).sum().backward())
    assert both == napkin.training(sizes, N, tokens=B * N) == 3 * B * forward


def test_pytorch_counts_the_same_operations_of_a_transformer():
    sizes = Sizes(D, 5, 50, N_cross=2)
    model, ids = transformer(sizes), text(sizes)
    operations = models.N_operations(lambda: model(ids, None, ids))
    assert operations == B * napkin.forward(sizes, N)


def test_pytorch_counts_nearly_the_same_operations_of_a_bert():
    sizes = Sizes(D, 6, 50, N)
    model, ids = bert(sizes), text(sizes)
    operations = models.N_operations(lambda: model.words(model(ids)))
    transform = 2 * D**2 * N  # one matrix more, before words are read off
    assert operations == B * (napkin.forward(sizes, N) + transform)
    assert operations == pytest.approx(B * napkin.forward(sizes, N), rel=0.02)


def test_what_the_napkin_leaves_out_is_the_pairs():
    blocks = replace(GPT, N_words=0)
    tokens = 7 * N
    napkin_alone = napkin.napkin_training(napkin.napkin_weights(blocks), tokens)
    whole = napkin.training(blocks, N, tokens)
    assert whole == pytest.approx(napkin_alone * (1 + napkin.left_out(D, N)))


@pytest.mark.parametrize(
    ("sizes", "N_heads", "length"),
    [(GPT, 4, N), (Sizes(64, 2, 1000, N), 8, N), (Sizes(48, 4, 100, 128), 3, 128)],
)
def test_so_many_numbers_are_kept_for_the_way_back(sizes, N_heads, length):
    model, ids = gpt(sizes, N_heads), text(sizes, length + 1)

    def loss():
        logits = model(ids[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())

    numbers = napkin.activations(sizes, N_heads, length, B)
    assert models.N_bytes_kept(model, loss) == pytest.approx(4 * numbers, rel=0.01)


def test_adam_keeps_two_averages():
    model = gpt(GPT)
    adam = torch.optim.Adam(model.parameters())
    model(text(GPT)).sum().backward()
    adam.step()
    tensors = {
        "weight": [*model.parameters()],
        "gradient": [each.grad for each in model.parameters()],
        "Adam's averages": [
            number
            for state in adam.state.values()
            for name, number in state.items()
            if name != "step"
        ],
    }
    W = napkin.weights(GPT)
    sizes = {name: sum(t.nbytes for t in some) / W for name, some in tensors.items()}
    assert sizes == napkin.BYTES["float32"]
    assert napkin.training_bytes(W) == napkin.training_bytes(W, "mixed") == 16 * W


def test_the_cache_has_the_keys_and_values_of_every_block():
    past = gpt(GPT).encode(text(GPT)).past
    numbers = sum(each.numel() for kept in past for each in kept)
    assert numbers == B * N * napkin.cache(GPT)


def test_the_cache_of_a_decoder_has_those_of_its_own_blocks_alone():
    sizes = Sizes(D, 5, 50, N_cross=2)
    model, ids = transformer(sizes).eval(), text(sizes)
    memory = model.encode(ids, None)
    of_source = sum(each.numel() for kept in memory.kv_cache for each in kept)
    assert of_source == B * N * napkin.cache(sizes)
    _, state, _ = model.step(ids[:, 0], memory, model.initial_state(memory))
    assert sum(each.numel() for kept in state for each in kept) == (
        B * napkin.cache(sizes)
    )


def test_time_and_money():
    assert napkin.hours(7200e12, peak=4e12, share=0.25) == 2
    assert napkin.dollars(9 * 24, price=31.212, devices=64) == pytest.approx(431_474.69)
