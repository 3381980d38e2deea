"""Right ways to put a block together."""

import numpy as np
import torch
from torch import nn


def in_one_line(X, attend, mlp, norm_1, norm_2):
    """Functions inside functions."""
    return norm_2((Z := norm_1(X + attend(X))) + mlp(Z))


def from_a_list(X, attend, mlp, norm_1, norm_2):
    """The same thing done twice."""
    for part, norm in zip((attend, mlp), (norm_1, norm_2), strict=True):
        X = norm(np.sum([part(X), X], axis=0))
    return X


class Around(nn.Module):
    """A part with its sum, and with its norm in front or behind."""

    def __init__(self, part, before=None, behind=None):
        super().__init__()
        self.part = part
        self.before, self.behind = before or nn.Identity(), behind or nn.Identity()

    def forward(self, X):
        return self.behind(torch.add(X, self.part(self.before(X))))


def with_modules(X, attend, mlp, norm_1, norm_2):
    """Two torch modules, one after the other."""
    return nn.Sequential(Around(attend, behind=norm_1), Around(mlp, behind=norm_2))(X)


def pre_in_one_line(X, attend, mlp, norm_1, norm_2):
    """Functions inside functions."""
    return (Z := X + attend(norm_1(X))) + mlp(norm_2(Z))


def pre_with_a_running_sum(X, attend, mlp, norm_1, norm_2):
    """The stream that everything is added to, as a list of what was added."""
    added = [np.array(X)]
    for part, norm in ((attend, norm_1), (mlp, norm_2)):
        added.append(part(norm(np.sum(added, axis=0))))
    return sum(added)


def pre_with_modules(X, attend, mlp, norm_1, norm_2):
    """Two torch modules, one after the other."""
    return nn.Sequential(Around(attend, norm_1), Around(mlp, norm_2))(X)


STYLES = {
    "block": (in_one_line, from_a_list, with_modules),
    "pre_norm_block": (pre_in_one_line, pre_with_a_running_sum, pre_with_modules),
}
