"""The functions a widget may compute in the browser, in NumPy: the twins of
`js/math.mjs`.

Python evaluates them to check shapes and to write the still picture; a test holds the
two languages to 1e-6.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import isfunction, signature
from itertools import zip_longest

import numpy as np
from jaxtyping import Float

from attention_book.shapes import START, STOP

Number = float | Float[np.ndarray, ""]


def softmax(
    scores: Float[np.ndarray, "*rows N_X"], temperature: Number
) -> Float[np.ndarray, "*rows N_X"]:
    """Softmax over the last axis of scores / temperature."""
    scaled = scores / temperature
    exponentials = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def masked_softmax(
    scores: Float[np.ndarray, "*rows N_Q N_X"], visible: Float[np.ndarray, "N_Q N_X"]
) -> Float[np.ndarray, "*rows N_Q N_X"]:
    """Softmax over what a query may look at; NaN all along a row that may look nowhere.

    Hidden inputs, those where `visible` is 0, weigh exactly 0. The panels leave a row
    of NaN blank and say why.
    """
    with np.errstate(invalid="ignore"):
        return softmax(np.where(visible, scores, -np.inf), 1.0)


def attention_weights(
    Q: Float[np.ndarray, "N_Q D_Q"], K: Float[np.ndarray, "N_X D_Q"]
) -> Float[np.ndarray, "N_Q N_X"]:
    """Weights of scaled dot-product attention: softmax(Q K^T / sqrt(D_Q))."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1]), 1.0)


def attention(
    Q: Float[np.ndarray, "N_Q D_Q"],
    K: Float[np.ndarray, "N_X D_Q"],
    V: Float[np.ndarray, "N_X D_V"],
) -> Float[np.ndarray, "N_Q D_V"]:
    """Outputs of scaled dot-product attention."""
    return attention_weights(Q, K) @ V


def last_row(rows: Float[np.ndarray, "N D"], count: Number) -> Float[np.ndarray, D]:
    """Row `count`, counted from 1; what is past the end stays at the last row."""
    return first_rows(rows, count)[-1]


def first_rows(
    rows: Float[np.ndarray, N * rest], count: Number
) -> Float[np.ndarray, N_first * rest]:
    """All rows, or entries, up to number `count`, or all there are."""
    return rows[: int(count)]


def with_average(
    weights: Float[np.ndarray, N], rows: Float[np.ndarray, "N D"]
) -> Float[np.ndarray, "N_and_1 D"]:
    """All rows, then their average with these weights: h_1 ... h_N and c_t."""
    return np.concatenate([rows, (weights @ rows)[None]])


def positional_encoding(N: Number, D: Number, base: Number) -> Float[np.ndarray, "N D"]:
    """Sines and cosines of positions 0 ... N - 1, a pair for each of D / 2 frequencies.

    The lowest frequency is nearly 1 / base [vaswani2017attention].
    """
    k = np.arange(int(D))
    angle = np.arange(int(N))[:, None] / base ** ((k - k % 2) / D)
    return np.where(k % 2, np.cos(angle), np.sin(angle))


def row_cosines(rows: Float[np.ndarray, "N D"], at: Number) -> Float[np.ndarray, N]:
    """Cosine of row `at`, counted from 0, with every row."""
    lengths = np.linalg.norm(rows, axis=1)
    return rows @ rows[int(at)] / lengths / lengths[int(at)]


def transposed(rows: Float[np.ndarray, "N D"]) -> Float[np.ndarray, "D N"]:
    """Turn rows into columns."""
    return rows.T


def product(
    A: Float[np.ndarray, "N D"], B: Float[np.ndarray, "D M"]
) -> Float[np.ndarray, "N M"]:
    """Matrix product."""
    return A @ B


def added(
    A: Float[np.ndarray, "*shape"], B: Float[np.ndarray, "*shape"]
) -> Float[np.ndarray, "*shape"]:
    """Sum, entry by entry."""
    return A + B


def ordered(
    rows: Float[np.ndarray, "N D"], order: Float[np.ndarray, N]
) -> Float[np.ndarray, "N D"]:
    """Rows in another order: row i of what comes out is row order[i]."""
    return rows[order.astype(int)]


def either(
    second: Number | Float[np.ndarray, 1],
    A: Float[np.ndarray, "*a"],
    B: Float[np.ndarray, "*b"],
) -> np.ndarray:
    """Return A, or B where `second` is not 0; they may differ in shape."""
    return B if second else A


def apart(A: Float[np.ndarray, "N D"], B: Float[np.ndarray, "N D"]) -> np.ndarray:
    """Norms of A - B and of mean A - mean B, (2,); the means are taken over rows."""
    return np.array([np.linalg.norm(A - B), np.linalg.norm((A - B).mean(axis=0))])


