"""`check_greedy` and `check_beam_search`: writing a sentence with a model that knows what may come next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_book.exercises.checking import Case, Check, Example
from attention_book.exercises.mutants import Mutant
from attention_book.reference import beam_search, greedy

Row = tuple[float, ...]
Change = tuple[str, str]


@dataclass(frozen=True)
class Step:
    """A model that has counted what comes after what: P of the next word, by the
    longest ending that it knows.

    Not a function, so that a verdict can show what it knows, and that two copies are
    equal.
    """

    after: tuple[tuple[tuple[int, ...], Row], ...]
    otherwise: Row

    def __call__(self, words: Any) -> np.ndarray:
        """Give log P of each next word after a tuple, list, array or tensor of ids."""
        return np.log(self.P(words))

    def P(self, words: Any) -> Row:
        """Give P of each next word."""
        if isinstance(words, int) or getattr(words, "ndim", 1) == 0:
            raise TypeError(
                "step takes all the words so far, as a tuple or list, got the single "
                f"word {words!r}"
            )
        read, known = tuple(map(int, words)), dict(self.after)
        endings = [read[k:] for k in range(len(read))]  # the longest first
        return next(
            (known[ending] for ending in endings if ending in known), self.otherwise
        )

    def __repr__(self) -> str:
        known = [(" ".join(map(str, ending)), row) for ending, row in self.after] + [
            ("else", self.otherwise)
        ]
        lines = [
            f"  ... {ending:5} | {' '.join(f'{p:.2f}'[1:] for p in row)}"
            for ending, row in known
        ]
        ids = "   ".join(map(str, range(len(self.otherwise))))
        return "\n".join(
            ["log P of the next word, with P =", f"  after     |  {ids}", *lines]
        )


def rows(text: str) -> Step:
    """Read a `Step` from lines of "words | probabilities in hundredths"."""
    pairs = [line.split("|") for line in text.strip().splitlines()]
    table = {
        left.strip(): tuple(int(p) / 100 for p in right.split())
        for left, right in pairs
    }
    otherwise = table.pop("else")
    return Step(
        tuple((tuple(map(int, words.split())), row) for words, row in table.items()),
        otherwise,
    )


def only_words(example: Example) -> str | None:
    """Whole numbers that are ids of words."""
    start, stop = example.inputs["start"], example.inputs["stop"]
    N_words = len(example.inputs["step"].otherwise)
    for word in example.got["words"]:
        if (
            isinstance(word, bool)
            or not isinstance(word, int)
            or not 0 <= word < N_words
        ):
            return f"words holds {word!r}, which is no id. Give back whole numbers from 0 to {N_words - 1}."
        if word in (start, stop):
            name = "[START]" if word == start else "[STOP]"
            return f"words holds {word}, which is {name}. Give back the words between [START] and [STOP] only."
    return None


def not_too_long(example: Example) -> str | None:
    """At most max_words words."""
    count, most = len(example.got["words"]), example.inputs["max_words"]
    return (
        None if count <= most else f"you wrote {count} words, and max_words is {most}."
    )


def always_the_likeliest(example: Example) -> str | None:
    """Every word, and the end, is the likeliest there."""
    step, stop = example.inputs["step"], example.inputs["stop"]
    written, words = [*example.got["words"]], (example.inputs["start"],)
    if len(written) < example.inputs["max_words"]:
        written.append(stop)
    for word in written:
        P = step.P(words)
        best = int(np.argmax(P))
        if word != best:
            did = "you stopped" if word == stop else f"you wrote {word}"
            due = "[STOP]" if best == stop else str(best)
            return f"after {' '.join(map(str, words))} {did}, with P = {P[word]:.2f}; {due} has P = {P[best]:.2f}."
        words = (*words, word)
    return None


def best_per_word(example: Example) -> str | None:
    """Compare the reader's sentence with the right one by log P per word."""

    def score(words: Sequence[int]) -> tuple[float, int]:
        read, total = (example.inputs["start"],), 0.0
        written = [*words, example.inputs["stop"]][: example.inputs["max_words"]]
        for word in written:
            total, read = total + float(example.inputs["step"](read)[word]), (*read, word)
        return total, len(written)

    got, want = [*example.got["words"]], [*example.expected["words"]]
    if got == want:
        return None
    (ours, N_ours), (theirs, N_theirs) = score(want), score(got)
    says = (
        f"your sentence {got} has log P = {theirs:.2f} and |y| = {N_theirs} ([STOP] "
        f"counts), {theirs / N_theirs:.2f} per word; {want} has {ours:.2f} and |y| = "
        f"{N_ours}, {ours / N_ours:.2f} per word. "
    )
    if theirs / N_theirs > ours / N_ours:
        return (
            says
            + "Yours is better than what `width` slots find: do you keep more than that?"
        )
    return (
        says
        + "Is the better one found and thrown away, compared by something else, or never found?"
    )


