"""`check_gru_parameters`, `check_teacher_forced`, `check_first_error`: what a GRU learns and what it is told."""

from attention_book.chapters.bottleneck.solutions import (
    START,
    STOP,
    first_error,
    gru_parameters,
    teacher_forced,
)
from attention_book.exercises.checking import Case, Check, Seen
from attention_book.exercises.mutants import Mutant

BLOCK = "block = D_H * D_X + D_H * D_H + 2 * D_H"


def three_alike(seen: Seen) -> str | None:
    """Three blocks of one size: the total is a multiple of 3."""
    count = seen.got["count"]
    if count != int(count):
        return f"you count {count}, which is no whole number."
    if int(count) % 3:
        return f"{int(count)} is no multiple of 3. A GRU has three blocks of one size: count one, take it three times."
    return None


def the_state_is_read(seen: Seen) -> str | None:
    """What is left beside the two matrices is two biases."""
    D_X, D_H = seen.inputs["D_X"], seen.inputs["D_H"]
    left = int(seen.got["count"]) // 3 - D_H * D_X - D_H * D_H
    if left == 2 * D_H:
        return None
    if left < 0:
        return (
            "a third of your count is less than the numbers of two matrices, one for "
            f"x_t ({D_H} × {D_X}) and one for h_{{t-1}} ({D_H} × {D_H}). Which of them "
            "is missing, or too small?"
        )
    return (
        f"a third of your count leaves {left} numbers for the biases, once the two "
        f"matrices ({D_H} × {D_X} and {D_H} × {D_H}) are taken off. There are two "
        "biases, each as long as the state."
    )


check_gru_parameters = Check(
    name="gru_parameters",
    reference=gru_parameters,
    gives={"count": ""},
    task="Write `gru_parameters(D_X, D_H)`: the number of weights of `torch.nn.GRU(D_X, D_H)`, a whole number. It has "
    "three blocks of one size (reset, keep, new); each has a matrix for x_t, a matrix "
    "for h_{t-1} and two biases, one after each matrix.",
    cases=(
        Case("a narrow input and a wider state", {"D_X": 3, "D_H": 5}),
        Case("widths as in the chapter", {"D_X": 64, "D_H": 128}),
        Case("a state narrower than the input", {"D_X": 7, "D_H": 2}),
        Case("one number in, one number kept", {"D_X": 1, "D_H": 1}),
    ),
    mutants=(
        Mutant(
            "one bias a block",
            ((BLOCK, BLOCK.replace("2 * D_H", "D_H")),),
            "You count one bias a block. There are two, one for each matrix: the "
            "reset gate scales the state's part with its bias, and not the input's, "
            "so they cannot be merged into one.",
        ),
        Mutant(
            "no bias",
            ((BLOCK, BLOCK.replace(" + 2 * D_H", "")),),
            "You count the matrices only. Each block also adds two biases of D_H "
            "numbers, one after each matrix.",
        ),
        Mutant(
            "biases counted once and not in every block",
            (("return 3 * block", "return 3 * (block - 2 * D_H) + 2 * D_H"),),
            "Your matrices come three times, your biases only once. Each of the three "
            "blocks has biases of its own: add them before you take the block three "
            "times.",
        ),
        Mutant(
            "a bias as long as the input",
            ((BLOCK, BLOCK.replace("2 * D_H", "D_X + D_H")),),
            "One of your biases is D_X long. A bias is added to what comes out of a "
            "matrix, and both matrices give D_H numbers: 2 * D_H in each block.",
        ),
        Mutant(
            "one block",
            (("return 3 * block", "return block"),),
            "You have counted one block, which is all of a plain RNN. A GRU has three "
            "of this size: the reset gate, the keep gate and the proposal.",
        ),
        Mutant(
            "two blocks",
            (("return 3 * block", "return 2 * block"),),
            "You count two blocks, the gates. The proposal n is a third: it has "
            "matrices and biases of its own.",
        ),
        Mutant(
            "four blocks",
            (("return 3 * block", "return 4 * block"),),
            "You count four blocks. That is an LSTM; a GRU makes do with three: "
            "reset, keep and the proposal.",
        ),
        Mutant(
            "the state's matrix forgotten",
            ((BLOCK, BLOCK.replace(" + D_H * D_H", "")),),
            "You count no matrix for the state. Each block reads x_t with D_H × D_X "
            "numbers and h_{t-1} with D_H × D_H.",
        ),
        Mutant(
            "the input's matrix forgotten",
            ((BLOCK, BLOCK.replace("D_H * D_X + ", "")),),
            "You count no matrix for the input. Each block reads h_{t-1} with D_H × "
            "D_H numbers and x_t with D_H × D_X.",
        ),
        Mutant(
            "the state read by a matrix as wide as the input",
            ((BLOCK, BLOCK.replace("D_H * D_H", "D_H * D_X")),),
            "Both of your matrices are D_H × D_X. The second one reads the state, "
            "which has D_H numbers: D_H × D_H.",
        ),
        Mutant(
            "the state's matrix taken three times, the input's once",
            (("return 3 * block", "return 3 * block - 2 * D_H * D_X"),),
            "You take the input's matrix once. Each of the three blocks has its own: "
            "it is the block that is taken three times, with all that is in it.",
        ),
    ),
    laws=(three_alike, the_state_is_read),
)


