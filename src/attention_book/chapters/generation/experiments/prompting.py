"""What a network does with prompts of unseen sentences: by the number of examples, with
operations that it never learned, with examples that mislead, and with parts cut off.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from random import Random
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from attention_book.chapters.generation.operations import (
    COMPOSED,
    IN,
    MOST_EXAMPLES,
    OPERATIONS,
    OUT,
    UNKNOWN,
    Case,
    Words,
    case,
    decode,
    encode,
    sentences,
    which,
)
from attention_book.data import STOP
from attention_book.data.batching import padded
from attention_book.decoding import greedy
from attention_book.decoding.mode import evaluating
from attention_book.layers import causal_mask
from attention_book.models import heads, silenced

N_EXAMPLES = 3
ORDERS = ("ab", "aab", "aba", "baa")  # examples of two operations
PARTS = ("examples' inputs", "examples' outputs", "own input", "own output")
NEITHER = "neither"  # an output of no operation
MAX_WORDS = 16  # with the full stop

Shares = dict[str, float]


def cases(
    seed: str,
    N_each: int,
    N_examples: int = N_EXAMPLES,
    operations: Iterable[str] = OPERATIONS,
    split: str = "test",
) -> list[Case]:
    """Draw prompts, as many for each operation. `seed` is any word."""
    drawn = sentences(Random(f"{split} {seed}"), split)
    return [
        case(drawn, operation, [operation] * N_examples)
        for operation in operations
        for _ in range(N_each)
    ]


def written(model: Any, prompts: Sequence[Words]) -> list[Words]:
    """Write on after each prompt, up to the full stop."""
    found: dict[Words, Words] = {}
    for N in {*map(len, prompts)}:  # those of a batch have one length
        some = [each for each in dict.fromkeys(prompts) if len(each) == N]
        ids = torch.tensor([encode(each) for each in some])
        outputs = greedy(model, ids, None, max_words=MAX_WORDS).ids
        found |= zip(some, map(decode, outputs), strict=True)
    return [found[each] for each in prompts]


def said(model: Any, asked: Sequence[Case]) -> list[str]:
    """Name the operation that made each output, or "neither"."""
    outputs = written(model, [each.prompt for each in asked])
    return [
        which(output, each.sentence) or NEITHER
        for output, each in zip(outputs, asked, strict=True)
    ]


def shares(names: Sequence[str]) -> Shares:
    """Count names, as shares of all."""
    return {name: n / len(names) for name, n in Counter(names).most_common()}


def judged(model: Any, asked: Sequence[Case]) -> Shares:
    """Shares of outputs: "right", of another operation by its name, or "neither"."""
    names = said(model, asked)
    return {"right": 0.0} | shares(
        [
            "right" if name == each.operation else name
            for name, each in zip(names, asked, strict=True)
        ]
    )


def parts(
    ids: Int[Tensor, "B N"],
) -> tuple[Int[Tensor, "B N"], Bool[Tensor, "B N"]]:
    """Number the pair that each word of a text is in, and tell words of outputs.

    A full stop is its output's last word. Padding belongs to the last pair.
    """
    (pair_begins, output_begins), is_end = encode([IN, OUT]), ids == STOP
    begun = (ids == output_begins).int().cumsum(dim=1) - (ids == output_begins).int()
    ended = is_end.int().cumsum(dim=1) - is_end.int()
    return (ids == pair_begins).cumsum(dim=1) - 1, begun > ended


def completed(
    logits: Float[Tensor, "B N N_words"], ids: Int[Tensor, "B N"]
) -> Bool[Tensor, "B N_pairs"]:
    """Tell which outputs of texts greedy decoding would write, word for word."""
    number, is_output = parts(ids)
    wrong = logits[:, :-1].argmax(dim=-1) != ids[:, 1:]
    wrong &= is_output[:, 1:]
    pairs = torch.arange(int(number.max()) + 1)
    return ~(wrong[:, None] & (number[:, None, 1:] == pairs[:, None])).any(dim=-1)


def by_examples(model: Any, N_each: int = 200) -> dict[str, Shares]:
    """Shares completed without a wrong word after 0, 1, ... 5 examples: of "all", and
    of each operation.
    """
    asked = cases("examples", N_each, MOST_EXAMPLES)
    ids = padded([encode(each.text) for each in asked])
    with evaluating(model):
        right = completed(model(ids), ids)
    return {str(k): _by_operation(column) for k, column in enumerate(right.T)}


def without_examples(model: Any, N_each: int = 100) -> Shares:
    """Shares of operations among outputs where there is no example."""
    return shares(said(model, cases("none", N_each, 0)))


def never_trained(model: Any, N_each: int = 200) -> dict[str, Shares]:
    """Shares of outputs with three examples of what no training showed: "exact"; of
    "a part", where two operations are composed; of any "known" operation.
    """
    found = {}
    for name in UNKNOWN | COMPOSED:
        got = Counter(said(model, cases("new", N_each, operations=[name])))
        wanted = {"exact": [name], "a part": name.split(" + "), "known": OPERATIONS}
        found[name] = {
            what: sum(got[each] for each in names) / N_each
            for what, names in wanted.items()
        }
    return found


def contradicted(model: Any, N_each: int = 5) -> dict[str, Shares]:
    """Shares of outputs by operation "a" or "b", "another" or "neither", by the order
    in which examples show a and b; so many cases of each ordered two.
    """
    drawn = sentences(Random("contradiction"), "test")
    found = {}
    for order in ORDERS:
        asked, meant = [], []
        for a, b in N_each * [*permutations(OPERATIONS, 2)]:
            names = {"a": a, "b": b}
            asked.append(case(drawn, a, [names[each] for each in order]))
            meant.append({a: "a", b: "b", NEITHER: NEITHER})
        names_said = zip(meant, said(model, asked), strict=True)
        found[order] = shares([each.get(name, "another") for each, name in names_said])
    return found


def unpaired(model: Any, N_each: int = 100) -> Shares:
    """Shares right where each example's output belongs to another sentence than its
    input: of "all", and of each operation.
    """
    drawn = sentences(Random("unpaired"), "test")
    asked = [
        case(drawn, name, N_EXAMPLES * [None])
        for name in OPERATIONS
        for _ in range(N_each)
    ]
    names = said(model, asked)
    right = [name == each.operation for name, each in zip(names, asked, strict=True)]
    return _by_operation(torch.tensor(right))


def _by_operation(right: Bool[Tensor, " N"]) -> Shares:
    """Shares of as many cases for each operation, one after the other."""
    each = right.double().view(len(OPERATIONS), -1).mean(dim=1)
    named = zip(OPERATIONS, each.tolist(), strict=True)
    return {"all": each.mean().item(), **dict(named)}


def without_heads(model: Any, seed: str, N_each: int = 30) -> dict[str, Shares]:
    """What outputs are, see `judged`, with each head silenced; "" with none."""
    asked = cases(seed, N_each)
    return {
        name: judged(silenced(model, name.split()), asked)
        for name in ("", *heads(model))
    }


def barred(
    model: Any,
    ids: Int[Tensor, "B N"],
    hidden: Bool[Tensor, "B N N"],
    blocks: Sequence[int],
) -> Float[Tensor, "B N N_words"]:
    """A network's logits where, in some blocks, some positions may not see others."""
    causal = causal_mask(ids.shape[1])
    X = model.positions(model.embedding(ids))
    for b, block in enumerate(model.encoder.blocks):
        X, _ = block(X, causal & ~hidden if b in blocks else causal)
    return model.logits(model.encoder.norm(X))


