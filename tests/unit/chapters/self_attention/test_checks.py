"""A query that is not projected ends in the reader's own line."""

from attention_book.chapters.self_attention.attempts import queries_not_projected
from attention_book.chapters.self_attention.checks import check_self_attention


def test_a_query_that_is_not_projected_ends_in_the_readers_own_line():
    verdict = check_self_attention(queries_not_projected)
    assert verdict.diagnosis == "crash"
    assert "A = torch.softmax(X @ (X @ W_K).mT, -1)" in verdict.evidence
