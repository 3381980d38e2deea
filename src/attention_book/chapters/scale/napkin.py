"""What a Transformer costs, from its sizes alone.

    weights      12 L D^2                       operations to train      6 W T

L blocks are D wide, W weights read T tokens. So much fits on a napkin; what it leaves
out is counted here as well. An operation is a multiplication or an addition.
"""

from dataclasses import dataclass

from attention_book.shapes import check_choice, check_count, check_counts, check_number

SECONDS_AN_HOUR = 3600

# Bytes for each weight in training with Adam [rajbhandari2020zero].
BYTES = {
    "float32": {"weight": 4, "gradient": 4, "Adam's averages": 8},
    "mixed": {"weight": 2, "gradient": 2, "precise copy": 4, "Adam's averages": 8},
}


@dataclass(frozen=True)
class Sizes:
    """How large a Transformer is. Its MLPs are 4 D wide inside.

    `N_cross` of its `N_blocks` look at an encoder, too. One table of `N_words` vectors
    serves to read words and to read them off. Positions that are not learned count as
    none. `others` are the weights of what is neither block nor table, such as a norm
    behind the last block.
    """

    D: int
    N_blocks: int
    N_words: int
    N_positions: int = 0
    N_cross: int = 0
    others: int = 0

    def __post_init__(self) -> None:
        check_counts(D=self.D, N_blocks=self.N_blocks)
        check_count("N_words", self.N_words, least=0)
        check_count("N_positions", self.N_positions, least=0)
        check_count("N_cross", self.N_cross, least=0, most=self.N_blocks)
        check_count("others", self.others, least=0)


def weights(sizes: Sizes) -> int:
    """Count all that is learned."""
    blocks = sizes.N_blocks * block(sizes.D) + sizes.N_cross * cross(sizes.D)
    return blocks + (sizes.N_words + sizes.N_positions) * sizes.D + sizes.others


def block(D: int) -> int:
    """Count the weights of a block, 12 D^2 + 13 D: attention, MLP and two norms."""
    return 4 * (D * D + D) + (8 * D * D + 5 * D) + 2 * (2 * D)


def cross(D: int) -> int:
    """Count what a block of a decoder has more, 4 D^2 + 6 D: attention and a norm."""
    return 4 * (D * D + D) + 2 * D


def napkin_weights(sizes: Sizes) -> int:
    """Count the matrices of blocks, without cross-attention, and the table of words."""
    return 12 * sizes.N_blocks * sizes.D**2 + sizes.N_words * sizes.D


def forward(sizes: Sizes, N: int) -> int:
    """Count the operations to read a text of N tokens, or, with an encoder, to read one
    and write another.

    Only products of matrices count; a norm or a softmax is little beside them. Where a
    causal mask hides half of the pairs, those are computed all the same.
    """
    check_count("N", N)
    D, attentions = sizes.D, sizes.N_blocks + sizes.N_cross
    matrices = 2 * (12 * sizes.N_blocks + 4 * sizes.N_cross) * D**2
    pairs = 4 * N * D * attentions  # Q K^T and A V
    reading_off = 2 * D * sizes.N_words
    return N * (matrices + pairs + reading_off)


def training(sizes: Sizes, N: int, tokens: float) -> float:
    """Count the operations to train on so many tokens, in texts of N.

    The backward pass takes two products for each of the forward pass: one for what came
    in, one for the weights.
    """
    check_number("tokens", tokens, above=0)
    return 3 * forward(sizes, N) * (tokens / N)


def napkin_training(weights: float, tokens: float) -> float:
    """Count 2 operations forward and 4 back for each weight and token."""
    check_number("weights", weights, above=0)
    check_number("tokens", tokens, above=0)
    return 6 * weights * tokens


def left_out(D: int, N: int) -> float:
    """Give what the pairs of N tokens add to a block's work, as a share of the rest."""
    check_counts(D=D, N=N)
    return N / (6 * D)


def training_bytes(weights: float, kind: str = "float32") -> float:
    """Count the bytes of weights, gradients and what Adam keeps; not of activations.

    In "float32" and in "mixed" precision they are as many.
    """
    check_number("weights", weights, above=0)
    check_choice("kind", kind, BYTES)
    return weights * sum(BYTES[kind].values())


def activations(sizes: Sizes, N_heads: int, N: int, B: int = 1) -> int:
    """Count the numbers that a GPT keeps for the backward pass of B texts of N tokens.

    It is that of `models.GPT`: its attention keeps no weights A, only the logarithm
    of each sum of a softmax. A block also keeps the mask in numbers, and W_Q, W_K, W_V
    side by side.
    """
    check_counts(N_heads=N_heads, N=N, B=B)
    D, L = sizes.D, sizes.N_blocks
    norms = 2 * (2 * D + 2)  # what comes in and goes out; a mean and a deviation
    attention = 3 * D + N_heads + D  # Q, K, V; the sums; what the heads found
    mlp = 2 * (4 * D)  # before and after the GELU
    end = 2 * D + 2 + sizes.N_words  # the last norm, and log P
    once = N * N + 3 * D * D
    return B * N * (L * (norms + attention + mlp) + end) + L * once


def cache(sizes: Sizes) -> int:
    """Count the numbers that are kept of each token, its keys and values, to write on.

    With an encoder they are kept of each token that is written, and of each that was
    read.
    """
    return 2 * (sizes.N_cross or sizes.N_blocks) * sizes.D


def hours(operations: float, peak: float, share: float = 1.0) -> float:
    """Give the hours of one device that sustains a share of its peak.

    `peak` is in operations a second.
    """
    for name, each in {"operations": operations, "peak": peak, "share": share}.items():
        check_number(name, each, above=0)
    if share > 1:
        raise ValueError(f"share is {share}, expected a share of the peak, 1 at most")
    return operations / (peak * share) / SECONDS_AN_HOUR


def dollars(hours: float, price: float, devices: int = 1) -> float:
    """Give the price of devices, or machines, that are rented by the hour."""
    for name, each in {"hours": hours, "price": price}.items():
        check_number(name, each, above=0)
    check_count("devices", devices)
    return hours * devices * price
