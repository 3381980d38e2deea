"""Slips run where sizes agree, and are then wrong: but for a root that is the same."""

from attention_book.chapters.attention_layer.slips import compared


def test_which_slips_are_noticed_at_which_shapes(as_a_reader):
    table = compared()
    different, same = ("all sizes different", "all sizes 4")
    for name in ("K and V exchanged", "transposed mask"):
        assert table[name][different] == "an error"
        assert table[name][same] > 0.1
    for shape in (different, same):
        assert table["softmax over the queries"][shape] > 0.1
    assert table["root of D_V"][different] > 0.01
    assert table["root of D_V"][same] < 1e-6
