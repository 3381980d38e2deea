"""What a reader needs of every drawing, and what each of them must not get wrong.

Their alternative texts stand in the chapters; tests/notebooks holds those.
"""

import re
from collections import namedtuple
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Arc, ArrowStyle, Circle, FancyBboxPatch

from attention_book import plots
from attention_book.data.digits import DIGIT_SIDE
from attention_book.data.scenes import SCENE_SIDE
from attention_book.plots import (
    block,
    directions,
    norms,
    recurrent,
    scale,
    transformer,
    two_streams,
)
from attention_book.plots.diagrams import ASKED, ASKS, EVEN, GOLD, OUT, TAKEN
from attention_book.plots.picture_to_words import drawn as columns_drawn
from attention_book.plots.sequence_ways import ACROSS, DOWN, REACH, STEP, N
from attention_book.plots.style import INK

PHONE = 358  # pixels that a page of 390 leaves for a picture
PAGES = ("#ffffff", "#121212")  # light, dark
MEANS = {ASKS: "Q q W_Q s", ASKED: "K k W_K A a h", TAKEN: "V W_V n", OUT: "Y y c"}
MEANS = {part: colour for colour, parts in MEANS.items() for part in parts.split()}

WORDS, ORDER = ["anna", "sees", "ben"], [2, 0, 1]
CAUSAL = np.tri(3, dtype=bool)
WIDE = np.array([[True, False, True, True], [False, True, True, True]])
A = np.array([[0.6, 0.3, 0.08, 0.02], [0.1, 0.2, 0.3, 0.4]])
SQUARE = np.array([[0.2, 0.3, 0.5], [0.6, 0.31, 0.09], [0.15, 0.62, 0.23]])
ONE = np.array([[[1, 0, 0], [0.3, 0.7, 0], [0.1, 0.6, 0.3]]])
GRID = np.array([[0.05, 0.5, 0.15], [0.1, 0.08, 0.12]])
IMAGE, LOOK = np.random.default_rng(0).random((32, 32)), np.full((8, 8), 0.5 / 63)
LOOK[4, 2] = 0.5  # cell 34 of 64, from 0
SHARES = [0.5, 0.3, 0.15, 0.05]
X, Y = np.arange(6.0).reshape(3, 2), np.arange(12.0).reshape(3, 4)

Tree = namedtuple("Tree", "label parts")
PP, I = Tree("PP", ("in", Tree("NP", ("my", "pajamas")))), Tree("NP", ("i",))  # noqa: E741
NOUNS = Tree("S", (I, Tree("VP", ("shot", Tree("NP", ("an", "elephant", PP))))))
VERBS = Tree("S", (I, Tree("VP", ("shot", Tree("NP", ("an", "elephant")), PP))))
SENTENCE = ["i", "shot", "an", "elephant", "in", "my", "pajamas"]

