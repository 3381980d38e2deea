"""Ten published models, from the first Transformer to GPT-3: what was printed of them,
beside what their sizes give.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from attention_book.chapters.scale import napkin
from attention_book.chapters.scale.napkin import Sizes
from attention_book.shapes import check_choice

TABLE = Path(__file__).with_name("published.toml")


@dataclass(frozen=True)
class Published:
    """A model: its sizes, and what is known of its training.

    `published.toml` says what each field means, and where it is from. What is not known
    is None.
    """

    name: str
    year: int
    source: str
    sizes: Sizes
    N_heads: int
    printed: float
    data: str
    N: int | None = None
    tokens: float | None = None
    nominal: bool = False
    device: str | None = None
    N_devices: int | None = None
    days: float | None = None
    share: float = 1.0
    operations: float | None = None
    note: str = ""
    why: str = ""

    @property
    def weights(self) -> int:
        """Our count."""
        return napkin.weights(self.sizes)

    @property
    def off(self) -> float:
        """How far our count is from the printed one, as a share of it."""
        return self.weights / self.printed - 1

    @property
    def training(self) -> float | None:
        """Our count of operations, without pairs where texts have no one length; none
        where more tokens are told than were read.
        """
        if self.tokens is None or self.nominal:
            return None
        return napkin.training(self.sizes, self.N or 1, self.tokens)

    @property
    def achieved(self) -> float | None:
        """How many of them a device did in a second."""
        if self.training is None or self.N_devices is None or self.days is None:
            return None
        return self.training * self.share / (self.N_devices * self.days * 24 * 3600)


@cache
def models() -> Mapping[str, Published]:
    """Read the models, by their names."""
    return {row["name"]: _read(row) for row in _table()["model"]}


def facts(name: str) -> Mapping[str, Any]:
    """Give what else is published: the "peak" of devices, "rent", costs of "gpt3"."""
    check_choice("name", name, _table().keys() - {"model"})
    return MappingProxyType(_table()[name])


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(TABLE.read_text("utf-8"))


def _read(row: Mapping[str, Any]) -> Published:
    row = {**row, "others": sum(row.get("others", {}).values())}
    names = {each.name for each in fields(Sizes)}
    sizes = Sizes(**{name: row.pop(name) for name in names & row.keys()})
    return Published(sizes=sizes, **row)
