"""What cannot be meant is refused, and said."""

from pathlib import Path

import numpy as np
import pytest

from attention_book.chapters.scale import experiments, napkin, processes, published
from attention_book.chapters.scale.napkin import Sizes

pytestmark = pytest.mark.usefixtures("as_a_reader")
SMALL = Sizes(8, 2, 10)
N = np.array([1e3, 3e3, 1e4])


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: Sizes(0, 2, 10), "D is 0, expected at least 1"),
        (lambda: Sizes(8, 0, 10), "N_blocks is 0, expected at least 1"),
        (lambda: Sizes(8, 2, -1), "N_words is -1, expected at least 0"),
        (lambda: Sizes(8, 2, 10, N_cross=3), "N_cross is 3, expected 0 to 2"),
        (lambda: napkin.forward(SMALL, 0), "N is 0, expected at least 1"),
        (lambda: napkin.training(SMALL, 4, 0), "tokens is 0, expected a finite numb"),
        (lambda: napkin.napkin_training(0, 5), "weights is 0, expected a finite numb"),
        (lambda: napkin.napkin_training(5, np.nan), "tokens is nan, expected a fini"),
        (lambda: napkin.left_out(8, 0), "N is 0, expected at least 1"),
        (lambda: napkin.training_bytes(5, "half"), "kind is 'half', expected one of "),
        (lambda: napkin.training_bytes(-5), "weights is -5, expected a finite number"),
        (lambda: napkin.activations(SMALL, 2, 4, 0), "B is 0, expected at least 1"),
        (lambda: napkin.hours(5, 0), "peak is 0, expected a finite number above 0"),
        (lambda: napkin.hours(5, 5, 40), "share is 40, expected a share of the peak"),
        (lambda: napkin.dollars(5, -1), "price is -1, expected a finite number above"),
        (lambda: napkin.dollars(5, 1, 0), "devices is 0, expected at least 1"),
        (lambda: published.facts("price"), "name is 'price', expected one of "),
        (lambda: published.facts("model"), "name is 'model', expected one of "),
        (lambda: experiments.fit(N, N[:2]), r"L has shape \(2,\), expected"),
        (lambda: experiments.fit(N, N * np.nan), "L holds NaN or infinity"),
        (lambda: experiments.fit(N[:2], N[:2]), "N is .* expected three different"),
        (lambda: experiments.fit(N * np.nan, N), "N holds NaN or infinity"),
        (lambda: experiments.fit(-N, N), "N is .* expected three different"),
        (lambda: experiments.drawn_again(N), r"L has shape \(3,\), expected"),
        (lambda: experiments.drawn_again(N[None], 0), "draws is 0, expected at l"),
        (lambda: experiments.foretell(N, N[None], 0), "N_next is 0, expected a fin"),
        (lambda: experiments.outcome("1k"), "amount is '1k', expected one of 25k, 1"),
        (lambda: experiments.foretold("1k"), "amount is '1k', expected one of 25k, "),
        (lambda: processes.trained(Path("kept.pt"), 0), "steps is 0, expected at l"),
        (lambda: processes.trained(Path("k"), 1, 0), "processes is 0, expected at l"),
        (lambda: processes.trained(Path("k"), 1, 3), "processes is 3, expected a div"),
    ],
)
def test_it_is_refused_in_its_own_words(ask, says):
    with pytest.raises(ValueError, match=says):
        ask()
