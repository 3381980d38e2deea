"""The theme's stylesheet with the icons in use, and no others."""

import base64
import io
import re

import pytest
from fontTools.ttLib import TTFont

from attention_book.site.icons import SHEET, THEME, reduced

WHOLE = (THEME / "static" / SHEET).read_text("utf-8")
ROCKET, SUN, GITHUB, ANGLE = 0xF135, 0xF185, 0xF09B, 0xF107


def glyphs(sheet):
    """The characters of each font inside a stylesheet."""
    fonts = re.findall(r"data:font/woff;base64,([^)]*)", sheet)
    return [
        set(TTFont(io.BytesIO(base64.b64decode(font))).getBestCmap() or ())
        for font in fonts
    ]


def test_an_icon_in_use_keeps_its_rule_and_its_glyph():
    sheet, unknown = reduced(WHOLE, {"fa-rocket", "fa-sun", "fa-github", "fa-lg"})
    assert not unknown
    regular_and_solid_and_brands = set().union(*glyphs(sheet))
    assert {ROCKET, SUN, GITHUB} <= regular_and_solid_and_brands
    assert '.fa-rocket:before{content:"\\f135"}' in sheet


def test_nothing_else_is_kept():
    sheet, _ = reduced(WHOLE, {"fa-rocket"})
    assert ".fa-github:before" not in sheet
    assert GITHUB not in set().union(*glyphs(sheet))
    assert "webfonts" not in sheet, "a page would wait for a file"
    assert len(sheet) < 0.85 * len(WHOLE)


def test_rules_that_are_no_icons_stay():
    sheet, _ = reduced(WHOLE, {"fa-rocket"})
    assert ".fa-lg{" in sheet
    assert sheet.count("@media") == WHOLE.count("@media")


def test_an_icon_that_another_stylesheet_shows_by_its_code_is_kept():
    sheet, _ = reduced(WHOLE, {"fa-rocket"}, 'summary:after{content:"\\f107"}')
    assert ANGLE in set().union(*glyphs(sheet))
    assert ANGLE not in set().union(*glyphs(reduced(WHOLE, {"fa-rocket"})[0]))


@pytest.mark.parametrize("name", ["fa-nonsense", "fa-rockets", "fa-rocke"])
def test_an_icon_that_the_theme_lacks_is_named(name):
    assert reduced(WHOLE, {"fa-rocket", name})[1] == [name]