def common(
    first: str, shown: str, loop: str, start_kept: Change, stop_kept: Change
) -> tuple[Mutant, ...]:
    """Make the mistakes that every decoder can hold, as changes of one of them."""
    call = f"_log_p(step, {shown})"
    return (
        Mutant(
            "begins with [STOP]",
            ((first, first.replace("start", "stop")),),
            "Your first word is not [START]. In training the decoder read [START] "
            "before it wrote anything: begin with `start`, and not with `stop`.",
        ),
        Mutant(
            "[START] is 1, whatever `start` says",
            ((first, first.replace("start", "1")),),
            "Your first word is 1, and not what `start` says. Ids belong to a "
            "vocabulary: use the argument.",
        ),
        Mutant(
            "[STOP] is 2, whatever `stop` says",
            ((loop, f"stop = 2\n    {loop}"),),
            "You take word 2 for [STOP], and not what `stop` says. Ids belong to a "
            "vocabulary: use the argument.",
        ),
        Mutant(
            "[START] not shown",
            ((call, f"_log_p(step, {shown}[1:])"),),
            "You call `step` without [START] in front. It wants all words so far, the "
            "first of which is `start`; only what you give back is without it.",
        ),
        Mutant(
            "only the last word shown",
            ((call, f"_log_p(step, {shown}[-1:])"),),
            "You call `step` with the last word alone. This model remembers nothing "
            "between calls: show it all words so far, [START] first.",
        ),
        Mutant(
            "own words not shown",
            ((call, f"_log_p(step, {shown}[:1])"),),
            "You call `step` with [START] every time: what has been written is never "
            "fed back, and each word is chosen as if it were the first. At test time "
            "the model's own words take the place that the right ones had in training.",
        ),
        Mutant(
            "shown one word late",
            ((call, f"_log_p(step, {shown}[:-1] or {shown})"),),
            "The word you wrote last is not yet among those that you show to `step`. "
            "Add it before the next call.",
        ),
        Mutant(
            "shown backwards",
            ((call, f"_log_p(step, {shown}[::-1])"),),
            "You show the words to `step` last word first. [START] stands in front, "
            "and new words go to the end.",
        ),
        Mutant(
            "[START] in the result",
            (start_kept,),
            "Your result begins with [START]. It was shown to the model, but it is no "
            "word of the sentence: leave it out.",
        ),
        Mutant(
            "[STOP] in the result",
            (stop_kept,),
            "Your result ends with [STOP]. It says that the sentence is over and is "
            "no word of it: leave it out.",
        ),
        Mutant(
            "one word too many",
            ((loop, loop.replace("max_words", "max_words + 1")),),
            "You may write one word more than `max_words`. The limit counts every "
            "word the model writes, [STOP] included: so many steps, and no more.",
        ),
        Mutant(
            "one word too few",
            ((loop, loop.replace("max_words", "max_words - 1")),),
            "Your longest sentence has one word less than `max_words`. [START] does "
            "not count, as the model did not write it; and where the sentence is cut "
            "off, there is no [STOP] at its end that you could take off.",
        ),
    )


UNTIL = "        if word == stop:\n            break\n"
GROW = "        words = (*words, word)\n"
DONE = "return list(words[1:])"
ARGMAX = "int(_log_p(step, words).argmax())"

