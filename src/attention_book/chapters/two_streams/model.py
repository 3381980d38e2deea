"""ViLBERT, small: a caption and the regions of a picture, each in a stream of its own
[lu2019vilbert].

    words   = words   + look_words(norm(words), norm(regions))      co-attention: own
    regions = regions + look_regions(norm(regions), norm(words))    queries, the other's
                                                                    keys and values
    words   = block_words(words)                                    an ordinary block
    regions = block_regions(regions)

What enters: a vector for each word, and one for each region: what a detector's last
layer sees there, and five numbers of its box. [CLS] comes before the words, and [IMG]
before the regions. ViLBERT has an MLP after its co-attention, too; here is none.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_book import layers
from attention_book.chapters.two_streams.scenes import N_DIGITS, N_TOKENS, WORDS
from attention_book.data.digits import DIGIT_SIDE
from attention_book.data.scenes import SCENE_SIDE
from attention_book.shapes import (
    check_counts,
    check_ids,
    check_shape,
    check_shapes,
    check_type,
)

N_CHANNELS, N_FEATURES, N_BOX = 16, 64, 5
LONGEST = N_TOKENS + 1  # a question is a caption and "?"


@dataclass(frozen=True)
class DetectorConfig:
    """Sizes of a detector."""

    N_channels: int = N_CHANNELS
    N_features: int = N_FEATURES

    def __post_init__(self) -> None:
        check_counts(**vars(self))


class Detector(nn.Module):
    """Names the digit in a box: two convolutions, their mean over the box, a layer.

    It stands for the Faster R-CNN that gave ViLBERT its regions; the boxes are known
    here. The features that it hands over have mean 0 and spread 1.
    """

    def __init__(self, config: DetectorConfig):
        super().__init__()
        self.config, N = config, config.N_features
        self.see = nn.Sequential(
            nn.Conv2d(1, config.N_channels, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(config.N_channels, N, 3, padding=1),
            nn.ReLU(),
        )
        self.standardise = nn.BatchNorm1d(N, affine=False)
        self.classes = nn.Linear(N, N_DIGITS)

    def features(
        self, images: Float[Tensor, "*axes 8 8"]
    ) -> Float[Tensor, "*axes N_features"]:
        """Give what is handed over of each region."""
        check_shape("images", images, f"*axes {DIGIT_SIDE} {DIGIT_SIDE}")
        flat = images.reshape(-1, 1, DIGIT_SIDE, DIGIT_SIDE)
        pooled = self.see(flat).mean(dim=(-2, -1))
        return self.standardise(pooled).reshape(*images.shape[:-2], -1)

    def forward(self, images: Float[Tensor, "*axes 8 8"]) -> Float[Tensor, "*axes 10"]:
        """Give the logits of the ten digits."""
        return self.classes(self.features(images))


class CoAttention(nn.Module):
    """Each stream asks the other: own queries, the other's keys and values."""

    def __init__(self, D: int, N_heads: int, fast: bool = False):
        super().__init__()
        Heads = layers.FastMultiHeadAttention if fast else layers.MultiHeadAttention
        Norm = layers.FastLayerNorm if fast else layers.LayerNorm
        self.words, self.regions = Heads(D, N_heads), Heads(D, N_heads)
        self.norm_words, self.norm_regions = Norm(D), Norm(D)

    def forward(
        self, words: Float[Tensor, "*axes N_T D"], regions: Float[Tensor, "*axes N_R D"]
    ) -> tuple[
        Float[Tensor, "*axes N_T D"],
        Float[Tensor, "*axes N_R D"],
        Float[Tensor, "*axes N_heads N_T N_R"] | None,
        Float[Tensor, "*axes N_heads N_R N_T"] | None,
    ]:
        """Let both streams look at once, and add what each has found.

        If it is fast, None stands for the maps.
        """
        T, R = self.norm_words(words), self.norm_regions(regions)
        found_T, A_words = self.words(T, context=R)
        found_R, A_regions = self.regions(R, context=T)
        return words + found_T, regions + found_R, A_words, A_regions


class Alone(CoAttention):
    """Each stream asks itself: the same layers and sizes, to be compared."""

    def forward(
        self, words: Float[Tensor, "*axes N_T D"], regions: Float[Tensor, "*axes N_R D"]
    ) -> tuple[Tensor, Tensor, Tensor | None, Tensor | None]:
        """Return what `CoAttention` does; a stream's map is over itself."""
        T, R = self.norm_words(words), self.norm_regions(regions)
        found_T, A_words = self.words(T, context=T)
        found_R, A_regions = self.regions(R, context=R)
        return words + found_T, regions + found_R, A_words, A_regions


