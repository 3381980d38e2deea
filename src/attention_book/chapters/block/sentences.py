"""Sentences in which a word has one of two senses, and sentences with hidden words.

    near     the man fed the seal in the barn           the words around tell the sense
    order    the man fed the seal while the woman signed the other one
             the man signed the seal while the woman fed the other one

In the second kind both senses have the same words around them: what counts is which
verb stands before the word.
"""

import zlib
from collections.abc import Sequence
from random import Random

import torch
from jaxtyping import Bool, Int
from torch import Generator, Tensor

from attention_book.data import PAD, START, STOP, Batch, Vocabulary
from attention_book.data.batching import padded
from attention_book.shapes import check_choice, check_count

MASK = "[MASK]"
TOPICS = {  # verbs, nouns, places
    "animal": ("fed chased tamed petted", "dog fox horse", "barn cage zoo"),
    "sport": ("swung threw gripped hit", "ball racket stick", "stadium field gym"),
    "paper": (
        "opened mailed signed stamped",
        "envelope contract parcel",
        "office archive mailroom",
    ),
    "machine": (
        "repaired oiled installed tested",
        "engine motor printer",
        "factory workshop garage",
    ),
    "nature": (
        "reached explored admired sketched",
        "lake forest hill",
        "valley meadow wilderness",
    ),
    "money": (
        "robbed sued audited trusted",
        "lender insurer broker",
        "city market mall",
    ),
    "body": (
        "rubbed washed scratched bandaged",
        "elbow wrist knee",
        "clinic hospital ward",
    ),
    "school": (
        "spelled wrote pronounced erased",
        "syllable vowel word",
        "classroom library lesson",
    ),
}
SENSES = {
    "bat": ("animal", "sport"),
    "seal": ("animal", "paper"),
    "mouse": ("animal", "machine"),
    "crane": ("animal", "machine"),
    "bank": ("nature", "money"),
    "spring": ("nature", "machine"),
    "palm": ("nature", "body"),
    "letter": ("paper", "school"),
}
PEOPLE = ("man", "woman", "child", "teacher", "sailor", "doctor", "baker", "lawyer")
NEUTRAL = ("saw", "liked", "found", "wanted")
# S and Q are people; V a verb, N a noun, P a place of the topic; L a neutral verb; W
# the word; O a verb of its other sense
TEMPLATES = {
    "near": (
        "the S V the W in the P",
        "in the P the S V the W",
        "the S V the W and the N",
        "the S V the N and the W",
        "the S L the W in the P",
        "in the P the S L the W",
    ),
    "order": (
        "the S V the W while the Q O the other one",
        "the S O the other one while the Q V the W",
    ),
}
ANY = (*TEMPLATES["near"], *TEMPLATES["order"], *TEMPLATES["order"])
TWO_SENSES = 0.6  # how likely a sentence is about one of the words with two senses
# Of the words asked for: half of these are replaced by others, half left as they are
SHOWN = 0.2
ASKED = 0.2  # how likely a word is asked for
WORDS = Vocabulary(
    [
        *sorted({w for some in TOPICS.values() for part in some for w in part.split()}),
        *SENSES,
        *PEOPLE,
        *NEUTRAL,
        *("the", "in", "and", "while", "other", "one"),
        MASK,
    ]
)


def sentence(
    rng: Random,
    word: str | None = None,
    sense: int | None = None,
    templates: Sequence[str] = ANY,
) -> tuple[tuple[str, ...], int]:
    """Draw a sentence; return its words, and the place of the one that it is about.

    A word of SENSES and its sense, 0 or 1, are drawn if left out; the word may have one
    sense then.
    """
    if word is None and rng.random() < TWO_SENSES:
        word = rng.choice([*SENSES])
    if word is None:
        topic, other = rng.sample([*TOPICS], 2)
        word = rng.choice(TOPICS[topic][1].split())
    else:
        first = rng.randrange(2) if sense is None else sense
        topic, other = SENSES[word][first], SENSES[word][1 - first]
    verbs, nouns, places = (part.split() for part in TOPICS[topic])
    S, Q = rng.sample(PEOPLE, 2)
    slots = {
        **{"S": S, "Q": Q, "W": word},
        "V": rng.choice(verbs),
        "N": rng.choice([noun for noun in nouns if noun != word]),
        "P": rng.choice(places),
        "L": rng.choice(NEUTRAL),
        "O": rng.choice(TOPICS[other][0].split()),
    }
    form = rng.choice(templates).split()
    return tuple(slots.get(each, each) for each in form), form.index("W")


def held_out(words: Sequence[str]) -> bool:
    """Whether a sentence is kept from training: one in five, by its words."""
    return zlib.crc32(" ".join(words).encode()) % 5 == 0


def contexts(
    word: str, sense: int, kind: str, count: int, *, unseen: bool
) -> tuple[Int[Tensor, "count N"], Bool[Tensor, "count N"], Int[Tensor, "count"]]:
    """Draw different sentences with a word in one of its senses, 0 or 1.

    `unseen`: of those that training may not show; else of the others. Return ids, where
    they are words, and the place of the word in each.
    """
    check_choice("word", word, SENSES)
    check_count("sense", sense, least=0, most=1)
    check_choice("kind", kind, TEMPLATES)
    check_count("count", count)
    rng, drawn = Random(f"0 {word} {sense} {kind}"), {}
    for _ in range(1000 * count):
        words, place = sentence(rng, word, sense, TEMPLATES[kind])
        if held_out(words) == unseen:
            drawn[words] = place
        if len(drawn) == count:
            break
    else:
        raise ValueError(
            f"count is {count}, but only {len(drawn)} sentences with {word!r} were "
            "found"
        )
    source = padded([WORDS.encode(words) for words in drawn])
    return source, source != PAD, torch.tensor([*drawn.values()])


def hide(
    source: Int[Tensor, "B N"],
    vocabulary: Vocabulary,
    rng: Generator,
    shown: float = 0.0,
) -> Batch:
    """Ask for a fifth of the words, and hide them; `target_out` is PAD elsewhere.

    Of the words asked for a share is not hidden but `shown`: half of these are replaced
    by some other word, half are left as they are [devlin2019bert].
    """
    if (last := vocabulary.words[-1]) != MASK:  # any other word replaces one, below
        raise ValueError(f"vocabulary ends with {last!r}, expected {MASK!r}")
    u, kind = torch.rand((2, *source.shape), generator=rng)
    asked = (u < ASKED) & (source > STOP)
    others = torch.randint(STOP + 1, len(vocabulary) - 1, source.shape, generator=rng)
    read = source.masked_fill(asked, len(vocabulary) - 1)
    read = torch.where(asked & (kind < shown), others, read)
    read = torch.where(asked & (kind < shown / 2), source, read)
    target = source.masked_fill(~asked, PAD)
    return Batch(read, source != PAD, torch.full_like(source, START), target)
