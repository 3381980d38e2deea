"""Chapter 8's measures: what a layer costs, and what its outputs see."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import process_time
from typing import Any
from weakref import WeakSet, finalize

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from attention_book.chapters.three_ways.model import Network
from attention_book.chapters.three_ways.tasks import Carry, sentences
from attention_book.runs import RecordedRun, Task
from attention_book.training import fit, seeded

LAST = 3  # an exponent is fitted to so many of the largest n


def outputs(layer: Callable[[Tensor], Tensor | tuple], X: Tensor) -> Tensor:
    """The new vectors, without what else a layer returns (weights, the last state)."""
    Y = layer(X)
    return Y if isinstance(Y, Tensor) else Y[0]


def forward_and_backward(layer: nn.Module, X: Tensor) -> None:
    """Compute the outputs, and the gradient of their sum."""
    layer.zero_grad()
    outputs(layer, X).sum().backward()


def steps(layer: nn.Module, X: Tensor) -> int:
    """Length of the longest chain of operations of which each waits for the last."""
    last = outputs(layer, X).grad_fn
    length, waiting = {}, [last]
    while waiting:  # what an operation waits for has its length first
        node = waiting[-1]
        before = [each for each, _ in node.next_functions if each]
        new = [each for each in before if each not in length]
        waiting += new
        if not new:
            length[node] = 1 + max((length[each] for each in before), default=0)
            waiting.pop()
    return length[last]


class LiveBytes(TorchDispatchMode):
    """Counts the bytes of the tensors that are made, until nobody holds them any more.

    What a single operation needs inside itself, and hands to nobody, is not counted.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now = self.most = 0
        self.known: WeakSet = WeakSet()

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        for tensor in _tensors((args, kwargs)):
            self.known.add(tensor.untyped_storage())
        made = operation(*args, **(kwargs or {}))
        for tensor in _tensors(made):
            storage = tensor.untyped_storage()
            if storage not in self.known:  # a view shares that of another tensor
                self.known.add(storage)
                self._add(storage.nbytes())
                finalize(storage, self._add, -storage.nbytes())
        return made

    def _add(self, nbytes: int) -> None:
        self.now += nbytes
        self.most = max(self.most, self.now)


def _tensors(tree: Any) -> Iterator[Tensor]:
    return (leaf for leaf in tree_leaves(tree) if isinstance(leaf, Tensor))


def peak(function: Callable[[], object]) -> int:
    """The most bytes of new tensors that are held at once while a function runs."""
    with LiveBytes() as held:
        function()
    return held.most


def memory(layer: nn.Module, X: Tensor) -> int:
    """The most bytes held at once on the way forth and back, beyond X and weights."""
    return peak(lambda: forward_and_backward(layer, X))


def seconds_of(function: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    began = process_time()
    function()
    return process_time() - began


def seconds(
    layers: Mapping[str, nn.Module], inputs: Sequence[Tensor], repeats: int
) -> dict[str, Float[np.ndarray, "repeats N_sizes"]]:
    """Processor seconds of a way forth and back, all layers and sizes in turn."""
    taken = {name: np.empty((repeats, len(inputs))) for name in layers}
    for turn in range(repeats):
        for size, X in enumerate(inputs):
            for name, layer in layers.items():
                taken[name][turn, size] = seconds_of(
                    partial(forward_and_backward, layer, X)
                )
    return taken


def exponent(n: Sequence[int], cost: Sequence[float] | np.ndarray) -> float:
    """The p of cost ~ n^p: a slope in logarithms, over the largest n."""
    return float(np.polyfit(np.log(n[-LAST:]), np.log(cost[-LAST:]), deg=1)[0])


def exponent_with_interval(
    n: Sequence[int], taken: Float[np.ndarray, "repeats N_sizes"], N_draws: int = 1000
) -> tuple[float, float, float]:
    """The exponent of the median time, and the 95 % interval of its bootstrap."""
    rng, repeats = np.random.default_rng(0), len(taken)
    redrawn = (taken[rng.integers(repeats, size=repeats)] for _ in range(N_draws))
    drawn = [exponent(n, np.median(each, axis=0)) for each in redrawn]
    low, high = np.percentile(drawn, (2.5, 97.5))
    return exponent(n, np.median(taken, axis=0)), low, high


def influence(
    stack: Sequence[Callable[[Tensor], Tensor | tuple]], X: Float[Tensor, "N_X D"]
) -> Float[np.ndarray, "N_X"]:
    """How strongly each input moves the last output of layers, one on the other.

    The length of the gradient of one direction of that output, by each input; exactly 0
    where there is no way from the input to the output.
    """
    X = X.detach()[None].requires_grad_()
    Y = X
    for layer in stack:
        Y = outputs(layer, Y)
    (gradient,) = torch.autograd.grad(Y[0, -1].sum(), X)
    return gradient[0].norm(dim=-1).numpy()


def name_left(model: Network, words: Int[Tensor, "B N"]) -> float:
    """How strongly the first word moves a network's last state, in the mean.

    Relative to the influence of the last word: 1 if it counts as much.
    """
    moved = np.mean([influence([model.states], x) for x in model.words(words)], axis=0)
    return float(moved[0] / moved[-1])


def left_at_first(task: Carry, N_seeds: int = 5) -> float:
    """What is left of the name in fresh networks of a task, in the mean."""
    words, _ = sentences(task.distance, 1, torch.Generator().manual_seed(0))
    shares = []
    for seed in range(N_seeds):
        with seeded(seed):
            shares.append(name_left(task.model(), words))
    return float(np.mean(shares))


def learned_after(run: RecordedRun, below: float) -> Float[np.ndarray, "N_seeds"]:
    """Steps until the loss of training first falls below a bound; infinite if never."""
    return np.array(
        [
            curve.step[curve.loss < below].min(initial=np.inf)
            for curve in run.curves.values()
        ]
    )


def seconds_a_step(task: Task, steps: int = 10) -> float:
    """Processor seconds of a step of training, the median of a few."""
    with seeded(0):
        model = task.model()
    step = partial(fit, model, task.batches(0, steps), steps=1, seed=0, callbacks=())
    return float(np.median([seconds_of(step) for _ in range(steps)]))


def next_word_loss(convolution: Callable[[Tensor, Tensor], Tensor]) -> float:
    """Train one convolution to guess the next of eight words, which come at random.

    `convolution` is given X (B, N, D_X) and W (k, D_X, D_Y). In nats a word.
    """
    with seeded(0):
        W = (0.1 * torch.randn(3, 8, 8)).requires_grad_()
        optimizer = torch.optim.Adam([W], lr=0.1)
        for _ in range(200):
            words = torch.randint(8, (16, 33))
            logits = convolution(F.one_hot(words).float(), W)[:, :-1]  # of the next
            loss = F.cross_entropy(logits.flatten(0, 1), words[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()