def one_in_one_out(seen: Seen) -> str | None:
    """As many words are read as said."""
    read, say = seen.got["read"], seen.got["say"]
    if len(read) == len(say):
        return None
    return (
        f"read has {len(read)} entries and say has {len(say)}. At every step one word "
        "is read and one is said: both lists have one entry more than the translation."
    )


def only_known_words(seen: Seen) -> str | None:
    """Nothing but the words and the two special ids."""
    known = {*seen.inputs["target"], START, STOP}
    for name in ("read", "say"):
        for word in seen.got[name]:
            if not isinstance(word, int) or word not in known:
                return (
                    f"{name} holds {word!r}. It should hold the ids of the "
                    f"translation, {START} for [START] and {STOP} for [STOP], and "
                    "nothing else."
                )
    return None


def one_step_behind(seen: Seen) -> str | None:
    """What is read at a step is what was to be said at the step before."""
    read, say = [*seen.got["read"]], [*seen.got["say"]]
    if read[:1] != [START]:
        return f"read begins with {read[:1] or 'nothing'}. Before the first word there is none: the decoder reads [START]."
    if say[-1:] != [STOP]:
        return f"say ends with {say[-1:] or 'nothing'}. After the last word the decoder must say [STOP]."
    if read[1:] != say[:-1]:
        return (
            f"after [START] you read {read[1:]}, but until [STOP] you say {say[:-1]}. "
            "What is read at a step is what was to be said at the step before: both "
            "are the translation, in its order."
        )
    if read[1:] != [*seen.inputs["target"]]:
        return f"between [START] and [STOP] you have {read[1:]}, but the translation is {seen.inputs['target']}."
    return None


READ, SAY = "read = [START, *target]", "say = [*target, STOP]"
NO_SHIFT = (
    "At every step your decoder reads the very word that it must say. It learns to "
    "copy its input, and has nothing to copy when it writes alone. "
)

