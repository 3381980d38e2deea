"""Worked solutions of chapter 13."""

Nested = tuple["str | Nested", ...]  # a phrase: its label, then words and phrases


def flatten(tree: Nested) -> list[str]:
    """Write a tree as brackets and words: "(NP", what is in it, ")"."""
    label, *parts = tree
    inner = []
    for part in parts:
        if isinstance(part, str):
            inner.append(part)
        else:
            inner += flatten(part)
    return [f"({label}", *inner, ")"]
