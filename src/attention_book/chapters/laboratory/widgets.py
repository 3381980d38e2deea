"""A recorded network that is given sentences: all its heads, and what may be done to
them. It knows the network by its program alone.
"""

from collections.abc import Mapping
from typing import Any

from attention_book import runs
from attention_book.shapes import START, check_choice
from attention_book.widgets import (
    Widget,
    chosen,
    computed,
    control,
    heat_map,
    ids,
    maps,
    named,
    picked,
    reading,
    select,
    shown,
    spotlight,
    switches,
    tokens,
    typed,
    words_of,
    writing,
)
from attention_book.widgets.panel import Panel

SENTENCE, WHERE, WEIGHTS, SILENT = "sentence", "attention", "weights", "silent heads"
CHANGES: dict[str, list[list[Any]]] = {
    "its own": [],
    "equal": [["uniform"]],
    "shuffled": [["shuffled", 0]],
    "one place": [["strongest"]],
}
LONGEST = 24  # words, where the network has no limit of its own
TRANSLATED, PRONOUNS = "we are eating bread [STOP]", "the soup passed the horse because"
HELD = "ben then once again now now then gladly now once here"
FRAMED = "[START] the teacher ate the bread . [STOP]"
WHO = tuple(
    f"order-who-{kind}" for kind in ("learned", "none", "relative", "rotary", "sine")
)
OPENS = {  # as each was trained: with [STOP] at the end, or without
    "bottleneck-short": TRANSLATED,
    "bottleneck-long": TRANSLATED,
    "attention-dot": TRANSLATED,
    "it": f"{PRONOUNS} it was scared",
    "it-always-fits": f"{PRONOUNS} it was scared",
    "it-loud-always-fits": f"{PRONOUNS} it was scared",
    "it-flat-own-word": f"{PRONOUNS} it was scared",
    **dict.fromkeys(WHO, "today anna often sees ben who?"),
    "order-third-sine": "anna ben once carl third?",
    "heads-1": "max told ivan that the ferry was old",
    "heads-4": "max told ivan that the ferry was old",
    "carry-12-gru": f"{HELD} then who?",
    "carry-12-dilated": f"{HELD} then who?",
    "carry-12-attention": f"{HELD} then who?",
    "carry-48-gru": f"{HELD}{' then' * 37} who?",
    "carry-48-attention": f"{HELD}{' then' * 37} who?",
    "hidden-full": "the european minister bought this house today [STOP]",
    "senses": "the man fed the seal",
    "transformer": TRANSLATED,
    **dict.fromkeys(("bert", "bert-alone", "bert-left", "bert-peeks"), FRAMED),
    "parsing": "she laughed [STOP]",
    "three-languages": "[FR] we are eating bread [STOP]",
    "three-languages-35": "[FR] we are eating bread [STOP]",
}


def laboratory(name: str = "it") -> Widget:
    """Give a recorded network sentences, look at its heads, change its attention."""
    check_choice("name", name, OPENS)
    run = runs.load(name)
    network, (source, *_, target) = run.network(), _words(run)
    calls = network.program["functions"]
    opening = OPENS[name].split()
    ends = {"start": opening[0] == "[START]", "stop": opening[-1] == "[STOP]"}
    opening = [word for word in opening if word not in ("[START]", "[STOP]")]
    weights = network.model.state_dict().items()
    places = [len(W) for key, W in weights if "places" in key]
    longest = min(places) - ends["stop"] if places else max(LONGEST, len(opening))
    used = [calls[name] for name in ("read", "encode", "step") if name in calls]
    taps = [tap for each in used for tap in each["taps"]]
    heads = max(getattr(part, "N_heads", 0) for part in network.model.modules())
    _, (example, *_) = network.calls["read" if "read" in calls else "encode"]
    inputs = {each: value[0].numpy() for each, value in example.items()}
    inputs["source"] = ids(SENTENCE, **ends)
    if "visible" in inputs:
        inputs["visible"] = shown(SENTENCE, **ends)
    change = _changes(taps, heads)
    if "step" in calls:
        asked = writing(network, change=change, **inputs)
        said, label = asked.words("ids", target), "writes"
    else:
        asked = reading(network, change=change, **inputs)
        said, label = asked.words("logits", target), "answers"
    controls = [
        typed(
            SENTENCE,
            source,
            " ".join(opening),
            longest=longest,
            hides="visible" in inputs,
        )
    ]
    if taps:
        controls += [select(WHERE, taps), select(WEIGHTS, list(CHANGES))]
    if heads > 1:
        controls.append(switches(SILENT, [str(h + 1) for h in range(heads)]))
    read = words_of(SENTENCE, **ends)
    fed = named(computed("shifted", values=asked.output("ids"), first=START), target)
    grids = {}
    for tap in taps:
        steps = tap in calls.get("step", {"taps": ()})["taps"]
        own = steps and tap.endswith("attend")
        rows, columns = said if steps else read, fed if own else read
        A: Any = asked.tap(tap)
        if steps:
            A = computed("heads_first", A=A)
        if steps and not heads:
            A = computed("entry", values=A, at=0)
        grids[tap] = (rows, columns, A)
    return Widget(
        title=name,
        question="What does it take to change an answer?",
        controls=controls,
        panels=[tokens(label, said), *_maps(grids, heads)],
        link=f"laboratory-{name}",
    )


def _words(run: runs.RecordedRun) -> list[tuple[str, ...]]:
    both = [side.words for side in run.vocabularies]
    return [both[0], both[-1]]


def _changes(taps: list[str], heads: int) -> Mapping[str, Any]:
    """Change attention where one menu says, as the other and the switches say."""
    here = [chosen(WEIGHTS, CHANGES)]
    if heads > 1:
        here.append(["off", control(SILENT)])
    none: dict[str, list] = {tap: [] for tap in taps}
    return {tap: [chosen(WHERE, none | {tap: here})] for tap in taps}


def _maps(grids: Mapping[str, tuple[Any, Any, Any]], heads: int) -> list[Panel]:
    if not grids:
        return []
    rows, columns, A = (
        picked(WHERE, dict(zip(grids, each, strict=True)))
        for each in zip(*grids.values(), strict=True)
    )
    if not heads:
        return [heat_map(rows, columns, A, cell=(18, 13), limits=(0, 1))]
    means = {tap: computed("mean_of", values=each) for tap, (*_, each) in grids.items()}
    names = [f"head {h + 1}" for h in range(heads)]
    return [
        spotlight(rows, columns, picked(WHERE, means), names=("looks", "looked at")),
        maps(names, rows, columns, A, cell=(14, 8)),
    ]
