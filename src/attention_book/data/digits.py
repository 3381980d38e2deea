"""Handwritten digits: 1797 pictures of 8 by 8 pixels that come with scikit-learn
[alpaydin1998optical].

Which part an image is in is a property of the image: a stable hash (crc32) of its
pixels. About two of nine are test images. So no test image can be in a training scene,
whatever the scene's seed. Who wrote an image is not recorded: the parts share their
writers, so what a model is tested on are new images, not new hands.
"""

from functools import cache
from zlib import crc32

import numpy as np
from jaxtyping import Float, Int

from attention_book.shapes import check_choice

DIGIT_SIDE = 8  # pixels
PARTS = ("train", "test")
_BRIGHTEST = 16  # of the raw pixels


def digit_images(part: str) -> tuple[Float[np.ndarray, "N 8 8"], Int[np.ndarray, "N"]]:
    """All images of one part, and which digit each shows; both arrays are read-only.

    Of the images, 1375 are "train" and 422 "test"; 0 is paper, 1 is ink.
    """
    check_choice("part", part, PARTS)
    return _digit_images()[part]


@cache
def _digit_images() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    # here, because it takes seconds: only who asks for digits waits
    from sklearn.datasets import load_digits

    digits = load_digits()
    raw = digits.images.astype(np.uint8)
    is_test = np.array([crc32(image.tobytes()) % 9 < 2 for image in raw])
    parts = {}
    for part, chosen in (("train", ~is_test), ("test", is_test)):
        images = (raw[chosen] / _BRIGHTEST).astype(np.float32)
        labels = digits.target[chosen]
        for array in (images, labels):
            array.setflags(write=False)  # every later call gives the same arrays
        parts[part] = images, labels
    return parts
