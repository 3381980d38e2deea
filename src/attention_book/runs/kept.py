"""What is kept along training: words go into `run.json`, arrays into one file.

Where an array stood, `run.json` has its name in the file. Floats are kept as 16-bit
numbers and come back as 32-bit ones; whole numbers stay as they are.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import safetensors.numpy

ARRAY = "@array"  # the key under which the name of an array stands in its place


def pack(kept: Mapping[int, Mapping[str, Any]]) -> tuple[dict[str, Any], bytes]:
    """Split what was kept, by the step of training, into plain data and a file.

    The file is empty where there is no array. What cannot be kept is named by a
    ValueError.
    """
    arrays: dict[str, np.ndarray] = {}
    met: set[str] = set()
    plain = {
        str(step): _take_out(some, str(step), arrays, met)
        for step, some in kept.items()
    }
    return plain, safetensors.numpy.save(arrays) if arrays else b""


def unpack(plain: Mapping[str, Any], file: bytes) -> dict[int, dict[str, Any]]:
    """The reverse of `pack`."""
    try:
        arrays = safetensors.numpy.load(file) if file else {}
    except safetensors.SafetensorError as error:
        raise ValueError(f"the file of arrays is damaged: {error}") from error
    return {int(step): _put_back(some, arrays) for step, some in plain.items()}


def _take_out(
    some: Any, path: str, arrays: dict[str, np.ndarray], met: set[str]
) -> Any:
    if path in met:
        raise ValueError(f"{path} is kept twice, expected one thing under each path")
    met.add(path)
    if isinstance(some, np.ndarray):
        arrays[path] = _small(some, path)
        return {ARRAY: path}
    if isinstance(some, Mapping):
        return {
            str(name): _take_out(value, f"{path}/{name}", arrays, met)
            for name, value in some.items()
        }
    if isinstance(some, (list, tuple)):
        return [
            _take_out(one, f"{path}/{k}", arrays, met) for k, one in enumerate(some)
        ]
    return _word_or_number(some, path)


def _word_or_number(some: Any, path: str) -> Any:
    one = some.item() if isinstance(some, np.generic) else some
    is_finite = not isinstance(one, float) or math.isfinite(one)
    if not (one is None or isinstance(one, (str, int, float))) or not is_finite:
        raise ValueError(
            f"{path} is {some!r:.80}, expected a finite number, a word or an array"
        )
    return one


def _put_back(some: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    if isinstance(some, list):
        return [_put_back(one, arrays) for one in some]
    if not isinstance(some, dict):
        return some
    if ARRAY not in some:
        return {name: _put_back(value, arrays) for name, value in some.items()}
    if some[ARRAY] not in arrays:
        raise ValueError(f"the file of arrays does not hold {some[ARRAY]!r}")
    array = arrays[some[ARRAY]]
    return array.astype(np.float32) if array.dtype == np.float16 else array


def _small(array: np.ndarray, path: str) -> np.ndarray:
    if np.issubdtype(array.dtype, np.floating):
        with np.errstate(over="ignore"):  # said below, and more plainly
            array = array.astype(np.float16)
        if not np.isfinite(array).all():
            raise ValueError(
                f"{path} holds numbers that 16 bits cannot hold (NaN, inf or above "
                "65504)"
            )
    return np.ascontiguousarray(array)
