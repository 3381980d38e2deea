"""Figures that run a network in the page: what they say is what Python's network says.

Each stands on a page of its own, opened from a disk: with its network inside, or, as on
the site, in files beside the script.
"""

import re
import shutil
from unittest.mock import Mock

import pytest
from browser.hands import choose, keys, number, press, said, slide
from browser.pages import faults, height_within_a_screen, page_with
from playwright.sync_api import expect
from sphinx.application import Sphinx

from attention_book import runs
from attention_book.chapters.attention.widgets import own_sentence
from attention_book.chapters.bottleneck.widgets import PIECES, growing_sentence
from attention_book.chapters.generation.docstring_pieces import shown_as
from attention_book.chapters.generation.operations import decode
from attention_book.chapters.generation.operations import encode as encode_prompt
from attention_book.chapters.generation.running_example import ASKED as TO_DO
from attention_book.chapters.generation.running_example import prompts
from attention_book.chapters.generation.widgets import (
    BEGINNINGS,
    by_prompt,
    next_piece,
    own_code,
)
from attention_book.chapters.pretraining.experiments.vectors import (
    WITH_NOT,
    WITHOUT_NOT,
    head_says,
    network_after,
)
from attention_book.chapters.pretraining.recipes import ALONG, STEPS
from attention_book.chapters.pretraining.sentences import WORDS, encode
from attention_book.chapters.pretraining.widgets import (
    fill_the_gap,
    in_turn,
    own_labels,
    ten_sentences,
    three_ways,
)
from attention_book.data import START
from attention_book.networks import change_of
from attention_book.site import widgets as site

FIGURES = {
    "grow": (growing_sentence, "bottleneck-short"),
    "own-sentence": (own_sentence, "attention-dot"),
}
TYPED = "the minister is reading our letters again"
ASKED = """
  window.asked = 0;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...told) {
    window.asked++;
    return post.apply(this, told);
  };
"""


def python(link, text, *told):
    """What the recorded network writes, as words, with the page's float16 weights."""
    run = runs.load(FIGURES[link][1])
    words = text.split()
    given = {"source": [run.vocabularies[0].encode(words, stop=True)]}
    given["visible"] = [[True] * (len(words) + 1)]
    change = {"attention": change_of(told)} if told else None
    most = 20 if link == "own-sentence" else 40
    network = run.network().of(run.model().half().float())
    outputs, _ = network.write(given, change, max_words=most)
    return [run.vocabularies[1].words[i] for i in outputs["ids"]]


def page_of_site(folder, widget):
    """A page as the site's: its script, and a large network in files beside it."""
    app = Mock(spec=Sphinx, doctreedir=folder / "doctrees")
    text = widget._repr_mimebundle_()[0]["text/html"]
    body = site._INLINE.sub(site.CALL, site.keep_networks(app, text, {}))
    shutil.copytree(site.assets(app) / "networks", folder / "networks")
    site.write_assets(folder)
    (folder / "page.html").write_text(
        "<!doctype html><meta charset=utf-8><title>t</title><link rel=icon "
        f"href=data:,><link rel=stylesheet href={site.STYLE}>"
        f"<script src={site.SCRIPT}></script>{body}",
        "utf-8",
    )
    return (folder / "page.html").as_uri()


@pytest.fixture(params=FIGURES)
def link(request):
    return request.param


@pytest.fixture
def address(link, tmp_path):
    return page_with(tmp_path / "page.html", FIGURES[link][0]())


@pytest.fixture
def complaining(browser):
    """A page that may complain."""
    with browser.new_page() as page:
        yield page


def shows(page, words):
    """Wait until these are the words that the figure says the network writes."""
    strip = page.locator(".aw-tokens")
    if strip.count():  # a mark is heard after a word
        heard = [re.compile(rf"^{re.escape(word)}( \(wrong\))?$") for word in words]
        expect(strip.locator(".aw-token")).to_have_text(heard)
    else:
        expect(page.locator(".aw-out")).to_have_text(" ".join(words))


def typed(page):
    return page.locator("input[type=text]")


