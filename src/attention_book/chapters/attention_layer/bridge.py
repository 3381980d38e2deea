"""What chapter 2's translator holds while it reads a sentence along."""

import numpy as np
import torch
from jaxtyping import Float

from attention_book import data, decoding, runs


def states_and_inputs(
    name: str, word: str
) -> tuple[
    Float[np.ndarray, "N_Y D_H"],
    Float[np.ndarray, "N_X D_H"],
    Float[np.ndarray, "N_Y N_X"],
]:
    """Read the kept sentence that has a word along with its right translation.

    The recorded run is of a model that scores with s_t. Returned are the states s that
    ask, for [STOP] as well, the encoder's states h and the model's own weights A.
    """
    run = runs.load(name)
    sentence = runs.sentence_with(word, runs.kept_attention(run))
    model, (source, target) = run.model(), run.vocabularies
    ids, visible = data.encode_sources([sentence.source[:-1]], source)
    fed = torch.tensor([target.encode(sentence.target[:-1], start=True)])
    along = decoding.forced_decoding(model, ids, visible, fed)
    with torch.no_grad():
        h = model.encode(ids, visible).h[0]
    s, A = torch.cat(along.states[1:]), along.attention[0]
    return s.double().numpy(), h.double().numpy(), A.double().numpy()
