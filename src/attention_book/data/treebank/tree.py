"""Trees of phrases, and the flat sequence of brackets and words that stands for one.

Source: a tree as a sequence that a translator can write, [vinyals2015grammar]. There
the words are left out; here they are written too, so that a sequence says its tree
alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from attention_book.shapes import check_filled, check_several
from attention_book.trees import nodes, spelled

Span = tuple[str, int, int]  # a phrase: its label, its first word, one past its last


@dataclass(frozen=True)
class Tree:
    """A phrase: its label, and what it is made of.

    Attributes
    ----------
    label : str
        Such as "NP".
    parts : tuple
        Words and phrases, left to right; a word does not begin with a bracket.
    """

    label: str
    parts: tuple["str | Tree", ...]

    def __post_init__(self) -> None:
        check_filled("parts", self.parts, "word or phrase")

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
        return tuple(spelled(self))


def tree_of(tokens: Sequence[str]) -> Tree:
    """Read a flat sequence back into its tree."""
    check_filled("tokens", tokens, "token")
    made = nodes(tokens)
    if unclosed := [f"({node.name}" for node in made if node.kind == "open"]:
        raise ValueError(f"tokens end while {', '.join(unclosed)} are open")
    parts: list[list[str | Tree]] = [[] for _ in made]
    for i in range(len(made) - 1, 0, -1):  # parts stand behind their phrase
        node = made[i]
        part = node.name if node.kind == "word" else Tree(node.name, tuple(parts[i]))
        parts[node.parent].insert(0, part)
    return Tree(made[0].name, tuple(parts[0]))


def tree_over(tokens: Sequence[str], words: Sequence[str]) -> Tree | None:
    """The tree of what a parser wrote; None if it is none, or not over these words."""
    check_several("words", words)
    try:
        tree = tree_of(tokens)
    except ValueError:
        return None
    return tree if tree.words == tuple(words) else None