def test_a_typed_sentence_is_translated_as_python_translates_it_and_kept_in_the_link(
    link, address, open_page
):
    page = open_page(address)
    typed(page).fill(TYPED)
    told = python(link, TYPED)
    shows(page, told)
    if link == "own-sentence":
        choose(page, weights="equal")
        told = python(link, TYPED, ["uniform"])
        page.wait_for_url(re.compile("weights=equal"))
    page.wait_for_url(re.compile(f"#w={link}&english=the.minister"))
    shows(open_page(page.url), told)
    press(page, "Reset")
    shows(page, python(link, typed(page).input_value()))


WEIGHTS = {"equal": ["uniform"], "shuffled": ["shuffled", 0], "one word": ["strongest"]}


def test_other_weights_write_what_they_write_in_python(opened):
    page = opened(own_sentence())
    typed(page).fill(TYPED)
    own = python("own-sentence", TYPED)
    for name, told in WEIGHTS.items():
        choose(page, weights=name)
        words = python("own-sentence", TYPED, told)
        shows(page, words)
        changed = page.locator(".aw-otherwise").count()
        assert (changed > 0) == (words != own), name


def test_an_unknown_word_is_marked_and_nothing_is_asked_until_it_is_mended(
    link, address, complaining
):
    page = complaining
    page.add_init_script(ASKED)
    page.goto(address)
    typed(page).fill(TYPED.replace("minister", "minster"))
    expect(page.locator(".aw-unknown")).to_have_text("minster")
    expect(page.locator(".aw-wrong").first).to_contain_text("never met “minster”")
    page.wait_for_timeout(300)
    assert page.evaluate("window.asked") == 0
    press(page, "minister")
    shows(page, python(link, TYPED))
    assert page.evaluate("window.asked") > 0


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (r'"crc32":\d+', '"crc32":1', "its weights are damaged"),
        (
            "<title>",
            "<script>delete window.Worker</script><title>",
            "Worker is not defined",
        ),
    ],
)
def test_where_it_cannot_run_the_first_figure_stays_and_one_sentence_says_why(
    old, new, why, link, address, tmp_path, complaining
):
    path, page = tmp_path / "page.html", complaining
    path.write_text(re.sub(old, new, path.read_text("utf-8")), "utf-8")
    page.goto(address)
    first = typed(page).input_value()
    typed(page).fill(TYPED)
    expect(page.locator(".aw-running")).to_have_text(
        f"The network gives no answer ({why}). The figure shows what it gave at first."
    )
    shows(page, python(link, first))


def test_a_network_beside_the_page_is_fetched_and_asked_for_again_where_it_misses(
    tmp_path, complaining
):
    page = complaining
    page.goto(page_of_site(tmp_path, own_sentence()))
    (piece,) = (tmp_path / "networks").glob("*-1.js")
    away = piece.rename(tmp_path / "away.js")
    typed(page).fill(TYPED)
    expect(page.locator(".aw-running")).to_contain_text("could not be fetched")
    away.rename(piece)
    typed(page).fill("we are eating bread")
    shows(page, python("own-sentence", "we are eating bread"))
    expect(page.locator(".aw-running")).to_have_text("")


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_and_it_fits_a_screen(link, address, width, open_page, axe):
    page = open_page(address, width=width, height=844)
    height_within_a_screen(page, axe, width)
    typed(page).fill(TYPED.replace("minister", "minster"))
    height_within_a_screen(page, axe, width)


def test_the_sentence_grows_by_the_keyboard_alone(opened):
    page = opened(growing_sentence())
    keys(page, "Tab", "Tab", "Tab")  # the input, its words, what is offered
    for k in range(2, len(PIECES) + 1):
        text = " ".join([*PIECES][:k])
        keys(page, "Enter")
        expect(typed(page)).to_have_value(text)
        shows(page, python("grow", text))
    keys(page, "Enter")  # now it takes the last piece off again
    expect(typed(page)).to_have_value(" ".join([*PIECES][:-1]))