def entry(values: Float[np.ndarray, "N D *rest"], at: Number) -> np.ndarray:
    """Entry `at` along the first axis, counted from 0; past the end, the last."""
    return values[min(int(at), len(values) - 1)]


def folded(
    values: Float[np.ndarray, "*rest N"], columns: Number
) -> Float[np.ndarray, "*rest rows columns"]:
    """Split the last axis into rows of so many columns."""
    return values.reshape(*values.shape[:-1], -1, int(columns))


def stacked(
    A: Float[np.ndarray, "*a"], B: Float[np.ndarray, "*b"]
) -> Float[np.ndarray, "*both"]:
    """The entries of A, and after them those of B."""
    return np.concatenate([A, B])


def race(
    words: Float[np.ndarray, " N"], layers: Float[np.ndarray, " M"], step: Number
) -> Float[np.ndarray, "M N"]:
    """How much is computed at each place after a step, from 0 to 1, of networks that
    take a layer a step; where `layers` is 0, of one that takes a word a step.
    """
    waits = np.arange(len(words)) < step
    return np.stack(
        [np.full(len(words), min(step / n, 1)) if n else 1.0 * waits for n in layers]
    )


def finished(
    values: Float[np.ndarray, "M D"], done: Float[np.ndarray, "M N"]
) -> Float[np.ndarray, "M D"]:
    """Rows of values, 0 where the last place is not done."""
    return values * (done[:, -1:] >= 1)


def of_head(
    A: Float[np.ndarray, "N_Y N_heads N_Z"], head: Number
) -> Float[np.ndarray, "N_Y N_Z"]:
    """What one head of the steps of writing attends to; past the last, their mean."""
    at = int(head)
    return A[:, at] if at < A.shape[1] else A.mean(axis=1)


def last_queries(
    A: Float[np.ndarray, "N_heads N_Q N_X"],
) -> Float[np.ndarray, "N_heads N_X"]:
    """Where each head looks from the last word."""
    return A[:, -1]


def leaning(
    states: Float[np.ndarray, "N_layers N D"],
    ids: Float[np.ndarray, " N"],
    word: Number,
    centres: Float[np.ndarray, "N_layers 2 N_each D"],
) -> Float[np.ndarray, " N_layers"]:
    """Whether a word's vector is nearer to the first of two groups, by layer.

    It is (a - b) / (a + b), where a and b are the distances to the nearest centre of
    each group: -1 at one of the first, 1 at one of the second; 0 without the word.
    """
    places = np.flatnonzero(ids == word)
    if not len(places):
        return np.zeros(len(states))
    away = states[:, places[0], None, None] - centres
    a, b = np.linalg.norm(away, axis=-1).min(axis=-1).T
    return (a - b) / (a + b)


def means(A: Float[np.ndarray, "*a"], B: Float[np.ndarray, "*b"]) -> np.ndarray:
    """Mean of all entries of A, and of B, (2,)."""
    return np.array([A.mean(), B.mean()])


def heads_first(
    A: Float[np.ndarray, "N_Y N_heads N_Z"],
) -> Float[np.ndarray, "N_heads N_Y N_Z"]:
    """What the steps of writing attend to, a map for each head."""
    return A.swapaxes(0, 1)


def mean_of(values: Float[np.ndarray, N * rest]) -> Float[np.ndarray, "*rest"]:
    """Mean over the first axis: of all heads, say."""
    return values.mean(axis=0)


def preceded(
    values: Float[np.ndarray, " N"], first: Number
) -> Float[np.ndarray, " N_and_1"]:
    """One number more at the beginning."""
    return np.append(first, values)


def shifted(values: Float[np.ndarray, " N"], first: Number) -> Float[np.ndarray, " N"]:
    """One number more at the beginning, and none at the end: what a decoder reads."""
    return np.append(first, values[:-1])


LEAST, GAP = 2, 1.5  # letters that a word takes, and between two words
WORD, OPENS, CLOSES, ENDS = range(4)  # kinds of tokens


