"""What the browser computes is what NumPy computes; JavaScript's own tests hold."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from attention_book.plots.diagrams import ASKED
from attention_book.prose import parts
from attention_book.reference.positions import (
    positional_encoding as reference_positions,
)
from attention_book.reference.scores import attend, dot_score
from attention_book.reference.softmax import softmax as reference_softmax
from attention_book.widgets import Widget, computed, control, heat_map, over, slider
from attention_book.widgets.compose import HERE, compose_module, compose_script
from attention_book.widgets.functions import (
    COMPUTED,
    added,
    apart,
    attention,
    attention_weights,
    yield "divided", (rows, 8.0), divided(rows, 8.0)
