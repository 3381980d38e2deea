"""Chapter 14's experiments: fine-tuning for the exam, and asking without labels."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from sklearn.neighbors import NearestCentroid
from torch import Generator, Tensor, nn

from attention_book.chapters.pretraining.exam import (
    EXAM,
    N_LABELLED,
    N_TEST,
    Items,
    drawn,
    items,
    sides,
)
from attention_book.chapters.pretraining.in_page import in_turn
from attention_book.chapters.pretraining.model import BagOfWords, Classifier
from attention_book.chapters.pretraining.sentences import (
    MASK,
    TOPIC_OF,
    WORDS,
    Text,
    Words,
    encode,
    held_out,
    text,
)
from attention_book.data import PAD
from attention_book.decoding.mode import evaluating
from attention_book.runs import RecordedRun
from attention_book.shapes import check_choice
from attention_book.training import History, fit, seeded, warmup
from attention_book.widgets.functions import trained_head

Bits = Callable[[Words], Float[np.ndarray, " N"]]

STARTS = ("bag", "scratch", "words", "frozen", "tuned")
TUNING_STEPS, WARMUP, N_BATCH = 200, 20, 16
RATE = 2e-3  # of a whole network
N_PAIRS = 250  # broken sentences and whole ones that are told apart
PRIOR = 2  # as many sightings count for what is expected of neighbours rarely seen
FROZEN_RATE = 1e-2  # where there is nothing but a head to train
HEADS_ALONG = 6  # heads to begin with, of a network that is stopped early
# a head that the reader trains in the page
FOOD = ["bread", "apple", "cheese", "cake", "orange"]
OTHERS = ["letter", "teacher", "city", "table", "report"]
NEW_NOUNS = ["rice", "egg", "meat", "book", "minister", "garden"]
HEAD_STEPS, HEAD_RATE = 300, 0.3


def classifier(
    pretrained: Any, N_answers: int, start: str = "tuned", read_out: str = "cls"
) -> nn.Module:
    """Make a classifier that keeps something of a pretrained model, which stays as is.

    `start` says what it keeps: all weights, which learn on ("tuned") or do not
    ("frozen"); only the vectors of the words ("words"); or nothing ("scratch"). A "bag"
    is no such network at all.
    """
    check_choice("start", start, STARTS)
    if start == "bag":
        return BagOfWords(N_answers)
    bert = type(pretrained)(pretrained.config)
    if start == "words":
        bert.embedding.load_state_dict(pretrained.embedding.state_dict())
    elif start != "scratch":
        bert.load_state_dict(pretrained.state_dict())
    bert.requires_grad_(start != "frozen")
    return Classifier(bert, N_answers, read_out)


def fine_tune(
    model: nn.Module, labelled: Items, *, seed: int, rate: float = RATE
) -> History:
    """Train a classifier in place, 200 steps of 16 labelled items."""
    return fit(
        model,
        _batches(labelled, seed),
        steps=TUNING_STEPS,
        seed=seed,
        learning_rate=warmup(rate, WARMUP),
        loss=lambda model, batch: F.cross_entropy(model(*batch[:2]), batch[2]),
        callbacks=(),
    )


def _batches(labelled: Items, seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    rng = Generator().manual_seed(seed)
    ids, segments = encode(labelled.texts)
    while True:
        some = torch.randperm(len(ids), generator=rng)[:N_BATCH]
        yield ids[some], segments[some], labelled.labels[some]


def accuracy(model: nn.Module, test: Items) -> float:
    """Share of the items that a classifier answers right."""
    with evaluating(model):
        answers = model(*encode(test.texts)).argmax(dim=-1)
    return (answers == test.labels).double().mean().item()


def sit(
    pretrained: Any,
    task: str,
    N_labelled: int,
    start: str = "tuned",
    read_out: str = "cls",
    *,
    seed: int = 0,
    head: int = 0,
) -> float:
    """Fine-tune for a task of the exam, and give the share of its test that is right.

    `seed` fixes the words of either side and the items; with `head`, the number of an
    attempt, it fixes the first weights of whatever is not pretrained.
    """
    labelled = items(task, N_labelled, seed=seed)
    with seeded(seed + 100 * head):
        model = classifier(pretrained, len(EXAM[task].answers), start, read_out)
    rate = FROZEN_RATE if start in ("bag", "frozen") else RATE
    fine_tune(model, labelled, seed=seed, rate=rate)
    return accuracy(model, items(task, N_TEST, test=True, seed=seed))


def whole_exam(pretrained: Any, seed: int, heads: int = 1) -> dict[str, Any]:
    """Sit every task with few labels and with many, from every start.

    Every score is a list: the topic of a noun is sat with so many `heads` to begin
    with, every other task with one. "max" is "tuned" with another read-out. "hiding"
    tells broken sentences from whole ones without labels, and "counting" does so
    without the network; see `told_apart`.
    """
    ways = {start: (start, "cls") for start in STARTS} | {"max": ("tuned", "max")}
    found: dict[str, Any] = {
        task: {
            str(N): {
                name: over_heads(pretrained, task, N, *way, seed=seed, heads=heads)
                for name, way in ways.items()
            }
            for N in N_LABELLED
        }
        for task in EXAM
    }
    both = {
        task: drawn(task, N_PAIRS, test=True, seed=seed)
        for task in ("agreement", "order")
    }
    hiding = partial(bits_in_turn, pretrained)
    for name, bits in (("hiding", hiding), ("counting", counted_bits)):
        found[name] = {task: told_apart(bits, some) for task, some in both.items()}
    return found


def short_exam(
    pretrained: Any, seed: int, read_out: str, heads: int = 1
) -> dict[str, Any]:
    """Sit every task with many labels, frozen and fine-tuned, as `whole_exam` does."""
    N = max(N_LABELLED)
    return {
        task: {
            start: over_heads(
                pretrained, task, N, start, read_out, seed=seed, heads=heads
            )
            for start in ("frozen", "tuned")
        }
        for task in EXAM
    }


def over_heads(
    pretrained: Any, task: str, N_labelled: int, *way: str, seed: int, heads: int
) -> list[float]:
    """Sit a task, the topic of a noun with several heads to begin with.

    `way` is the start, and the read-out if it is not [CLS].
    """
    return [
        sit(pretrained, task, N_labelled, *way, seed=seed, head=head)
        for head in range(heads if task == "class" else 1)
    ]


def right_along(model: Any) -> list[float]:
    """Share of the topics of nouns right with many labels, for each of six heads."""
    N, rounded = max(N_LABELLED), deepcopy(model).half().float()  # as weights are kept
    return over_heads(rounded, "class", N, seed=0, heads=HEADS_ALONG)


def right(run: RecordedRun, task: str, *way: str) -> Float[np.ndarray, " N_seeds"]:
    """What each network of a recorded run has right, the mean over its heads."""
    return run.per_seed("examined", task, *way).mean(axis=1)


def network_after(run: RecordedRun, step: int) -> nn.Module:
    """The first seed's network after a step that was kept; untrained, after 0 steps."""
    with seeded(next(iter(run.measured))):
        model = run.recipe.task.model()
    if step:
        kept = run.kept("weights", step).items()
        model.load_state_dict({name: torch.as_tensor(W) for name, W in kept})
    return model.eval()


