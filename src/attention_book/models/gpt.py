"""GPT: a stack of blocks that look only to the left, and say which word comes next
[radford2018improving]; arranged as GPT-2 is [radford2019language].

    X = encoder(E[x] + P)      each word sees itself and those before
    logits_t = X_t E^T         of the word after word t; or X_t W^T, if untied

There is no source, and no encoder for one: what is to be translated, answered or gone
on with stands in the same text, before what the model writes.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book.layers import causal_mask
from attention_book.layers.heads import KVCache
from attention_book.models.interventions import Intervention, for_each_head
from attention_book.models.stack import StackConfig, WordStack
from attention_book.shapes import check_ids, check_same, unchecked


@dataclass(frozen=True)
class GPTConfig(StackConfig):
    """Sizes of a GPT.

    Unless it is `tied`, as GPT-2 is, words are read off by vectors of their own.
    """

    tied: bool = True


@dataclass(frozen=True)
class Prompt:
    """A text that was read: its last word, the logits of the word after it, and what is
    kept of all.
    """

    last: Int[Tensor, "B"]
    logits: Float[Tensor, "B N_words"]
    past: Sequence[KVCache]

    @property
    def before_last(self) -> list[KVCache]:
        """What is kept of all words but the last, which can then be read again."""
        return [(K[..., :-1, :], V[..., :-1, :]) for K, V in self.past]


class GPT(WordStack):
    """Words in, and after each of them a guess at the next.

    To be decoded, it is given a prompt in the place of a source, and goes on from it.
    The [START] that a decoder passes to the first step is not read: a model that was
    trained with it has it at the head of its prompt, and writes from nothing with that
    alone.
    """

    def __init__(self, config: GPTConfig):
        super().__init__(config, "pre", "gelu-tanh")
        self.config = config
        if not config.tied:
            self.read_off = nn.Linear(config.D, config.N_words, bias=False)

    def forward(self, ids: Int[Tensor, "B N"]) -> Float[Tensor, "B N N_words"]:
        """Predict, after each word, the next.

        Padding at the end needs no mask: no word looks at a later one.
        """
        X, _ = self.encoder(self._given(ids), causal_mask(ids.shape[1], ids.device))
        return self.logits(X)

    def attention(
        self, ids: Int[Tensor, "B N"]
    ) -> Float[Tensor, "B N_blocks N_heads N N"]:
        """Tell where every head of every block looks."""
        causal = causal_mask(ids.shape[1], ids.device)
        return self.encoder.attention(self._given(ids), causal)

    def encode(
        self,
        prompt: Int[Tensor, "B N_X"],
        prompt_visible: Bool[Tensor, "B N_X"] | None = None,
    ) -> Prompt:
        """Read the text to go on from; those of a batch have one length."""
        if prompt_visible is not None and not prompt_visible.all():
            raise ValueError(
                "prompt_visible is False somewhere, expected prompts of one length, "
                "without padding"
            )
        X = self._given(prompt)
        X, _, past = self.encoder.step(X, self.encoder.no_past(X))
        return Prompt(prompt[:, -1], self.logits(X[:, -1]), past)

    def initial_state(self, memory: Prompt) -> None:
        """The state to pass to the first `step`: nothing has been written."""

    def step(
        self,
        token: Int[Tensor, "B"],
        memory: Prompt,
        state: list[KVCache] | None,
        intervene: Intervention | None = None,
    ) -> tuple[Float[Tensor, "B N_words"], Sequence[KVCache], None]:
        """Write one word.

        The first step has read the prompt, and no token; each further one reads y_{t-1}
        and looks at keys and values of all before it, which are the state.
        `intervene(a_t, visible)` gives the weights (B, N_X) to use instead of those of
        a head, by which the word that is read looks at itself and all before it;
        `visible` is None. The first step then reads the last word of the prompt again.
        """
        if state is None:
            if intervene is None:
                return memory.logits, memory.past, None
            token, state = memory.last, memory.before_last
        return *self.read_on(token, state, intervene), None

    def read_on(
        self,
        token: Int[Tensor, "B"],
        past: Sequence[KVCache],
        intervene: Intervention | None = None,
    ) -> tuple[Float[Tensor, "B N_words"], list[KVCache]]:
        """Read one word more: the logits of the next, and what is kept of all."""
        check_same("one for each", blocks=len(self.encoder.blocks), past=len(past))
        keys, _ = past[0]
        check_same("one for each", texts=len(token), state=len(keys))
        X = self._given(token[:, None], first=keys.shape[-2], name="token")
        with unchecked() if intervene is None else nullcontext():
            X, _, past = self.encoder.step(X, past, for_each_head(intervene))
        return self.logits(X[:, 0]), past

    def logits(self, X: Float[Tensor, "*axes D"]) -> Float[Tensor, "*axes N_words"]:
        """Read words off the vectors."""
        read_off = self.embedding if self.config.tied else self.read_off
        return X @ read_off.weight.T

    def _given(self, ids: Tensor, first: int = 0, name: str = "ids") -> Tensor:
        check_ids(name, ids, "B N", self.config.N_words)
        return self.dropout(self.positions(self.embedding(ids), first))
