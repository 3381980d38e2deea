"""Right ways to put a block together."""

import numpy as np
import torch


def in_one_line(X, attend, mlp, norm_1, norm_2):
    """Functions inside functions."""
    return norm_2((Z := norm_1(X + attend(X))) + mlp(Z))


def from_a_list(X, attend, mlp, norm_1, norm_2):
    """The same thing done twice."""
    for part, norm in zip((attend, mlp), (norm_1, norm_2), strict=True):
        X = norm(np.sum([part(X), X], axis=0))
    return X


def with_tensors(X, attend, mlp, norm_1, norm_2):
    """Tensors; the vectors change under one name, and X is not written to."""
    X = norm_1(X.clone().add_(attend(X)))
    return norm_2(torch.add(mlp(X), X))


def pre_in_one_line(X, attend, mlp, norm_1, norm_2):
    """Functions inside functions."""
    return (Z := X + attend(norm_1(X))) + mlp(norm_2(Z))


def pre_with_a_running_sum(X, attend, mlp, norm_1, norm_2):
    """The stream that everything is added to, as a list of what was added."""
    added = [np.array(X)]
    for part, norm in ((attend, norm_1), (mlp, norm_2)):
        added.append(part(norm(np.sum(added, axis=0))))
    return sum(added)


def pre_with_tensors(X, attend, mlp, norm_1, norm_2):
    """Tensors; the vectors change under one name, and X is not written to."""
    X = X.clone().add_(attend(norm_1(X)))
    return torch.add(mlp(norm_2(X)), X)


STYLES = {
    "block": (in_one_line, from_a_list, with_tensors),
    "pre_norm_block": (pre_in_one_line, pre_with_a_running_sum, pre_with_tensors),
}
