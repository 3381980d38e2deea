"""The reader's own corpus: files as they come, parts without leaks, unknown words."""

import codecs
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_book.data import (
    FIFTY_PAIRS,
    Pair,
    Vocabulary,
    batches,
    detokenize,
    pairs_from,
    split,
    tokenize,
)

TWO = "I am hungry.\tJ'ai faim.\nWe see it!\tOn la voit !\n"
PAIRS = [
    Pair(("i", "am", "hungry", "."), ("j'", "ai", "faim", ".")),
    Pair(("we", "see", "it", "!"), ("on", "la", "voit", "!")),
]


def written(tmp_path, content, encoding="utf-8"):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(
        content if isinstance(content, bytes) else content.encode(encoding)
    )
    return path


@pytest.mark.parametrize(
    "content",
    [
        TWO,
        TWO.rstrip(),
        TWO.replace("\n", "\r\n"),
        TWO.replace("\n", "\r"),
        codecs.BOM_UTF8 + TWO.replace("\n", "\r\n").encode(),
        f"\n  \n{TWO}\t\n\n",
        TWO.replace("'", "\u2019").replace(" !", "\u202f!"),
    ],
    ids=["plain", "unended", "windows", "macintosh", "mark", "blank", "typeset"],
)
def test_a_file_of_any_system_gives_the_same_pairs(tmp_path, content):
    path = written(tmp_path, content)
    assert pairs_from(path) == pairs_from(str(path)) == PAIRS


def test_lines_are_read_as_a_file_is(tmp_path):
    assert pairs_from(TWO.splitlines()) == PAIRS
    with open(
        written(tmp_path, "Où ?\tWhere?\n", "latin-1"), encoding="latin-1"
    ) as old:
        assert pairs_from(old) == [Pair(("où", "?"), ("where", "?"))]


def test_a_byte_order_mark_is_no_part_of_the_first_word_of_lines(tmp_path):
    path = written(tmp_path, codecs.BOM_UTF8 + TWO.encode())
    with open(path, encoding="utf-8") as file:
        assert pairs_from(file) == PAIRS
    joined = [f"\ufeff{line}" for line in ["", *TWO.splitlines()]]  # as by cat
    assert pairs_from(joined) == PAIRS


def test_one_language_may_be_another_than_those_that_are_known():
    (pair,) = pairs_from(["I don't.\tIch nicht, ma'am."], languages=("en", None))
    assert pair == Pair(("i", "don't", "."), ("ich", "nicht", ",", "ma'", "am", "."))


def test_columns_are_chosen_and_case_is_kept_on_demand():
    lines = ["Go.\tVa !\tCC-BY 2.0 somebody & someone", "Run!\tCours !\tCC-BY"]
    assert pairs_from(lines)[1] == Pair(("run", "!"), ("cours", "!"))
    (first, _) = pairs_from(lines, columns=(1, 0), lower=False)
    assert first == Pair(("Va", "!"), ("Go", "."))


def test_an_accent_is_one_letter_however_the_file_makes_it():
    composed, apart = "é", "e\u0301"
    assert pairs_from([f"a\t{apart}t{apart}"])[0].target == (f"{composed}t{composed}",)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("a\tb\nO\xf9 ?\tWhere?\n".encode("latin-1"), 2),
        (codecs.BOM_UTF8 + "a\tb\nc\td\n\xe9t\xe9\ti".encode("latin-1"), 3),
        (TWO.encode("utf-16"), 1),
    ],
)
def test_a_file_that_is_not_utf_8_is_named_with_the_line(tmp_path, content, line):
    with pytest.raises(ValueError, match=rf"line {line} of .*pairs\.tsv is not UTF-8"):
        pairs_from(written(tmp_path, content))


def test_a_file_that_is_missing_or_of_one_language_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.tsv"):
        pairs_from(tmp_path / "nowhere.tsv")
    with pytest.raises(ValueError, match=r"line 1 of .*pairs\.tsv has 1 column"):
        pairs_from(written(tmp_path, "I am hungry.\nWe see it!\n"))
    with pytest.raises(ValueError, match=r"file of .*pairs\.tsv is empty"):
        pairs_from(written(tmp_path, ""))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("L'accord n’est-il pas signé ?", "l' accord n' est-il pas signé ?"),
        ("«Oui», dit-elle... 3.5 – 4!", "« oui » , dit-elle . . . 3.5 – 4 !"),
        ("The U.S.A.? No.", "the u.s.a . ? no ."),
        ("'a' -b- c'", "' a ' - b - c '"),
        ("हिन्दी में लिखो।", "हिन्दी में लिखो ।"),
        ("می‌خواهم بروم؟", "می‌خواهم بروم ؟"),
        ("¿Qué? ¡Ay!", "¿ qué ? ¡ ay !"),
    ],
)
def test_a_sentence_of_any_language_with_spaces_is_split(text, words):
    assert tokenize(text) == tuple(words.split())


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        (
            "en",
            "I'm here: don't go, it's 8.",
            "I'm here : don't go , it's 8 .",
        ),
        ("fr", "N’est-elle pas là ?", "N' est -elle pas là ?"),
        ("fr", "Y a-t-il quelqu'un ?", "Y a -t-il quelqu'un ?"),
        ("fr", "Donne-le-moi lui-même.", "Donne -le -moi lui-même ."),
        ("fr", "Aujourd'hui, c'est-à-dire...", "Aujourd'hui , c' est-à-dire . . ."),
        ("es", "¿Qué? O'Higgins.", "¿ Qué ? O'Higgins ."),
    ],
)
def test_a_language_splits_what_it_writes_with_marks(language, text, words):
    split = tokenize(text, language, marks=True, lower=False)
    assert split == tuple(words.split())
    assert tokenize(detokenize(split), language, marks=True, lower=False) == split
    (pair,) = pairs_from([f"{text}\t{text}"], languages=(language, "en"), lower=False)
    assert pair.source == split


