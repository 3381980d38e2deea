"""Attempts to put a block together, to count it, and to tell senses apart."""

import numpy as np
import torch

from attention_book import reference
from attention_book.exercises.attempts import edited
from attention_book.exercises.verdict import RIGHT


def in_one_line(X, attend, mlp, norm_1, norm_2):
    return norm_2((Z := norm_1(X + attend(X))) + mlp(Z))


def from_a_list(X, attend, mlp, norm_1, norm_2):
    for part, norm in zip((attend, mlp), (norm_1, norm_2), strict=True):
        X = norm(np.sum([part(X), X], axis=0))
    return X


def with_tensors(X, attend, mlp, norm_1, norm_2):
    X = norm_1(X.clone().add_(attend(X)))
    return norm_2(torch.add(mlp(X), X))


def pre_in_one_line(X, attend, mlp, norm_1, norm_2):
    return (Z := X + attend(norm_1(X))) + mlp(norm_2(Z))


def pre_with_a_running_sum(X, attend, mlp, norm_1, norm_2):
    added = [np.array(X)]
    for part, norm in ((attend, norm_1), (mlp, norm_2)):
        added.append(part(norm(np.sum(added, axis=0))))
    return sum(added)


def pre_with_tensors(X, attend, mlp, norm_1, norm_2):
    X = X.clone().add_(attend(norm_1(X)))
    return torch.add(mlp(norm_2(X)), X)


def weights_by_shapes(D, D_hidden):
    W, W_1, b_1, gamma = map(np.zeros, [(D, D), (D, D_hidden), D_hidden, D])
    return {
        "norms": 4 * gamma.size,
        "mlp": 2 * W_1.size + b_1.size + gamma.size,
        "attention": 4 * W.size,
    }


def weights_in_loops(D, D_hidden):
    counts = dict.fromkeys(("attention", "mlp", "norms"), 0)
    for _ in "QKVO":
        counts["attention"] += D**2
    for rows, columns in ((D, D_hidden), (D_hidden, D)):
        counts["mlp"] += (rows + 1) * columns
    for _ in range(2):
        counts["norms"] += D + D
    return counts


def weights_of_a_layer(D, D_hidden):
    linears = torch.nn.Linear(D, D_hidden), torch.nn.Linear(D_hidden, D)
    norm = torch.nn.LayerNorm(D)
    return {
        "attention": 4 * torch.nn.Linear(D, D, bias=False).weight.numel(),
        "mlp": sum(w.numel() for linear in linears for w in linear.parameters()),
        "norms": 2 * sum(w.numel() for w in norm.parameters()),
    }


def senses_in_loops(new, known):
    nearest = []
    for x in new:
        away = [np.linalg.norm(x - vectors.mean(axis=0)) for vectors in known]
        nearest.append(int(np.argmin(away)))
    return nearest


def senses_with_torch(new, known):
    new, known = torch.as_tensor(new), torch.as_tensor(known)
    return torch.cdist(new, known.mean(dim=1)).argmin(dim=-1)


def senses_by_products(new, known):
    centroids = np.mean(known, axis=1)
    scores = new @ centroids.T - (centroids**2).sum(axis=-1) / 2
    return scores.argmax(axis=-1)


def keeping(block):
    kept = {}
    return lambda X, *parts: kept.setdefault(X.shape, block(X, *parts))


ATTEMPTS = {
    "block": {
        in_one_line: RIGHT,
        from_a_list: RIGHT,
        with_tensors: RIGHT,
        edited(in_one_line, "mlp(Z))", "mlp(Z)) + X"): "and normalise after the MLP.)",
        edited(in_one_line, "+ mlp", "- mlp"): "(attend gives 0 here: look at the",
        edited(from_a_list, "0)", "0) / 2"): "with layer norms your block is right",
        keeping(reference.block): "s something kept between calls",
        edited(
            with_tensors, "X = norm_1", "A, W = attend(X); X = norm_1"
        ): "Look at what",
    },
    "pre_norm_block": {
        pre_in_one_line: RIGHT,
        pre_with_a_running_sum: RIGHT,
        pre_with_tensors: RIGHT,
        edited(pre_in_one_line, "X + attend", "2 * X + attend"): "at the first half",
        edited(pre_in_one_line, "norm_2(Z)", "norm_2(norm_1(X))"): "Does the MLP read",
        edited(pre_in_one_line, "norm_2(Z)", "norm_2(2 * Z + 1)"): "with layer norms",
        edited(pre_in_one_line, "(norm_1(X))", "(X, X, X)"): "takes the vectors alone",
    },
    "block_weights": {
        weights_by_shapes: RIGHT,
        weights_in_loops: RIGHT,
        weights_of_a_layer: RIGHT,
        edited(weights_in_loops, "QKVO", "QKV"): "There is a fourth, W_O",
        edited(weights_in_loops, "QKVO", "QKVOX"): "W_K, W_V and W_O",
        edited(weights_in_loops, "(rows + 1)", "rows"): "you leave out the biases b_1",
    },
    "nearest_sense": {
        senses_in_loops: RIGHT,
        senses_with_torch: RIGHT,
        senses_by_products: RIGHT,
        edited(senses_by_products, "np.mean", "np.median"): "its distances to the mean",
        edited(senses_with_torch, "=-1)", "=-1) + 1"): "the whole numbers from 0 to 1;",
        edited(senses_with_torch, "argmin", "amin"): "a sense that does not exist:",
        edited(senses_with_torch, "=-1)", "=-1).bool()"): "you give True and False;",
        lambda new, known: np.zeros(
            len(new), dtype=bool
        ): "you give new[0] the sense 0;",
    },
}
