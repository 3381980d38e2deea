"""The theme's stylesheet with the icons in use, and no others."""

import base64
import io
import re

import pytest
from fontTools.ttLib import TTFont

from attention_book.site.icons import SHEET, THEME, reduced

WHOLE = (THEME / "static" / SHEET).read_text("utf-8")
ROCKET, SUN, GITHUB, ANGLE, GEAR = 0xF135, 0xF185, 0xF09B, 0xF107, 0xF013


def glyphs(sheet):
    """The characters of the fonts inside a stylesheet."""
    fonts = re.findall(r"data:font/woff;base64,([^)]*)", sheet)
    files = [io.BytesIO(base64.b64decode(font)) for font in fonts]
    return {glyph for file in files for glyph in TTFont(file).getBestCmap() or ()}


def test_an_icon_in_use_keeps_its_rule_and_its_glyph():
    names = {"fa-rocket", "fa-sun", "fa-github", "fa-cog", "fa-lg"}  # or fa-gear
    sheet, unknown = reduced(WHOLE, names)
    assert not unknown
    assert {ROCKET, SUN, GITHUB, GEAR} <= glyphs(sheet)
    assert '.fa-rocket:before{content:"\\f135"}' in sheet


def test_no_other_icon_is_kept_and_every_other_rule():
    sheet, _ = reduced(WHOLE, {"fa-rocket"})
    assert ".fa-github:before" not in sheet
    assert not {GITHUB, ANGLE} & glyphs(sheet)
    assert "webfonts" not in sheet, "a page would wait for a file"
    assert len(sheet) < 0.85 * len(WHOLE)
    assert ".fa-lg{" in sheet
    assert sheet.count("@media") == WHOLE.count("@media")


def test_an_icon_that_another_stylesheet_shows_by_its_code_is_kept():
    sheet, _ = reduced(WHOLE, {"fa-rocket"}, 'summary:after{content:"\\f107"}')
    assert ANGLE in glyphs(sheet)


@pytest.mark.parametrize("name", ["fa-nonsense", "fa-rockets", "fa-rocke"])
def test_an_icon_that_the_theme_lacks_is_named(name):
    assert reduced(WHOLE, {"fa-rocket", name})[1] == [name]