def vectors_at_cls(model: Any, nouns: Sequence[str]) -> Float[np.ndarray, "N_nouns D"]:
    """What a network makes of *we saw the ...*, at [CLS]."""
    saw = [(tuple(f"we saw the {noun} .".split()),) for noun in nouns]
    ids, segments = encode(saw)
    with evaluating(model):
        return model.pooled(model(ids, segments, ids != PAD)).numpy()


def head_says(
    model: Any,
    wanted: Sequence[str],
    labelled: Sequence[str] = (*FOOD, *OTHERS),
    asked: Sequence[str] = NEW_NOUNS,
) -> dict[str, float]:
    """Train a head on ten nouns, of which some are wanted, and ask it of others."""
    X, Y = vectors_at_cls(model, labelled), vectors_at_cls(model, asked)
    labels = np.array([float(noun in wanted) for noun in labelled])
    said = trained_head(X, labels, Y, HEAD_STEPS, HEAD_RATE)
    return dict(zip(asked, said.tolist(), strict=True))


def bits_in_turn(model: Any, words: Words) -> Float[np.ndarray, " N"]:
    """Hide each word of a sentence in turn: the surprise at it, in bits."""
    source, _ = encode([(words,)])
    with evaluating(model):
        return in_turn(model, source)["bits"][0].numpy()