def without_parts(model: Any, N_each: int = 100) -> dict[str, Shares]:
    """Shares right where the last pair may not see the examples' inputs or outputs, by
    the blocks, numbered from 1, in which it may not.
    """
    ids = padded([encode(each.text) for each in cases("barred", N_each)])
    number, is_output = parts(ids)
    own = number == N_EXAMPLES
    N_blocks, found = len(model.encoder.blocks), {}
    groups = [*([b] for b in range(N_blocks)), [*range(N_blocks)]]
    for name, keys in zip(PARTS, (~own & ~is_output, ~own & is_output), strict=False):
        hidden = own[:, :, None] & keys[:, None]
        with evaluating(model):
            found[name] = {
                " and ".join(str(b + 1) for b in blocks): completed(
                    barred(model, ids, hidden, blocks), ids
                )[:, -1]
                .double()
                .mean()
                .item()
                for blocks in groups
            }
    return found


def looks(model: Any, N_each: int = 20) -> dict[str, Shares]:
    """Each head's attention to `PARTS` of a text, while the last output is written; by
    "block.head" from 1.
    """
    ids = padded([encode(each.text) for each in cases("looks", N_each)])
    number, is_output = parts(ids)
    own = number == N_EXAMPLES
    writes = (own & is_output).roll(-1, dims=1)  # the word before is where it is asked
    kinds = (~own & ~is_output, ~own & is_output, own & ~is_output, own & is_output)
    with evaluating(model):
        A = model.attention(ids)  # (B, N_blocks, N_heads, N, N)
    to = torch.stack([(A * kind[:, None, None, None]).sum(-1) for kind in kinds], -1)
    mean = to.movedim(3, 1)[writes].mean(dim=0)  # (N_blocks, N_heads, N_kinds)
    return {
        name: dict(zip(PARTS, each, strict=True))
        for name, each in zip(heads(model), mean.flatten(0, 1).tolist(), strict=True)
    }


def examined(model: Any) -> dict[str, Any]:
    """Make every experiment that takes longer than a build should."""
    return {
        "no example": without_examples(model),
        "never trained": never_trained(model),
        "contradiction": contradicted(model),
        "unpaired": unpaired(model),
        "heads": without_heads(model, "heads"),
        "heads again": without_heads(model, "heads, again"),
        "barred": without_parts(model),
        "looks": looks(model),
    }