def word_places(
    read: Float[np.ndarray, " N_X"], written: Float[np.ndarray, " N_Y"], line: Number
) -> Float[np.ndarray, "N 2"]:
    """Row and column of each of the words of a line: in one row, or in two by turns.

    Both hold letters: of the words that are read, and of the tokens that are written, 0
    of a bracket; the line holds so many. No word covers the line that leads to one
    beside it.
    """
    both = zip_longest(read, written[written > 0], fillvalue=0)
    widths = [max(*each, LEAST) + GAP for each in both]
    for N_rows in (1, 2):
        x: list[float] = []
        for i, width in enumerate(widths):
            edge = x[i - N_rows] + widths[i - N_rows] / 2 if i >= N_rows else 0
            x.append(edge + width / 2)
            if i:
                upper = widths[i - i % 2] / 2  # of this word and the one before
                x[i] = max(x[i], x[i - 1] + max(upper, LEAST + GAP))
        end = max(at + width / 2 for at, width in zip(x, widths, strict=True))
        if end <= line:
            break
    rows = np.arange(len(x)) % N_rows
    return np.stack([rows, np.array(x) * line / end - 0.5], axis=1)


def tree_nodes(
    tokens: Float[np.ndarray, " N_Y"],
    kinds: Float[np.ndarray, " N_words"],
    places: Float[np.ndarray, "N 2"],
    count: Number,
) -> Float[np.ndarray, "5 n"]:
    """The nodes of the tree that the first tokens spell (`attention_book.trees`).

    Of each its row, column, parent, name and state. `kinds` says of each token whether
    it is a word, opens a phrase, closes one or ends the output; the name is the token,
    of a closed phrase N_words more; states are those of `trees.PHRASES`. What can be
    in no tree, and all after it, is left out.
    """
    made: list[list[float]] = []  # row, first word, last word, parent, token, state
    stack: list[int] = []
    words, deepest = 0, 0
    for t, token in enumerate(tokens):
        kind = kinds[int(token)]
        if kind == ENDS or (not stack if made else kind != OPENS):
            break
        if kind == CLOSES:
            node = stack.pop()
            if t < count:
                made[node][4] += len(kinds)
                made[node][5] = 3 if t + 1 == count else 1
            continue
        deepest = max(deepest, len(stack))
        state = 3 if t + 1 == count else 1 + (kind == OPENS)
        if t < count:
            up = stack[-1] if stack else -1
            made.append([len(stack), words, words, up, token, state])
        if kind == OPENS:
            stack.append(len(made) - 1 if t < count else -1)
        else:
            for node in stack if t < count else ():
                made[node][2] = words
            words += 1
    at = np.array(made).reshape(-1, 6).T
    last = len(places) - 1
    open_ = at[4] < len(kinds)
    is_word = kinds[at[4].astype(int) % len(kinds)] == WORD
    first, end = (np.minimum(x, last).astype(int) for x in at[1:3])
    end = np.where(open_, first, end)
    row = np.where(is_word, deepest + places[first, 0], at[0])
    column = (places[first, 1] + places[end, 1]) / 2
    return np.stack([row, column, at[3], at[4], at[5]])


def tree_verdict(
    tokens: Float[np.ndarray, " N_Y"],
    kinds: Float[np.ndarray, " N_words"],
    words: Float[np.ndarray, " N_X"],
) -> Float[np.ndarray, ""]:
    """0 for a tree over these words, 1 for one over others, 2 for no tree."""
    kind = kinds[tokens.astype(int)]
    depth = np.cumsum((kind == OPENS) * 1.0 - (kind == CLOSES))
    empty = (kind[:-1] == OPENS) & (kind[1:] == CLOSES)
    whole = kind[-1] == ENDS and depth[-1] == 0 and not empty.any()
    if not (whole and len(kind) > 2 and (depth[:-2] > 0).all()):
        return np.array(2.0)
    return np.array(float(not np.array_equal(tokens[kind == WORD], words)))


def search_nodes(
    words: Float[np.ndarray, "N_steps width"],
    parents: Float[np.ndarray, "N_steps width"],
    scores: Float[np.ndarray, "N_steps width"],
    count: Number,
) -> Float[np.ndarray, "6 n"]:
    """The hypotheses that a beam search keeps (`tree_words` and so on of `writing`).

    Of each its row and column, the hypothesis before it, its last word, log P per word,
    and what has become of it after `count` steps: a state of `trees.STATES`. [START] is
    the first; [STOP] ends a sentence.
    """
    last = min(int(count), len(words))
    made: list[list[float]] = [[0, (words.shape[1] - 1) / 2, -1, START, 0, 0]]
    above = [0] * words.shape[1]
    for t, row in enumerate(words):
        here = list(above)
        for slot in np.flatnonzero(parents[t] >= 0):
            here[slot], up = len(made), above[int(parents[t][slot])]
            made.append([t + 1, slot, up, row[slot], scores[t][slot] / (t + 1), 0])
        above = here
    for node in made:
        node[5] = 2 * (node[0] <= last)
    race = [
        i
        for i, (row, _, _, word, *_) in enumerate(made)
        if row == last or (word == STOP and row < last)
    ]
    for end, state in [(i, 1) for i in race] + [
        (max(race, key=lambda i: made[i][4]), 3)
    ]:
        node = end
        while node >= 0:
            made[node][5], node = state, int(made[node][2])
    return np.array(made, dtype=float).T


