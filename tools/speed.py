"""How fast the layers, the writing models and a GPT in training are: beside torch's own
layers with the same weights, a loop over `nn.Transformer`, and a Marian and a GPT-2 of
`transformers` of the same sizes. On one thread and in turns, so that what else the
machine does hits both.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import torch
from execution import high_water
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention
from torch.utils.benchmark import Timer

from attention_book import decoding, layers
from attention_book.devices import one_thread
from attention_book.models import (
    Transformer,
    TransformerConfig,
    gpt_from_transformers,
)
from attention_book.shapes import STOP

Call = Callable[[], Any]
TURNS = 7
D, N_HEADS, D_HIDDEN, B = 128, 4, 512, 32
N_WORDS, WRITTEN = 3000, (20, 40, 80)  # a vocabulary; the words of a sentence
KEPT = ("none", "padding", "causal")
READ = 10, 64  # windows of a text that a GPT is trained on at once, and their words


class Speed(NamedTuple):
    """Times of ours and another's, in seconds, each the median of its turns; and how
    far the ratio of a turn is from the median ratio, at most.
    """

    what: str
    ours: float
    other: float
    spread: float


def hiding(kind: str, N: int) -> tuple[Tensor | None, dict[str, Tensor]]:
    """A mask of ours, and the same as torch's layers take it."""
    if kind == "none":
        return None, {}
    if kind == "causal":
        return layers.causal_mask(N), {"mask": ~layers.causal_mask(N)}
    real = layers.padding_mask(torch.linspace(N // 2, N, B).long(), N)
    return real[:, None], {"padding": ~real}


def pairs(N: int, kind: str) -> dict[str, tuple[Call, Call]]:
    """Calls of our layers and of torch's, on `B` sequences of `N` vectors."""
    X = torch.randn(B, N, D, requires_grad=True)
    visible, hidden = hiding(kind, N)
    heads = layers.FastMultiHeadAttention(D, N_HEADS)
    of_heads = {"mask": "attn_mask", "padding": "key_padding_mask"}
    stacks: dict[str, Any] = {
        "pre-norm block": layers.Block(D, N_HEADS, D_HIDDEN, fast=True),
        "post-norm block": layers.Block(D, N_HEADS, D_HIDDEN, "post", fast=True),
    }
    if N < 512:  # six blocks keep more than a small machine has
        stacks["encoder of six"] = layers.Encoder(6, D, N_HEADS, D_HIDDEN, fast=True)
    twin = layers.to_torch(heads)
    named = {of_heads[name]: mask for name, mask in hidden.items()}
    found: dict[str, tuple[Call, Call]] = {
        "four heads": (
            lambda: heads(X, visible)[0],
            lambda: twin(X, X, X, need_weights=False, **named)[0],
        )
    }
    for name, layer in stacks.items():
        mask = "mask" if name.startswith("encoder") else "src_mask"
        of_stack = {"mask": mask, "padding": "src_key_padding_mask"}
        given = {of_stack[key]: each for key, each in hidden.items()}
        found[name] = (
            lambda layer=layer: layer(X, visible)[0],
            partial(layers.to_torch(layer), X, **given),
        )
    return found


def others() -> dict[str, tuple[Call, Call]]:
    """Calls of what has no mask, or has one of its own."""
    X, h = torch.randn(64, 20, 64), torch.randn(64, 20, D, requires_grad=True)
    visible = torch.ones(64, 20, dtype=torch.bool)
    gru, norm, score = layers.GRU(64, D), layers.FastLayerNorm(D), layers.DotScore(D, D)
    readable = layers.LayerNorm(D)
    torchs_gru, torchs_norm = nn.GRU(64, D, batch_first=True), layers.to_torch(norm)

    def attend() -> Tensor:
        return layers.attention_weights(score(h, h), visible[:, None]) @ h

    S, Z = torch.randn(2, 25, 20, D, requires_grad=True)
    encoder = layers.Encoder(2, D, N_HEADS, 256, fast=True)
    decoder = layers.Decoder(1, D, N_HEADS, 256, fast=True)
    twin = nn.Transformer(D, N_HEADS, 2, 1, 256, 0.0, batch_first=True, norm_first=True)
    twin.encoder, twin.decoder = layers.to_torch(encoder), layers.to_torch(decoder)
    causal = layers.causal_mask(20)
    return {
        "GRU": (lambda: gru(X, visible)[0], lambda: torchs_gru(X)[0]),
        "LayerNorm, readable": (lambda: readable(h), lambda: torchs_norm(h)),
        "LayerNorm, fast": (lambda: norm(h), lambda: torchs_norm(h)),
        "dot-product attention": (
            attend,
            lambda: scaled_dot_product_attention(h, h, h, visible[:, None], scale=1.0),
        ),
        "Transformer, 2 + 1 blocks": (
            lambda: decoder(S, encoder(Z)[0], causal)[0],
            lambda: twin(Z, S, tgt_mask=~causal),
        ),
    }


def of_layers(seconds: float, lengths: tuple[int, ...] = (64, 512)) -> Iterator[Speed]:
    """Our layers beside torch's, forward, and forward and backward."""
    for name, both in others().items():
        yield from _passes(name, both, seconds)
    for N in lengths:
        for kind in KEPT:
            for name, both in pairs(N, kind).items():
                what = f"{name}, N = {N}, {kind.replace('none', 'no mask')}"
                yield from _passes(what, both, seconds)


def _passes(what: str, both: tuple[Call, Call], seconds: float) -> Iterator[Speed]:
    for name, statement, grad in [
        ("forward", "f()", False),
        ("forward and backward", "f().sum().backward()", True),
    ]:
        with torch.set_grad_enabled(grad):
            yield in_turns(f"{what}: {name}", *both, seconds, statement)


def in_turns(
    what: str, ours: Call, other: Call, seconds: float = 2, statement: str = "f()"
) -> Speed:
    """Time two calls in turns, each for some seconds in all. A short call is repeated,
    because the first call after the other's takes longer.
    """
    timers = [Timer(statement, globals={"f": call}) for call in (ours, other)]
    times = [
        [
            timer.blocked_autorange(min_run_time=seconds / TURNS).median
            for timer in timers
        ]
        for _ in range(TURNS)
    ]
    ratios = [our / their for our, their in times]
    middle = statistics.median(ratios)
    spread = max(abs(ratio - middle) for ratio in ratios)
    our, their = (statistics.median(each) for each in zip(*times, strict=True))
    return Speed(what, our, their, spread)


def tireless(config: TransformerConfig) -> Transformer:
    """A Transformer that never writes [STOP], so that all write as many words: its row
    of the tied table is 0, and so is its logit, the largest of no step.
    """
    model = Transformer(config).eval()
    nn.init.zeros_(model.target_embedding.weight[STOP])
    return model


def marian(config: TransformerConfig) -> Any:
    """A Marian of the same sizes that never writes [STOP] either."""
    from transformers import MarianConfig, MarianMTModel

    sizes = {}
    for part, blocks in [
        ("encoder", config.N_encoder_blocks),
        ("decoder", config.N_decoder_blocks),
    ]:
        sizes[f"{part}_layers"] = blocks
        sizes[f"{part}_attention_heads"] = config.N_heads
        sizes[f"{part}_ffn_dim"] = config.D_hidden
    ids = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": STOP}
    model = MarianMTModel(
        MarianConfig(
            vocab_size=config.N_target_words,
            d_model=config.D,
            decoder_start_token_id=1,
            forced_eos_token_id=None,
            max_position_embeddings=2 * max(WRITTEN),
            **ids,
            **sizes,
        )
    ).eval()
    model.final_logits_bias[0, STOP] = -torch.inf
    return model


def looped(config: TransformerConfig) -> Callable[[Tensor, int], None]:
    """A loop over `nn.Transformer`, which reads all words again for each new one."""
    blocks = config.N_encoder_blocks, config.N_decoder_blocks
    twin = nn.Transformer(
        *(config.D, config.N_heads, *blocks, config.D_hidden, 0.0),
        batch_first=True,
        norm_first=True,
    ).eval()
    E = nn.Embedding(config.N_target_words, config.D)

    @torch.inference_mode()
    def write(source: Tensor, N: int) -> None:
        X, words = twin.encoder(E(source)), torch.ones(len(source), 1).long()
        for n in range(1, N + 1):
            causal = twin.generate_square_subsequent_mask(n)
            S = twin.decoder(E(words), X, tgt_mask=causal, tgt_is_causal=True)
            new = (S[:, -1:] @ E.weight.T).argmax(-1)
            words = torch.cat([words, new], dim=1)

    return write


def of_writing() -> Iterator[Speed]:
    """Sentences written word by word: ours, and what others need for as many words."""
    for N_blocks in (1, 2):
        config = TransformerConfig(N_WORDS, N_WORDS, N_decoder_blocks=N_blocks)
        ours, theirs, loop = tireless(config), marian(config), looped(config)
        for rows in (1, 32):
            for N in WRITTEN:
                source = torch.randint(3, N_WORDS, (rows, N))
                visible = torch.ones_like(source, dtype=torch.bool)
                given = {"attention_mask": visible.long(), "use_cache": True}
                given |= {"max_new_tokens": N, "do_sample": False}
                ask = partial(theirs.generate, source, **given)
                write = partial(decoding.greedy, ours, source, visible, max_words=N)
                search = partial(decoding.beam, ours, source, visible, max_words=N)
                what = f"2 + {N_blocks} blocks, {rows} x {N} words"
                for name, one, other in [
                    (
                        "greedy / nn.Transformer in a loop",
                        write,
                        partial(loop, source, N),
                    ),
                    ("greedy / Marian", write, partial(ask, num_beams=1)),
                    ("beam 4 / Marian", search, partial(ask, num_beams=4)),
                ]:
                    yield in_turns(f"{what}: {name}", one, other)


def of_training() -> Iterator[Speed]:
    """A training step, loss, gradients and Adam: ours and a GPT-2 of equal size."""
    from transformers import GPT2Config, GPT2LMHeadModel

    sizes = {"vocab_size": 1000, "n_embd": D, "n_head": N_HEADS, "n_layer": 2}
    sizes |= dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0)
    ids = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": STOP}
    config = GPT2Config(**sizes, **ids, n_positions=READ[1], use_cache=False)
    theirs = GPT2LMHeadModel(config).train()
    ours, text = gpt_from_transformers(theirs), torch.randint(3, 1000, READ)

    def steps(logits: Callable[[Tensor], Tensor], model: nn.Module) -> Call:
        optimizer = torch.optim.Adam(model.parameters())

        def step() -> None:
            optimizer.zero_grad()
            cross_entropy(logits(text).flatten(0, 1), text.flatten()).backward()
            optimizer.step()

        return step

    yield in_turns(
        f"GPT, 2 blocks, {READ[0]} x {READ[1]} words: training step",
        steps(ours, ours),
        steps(lambda read: theirs(read).logits, theirs),
    )


def peak(name: str, N: int, kind: str, which: int) -> int:
    """Bytes that a training step takes at most, beside what was there before it: to be
    asked of a fresh process.
    """
    call = pairs(N, kind)[name][which]
    gc.collect()
    before = high_water(os.getpid())
    call().sum().backward()
    return high_water(os.getpid()) - before


def of_memory(N: int = 512) -> Iterator[Speed]:
    """What a training step takes in memory, in bytes."""
    for kind in KEPT:
        for name in ("four heads", "pre-norm block"):
            command = [sys.executable, __file__, name, str(N), kind]
            ours, other = (
                int(subprocess.check_output([*command, which])) for which in "01"
            )
            yield Speed(f"{name}, N = {N}, {kind}", ours, other, 0.0)


def main() -> int:
    """Answer one question about memory, or print everything."""
    one_thread()
    warnings.simplefilter("ignore")
    if len(sys.argv) == 5:
        name, N, kind, which = sys.argv[1:]
        print(peak(name, int(N), kind, int(which)))
        return 0
    for row in [*of_memory(), *of_layers(2), *of_writing(), *of_training()]:
        print(f"{row.what:70} {row.ours / row.other:6.2f} +- {row.spread:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
