"""From text to words and back, as the corpora of this book write them.

Words are lower-cased and separated by spaces; the French elided words (l', d', qu' ...)
are words of their own.
"""

import re

from attention_book.shapes import check_choice, check_filled, check_type

LANGUAGES = ("en", "fr", "es")
ELIDED = ("l'", "d'", "j'", "n'", "qu'")
_ELISION = re.compile(r"\b(l|d|j|n|qu)'(?=\w)")


def tokenize(text: str, language: str) -> tuple[str, ...]:
    """Split a sentence into lower-case words, French elisions apart.

    Punctuation at either end is taken off.

    >>> tokenize("L'accord a été signé.", "fr")
    ("l'", 'accord', 'a', 'été', 'signé')

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If the language is unknown or the text has no words.
    """
    check_choice("language", language, LANGUAGES)
    check_type("text", text, str)
    text = text.lower().replace("\u2019", "'").strip(" \t\n.!?…¡¿")
    if language == "fr":
        text = _ELISION.sub(r"\1' ", text)
    tokens = tuple(text.split())
    check_filled("text", tokens, "word")
    return tokens


def detokenize(tokens: tuple[str, ...] | list[str], language: str) -> str:
    """Write words as a reader expects them: undo `tokenize`, of lower-case text.

    >>> detokenize(("l'", "accord"), "fr")
    "l'accord"
    """
    check_choice("language", language, LANGUAGES)
    check_filled("tokens", tokens, "word")
    text = " ".join(tokens)
    if language == "fr":
        text = re.sub(rf"\b({'|'.join(e[:-1] for e in ELIDED)})' ", r"\1'", text)
    return text