GREEDY = (
    *common(
        "words = (start,)",
        "words",
        "for _ in range(max_words):\n        word",
        (DONE, "return list(words)"),
        (UNTIL + GROW, GROW + UNTIL),
    ),
    Mutant(
        "does not stop at [STOP]",
        ((UNTIL, ""),),
        "You go on after [STOP]. What the model says there means nothing: end the "
        "loop as soon as the word is `stop`.",
    ),
    Mutant(
        "goes on after [STOP] and takes it out in the end",
        ((UNTIL, ""), (DONE, "return [word for word in words[1:] if word != stop]")),
        "You go on after [STOP], and take only [STOP] itself out in the end: the "
        "words behind it stay. The sentence ends at the first [STOP].",
    ),
    Mutant(
        "takes the unlikeliest word",
        ((ARGMAX, ARGMAX.replace("argmax", "argmin")),),
        "You take the word with the smallest log-probability. Logarithms of "
        "probabilities are negative, and the likeliest is the one nearest to 0: "
        "argmax.",
    ),
)

BEGIN = "live, sentences = [Beginning((start,), 0.0)], []"
LONGER = "longer = [each for beginning in live for each in extended(step, beginning)]"
OWN = """longer = [
            each
            for beginning in live
            for each in sorted(extended(step, beginning), key=per_word)[-width if beginning.words == (start,) else -1 :]
        ]"""
SORT = "longer.sort(key=lambda beginning: beginning.log_p, reverse=True)"
KEPT = "kept = longer[: width - len(sentences)]"
FINISH = "sentences += [beginning for beginning in kept if beginning.words[-1] == stop]"
LIVE = "live = [beginning for beginning in kept if beginning.words[-1] != stop]"
BEST = "best = max(sentences or live, key=per_word)"
RESULT = "return [word for word in best.words[1:] if word != stop]"
ADD = "beginning.log_p + float(log_p[word])"
PER_WORD = "return beginning.log_p / (len(beginning.words) - 1)"