check_teacher_forced = Check(
    name="teacher_forced",
    reference=teacher_forced,
    gives={"read": "", "say": ""},
    task="Write `teacher_forced(target)`: `target` is a list of word ids without special tokens. Return two new "
    "lists, what the decoder reads, beginning with [START] (id 1), and what it must "
    "say, ending with [STOP] (id 2).",
    cases=(
        Case("three words", {"target": [7, 8, 9]}),
        Case("a word that comes twice in a row", {"target": [5, 11, 11, 4]}),
        Case("a single word", {"target": [6]}),
        Case("an empty translation", {"target": []}),
    ),
    mutants=(
        Mutant(
            "no shift: reads what it must say",
            ((READ, "read = [*target, STOP]"),),
            NO_SHIFT + "Read one step behind: [START] in front, and no [STOP].",
        ),
        Mutant(
            "no shift, both with [START] and [STOP]",
            (
                (READ, "read = [START, *target, STOP]"),
                (SAY, "say = [START, *target, STOP]"),
            ),
            NO_SHIFT
            + "[START] is only read and [STOP] is only said: that alone makes the shift.",
        ),
        Mutant(
            "no shift, both with [START]",
            ((SAY, "say = [START, *target]"),),
            NO_SHIFT
            + "What must be said begins with the first word and ends with [STOP].",
        ),
        Mutant(
            "no shift, no special tokens",
            ((READ, "read = [*target]"), (SAY, "say = [*target]")),
            NO_SHIFT
            + "Put [START] in front of what is read, and [STOP] behind what must be said.",
        ),
        Mutant(
            "shifted the wrong way",
            ((READ, "read = [*target, STOP]"), (SAY, "say = [START, *target]")),
            "Your decoder is one step ahead: it reads y_t and must say y_{t-1}, which "
            "it has just read. Turn your two lists round: what begins with [START] is "
            "read, what ends with [STOP] is said.",
        ),
        Mutant(
            "reads two steps behind",
            ((READ, "read = [START, START, *target][: len(target) + 1]"),),
            "Your decoder reads y_{t-2} when it must say y_t: it never learns what it "
            "said last. One [START] in front is enough.",
        ),
        Mutant(
            "[STOP] forgotten",
            ((SAY, "say = [*target]"),),
            "Your decoder is never asked for [STOP], so it will not learn to end a "
            "sentence. It is the last thing to say, when the last word has been read.",
        ),
        Mutant(
            "[STOP] forgotten, and the last word not read",
            ((READ, "read = [START, *target[:-1]]"), (SAY, "say = [*target]")),
            "Your lists fit together, but nothing ever asks for [STOP]: the model "
            "will not learn to end a sentence. One step more is needed, that reads "
            "the last word and must say [STOP].",
        ),
        Mutant(
            "the last word never read",
            ((READ, "read = [START, *target[:-1]]"),),
            "You leave out the last word of what is read. It must be read, too: only "
            "then is [STOP] to be said. (`[:-1]` is right when [STOP] is already in "
            "the list; here it is not.)",
        ),
        Mutant(
            "[START] forgotten",
            ((READ, "read = [*target]"),),
            "Before its first word your decoder reads the first word itself. There is "
            "no word yet: it reads [START].",
        ),
        Mutant(
            "[START] also in what must be said",
            ((SAY, "say = [START, *target, STOP]"),),
            "[START] is also in what must be said. It is only ever read: the first "
            "thing to say is the first word.",
        ),
        Mutant(
            "[STOP] also in what is read",
            ((READ, "read = [START, *target, STOP]"),),
            "[STOP] is also in what is read. It is only ever said: after it there is "
            "nothing more to write, so no step reads it.",
        ),
        Mutant(
            "both tokens in what is read, none in what must be said",
            ((READ, "read = [START, *target, STOP]"), (SAY, "say = [*target]")),
            "You put both special tokens into what is read. [START] is read and "
            "[STOP] must be said: each list has one of them, and so both are equally "
            "long.",
        ),
        Mutant(
            "[START] and [STOP] swapped",
            ((READ, "read = [STOP, *target]"), (SAY, "say = [*target, START]")),
            "You have the ids the wrong way round: [START] is 1 and is read first, "
            "[STOP] is 2 and is said last.",
        ),
        Mutant(
            "[START] taken for 0",
            (("START, STOP = 1, 2", "START, STOP = 0, 1"),),
            "Your [START] is 0 and your [STOP] is 1, as in some tutorials. Here 0 is "
            "[PAD]: use `data.START` and `data.STOP`, which are 1 and 2.",
            seen="pytorch/tutorials, `SOS_token = 0`",
        ),
        Mutant(
            "begins with [PAD]",
            ((READ, "read = [0, *target]"),),
            "What your decoder reads begins with 0, which is [PAD]. It should be "
            "[START], 1, the same in training as later when it writes alone.",
            seen="annotated-transformer 127",
        ),
        Mutant(
            "ends with [PAD]",
            ((SAY, "say = [*target, 0]"),),
            "What your decoder must say ends with 0, which is [PAD] and does not "
            "count in the loss: nothing asks it to stop. The last thing to say is "
            "[STOP], 2.",
        ),
        Mutant(
            "written backwards",
            (
                (READ, "read = [START, *reversed(target)]"),
                (SAY, "say = [*reversed(target), STOP]"),
            ),
            "You turn the translation round. Only the source may be fed in backwards; "
            "what is read and said here is the translation in its own order.",
        ),
        Mutant(
            "writes into the caller's list",
            (
                (READ, "target.append(STOP)\n    read = [START, *target[:-1]]"),
                (SAY, "say = [*target]"),
            ),
            "Both lists are right, but `target` itself is changed: `append` and "
            "`insert` write into the caller's list, and the next call finds it there. "
            "Make new lists, as in `target + [STOP]`.",
        ),
    ),
    laws=(one_in_one_out, only_known_words, one_step_behind),
)


