"""From text to words and back.

Of any language with spaces: a word is a run of letters and digits, a punctuation mark a
word of its own. Or as the corpora of this book write theirs: no punctuation at the
ends. Either way an apostrophe inside a word ends it, so that French elisions (l', d',
qu' ...) are words of their own.
"""

import re
import unicodedata

from attention_book.shapes import check_choice, check_filled, check_type

LANGUAGES = ("en", "fr", "es")
_ELISION = re.compile(r"\b(l|d|j|n|qu)'(?=\w)")
_MARK = re.compile(r"[^\w\s]")
# a space before what closes, and after what opens or is elided
_GLUED = re.compile(r" (?=[.,;:!?…)\]}])|(?<=[(\[{¿¡]) |(?<=\w') ")


def tokenize(
    text: str, language: str | None = None, *, lower: bool = True
) -> tuple[str, ...]:
    """Split a sentence into words, elided ones apart.

    Parameters
    ----------
    text : str
        One sentence.
    language : {"en", "fr", "es"}, optional
        Split as the corpora of this book do, which take punctuation off at both ends.
        Any language, with its punctuation marks as words, when left out.
    lower : bool
        Write all words in lower case.

    >>> tokenize("L'accord a été signé.", "fr")
    ("l'", 'accord', 'a', 'été', 'signé')
    >>> tokenize("Où est-elle ? – J'arrive !")
    ('où', 'est-elle', '?', '–', "j'", 'arrive', '!')
    """
    check_type("text", text, str)
    text = (text.lower() if lower else text).replace("\u2019", "'")
    if language is None:
        # composed: é is one letter, whatever the file has made it of
        text = _MARK.sub(_apart, unicodedata.normalize("NFC", text))
    else:
        check_choice("language", language, LANGUAGES)
        text = text.strip(" \t\n.!?…¡¿")
    if language == "fr":
        text = _ELISION.sub(r"\1' ", text)
    tokens = tuple(text.split())
    check_filled("text", tokens, "word")
    return tokens


def _apart(match: re.Match) -> str:
    """Set a punctuation mark apart; hyphens inside words and accents stay."""
    mark, text, place = match[0], match.string, match.start()
    inside = text[place - 1 : place].isalnum() and text[place + 1 : place + 2].isalnum()
    if inside and mark in "'-":
        return "' " if mark == "'" else mark
    # a combining accent or vowel sign is no letter to \w, and yet part of the word
    return mark if unicodedata.category(mark)[0] in "MC" else f" {mark} "


def detokenize(tokens: tuple[str, ...] | list[str]) -> str:
    """Write words as a reader expects them; `tokenize` splits it into them again.

    >>> detokenize(("j'", "arrive", ",", "dit-elle", "."))
    "j'arrive, dit-elle."
    """
    check_filled("tokens", tokens, "word")
    return _GLUED.sub("", " ".join(tokens))