ONE_STEP = {"source": ["we", "are", "eating", "bread"], "weights": SHARES}
ONE_STEP |= {"read": "[START]", "written": "estamos"}
HEADS = {"A": ONE, "visible": CAUSAL, "inputs": WORDS}
TWO_HEADS = HEADS | {"A": np.repeat(ONE, 2, axis=0)}
PICTURE = {"image": IMAGE, "weights": LOOK, "read": "a", "written": "three"}
SHUFFLED = {"words": WORDS, "X": X, "A": SQUARE, "Y": Y, "order": ORDER}
TUNED = {"pretrained": ["[CLS]", "ate", "[MASK]"], "word": "rice"}
TUNED |= {"labelled": ["[CLS]", "saw", "rice"], "label": "food"}
DIGITS = np.random.default_rng(1).random((3, 8, 8))
AT = np.array([[2, 4], [20, 7], [11, 22]])  # top and left
CAPTION = ["[CLS]", "a", "three", "above", "a", "seven"]
FROM_WORDS = np.random.default_rng(2).dirichlet(np.ones(4), 6)
FROM_REGIONS = np.random.default_rng(3).dirichlet(np.ones(6), 4)
MAPS = {"A_words": FROM_WORDS, "A_regions": FROM_REGIONS, "words": CAPTION}
MAPS |= {"images": DIGITS, "gold": [(2, 1), (5, 2)]}
CLASSES = np.linspace(0.01, 0.19, 10)
# fmt: off
DRAWINGS = {  # function, arguments, and its labels
    "layer": (plots.attention_layer, {"A": A}, "Q E A Y X K V W_K W_V softmax"),
    "own queries": (plots.attention_layer, {"A": SQUARE, "self_attention": True},
        "Q E A Y X K V W_K W_V W_Q softmax"),
    "step": (plots.attention_step, ONE_STEP,
        "h_1 h_T e_t a_t c_t s we are eating bread [START] estamos"),
    "block": (plots.block_drawing, {}, "X Z Y attention MLP norm residual"),
    "pre-norm block": (plots.block_drawing, {"norm": "pre"},
        "X Z Y attention MLP norm residual"),
    "directions": (plots.directions_drawing, {},
        "EN FR ES trained zero-shot pivot~through~EN"),
    "two looks": (plots.two_looks, {},
        "fox 7 bird 2 7~after~fox 2~after~bird after~fox? match no~match block~1 "
        "block~2"),
    "encoder, decoder": (plots.encoder_decoder,
        {"source": ["we", "are"], "target": ["estamos"]},
        "h_{1} h_{2} c s_0 s_{1} s_{2} we are [START] estamos [STOP]"),
    "one word read": (plots.encoder_decoder, {"source": ["we"], "target": [*"abc"]},
        "h_{1} c s_0 s_{1} s_{2} s_{3} s_{4} we a b c [START] [STOP]"),
    "grid": (plots.grid_attention, {"weights": GRID, "asks": (1, 2)},
        "X q_i W_Q K W_K A_i V W_V y_i W_O,~gate + the~new~cell~i"),
    "GRU": (plots.gru_gates, {}, "h_{t-1} z r n x_t 1~-~z h_t"),
    "head": (plots.heads, HEADS | {"targets": ["sees", "ben", "[END]"]},
        r"Q A Y K,\~V anna sees ben [END]"),
    "heads": (plots.heads, TWO_HEADS,
        r"Q A_1 A_2 K_1,\~V_1 K_2,\~V_2 Y_1,~Y_2 W_O Y anna sees ben"),
    "norms' numbers": (plots.norm_axes, {},
        "layer~norm batch~norm sentence~1 sentence~2"),
    "norms' places": (plots.norm_places, {}, "no~norm post-norm pre-norm norm f +"),
    "stream": (plots.residual_stream, {}, "X Y attention MLP + block~1 block~2"),
    "tree": (plots.parse_tree, {"tree": NOUNS},
        "S NP VP PP i shot an elephant in my pajamas"),
    "picture": (plots.picture_to_words, PICTURE,
        "CNN h_{1} h_{35} h_{64} a_t c_t s_{t-1} s_t a three …"),
    "positions": (plots.position_kinds, {},
        "sine,~learned beside relative rotary X P + b q_1 k_2"),
    "shapes": (plots.sequence_shapes, {},
        "one~to~one one~to~many many~to~one many~to~many~(after~reading) "
        "many~to~many~(in~step)"),
    "ways": (plots.sequence_ways, {},
        "recurrent convolution,~k~=~3 self-attention restricted,~r~=~3 X Y"),
    "shuffled": (plots.shuffled, SHUFFLED, r"X A Y SX SAS^\top SY anna sees ben"),
    "transformer": (plots.transformer_drawing, {},
        "he sleeps [START] il dort [STOP] X S Q K,~V MLP cross-attention +~position "
        "all~see~all none~sees~later"),
    "masks": (plots.visible_squares, {"masks": {"causal": CAUSAL, "wide": WIDE}},
        "causal wide"),
    "masks, one marked": (plots.visible_squares,
        {"masks": {"causal": CAUSAL, "wide": WIDE}, "marked": {"wide": (2, "[MASK]")}},
        "causal wide [MASK]"),
    "pretraining": (plots.pretrain_and_tune, TUNED,
        "pretrain fine-tune encoder weights word~head new~head [CLS] ate saw [MASK] "
        "rice food"),
    "twelve squares": (plots.twelve_squares, {},
        "W_Q W_K W_V W_O W_1 W_2 D attention MLP,~up MLP,~down"),
    "shared out": (plots.shared_out, {},
        "data sharded~optimiser tensor pipeline GPU~1 GPU~2 gradients "
        "gradients,~new~weights vectors,~in~each~block vectors,~at~the~cut"),
    "region": (plots.region_vector, {"images": DIGITS, "places": AT},
        "CNN pooled left top right bottom area + region"),
    "co-attention layer": (plots.co_attention_layer, {},
        "words regions words~look regions~look Q K,~V"),
    "co-attention": (plots.co_attention_maps, MAPS,
        "words~look regions~look [CLS] a three above seven [IMG]"),
    "two streams' tasks": (plots.two_stream_tasks,
        {"words": CAPTION, "images": DIGITS, "classes": CLASSES},
        "[CLS] a [MASK] above seven [IMG] words regions three × does~it~fit? "
        "detector’s~classes"),
    "paths": (plots.scored_paths, {},
        "down~the~stairs,~to~the~sofa VLN-BERT score text~alone BERT web~captions "
        "ViLBERT paths"),
}
# fmt: on
every_drawing = pytest.mark.parametrize("name", DRAWINGS)


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


