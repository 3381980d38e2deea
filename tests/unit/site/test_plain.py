"""What the site makes of plain Markdown: boxes, anchors, figures, references."""

import io
import re

import pytest
from sphinx.application import Sphinx

from attention_book.plots.captions import Figure
from attention_book.site.citations import citations, setup_citations
from attention_book.site.exercises import setup_exercises, slug
from attention_book.site.figures import setup_figures

BIBLIOGRAPHY = """
@article{one, author={Cho, Kyunghyun and van Merri{\\"e}nboer, Bart and Bengio, Y.},
  title={Phrases}, journal={A}, year={2014}, url={https://arxiv.org/abs/1}}
@article{two, author={Cho, K. and B, C and D, E}, title={Properties}, journal={B},
  year={2014}, url={https://arxiv.org/abs/2}}
@book{three, author={Yarbus, Alfred L.}, title={Eyes}, publisher={C}, year={1967},
  url={https://doi.org/3}}
@article{four, author={van Dyck, A and Wallace, Byron}, title={Not}, journal={D},
  year={2019}, url={https://arxiv.org/abs/4}}
@article{five, author={Wu, Y and others}, title={Big}, journal={E}, year={2016}}
"""
PAGE = """# Page

As [Cho et al., 2014b](https://arxiv.org/abs/2) and [Yarbus (1967)](https://doi.org/3).

## Exercises

### Exercise 1: Count · level 1

Write it.

- In a list.

<details><summary>Hint</summary>

Look *here*.

</details>

### Exercise 2: Find the bug

Only text; not [the first](#Exercise-1:-Count-·-level-1).

## Exercise the mind

No exercise.

### Closer look: What $x$ is

Only some want to know.

### What all want

Not folded.
"""


@pytest.fixture
def built(tmp_path):
    def build(text):
        source = tmp_path / "source"
        (source / "chapters").mkdir(parents=True)
        (source / "references.bib").write_text(BIBLIOGRAPHY, "utf-8")
        (source / "index.md").write_text(
            "# Book\n\n```{toctree}\nchapters/page\n```\n", "utf-8"
        )
        (source / "chapters" / "page.md").write_text(text, "utf-8")
        settings = {
            "extensions": ["myst_parser", "sphinxcontrib.bibtex"],
            "bibtex_bibfiles": ["references.bib"],
            "numfig": True,
            "myst_heading_anchors": 3,
            "myst_heading_slug_func": f"{slug.__module__}.{slug.__name__}",
        }
        warnings = io.StringIO()
        app = Sphinx(
            source, None, tmp_path / "out", tmp_path / "doctrees", "html",
            confoverrides=settings, status=None, warning=warnings,
        )  # fmt: skip
        for part in (setup_figures, setup_exercises, setup_citations):
            part(app)
        app.build()
        said = warnings.getvalue().splitlines()
        assert not [line for line in said if "already registered" not in line]
        return (tmp_path / "out" / "chapters" / "page.html").read_text("utf-8")

    return build


def test_works_are_cited_by_author_and_year(tmp_path):
    (tmp_path / "r.bib").write_text(BIBLIOGRAPHY, "utf-8")
    assert [each.words for each in citations(tmp_path / "r.bib").values()] == [
        ("Cho et al., 2014a", "Cho et al. (2014a)"),
        ("Cho et al., 2014b", "Cho et al. (2014b)"),
        ("Yarbus, 1967", "Yarbus (1967)"),
        ("van Dyck and Wallace, 2019", "van Dyck and Wallace (2019)"),
        ("Wu et al., 2016", "Wu et al. (2016)"),
    ]


def test_a_page_lists_what_it_cites_and_nothing_else(built):
    html = built(PAGE)
    (listed,) = re.findall(r'<section id="references">.*?</section>', html, re.S)
    assert re.findall(r"<strong>(.*?)</strong>", listed) == [
        "Cho et al., 2014b",
        "Yarbus, 1967",
    ]
    assert "<em>" in listed, "formatted"
    assert 'href="#references"' in html.replace(listed, ""), "it is in the contents"


def test_the_text_of_an_exercise_stands_in_a_box_and_its_hints_below(built):
    html = built(PAGE)
    boxes = re.findall(r'<div class="exercise-text.*?</div>', html, re.S)
    assert len(boxes) == 2
    assert "Write it." in boxes[0]
    assert "In a list." in boxes[0]
    assert "Look" not in boxes[0]
    assert re.search(r"<details><summary>Hint</summary>\s*<p>Look <em>here", html)
    assert html.count('<section class="exercise"') == 2
    (anchor,) = re.findall(r'href="#(exercise-1[^"]*)"[^>]*>(?:<[^>]*>)*the fir', html)
    assert f'id="{anchor}"' in html, "a link to it leads to its heading"


def test_a_closer_look_is_folded_below_its_heading(built):
    html = built(PAGE)
    (fold,) = re.findall(r'<details class="closer-look">.*?</details>', html, re.S)
    assert re.search(
        r"<summary>\s*<h3>Closer look: What .*?</h3>\s*</summary>", fold, re.S
    )
    assert "Only some" in fold
    assert "Not folded" not in fold
    assert 'href="#closer-look-what' in html.replace(fold, ""), "it is in the contents"


SIZE = 'width="300pt" height="150.4pt"'


def test_a_figure_becomes_a_picture_with_caption_and_number(built, tmp_path):
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {SIZE}>"100 %"</svg>'
    figure = Figure("curve", "It `rises` & falls.", 'It says "up".', svg)
    html = built(f"# Page\n\n{figure._repr_html_()}\n")
    (shown,) = re.findall(r'<figure[^>]* id="curve">.*?</figure>', html, re.S)
    assert 'alt="It says &quot;up&quot;."' in shown
    assert "Fig. 1" in shown
    assert re.search(r"It <code.*?rises.*?</code> &amp; falls\.", shown)
    assert 'width="400" height="201"' in shown  # pixels: its place is kept free
    (address,) = re.findall(r'src="([^"]*)"', shown)
    picture = tmp_path / "out" / "chapters" / address
    assert picture.read_text("utf-8") == svg
    assert "data:image" not in html


def test_a_figure_inside_a_fold_is_lifted_too_and_without_works_there_is_no_list(built):
    figure = Figure("curve", "It rises.", "A line.", f"<svg {SIZE}/>")._repr_html_()
    fold = f"<details><summary>Show</summary>\n\n{figure}\n\n</details>\n"
    html = built(f"# Page\n\n{fold}")
    assert "data:image" not in html
    assert "Fig. 1" in html
    assert "References" not in html
