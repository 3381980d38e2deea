"""Known mistakes are read from Markdown, and become wrong twins of our own code."""

import re

import numpy as np
import pytest

from attention_book.chapters.attention.solutions import attention_step, masked_softmax
from attention_book.exercises.families import Mistake, family
from attention_book.exercises.mistakes import parse, read_mistakes
from attention_book.exercises.mutants import Change, Mutant, changed, instead, swap

TEXT = """\
# masked_softmax

## over the queries

    - largest = e.max(axis=-1, keepdims=True)
    + if True:
    +     largest = e.max(axis=0, keepdims=True)
    - return positive / positive.sum(axis=-1, keepdims=True)
    + return positive / positive.sum(axis=0, keepdims=True)
Over the wrong
axis: *this* one.
Seen: somebody 12;
another 3

## never refuses
    - if not visible.any(axis=-1).all():
    + if False:
    @@
    - e = np.where(visible, e, -np.inf)
You never refuse.

# another
"""


def test_a_section_a_check_and_an_entry_a_mistake():
    known = parse(TEXT)
    assert {name: len(found) for name, found in known.items()} == {
        "masked_softmax": 2,
        "another": 0,
    }
    over, never = known["masked_softmax"]
    assert (over.name, over.says) == (
        "over the queries",
        "Over the wrong axis: *this* one.",
    )
    assert (over.seen, never.seen) == ("somebody 12; another 3", "common")
    assert over.shown.splitlines()[:3] == [
        "- largest = e.max(axis=-1, keepdims=True)",
        "+ if True:",
        "+     largest = e.max(axis=0, keepdims=True)",
    ]
    assert never.shown.endswith("+ if False:\n- e = np.where(visible, e, -np.inf)")


def test_the_lines_of_a_mistake_replace_ours():
    over, never = parse(TEXT)["masked_softmax"]
    e = np.array([[1.0, 2.0], [0.5, 3.0]])
    A = over.of(masked_softmax)(e, np.ones((2, 2), dtype=bool))
    np.testing.assert_allclose(A.sum(axis=0), 1)
    nothing = np.zeros((2, 2), dtype=bool)
    np.testing.assert_allclose(never.of(masked_softmax)(e, nothing).sum(axis=1), 1)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("prose", "mistakes.md begins with 'prose', expected '# '"),
        ("# f\nprose", "line 1, '# f': expected one section of this name, of '## '"),
        ("# f\n# f", "line 2, '# f': expected one section of this name"),
        *(
            (f"# f\n\n## x\n{entry}", "line 3, '## x': expected lines '    - old'")
            for entry in (
                "You err.",
                "    - old",
                "    - old\nSeen: somebody 12",
                "    + new\nYou err.",
                "  - old\nYou err.",
                "    -old\nYou err.",
                "    - a\nYou.\n    + b",
                "    -   a\n    + b\nYou.",
                "    - a\n    + b\n    @@\n    + c\nYou.",
            )
        ),
    ],
)
def test_what_is_written_otherwise_is_named_with_its_line(text, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        parse(text)


@pytest.mark.parametrize("times", [0, 2])
def test_lines_that_do_not_stand_there_once_name_check_mistake_and_line(times):
    text = "def f(x):\n" + "    x = 1  # so\n" * times + "    return x\n"
    (mistake,) = parse("# f\n## wrong\n    - x = 1\nYou err.", "a.md")["f"]
    says = f"a.md, line 2, '## wrong': 'x = 1' stands {times} times in the text"
    with pytest.raises(ValueError, match=re.escape(says)):
        changed(text, mistake.changes)


def test_comments_and_indentation_do_not_matter_and_our_own_lines_come_first():
    text = "def f(x):\n    x = 1  # so\n\n\ndef g(x):\n    # why\n    x = 1\n"
    change = Change("x = 1", "if x:\n    x = 2")
    own = text[text.index("def g") :]
    assert changed(text, [change], own).endswith(
        "def g(x):\n    # why\n    if x:\n        x = 2\n"
    )


def test_the_nearest_file_above_a_module_is_read(tmp_path):
    (tmp_path / "checks").mkdir()
    (tmp_path / "mistakes.md").write_text("# f\n## x\n    - old\nYou err.")
    assert [*read_mistakes(str(tmp_path / "checks" / "one.py"))] == ["f"]


def halves(e, visible):
    return np.full(e.shape, 0.5)


def test_a_twin_may_call_another_helper_or_be_written_out():
    swapped = Mutant("halves", "", twin=swap(masked_softmax=halves))
    _, a_t = swapped.of(attention_step)(np.ones(2), np.ones((4, 2)), np.ones(4, bool))
    assert a_t.tolist() == [0.5] * 4
    assert swapped.shown.startswith("def halves(e, visible):")
    written = Mutant("halves", "", twin=instead(halves))
    assert written.of(masked_softmax) is halves


def test_a_family_makes_mutants_of_its_mistakes():
    mistakes = [Mistake("halves", halves, "Halves."), Mistake("b", max, "")]
    (mutant,) = family(mistakes, instead, only=["halves"])
    assert (mutant.name, mutant.says) == ("halves", "Halves.")
    assert "return np.full(e.shape, 0.5)" in mutant.shown
    with pytest.raises(ValueError, match=r"no mistake is named \['c'\]"):
        family(mistakes, instead, only=["c"])