class TwoStreamBlock(nn.Module):
    """Co-attention, then a block in each stream."""

    def __init__(
        self,
        D: int,
        N_heads: int,
        D_hidden: int,
        meet: bool = True,
        fast: bool = False,
    ):
        super().__init__()
        self.co = (CoAttention if meet else Alone)(D, N_heads, fast)
        self.words, self.regions = (
            layers.Block(D, N_heads, D_hidden, fast=fast) for _ in range(2)
        )

    def forward(
        self, words: Float[Tensor, "B N_T D"], regions: Float[Tensor, "B N_R D"]
    ) -> tuple[Float[Tensor, "B N_T D"], Float[Tensor, "B N_R D"]]:
        """Return new words and new regions."""
        words, regions, *_ = self.co(words, regions)
        return self.words(words)[0], self.regions(regions)[0]


@dataclass(frozen=True)
class TwoStreamsConfig:
    """Sizes of a network of two streams; do they `meet`?"""

    D: int = 48  # ViLBERT has 768 for words and 1024 for regions
    N_heads: int = 4
    D_hidden: int = 96
    N_blocks: int = 2
    meet: bool = True

    def __post_init__(self) -> None:
        check_counts(**{n: x for n, x in vars(self).items() if n != "meet"})
        check_type("meet", self.meet, bool)


class TwoStreams(nn.Module):
    """A caption and a picture in, a vector for each word and region out.

    On these stand what it learns by: `words` that were hidden, the `classes` of regions
    that were hidden, and whether the two belong together, `fits`. Its `detector` does
    not learn.
    """

    def __init__(self, config: TwoStreamsConfig, detector: Detector | None = None):
        super().__init__()
        self.config, D = config, config.D
        self.detector = (detector or Detector(DetectorConfig())).eval()
        self.detector.requires_grad_(False)
        self.embedding = nn.Embedding(len(WORDS), D)
        self.positions = layers.LearnedPositions(LONGEST, D)
        self.feature = nn.Linear(self.detector.config.N_features, D)
        self.box = nn.Linear(N_BOX, D)
        self.img, self.blank = (  # [IMG], and what stands for a hidden region
            nn.Parameter(0.1 * torch.randn(D)) for _ in range(2)
        )
        sizes = D, config.N_heads, config.D_hidden, config.meet
        self.blocks: Any = nn.ModuleList(
            TwoStreamBlock(*sizes, fast=True) for _ in range(config.N_blocks)
        )
        self.norm_words, self.norm_regions = (layers.FastLayerNorm(D) for _ in range(2))
        self.words, self.classes = nn.Linear(D, len(WORDS)), nn.Linear(D, N_DIGITS)
        self.fit = nn.Sequential(nn.Linear(D, D), nn.ReLU(), nn.Linear(D, 1))

    def train(self, mode: bool = True) -> "TwoStreams":
        """Learn, or not; the detector never does."""
        super().train(mode)
        self.detector.eval()
        return self

    def forward(
        self,
        features: Float[Tensor, "B 3 N_features"],
        places: Int[Tensor, "B 3 2"],
        ids: Int[Tensor, "B N_T"],
        hidden: Bool[Tensor, "B 3"] | None = None,
    ) -> tuple[Float[Tensor, "B N_T D"], Float[Tensor, "B 4 D"]]:
        """Return a vector for each word, [CLS] first, and for each region, [IMG] first.

        `features` are the detector's. Of a `hidden` region only the box is shown.
        """
        check_ids("ids", ids, "B N_T", len(WORDS))
        check_shapes(
            ids=(ids, "B N_T"),
            features=(features, "B 3 N_features"),
            places=(places, "B 3 2"),
        )
        words = self.positions(self.embedding(ids))
        regions = self.feature(features)
        if hidden is not None:
            regions = torch.where(hidden[..., None], self.blank, regions)
        regions = regions + self.box(box_numbers(places))
        img = self.img.expand(regions.shape[0], 1, -1)
        regions = torch.cat([img, regions], dim=1)
        for block in self.blocks:
            words, regions = block(words, regions)
        return self.norm_words(words), self.norm_regions(regions)

    def together(
        self, words: Float[Tensor, "B N_T D"], regions: Float[Tensor, "B 4 D"]
    ) -> Float[Tensor, "B D"]:
        """Join [CLS] and [IMG], number by number."""
        return words[:, 0] * regions[:, 0]

    def fits(
        self, words: Float[Tensor, "B N_T D"], regions: Float[Tensor, "B 4 D"]
    ) -> Float[Tensor, " B"]:
        """Say whether caption and picture belong together: a logit."""
        return self.fit(self.together(words, regions))[:, 0]


def box_numbers(places: Int[Tensor, "*axes 2"]) -> Float[Tensor, "*axes 5"]:
    """Describe boxes as ViLBERT does: left, top, right, bottom, and which share of the
    picture they are; here from -1 to 1.
    """
    near = places.flip(-1) / SCENE_SIDE  # left, top
    far = near + DIGIT_SIDE / SCENE_SIDE
    width, height = (far - near).chunk(2, dim=-1)
    return 2 * torch.cat([near, far, width * height], dim=-1) - 1
