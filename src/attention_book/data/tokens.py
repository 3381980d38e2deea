"""From text to words and back, as the corpora of this book write them.

Words are lower-cased and separated by spaces; the French elided words (l', d', qu' ...)
are words of their own.
"""

import re

LANGUAGES = ("en", "fr", "es")
ELIDED = ("l'", "d'", "j'", "n'", "qu'")
_ELISION = re.compile(r"\b(l|d|j|n|qu)'(?=\w)")


def _check(language: str) -> None:
    if language not in LANGUAGES:
        raise ValueError(
            f"language is {language!r}: expected one of {', '.join(LANGUAGES)}"
        )


def tokenize(text: str, language: str) -> tuple[str, ...]:
    """Split a sentence into words: lower case, no final punctuation, French elisions
    apart.

    >>> tokenize("L'accord a été signé.", "fr")
    ("l'", 'accord', 'a', 'été', 'signé')

    Raises
    ------
    TypeError
        If `text` is not a string.
    ValueError
        If the language is unknown or the text has no words.
    """
    _check(language)
    if not isinstance(text, str):
        raise TypeError(f"text must be a string, got {type(text).__name__}")
    text = text.lower().replace("\u2019", "'").strip(" \t\n.!?…¡¿")
    if language == "fr":
        text = _ELISION.sub(r"\1' ", text)
    tokens = tuple(text.split())
    if not tokens:
        raise ValueError("text is empty: expected a sentence of at least one word")
    return tokens


def detokenize(tokens: tuple[str, ...] | list[str], language: str) -> str:
    """Write words as a reader expects them: the inverse of `tokenize` on lower-case
    text.

    >>> detokenize(("l'", "accord"), "fr")
    "l'accord"
    """
    _check(language)
    if isinstance(tokens, str):
        raise TypeError(
            f"tokens must be a sequence of words, got the string {tokens!r}"
        )
    text = " ".join(tokens)
    if language == "fr":
        text = re.sub(rf"\b({'|'.join(e[:-1] for e in ELIDED)})' ", r"\1'", text)
    return text
