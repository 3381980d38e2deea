"""Seven things to do to a sentence, and prompts that show one of them by examples.

    in: the cat see my dog out: the cat sees my dog . in: your fox bite the king out:

What is done is never named. The full stop that closes each example is [STOP], so that
whatever writes ends there.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple
from zlib import crc32

from attention_book.data import STOP, Vocabulary
from attention_book.shapes import check_choice

Words = tuple[str, ...]


class Verb(NamedTuple):
    """A verb's forms."""

    bare: str
    third: str
    past: str
    participle: str


NOUNS = {  # and their plurals
    "cat": "cats",
    "dog": "dogs",
    "king": "kings",
    "queen": "queens",
    "child": "children",
    "bird": "birds",
    "teacher": "teachers",
    "friend": "friends",
    "man": "men",
    "fox": "foxes",
    "mouse": "mice",
    "woman": "women",
}
VERBS = (
    Verb("see", "sees", "saw", "seen"),
    Verb("know", "knows", "knew", "known"),
    Verb("draw", "draws", "drew", "drawn"),
    Verb("hide", "hides", "hid", "hidden"),
    Verb("choose", "chooses", "chose", "chosen"),
    Verb("bite", "bites", "bit", "bitten"),
    Verb("forget", "forgets", "forgot", "forgotten"),
    Verb("follow", "follows", "followed", "followed"),
)
DETERMINERS = ("the", "my", "our", "your")
ADJECTIVES = ("old", "big", "red", "sad")
IN, OUT, END = "in:", "out:", "."

_SMALL = (IN, OUT, "does", "not", "is", "are", "by", "will", *DETERMINERS, *ADJECTIVES)
_FORMS = (form for forms in (*NOUNS.items(), *VERBS) for form in forms)
WORDS = Vocabulary(dict.fromkeys((*_SMALL, *_FORMS)))  # followed: past and participle
TOKENS = ("[PAD]", "[START]", END, *WORDS.to_list())  # by id, to be shown

MOST_EXAMPLES = 5  # of a prompt, in training
P_ADJECTIVE = 0.5  # of a noun
P_POOR = 0.5  # of a sentence
SPLITS = ("test", "development", *8 * ("training",))  # tenths


class Phrase(NamedTuple):
    """A noun with what stands before it."""

    determiner: str
    adjective: str  # or ""
    noun: str  # its singular
    many: bool = False

    def words(self) -> Words:
        """Write it."""
        noun = NOUNS[self.noun] if self.many else self.noun
        return tuple(filter(None, (self.determiner, self.adjective, noun)))


@dataclass(frozen=True)
class Sentence:
    """Someone does something to others: *the sad woman follows your kings*.

    In `poor` English the verb lacks its ending: *the sad woman follow your kings*.
    """

    subject: Phrase  # one
    verb: Verb
    object: Phrase  # one or many
    poor: bool = False

    @property
    def given(self) -> Words:
        """The sentence as a prompt gives it."""
        return self.say(self.verb.bare if self.poor else self.verb.third)

    def say(self, *verb: str, many: bool = False) -> Words:
        """Write it with such a verb, and perhaps with the subject in the plural."""
        subject = self.subject._replace(many=many)
        return (*subject.words(), *verb, *self.object.words())

    @property
    def be(self) -> str:
        """The form of *be* that the object asks for as a subject."""
        return "are" if self.object.many else "is"

    @property
    def done(self) -> Words:
        """The end of the passive: *followed by the sad woman*."""
        return (self.verb.participle, "by", *self.subject.words())

    @property
    def split(self) -> str:
        """Tell which split it is of, by its subject, verb and object alone."""
        words = self.subject.noun, self.verb.bare, self.object.noun
        return SPLITS[crc32(" ".join(words).encode()) % len(SPLITS)]


Operation = Callable[[Sentence], Words]

OPERATIONS: dict[str, Operation] = {
    "correct": lambda s: s.say(s.verb.third),
    "past": lambda s: s.say(s.verb.past),
    "plural": lambda s: s.say(s.verb.bare, many=True),
    "negation": lambda s: s.say("does", "not", s.verb.bare),
    "passive": lambda s: (*s.object.words(), s.be, *s.done),
    "question": lambda s: ("does", *s.say(s.verb.bare)),
    "future": lambda s: s.say("will", s.verb.bare),
}
UNKNOWN: dict[str, Operation] = {  # to a network that was trained on those above
    "swap": lambda s: (
        *s.object.words(),
        s.verb.bare if s.object.many else s.verb.third,
        *s.subject.words(),
    ),
    "backwards": lambda s: s.given[::-1],
}
COMPOSED: dict[str, Operation] = {  # of two that it was trained on
    "plural + past": lambda s: s.say(s.verb.past, many=True),
    "future + negation": lambda s: s.say("will", "not", s.verb.bare),
    "passive + negation": lambda s: (*s.object.words(), s.be, "not", *s.done),
    "passive + question": lambda s: (s.be, *s.object.words(), *s.done),
}
EVERY = OPERATIONS | UNKNOWN | COMPOSED