def _texts(hypothesis: str, reference: str) -> dict[str, list[str]]:
    """Two sentences as lists of words, no two of which are one object in memory."""
    return {"hypothesis": hypothesis.split(), "reference": reference.split()}


def a_position_or_none(seen: Seen) -> str | None:
    """A whole number that is a place in one of the two, or None."""
    where = seen.got["position"]
    if where is None:
        return None
    longest = max(len(seen.inputs["hypothesis"]), len(seen.inputs["reference"]))
    if isinstance(where, bool) or not isinstance(where, int):
        return f"you return {where!r}. It should be a position counted from 0, a whole number, or None."
    if not 0 <= where < longest:
        return f"you return {where}, but the words have the positions 0 to {longest - 1}; if none is wrong, return None."
    return None


def right_before_wrong_at(seen: Seen) -> str | None:
    """Everything before the position is right, and what stands there is not."""
    where, said, right = (
        seen.got["position"],
        seen.inputs["hypothesis"],
        seen.inputs["reference"],
    )
    if where is None:
        return (
            None
            if said == right
            else "you return None, for right, though the two are not the same."
        )
    if said == right:
        return f"you return {where} though the two are the same: None is due."
    if said[:where] != right[:where]:
        return f"you return {where}, but a word before that is wrong already."
    if said[where : where + 1] == right[where : where + 1]:
        return f"you return {where}, but the words that stand there are the same."
    return None


WALK = "for position, (said, right) in enumerate(zip(hypothesis, reference, strict=False)):"
END = "return None if len(hypothesis) == len(reference) else min(len(hypothesis), len(reference))"

