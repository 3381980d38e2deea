"""Trees of words: the tokens that spell one, and where each of its nodes stands.

A tree is spelled as a parser writes it: "(S" opens a phrase, ")" closes the one that
was opened last, a word is itself. The beginning of a tree is laid out as well, from
what has been spelled and nothing else. The form is that of [vinyals2015grammar], with
the words left in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float

OPEN, CLOSE = "(", ")"


@runtime_checkable
class Phrase(Protocol):
    """What has a label, such as NP, and parts: words, and phrases again."""

    @property
    def label(self) -> str: ...

    @property
    def parts(self) -> Sequence[Phrase | str]: ...


@dataclass(frozen=True)
class Node:
    """A phrase or a word of a tree."""

    name: str  # its label, or the word
    row: int  # how many phrases it stands in
    start: int  # its first word, counted from 0
    end: int  # the one after its last, so far
    parent: int  # the number of the phrase that it stands in; -1 at the top
    kind: str  # "word", "phrase", or "open", a phrase that nothing has closed yet


def spelled(tree: Phrase) -> Iterator[str]:
    """Spell a tree, token by token."""
    yield OPEN + tree.label
    for part in tree.parts:
        if isinstance(part, str):
            yield part
        else:
            yield from spelled(part)
    yield CLOSE


def nodes(tokens: Sequence[str]) -> list[Node]:
    """Find the nodes of what has been spelled so far: one for each token but ")", each
    behind the phrase that it stands in.
    """
    made: list[Node] = []
    stack: list[int] = []
    words = 0
    for t, token in enumerate(tokens):
        opens = token.startswith(OPEN)
        if not (stack if made else opens):
            where = "behind the end of the tree" if made else "but no bracket is open"
            raise ValueError(f"tokens[{t}] is {token!r}, {where}")
        if token == OPEN:
            raise ValueError(f"tokens[{t}] is {token!r}, expected a label in it")
        if token == CLOSE:
            at = stack.pop()
            if made[at].start == words:
                raise ValueError(
                    f"tokens[{t}] closes ({made[at].name}, which holds no word"
                )
            made[at] = replace(made[at], kind="phrase")
            continue
        parent = stack[-1] if stack else -1
        if opens:
            made.append(Node(token[1:], len(stack), words, words, parent, "open"))
            stack.append(len(made) - 1)
            continue
        made.append(Node(token, len(stack), words, words + 1, parent, "word"))
        words += 1
        for at in stack:
            made[at] = replace(made[at], end=words)
    return made


def centres(widths: Sequence[float], gap: float) -> Float[np.ndarray, " N"]:
    """Where the middles of words stand in a line; half a gap is before the first."""
    taken = np.asarray(widths, dtype=float) + gap
    return np.cumsum(taken) - taken / 2


def middle(node: Node, words: Float[np.ndarray, " N"]) -> float:
    """Where a node stands above its words: a phrase that is open, above the first."""
    last = node.start if node.kind == "open" else node.end - 1
    return float(words[[node.start, last]].mean())
