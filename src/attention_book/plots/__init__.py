"""Figures of the book: arrays in, Axes or a table out, one style.

A figure's Axes are returned. What stands beside others on a page, `bands`, an
`attention_map` or a `parse_tree`, is drawn into the Axes `ax` if they are given.
"""

from attention_book.plots.attention_layer import attention_layer
from attention_book.plots.attention_step import attention_step
from attention_book.plots.block import block_drawing
from attention_book.plots.captions import Figure, figures
from attention_book.plots.curves import bands
from attention_book.plots.directions import directions_drawing
from attention_book.plots.grid_attention import grid_attention
from attention_book.plots.heads import heads
from attention_book.plots.heat_maps import attention_map
from attention_book.plots.masks import masks
from attention_book.plots.norms import norm_axes, norm_places, residual_stream
from attention_book.plots.picture_to_words import picture_to_words
from attention_book.plots.position_kinds import position_kinds
from attention_book.plots.pretraining import pretrain_and_tune
from attention_book.plots.recurrent import (
    encoder_decoder,
    gru_gates,
    sequence_shapes,
)
from attention_book.plots.scale import shared_out, twelve_squares
from attention_book.plots.sequence_ways import sequence_ways
from attention_book.plots.shuffled import shuffled
from attention_book.plots.style import INK, PALETTE, use_style
from attention_book.plots.tables import Table, mean_and_range, seed_range, table
from attention_book.plots.transformer import transformer_drawing
from attention_book.plots.tree import parse_tree
from attention_book.plots.two_looks import two_looks
from attention_book.plots.two_streams import (
    co_attention_layer,
    co_attention_maps,
    region_vector,
    scored_paths,
    two_stream_tasks,
)
from attention_book.plots.visible import visible_squares

__all__ = [
    "INK",
    "PALETTE",
    "Figure",
    "Table",
    "attention_layer",
    "attention_map",
    "attention_step",
    "bands",
    "block_drawing",
    "co_attention_layer",
    "co_attention_maps",
    "directions_drawing",
    "encoder_decoder",
    "figures",
    "grid_attention",
    "gru_gates",
    "heads",
    "masks",
    "mean_and_range",
    "norm_axes",
    "norm_places",
    "parse_tree",
    "picture_to_words",
    "position_kinds",
    "pretrain_and_tune",
    "region_vector",
    "residual_stream",
    "scored_paths",
    "seed_range",
    "sequence_shapes",
    "sequence_ways",
    "shared_out",
    "shuffled",
    "table",
    "transformer_drawing",
    "twelve_squares",
    "two_looks",
    "two_stream_tasks",
    "use_style",
    "visible_squares",
]