def drawn(name, **change):
    """A drawing's Axes, laid out."""
    plots.use_style()
    function, given, _ = DRAWINGS[name]
    ax = function(**given | change)
    ax.figure.draw_without_rendering()
    return ax


def labels(ax):
    return [text for text in ax.texts if text.get_text()]  # an arrow has none


def places(ax, said):
    return [text.get_position() for text in ax.texts if text.get_text() == said]


def contrast(one, other):
    def light(colour):
        rgb = np.array(to_rgb(colour))
        rgb = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return rgb @ [0.2126, 0.7152, 0.0722] + 0.05

    return max(light(one) / light(other), light(other) / light(one))


@every_drawing
def test_its_few_labels_are_read_on_a_phone_on_a_light_page_and_on_a_dark(name):
    ax = drawn(name)
    texts, wide = labels(ax), ax.figure.get_figwidth() * 72  # points
    said = {re.sub(r"\s", "~", text.get_text().replace("$", "")) for text in texts}
    assert said == set(DRAWINGS[name][2].split())
    assert len(said) <= 15
    assert min(text.get_fontsize() for text in texts) * PHONE / wide >= 9
    for text in texts:
        assert all(contrast(text.get_color(), page) >= 3 for page in PAGES), text


@every_drawing
def test_its_labels_stand_apart_inside_the_frame(name):
    ax = drawn(name)
    frame = ax.figure.bbox
    boxes = [text.get_window_extent() for text in labels(ax)]
    for i, box in enumerate(boxes):
        assert frame.x0 <= box.x0 <= box.x1 <= frame.x1
        assert frame.y0 <= box.y0 <= box.y1 <= frame.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


@every_drawing
def test_a_symbol_has_the_colour_of_its_part(name):
    for text in labels(drawn(name)):
        symbol = re.fullmatch(r"\$(W_.|[A-Za-z])(_[^,]*)?\$", text.get_text())
        if symbol and symbol[1] in MEANS:
            assert text.get_color() == MEANS[symbol[1]], text


def test_a_tree_is_drawn_where_it_is_told():
    _, given = plt.subplots()
    assert drawn("tree", ax=given) is given


def filled(ax, colour):
    """(from above, from the left, opacity) of filled rectangles, but of any number."""
    squares = [p for p in ax.patches if p.get_alpha() and hasattr(p, "get_x")]
    return sorted(
        (-round(p.get_y(), 3), p.get_x(), p.get_alpha())
        for p in squares
        if to_hex(p.get_fc()) == colour and p.get_alpha() != EVEN
    )


BESIDE = np.hstack([ONE[0], ONE[0]]), np.hstack([CAUSAL, CAUSAL])
HIDDEN = np.where(CAUSAL, ONE, np.nan)[0]
NUMBERS = [[0.15, 0.3, 0.55], [0.4, 0.15, 0.3], [0.75, 0.4, 0.15]]


@pytest.mark.parametrize(
    ("name", "colour", "weights"),  # rows from above; NaN is hidden
    [
        ("layer", ASKED, (A / 0.6).clip(min=0.12)),
        ("step", ASKED, np.clip([np.divide(SHARES, 0.5)], 0.2, 1)),
        ("head", ASKED, HIDDEN),
        ("heads", ASKED, np.hstack([HIDDEN, HIDDEN])),
        ("shuffled", ASKED, np.hstack([SQUARE, SQUARE[ORDER][:, ORDER]])),
        ("picture", ASKED, [[0.12] * 4 + [1.0] + [0.12] * 4]),
        ("GRU", TAKEN, [[1 - gate] for gate in recurrent.Z]),
        ("co-attention", ASKED, np.hstack([FROM_WORDS[:4], FROM_REGIONS]).clip(0.08)),
    ],
)
def test_a_weight_is_the_opacity_of_its_square(name, colour, weights):
    wanted = [weight for weight in np.ravel(weights) if weight > 0]
    found = [alpha for *_, alpha in filled(drawn(name), colour)]
    assert found[: len(wanted)] == pytest.approx(wanted)