BEAM = (
    *common(
        "(start,), 0.0",
        "beginning.words",
        "for _ in range(max_words):\n        longer",
        (RESULT, RESULT.replace("[1:]", "")),
        (RESULT, "return list(best.words[1:])"),
    ),
    Mutant(
        "log P not divided by the length",
        ((PER_WORD, "return beginning.log_p"),),
        "You compare finished sentences by log P itself. Each word makes it smaller, "
        "so the shortest sentence wins: divide by the number of words, [STOP] "
        "included.",
        seen="a-PyTorch-Tutorial-to-Image-Captioning 137",
    ),
    Mutant(
        "[STOP] not counted in the length",
        (
            (
                BEST,
                BEST.replace(
                    "per_word",
                    "lambda each: each.log_p / max(1, sum(word != stop for word in "
                    "each.words[1:]))",
                ),
            ),
        ),
        "You divide by the number of words without [STOP], but its log P is in the "
        "sum. Count it.",
        seen="sockeye 483",
    ),
    Mutant(
        "[START] counted in the length",
        ((PER_WORD, "return beginning.log_p / len(beginning.words)"),),
        "You divide by a length that counts [START]. It was given, and its log P is "
        "not in the sum: count the words that the model wrote, [STOP] included.",
        seen="transformers 26624",
    ),
    Mutant(
        "a divisor that grows more slowly",
        ((PER_WORD, "return beginning.log_p / ((5 + len(beginning.words) - 1) / 6)"),),
        "Your divisor grows more slowly than the number of words, as (5 + |y|) / 6 "
        "does, so that short sentences still have an advantage. That is another "
        "convention; here log P is divided by the number of words itself.",
        seen="another convention: Wu et al. (2016)",
    ),
    Mutant(
        "the divided score is carried on",
        (
            (
                KEPT,
                "kept = [each._replace(log_p=per_word(each)) for each in longer[: "
                "width - len(sentences)]]",
            ),
            (BEST, "best = max(sentences or live, key=lambda each: each.log_p)"),
        ),
        "You divide by the length at every step and add the next word to the result, "
        "so that the first words are divided again and again. Carry the plain sum of "
        "log P; divide once, when sentences are compared.",
        seen="PreSumm 58",
    ),
    Mutant(
        "log-probabilities multiplied",
        ((BEGIN, BEGIN.replace("0.0", "1.0")), (ADD, ADD.replace("+", "*"))),
        "You multiply log-probabilities. Probabilities are multiplied; their "
        "logarithms are added, from 0 on.",
        seen="common in tutorials",
    ),
    Mutant(
        "probabilities added",
        ((ADD, "beginning.log_p + float(np.exp(log_p[word]))"),),
        "You add probabilities. That of a sentence is the product of them: add what "
        "`step` gives, their logarithms.",
        seen="pointer_summarizer 26",
    ),
    Mutant(
        "score of the last word only",
        ((ADD, "float(log_p[word])"),),
        "Your score is log P of the last word alone: what a beginning had before is "
        "lost. Add the new word's log P to the sum that the beginning brought along.",
    ),
    Mutant(
        "width ignored",
        ((KEPT, KEPT.replace("width", "1")),),
        "Yours finds what greedy decoding finds. Do you keep only one beginning, or "
        "`width` copies of the same one? Begin with a single [START]: all slots would "
        "hold the same words for ever.",
        seen="ParlAI 2007",
    ),
    Mutant(
        "no competition between beginnings",
        ((LONGER, OWN),),
        "Each of your beginnings keeps its own best next word. Two from the same "
        "beginning may be better than any from another: put the continuations of all "
        "beginnings into one list, and keep the `width` best of it.",
    ),
    Mutant(
        "nothing dropped",
        ((KEPT, "kept = longer"),),
        "You keep more than `width` beginnings: their number grows with every word. "
        "Of all continuations together, keep only the `width` best.",
    ),
    Mutant(
        "the unlikeliest kept",
        ((SORT, SORT.replace(", reverse=True", "")),),
        "You sort from small to large and keep the beginnings with the smallest log "
        "P. log P is negative, and the likeliest is nearest to 0: largest first.",
    ),
    Mutant(
        "goes on after [STOP]",
        ((FINISH, "pass"), (LIVE, "live = kept")),
        "You go on after [STOP]: a finished sentence gets more words, and more "
        "factors. Put it aside as soon as it writes [STOP].",
        seen="ParlAI 2058",
    ),
    Mutant(
        "sentences are kept, and continued as well",
        ((LIVE, "live = kept"),),
        "You put finished sentences aside, but go on writing behind their [STOP] too: "
        "what comes of it takes slots from beginnings that are still open. Continue "
        "only what does not end with [STOP].",
    ),
    Mutant(
        "finished sentences forgotten",
        ((FINISH, "pass"),),
        "A beginning that writes [STOP] disappears: only what is still growing in the "
        "end can win. Put sentences that are finished on a list of their own, and "
        "choose from it.",
    ),
    Mutant(
        "ends with the first sentence",
        ((LIVE, LIVE + "\n        if sentences:\n            break"),),
        "You end the search with the first [STOP]. A longer sentence may still be "
        "better per word: go on until all slots hold sentences, or `max_words`.",
        seen="joeynmt 148",
    ),
    Mutant(
        "ends when the best beginning ends",
        (
            (
                LIVE,
                LIVE
                + "\n        if kept and kept[0].words[-1] == stop:\n            break",
            ),
        ),
        "You end the search when the likeliest beginning writes [STOP]. Per word, "
        "another one may still become better: go on until all slots hold sentences, "
        "or `max_words`.",
        seen="OpenNMT-py; joeynmt 148",
    ),
    Mutant(
        "ends when a sentence is likelier than every beginning",
        (
            (
                LIVE,
                LIVE
                + "\n        if sentences and not (live and live[0].log_p > sentences[0].log_p):\n            break",
            ),
        ),
        "You end the search when a finished sentence is likelier than every "
        "beginning. log P of a beginning can only fall, but per word a longer one may "
        "still become better: go on until all slots hold sentences, or `max_words`.",
    ),
    Mutant(
        "sentences leave their slot to others",
        ((KEPT, "kept = longer[:width]"),),
        "In your code, a finished sentence frees its slot, so that more than `width` "
        "sentences are found. Many programs do so; here it keeps its slot, and "
        "`width` slots give at most `width` sentences.",
        seen="another convention",
    ),
    Mutant(
        "sentences leave their slot until `width` are finished",
        (
            (KEPT, "kept = longer[:width]"),
            (LIVE, f"{LIVE}\n        if len(sentences) >= width:\n            break"),
        ),
        "In your code, a finished sentence frees its slot, and the search ends when "
        "`width` sentences are finished. Many programs do so; here it keeps its slot: "
        "with two sentences finished, `width - 2` beginnings go on.",
        seen="another convention",
    ),
    Mutant(
        "compared per word while searching",
        (
            (SORT, "longer = sorted(longer + sentences, key=per_word, reverse=True)"),
            (KEPT, "kept = longer[:width]"),
            (FINISH, FINISH.replace("+=", "=")),
        ),
        "In your code, finished sentences and beginnings compete for slots by log P "
        "per word. A beginning has its [STOP] still to pay for, so it looks better "
        "than it is. Inside the beam compare log P of what is equally long; divide by "
        "the length only in the end, among sentences.",
        seen="another convention: xnmt 100",
    ),
    Mutant(
        "sentences compete with beginnings",
        (
            (
                SORT,
                "longer = sorted(longer + sentences, key=lambda beginning: "
                "beginning.log_p, reverse=True)",
            ),
            (KEPT, "kept = longer[:width]"),
            (FINISH, FINISH.replace("+=", "=")),
        ),
        "In your code, a finished sentence must defend its slot, and is dropped when "
        "`width` beginnings have a larger log P, though it may be the best per word. "
        "Here it keeps its slot.",
        seen="another convention",
    ),
    Mutant(
        "cut-off beginnings compete with sentences",
        ((BEST, BEST.replace(" or ", " + ")),),
        "In the end you choose among finished sentences and among what was cut off at "
        "`max_words`. The latter is no sentence: take it only if there is none.",
    ),
    Mutant(
        "cut-off beginnings preferred",
        ((BEST, BEST.replace("sentences or live", "live or sentences")),),
        "You choose among what is left in the slots in the end, and take a finished "
        "sentence only if nothing is left. It is the other way round: what was cut "
        "off at `max_words` is no sentence.",
    ),
)

