"""Attempts to count weights and operations, and to fit a power law."""

from decimal import Decimal

import numpy as np
import torch

from attention_book import models
from attention_book.chapters.scale import napkin
from attention_book.chapters.scale.napkin import Sizes
from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def built(D, N_blocks, N_words, N_positions):
    """torch: a GPT that has shapes and no numbers."""
    with torch.device("meta"):
        model = models.GPT(
            models.GPTConfig(N_words, D, 1, 4 * D, N_blocks, N_positions)
        )
    return sum(each.numel() for each in model.parameters())


def by_sizes(D, N_blocks, N_words, N_positions):
    return napkin.weights(Sizes(D, N_blocks, N_words, N_positions, others=2 * D))


def in_a_list(D, N_blocks, N_words, N_positions):
    shapes = [(N_words, D), (N_positions, D), (2, D)]
    for _ in range(N_blocks):
        shapes += 4 * [(D, D), (1, D)]
        shapes += [(D, 4 * D), (1, 4 * D), (4 * D, D), (1, D)]
        shapes += 2 * [(2, D)]
    return sum(rows * columns for rows, columns in shapes)


def by_formula(D, N_blocks, N_words, N_positions):
    return N_blocks * (12 * D**2 + 13 * D) + (N_words + N_positions + 2) * D


def in_decimals(D, N_blocks, N_words, N_positions):
    return by_formula(Decimal(D), N_blocks, N_words, N_positions)


def a_token_at_a_time(D, N_blocks, N_words, N, tokens):
    forward = 0
    for _ in range(N_blocks):
        forward += 2 * (4 * D * D + 8 * D * D)
        forward += 2 * N * D + 2 * N * D
    forward += 2 * N_words * D
    return tokens * (forward + 2 * forward)


def a_text_at_a_time(D, N_blocks, N_words, N, tokens):
    products = N_blocks * [(N, D, 12 * D), (N, D, N), (N, N, D)] + [(N, D, N_words)]
    forward = sum(2 * rows * inner * columns for rows, inner, columns in products)
    return 3 * forward * tokens // N


def by_the_book(D, N_blocks, N_words, N, tokens):
    return int(napkin.training(Sizes(D, N_blocks, N_words), N, tokens))


def on_the_napkin(D, N_blocks, N_words, N, tokens):
    return 6 * (12 * N_blocks * D**2 + N_words * D) * tokens


def least_squares(N, L, L_inf):
    """NumPy: the normal equations, by lstsq."""
    X = np.stack([np.ones(len(N)), -np.log(N)], axis=1)
    (height, alpha), *_ = np.linalg.lstsq(X, np.log(L - L_inf), rcond=None)
    return alpha, np.exp(height / alpha)


def by_hand(N, L, L_inf):
    x, y = np.log(N), np.log(L - L_inf)
    away = x - x.mean()
    alpha = -(away * y).sum() / (away**2).sum()
    return alpha, np.exp(x.mean() + y.mean() / alpha)


def with_torch(N, L, L_inf):
    """torch: its own least squares."""
    X = torch.stack([torch.ones_like(N), N.log()], dim=1)
    found = torch.linalg.lstsq(X, (L - L_inf).log()[:, None]).solution[:, 0]
    return -found[1], torch.exp(found[0] / -found[1])


ATTEMPTS = {
    "gpt_weights": {
        built: RIGHT,
        by_sizes: RIGHT,
        in_a_list: RIGHT,
        by_formula: RIGHT,
        in_decimals: RIGHT,
        edited(by_formula, "N_blocks * (12", "np.float32(N_blocks) * (12"): "float32",
        edited(by_formula, "13 * D", "4 * D"): "You count no biases",
        edited(by_formula, "13 * D", "11 * D"): "both with gamma and beta",
        edited(by_formula, "+ 2) * D", ") * D"): "You leave out the last norm",
        edited(by_formula, "N_words + ", ""): "You leave out the table of words",
        edited(by_formula, "N_positions + ", ""): "the table of positions",
        edited(by_formula, "12 * D**2", "4 * D**2"): "leave out the MLP's matrices",
        edited(by_formula, "(N_words", "(2 * N_words"): "the table of words twice",
        edited(by_formula, "N_blocks * (12", "(12"): "You count one block",
        edited(in_a_list, "4 * [(D, D)", "3 * [(D, D)"): "three matrices",
        edited(in_a_list, "(1, 4 * D), ", "(1, D), "): "first bias 4 D wide",
    },
    "training_operations": {
        a_token_at_a_time: RIGHT,
        a_text_at_a_time: RIGHT,
        by_the_book: RIGHT,
        on_the_napkin: "You leave out the pairs",
        edited(on_the_napkin, "6 *", "3 *"): "only. With each comes an addition. You l",
        edited(a_token_at_a_time, "forward + 2 * forward", "forward"): (
            "the forward pass only"
        ),
        edited(a_token_at_a_time, "forward + 2 * forward", "2 * forward"): (
            "two parts of three"
        ),
        edited(a_token_at_a_time, "+ 2 * N * D", ""): "half of the pairs' work",
        edited(a_token_at_a_time, "forward += 2 * N_words * D", "pass"): (
            "You leave out reading off"
        ),
        edited(a_token_at_a_time, "tokens * ", ""): "You count one token",
        edited(a_text_at_a_time, "2 * rows * inner", "rows * inner"): (
            "multiplications only"
        ),
        edited(a_text_at_a_time, " // N", ""): "You multiply by N as well",
        edited(a_text_at_a_time, "sum(2", "sum(np.int64(2)"): "end at 9.2e18",
    },
    "power_law": {
        least_squares: RIGHT,
        by_hand: RIGHT,
        with_torch: RIGHT,
        edited(by_hand, "np.log(L - L_inf)", "np.log(L)"): "take L_inf off first",
        edited(by_hand, "-(away", "(away"): "so it is positive",
        edited(by_hand, "x.mean() + y", "y"): "alpha is right and N_0 is not",
        edited(by_hand, "np.log(N)", "np.log(N)[::-1]"): "loss still stand beside",
        edited(by_hand, "np.exp(x.mean() + y.mean() / alpha)", "10**30"): "N_0 is not",
        edited(by_hand, "return alpha,", "return int(alpha),"): "Is it rounded",
        edited(least_squares, "height / alpha", "height"): "Divide the height by",
        edited(least_squares, "alpha, np.exp", "np.exp(alpha), np.exp"): (
            "of least squares"
        ),
        edited(by_hand, "alpha)", "alpha).round()"): "rounded to a whole number",
        edited(with_torch, "N.log()]", "N]"): "You fit against N itself",
    },
}
