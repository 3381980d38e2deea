"""Sequence to sequence with attention: at every step the decoder looks at all inputs
again.

    e_{t,i} = f_att(s, h_i)      a_t = softmax(e_t)      c_t = sum_i a_{t,i} h_i

Whose state is s? "previous" [bahdanau2015neural]: s_{t-1}, and c_t goes into the state,
s_t = g_U(y_{t-1}, s_{t-1}, c_t). "current" [luong2015effective]: s_t = g_U(y_{t-1},
s_{t-1}), and c_t goes to the output only; so no state depends on a weight, and all
steps are scored in one product while training. y_t is read off (s_t, y_{t-1}, c_t).

The h are a *set*: `Translator` makes them of words, the captioner of a picture.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book.layers import (
    GRU,
    SCORES,
    BidirectionalGRU,
    attention_weights,
    stacked,
)
from attention_book.models.interventions import Intervention, intervened
from attention_book.shapes import (
    PAD,
    check_choice,
    check_count,
    check_ids,
    check_shapes,
    check_share,
    check_type,
)

SCORED_STATES = ("previous", "current")  # Bahdanau et al., Luong et al.


@dataclass(frozen=True)
class InputSet:
    """What an encoder leaves for a decoder that looks: vectors, and a first state.

    `keys` are what the score function has made of h, to be compared with s. `visible`
    is None where all are inputs. `s_0` is the first state of all the decoder's layers.
    """

    h: Float[Tensor, "B N_X D_H"]
    keys: Float[Tensor, "B N_X D_A"]
    visible: Bool[Tensor, "B N_X"] | None
    s_0: Float[Tensor, "B D_S"]


class AttentionDecoder(nn.Module):
    """Write words while looking at a set of vectors; a model adds `encode`.

    D_E, D_H and D_S are the widths of a word's vector, of an input and of the state. Of
    `N_layers` GRUs one on the other, see `layers.Stack`, the last one's state asks, and
    words are read off it. Dropout is of what g_U and the output read, and between
    layers.
    """

    encode: Callable[..., InputSet]

    def __init__(
        self,
        N_words: int,
        D_E: int,
        D_H: int,
        D_S: int,
        score: str,
        scored_state: str,
        N_layers: int = 1,
        dropout: float = 0.0,
    ):
        super().__init__()
        check_choice("score", score, SCORES)
        check_choice("scored_state", scored_state, SCORED_STATES)
        self.N_words, self.scored_state = N_words, scored_state
        self.D_S, self.N_layers = D_S, N_layers
        self.dropout = nn.Dropout(dropout)
        self.target_embedding = nn.Embedding(N_words, D_E, padding_idx=PAD)
        self.first_state = nn.Linear(D_H, N_layers * D_S)
        self.score = SCORES[score](D_S, D_H)
        D_in = D_E + (D_H if scored_state == "previous" else 0)
        self.g_U = stacked(GRU, D_in, D_S, N_layers, dropout)
        self.output = nn.Sequential(
            nn.Linear(D_S + D_E + D_H, D_S), nn.Tanh(), nn.Linear(D_S, N_words)
        )

    def make_memory(
        self,
        h: Float[Tensor, "B N_X D_H"],
        visible: Bool[Tensor, "B N_X"] | None,
        whole: Float[Tensor, "B D_H"],
    ) -> InputSet:
        """Make a set h ready: its keys, and s_0 = tanh(W whole + b) of its summary."""
        s_0 = torch.tanh(self.first_state(whole))
        return InputSet(h, self.score.project_keys(h), visible, s_0)

    def initial_state(self, memory: InputSet) -> Float[Tensor, "B D_S"]:
        """The state to pass to the first `step`: s_0."""
        return memory.s_0

    def asking(self, state: Tensor) -> Tensor:
        """The part of a state that asks: that of the last layer, (..., D_S)."""
        # of one layer it is no view: gradients are then summed in the same order
        return state if self.N_layers == 1 else state[..., -self.D_S :]

    def attend(
        self, s: Float[Tensor, "B N_Y D_S"], memory: InputSet
    ) -> tuple[Float[Tensor, "B N_Y D_H"], Float[Tensor, "B N_Y N_X"]]:
        """Score, weigh and mix: one context for every state."""
        seen = None if memory.visible is None else memory.visible.unsqueeze(1)
        a = attention_weights(self.score(s, memory.keys), seen)
        return a @ memory.h, a

    def step(
        self,
        token: Int[Tensor, "B"],
        memory: InputSet,
        state: Float[Tensor, "B D_S"],
        intervene: Intervention | None = None,
    ) -> tuple[
        Float[Tensor, "B N_words"], Float[Tensor, "B D_S"], Float[Tensor, "B N_X"]
    ]:
        """Write one word.

        `token` is y_{t-1}, at first [START], and `state` s_{t-1}; the logits are of
        y_t. `intervene(a_t, visible)` gives the weights to use, and to return, instead
        of a_t: they must be 0 at padding.
        """
        self._check_step(token, memory, state)
        y_prev = self.target_embedding(token)
        if self.scored_state == "current":
            state = self.g_U.cell(self.dropout(y_prev), state)
        s = self.asking(state).unsqueeze(1)
        c_t, a_t = (each.squeeze(1) for each in self.attend(s, memory))
        if intervene is not None:
            a_t = intervened(intervene, a_t, memory.visible)
            c_t = torch.einsum("bi,bih->bh", a_t, memory.h)
        if self.scored_state == "previous":
            x_t = torch.cat([y_prev, c_t], dim=-1)
            state = self.g_U.cell(self.dropout(x_t), state)
        read = torch.cat([self.asking(state), y_prev, c_t], dim=-1)
        return self.output(self.dropout(read)), state, a_t

    def forward(
        self,
        source: Tensor,
        source_visible: Bool[Tensor, "B N_X"] | None,
        target_in: Int[Tensor, "B N_Y"],
    ) -> Float[Tensor, "B N_Y N_words"]:
        """Predict every word from the right words before it (teacher forcing).

        `target_in` is [START] and the words; row t is for the word after its word t.
        """
        memory = self.encode(source, source_visible)
        check_ids("target_in", target_in, "B N_Y", self.N_words, B=len(source))
        Y_prev = self.target_embedding(target_in)  # (B, N_Y, D_E)
        if self.scored_state == "current":
            s, _ = self.g_U(self.dropout(Y_prev), h_0=memory.s_0)
            C, _ = self.attend(s, memory)
        else:
            s, C = self._attending_first(Y_prev, memory)
        return self.output(self.dropout(torch.cat([s, Y_prev, C], dim=-1)))

    def _attending_first(
        self, Y_prev: Tensor, memory: InputSet
    ) -> tuple[Tensor, Tensor]:
        state, s, C = memory.s_0, [], []
        for y_prev in Y_prev.unbind(1):
            c_t, _ = self.attend(self.asking(state).unsqueeze(1), memory)
            x_t = torch.cat([y_prev, c_t.squeeze(1)], dim=-1)
            state = self.g_U.cell(self.dropout(x_t), state)
            s.append(self.asking(state))
            C.append(c_t)
        return torch.stack(s, 1), torch.cat(C, 1)  # (B, N_Y, D_S), (B, N_Y, D_H)

    def _check_step(self, token: Tensor, memory: InputSet, state: Tensor) -> None:
        check_ids("token", token, "B", self.N_words)
        check_shapes(
            token=(token, "B"),
            s_0=(memory.s_0, "B D_S"),
            state=(state, "B D_S"),
            h=(memory.h, "B N_X D_H"),
        )


@dataclass(frozen=True)
class TranslatorConfig:
    """Sizes and choices of a translator with attention.

    D_hidden is the width of h_i (of both directions together) and of s_t. Dropout is of
    what every GRU and the output read, never from step to step.
    """

    N_source_words: int
    N_target_words: int
    D_embedding: int = 64
    D_hidden: int = 128  # as FixedContext has, so that the two can be compared
    score: Literal["dot", "bilinear", "mlp"] = "dot"
    scored_state: Literal["previous", "current"] = "current"
    bidirectional: bool = True
    N_layers: int = 1
    dropout: float = 0.0  # the book's sentences are many; a small corpus needs .3

    def __post_init__(self):
        counts = ("N_source_words", "N_target_words", "D_embedding", "D_hidden")
        for name in (*counts, "N_layers"):
            check_count(name, getattr(self, name))
        check_choice("score", self.score, SCORES)
        check_choice("scored_state", self.scored_state, SCORED_STATES)
        check_type("bidirectional", self.bidirectional, bool)
        check_share("dropout", self.dropout)


class Translator(AttentionDecoder):
    """Words in, words out: what is looked at is one vector for each source word."""

    def __init__(self, config: TranslatorConfig):
        D_E, D_H = config.D_embedding, config.D_hidden
        deep = config.N_layers, config.dropout
        choices = config.score, config.scored_state, *deep
        super().__init__(config.N_target_words, D_E, D_H, D_H, *choices)
        self.config = config
        self.source_embedding = nn.Embedding(
            config.N_source_words, D_E, padding_idx=PAD
        )
        layer = BidirectionalGRU if config.bidirectional else GRU
        self.f_W = stacked(layer, D_E, D_H, *deep)

    def encode(
        self, source: Int[Tensor, "B N_X"], source_visible: Bool[Tensor, "B N_X"]
    ) -> InputSet:
        """Read the source and keep every state.

        s_0 is made of the last state, as h is of the last layer.
        """
        check_ids("source", source, "B N_X", self.config.N_source_words)
        X = self.dropout(self.source_embedding(source))
        h, h_T = self.f_W(X, source_visible)
        return self.make_memory(h, source_visible, h_T[:, -h.shape[-1] :])
