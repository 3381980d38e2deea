"""What a GRU learns, what its decoder is told, and where it first goes wrong."""

from attention_book.chapters.bottleneck import solutions
from attention_book.chapters.bottleneck.solutions import START, STOP
from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.laws import counted
from attention_book.exercises.mistakes import read_mistakes

MISTAKES = read_mistakes(__file__)
BLOCK = "(D_H * D_X + D_H * D_H + 2 * D_H)"
THREE = "A GRU has three of this size: the reset gate, the keep gate and the proposal."

what_a_gru_learns = counted(
    "the number of weights",
    {
        "3 * D_H * D_X": {
            "0": "You count no matrix for the input: each block reads x_t with one "
            "of D_H × D_X numbers.",
            "D_H * D_X": "You take the input's matrix once. Each of the three blocks "
            "has its own: take the block three times, with all that is in it.",
        },
        "3 * D_H * D_H": {
            "0": "You count no matrix for the state: each block reads h_{t-1} with "
            "one of D_H × D_H numbers.",
            "3 * D_H * D_X": "Both of your matrices are D_H × D_X. The second one "
            "reads the state, which has D_H numbers: D_H × D_H.",
        },
        "6 * D_H": {
            "0": "You count the matrices only. After each comes a bias of D_H numbers.",
            "2 * D_H": "You take the biases once. Each of the three blocks has two of "
            "its own: add them before you take the block three times.",
            "3 * (D_X + D_H)": "One of your biases is D_X long. A bias is added to "
            "what comes out of a matrix, and both matrices give D_H numbers.",
        },
        "0": {
            f"-2 * {BLOCK}": f"You count one block, all of a plain RNN. {THREE}",
            f"-{BLOCK}": f"You count two blocks, the gates. {THREE}",
            BLOCK: f"You count four blocks. That is an LSTM. {THREE}",
        },
    },
    hint="Three blocks of one size: what is in one of them, taken three times.",
)

check_gru_parameters = Check(
    name="gru_parameters",
    reference=solutions.gru_parameters,
    gives={"count": ""},
    task="Write `gru_parameters(D_X, D_H)`: the number of weights of "
    "`torch.nn.GRU(D_X, D_H)`, a whole number. It has three blocks of one size (reset, "
    "keep, new); each has a matrix for x_t, a matrix for h_{t-1} and two biases, one "
    "after each matrix.",
    cases=(
        Case("widths that keep the parts apart", D_X=1000, D_H=10),
        Case("a narrow input and a wider state", D_X=3, D_H=5),
        Case("widths as in the chapter", D_X=64, D_H=128),
        Case("one number in, one number kept", D_X=1, D_H=1),
    ),
    mutants=MISTAKES["gru_parameters"],
    laws=(what_a_gru_learns,),
)


def one_step_behind(example: Example) -> str | None:
    """What is read is [START] and the words, what is said the words and [STOP]."""
    read, say = ([*words] for words in example.got.values())
    target = example.inputs["target"]
    if read == say:
        return (
            "at every step your decoder reads the very word that it must say. It "
            "learns to copy, and has nothing to copy when it writes alone. Only what "
            "is read begins with [START], and only what must be said ends with [STOP]."
        )
    if read[:1] != [START]:
        return (
            f"read begins with {read[:1] or 'nothing'}. Before the first word there is "
            "none: the decoder reads [START], the id 1. ([STOP], said last, is 2.)"
        )
    if STOP in read or START in say:
        name, where = ("[STOP]", "read") if STOP in read else ("[START]", "said")
        return (
            f"{name} is also in what is {where}. [START] is only ever read, before the "
            "first word. [STOP] is only ever said, after the last: no step reads it."
        )
    if say[-1:] != [STOP]:
        return (
            f"say ends with {say[-1:] or 'nothing'}. The last step reads the last word "
            "and must say [STOP], the id 2. If nothing asks for it, the model does not "
            "learn to end a sentence."
        )
    if read[1:] == say[:-1] == target:
        return None
    return (
        f"after [START] you read {read[1:]}, and until [STOP] you say {say[:-1]}. Both "
        f"should be the whole translation, {target}, in its own order: only the source "
        "may be fed in backwards."
    )


check_teacher_forced = Check(
    name="teacher_forced",
    reference=solutions.teacher_forced,
    gives={"read": "", "say": ""},
    task="Write `teacher_forced(target)`: `target` is a list of word ids without "
    "special tokens. Return two new lists, what the decoder reads, beginning with "
    "[START] (id 1), and what it must say, ending with [STOP] (id 2).",
    cases=(
        Case("three words", target=[7, 8, 9]),
        Case("a word that comes twice in a row", target=[5, 11, 11, 4]),
        Case("a single word", target=[6]),
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
        return (
            f"you return {where}, but the two are the same: no word is wrong, so None "
            "is due. (A -1 would be a position, too, that of the last word.)"
        )
    if due == min(len(said), len(right)):
        return (
            "one list ends before the other, and all is right until then. So the first "
            f"missing, or superfluous, word is the error. It is at position {due}, the "
            f"length of the shorter list; you return {where}."
        )
    return (
        f"you return {where}, but the first wrong word, counted from 0, is at position "
        f"{due}: {said[due]!r} where {right[due]!r} is due. Compare word by word, then "
        "the lengths, and stop at the first error."
        + (" Is a position found? Ask `is None`: 0 counts as false." if not due else "")
    )


PAIRS = {
    "two words that are wrong": "voy firmando los papeles | voy leyendo los tratados",
    "a translation without a mistake": "comiendo pan | comiendo pan",
    "a translation that stops too early": "comiendo pan | comiendo pan hoy aquí",
    "a translation that goes on too long": "comiendo pan hoy no | comiendo pan",
    "a wrong first word": "eres comiendo pan | estamos comiendo pan",
    "a wrong word before an early stop": "voy firmando pan | voy comiendo pan hoy no",
    "a word that was right before": "la casa ve la ciudad | la casa ve una ciudad",
    "two words in each other's place": "estamos pan aquí | estamos aquí pan",
    "a wrong first word, and too few": "eres | estamos comiendo",
    "no word at all": " | estamos comiendo pan",
    "nothing to say, and nothing said": " | ",
}


def _texts(pair: str) -> dict[str, list[str]]:
    """Two lists of words, no two of which are one object in memory."""
    hypothesis, reference = pair.split("|")
    return {"hypothesis": hypothesis.split(), "reference": reference.split()}


check_first_error = Check(
    name="first_error",
    reference=solutions.first_error,
    gives={"position": ""},
    task="Write `first_error(hypothesis, reference)`, two lists of words: the position "
    "of the first wrong word, counted from 0, or None if they are the same. If one "
    "list ends before the other, and all is right until then, the error is at the "
    "position where the shorter one has ended.",
    cases=[Case(name, _texts(pair)) for name, pair in PAIRS.items()],
    mutants=MISTAKES["first_error"],
    laws=(right_before_wrong_at,),
)
