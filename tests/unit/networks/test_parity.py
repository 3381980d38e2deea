"""What a page's engine gives is what torch gives, of every recorded network."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from attention_book import runs
from attention_book.networks import change_of

LENGTHS = 1, 2, 5, 11, 18  # torch.export promises nothing of 1
OF_LOGITS = {"logits", "digits", "fits", "tree_scores", "guess", "in sight", "bits"}
BLOCK_1 = "encoder.blocks.0.attend"
LOGITS, WEIGHTS = 1e-4, 1e-5  # sums of log probabilities are as large as logits


def inputs_of(network, call, N):
    """An input of the examples' kind, N long where their lengths are open."""
    drawn = torch.Generator().manual_seed(N)
    _, (example, other) = network.calls[call]
    kinds = min(
        (
            each.num_embeddings
            for each in network.model.modules()
            if isinstance(each, torch.nn.Embedding) and each.num_embeddings > 3
        ),
        default=8,
    )
    given = {}
    for name, x in example.items():
        pairs = zip(x.shape, other[name].shape, strict=True)
        shape = [N if one != another else one for one, another in pairs]
        if x.dtype == torch.bool:  # one in the middle is hidden
            given[name] = torch.ones(shape, dtype=torch.bool)
            given[name][0, shape[1] // 2] = N < 3
        elif name == "laid":  # on a sheet: ten digits, each where it may be
            given[name] = x.roll(N, dims=1)
        elif x.is_floating_point():
            given[name] = torch.rand(shape, generator=drawn)
        else:
            given[name] = torch.randint(3, kinds, shape, generator=drawn)
    return {name: x.tolist() for name, x in given.items()}


def lengths_of(network):
    """All lengths that the model's positions allow."""
    longest = min(
        (len(x) for name, x in network.model.state_dict().items() if "places" in name),
        default=max(LENGTHS),
    )
    return [N for N in LENGTHS if longest >= N]


def close(got, right, name):
    most = LOGITS if name in OF_LOGITS else WEIGHTS
    assert got.shape == right.shape, name
    np.testing.assert_allclose(got, right, rtol=0, atol=most, err_msg=name)


def compare(got, right):
    for ours, theirs in zip(got, right, strict=True):
        assert ours.keys() == theirs.keys()
        for name, value in ours.items():
            close(value, theirs[name], name)


def test_logits_and_attention_are_torchs_at_every_length(recorded, ask):
    _, network = recorded
    call = "read" if "read" in network.calls else "encode"
    given = [inputs_of(network, call, N) for N in lengths_of(network)]
    answers = ask(network, [{"call": call, "inputs": each} for each in given])
    for each, (outputs, taps) in zip(given, answers, strict=True):
        right, attended = network.run(call, each)
        if call == "encode":  # passed on to the steps
            outputs, right = {}, {}
        compare((outputs, taps), (right, attended))


def test_any_other_call_gives_what_torch_gives(recorded, ask):
    _, network = recorded
    others = network.calls.keys() - {"read", "encode", "step"}
    if not others:
        pytest.skip("it has none")
    asked = [(call, inputs_of(network, call, N)) for call in others for N in (3, 9)]
    questions = [{"call": call, "inputs": given} for call, given in asked]
    for (call, given), got in zip(asked, ask(network, questions), strict=True):
        compare(got, network.run(call, given))


def test_what_is_written_and_where_it_looks_are_torchs(recorded, ask):
    _, network = recorded
    if "step" not in network.calls:
        pytest.skip("it writes nothing")
    given = [inputs_of(network, "encode", N) for N in (3, 9)]
    answers = ask(
        network,
        [{"call": "write", "inputs": x, "options": {"most": 12}} for x in given],
    )
    for each, got in zip(given, answers, strict=True):
        compare(got, network.write(each, max_words=12))


DRAWN = {"sample": {"seed": 7, "temperature": 1.5, "top_k": 9, "top_p": 0.9}}


@pytest.mark.parametrize("how", [{"width": 3}, DRAWN, {"sample": {"seed": 1}}])
def test_a_beam_and_draws_write_the_sentence_that_pythons_write(recorded, ask, how):
    _, network = recorded
    if "step" not in network.calls:
        pytest.skip("it writes nothing")
    given, options = inputs_of(network, "encode", 6), {"most": 12, **how}
    ((outputs, _),) = ask(
        network, [{"call": "write", "inputs": given, "options": options}]
    )
    right, _ = network.write(given, max_words=12, **how)
    compare((outputs,), (right,))


def test_a_slot_of_a_sentence_that_is_finished_stays_empty(ask):
    network = runs.load("transformer").network("float32")
    (source, _) = runs.load("transformer").vocabularies
    ids = [[*source.encode(["our", "big", "child"]), 2]]
    given = {"source": ids, "visible": [[True] * len(ids[0])]}
    question = {"call": "write", "inputs": given, "options": {"width": 3}}
    ((got, _),) = ask(network, [question])
    right, _ = network.write(given, width=3)
    compare((got,), (right,))
    assert (got["tree_parents"] == -1).any()


CHANGED = [
    [["uniform"]],
    [["shuffled", 4]],
    [["strongest"]],
    [["hiding", [0, 1, 0, 0, 0, 0, 0]]],
    [["forced", [[0, 0, 1, 0, 0, 0, 0], [0.5, 0, 0, 0, 0.5, 0, 0]]]],
    [["forced", [[]]], ["uniform"]],
    [["masked", np.tril(np.ones((9, 7))).tolist()]],  # of nine words to be written
    [["off", [1, 0, 0, 1]], ["uniform"]],
]


@pytest.mark.parametrize(
    "told", CHANGED, ids=lambda told: "-".join(each[0] for each in told)
)
def test_changed_weights_give_what_they_give_in_python(recorded, ask, told):
    _, network = recorded
    call = "write" if "step" in network.calls else "read"
    given = inputs_of(network, "encode" if call == "write" else "read", 7)
    _, taps = network.run("encode" if call == "write" else call, given)
    if call == "write":
        taps = {name: 0 for name in network.program["functions"]["step"]["taps"]}
        taps = {name: 0 for name in taps if "attend" not in name}
    if not taps or any(getattr(A, "shape", (7,))[-1] != 7 for A in taps.values()):
        pytest.skip("it looks at no words")
    if network.name == "caption-attention":
        pytest.skip("its cells are not seven words")
    wide = [len(A) for A in taps.values() if getattr(A, "ndim", 0) > 2]
    heads = max(wide, default=4)
    told = [
        [kind, *(x[:heads] if kind == "off" else x for x in args)]
        for kind, *args in told
    ]
    change = dict.fromkeys(taps, told)
    question = {"call": call, "inputs": given, "change": change, "options": {"most": 9}}
    (got,) = ask(network, [question])
    python = {tap: change_of(each) for tap, each in change.items()}
    if call == "write":
        compare(got, network.write(given, python, max_words=9))
    else:
        compare(got, network.run(call, given, python))


def test_regions_that_exchange_their_weights_do_so_in_both_languages(ask):
    network = runs.load("two-streams").network()
    tap, told = "blocks.0.co.regions", [["reordered", [0, 2, 1, 3]]]
    given = inputs_of(network, "read", 5)
    (got,) = ask(network, [{"call": "read", "inputs": given, "change": {tap: told}}])
    compare(got, network.run("read", given, {tap: change_of(told)}))
    before, _ = network.run("read", given)
    close(got[0]["regions"], before["regions"][[1, 0, 2]], "regions")


@pytest.mark.parametrize("told", CHANGED, ids=lambda told: told[0][0])
def test_weights_are_changed_for_each_sentence_of_a_batch(ask, told):
    network = runs.load("bert").network()  # a copy for each word that it hides
    given, change = inputs_of(network, "in_turn", 7), {BLOCK_1: told}
    (got,) = ask(network, [{"call": "in_turn", "inputs": given, "change": change}])
    compare(got, network.run("in_turn", given, {BLOCK_1: change_of(told)}))


def test_damaged_weights_and_unknown_operations_are_refused(ask):
    network = runs.load("it").network()
    inputs = inputs_of(network, "read", 5)

    def flipped(program, data):
        return program, bytes([data[0] ^ 1]) + data[1:]

    def unknown(program, data):
        nodes = [["new", "erfinv", ["source"]]]
        read = {**program["functions"]["read"], "nodes": nodes}
        return {**program, "functions": {"read": read}}, data

    for damage, message in ((flipped, "damaged"), (unknown, "erfinv")):
        with pytest.raises(RuntimeError, match=message):
            ask(network, [{"call": "read", "inputs": inputs}], damage)


def test_every_recorded_program_is_what_its_model_does_today():
    """In a process of its own: torch.export would trace the checks of shapes, too."""
    code = (
        "from attention_book.recipes import recipes\n"
        "from attention_book.runs.programs import changed_programs\n"
        "print(*(path.parent.name for path, _ in changed_programs(recipes())))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not done.stdout.split(), (
        "the models have changed since their programs were written: write them again "
        "with `python -m attention_book.runs --programs`"
    )