check_greedy = Check(
    name="greedy",
    reference=greedy,
    gives={"words": ""},
    task="Write `greedy(step, start, stop, max_words)`: always take the likeliest next word. `step(words)` gives "
    "the log P of each next word, a NumPy array of shape (N_words,), after all words "
    "so far, a tuple or list of ids that begins with `start`, the id of [START]. Stop "
    "at the word `stop`, which is [STOP], or when `max_words` words are written, "
    "[STOP] included. Return the words as a list of ids, without [START] and [STOP].",
    cases=(
        Case(
            "a sentence that ends",
            {
                "step": rows("""
                    1     | 52  2  8 32  6
                    0     | 27  2 25 16 30
                    3     | 20  1  3 60 16
                    4     | 20  2 33 35 10
                    0 1   | 29  1 55  4 11
                    1 0 4 | 18  2 55 11 14
                    2     | 12  2 25 50 11
                    else  | 22  2 45  7 24
                """),
                "start": 1,
                "stop": 2,
                "max_words": 5,
            },
        ),
        Case(
            "a sentence that is cut off",
            {
                "step": rows("""
                    1    | 51  1  8 34  6
                    0    | 13  1 33 37 16
                    3    | 76  1  3 13  7
                    4    | 35  2 33  4 26
                    0 1  | 14  1 55 11 19
                    2    | 12  1 55 18 14
                    0 3  |  5  1  6 60 28
                    else | 24  2 21 34 19
                """),
                "start": 1,
                "stop": 2,
                "max_words": 4,
            },
        ),
        Case(
            "nothing to say",
            {
                "step": rows("""
                    1    | 11  1 59 20  9
                    else | 30  1 15 20 34
                """),
                "start": 1,
                "stop": 2,
                "max_words": 3,
            },
        ),
        Case(
            "other ids for [START] and [STOP]",
            {
                "step": rows("""
                    3    |  8 17 20  1 54
                    1    | 48 17 10  2 23
                    2    |  6 29  7  1 57
                    4    | 21  4 41  2 32
                    1 2  | 21  7  7  2 63
                    4 2  | 48  8 27  1 16
                    2 1  | 21  4  4  1 70
                    else | 30 61  4  2  3
                """),
                "start": 3,
                "stop": 0,
                "max_words": 4,
            },
        ),
    ),
    mutants=GREEDY,
    laws=(only_words, not_too_long, always_the_likeliest),
)

