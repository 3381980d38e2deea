"""Words in pieces: byte-pair encoding [sennrich2016neural], by the library tokenizers.

Frequent words stay whole, rare ones fall into pieces, at worst into letters. So a model
can read and write words that it never met, and none is "[UNK]". `Subwords` are of words
between blanks, `TextPieces` of any text, which comes back letter by letter.
"""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from attention_book.data.pairs import Pair
from attention_book.data.vocabulary import SPECIALS, UNKNOWN, Vocabulary
from attention_book.shapes import check_count, check_filled, check_type

if TYPE_CHECKING:
    from tokenizers import Tokenizer

BEGINS = "\u2581"  # heads a piece that begins a word, as in SentencePiece


class _Pieces:
    """What both kinds are: read, written down, and known by ids."""

    def __init__(self, kept: str):
        check_type("kept", kept, str)
        library = _library()
        try:
            self._pieces: Tokenizer = library.Tokenizer.from_str(kept)
        except Exception as error:  # it raises no narrower class
            raise ValueError(
                f"kept is {kept!r:.80}, expected what `to_json` gives"
            ) from error
        self._pieces.encode_special_tokens = True  # "[STOP]" in a text is letters

    def to_json(self) -> str:
        """Write down the pieces and their order, to keep beside a model."""
        return self._pieces.to_str()

    @property
    def vocabulary(self) -> Vocabulary:
        """The specials and the pieces, each with the id that the library gives it."""
        known = sorted(self._pieces.get_vocab().items(), key=lambda each: each[1])
        return Vocabulary(piece for piece, _ in known[len(SPECIALS) :])


class Subwords(_Pieces):
    """Cuts words into pieces, and joins pieces into words.

    A letter that training never had is "[UNK]", which comes before the pieces in the
    `vocabulary`. `Subwords(kept)` has what `to_json` kept.
    """

    @classmethod
    def learn(
        cls, sentences: Iterable[Sequence[str]], *, size: int = 4_000
    ) -> "Subwords":
        """Learn so many pieces, specials and letters included, from training text.

        Give it those of both languages: names are cut alike then, and one vocabulary
        serves both.
        """
        check_count("size", size)
        tokenizers, lines = _library(), []
        for i, words in enumerate(sentences):
            check_filled(f"sentences[{i}]", words, "word")
            lines.append(" ".join(words))
        check_filled("sentences", lines, "sentence")
        pieces = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token=UNKNOWN))
        pieces.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(BEGINS)
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=[*SPECIALS, UNKNOWN],
            show_progress=False,
        )
        pieces.train_from_iterator(lines, trainer)
        return cls(pieces.to_str())

    def cut(self, words: Sequence[str]) -> tuple[str, ...]:
        """Cut each word: ("the", "portlet") may become ("▁the", "▁port", "let")."""
        check_filled("words", words, "word")
        return tuple(self._pieces.encode(" ".join(words)).tokens)

    def cut_pair(self, pair: Pair) -> Pair:
        """Cut both sentences of a pair; gold links are lost."""
        return Pair(self.cut(pair.source), self.cut(pair.target))

    @staticmethod
    def join(pieces: Sequence[str]) -> tuple[str, ...]:
        """Make words of pieces again."""
        return tuple("".join(pieces).replace(BEGINS, " ").split())


class TextPieces(_Pieces):
    """Cuts any text into pieces of bytes [radford2019language], and joins them again.

    The text comes back as it was, blanks and ends of lines included, so its probability
    can be told by that of its pieces. In the `vocabulary` a blank is "Ġ", the end of a
    line "Ċ". `TextPieces(kept)` has what `to_json` kept.
    """

    @classmethod
    def learn(cls, texts: Sequence[str], *, size: int = 1_000) -> "TextPieces":
        """Learn so many pieces, the specials and 256 bytes included."""
        tokenizers = _library()
        check_filled("texts", texts, "text")
        alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
        check_count("size", size, len(SPECIALS) + len(alphabet))
        pieces = tokenizers.Tokenizer(tokenizers.models.BPE())
        pieces.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(
            add_prefix_space=False
        )
        pieces.decoder = tokenizers.decoders.ByteLevel()
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=size,
            initial_alphabet=alphabet,
            special_tokens=[*SPECIALS],
            show_progress=False,
        )
        pieces.train_from_iterator(texts, trainer)
        return cls(pieces.to_str())

    @property
    def merges(self) -> list[tuple[int, int]]:
        """The pairs that are joined, as ids, the first learned first; each makes the
        piece with the next id.
        """
        kept = json.loads(self.to_json())["model"]
        return [(kept["vocab"][a], kept["vocab"][b]) for a, b in kept["merges"]]

    def encode(self, text: str) -> list[int]:
        """Cut a text: the ids of its pieces."""
        return self._pieces.encode(text).ids

    def decode(self, ids: Sequence[int]) -> str:
        """Join pieces, without specials; bytes that are no letter become "\ufffd"."""
        return self._pieces.decode(list(ids))


def _library():
    try:
        import tokenizers
        import tokenizers.decoders
        import tokenizers.models
        import tokenizers.pre_tokenizers
        import tokenizers.trainers
    except ImportError as error:
        raise ImportError(
            "Subwords need the library tokenizers: pip install tokenizers"
        ) from error
    return tokenizers
