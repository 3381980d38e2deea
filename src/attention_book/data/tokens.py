"""From text to words and back.

Of any language with spaces: a word is a run of letters and digits, a punctuation mark a
word of its own, and an apostrophe inside a word ends it, so that French elisions (l',
d', qu' ...) are words of their own. In a language that is named, what it writes with an
apostrophe or a hyphen is split as it should be. Or as the corpora of this book write
theirs: no punctuation at the ends.
"""

import re
import unicodedata

from attention_book.shapes import check_choice, check_filled, check_several, check_type

LANGUAGES = ("en", "fr", "es")
_ELISION = re.compile(r"\b(l|d|j|n|qu)'(?=\w)")
_ELISIONS = re.compile(r"(?i)\b([ldjncsmt]|qu|jusqu|lorsqu|puisqu|quoiqu)'(?=\w)")
_PRONOUN = "je|tu|ils?|elles?|on|nous|vous|ce|moi|toi|l[ea]s?|lui|leur|y|en"
_INVERTED = re.compile(
    rf"(?i)(?<=\w)-((?:t-)?(?:{_PRONOUN}))\b(?!-(?!(?:{_PRONOUN})\b))"
)
_MARK = re.compile(r"[^\w\s]")
# a space before what closes, and after what opens or is elided
_GLUED = re.compile(r" (?=[.,;:!?…)\]}])|(?<=[(\[{¿¡]) |(?<=\w') | (?=-\w)")


def tokenize(
    text: str, language: str | None = None, *, lower: bool = True, marks: bool = False
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
    marks : bool
        Make punctuation marks words in the language that is named, too. An English
        *don't* is one word then, a French *est-elle* two.

    >>> tokenize("L'accord a été signé.", "fr")
    ("l'", 'accord', 'a', 'été', 'signé')
    >>> tokenize("Où est-elle ? – J'arrive !")
    ('où', 'est-elle', '?', '–', "j'", 'arrive', '!')
    >>> tokenize("Aujourd'hui, où est-elle ?", "fr", marks=True)
    ("aujourd'hui", ',', 'où', 'est', '-elle', '?')
    """
    check_type("text", text, str)
    text = (text.lower() if lower else text).replace("\u2019", "'")
    if language is not None:
        check_choice("language", language, LANGUAGES)
    if marks or language is None:
        # composed: é is one letter, whatever the file has made it of
        text = unicodedata.normalize("NFC", text)
        within = "'-." if language else "-."
        text = _MARK.sub(lambda match: _apart(match, within), text)
    else:
        text = text.strip(" \t\n.!?…¡¿")
    if language == "fr":
        text = (_ELISIONS if marks else _ELISION).sub(r"\1' ", text)
        text = _INVERTED.sub(r" -\1", text) if marks else text
    tokens = tuple(text.split())
    check_filled("text", tokens, "word")
    return tokens


def _apart(match: re.Match, within: str) -> str:
    """Set a punctuation mark apart; accents stay, and those that words have within."""
    mark, text, place = match[0], match.string, match.start()
    inside = text[place - 1 : place].isalnum() and text[place + 1 : place + 2].isalnum()
    if inside and mark in within:
        return mark
    if inside and mark == "'":
        return "' "
    # a combining accent or vowel sign is no letter to \w, and yet part of the word
    return mark if unicodedata.category(mark)[0] in "MC" else f" {mark} "


def detokenize(tokens: tuple[str, ...] | list[str]) -> str:
    """Write words as a reader expects them; `tokenize` splits it into them again.

    No words are no text, "".

    >>> detokenize(("j'", "arrive", ",", "dit-elle", "."))
    "j'arrive, dit-elle."
    """
    check_several("tokens", tokens)
    return _GLUED.sub("", " ".join(tokens))
