"""A task: all that differs between one recorded experiment and another.

A task is a frozen dataclass of the package. Its fields are few and plain (numbers,
words, a mapping of them), since `run.json` keeps them and builds the task again; its
data is prepared when it is first asked for, so that loading a run costs nothing of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor, nn

from attention_book.data import TextPieces, Vocabulary
from attention_book.training import token_cross_entropy


class OtherData(Exception):
    """What a recipe is trained on is not the book's own, and is other data here."""


class Task(ABC):
    """What is learned, by which model, and what is to be known of it afterwards."""

    @property
    @abstractmethod
    def vocabularies(self) -> Mapping[str, Vocabulary]:
        """The words that the model's ids stand for, by their side, such as "target"."""

    @property
    def pieces(self) -> TextPieces | None:
        """What cuts a text, where the model reads any."""
        return None

    @abstractmethod
    def model(self) -> nn.Module:
        """A model with fresh weights; its `config` is a dataclass."""

    @abstractmethod
    def batches(self, seed: int, steps: int) -> Iterator[Any]:
        """Batches for `training.fit`, the same for the same seed, for so many steps."""

    def loss(self, model: nn.Module, batch: Any) -> Tensor:
        """What training makes smaller: the mean surprise at the right next word, unless
        a task writes this method.
        """
        return token_cross_entropy(model, batch)

    @abstractmethod
    def measure(self, model: nn.Module) -> Mapping[str, Any]:
        """Figures of a trained model: mappings of mappings, down to numbers.

        What was measured of the test set in buckets stands as
        `{"test": {bucket: {metric: figure}}}`.
        """

    def examine(self, model: nn.Module, seed: int) -> Mapping[str, Any]:
        """Figures that need more training, such as fine-tuning, by the run's seed.

        They are recorded under "examined", and not measured again. There are none
        unless a task writes this method.
        """
        return {}

    def watch(self, model: nn.Module) -> float:
        """A figure that is followed as a model learns, such as accuracy, of every seed.

        A recipe says after how many steps each: its `watch_every`. It must draw nothing
        from the global generator, of which training goes on.
        """
        raise NotImplementedError(f"{type(self).__name__} writes no watch(model)")

    def keep(self, model: nn.Module) -> Mapping[str, Any]:
        """What is kept of the first seed, by name: words, numbers and arrays, nested.

        It is asked at the recipe's snapshots and at the end. Arrays of floats are kept
        as 16-bit numbers. Nothing is kept unless a task writes this method.
        """
        return {}
