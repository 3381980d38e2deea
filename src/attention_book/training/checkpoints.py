"""Trained weights in one safetensors file: 16-bit numbers, whole numbers as they are,
and in its header, as JSON, the configuration to build the model from and, on demand,
the vocabularies.
"""

import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
import torch
from torch import Tensor, nn

from attention_book import models
from attention_book.data import Vocabulary
from attention_book.shapes import check_type


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write a file so that it is complete or not there at all."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def save(
    path: str | Path,
    model: nn.Module,
    config: Any,
    vocabularies: Sequence[Vocabulary] = (),
) -> None:
    """Keep a model's weights as 16-bit numbers, its configuration and its words.

    Of what `torch.compile` gave, the model inside is kept.
    """
    model = getattr(model, "_orig_mod", model)
    check_type("vocabularies", vocabularies, Sequence)
    for i, each in enumerate(vocabularies):
        check_type(f"vocabularies[{i}]", each, Vocabulary)
    weights = {
        name: _rounded(tensor.detach()).contiguous()
        for name, tensor in model.state_dict().items()
    }
    for name, tensor in weights.items():
        if not torch.isfinite(tensor).all():
            raise ValueError(
                f"{name} holds numbers that 16 bits cannot hold (NaN, inf or above "
                "65504)"
            )
    header = {"model": type(model).__name__, "config": json.dumps(asdict(config))}
    if vocabularies:
        words = [each.to_list() for each in vocabularies]
        header["vocabularies"] = json.dumps(words)
    write_atomically(path, _in_order(safetensors.torch.save(weights, metadata=header)))


def _in_order(file: bytes) -> bytes:
    """The same bytes for the same weights: safetensors shuffles its metadata."""
    start = 8 + int.from_bytes(file[:8], "little")
    header = json.loads(file[8:start])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + file[start:]


def _rounded(tensor: Tensor) -> Tensor:
    return tensor.half() if tensor.is_floating_point() else tensor


def read_config(path: str | Path) -> dict[str, Any]:
    """Read the configuration kept in a checkpoint: arguments of its dataclass."""
    return _header(path, "config", "configuration")


def read_vocabularies(path: str | Path) -> list[Vocabulary]:
    """Read the vocabularies kept in a checkpoint, in the order they were given in."""
    kept = _header(path, "vocabularies", "vocabularies")
    return [*map(Vocabulary, kept)]


def _header(path: str | Path, key: str, what: str) -> Any:
    with _opened(path) as file:
        header = file.metadata() or {}
    try:
        return json.loads(header[key])
    except (KeyError, json.JSONDecodeError):
        raise ValueError(
            f"{path} carries no readable {what}: save(...) was not given any, or did "
            "not write the file"
        ) from None


def load(path: str | Path, model: nn.Module | None = None) -> nn.Module:
    """Copy kept weights into a model built from the same configuration.

    Without one, a model of `attention_book.models` is built as it was. It is put in
    evaluation mode.
    """
    if model is None:
        model = _built(path)
    with _opened(path) as file:
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    wanted = model.state_dict()
    for name in sorted(weights.keys() ^ wanted.keys()):
        where = "the file" if name in weights else "the model"
        raise ValueError(f"{path} does not fit the model: {name} is only in {where}")
    for name, tensor in weights.items():
        if tensor.shape != wanted[name].shape:
            raise ValueError(
                f"{path} does not fit the model: {name} has shape "
                f"{tuple(tensor.shape)} in the file, {tuple(wanted[name].shape)} in "
                "the model; build the model from read_config(path)"
            )
    model.load_state_dict(
        {name: tensor.to(wanted[name].dtype) for name, tensor in weights.items()}
    )
    return model.eval()


def _built(path: str | Path) -> nn.Module:
    """A model of the kind and the configuration that the file names."""
    with _opened(path) as file:
        name = (file.metadata() or {}).get("model", "")
    of_book: dict[str, Any] = {
        "Transformer": models.TransformerConfig,
        "Translator": models.TranslatorConfig,
        "FixedContext": models.Seq2SeqConfig,
    }
    if name not in of_book:
        raise ValueError(
            f"{path} holds a model of class {name or 'unknown'}, expected one of "
            f"{', '.join(of_book)}: build the model, and give load(path, model)"
        )
    return getattr(models, name)(of_book[name](**read_config(path)))


def _opened(path: str | Path):
    if not Path(path).is_file():
        raise FileNotFoundError(
            f"{path} is missing: train the model and save(...) it first"
        )
    try:
        return safetensors.safe_open(str(path), framework="pt")
    except safetensors.SafetensorError as error:
        raise ValueError(
            f"{path} is damaged, or no file of save(...): {error}"
        ) from error