def hatched(ax):
    return [patch for patch in ax.patches if patch.get_hatch()]


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("head", 3), ("heads", 6), ("masks", 3 + 2), ("norms' numbers", 2), ("ways", 5),
        ("two streams' tasks", 1)],
)  # fmt: skip
def test_what_is_hidden_is_hatched(name, hidden):
    assert len(hatched(drawn(name))) == hidden


def test_a_square_is_hatched_where_the_mask_is_false():
    ax = drawn("masks", masks={"causal": CAUSAL})
    found = {(round(-p.get_y() - 0.45), round(p.get_x() + 0.45)) for p in hatched(ax)}
    assert found == {(0, 1), (0, 2), (1, 2)}


def test_an_order_moves_words_and_outputs_along():
    ax = drawn("shuffled")
    cells = [alpha for *_, alpha in filled(ax, OUT)]
    left, right = np.moveaxis(np.reshape(cells, (3, 4, 2)), -1, 0)
    np.testing.assert_array_equal(right, left[ORDER])
    spots = [(x, word) for word in WORDS for x, y in places(ax, word) if y < 0]
    assert [word for _, word in sorted(spots)] == [*WORDS, "ben", "anna", "sees"]


@pytest.mark.parametrize("strongest", [0, 1, 4, 30, 62, 63])
def test_the_strongest_cell_has_a_column_wherever_it_lies(strongest):
    cells = columns_drawn(64, strongest)
    assert strongest in cells
    assert (cells[0], cells[-1], len(set(cells))) == (0, 63, 9)


def filled_or_hatched(ax):
    return [p for p in ax.patches if to_hex(p.get_edgecolor()) != GOLD]


def golden(ax):
    return [p for p in ax.patches if to_hex(p.get_edgecolor()) == GOLD]


def test_the_cell_that_is_looked_at_most_is_outlined_in_picture_grid_and_row():
    tops = [patch.get_y() + patch.get_height() for patch in golden(drawn("picture"))]
    assert tops[:2] == pytest.approx([2.3 * 4 / 8] * 2), "row 4 of 8, from above"
    assert len(tops) == 3


def test_the_cell_that_asks_is_outlined_in_the_grid_and_among_the_weights():
    outlined = [p for p in drawn("grid").patches if p.get_linewidth() == 2]
    assert [(p.get_x(), p.get_y()) for p in outlined] == [(4.25, 0), (4.25, 2.5)]


def test_the_marked_column_is_outlined_from_top_to_bottom():
    ax = drawn("masks, one marked")
    (frame,) = golden(ax)
    first = min(p.get_x() for p in filled_or_hatched(ax) if p.get_x() > 3)
    assert frame.get_x() == pytest.approx(first - 0.05 + 2)
    assert (frame.get_y(), frame.get_height()) == (-1.5, 2)
    with pytest.raises(ValueError, match="tall"):
        drawn("masks", marked={"tall": (0, "x")})


def test_the_head_that_is_new_is_over_cls_and_the_word_head_over_mask():
    ax = drawn("pretraining")
    (new,) = [p for p in golden(ax) if isinstance(p, FancyBboxPatch)]
    box, ((x, _), _) = new.get_bbox(), sorted(places(ax, "[CLS]"))[::-1]
    assert (box.x0 + box.x1) / 2 == pytest.approx(x)
    assert places(ax, "word head")[0][0] == places(ax, "[MASK]")[0][0]
    with pytest.raises(ValueError, match="labelled"):
        drawn("pretraining", labelled=["[CLS]"])


def inside(outer, inner):
    low, high = outer.get_bbox().get_points()
    return (low < inner.get_bbox().min).all() and (inner.get_bbox().max < high).all()


