"""Text without labels: English sentences of one clause, and how BERT is shown them.

    [CLS] we saw the bread . [SEP] she ate a [MASK] . [SEP]
      0    0  0   0    0   0   0    1   1  1   1    1   1      segments

A sentence's topic is that of the noun which something is done to. Nobody labelled it:
it only decides which sentences follow each other in the text.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from math import isclose
from random import Random

import torch
from jaxtyping import Bool, Int
from torch import Generator, Tensor

from attention_book.data import PAD, START, STOP, Triple, Vocabulary, sentence
from attention_book.data.batching import padded
from attention_book.data.translation import vocabulary
from attention_book.data.translation.lexicon import lexicon
from attention_book.data.translation.syntax import Clause, Sentence

Words = tuple[str, ...]
Text = tuple[Words, ...]  # a sentence alone, or a pair
ByTopic = dict[str, list[Words]]

LEXICON = lexicon("full")
TOPICS = ("food", "text", "person", "place", "thing")
KINDS = {  # the kinds of noun in the lexicon that are about a topic by another name
    "deal": "text",
    "paper": "text",
    "adult": "person",
    "city": "place",
}
TOPIC_OF = {
    noun: topic
    for noun in LEXICON.nouns.values()
    if (topic := KINDS.get(noun.kinds[0], noun.kinds[0])) in TOPICS
}

CLS, SEP = START, STOP  # BERT's names for what opens a text and closes a sentence
WORDS = Vocabulary(["[MASK]", "[UNK]", *vocabulary("en", "full").to_list(), "."])
MASK, UNK = WORDS.encode(["[MASK]", "[UNK]"])
TOKENS = ("[PAD]", "[CLS]", "[SEP]", *WORDS.to_list())  # by id, to be shown
N_TEXT, N_HELD_OUT = 20_000, 4000  # sentences
LONGEST = 45  # words of a pair: with three special tokens, as many as BERT's positions
ASKED = 0.15  # how likely a word is asked for
SHARES = (0.8, 0.1, 0.1)  # of those asked for: hidden, replaced, left as they are


def topic(clause: Clause) -> str | None:
    """Name the topic of what something is done to, if it has one."""
    return TOPIC_OF.get((clause.object or clause.subject).noun)


def written(clause: Clause) -> Words:
    """Write a clause in English, with a full stop."""
    return (*Triple(Sentence((clause,)), LEXICON).tokens("en"), ".")


def clauses(rng: Random) -> Iterator[Clause]:
    """Draw clauses that have a topic, without end."""
    while True:
        drawn = sentence(rng, "full").tree.clauses
        yield from (clause for clause in drawn if topic(clause))


def unseen(rng: Random) -> Iterator[Clause]:
    """Draw clauses that the text does not hold, without end."""
    return (clause for clause in clauses(rng) if written(clause) not in _known())


@cache
def text() -> ByTopic:
    """Draw the sentences to pretrain on. Short ones may come more than once."""
    return _by_topic(islice(clauses(Random("text")), N_TEXT))


@cache
def held_out() -> ByTopic:
    """Draw sentences that the text does not hold."""
    return _by_topic(islice(unseen(Random("held out")), N_HELD_OUT))


@cache
def _known() -> frozenset[Words]:
    return frozenset(words for some in text().values() for words in some)


def _by_topic(drawn: Iterable[Clause]) -> ByTopic:
    found: ByTopic = {each: [] for each in TOPICS}
    for clause in drawn:
        found[topic(clause)].append(written(clause))
    return found


def pairs(
    rng: Random, sentences: ByTopic, count: int
) -> tuple[list[Text], Int[Tensor, " count"]]:
    """Draw pairs of sentences: 0 where the second follows the first, else 1.

    In half of them it follows: it has the first one's topic. In the others it is any
    sentence [devlin2019bert], so it may have that topic by chance. A pair of more than
    `LONGEST` words is drawn again.
    """
    sizes = [len(some) for some in sentences.values()]
    found, others = [], []
    while len(found) < count:
        first, any_topic = rng.choices([*sentences], sizes, k=2)
        other = rng.random() < 0.5
        second = any_topic if other else first
        pair = rng.choice(sentences[first]), rng.choice(sentences[second])
        if sum(map(len, pair)) <= LONGEST:
            found.append(pair)
            others.append(other)
    return found, torch.tensor(others).long()


def encode(texts: Sequence[Text]) -> tuple[Int[Tensor, "B N"], Int[Tensor, "B N"]]:
    """Give the ids of sentences or pairs as BERT reads them, and their segments."""
    ids = padded(
        [
            [CLS, *(i for words in each for i in WORDS.encode(words, stop=True))]
            for each in texts
        ]
    )
    ends = (ids == SEP).long()
    return ids, (ends.cumsum(dim=1) - ends).masked_fill(ids == PAD, 0)


def is_word(ids: Int[Tensor, "*axes"]) -> Bool[Tensor, "*axes"]:
    """Tell words from special tokens."""
    return ids > UNK


def hide(
    ids: Int[Tensor, "B N"],
    rng: Generator,
    shares: tuple[float, float, float] = SHARES,
    asked_for: float = ASKED,
) -> tuple[Int[Tensor, "B N"], Int[Tensor, "B N"]]:
    """Ask for some of the words, 15 % as BERT does [devlin2019bert].

    Return what the model reads, where `shares` of these words are hidden, replaced by
    any word, or left as they are; and the words asked for, PAD elsewhere.
    """
    if len(shares) != 3 or min(shares) < 0 or not isclose(sum(shares), 1):
        raise ValueError(f"shares are {shares}, expected three that sum to 1")
    hidden, replaced, _ = shares
    u, kind = torch.rand((2, *ids.shape), generator=rng)
    asked = (u < asked_for) & is_word(ids)
    others = torch.randint(UNK + 1, len(WORDS), ids.shape, generator=rng)
    read = torch.where(asked & (kind < hidden + replaced), others, ids)
    read = read.masked_fill(asked & (kind < hidden), MASK)
    return read, ids.masked_fill(~asked, PAD)
