"""Cutting long texts: nothing is lost but white space, and no piece is too long."""

from itertools import islice, pairwise

from hypothesis import given
from hypothesis import strategies as st

from readmark.text.analysers.pieces import pieces
from readmark.text.segmenter import whole_characters
from readmark.text.sentences import sentences


def test_pieces_end_with_sentences() -> None:
    text = "One two. Three four. Five six."
    assert [text[a:b] for a, b in pieces(text, sentences(text, "en"), 20)] == [
        "One two. Three four.",
        "Five six.",
    ]


def test_long_sentence_is_cut_at_white_space() -> None:
    text = "aaaa bbbb cccc dddd"
    assert [text[a:b] for a, b in pieces(text, [(0, 19)], 10)] == ["aaaa bbbb", " cccc dddd"]
    assert [len(range(a, b)) for a, b in pieces("x" * 25, [(0, 25)], 10)] == [10, 10, 5]


@given(st.text(alphabet="ab .。\n", max_size=60), st.integers(1, 15))
def test_every_letter_is_in_one_piece(text: str, most: int) -> None:
    # One piece too many at most: a cut that does not move on must fail, not fill the memory.
    cuts = list(islice(pieces(text, sentences(text, "en"), most), len(text) + 1))
    assert all(0 < end - start <= most for start, end in cuts)
    assert all(first[1] <= second[0] for first, second in pairwise(cuts))
    letters = "".join("".join(text[start:end].split()) for start, end in cuts)
    assert letters == "".join(text.split())


def test_half_a_surrogate_pair_keeps_its_place() -> None:
    assert whole_characters("a\ud800b") == "a\N{REPLACEMENT CHARACTER}b"