def test_a_slider_picks_among_networks_that_have_all_read_the_sentence(opened):
    page, run = opened(fill_the_gap()), runs.load("bert")
    typed(page).fill("she signed the (letter) again .")
    ids, _ = encode([(("she", "signed", "the", "letter", "again", "."),)])
    given = {"source": ids, "visible": ids != WORDS.encode(["letter"])[0]}
    press(page, "Show numbers")
    slide(page, "steps of pretraining", "Home")
    for step in (0, *ALONG, STEPS):
        network = run.network().of(network_after(run, step))
        answer, _ = network.run("read", given)
        best = answer["guess"].argsort()[::-1][:5]
        expect(page.locator(".aw-table tbody th")).to_have_text(
            [WORDS.words[i] for i in best]
        )
        slide(page, "steps of pretraining", "ArrowRight")


def test_one_word_is_hidden_at_a_time(opened):
    page = opened(three_ways(), at="#w=three-ways&sentence=(she)+ate+the+(rice)+.")
    assert typed(page).input_value() == "the (teacher) ate the rice .", "one in a link"
    sees, note = page.locator(".aw-text"), page.locator(".aw-note")
    press(page, "ate", "hide ate")
    expect(typed(page)).to_have_value("the teacher (ate) the rice .")
    expect(sees).to_have_text(
        "The network sees: [CLS] the teacher [MASK] the rice . [SEP]"
    )
    choose(page, **{"trained on": "next word, left only"})
    expect(sees).to_have_text("The network sees: [CLS] the teacher")
    shown = sees.inner_text(), page.locator(".aw-bar-label").all_inner_texts()
    for text, fault in (
        ("the (teacher) (ate) the rice .", "Hide one word only."),
        ("the teacher ate the rice .", "Hide a word to see the guesses."),
    ):
        typed(page).fill(text)
        expect(note).to_have_text(fault)
        expect(note).to_have_class(re.compile("aw-wrong"))
        expect(page.locator(".aw-out")).not_to_be_visible()
        press(page, "rice")
        expect(note).to_have_text(fault)
        now = sees.inner_text(), page.locator(".aw-bar-label").all_inner_texts()
        assert now == shown
    press(page, "hide rice")
    expect(page.locator(".aw-out")).to_be_visible()
    expect(sees).to_have_text("The network sees: [CLS] the teacher ate the")
    page.locator(".aw-bar-line").first.hover()
    expect(page.locator(".aw-out")).to_have_text(re.compile(r": probability 0\.\d\d"))


def test_the_examples_of_a_prompt_say_what_is_written(opened):
    page = opened(by_prompt())
    for name, words in (
        ("passive", "my dog is seen by the cat ."),
        ("past, question", "does the cat see my dog ."),
    ):
        press(page, name)
        shows(page, words.split())
        heard = page.locator(".aw-unseen[role=status]")
        expect(heard).to_have_text(f"It writes: {words}")
    slide(page, "examples read, at most", "Home")
    shows(page, ["the", "cat", "is", "seen", "by", "the", "cat", "."])
    press(page, "1.3")  # this head is silent
    change = {"encoder.blocks.0.attend": change_of([["off", [0, 0, 1, 0]]])}
    source = [encode_prompt(f"in: {TO_DO} out:".split())]
    outputs, _ = runs.load("prompting").network().write({"source": source}, change)
    shows(page, decode(outputs["ids"].tolist()))