def verbs_told(model: Any, both: Sequence[Sequence[Text]]) -> float:
    """Share of sentences in which the right form of the verb is the likelier one.

    Each of `both` is a sentence with the verb in the wrong number, and itself when
    whole; the verb is all that is hidden.
    """
    (broken, _), (fine, segments) = map(encode, zip(*both, strict=True))
    verbs = fine != broken  # (B, N), one in each row
    hidden = fine.masked_fill(verbs, MASK)
    with evaluating(model):
        logits = model.words(model(hidden, segments, hidden != PAD)[verbs])
    wrong, right = (logits.gather(1, ids[verbs][:, None]) for ids in (broken, fine))
    return (right > wrong).double().mean().item()


def topics_told(model: Any, *, hidden: bool, splits: int = 10) -> list[float]:
    """Tell the topics of nouns in unseen sentences by their vectors.

    Each vector gets the topic whose mean is nearest. Half of the nouns give the means,
    and the others are tested: the nouns are shared out as for as many exams as there
    are `splits`. Gives the mean share that is right, by the vectors that enter the
    blocks and by those that leave each. A noun that is `hidden` is read as [MASK].
    """
    rng, vectors = Random("topics"), list[Tensor]()
    known = {form: noun for noun in TOPIC_OF for form in noun.en}
    found = [
        (
            words,
            max(n for n, w in enumerate(words) if TOPIC_OF.get(known.get(w)) == topic),
        )
        for topic, some in held_out().items()
        for words in rng.sample(some, N_PAIRS)
    ]
    texts, places = zip(*found, strict=True)
    nouns = [known[words[n]] for words, n in found]
    topics = np.array([TOPIC_OF[noun] for noun in nouns])
    ids, segments = encode([(words,) for words in texts])
    place = torch.arange(len(ids)), torch.tensor(places) + 1  # behind [CLS]
    if hidden:
        ids[place] = MASK

    def keep(block: nn.Module, given: Any, made: Any) -> None:
        vectors.extend(
            [made[0][place]] if vectors else [given[0][place], made[0][place]]
        )

    hooks = [block.register_forward_hook(keep) for block in model.encoder.blocks]
    with evaluating(model):
        model(ids, segments, ids != PAD)
    for hook in hooks:
        hook.remove()
    right = []
    for split in range(splits):
        first, _ = sides(split)
        means = np.array([noun in first.all_nouns for noun in nouns])
        right.append(
            [
                NearestCentroid()
                .fit(X[means], topics[means])
                .score(X[~means], topics[~means])
                for X in vectors
            ]
        )
    return np.mean(right, axis=0).tolist()


def counted_bits(words: Words) -> Float[np.ndarray, " N"]:
    """The surprise at each word between its two neighbours, by counts in the text.

    Where the two were rarely seen together, what was seen beside either of them counts
    for more, and then how often the word was seen at all.
    """
    counts = _trios()

    def P(left: str, word: str, right: str) -> float:
        def share(left: str, right: str, rarely: float) -> float:
            seen, all_seen = counts[left, word, right], counts[left, "", right]
            return (seen + PRIOR * rarely) / (all_seen + PRIOR)

        alone = share("", "", 1 / len(WORDS))
        beside = (share(left, "", alone) + share("", right, alone)) / 2
        return share(left, right, beside)

    return -np.log2([P(*trio) for trio in _in_trios(words)])


@cache
def _trios() -> Counter[tuple[str, str, str]]:
    """Count each word of the text with its neighbours; "" stands for any word."""
    return Counter(
        seen
        for some in text().values()
        for words in some
        for trio in _in_trios(words)
        for seen in product(*((word, "") for word in trio))
    )


def _in_trios(words: Words) -> Iterator[tuple[str, str, str]]:
    framed = ("[CLS]", *words, "[SEP]")
    return zip(framed, framed[1:], framed[2:], strict=False)


def told_apart(bits: Bits, both: Sequence[Sequence[Text]]) -> dict[str, float]:
    """Tell broken sentences from whole ones without labels, by their least likely word.

    Each of `both` is a broken sentence and itself when whole; `bits` gives the surprise
    at each word. Of two sentences the broken one should hold the greater surprise:
    "any", the share of all pairs of a broken sentence and a whole one where it does,
    the area under the ROC curve; "own", the same of each with itself.
    """
    broken, fine = (
        np.array([bits(words).max() for (words,) in texts])
        for texts in zip(*both, strict=True)
    )
    return {"any": _greater(broken[:, None], fine), "own": _greater(broken, fine)}


def _greater(broken: np.ndarray, fine: np.ndarray) -> float:
    """Share that is greater; equals count half."""
    return ((broken > fine) + (broken == fine) / 2).mean().item()
