"""`check_pivot`: from one language to another by way of a third."""

from collections.abc import Sequence

from attention_book.chapters.not_only_translation import solutions
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mistakes import read_mistakes

LANGUAGES = ("en", "fr", "es")
SAME = """
they see | ils voient | ven
you see | tu vois | ves
you see | vous voyez | ven
he sees | il voit | ve
she sees | elle voit | ve
he is seeing | il voit | está viendo
we buy | nous achetons | compramos
we bought | nous avons acheté | compramos
Paris | Paris | París
"""  # each language loses something, so that another way ends elsewhere


class Translator:
    """A translator that knows a few sentences; the first that fits is taken."""

    rows = tuple(
        tuple(tuple(text.split()) for text in row.split(" | "))
        for row in SAME.strip().splitlines()
    )

    def __call__(self, sentences, to):
        """Translate a list of sentences, each some words, into "en", "fr" or "es"."""
        if to not in LANGUAGES:
            raise ValueError(f"to is {to!r}, expected one of {', '.join(LANGUAGES)}")
        for one in [sentences, *sentences]:
            if not isinstance(one, list | tuple):
                raise TypeError(
                    "translate takes a list of sentences, each a list of words; got "
                    f"{sentences!r}"
                )
        return [self.translated(words, to) for words in sentences]

    def translated(self, words: Sequence[str], to: str) -> list[str]:
        """Translate one sentence."""
        for row in self.rows:
            if tuple(words) in row:
                return [*row[LANGUAGES.index(to)]]
        raise ValueError(f"{words} is none of the sentences that translate knows")

    def __repr__(self) -> str:
        return f"a translator that knows these, {' | '.join(LANGUAGES)}:{SAME}"


def one_for_each(example: Example) -> str | None:
    """As many sentences as came, each of them words."""
    said, N = example.got["translations"], len(example.inputs["sentences"])
    if len(said) != N:
        return f"you return {len(said)} sentences for {N}."
    for i, one in enumerate(said):
        if not isinstance(one, list | tuple) or not all(
            isinstance(w, str) for w in one
        ):
            return f"sentence {i} of yours is {one!r}, expected a list of words."
    return None


def step_by_step(example: Example) -> str | None:
    """Show the way of the first sentence that ends elsewhere."""
    translate, sentences, to, by = example.inputs.values()
    pairs = zip(sentences, *(it["translations"] for it in example[1:3]), strict=True)
    for source, said, due in pairs:
        if [*said] != due:
            first, second, third, yours = map(
                " ".join, (source, translate.translated(source, by), due, said)
            )
            return (
                f"of {first!r} translate makes {second!r} ({by}), and of that {third!r}"
                f" ({to}). You return {yours!r}."
            )
    return None


def case(name: str, sentences: str, *, to: str, by: str) -> Case:
    given = [text.split() for text in sentences.split(" / ")]
    return Case(name, translate=Translator(), sentences=given, to=to, by=by)


check_pivot = Check(
    name="pivot",
    reference=solutions.pivot,
    gives={"translations": ""},
    task="Write `pivot(translate, sentences, to, by)`: translate a list of sentences "
    "into the language `to` by way of the language `by`, with translate(sentences, "
    "language), which takes and gives lists of sentences, each a list of words.",
    cases=(
        case(
            "French to Spanish by way of English",
            "vous voyez / vous voyez / elle voit / vous voyez / Paris",
            to="es",
            by="en",
        ),
        case(
            "English to Spanish by way of French",
            "he is seeing / she sees",
            to="es",
            by="fr",
        ),
        case(
            "French to English by way of Spanish",
            "vous voyez / elle voit",
            to="en",
            by="es",
        ),
    ),
    mutants=read_mistakes(__file__)["pivot"],
    laws=(one_for_each, step_by_step),
)
