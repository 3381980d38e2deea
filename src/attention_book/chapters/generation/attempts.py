"""Attempts to count bits, to keep the likely words, and to look up by two looks."""

import math
from collections import defaultdict

import numpy as np
import torch
import torch.nn.functional as F

from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def piece_by_piece(log_P, pieces):
    bits = characters = 0
    for log_p, piece in zip(log_P, pieces, strict=True):
        bits -= math.log2(math.exp(log_p))
        characters += len(piece)
    return bits / characters


def in_a_dict(log_P, pieces):
    """NumPy: a piece that comes twice is there once."""
    bits = dict(zip(pieces, -log_P / np.log(2), strict=True))
    return sum(bits.values()) / len("".join(pieces))


def to_the_first_end(log_P, pieces):
    nats = characters = 0
    for log_p, piece in zip(log_P, pieces, strict=True):
        nats -= log_p
        if piece == "":
            break
        characters += len(piece)
    return nats / math.log(2) / characters


def by_nll(log_P, pieces):
    """torch: its own loss, whose logits are log P of the right pieces."""
    first = torch.zeros(len(log_P), dtype=torch.long)
    nats = F.nll_loss(log_P[:, None], first, reduction="sum")
    return nats / math.log(2) / sum(map(len, pieces))


def through_the_mean(log_P, pieces):
    mean_length = np.mean([len(piece) for piece in pieces])
    return -np.mean(log_P) * np.log2(np.e) / mean_length


def by_a_product(log_P, pieces):
    return -np.log2(np.prod(np.exp(log_P))) / len("".join(pieces))


def of_the_filled(log_P, pieces):
    filled = [len(piece) > 0 for piece in pieces]
    return through_the_mean(log_P[filled], [p for p in pieces if p])


def in_a_loop(P, p):
    kept, share = [0.0] * len(P), 0.0
    for word in sorted(range(len(P)), key=lambda word: P[word], reverse=True):
        if share >= p:
            break
        kept[word] = P[word]
        share += P[word]
    return [each / share for each in kept]


def above_a_threshold(P, p):
    """NumPy: the least likely word that stays, found by searchsorted."""
    falling = np.sort(P)[::-1]
    last = falling[min(np.searchsorted(falling.cumsum(), p), len(P) - 1)]
    return np.where(last <= P, P, 0) / P[last <= P].sum()


def from_below(P, p):
    """NumPy: what has 1 - p together, or less, from the unlikely end, goes."""
    order = P.argsort()
    going = P[order].cumsum() <= 1 - p
    kept = P.copy()
    kept[order[going]] = 0
    return kept / kept.sum()


def scattered(P, p):
    """torch: its own sort and scatter."""
    falling, order = P.sort(descending=True)
    falling[falling.cumsum(0) - falling >= p] = 0
    kept = torch.zeros_like(P).scatter(0, order, falling)
    return kept / kept.sum()


def likeliest_few(P, p):
    k = int(np.ceil(p * len(P)))
    order = np.argsort(-P)[:k]
    kept = np.zeros_like(P)
    kept[order] = P[order]
    return kept / kept.sum()


def never_nothing(P, p):
    """torch: what is dropped gets a little, lest a logarithm meet 0."""
    return scattered(P, p).clamp(min=1e-8)


def as_logits(P, p):
    """torch: minus infinity, as one hides scores."""
    falling, order = P.sort(descending=True)
    kept = P.clone()
    kept[order[falling.cumsum(0) - falling >= p]] = -torch.inf
    return kept / kept[kept > 0].sum()


def in_place(P, p):
    falling = np.sort(P)[::-1]
    last = falling[min(np.searchsorted(falling.cumsum(), p), len(P) - 1)]
    P[last > P] = 0
    return P / P.sum()


def sharpened(P, p):
    kept = above_a_threshold(P, p) ** 2
    return kept / kept.sum()


