"""LookAndSay says where the model looked for each word, and if it was right."""

import numpy as np
import pytest

from attention_book import runs
from attention_book.chapters.look_and_say import widgets
from attention_book.chapters.look_and_say.look_and_say import (
    DescribedScene,
    words_and_looks,
)

WEIGHTS = np.full((3, 2, 4), 0.0)
WEIGHTS[0, 1, 1] = 1.0  # no box
WEIGHTS[1, 0, :2] = 0.8, 0.2  # mostly the three
WEIGHTS[2, 1, 3], WEIGHTS[2, 0, 0] = 0.75, 0.25  # the seven
GOOD = {
    "image": np.linspace(0, 1, 128).reshape(8, 16),
    "said": ["a", "three", "five"],
    "reference": ["a", "three", "seven"],
    "A": WEIGHTS,
    "boxes": np.array([(0, 0, 4, 4), (4, 10, 4, 6)]),
    "names": ["three", "seven"],
}


def made(**change):
    scenes = {"misread": DescribedScene(**GOOD | change)}
    return words_and_looks(scenes, start_scene="misread", start_word=3)


def test_shares_count_the_part_of_a_cell_that_a_box_covers():
    scene = DescribedScene(**GOOD | {"boxes": np.array([(0, 0, 4, 5), (4, 10, 4, 6)])})
    np.testing.assert_allclose(scene.attended(0), [0, 0, 1])
    np.testing.assert_allclose(scene.attended(1), [0.8 + 0.2 / 4, 0, 0.15])
    np.testing.assert_allclose(scene.attended(2), [0.25, 0.75, 0], atol=1e-12)


def test_it_opens_where_it_is_told_and_says_where_the_model_looked():
    widget = made()
    assert widget.setting == {"right caption": "misread", "word": 3}
    said, mask = widget.panels
    assert said.fields["marks"].at(widget.index) == ["ok", "ok", "wrong"]
    np.testing.assert_array_equal(mask.fields["values"].at(widget.index), WEIGHTS[2])
    assert mask.fields["lit"].at(widget.index) == 1
    assert mask.fields["query"].at(widget.index) == "five"
    assert mask.fields["names"].at(widget.index) == ["three 0.25", "seven 0.75"]
    assert widget.summary == "five is wrong: it looked mostly at the seven (0.75)."


def test_more_than_half_on_digits_is_not_beside_them_though_none_has_most():
    A = WEIGHTS.copy()
    A[1] = 0
    A[1, 0, 0], A[1, 1, 3], A[1, 1, 0] = 0.35, 0.25, 0.4  # three, seven, neither
    assert made(A=A).spec["summary"]["of"][1] == (
        "three: it looked mostly at the digits (0.60 in all), not at one alone."
    )


def test_the_first_widget_shows_right_captions_hides_nothing_and_has_no_dead_end():
    widget = widgets.look_and_say()
    assert widget.predict is None
    said = widget.panels[0].fields
    for scene in range(widgets.N_RIGHT):
        assert set(said["marks"].at([scene, 0])) == {"ok"}
        assert len(said["words"].at([scene, 0])) == len(widget.controls[1].values)


def test_the_second_widget_shows_three_misread_digits_and_a_look_at_another():
    widget = widgets.misread()
    assert widget.predict.answer == "at the right digit"
    said, mask = widget.panels
    looked_at_meant = []
    for scene, right in enumerate(widget.controls[0].values):
        marks = said.fields["marks"].at([scene])
        assert sorted(set(marks)) == ["ok", "wrong"]
        assert marks.count("wrong") == 1
        lit = mask.fields["names"].at([scene])[int(mask.fields["lit"].at([scene]))]
        meant = right.replace(",", " ,").split()[marks.index("wrong")]
        looked_at_meant.append(lit.split()[0] == meant)
    assert looked_at_meant == [True, True, True, False]


NINE = (
    "-58.104.54.103.51.100.51.96.52.92.55.88.59.87.62.90.65.93.64.97.63.101.59.103"
    "_-58.104.62.103.68.102.74.101.78.100"
)


@pytest.mark.parametrize(
    ("scene", "caption"),
    [
        ("3.4.3_10.18.19", "a three left of a one"),
        ("3.20.3_10.2.5", "a one above a three"),
        ("3.4.3_9.18.19", "a three left of a nine"),
        (f"3.4.3_{NINE}", "a three left of a nine"),
        ("3.4.3", "a three above a three"),
        ("3.2.2_5.12.12_2.22.22", "a three , a five and a two"),
        ("3.2.2_5.12.12_2.22.22_7.2.22", "a three , a five and a two"),
    ],
)
def test_readers_scenes_are_captioned_as_the_chapter_says(scene, caption):
    widget = widgets.own_scene(scene)
    said = widget.panels[0].fields["words"].at(widget.index)
    assert said == [*caption.split(), "[STOP]"]


def test_it_opens_at_the_nine_and_a_moved_gaze_names_what_it_is_moved_to():
    widget = widgets.own_scene()
    sheet, look = widget.controls[2], widget.panels[1].fields["values"].at(widget.index)
    assert look[4:7, 4:7].sum() > 0.75
    run, said = runs.load("caption-attention"), {}
    for cell in ((1, 2), (5, 6)):
        row = np.zeros((1, 8, 8))
        row[(0, *cell)] = 1
        source = sheet.pixels(sheet.default)[None, None]
        forced = {"attention": [["forced", row.reshape(1, -1).tolist()]]}
        outputs, _ = run.network().answer("write", {"source": source}, forced, {})
        words = run.vocabularies[-1].decode(outputs["ids"].tolist())
        said[cell] = " ".join(words)
    assert said[1, 2] == "a three , a three and a three"
    assert said[5, 6] == "a one , a one and a one"
