"""A figure travels with its caption and its alternative text."""

import re
from urllib.parse import unquote
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import pytest

from attention_book.plots import figures

TEXTS = """[curve]
caption = "A line, from `x`, that *rises* & <falls>."
alt = 'One line. It says "up".'
"""


@pytest.fixture
def figure(tmp_path):
    plt.close("all")
    (tmp_path / "figures.toml").write_text(TEXTS, "utf-8")
    yield figures(tmp_path / "figures.toml")
    plt.close("all")


def draw():
    _, ax = plt.subplots()
    ax.plot([1, 2])


def test_picture_caption_and_alternative_text_are_one_output(figure):
    draw()
    html = figure("curve")._repr_html_()
    assert html.startswith('<figure class="captioned" id="curve"')
    assert "from <code>x</code>, that <em>rises</em> &amp; &lt;falls&gt;." in html
    assert 'alt="One line. It says &quot;up&quot;."' in html
    (address,) = re.findall(r'src="data:image/svg\+xml,([^"]*)"', html)
    svg = unquote(address)
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert not set("<>#\n") & set(address)
    assert not re.search(r"\n\s*\n", html), "a blank line would end HTML in Markdown"


def test_the_figure_is_shown_once_and_is_the_same_bytes_again(figure):
    draw()
    first = figure("curve")
    assert not plt.get_fignums(), "it would be shown a second time at the cell's end"
    draw()
    assert figure("curve") == first


def test_nothing_drawn_and_an_unknown_name_are_said(figure):
    with pytest.raises(ValueError, match="nothing has been drawn for 'curve'"):
        figure("curve")
    draw()
    with pytest.raises(ValueError, match=r"'curvy': .*/figures.toml has 'curve'"):
        figure("curvy")
    assert plt.get_fignums(), "nothing is lost"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[curve]\ncaption = "a"\n', "'curve' is"),
        ('[curve]\ncaption = "a"\nalt = ""\n', "alt of 'curve' is empty"),
        ('[curve]\ncaption = "a"\nalt = "b"\nname = "c"\n', "'curve' is"),
        ('curve = "a"\n', "'curve' is 'a'"),
    ],
)
def test_a_text_that_is_missing_is_named(tmp_path, text, says):
    (tmp_path / "figures.toml").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=says):
        figures(tmp_path / "figures.toml")


def test_an_unknown_chapter_is_said_with_those_there_are():
    with pytest.raises(ValueError, match="'attentoin': expected a TOML file, or one"):
        figures("attentoin")