def remembered(ids, N_words):
    """Plain Python: a list of the places after each token."""
    N = len(ids)
    after, A_1, A_2 = defaultdict(list), np.zeros((N, N)), np.zeros((N, N))
    P = np.zeros((N, N_words))
    for n in range(N):
        A_1[n, max(n - 1, 0)] = 1
        if n > 0:
            after[ids[n - 1]].append(n)
        places = after[ids[n]] or range(n + 1)
        for m in places:
            A_2[n, m] += 1 / len(places)
            P[n, ids[m]] += 1 / len(places)
    return A_1, A_2, P


def by_comparing(ids, N_words):
    """NumPy: which ids are equal, and rows divided by their sums."""
    N = len(ids)
    m = np.arange(N)
    earlier = np.maximum(m - 1, 0)
    A_1 = np.eye(N)[earlier]
    visible = m <= m[:, None]
    fits = (ids[earlier] == ids[:, None]) & visible
    fits = np.where(fits.any(axis=1, keepdims=True), fits, visible)
    A_2 = fits / fits.sum(axis=1, keepdims=True)
    return A_1, A_2, A_2 @ np.eye(N_words)[ids]


def with_torch(ids, N_words):
    """torch: its own attention, and its own one-hot vectors."""
    N = len(ids)
    X = F.one_hot(ids, N_words).float()
    A_1 = torch.eye(N)[(torch.arange(N) - 1).clamp(min=0)]

    def look(V):
        given = (each[None] for each in (X, A_1 @ X, V))
        return F.scaled_dot_product_attention(*given, is_causal=True, scale=1e3)[0]

    return A_1, look(torch.eye(N)), look(X)


def padded(ids, N_words):
    """torch: the tokens before, shifted in by padding."""
    N = len(ids)
    X, before = F.one_hot(ids, N_words).double(), F.pad(ids, (1, 0))[:-1]
    A_1 = torch.eye(N, dtype=X.dtype)[[0, *range(N - 1)]]
    later = torch.ones(N, N).triu(1).bool()
    E = 1000 * X @ F.one_hot(before, N_words).double().T
    A_2 = E.masked_fill(later, -torch.inf).softmax(-1)
    return A_1, A_2, A_2 @ X


def mixed_before_divided(ids, N_words):
    N, X = len(ids), np.eye(N_words)[ids]
    A_1 = np.eye(N)[np.maximum(np.arange(N) - 1, 0)]
    E = np.tril(X @ (A_1 @ X).T)
    return A_1, E, E @ X


def counting(ids, N_words):
    A_1, _, _ = by_comparing(ids, N_words)
    A_2 = np.tri(len(ids)) / np.arange(1, len(ids) + 1)[:, None]
    return A_1, A_2, A_2 @ np.eye(N_words)[ids]


