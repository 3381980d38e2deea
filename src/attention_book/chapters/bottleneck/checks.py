"""What a GRU learns, what its decoder is told, and where it first goes wrong."""

from attention_book.chapters.bottleneck import solutions
from attention_book.chapters.bottleneck.solutions import START, STOP
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import Counted
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)
BLOCKS = {1: "one block, as an RNN", 2: "two blocks, the gates", 4: "four, as an LSTM"}


def weights(D_X, D_H):
    """Two matrices and two biases, three times; and what people count instead."""
    inputs, states, added = 3 * D_H * D_X, 3 * D_H * D_H, 6 * D_H
    of_state = {
        "You count no matrix for h_{t-1}: D_H × D_H.": 0,
        "Your matrix for h_{t-1} is D_H × D_X, but it reads D_H numbers: D_H × "
        "D_H.": inputs,
    }
    biases = {
        "You count the matrices only. After each comes a bias.": 0,
        "You count one bias a block. There are two: the reset gate scales the state's "
        "and not the input's, so neither can go.": added // 2,
    }
    blocks = {
        f"You count {number}. A GRU has three blocks: the reset gate, the keep gate "
        "and the proposal.": (n - 3) * (inputs + states + added) // 3
        for n, number in BLOCKS.items()
    }
    return [
        (inputs, {"You count no matrix for x_t: D_H × D_X.": 0}),
        (states, of_state),
        (added, biases),
        (0, blocks),
    ]


check_gru_parameters = Check(
    name="gru_parameters",
    reference=solutions.gru_parameters,
    gives={"count": ""},
    task="Write `gru_parameters(D_X, D_H)`: how many weights `torch.nn.GRU(D_X, D_H)` "
    "has: three blocks, each with a matrix for x_t, one for h_{t-1} and two biases.",
    cases=(
        Case("widths that keep the parts apart", D_X=1009, D_H=11),
        Case("equal widths", D_X=7, D_H=7),
        Case("an odd and an even width", D_X=4, D_H=7),
    ),
    laws=(
        Counted(
            "the number of weights",
            weights,
            hint="Count all that one block has, its two biases of D_H numbers as well, "
            "and take the sum three times: each block has its own.",
        ),
    ),
)


def one_step_behind(example: Example) -> str | None:
    """What is read is [START] and the words, what is said the words and [STOP]."""
    read, say = ([*words] for words in example.got.values())
    target = example.inputs["target"]
    wrong = {
        "both lists are empty. Even an empty translation has a step, which reads "
        "[START] and says [STOP].": not read and (not say),
        "at every step your decoder reads the very word that it must say. It learns to "
        "copy, and has nothing to copy when it writes alone. Only what is read begins "
        "with [START], and only what is said ends with [STOP]. Or are both the same "
        "list, under two names?": read == say,
        "your decoder is one step ahead: it reads y_t and must say y_{t-1}. Turn the "
        "two lists round.": read[-1:] == [STOP] and say[:1] == [START],
        f"read begins with {read[:1] or 'nothing'}. Before the first word there is "
        "none: it begins with [START], 1. (0 is [PAD], 2 [STOP].)": read[:1] != [START],
        "[STOP] is also in what is read. It is only ever said, after the last word: no "
        "step reads it.": STOP in read,
        "[START] is also in what is said. It is only read, at first.": START in say,
        f"say ends with {say[-1:]}, not with [STOP], 2. If nothing asks for it, the "
        "model does not learn to end a sentence.": say[-1:] != [STOP],
        f"after [START] you read {read[1:]}, until [STOP] you say {say[:-1]}. Both are "
        f"to be {target}, all of it and in its own order."
        + " [STOP] comes after the last word, not in its place."
        * (say[:-1] == target[:-1])
        + " [:-1] is only for a list that [STOP] is in already."
        * (read[1:] == target[:-1] != say[:-1]): [read[1:], say[:-1]]
        != [target, target],
    }
    return next((says for says, holds in wrong.items() if holds), None)


check_teacher_forced = Check(
    name="teacher_forced",
    reference=solutions.teacher_forced,
    gives={"read": "", "say": ""},
    task="Write `teacher_forced(target)`, of word ids: two new lists, what the decoder "
    "reads, from [START] (id 1) on, and what it must say, up to [STOP] (id 2).",
    cases=(
        Case("three words", target=[7, 8, 9]),
        Case("words that come again", target=[9, 7, 7, 8, 9]),
        Case("an empty translation", target=[]),
    ),
    mutants=MISTAKES["teacher_forced"],
    laws=(one_step_behind,),
)


def right_before_wrong_at(example: Example) -> str | None:
    """Everything before the position is right, and what stands there is not."""
    where, due = example.got["position"], example.expected["position"]
    said, right = example.inputs.values()
    if where == due:
        return None
    if due is None:
        return f"you return {where}. No word is wrong: None. (-1 is the last word.)"
    if due == min(len(said), len(right)):
        return (
            f"you return {where}. One list ends before the other, and all is right "
            f"until then: the error is at the shorter one's length, {due}."
        )
    return (
        f"you return {where}, but the first wrong word, counted from 0, is at position "
        f"{due}: {said[due]!r} where {right[due]!r} is due. Compare word by word, then "
        "the lengths, and stop at the first error."
        + (" Is a position found? Ask `is None`: 0 counts as false." if not due else "")
    )


PAIRS = {
    "two wrong words": ("voy firmando los papeles", "voy leyendo los tratados"),
    "a translation without a mistake": ("comiendo pan", "comiendo pan"),
    "a translation that stops too early": ("comiendo pan", "comiendo pan hoy aquí"),
    "a translation that goes on too long": ("comiendo pan hoy no", "comiendo pan"),
    "a wrong last word": ("come pan", "come sopa"),
    "a wrong word, and too few": ("voy leyendo los", "voy firmando los tratados hoy"),
    "a word that was right before": ("la casa ve la ciudad", "la casa ve una ciudad"),
    "a word that is written twice": ("la la casa ve", "la casa ve"),
    "a word in another place": ("voy leyendo papeles hoy", "voy hoy leyendo papeles"),
    "a letter too few": ("la casa", "las casa"),
    "a letter too many": ("las casa", "la casa"),
    "another letter at the beginning": ("ve El Escorial", "ve el Escorial"),
    "a wrong first word, and too few": ("eres", "estamos comiendo"),
    "an empty translation": ("", "comiendo pan"),
    "no word due": ("pan", ""),
    "no word due, and none written": ("", ""),
}

check_first_error = Check(
    name="first_error",
    reference=solutions.first_error,
    gives={"position": ""},
    task="Write `first_error(hypothesis, reference)`, two lists of words: the position "
    "of the first wrong word, from 0, or None if they are the same. If one list ends "
    "before the other, and all is right until then, the error is at its length.",
    # Taken apart here, no two words are one object in memory.
    cases=[
        Case(name, hypothesis=said.split(), reference=right.split())
        for name, (said, right) in PAIRS.items()
    ],
    mutants=MISTAKES["first_error"],
    laws=(right_before_wrong_at,),
)