def test_layer_norm_averages_one_word_and_batch_norm_one_feature_padding_too():
    ax = drawn("norms' numbers")
    cells = [p for p in ax.patches if not p.get_fill() and not p.get_hatch()]
    one_word, one_feature = ([c for c in cells if inside(g, c)] for g in golden(ax))
    assert len(one_word) == norms.D
    assert len({round(c.get_x(), 6) for c in one_word}) == 1
    assert len(one_feature) == norms.N_X * len(norms.LENGTHS)
    assert len({round(c.get_y(), 6) for c in one_feature}) == 1


def test_the_norm_stands_in_the_stream_or_beside_it():
    ax = drawn("norms' places")
    (_, after, before), (*_, part) = places(ax, "+"), places(ax, "$f$")
    post, pre = places(ax, "norm")
    assert post[0] == after[0], "in the stream"
    assert post[1] > after[1], "behind the sum"
    assert pre[0] == part[0], "beside the stream"
    assert norms.FORK < pre[1] < part[1] < before[1]


def test_each_block_beside_the_stream_is_attention_and_then_an_mlp():
    ax = drawn("stream")
    heights = [[y for _, y in places(ax, part)] for part in ("attention", "MLP", "+")]
    first, second, plus = heights
    order = np.stack([first, plus[::2], second, plus[1::2]], axis=1).ravel()
    assert (np.diff(order) > 0).all()


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_norms_of_a_block_stand_behind_the_sums_or_before_the_parts(norm):
    ax = drawn("block", norm=norm)
    boxes = [p.get_bbox() for p in ax.patches if isinstance(p, FancyBboxPatch)]
    sums = [p.center for p in ax.patches if isinstance(p, Circle)]
    assert len(boxes) == len(sums) == 2 * block.N
    for box, (x, y) in zip(boxes, sums, strict=True):
        middle = (box.x0 + box.x1) / 2
        assert middle == pytest.approx(x if norm == "post" else x + block.ASIDE)
        assert box.y0 > y if norm == "post" else box.y1 < y


def lines(ax, colour):
    return [line.get_xydata() for line in ax.lines if line.get_color() == colour]


def test_in_a_block_only_attention_leads_from_one_vector_to_another():
    joined = set()
    for way in lines(drawn("block"), INK):
        i, *_, j = (int(np.floor(x / block.STEP + 0.05)) for x, _ in way)
        joined |= {(i, j, max(way[:, 1]) < block.HALF)}
    pairs = {(i, j) for i in range(block.N) for j in range(block.N) if i != j}
    assert {each for each in joined if each[0] != each[1]} == {
        (*p, True) for p in pairs
    }


def looks(ax, first):
    """From input i to word t, for the side that begins at `first`."""
    for (x, low), (to, _) in lines(ax, INK):
        i, t = (round((at - first) / transformer.STEP, 6) for at in (x, to))
        if low == transformer.SELF and 0 <= i < transformer.N:
            yield i, t


def test_encoders_look_at_all_words_and_decoders_at_none_that_is_later():
    ax, n = drawn("transformer"), range(transformer.N)
    assert {*looks(ax, 0)} == {(i, t) for i in n for t in n}
    assert {*looks(ax, transformer.ASIDE)} == {(i, t) for t in n for i in n if i <= t}


def arrows(ax):
    return [each for each in ax.texts if getattr(each, "arrow_patch", None)]