@given(st.text(alphabet=st.characters(codec="utf-8")).filter(str.strip))
def test_what_is_written_out_is_split_the_same_way(text):
    words = tokenize(text)
    assert tokenize(detokenize(words)) == words
    assert "".join(words).strip()


def test_no_words_are_no_text():
    assert detokenize(()) == detokenize([]) == ""


def test_words_are_written_as_a_reader_expects():
    text = "j'arrive (demain), dit-elle: ¿qué?"
    assert detokenize(tokenize(text)) == text


def test_a_word_that_is_rare_or_new_is_unknown_and_comes_back_so():
    words = Vocabulary.count([["b", "a", "b"], ("c", "a", "b")], min_count=2)
    assert words.words[3:] == ("[UNK]", "b", "a")
    assert words.encode(["a", "c", "z", "b"], stop=True) == [5, 3, 3, 4, 2]
    assert words.decode([5, 3, 2]) == ("a", "[UNK]")
    again = Vocabulary(words.to_list())
    assert again == words
    assert again.encode(["z"]) == [3]


def test_text_that_has_the_unknown_word_itself_is_counted():
    assert Vocabulary.count([["[UNK]", "a"]]).words[3:] == ("[UNK]", "a")


def plain(words):
    return tuple(word.casefold() for word in words if word.isalnum()) or words


SENTENCES = st.lists(st.sampled_from("abcdefghABC.!"), min_size=1, max_size=2)


@given(st.lists(st.tuples(SENTENCES, SENTENCES), max_size=40), st.integers(0, 5))
def test_no_sentence_of_either_side_stands_in_two_parts(sides, seed):
    linked = [Pair(tuple(source), tuple(target)) for source, target in sides]
    pairs = [*linked, *(Pair((f"w{i}",), (f"v{i}",)) for i in range(60))]
    parts = split(pairs, (0.7, 0.3), seed=seed)
    first, second = ([*map(id, part)] for part in parts)
    assert sorted(first + second) == sorted(map(id, pairs))
    for side in ("source", "target"):
        met, unmet = ({plain(getattr(p, side)) for p in part} for part in parts)
        assert not met & unmet


def test_parts_have_their_shares_and_keep_the_order():
    pairs = [Pair((f"w{i}",), (f"v{i}",)) for i in range(200)]
    parts = split(pairs, seed=1)
    assert [*map(len, parts)] == [160, 20, 20]
    places = [[pairs.index(pair) for pair in part] for part in parts]
    assert all(part == sorted(part) for part in places)
    assert parts[1] != pairs[160:180]
    assert split(pairs, seed=1) == parts != split(pairs, seed=2)


@pytest.mark.parametrize("seed", range(5))
def test_a_sentence_that_many_pairs_share_leaves_the_parts_their_shares(seed):
    pairs = [Pair((f"w{min(i, 160)}",), (f"v{i}",)) for i in range(200)]
    assert [*map(len, split(pairs, seed=seed))] == [160, 20, 20]


@pytest.mark.parametrize("seed", range(5))
def test_groups_of_each_size_are_as_frequent_in_each_part(seed):
    sizes = [1] * 3000 + [2] * 1000 + [5] * 500 + [20] * 125
    pairs = [
        Pair((f"w{g}",), (f"v{g}-{i}",)) for g, n in enumerate(sizes) for i in range(n)
    ]
    size = dict(enumerate(sizes))
    parts = split(pairs, seed=seed)
    assert [len(part) / len(pairs) for part in parts] == pytest.approx(
        [0.8, 0.1, 0.1], abs=0.02
    )
    for part in parts:
        of = Counter(size[int(pair.source[0][1:])] for pair in part)
        for n, share in {1: 0.3, 2: 0.2, 5: 0.25, 20: 0.25}.items():
            assert of[n] / len(part) == pytest.approx(share, abs=0.15)


def test_batches_end_after_their_epochs():
    words = Vocabulary([*"abcdefgh"])
    pairs = [Pair((a,), (a,)) for a in "abcdefgh"]
    each = list(batches(pairs, words, words, tokens_per_batch=6, seed=0, epochs=2))
    met = Counter(int(row[0]) for batch in each for row in batch.source)
    assert met == dict.fromkeys(range(3, 11), 2)


def test_the_fifty_pairs_are_fifty_short_different_ones():
    pairs = pairs_from(FIFTY_PAIRS)
    assert len({pair.source for pair in pairs}) == len(pairs) == 50
    assert len({pair.target for pair in pairs}) == 50
    sizes = [sum(map(str.isalpha, pair.source)) for pair in pairs]
    assert 3 <= min(sizes) <= max(sizes) <= 8
    words = Counter(word for pair in pairs for word in pair.source)
    assert sum(n > 1 for n in words.values()) > 0.9 * len(words)