TILES = """(all) => all.map((node) => [node.ariaLabel, node.tabIndex,
  node.classList.contains("aw-hidden-word")])"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_prompts_words_are_one_stop_say_where_they_stand_and_are_struck_if_not_read(
    opened, axe, scheme
):
    at = "#w=by-prompt&examples-read-at-most=2"
    page = opened(by_prompt(), at=at, color_scheme=scheme)
    assert faults(page, axe, scheme=scheme) == {}
    tiles, note = page.locator(".aw-tile"), page.locator(".aw-note")
    words = typed(page).input_value().split()
    stop = words.index(".")
    names, stops, struck = zip(*tiles.evaluate_all(TILES), strict=True)
    assert names[0] == "example 1, in: (not read)"
    assert names[stop - 1] == "example 1, out: king (not read)"
    assert names[stop + 2] == "example 2, in: my"
    assert names[-2] == "asked, in: dog"
    assert stops == (0, *[-1] * (len(words) - 1))
    assert struck == tuple(i <= stop for i in range(len(words)))
    expect(note).to_have_text("Reads 2 of 3 examples. Press a word, or:")
    slide(page, "examples read, at most", "End")
    expect(note).to_have_text("Reads 3 of 3 examples. Press a word, or:")
    tiles.first.focus()
    keys(page, *["ArrowRight"] * (stop + 1), "ArrowDown")  # over the line's end
    focused = "document.activeElement.ariaLabel"
    assert page.evaluate(focused) == "example 2, in: man"
    keys(page, "Tab", "Shift+Tab")
    assert page.evaluate(focused) == "example 2, in: man"


def test_prompts_keep_their_places_and_the_focus(opened):
    page = opened(by_prompt())
    offers = page.locator(".aw-offer")
    names = offers.all_inner_texts()
    assert names == list(prompts())
    for name in ("past", "correct", "question"):
        page.get_by_role("button", name=name, exact=True).focus()
        keys(page, "Enter")
        expect(typed(page)).to_have_value(prompts()[name])
        assert offers.all_inner_texts() == names
        assert page.evaluate("document.activeElement.textContent") == name
        pressed = page.locator(".aw-offer[aria-pressed=true]").all_inner_texts()
        assert pressed == [name]
    page.locator(".aw-tile", has_text="cat").first.click()
    assert set(names).isdisjoint(offers.all_inner_texts())
    press(page, "back")
    assert offers.all_inner_texts() == names


def test_a_piece_is_drawn_from_its_likeliest_and_from_all_others(opened):
    page = opened(next_piece())
    labels, numbers = page.locator(".aw-bar-label"), page.locator(".aw-number")
    for steps, kept in (([], 1000), (["ArrowLeft"] * 2, 20), (["ArrowLeft"], 5)):
        slide(page, "top-k", *steps)
        expect(page.locator(".aw-out")).to_contain_text(f"from {kept} of 1000")
        bars = 5 if kept == 5 else 7
        expect(labels).to_have_count(bars)
        assert (labels.last.inner_text() == "all others") == (kept > 5)
        total = sum(map(number, numbers.all_inner_texts()))
        assert total == pytest.approx(1, abs=0.005 * bars)


def gone_on_with(text):
    """What Python draws behind a text as the figure opens, as the figure shows it."""
    run = runs.load("docstrings")
    network = run.network().of(run.model().half().float())
    ids = [START, *network.pieces.encode(text)]
    outputs, _ = network.write({"source": [ids]}, sample={"seed": 1}, max_words=12)
    return [shown_as(run.vocabularies[0].words[i]) for i in outputs["ids"]]


@pytest.mark.parametrize("width", [1280, 374])
def test_a_menu_beside_a_text_shows_its_name_and_is_large_enough_for_a_finger(
    opened, width
):
    page = opened(next_piece(), width=width)
    menu = page.get_by_role("combobox", name="Offered")
    box, name = menu.bounding_box(), page.get_by_text("Offered")
    assert min(box["width"], box["height"]) >= 36
    assert name.bounding_box() == box
    assert name.evaluate("(node) => node.scrollWidth <= node.clientWidth")
    menu.click(trial=True)  # nothing lies above it
    menu.focus()
    keys(page, "ArrowDown")
    expect(typed(page)).to_have_value(BEGINNINGS[1])


def test_what_is_written_is_announced_though_the_line_below_stays(opened):
    page = opened(next_piece())
    heard, line = page.locator(".aw-unseen[role=status]"), said(page)
    for beginning in (BEGINNINGS[0], BEGINNINGS[2]):
        typed(page).fill(beginning)
        text = "".join(gone_on_with(beginning))
        text = text.replace("▁", " ").replace("⏎", "\n")
        expect(heard).to_have_text(f"It writes: {text}")
        assert said(page) == line == "This piece is drawn from 1000 of 1000 pieces."


def test_a_beginning_of_ones_own_is_gone_on_with_as_python_goes_on(opened, complaining):
    page = opened(next_piece())
    own, offered = "If the  naïve reader's file, ", "If the file"
    typed(page).fill(own)
    shows(page, gone_on_with(own))
    assert page.get_by_label("Offered").evaluate("(menu) => menu.selectedIndex") == -1
    page.get_by_label("Offered").select_option(offered)
    shows(page, gone_on_with(offered))
    assert typed(page).input_value() == offered
    complaining.goto(page.url.partition("#")[0])
    typed(complaining).fill("!?" * 27)
    expect(complaining.locator(".aw-running")).to_have_text(
        "The network gives no answer (the text has 54 pieces, expected 52 at most). "
        "The figure shows what it gave at first."
    )
    shows(complaining, gone_on_with(BEGINNINGS[0]))
    typed(complaining).fill(own)
    shows(complaining, gone_on_with(own))
    expect(complaining.locator(".aw-running")).to_have_text("")


def test_what_a_change_did_is_said_where_no_sentence_sums_it_up(opened):
    page = opened(in_turn(), own_labels())
    surprise, head = page.locator(".aw-out").all()
    expect(surprise).to_contain_text("Point at the figure")
    typed(page).first.fill("the letters was signed .")
    expect(surprise).to_have_text(re.compile(r"^Longest bar: \w+: \d+\.\d bits$"))
    expect(head).to_contain_text("Point at the figure")
    typed(page).last.fill("we saw the letter .")
    expect(head).to_have_text(re.compile(r"^yes: probability 0\.\d\d$"))
    page.locator(".aw-switch").nth(-1).click()
    both = r"^Longest bar: \w+: probability 0\.\d\d; yes: probability 0\.\d\d$"
    expect(head).to_have_text(re.compile(both))


def test_a_head_learns_ten_sentences_that_are_typed(opened):
    page = opened(ten_sentences())
    model = runs.load("bert").model().half().float()
    line, out = page.get_by_label("yes 1", exact=True), page.locator(".aw-out")
    asked = page.get_by_label("asked", exact=True)
    menu = line.locator("xpath=..").get_by_role("group", name="Offered")

    def due(first, sentence):
        yes = [first, *WITH_NOT[1:]]
        said = head_says(model, yes, yes + WITHOUT_NOT, [sentence], frame="{}")
        return f"yes: probability {said[sentence]:.2f}"

    asked.fill("she eats the cheese .")
    expect(out).to_have_text(due(WITH_NOT[0], "she eats the cheese ."))
    line.fill("she reads the boks")
    expect(menu).to_be_visible()
    expect(line).to_have_attribute("aria-invalid", "true")
    expect(out).to_have_text(due(WITH_NOT[0], "she eats the cheese ."))
    menu.get_by_role("button", name="books", exact=True).click()
    expect(line).to_have_value("she reads the books")
    expect(line).to_be_focused()
    expect(menu).not_to_be_visible()
    expect(out).to_have_text(due("she reads the books", "she eats the cheese ."))
    line.press("Backspace")
    expect(menu).to_be_visible()
    line.press("Escape")
    expect(menu).not_to_be_visible()
    line.fill("she reads the boo")
    asked.focus()
    expect(menu).not_to_be_visible()


def test_heads_that_are_not_there_cannot_be_switched(opened):
    page = opened(own_code())
    for network, off in (("one block", ["2.1", "2.2"]), ("two blocks", [])):
        choose(page, network=network)
        assert page.locator(".aw-switch:disabled").all_inner_texts() == off


@pytest.mark.parametrize("width", [1280, 390])
def test_maps_of_heads_are_named_told_in_words_and_walked(opened, width):
    widget = own_code()
    page = opened(widget, width=width)
    told = page.get_by_role("img").evaluate_all("all => all.map((n) => n.ariaLabel)")
    assert [f"{each}." for each in told] == widget.panels[1].static_text(widget.index)
    choose(page, network="two blocks")
    expect(page.locator(".aw-map")).to_have_count(4)
    words = widget.controls[0].default.split()
    due = [words * 2, words * 2] if width == 1280 else [[], []]
    for side, named in zip(("row", "column"), due, strict=True):
        assert page.locator(f"[data-{side}]").all_text_contents() == named
    page.get_by_role("application", name=re.compile("^where each head looks")).focus()
    keys(page, "ArrowRight", "End", "PageDown")  # the last map's last word
    assert said(page) == "2.2: fox attends 0.00 to fox"
    keys(page, *["ArrowLeft"] * 7)
    assert said(page) == "2.2: fox attends 0.99 to 7"
    keys(page, *["ArrowLeft"] * 2)  # on to the map before it
    assert said(page).startswith("2.1: fox attends")
    assert page.locator(".aw-ring.aw-shown").count() == 1
