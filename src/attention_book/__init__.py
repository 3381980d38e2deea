"""Attention, from the bottleneck up: the reference code, data, widgets and checks behind the book."""

from importlib.metadata import version

__version__ = version("attention-book")
