"""Sequence to sequence through a fixed context: everything the decoder knows of the
source is one vector, however long the source.

    encoder   h_t = f_W(x_t, h_{t-1})              c = h_T        s_0 = tanh(W h_T + b)
    decoder   s_t = g_U(y_{t-1}, s_{t-1}, c)       y_t from (s_t, y_{t-1}, c)

Sutskever et al. (2014) hand h_T over once; Cho et al. (2014) give c to the decoder at
every step. The face is that of every model that decodes, see `decoding.Decodable`;
`forward` does all steps at once when the right words are known (teacher forcing).
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book.layers import GRU
from attention_book.shapes import PAD, check_count, check_ids, check_type


@dataclass(frozen=True)
class Seq2SeqConfig:
    """Sizes of a sequence-to-sequence model."""

    N_source_words: int
    N_target_words: int
    D_embedding: int = 64  # a few hundred words need no more
    D_hidden: int = 128  # small on purpose: it trains on one CPU core while you read
    context_at_every_step: bool = True  # False: c is empty, s_0 alone carries all

    def __post_init__(self):
        for name in ("N_source_words", "N_target_words", "D_embedding", "D_hidden"):
            check_count(name, getattr(self, name))
        check_type("context_at_every_step", self.context_at_every_step, bool)


@dataclass(frozen=True)
class Memory:
    """What the encoder leaves for the decoder: here, the context and the first state.

    D_C is D_H, or 0 for a decoder that gets no context.
    """

    c: Float[Tensor, "B D_C"]
    s_0: Float[Tensor, "B D_H"]


class FixedContext(nn.Module):
    """Encoder and decoder joined by one vector."""

    def __init__(self, config: Seq2SeqConfig):
        super().__init__()
        D_E, D_H = config.D_embedding, config.D_hidden
        D_C = D_H if config.context_at_every_step else 0
        self.config, self.D_C = config, D_C
        N_source, N_target = config.N_source_words, config.N_target_words
        self.source_embedding = nn.Embedding(N_source, D_E, padding_idx=PAD)
        self.target_embedding = nn.Embedding(N_target, D_E, padding_idx=PAD)
        self.f_W = GRU(D_E, D_H)
        self.first_state = nn.Linear(D_H, D_H)
        self.g_U = GRU(D_E + D_C, D_H)
        self.output = nn.Sequential(
            nn.Linear(D_H + D_E + D_C, D_H), nn.Tanh(), nn.Linear(D_H, N_target)
        )

    def encode(
        self, source: Int[Tensor, "B N_X"], source_visible: Bool[Tensor, "B N_X"]
    ) -> Memory:
        """Read the source and squeeze it into c."""
        check_ids("source", source, "B N_X", self.config.N_source_words)
        _, h_T = self.f_W(self.source_embedding(source), source_visible)
        return Memory(c=h_T[:, : self.D_C], s_0=torch.tanh(self.first_state(h_T)))

    def initial_state(self, memory: Memory) -> Float[Tensor, "B D_H"]:
        """The state to pass to the first `step`: s_0."""
        return memory.s_0

    def step(
        self, token: Int[Tensor, "B"], memory: Memory, state: Float[Tensor, "B D_H"]
    ) -> tuple[Float[Tensor, "B N_words"], Float[Tensor, "B D_H"], None]:
        """Write one word.

        `token` is y_{t-1}, at first [START], and `state` s_{t-1}; the logits are of
        y_t. No attention: this model looks at nothing but c.
        """
        check_ids("token", token, "B", self.config.N_target_words)
        y_prev = self.target_embedding(token)
        s_t = self.g_U.cell(torch.cat([y_prev, memory.c], dim=-1), state)
        return self.output(torch.cat([s_t, y_prev, memory.c], dim=-1)), s_t, None

    def forward(
        self,
        source: Int[Tensor, "B N_X"],
        source_visible: Bool[Tensor, "B N_X"],
        target_in: Int[Tensor, "B N_Y"],
    ) -> Float[Tensor, "B N_Y N_words"]:
        """Predict every word from the right words before it (teacher forcing).

        `target_in` is [START] and the words; row t is for the word after its word t.
        """
        memory = self.encode(source, source_visible)
        N_words, B = self.config.N_target_words, len(source)
        check_ids("target_in", target_in, "B N_Y", N_words, B=B)
        Y_prev = self.target_embedding(target_in)  # (B, N_Y, D_E)
        C = memory.c.unsqueeze(1).expand(-1, target_in.shape[1], -1)  # (B, N_Y, D_C)
        s, _ = self.g_U(torch.cat([Y_prev, C], dim=-1), h_0=memory.s_0)
        return self.output(torch.cat([s, Y_prev, C], dim=-1))
