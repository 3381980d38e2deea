"""A batch's contexts, and the share of words right, against what needs neither."""

import numpy as np
import pytest

from attention_book.reference import attend, contexts, dot_score, words_right

rng = np.random.default_rng(0)
S, H, LENGTHS = rng.normal(size=(3, 4)), rng.normal(size=(3, 5, 4)), [3, 5, 1]
TEXTS = ("1342", "14333", "132", "142")
NEXT = {1: 3, 2: 3, 3: 4, 4: 2}


def write(b, words):
    """Continue a text of its own for each sentence; off it, the last word decides."""
    text, said = TEXTS[b], "".join(map(str, words))
    known = text.startswith(said) and said != text
    return np.eye(5)[int(text[len(said)]) if known else NEXT[words[-1]]]


def test_a_sentence_of_a_batch_gets_the_context_it_gets_alone():
    c, a = contexts(S, H, LENGTHS)
    for b, n in enumerate(LENGTHS):
        c_alone, a_alone, _ = attend(dot_score, S[b], H[b, :n])
        np.testing.assert_allclose(c[b], c_alone)
        np.testing.assert_allclose(a[b, :n], a_alone)
        assert not a[b, n:].any()


@pytest.mark.parametrize("more", [1, 5, 50])
def test_more_padding_changes_nothing(more):
    padded = np.concatenate([H, rng.normal(size=(3, more, 4))], axis=1)
    np.testing.assert_allclose(
        contexts(S, padded, LENGTHS)[0], contexts(S, H, LENGTHS)[0]
    )


@pytest.mark.parametrize(
    ("references", "share"),
    [
        ([[3, 4], [4, 3, 3, 3], [3], [4]], 1.0),
        ([[3, 4, 3], [4], [3], [4, 4]], 5 / 7),  # too short, too long, right, too short
        ([[4], [3], [4], [3]], 0.0),
    ],
)
def test_words_the_model_writes_alone_are_counted_at_their_place(references, share):
    assert words_right(write, 1, 2, references, 4) == pytest.approx(share)


def test_the_references_do_not_change_what_is_written():
    """After a wrong first word nobody puts the model right again."""
    references = [[4, 2], [3, 3], [4, 2], [3, 4]]
    assert words_right(write, 1, 2, references, 4) == pytest.approx(1 / 8)


def test_without_references_there_is_nothing_to_count():
    with pytest.raises(ValueError, match="references is empty"):
        words_right(write, 1, 2, [], 4)
