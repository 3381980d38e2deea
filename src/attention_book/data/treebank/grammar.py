"""A probabilistic context-free grammar of English whose sentences can be read in more
than one way, as *I shot an elephant in my pajamas* can.

A rule says what a phrase may be made of, and with what probability, given the phrase:
P(parts | phrase). A tree's probability is the product of those of its rules. The
probabilities were set by what is plausible of people, animals, clothes and telescopes,
before anything was trained.

Sources: [manning1999foundations], ch. 11; the sentence is Groucho Marx's, in the film
*Animal Crackers* (1930).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

START_SYMBOL = "S"

# Capitals are phrases, small letters kinds of words. What follows "_" keeps meanings
# apart and is no part of a phrase's label: NP_person and NP_tool are noun phrases.
RULES = """
S -> NP_me VP [.35] | NP_person VP [.35] | S_one and S [.3]
S_one -> NP_me VP [.5] | NP_person VP [.5]
SBAR -> that S_one [1]

VP -> rest [.1] | rest PP_place [.1] | say SBAR [.2]
VP -> see NP_person [.11] | see NP_animal [.11] | meet NP_person [.127]
VP -> see NP_person PP_tool [.09] | see NP_animal PP_tool [.08]
VP -> see NP_animal PP_worn [.02] | see NP_person PP_worn [.002]
VP -> see NP_person PP_place [.02] | see NP_animal PP_place [.02]
VP -> meet NP_person PP_place [.02] | meet NP_person PP_tool [.001]

NP_me -> me [1]
NP_person -> the person [.6] | the size person [.15]
NP_person -> NP_person PP_worn [.1] | NP_person PP_place [.1] | NP_person PP_tool [.05]
NP_animal -> the animal [.4] | the size animal [.2] | an elephant [.2]
NP_animal -> NP_animal PP_worn [.03] | NP_animal PP_place [.15]
NP_animal -> NP_animal PP_tool [.02]
NP_place -> the place [.7] | the size place [.15]
NP_place -> NP_place PP_of [.1] | NP_place PP_place [.05]
NP_worn -> my pajamas [.3] | the worn [.5] | the size worn [.2]
NP_tool -> the tool [.8] | the size tool [.2]
PP_place -> in NP_place [1]
PP_worn -> in NP_worn [1]
PP_tool -> with NP_tool [1]
PP_of -> of NP_person [1]

me -> 'i' [.2] | 'you' [.16] | 'we' [.16] | 'they' [.16] | 'he' [.16] | 'she' [.16]
see -> 'saw' [.25] | 'shot' [.25] | 'watched' [.25] | 'photographed' [.25]
meet -> 'met' [.4] | 'liked' [.3] | 'remembered' [.3]
rest -> 'slept' [.4] | 'laughed' [.3] | 'left' [.3]
say -> 'said' [.4] | 'thought' [.3] | 'knew' [.3]
the -> 'the' [.5] | 'a' [.3] | 'this' [.2]
an -> 'an' [1]
my -> 'my' [.5] | 'his' [.25] | 'her' [.25]
size -> 'big' [.25] | 'small' [.25] | 'nice' [.25] | 'little' [.25]
person -> 'man' [.3] | 'woman' [.3] | 'child' [.2] | 'doctor' [.2]
animal -> 'dog' [.3] | 'cat' [.3] | 'horse' [.2] | 'lion' [.2]
elephant -> 'elephant' [1]
worn -> 'coat' [.4] | 'hat' [.3] | 'shirt' [.3]
pajamas -> 'pajamas' [1]
tool -> 'telescope' [.5] | 'camera' [.3] | 'stick' [.2]
place -> 'park' [.3] | 'garden' [.3] | 'house' [.2] | 'city' [.2]
in -> 'in' [1]
with -> 'with' [1]
of -> 'of' [1]
that -> 'that' [1]
and -> 'and' [.7] | 'but' [.3]
"""


@dataclass(frozen=True)
class Rule:
    """One way to make a phrase, or a kind of word."""

    parts: tuple[str, ...]  # left to right: symbols of the grammar, or one word
    P: float  # how probable, given what is made
    word: bool  # whether the part is a word


@lru_cache(maxsize=1)
def rules() -> Mapping[str, tuple[Rule, ...]]:
    """The rules of each symbol, as `RULES` writes them."""
    found: dict[str, list[Rule]] = {}
    for line in filter(None, RULES.splitlines()):
        made, choices = line.split(" -> ")
        for choice in choices.split(" | "):
            *parts, P = choice.split()
            names = tuple(part.strip("'") for part in parts)
            rule = Rule(names, float(P.strip("[]")), word="'" in choice)
            found.setdefault(made, []).append(rule)
    return {made: tuple(choices) for made, choices in found.items()}


def label(symbol: str) -> str:
    """The label of a phrase, such as "NP" of "NP_person"; "" of a kind of word."""
    name = symbol.split("_")[0]
    return name if name.isupper() else ""


def words() -> tuple[str, ...]:
    """All words of the grammar, in its order."""
    return tuple(
        dict.fromkeys(
            rule.parts[0] for some in rules().values() for rule in some if rule.word
        )
    )