def which(output: Sequence[str], sentence: Sentence) -> str | None:
    """Name the operation of `EVERY` that makes this output of the sentence, if any."""
    made = (name for name, do in EVERY.items() if do(sentence) == tuple(output))
    return next(made, None)


def sentences(rng: Random, split: str) -> Iterator[Sentence]:
    """Draw sentences of a split, without end.

    No two splits share a subject noun, verb and object noun; they share all words.
    """
    check_choice("split", split, dict.fromkeys(SPLITS))
    while True:
        nouns = rng.sample([*NOUNS], 2)
        subject, object = (
            Phrase(
                rng.choice(DETERMINERS),
                rng.choice(ADJECTIVES) if rng.random() < P_ADJECTIVE else "",
                noun,
            )
            for noun in nouns
        )
        drawn = Sentence(
            subject,
            rng.choice(VERBS),
            object._replace(many=rng.random() < 0.5),
            poor=rng.random() < P_POOR,
        )
        if drawn.split == split:
            yield drawn


def parsed(words: Sequence[str]) -> Sentence:
    """Read a sentence as a prompt gives it: the inverse of `Sentence.given`."""
    verb, at, poor = next(
        (
            (verb, k, word == verb.bare)
            for k, word in enumerate(words)
            for verb in VERBS
            if word in verb[:2]
        ),
        (VERBS[0], 0, False),
    )
    subject, object = _phrase(words[:at]), _phrase(words[at + 1 :])
    if subject is None or object is None or subject.many:
        raise ValueError(
            f"words are {' '.join(words)!r}, expected a sentence such as "
            "'the sad woman follow your kings'"
        )
    return Sentence(subject, verb, object, poor)


def _phrase(words: Sequence[str]) -> Phrase | None:
    determiner, *adjective, noun = words if len(words) > 1 else ("", "")
    singular = {many: one for one, many in NOUNS.items()}.get(noun, noun)
    known = determiner in DETERMINERS and singular in NOUNS
    if not known or len(adjective) > 1 or not {*adjective} <= {*ADJECTIVES}:
        return None
    return Phrase(determiner, "".join(adjective), singular, noun != singular)


Pair = tuple[Words, Words]  # an input and its output


def pair(sentence: Sentence, operation: str) -> Pair:
    """Do something to a sentence: a pair for a prompt."""
    check_choice("operation", operation, EVERY)
    return sentence.given, EVERY[operation](sentence)


def prompt(examples: Iterable[Pair], asked: Sequence[str]) -> Words:
    """Write a prompt: examples, and an input whose output is asked for."""
    shown = (
        word for given, output in examples for word in (IN, *given, OUT, *output, END)
    )
    return (*shown, IN, *asked, OUT)


@dataclass(frozen=True)
class Case:
    """A prompt, and what is known of it."""

    examples: tuple[Pair, ...]
    sentence: Sentence
    operation: str  # that is asked for

    @property
    def prompt(self) -> Words:
        """What a network is given."""
        return prompt(self.examples, self.sentence.given)

    @property
    def answer(self) -> Words:
        """The output that is right."""
        return EVERY[self.operation](self.sentence)

    @property
    def text(self) -> Words:
        """The prompt with its answer."""
        return (*self.prompt, *self.answer, END)


def case(
    drawn: Iterator[Sentence], operation: str, shown: Sequence[str | None] = ()
) -> Case:
    """Make a case of drawn sentences.

    Each example shows an operation that is named in `shown`; None shows the case's own
    with an output that belongs to another sentence.
    """
    examples = (
        (next(drawn).given, pair(next(drawn), operation)[1])
        if name is None
        else pair(next(drawn), name)
        for name in shown
    )
    return Case(tuple(examples), next(drawn), operation)


def encode(text: Sequence[str]) -> list[int]:
    """Give the ids of a text, its full stops as [STOP]."""
    return [STOP if word == END else WORDS.encode([word])[0] for word in text]


def decode(ids: Iterable[int]) -> Words:
    """Write a text's words, full stops included."""
    return tuple(TOKENS[i] for i in ids)
