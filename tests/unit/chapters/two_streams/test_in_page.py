"""What a page asks of chapter 17's networks is what the chapter's own code computes."""

import pytest
import torch
from torch import Generator

from attention_book.chapters.two_streams import in_page
from attention_book.chapters.two_streams.questions import questions
from attention_book.chapters.two_streams.scenes import (
    DIGIT,
    FIRST,
    N_DIGITS,
    is_true,
    put,
)
from attention_book.networks import trace


@pytest.fixture(scope="module")
def asked():
    return questions(Generator().manual_seed(1), 60)


def laid(scenes, n):
    """What a sheet would hold of a scene."""
    return torch.cat([scenes.digits[n, :, None], scenes.places[n]], dim=1)[None]


def test_a_page_answers_as_questions_are_answered(asked):
    for n, answer in enumerate(asked.answers):
        assert in_page.right(laid(asked.scenes, n), asked.ids[n : n + 1]) == answer


def test_a_caption_is_true_in_a_page_where_it_is_true_of_the_scene(asked):
    for word in range(DIGIT, DIGIT + N_DIGITS):
        captions = put(asked.captions, FIRST, word)
        true = is_true(asked.scenes, captions)
        for n in range(len(asked)):
            said = in_page.right(laid(asked.scenes, n), captions[n : n + 1])
            assert (said == in_page.YES) == true[n]


def test_boxes_are_cut_out_of_a_sheet_and_drawn_scenes_are_usual(asked):
    sheet = torch.zeros(1, 32, 32)
    for image, (top, left) in zip(
        asked.scenes.images[0], asked.scenes.places[0].tolist(), strict=True
    ):
        sheet[0, top : top + 8, left : left + 8] = image
    found = in_page.cut(sheet, laid(asked.scenes, 0))
    assert torch.equal(found, asked.scenes.images[:1])
    assert not any(in_page.unusual(laid(asked.scenes, n)) for n in range(len(asked)))


def test_a_page_can_be_told_what_the_network_does(tiny):
    program = trace(tiny().eval(), **in_page.calls())
    taps = program["functions"]["read"]["taps"]
    assert {"blocks.0.co.words", "blocks.0.co.regions"} <= taps.keys()
    assert program["functions"]["read"]["inputs"] == ["sheet", "laid", "captions"]