check_beam_search = Check(
    name="beam_search",
    reference=beam_search,
    gives={"words": ""},
    task="Write `beam_search(step, start, stop, width, max_words)`. `step(words)` gives the log P of each next "
    "word, a NumPy array of shape (N_words,), after all words so far, a tuple or list "
    "of ids that begins with `start`. Begin with [START] alone. At every step take "
    "all continuations by one word together, and keep those with the largest sum of "
    "log P: `width` of them, less one for every sentence that was finished before. "
    "Those that end with `stop` are finished: set them aside, they are not continued. "
    "End when `width` sentences are finished or `max_words` words are written, [STOP] "
    "included. Of the finished sentences (if there is none: of what was cut off), "
    "return the one with the largest log P divided by its number of words, [STOP] "
    "included, as a list of ids without [START] and [STOP]. No two are equally likely.",
    cases=(
        Case(
            "three slots",
            {
                "step": rows("""
                    1    |  4  2 31  6 57
                    else |  4  1 45 35 15
                """),
                "start": 1,
                "stop": 2,
                "width": 3,
                "max_words": 5,
            },
        ),
        Case(
            "four slots",
            {
                "step": rows("""
                    1    |  8  2 14 60 16
                    else |  4  1 21 66  8
                """),
                "start": 1,
                "stop": 2,
                "width": 4,
                "max_words": 5,
            },
        ),
        Case(
            "an early end",
            {
                "step": rows("""
                    1    | 56  1 10  5 28
                    else | 80  1 10  5  4
                """),
                "start": 1,
                "stop": 2,
                "width": 4,
                "max_words": 5,
            },
        ),
        Case(
            "a late end",
            {
                "step": rows("""
                    1    |  8  1 42 25 24
                    0    | 12  1  3 66 18
                    3    | 17  1 50  1 31
                    else | 11  1  3 75 10
                """),
                "start": 1,
                "stop": 2,
                "width": 3,
                "max_words": 5,
            },
        ),
        Case(
            "an end at the last word",
            {
                "step": rows("""
                    1    | 44  1 30 12 13
                    0    | 43  1  1 36 19
                    3    |  2  1 35 61  1
                    else | 21  1 56 10 12
                """),
                "start": 1,
                "stop": 2,
                "width": 3,
                "max_words": 5,
            },
        ),
        Case(
            "more words",
            {
                "step": rows("""
                    1    | 53  2  8 31  6
                    0    | 11  1 72 12  4
                    3    | 13  1  6 31 49
                    1 0  | 34  1 39 15 11
                    3 1  | 18  2  6  6 68
                    else | 65  1 21  8  5
                """),
                "start": 1,
                "stop": 2,
                "width": 3,
                "max_words": 6,
            },
        ),
        Case(
            "no sentence finished",
            {
                "step": rows("""
                    1    |  7  1  5 26 61
                    0    | 37  1 30 14 18
                    3    | 11  1 72  9  7
                    4    | 56  1  6  4 33
                    3 0  | 15  2 48 11 24
                    2    | 12  1  3  5 79
                    else |  7  2 45 36 10
                """),
                "start": 1,
                "stop": 2,
                "width": 2,
                "max_words": 5,
            },
        ),
        Case(
            "few words",
            {
                "step": rows("""
                    1     | 36  2  5 18 39
                    0     |  3  1 86  4  6
                    3     | 10  2  3 30 55
                    4     | 37  1  3 53  6
                    1 3 0 |  3  1 12 39 45
                    1 3   | 17  2 48 27  6
                    0 1   |  6  1 21  9 63
                    else  | 28  2 21 17 32
                """),
                "start": 1,
                "stop": 2,
                "width": 3,
                "max_words": 4,
            },
        ),
        Case(
            "other ids for [START] and [STOP]",
            {
                "step": rows("""
                    3    |  5 44 15  2 34
                    1    |  3 26 30  1 40
                    2    | 61  4 27  1  7
                    4 1  | 30  5  6  2 57
                    3 4  | 48 12  7  1 32
                    else | 21 36 33  2  8
                """),
                "start": 3,
                "stop": 0,
                "width": 3,
                "max_words": 4,
            },
        ),
    ),
    mutants=BEAM,
    laws=(only_words, not_too_long, best_per_word),
)
