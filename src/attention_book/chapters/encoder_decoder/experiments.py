"""Chapter 12's experiments: what its cells measure, without the bookkeeping."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attention_book import data, decoding, layers, models, runs, training
from attention_book.chapters.encoder_decoder.tasks import Vocabularies


class Forgetful(models.Wrapped):
    """A Transformer that keeps nothing of its own words: at every step its decoder
    reads them all again.
    """

    def initial_state(self, memory: Any) -> Tensor:
        """No word."""
        return torch.zeros(len(memory.X), 0, dtype=torch.long)

    def step(self, token: Tensor, memory: Any, state: Tensor) -> tuple:
        """Write one word; the state is the words so far."""
        model, words = self.model, torch.cat([state, token.unsqueeze(1)], dim=1)
        S, causal = model.target_vectors(words), layers.causal_mask(words.shape[1])
        S, _ = model.decoder(S, memory.X, causal, memory.X_visible)
        return model.logits(S[:, -1]), words, None


class Writing(models.Wrapped):
    """A Transformer that writes with a function of the reader's.

    `next_word(model, token, memory, state)` gives logits and the next state.
    """

    def __init__(self, model: models.Transformer, next_word: Callable[..., Any]):
        super().__init__(model)
        self.next_word = next_word

    def step(self, token: Tensor, memory: Any, state: Any) -> tuple:
        """Write one word."""
        return *self.next_word(self.model, token, memory, state), None


def right_by_length(
    model: nn.Module,
    test: Mapping[tuple[int, int], Sequence[data.Pair]],
    vocabularies: Vocabularies,
) -> dict[str, float]:
    """Share of test sentences that a model writes without a mistake, by length."""
    by_length = {f"{low}-{high}": pairs for (low, high), pairs in test.items()}
    found = runs.evaluate(model, by_length, *vocabularies)
    return {length: each["exact_match"] for length, each in found.items()}


def products(
    N_Y: int, N_X: int, D: int = 128, N_heads: int = 4, D_hidden: int = 256
) -> dict[str, int]:
    """Count a decoder's multiplications while it writes N_Y words of a source of N_X.

    `all again`: every step runs the decoder over all words, and makes keys and values
    of the source anew; `kept`: keys and values are kept.
    """
    decoder = layers.Decoder(1, D, N_heads, D_hidden)
    S, X = torch.zeros(1, N_Y, D), torch.zeros(1, N_X, D)

    class Kept(nn.Module):
        """All steps, each with what those before it left."""

        def __init__(self) -> None:
            super().__init__()
            self.decoder = decoder

        def forward(self, S: Tensor, X: Tensor) -> None:
            of_X, past = decoder.kv_cache(X), decoder.no_past(X)
            for t in range(N_Y):
                _, _, past = decoder.step(S[:, t : t + 1], of_X, past)

    again = [
        models.N_products(decoder, S[:, : t + 1], X, layers.causal_mask(t + 1))
        for t in range(N_Y)
    ]
    return {"all again": sum(again), "kept": models.N_products(Kept(), S, X)}


def say(model: Any, sentence: str, vocabularies: Vocabularies) -> str:
    """Translate an English sentence greedily."""
    words = data.tokenize(sentence, "en")
    (said,) = runs.translate(model, [words], *vocabularies, max_words=40)
    return " ".join(said)


def seconds_a_step(
    trials: Mapping[str, tuple[nn.Module, Iterable[Any]]], rounds: int, steps: int
) -> dict[str, float]:
    """Measure training steps in seconds of processor time, by turns: the median round.

    A trial is a model, which is trained in place, and batches for it.
    """
    streams = {name: iter(batches) for name, (_, batches) in trials.items()}
    taken: dict[str, list[float]] = {name: [] for name in trials}
    for _ in range(rounds):
        for name, (model, _) in trials.items():
            few = [next(streams[name]) for _ in range(steps)]
            began = time.process_time()
            training.fit(model, few, steps=steps, seed=0, callbacks=())
            taken[name].append((time.process_time() - began) / steps)
    return {name: float(np.median(each)) for name, each in taken.items()}


def seconds_along(
    writer: decoding.Writer,
    source: Tensor,
    source_visible: Tensor,
    target_in: Tensor,
) -> float:
    """Seconds of processor time of the steps along given words, the fastest of three:
    the source was read before.
    """
    taken = []
    for _ in range(3):
        with torch.inference_mode():
            memory = writer.encode(source, source_visible)
            state = writer.initial_state(memory)
            began = time.process_time()
            for token in target_in.unbind(dim=1):
                _, state, _ = writer.step(token, memory, state)
        taken.append(time.process_time() - began)
    return min(taken)