@pytest.mark.parametrize("place", range(4))
def test_an_output_is_made_from_what_its_layer_reaches(place):
    way, reach = [*REACH.items()][place]
    left, low = ACROSS * (place % 2), -DOWN * (place // 2)
    found = set()
    for each in arrows(drawn("ways")):
        (x, y), (to_x, to_y) = each.xyann, each.xy
        if -0.6 < x - left < N * STEP and 0 < y - low < 1.3:
            j, i = (round((at - left) / STEP) for at in (x, to_x))
            found.add((j, i, y == to_y, each.arrow_patch.get_alpha() == 1))
    if way == "recurrent":  # from its input and the state before
        wanted = {(i, i, False, True) for i in range(N)}
        wanted |= {(i - 1, i, True, True) for i in range(1, N)}
    else:
        both = [(j, i) for j in range(N) for i in range(N) if abs(i - j) <= reach]
        wanted = {(j, i, False, i == N - 1) for j, i in both}
    assert found == wanted


def test_the_relative_number_is_that_of_the_distance_and_the_later_key_turns_further():
    ax = drawn("positions")
    grid = [alpha for _, x, alpha in filled(ax, INK) if x > 2 * 2.55 - 0.7]
    numbers = np.reshape(grid, (3, 3))
    for distance in range(-2, 3):
        assert len({*np.diagonal(numbers, distance)}) == 1
    assert len({*numbers.flat}) == 5
    turns = sorted(arc.theta2 - arc.theta1 for arc in ax.patches if type(arc) is Arc)
    assert turns == [50, 100]


def test_english_is_trained_both_ways_and_the_others_are_met_through_it_only():
    names = {place: name for name, place in directions.LANGUAGES.items()}
    found = {"solid": set(), "dashed": set(), "around": set()}
    for each in arrows(drawn("directions")):
        patch, ends = each.arrow_patch, (names[each.xyann], names[each.xy])
        dashed = "solid" if patch.get_linestyle() == "solid" else "dashed"
        kind = found["around" if to_hex(patch.get_edgecolor()) == OUT else dashed]
        kind.add(ends)
        if isinstance(patch.get_arrowstyle(), ArrowStyle.CurveFilledAB):
            kind.add(ends[::-1])
    trained = {("EN", "FR"), ("FR", "EN"), ("EN", "ES"), ("ES", "EN")}
    assert found["solid"] == trained
    assert found["dashed"] == {("FR", "ES"), ("ES", "FR")}
    assert found["around"] == {("FR", "EN"), ("EN", "ES")}


def test_a_block_is_cut_into_twelve_squares():
    squares = drawn("twelve squares").patches
    assert len(squares) == 2 * 12  # filled, and outlined
    assert {(p.get_width(), p.get_height()) for p in squares} == {(scale.SIDE,) * 2}


@pytest.mark.parametrize(
    ("way", "weights", "state"),  # of the whole model, that each GPU holds
    [
        ("data", 1, 1),
        ("sharded optimiser", 1, 1 / 2),
        ("tensor", 1 / 2, 1 / 2),
        ("pipeline", 1 / 2, 1 / 2),
    ],
)
def test_a_gpu_holds_its_part_and_both_hold_all(way, weights, state):
    at = [*scale.WAYS].index(way)
    left, low = scale.ACROSS * (at % 2), -scale.DOWN * (at // 2)
    for colour, width, share in (
        (ASKED, scale.WEIGHTS, weights),
        (TAKEN, scale.STATE, state),
    ):
        held = [set(), set()]
        for p in drawn("shared out").patches:
            x, y = p.get_x() - left, p.get_y() - low
            inside = 0 <= x < scale.NEXT + scale.GPU and 0 <= y < 4 * scale.STEP
            if to_hex(p.get_fc()) == colour and p.get_alpha() and inside:
                gpu = int(x >= scale.NEXT)
                place = round(x - gpu * scale.NEXT, 6), round(y, 6)
                held[gpu].add((*place, round(p.get_width(), 6)))
        whole = 4 * width
        for some in held:
            assert sum(w for *_, w in some) == pytest.approx(share * whole)
        assert sum(w for *_, w in held[0] | held[1]) == pytest.approx(whole)


def test_the_box_of_a_region_is_where_it_is_in_the_picture_and_in_the_map():
    assert (two_streams.PIXELS, two_streams.BOX) == (SCENE_SIDE, DIGIT_SIDE)
    side, pixel = two_streams.SIDE, two_streams.SIDE / SCENE_SIDE
    found = [(p.get_x(), p.get_y(), p.get_width()) for p in golden(drawn("region"))]
    top, left = AT[0]
    y = two_streams.LOW + side - (top + DIGIT_SIDE) * pixel
    wanted = [(x + left * pixel, y, DIGIT_SIDE * pixel) for x in (0, two_streams.MAP)]
    np.testing.assert_allclose(found, wanted)


def test_a_picture_without_ink_has_an_even_map():
    ax = drawn("region", images=np.zeros_like(DIGITS))
    shades = {p.get_alpha() for p in ax.patches if to_hex(p.get_fc()) == ASKED}
    assert shades
    assert all(np.isfinite(shade) for shade in shades if shade is not None)


def test_queries_stay_in_their_stream_and_keys_and_values_cross():
    def of_words(x):
        return x < two_streams.LAYER["regions"][0] - two_streams.APART

    found = [
        (to_hex(each.arrow_patch.get_edgecolor()), *map(of_words, (u, x)))
        for each in arrows(drawn("co-attention layer"))
        for (u, _), (x, y) in [(each.xyann, each.xy)]
        if y < two_streams.LOOKS
    ]
    assert sorted(found) == sorted(
        (colour, start, start == (colour == ASKS))
        for colour in (ASKED, ASKS)
        for start in (True, False)
    )


def test_a_word_and_its_region_meet_in_both_maps():
    first, second = [], []
    for p in golden(drawn("co-attention")):
        x, row = p.get_x() + p.get_width() / 2, -p.get_y() / two_streams.WEIGHT - 0.5
        right = x >= two_streams.SECOND
        column = (x - two_streams.SECOND * right) / two_streams.WEIGHT
        (second if right else first).append((round(row), round(column)))
    assert first == [(2, 1), (5, 2)]
    assert second == [(1, 2), (2, 5)]


def test_the_classes_of_a_hidden_region_are_bars_over_it():
    ax = drawn("two streams' tasks")
    (hidden,) = hatched(ax)
    bars = [p for p in ax.patches if to_hex(p.get_fc()) == INK and p.get_alpha()]
    heights = [p.get_height() for p in bars]
    assert len(heights) == len(CLASSES)
    assert np.corrcoef(heights, CLASSES)[0, 1] == pytest.approx(1)
    middle = (bars[0].get_x() + bars[-1].get_x() + bars[0].get_width()) / 2
    assert middle == pytest.approx(hidden.get_x() + hidden.get_width() / 2)


def test_the_path_that_fits_the_instruction_is_outlined_and_scores_most():
    (best,) = (p for p in two_streams.PATHS if p[0][1:] == ("stairs", "sofa"))
    assert best[1] == max(score for _, score in two_streams.PATHS)
    ax = drawn("paths")
    scores = [p for p in ax.patches if to_hex(p.get_fc()) == OUT and p.get_alpha()]
    longest = max(scores, key=lambda p: p.get_width())
    ys = {round(p.get_y() + p.get_height() / 2, 6) for p in golden(ax)}
    assert ys == {round(longest.get_y() + longest.get_height() / 2, 6)}
    assert len(golden(ax)) == len(best[0])


def hung(ax):
    """Each text with the one that its line comes from, found by where lines end."""

    def nearest(x, y):
        off = [np.abs(np.subtract(t.get_position(), (x, y))).sum() for t in ax.texts]
        return ax.texts[int(np.argmin(off))].get_text()

    ends = [(line.get_xydata()[0], line.get_xydata()[-1]) for line in ax.lines]
    return {(nearest(x, y + 0.3), nearest(u, v - 0.3)) for (x, y), (u, v) in ends}


def test_two_readings_differ_in_what_the_pajamas_hang_from():
    both = "S-NP S-VP NP-i VP-shot VP-NP NP-an NP-elephant PP-in PP-NP NP-my NP-pajamas"
    both = {tuple(pair.split("-")) for pair in both.split()}
    assert hung(drawn("tree")) == both | {("NP", "PP")}
    assert hung(drawn("tree", tree=VERBS)) == both | {("VP", "PP")}


def test_no_line_of_a_tree_goes_through_a_text():
    ax, shares = drawn("tree"), np.linspace(0, 1, 200)[:, None]
    boxes = [text.get_window_extent() for text in ax.texts]
    for line in ax.lines:
        corners = line.get_transform().transform(line.get_xydata())
        for a, b in pairwise(corners):
            along = a + shares * (b - a)
            assert not any(box.contains(*point) for box in boxes for point in along)


@pytest.mark.parametrize(
    ("gold", "held"),
    [
        (("PP", 4, 7), ["PP", "NP", *SENTENCE[4:]]),
        (("NP", 2, 4), ["NP", *SENTENCE[2:4]]),
        (("S", 0, 7), ["S", "NP", "VP", "NP", "PP", "NP", *SENTENCE]),
    ],
)
def test_the_outline_of_a_tree_holds_a_phrase_and_nothing_else(gold, held):
    ax = drawn("tree", tree=VERBS, gold=gold, title="I wear them")
    (frame,) = golden(ax)
    box = frame.get_window_extent()
    middles = [text.get_window_extent().get_points().mean(axis=0) for text in ax.texts]
    found = [
        text.get_text()
        for text, middle in zip(ax.texts, middles, strict=True)
        if box.contains(*middle)
    ]
    assert sorted(found) == sorted(held)
    assert ax.get_title() == "I wear them"


TWICE = Tree("S", (Tree("NP", ()),))


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("layer", {"A": A[0]}, r"A has shape \(4,\)"),
        ("layer", {"A": A * 2}, "expected .* with the row sums 1"),
        ("layer", {"A": np.eye(2)}, "expected .* positive numbers"),
        ("layer", {"self_attention": True}, "as many queries as inputs"),
        ("step", {"source": [], "weights": []}, "expected at least one word"),
        ("step", {"weights": [0.5, 0.5]}, "weights has 2 numbers, expected 4"),
        ("step", {"weights": [1, 0, 0, 0]}, "expected positive numbers that sum to 1"),
        ("step", {"weights": [1, 1, 1, 1]}, "expected positive numbers that sum to 1"),
        ("block", {"norm": "none"}, "norm is 'none', expected one of post, pre"),
        ("encoder, decoder", {"source": []}, "is empty, expected at least one word"),
        ("grid", {"weights": GRID[0]}, "N_rows, N_columns"),
        ("grid", {"weights": 2 * GRID}, "sum 2.000"),
        ("grid", {"weights": -GRID}, "at least 0"),
        ("grid", {"weights": GRID * np.nan}, "at least 0"),
        ("grid", {"asks": (2, 0)}, r"asks is \(2, 0\)"),
        ("grid", {"asks": (1, 2, 0)}, r"\(1, 2, 0\), expected a cell of \(2, 3\)"),
        ("head", {"A": ONE[:, :2]}, "A has shape"),
        ("head", {"visible": CAUSAL[:2]}, "visible is bool of shape"),
        ("head", {"A": np.repeat(ONE, 3, axis=0)}, "3 heads, expected 1, 2 or 4"),
        ("head", {"visible": np.eye(3, dtype=bool)}, "a weight where visible is False"),
        ("head", {"visible": np.tri(3, dtype=int)}, "visible is int64 .* expected"),
        ("head", {"targets": ["a", "b"]}, "targets has 2 words, expected 3, one for"),
        ("head", {"A": ONE * 2}, "A holds numbers from 0 to 2, expected weights, 0 to"),
        ("head", {"A": ONE * np.nan}, "A holds numbers from nan to nan"),
        ("tree", {"gold": ("PP", 4, 6)}, r"\('PP', 4, 6\), expected one of \('S', 0"),
        ("tree", {"tree": TWICE}, r"closes \(NP, which holds no word"),
        ("picture", {"image": IMAGE[0]}, "image has shape"),
        ("picture", {"weights": LOOK * 2}, "the sum 2.000"),
        ("picture", {"weights": np.full((2, 2), 0.25)}, "weights has 4 cells"),
        ("shuffled", {"order": [0, 0, 1]}, r"order is \[0, 0, 1\], expected each of 0"),
        ("shuffled", {"X": X[:2]}, "X has shape"),
        ("shuffled", {"A": SQUARE[:, :2]}, "A has shape"),
        ("shuffled", {"Y": Y[:2]}, "Y has shape"),
        ("region", {"images": DIGITS[0]}, "images has shape"),
        ("region", {"places": AT[:2]}, "places has shape"),
        ("region", {"places": AT + 10}, "places is .*, expected 0 to 24"),
        ("co-attention", {"gold": [(9, 1)]}, "gold is 9, expected 0 to 5"),
        ("co-attention", {"gold": [(1, 4)]}, "gold is 4, expected 0 to 3"),
        ("co-attention", {"A_words": FROM_REGIONS}, "A_words has shape"),
        ("co-attention", {"A_regions": FROM_WORDS}, "A_regions has shape"),
        ("two streams' tasks", {"images": DIGITS[:2]}, "images has shape"),
        ("two streams' tasks", {"classes": CLASSES * np.nan}, "classes is nan"),
        ("two streams' tasks", {"classes": CLASSES - 2}, "classes is -.* 0 to 1"),
        ("masks", {"masks": {}}, "masks is empty"),
        ("masks", {"masks": {"a": CAUSAL * 1.0}}, "mask 'a' has shape .* type float64"),
        ("masks", {"masks": {"row": CAUSAL[0]}}, "mask 'row' has shape"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_named(as_a_reader, name, change, says):
    with pytest.raises(ValueError, match=says):
        drawn(name, **change)
