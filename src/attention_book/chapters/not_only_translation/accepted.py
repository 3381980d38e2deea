"""Right ways to write a tree as a sequence."""


def flat_by_itself(tree):
    """A generator that calls itself."""

    def tokens(part):
        if isinstance(part, str):
            yield part
            return
        yield "(" + part[0]
        for each in part[1:]:
            yield from tokens(each)
        yield ")"

    return list(tokens(tree))


def flat_with_a_stack(tree):
    """No function calls itself: what is still to be written waits on a stack."""
    written, waiting = [], [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += [[")"], *part[:0:-1], ["(" + part[0]]]
        else:
            written.append(part if isinstance(part, str) else part[0])
    return written


def flat_by_growing(tree):
    """Opens one layer of phrases after the other, until none is left."""
    tokens = (tree,)
    while any(isinstance(token, tuple) for token in tokens):
        opened = [
            (f"({token[0]}", *token[1:], ")") if isinstance(token, tuple) else (token,)
            for token in tokens
        ]
        tokens = sum(opened, ())
    return tokens


STYLES = {"flatten": (flat_by_itself, flat_with_a_stack, flat_by_growing)}