check_first_error = Check(
    name="first_error",
    reference=first_error,
    gives={"position": ""},
    task="Write `first_error(hypothesis, reference)`, two lists of words: the position of the first wrong word, "
    "counted from 0, or None if they are the same. If one list ends before the other, "
    "and all is right until then, the error is at the position where the shorter one "
    "has ended.",
    cases=(
        Case(
            "two words that are wrong",
            _texts("estoy firmando las tratados", "estoy escribiendo los tratados"),
        ),
        Case(
            "a translation without a mistake",
            _texts("estamos comiendo pan", "estamos comiendo pan"),
        ),
        Case(
            "a translation that stops too early",
            _texts("estamos comiendo", "estamos comiendo pan hoy"),
        ),
        Case(
            "a translation that goes on too long",
            _texts("estamos comiendo pan hoy también", "estamos comiendo pan"),
        ),
        Case("a wrong first word", _texts("eres comiendo pan", "estamos comiendo pan")),
        Case(
            "a wrong word before an early stop",
            _texts("estamos firmando pan", "estamos comiendo pan hoy no"),
        ),
        Case(
            "a word that was right before and is wrong now",
            _texts("la casa ve la ciudad", "la casa ve una ciudad"),
        ),
        Case(
            "two words in each other's place",
            _texts("estamos pan comiendo", "estamos comiendo pan"),
        ),
        Case("a wrong first word, and too few", _texts("eres", "estamos comiendo")),
        Case("no word at all", _texts("", "estamos comiendo pan")),
        Case("nothing to say, and nothing said", _texts("", "")),
    ),
    mutants=(
        Mutant(
            "other lengths not seen",
            ((END, "return None"),),
            "Your loop ends with the shorter list, and what is left over in the "
            "longer one is never looked at. Compare the lengths after it: the first "
            "missing, or superfluous, word is an error, too.",
        ),
        Mutant(
            "position 0 taken for none where the lengths differ",
            (
                (
                    "            return position\n    " + END,
                    "            break\n    else:\n        position = None\n    if "
                    "not position and len(hypothesis) != len(reference):\n        "
                    "return min(len(hypothesis), len(reference))\n    return position",
                ),
            ),
            "You ask whether a position was found, and take 0 for no: `if position` "
            "is false for 0 as well as for None. Ask `position is None`.",
        ),
        Mutant(
            "early stop not seen",
            (
                (
                    END,
                    "return len(reference) if len(hypothesis) > len(reference) else "
                    "None",
                ),
            ),
            "You take a translation that stops too early for right. Its first missing "
            "word is an error: at the position len(hypothesis).",
        ),
        Mutant(
            "words too many not seen",
            (
                (
                    END,
                    "return len(hypothesis) if len(hypothesis) < len(reference) else "
                    "None",
                ),
            ),
            "You take a translation that goes on after its end for right. Its first "
            "word too many is an error: at the position len(reference).",
        ),
        Mutant(
            "other lengths found at the end of the longer",
            ((END, END.replace("min(", "max(")),),
            "If one list ends first, you return the length of the longer. The error "
            "is where the shorter one has ended: take the smaller of the two lengths.",
        ),
        Mutant(
            "other lengths found at the last word",
            ((END, END + " - 1"),),
            "If one list ends first, you return the position of its last word, and "
            "that one is right. The next is wrong: the shorter one's length, as "
            "positions count from 0.",
        ),
        Mutant(
            "counts from 1",
            (
                (WALK, WALK.replace("strict=False)", "strict=False), start=1")),
                (END, END + " + 1"),
            ),
            "Your positions count from 1. The first word is at position 0, as in "
            "`hypothesis[0]`.",
        ),
        Mutant(
            "the loop counts from 1, the lengths from 0",
            ((WALK, WALK.replace("strict=False)", "strict=False), start=1")),),
            "A wrong word's position is one too high: count from 0, as in "
            "`hypothesis[0]`. (What you do with lists of other length is right.)",
        ),
        Mutant(
            "the last error instead of the first",
            (
                (
                    WALK,
                    WALK.replace("enumerate(", "reversed([*enumerate(").replace(
                        "strict=False))", "strict=False))])"
                    ),
                ),
            ),
            "You return the last wrong word. Leave the loop at the first: `return` "
            "inside the `if` does it.",
        ),
        Mutant(
            "a number where None is due",
            ((END, "return min(len(hypothesis), len(reference))"),),
            "A translation without a mistake gets its length as position. There is no "
            "wrong word, so return None: only if the lengths differ is their end an "
            "error.",
        ),
        Mutant(
            "-1 where None is due",
            ((END, END.replace("None", "-1")),),
            "A translation without a mistake gets -1. The exercise asks for None: -1 "
            "is a position, too, that of the last word, and nobody who uses it would "
            "notice.",
        ),
        Mutant(
            "position 0 taken for none",
            (("return position", "return position or None"), (END, f"{END} or None")),
            "An error in the very first word is lost: 0 counts as false, so `if "
            "position` or `position or ...` takes it for no error. Ask `is None`.",
        ),
        Mutant(
            "position looked up by the word",
            (("return position", "return hypothesis.index(said)"),),
            "You find the wrong word and then ask for its index. `index` gives the "
            "first place where this word stands, and there it may be right. Count "
            "along with the loop: `enumerate`.",
        ),
        Mutant(
            "asks whether the word occurs at all",
            (("if said != right:", "if said not in reference:"),),
            "You ask whether the word occurs in the reference, wherever. A right word "
            "at the wrong place is wrong: compare with the word at the same position.",
        ),
        Mutant(
            "lengths only",
            (("if said != right:", "if False:"),),
            "You look at the lengths and not at the words: a translation of the right "
            "length is right for you. Compare the two word by word first.",
        ),
        Mutant(
            "lengths first",
            (
                (
                    WALK,
                    "if len(hypothesis) != len(reference):\n"
                    "        return min(len(hypothesis), len(reference))\n    " + WALK,
                ),
            ),
            "If the lengths differ you return the end of the shorter list at once. A "
            "word before it may be wrong already: compare the words first, the "
            "lengths after them.",
        ),
        Mutant(
            "words compared with `is`",
            (("if said != right:", "if said is not right:"),),
            "You compare with `is`, which asks whether two words are one object in "
            "memory. Two equal words need not be: compare with == or !=.",
        ),
        Mutant(
            "the wrong word instead of its position",
            (("return position", "return said"),),
            "You return the wrong word itself. The exercise asks for its position, "
            "counted from 0.",
        ),
    ),
    laws=(a_position_or_none, right_before_wrong_at),
)
