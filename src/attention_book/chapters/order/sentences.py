"""Sentences of adverbs and two names, and questions that only their order answers.

    today anna often calls here ben who?           anna: the name before the verb
    now soon emil often dora then third?           emil: the third word
    dora here ... emil ... often soon tenth?       emil: the tenth word from the end

Both names are in the bag of words, and each is as often the answer: who knows the words
and not their order is right half of the time.
"""

from collections.abc import Sequence
from random import Random

import torch

from attention_book.data import START, Batch, Pair, Vocabulary
from attention_book.shapes import check_choice, check_count, check_filled

NAMES = ("anna", "ben", "carl", "dora", "emil", "fay", "gus", "hana")
VERBS = ("calls", "helps", "sees")
ADVERBS = ("again", "gladly", "here", "now", "often", "once")
ADVERBS += ("quietly", "slowly", "soon", "then", "today")
QUESTIONS = {"who": 3, "third": 3, "tenth": 11}  # -> words of the shortest sentence
WORDS = Vocabulary([*NAMES, *VERBS, *ADVERBS, *(f"{name}?" for name in QUESTIONS)])


def sentence(question: str, N: int, rng: Random) -> Pair:
    """Draw a sentence of N words, and then a question, and the word that answers it."""
    check_choice("question", question, QUESTIONS)
    check_count("N", N, QUESTIONS[question])
    words = rng.choices(ADVERBS, k=N)
    answer, other = rng.sample(NAMES, 2)
    if question == "who":
        first, verb, second = sorted(rng.sample(range(N), 3))
        words[first], words[second] = answer, other
        words[verb] = rng.choice(VERBS)
    else:
        place = 2 if question == "third" else N - 10
        sides = [side for side in (range(place), range(place + 1, N)) if side]
        words[place], words[rng.choice(rng.choice(sides))] = answer, other
    return Pair((*words, f"{question}?"), (answer,))


def collate(pairs: Sequence[Pair]) -> Batch:
    """Put sentences of one length and their answers into a batch."""
    check_filled("pairs", pairs, "sentence")
    if len(lengths := {len(pair.source) for pair in pairs}) > 1:
        raise ValueError(f"pairs have {sorted(lengths)} words, expected one length")
    source = torch.tensor([WORDS.encode(pair.source) for pair in pairs])
    answers = torch.tensor([WORDS.encode(pair.target) for pair in pairs])
    visible = torch.ones_like(source, dtype=torch.bool)
    return Batch(source, visible, torch.full_like(answers, START), answers)
