"""The check of a model that writes alone: what it is told about a wrong count."""

import pytest

from attention_book.chapters.encoder_decoder.checks.writing import check_words_right


def write(step, start, stop, max_words, *, seen=tuple):
    """Greedily; `seen` is what the model gets to see of the words so far."""
    words = [start]
    while len(words) <= max_words:
        words.append(int(step(seen(words)).argmax()))
        if words[-1] == stop:
            return words[1:-1]
    return words[1:]


def share(written, references):
    pairs = zip(written, references, strict=True)
    hits = sum(w == r for said, right in pairs for w, r in zip(said, right))  # noqa: B905
    return hits / sum(map(len, references))


def counting(**wrong):
    """Make a solution with another way to write, or to count."""

    def words_right(step, start, stop, references, max_words):
        written = []
        for b, reference in enumerate(references):
            most = wrong["most"](reference) if "most" in wrong else max_words
            written.append(
                write(
                    lambda words, b=b: step(b, words),
                    start,
                    stop,
                    most,
                    seen=wrong.get("seen", tuple),
                )
            )
        return wrong.get("count", share)(written, references)

    return words_right


def whole_sentences(written, references):
    return sum(map(list.__eq__, written, references)) / len(references)


def wherever_they_stand(written, references):
    pairs = zip(written, references, strict=True)
    hits = sum(word in said for said, right in pairs for word in right)
    return hits / sum(map(len, references))


def test_writing_alone_and_counting_words_is_right():
    assert check_words_right(counting())


@pytest.mark.parametrize(
    ("wrong", "mistake"),
    [
        ({"count": whole_sentences}, "2 right words of 9, 0.222; you return 0.250"),
        ({"count": wherever_they_stand}, "alone, the model writes [[3, 4], "),
        ({"seen": lambda words: words[-1:]}, "right words of"),
        ({"most": len}, "right words of"),
        ({"count": lambda written, _: share(written, written)}, "you return 1.000"),
    ],
)
def test_a_wrong_count_is_shown_beside_what_is_written(wrong, mistake):
    assert mistake in repr(check_words_right(counting(**wrong)))
