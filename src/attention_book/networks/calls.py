"""The calls that a page makes of a model that writes: `encode` once, then `step`.

A memory is a dataclass. Its fields, and a state, are tensors, or tuples, lists and
mappings of them; a field that is None or a function is left out. A page knows them
flat, each tensor by its path, such as `memory.kv_cache.0.1` or `state.0.0`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils import _pytree as tree

from attention_book.networks.program import Named, Traced


def writing(
    model: Any, *sources: Mapping[str, Tensor], reverse_source: bool = False
) -> dict[str, Traced]:
    """The two calls of a `decoding.Decodable`, for `trace`.

    Parameters
    ----------
    model : decoding.Decodable
        In evaluation mode.
    *sources : two mappings
        What `encode` is given: "source", and "visible" where the model takes a mask;
        of different lengths, if sources have a length.
    reverse_source : bool
        Turn the words round before they are read; [STOP] stays last.

    Returns
    -------
    dict
        "encode" gives by name what "step" takes beside the token; what a step gives
        takes its place at the next. A step gives "logits", and "attention" (B, N_X) if
        the model looks.
    """

    def begin(model: Any, source: Tensor, visible: Tensor | None = None) -> Any:
        if reverse_source:
            source = torch.cat([source[:, :-1].flip(1), source[:, -1:]], dim=1)
        memory = model.encode(source, visible)
        return memory, model.initial_state(memory)

    def encode(model: Any, **given: Tensor) -> Named:
        return flat(*begin(model, **given))

    def step(model: Any, token: Tensor, **given: Tensor) -> Named:
        kept = tree.tree_unflatten([*given.values()], form)
        memory = type(first)(**absent | kept["memory"])
        logits, state, attention = model.step(token, memory, kept["state"])
        attended = {} if attention is None else {"attention": attention}
        return {"logits": logits, **attended, **flat(None, state)}

    token, steps = torch.ones(1, dtype=torch.long), []
    with torch.no_grad():
        begun = [begin(model, **each) for each in sources]
        for words, (memory, state) in enumerate(begun, start=2):
            for _ in range(words):  # an open axis is not told apart at 0 or 1
                _, state, _ = model.step(token, memory, state)
            steps.append({"token": token, **flat(memory, state)})
    first = begun[0][0]
    absent = dict.fromkeys(vars(first))
    form = tree.tree_structure(_kept(*begun[0]))
    return {"encode": (encode, sources), "step": (step, steps)}


def flat(memory: Any, state: Any) -> Named:
    """Tensors of a memory and a state by their path."""
    leaves = tree.tree_leaves_with_path(_kept(memory, state))
    return {".".join(map(_key, path)): leaf for path, leaf in leaves}


def _key(key: Any) -> str:
    if not isinstance(key, tree.MappingKey | tree.SequenceKey):
        raise TypeError(
            f"a memory or a state holds {key} of something: expected tensors, or "
            "tuples, lists and mappings of them"
        )
    return str(key.key if isinstance(key, tree.MappingKey) else key.idx)


def _kept(memory: Any, state: Any) -> dict[str, Any]:
    fields = {} if memory is None else vars(memory)
    there = {n: x for n, x in fields.items() if not (x is None or callable(x))}
    return {"memory": there, "state": state}


def examples(
    N_words: int, *names: str, lengths: Sequence[int] = (7, 9)
) -> tuple[Named, ...]:
    """Two inputs for `trace`: sentences of drawn words, with a mask if one is named.

    Parameters
    ----------
    N_words : int
        Word ids are below it.
    *names : str
        Of the inputs: "visible" (1, N_X) is a mask, others are ids (1, N_X).
    lengths : two int
        N_X of either.
    """
    drawn = torch.Generator().manual_seed(0)

    def made(name: str, N: int) -> Tensor:
        if name == "visible":
            return torch.ones(1, N, dtype=torch.bool)
        return torch.randint(3, N_words, (1, N), generator=drawn)

    return tuple({name: made(name, N) for name in names} for N in lengths)
