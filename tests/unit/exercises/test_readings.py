"""A wrong count is taken apart: each reading of each part is told its own sentence."""

import pytest

from attention_book.exercises.cases import Example
from attention_book.exercises.laws import Counted
from attention_book.zoo import CHECKS

LAWS = [
    (name, law)
    for name, check in CHECKS.items()
    for law in check.laws
    if isinstance(law, Counted)
]


def example_of(check, *inputs):
    due = check.named(check.reference(*inputs))
    return Example(dict(zip(check.cases[0].inputs, inputs, strict=True)), due, due)


def misread(check, law, place, says):
    """Count rightly, but for one part that is taken for another."""

    def count(*inputs):
        example = example_of(check, *inputs)
        parts = law.taken(example)
        total = sum(p[says if i == place else ""] for i, p in enumerate(parts))
        result = {
            name: total if law.part in ("", name) else value
            for name, value in example.expected.items()
        }
        if law.part not in ("", *result):
            ((name, whole),) = example.expected.items()
            result = {name: whole | {law.part: total}}
        return (
            tuple(result.values()) if len(result) > 1 else next(iter(result.values()))
        )

    return count


READINGS = [
    pytest.param(CHECKS[name], law, place, says, id=f"{name}: {says[:50]}")
    for name, law in LAWS
    for inputs in [CHECKS[name].cases[0].inputs.values()]
    for place, part in enumerate(law.taken(example_of(CHECKS[name], *inputs)))
    for says in filter(None, part)
]


@pytest.mark.usefixtures("as_a_reader")
@pytest.mark.parametrize(("check", "law", "place", "says"), READINGS)
def test_each_reading_is_told_its_own_sentence(check, law, place, says):
    verdict = check(misread(check, law, place, says))
    assert says in verdict.says, repr(verdict)
