"""How BERT of `transformers` fills a gap, by our code."""

from typing import Any

import torch

from attention_book import models
from attention_book.decoding.mode import evaluating


def bert_fills(theirs: Any, tokenizer: Any, text: str, best: int = 5) -> list[str]:
    """Give the `best` pieces of words for the one [MASK] of a text, likeliest first, by
    our BERT with the weights of `theirs`, a `BertForPreTraining`.

    ValueError unless there is exactly one.
    """
    ids = torch.tensor([tokenizer.encode(text)])
    gaps = (ids == tokenizer.mask_token_id).sum().item()
    if gaps != 1:
        raise ValueError(
            f"text has {gaps} {tokenizer.mask_token}, expected one: {text}"
        )
    bert = models.bert_from_transformers(theirs)
    with evaluating(bert):
        logits = bert.words(bert(ids))[ids == tokenizer.mask_token_id]
    return tokenizer.convert_ids_to_tokens(logits.topk(best).indices[0].tolist())
