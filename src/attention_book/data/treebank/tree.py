"""Trees of phrases, and the flat sequence of brackets and words that stands for one.

Source: a tree as a sequence that a translator can write, [vinyals2015grammar]. There
the words are left out; here they are written too, as in the lecture, so that a sequence
says its tree alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from attention_book.shapes import check_filled

CLOSING = ")"
Span = tuple[str, int, int]  # a phrase: its label, its first word, one past its last


@dataclass(frozen=True)
class Tree:
    """A phrase: its label, and what it is made of.

    Attributes
    ----------
    label : str
        Such as "NP".
    parts : tuple
        Words and phrases, left to right.
    """

    label: str
    parts: tuple["str | Tree", ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The sentence."""
        return tuple(
            word
            for part in self.parts
            for word in (part.words if isinstance(part, Tree) else (part,))
        )

    @property
    def spans(self) -> tuple[Span, ...]:
        """Every phrase as (label, start, end), counted in words, in the order in which
        their brackets close.
        """
        return tuple(self._spans(0))

    def _spans(self, start: int) -> Iterator[Span]:
        end = start
        for part in self.parts:
            if isinstance(part, Tree):
                inner = list(part._spans(end))
                end = inner[-1][2]
                yield from inner
            else:
                end += 1
        yield self.label, start, end

    @property
    def bracketed(self) -> tuple[str, ...]:
        """The tree as a flat sequence: "(NP", words and phrases, ")"."""
        inner = (
            token
            for part in self.parts
            for token in (part.bracketed if isinstance(part, Tree) else (part,))
        )
        return (f"({self.label}", *inner, CLOSING)


def tree_of(tokens: Sequence[str]) -> Tree:
    """Read a flat sequence back into its tree.

    Raises
    ------
    TypeError
        If `tokens` is a single string.
    ValueError
        If it is no tree; the message says at which token, and why.
    """
    check_filled("tokens", tokens, "token")
    open_phrases: list[tuple[str, list[str | Tree]]] = []
    for place, token in enumerate(tokens):
        if token.startswith("("):
            open_phrases.append((token[1:], []))
            continue
        if not open_phrases:
            raise ValueError(f"tokens[{place}] is {token!r}, but no bracket is open")
        label, parts = open_phrases[-1]
        if token != CLOSING:
            parts.append(token)
            continue
        if not parts:
            raise ValueError(f"tokens[{place}] closes ({label}, which holds no word")
        open_phrases.pop()
        tree = Tree(label, tuple(parts))
        if open_phrases:
            open_phrases[-1][1].append(tree)
        elif place + 1 < len(tokens):
            raise ValueError(
                f"tokens[{place}] closes the tree, but {len(tokens) - place - 1} more "
                "follow"
            )
    if open_phrases:
        names = ", ".join(f"({label}" for label, _ in open_phrases)
        raise ValueError(f"tokens end while {names} are open")
    return tree


def tree_over(tokens: Iterable[str], words: Sequence[str]) -> Tree | None:
    """The tree of what a parser wrote; None if it is none, or not over these words."""
    try:
        tree = tree_of(tuple(tokens))
    except ValueError:
        return None
    return tree if tree.words == tuple(words) else None