def top(values: Float[np.ndarray, " N"], count: Number) -> Float[np.ndarray, " count"]:
    """Places of the largest values, counted from 0, the largest first."""
    return np.argsort(-values, kind="stable")[: int(count)].astype(float)


def likeliest(
    values: Float[np.ndarray, " N"],
    kept: Number | Float[np.ndarray, 1],
    count: Number,
) -> Float[np.ndarray, " shown"]:
    """Places of the `count` largest values; where more are `kept`, N stands for all
    others (`with_rest`).
    """
    there = np.asarray(kept).item()
    best = top(values, min(there, count))
    return np.append(best, [len(values)] * int(there > count))


def with_rest(
    values: Float[np.ndarray, " N"], places: Float[np.ndarray, " M"]
) -> Float[np.ndarray, " M"]:
    """The values at these places; place N has what all places but these have."""
    shown = places[places < len(values)].astype(int)
    return at_places(np.append(values, values.sum() - values[shown].sum()), places)


def at_places(
    values: Float[np.ndarray, " N"], places: Float[np.ndarray, " M"]
) -> Float[np.ndarray, " M"]:
    """The values at these places."""
    return values[places.astype(int)]


def last_parts(
    values: Float[np.ndarray, " N"], end: Number, count: Number
) -> Float[np.ndarray, " M"]:
    """The last `count` stretches that close with `end`, and what follows them."""
    begins = [0, *(np.flatnonzero(values == end) + 1)]
    return values[begins[-1 - min(int(count), len(begins) - 1)] :]


def in_common(
    said: Float[np.ndarray, " N"], other: Float[np.ndarray, " M"]
) -> Float[np.ndarray, " N"]:
    """1 where an id belongs to the longest sequence that both have in common, else 0;
    2 all along if the other has none.
    """
    N, M = len(said), len(other)
    if not M:
        return np.full(N, 2.0)
    shared = np.zeros((N + 1, M + 1))  # how long it is from i and j on
    for i in reversed(range(N)):
        for j in reversed(range(M)):
            both = shared[i + 1, j + 1] + 1
            longer = max(shared[i + 1, j], shared[i, j + 1])
            shared[i, j] = both if said[i] == other[j] else longer
    out, i, j = np.zeros(N), 0, 0
    while i < N and j < M:
        if said[i] == other[j]:
            out[i] = 1
            i, j = i + 1, j + 1
        elif shared[i + 1, j] >= shared[i, j + 1]:
            i += 1
        else:
            j += 1
    return out


def divided(
    values: Float[np.ndarray, "*shape"], by: Number
) -> Float[np.ndarray, "*shape"]:
    """Each entry divided by the same number."""
    return values / by


def mean_spread(values: Float[np.ndarray, N]) -> np.ndarray:
    """Mean and spread, (2,): the spread is the root of the mean square around it."""
    return np.array([values.mean(), values.std()])


def layer_norm(
    x: Float[np.ndarray, "*rows D"],
    gamma: float | Float[np.ndarray, "*D_or_one"],
    beta: float | Float[np.ndarray, "*D_or_one"],
    eps: Number = 1e-5,
) -> Float[np.ndarray, "*rows D"]:
    """Layer norm over the last axis, with eps under the root [ba2016layer].

    gamma and beta hold a number for each feature, or one for all.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta


def trained_head(
    rows: Float[np.ndarray, "N D"],
    labels: Float[np.ndarray, N],
    asked: Float[np.ndarray, "M D"],
    steps: Number,
    rate: Number,
) -> Float[np.ndarray, M]:
    """Train a linear layer and a sigmoid on labelled rows, and ask it of others.

    `labels` are 0 and 1. It starts from 0 and takes steps against the gradient of the
    mean surprise at all labels. Gives, for each row of `asked`, the probability of 1.
    """

    def said(X: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-(X @ w + b)))

    w, b = np.zeros(rows.shape[1]), 0.0
    for _ in range(int(steps)):
        off = (said(rows) - labels) / len(rows)
        w, b = w - rate * (off @ rows), b - rate * off.sum()
    return said(asked)


COMPUTED: dict[str, tuple[Callable[..., np.ndarray], tuple[str, ...]]] = {
    name: (each, tuple(signature(each).parameters))
    for name, each in list(globals().items())
    if isfunction(each) and each.__module__ == __name__
}
