"""A vocabulary: the fixed list of words a model knows, to numbers and back.

Three ids mean the same in every vocabulary of the book: `PAD` fills short rows of a
batch, `START` opens what a decoder reads, `STOP` closes what it writes. A vocabulary
counted from text has one more word, "[UNK]", for all those that it does not know.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from attention_book.shapes import START, STOP, check_count, check_filled, check_type

SPECIALS = ("[PAD]", "[START]", "[STOP]")  # in the order of their ids
UNKNOWN = "[UNK]"


class Vocabulary:
    """Words with ids: the specials first, then `words` in the order given.

    Parameters
    ----------
    words : iterable of str
        Each once, none of them a special. If "[UNK]" is among them, words that are not
        are encoded as it.
    """

    def __init__(self, words: Iterable[str]):
        if isinstance(words, str):
            raise TypeError(
                f"words must be several words, got the single string {words!r}: split "
                "it first"
            )
        self._words: tuple[str, ...] = SPECIALS
        self._ids = {word: i for i, word in enumerate(SPECIALS)}
        for word in words:
            self._add(word)
        self._words = tuple(self._ids)

    def _add(self, word: str) -> None:
        check_type("each of words", word, str)
        if not word or word in self._ids:
            again = "a special" if word in SPECIALS else "given twice"
            what = again if word else "empty"
            raise ValueError(
                f"words holds {word!r}, which is {what}: every word must be new and "
                "non-empty"
            )
        self._ids[word] = len(self._ids)

    def __len__(self) -> int:
        return len(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self._words)

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} words: {', '.join(self._words[:6])}, ...)"

    @property
    def words(self) -> tuple[str, ...]:
        """All words, specials included: the word with id i is `words[i]`."""
        return self._words

    def encode(
        self, tokens: Sequence[str], start: bool = False, stop: bool = False
    ) -> list[int]:
        """Ids of the tokens, with START before and STOP after on demand."""
        check_filled("tokens", tokens, "word")
        ids = [self._id(word, place) for place, word in enumerate(tokens)]
        return [START] * start + ids + [STOP] * stop

    def _id(self, word: str, place: int) -> int:
        if word in self._ids:
            return self._ids[word]
        if UNKNOWN in self._ids:
            return self._ids[UNKNOWN]
        near = get_close_matches(str(word), self._words[len(SPECIALS) :], n=3)
        nearest = f"the nearest known words are {', '.join(map(repr, near))}"
        hint = nearest if near else "no known word is near it"
        raise ValueError(
            f"tokens[{place}] is {word!r}, which is not among the {len(self)} known "
            f"words; {hint}"
        )

    def decode(self, ids: Iterable[int]) -> tuple[str, ...]:
        """Words of the ids up to the first STOP, without specials."""
        words = []
        for place, i in enumerate(map(int, ids)):
            check_count(f"ids[{place}]", i, 0, len(self) - 1)
            if i == STOP:
                break
            if i >= len(SPECIALS):
                words.append(self._words[i])
        return tuple(words)

    def to_list(self) -> list[str]:
        """The words without the specials, to save: `Vocabulary` takes them again."""
        return list(self._words[len(SPECIALS) :])

    @classmethod
    def count(
        cls, sentences: Iterable[Sequence[str]], *, min_count: int = 1
    ) -> "Vocabulary":
        """The words of some sentences, the most frequent first, after "[UNK]".

        Parameters
        ----------
        sentences : iterable of sequences of str
            Those to train on, and no others: what stands only elsewhere is unknown.
        min_count : int
            How often a word must come to be known. Only with 2 or more does a model
            meet "[UNK]" in training.
        """
        check_count("min_count", min_count)
        counts: Counter[str] = Counter()
        for i, words in enumerate(sentences):
            check_filled(f"sentences[{i}]", words, "word")
            counts.update(words)
        known = [word for word, n in counts.most_common() if n >= min_count]
        check_filled(f"sentences, of words that come {min_count} times", known, "word")
        return cls([UNKNOWN, *(word for word in known if word != UNKNOWN)])