ATTEMPTS = {
    "bits_per_character": {
        piece_by_piece: RIGHT,
        by_nll: RIGHT,
        through_the_mean: RIGHT,
        by_a_product: "a long text: bits holds NaN or infinity",
        of_the_filled: "You leave out the pieces without a character",
        in_a_dict: "You count the bits of each piece once",
        edited(in_a_dict, 'len("".join(pieces))', "sum(map(len, bits))"): (
            "You count each piece once"
        ),
        to_the_first_end: "You stop at the first piece without a character",
        edited(through_the_mean, "np.log2(np.e)", "1"): "You count in nats",
        edited(through_the_mean, "-np", "np"): "Your bits are negative",
        edited(through_the_mean, "len(piece)", "len(piece.encode())"): (
            "the number of bytes"
        ),
        edited(through_the_mean, "len(piece)", "len(piece.strip())"): (
            "You leave out blanks around the pieces"
        ),
        edited(through_the_mean, " / mean_length", ""): "You give bits a piece",
        edited(through_the_mean, "np.log2(np.e)", "np.log(2)"): "You multiply by ln 2",
        edited(piece_by_piece, "len(piece)", "len(piece) + 1"): (
            "the number of bits is off"
        ),
        edited(piece_by_piece, "len(piece)", "len(piece) * (log_p < 0)"): (
            "the number of bits is off"
        ),
        edited(piece_by_piece, "len(piece)", 'len(piece.strip(".!"))'): (
            "the number of bits is off"
        ),
        edited(piece_by_piece, "len(piece)", "sum(c != chr(10) for c in piece)"): (
            "You leave out the line breaks"
        ),
        edited(
            piece_by_piece, "(log_P, pieces, strict", "(log_P[1:], pieces[1:], strict"
        ): "You leave out the first piece",
    },
    "nucleus": {
        in_a_loop: RIGHT,
        above_a_threshold: RIGHT,
        from_below: RIGHT,
        scattered: RIGHT,
        likeliest_few: "You keep a share p of the words",
        in_place: "writes into P",
        sharpened: "no longer in proportion",
        never_nothing: "1e-08 at [0], which is dropped",
        edited(never_nothing, "1e-8", "1e-3"): "0.001 to each word that is dropped",
        edited(never_nothing, "clamp(min=1e-8)", "round(decimals=2)"): "rounded",
        edited(never_nothing, "clamp(min=1e-8)", "flip(0)"): "its own place",
        edited(never_nothing, "clamp(min=1e-8)", "softmax(0)"): "or take exp",
        edited(never_nothing, ".clamp(min=1e-8)", " > 0"): "which words stay",
        as_logits: "You give -inf to the words that are dropped",
        edited(as_logits, "kept[kept > 0]", "kept"): "so the sum is -inf",
        edited(in_a_loop, "share >= p", "share and share + P[word] > p"): (
            "You keep at least one word"
        ),
        edited(in_a_loop, "share >= p", "share > p"): "you keep one more",
        edited(in_a_loop, "share >= p", "share >= min(p, 0.99)"): "All words stay",
        edited(
            in_a_loop,
            "share >= p:\n            break",
            "share + P[word] > p:\n            continue",
        ): "You skip a word",
        edited(in_a_loop, ", reverse=True", ""): "You begin with the least likely",
        edited(in_a_loop, "each / share", "each"): "which no longer sum to 1",
        edited(scattered, "cumsum(0) - falling >= p", "cumsum(0) >= p"): "0.4 together",
        edited(from_below, "<= 1 - p", "<= p"): "together, less than p",
        edited(from_below, "<= 1 - p", "< 1 - p"): "you keep one more",
    },
    "look_up": {
        remembered: RIGHT,
        by_comparing: RIGHT,
        with_torch: RIGHT,
        padded: "You take the id 0 for what stands before the first",
        mixed_before_divided: "looks nowhere",
        edited(by_comparing, "A_1, A_2, A_2 @", "A_1, A_2.T, A_2 @"): "is transposed",
        edited(by_comparing, "A_1, A_2, A_2 @", "A_2, A_1, A_2 @"): "before A_1",
        counting: "should look at",
        edited(by_comparing, "(ids[earlier] ==", "(ids =="): (
            "Your second look finds the token itself, so"
        ),
        edited(by_comparing, "m <= m[:, None]", "m < m[:, None]"): "0 / 0",
        edited(by_comparing, " & visible", ""): "sees later places",
        edited(by_comparing, "np.maximum(m - 1, 0)", "m - 1"): "at the last one",
        edited(remembered, "or range(n + 1)", "or [n]"): "Where no place fits",
        edited(remembered, "after[ids[n]]", "after[ids[n]][-1:]"): "the last place",
        edited(with_torch, "scale=1e3", "scale=1"): "scores such as 0 and 1",
        edited(with_torch, "scale=1e3", "scale=12"): "scores such as 0 and 1",
        edited(
            remembered,
            "after[ids[n]]",
            "[*filter(lambda m: m > n - 12, after[ids[n]])]",
        ): "should look at",
        edited(remembered, "append(n)", "append(n - 1)"): "earlier places of the token",
        edited(
            by_comparing, "(ids[earlier] ==", "(ids[m - 1] =="
        ): "the last token for",
        edited(by_comparing, "[earlier]\n", "[earlier] + 1e-3\n"): "[0, 0] is 1.001",
        edited(with_torch, "(X, A_1 @ X, V)", "(X, X, V)"): "the token itself, so",
    },
}
