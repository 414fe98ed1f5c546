"""Cutting: paragraphs, then sentences; every character accounted for."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from installed import require
from readmark.core.errors import UsageError
from readmark.making.sources.cuts import Cut, Pieces, cut, paragraphs
from readmark.making.sources.openings import opens
from readmark.making.sources.passages import counter
from readmark.making.sources.recipes import CMRC, SMART, Recipe, fit_to_articles, recipe
from readmark.text.headings import is_heading

WHOLE = Recipe("whole", "characters", shortest=10, longest=30)
FILLED = Recipe("filled", "characters", 10, 30, whole_paragraphs=False, enough=30)


def lines(*lengths: int) -> str:
    """Paragraphs of those lengths, of sentences of five characters."""
    return "\n".join(("四个字了。" * (length // 5 + 1))[-length:] for length in lengths)


def lengths(pieces: Pieces | str) -> list[int]:
    assert isinstance(pieces, Pieces)
    return [piece.length for piece in pieces.passages]


def left(pieces: Pieces | str) -> list[tuple[str, int]]:
    assert isinstance(pieces, Pieces)
    return [(reason, piece.length) for reason, piece in pieces.omissions]


def test_paragraphs() -> None:
    assert paragraphs("一二\n\n三") == [(0, 2, 2, 1, 1), (4, 5, 1, 3, 3)]
    assert paragraphs("a b\nc", lambda text: len(text.split())) == [
        (0, 3, 2, 1, 1),
        (4, 5, 1, 2, 2),
    ]
    assert paragraphs("") == []


@pytest.mark.parametrize(
    ("sizes", "passages", "rests"),
    [
        ((10, 10), [10, 10], []),
        ((5, 5, 12), [10, 12], []),
        ((12, 5), [17], []),  # a rest goes with what stands before it
        ((28, 5), [28], [("short_rest", 5)]),  # unless that makes it too long
        ((5, 28), [28], [("short_rest", 5)]),
        ((40,), [40], []),  # a paragraph is never cut
        ((5,), [], [("short_rest", 5)]),
        ((15, 40, 15), [15, 40, 15], []),
    ],
)
def test_whole_paragraphs_until_there_is_enough(
    sizes: tuple[int, ...], passages: list[int], rests: list[tuple[str, int]]
) -> None:
    pieces = cut(lines(*sizes), WHOLE, "zh")
    assert lengths(pieces) == passages
    assert left(pieces) == rests


@pytest.mark.parametrize(
    ("sizes", "passages", "rests"),
    [
        ((10, 10, 10), [30], []),
        ((10, 10, 15), [20, 15], []),
        ((25, 10, 5), [25, 15], []),
        ((70,), [25, 25, 20], []),  # a paragraph that must be cut is cut evenly
        ((15, 40), [15, 20, 20], []),  # and begins a passage
        ((5, 40), [20, 25], []),  # unless what is before it is too short
        ((35, 25), [20, 15, 25], []),
        ((30, 5), [30], [("short_rest", 5)]),
    ],
)
def test_filled_at_paragraphs_then_sentences(
    sizes: tuple[int, ...], passages: list[int], rests: list[tuple[str, int]]
) -> None:
    pieces = cut(lines(*sizes), FILLED, "zh")
    assert lengths(pieces) == passages
    assert left(pieces) == rests


def test_a_sentence_longer_than_a_passage_is_left_out_and_nothing_joined_across_it() -> None:
    text = "四个字了。四个字了。" + "长" * 40 + "。" + "四个字了。四个字了。四个。"
    pieces = cut(text, FILLED, "zh")
    assert isinstance(pieces, Pieces)
    assert [(piece.start, piece.end) for piece in pieces.passages] == [(0, 10), (51, 64)]
    assert [(reason, piece.start, piece.end) for reason, piece in pieces.omissions] == [
        ("long_sentence", 10, 51)
    ]


@pytest.mark.parametrize("chosen", [WHOLE, FILLED])
def test_no_passage_ends_on_a_heading(chosen: Recipe) -> None:
    prose = "四个字了。" * 5
    text = "\n".join([prose, "早年", "家乡", prose[5:], "后来", prose, "荣誉"])
    pieces = cut(text, chosen, "zh")
    assert isinstance(pieces, Pieces)
    assert [text[passage.start : passage.end] for passage in pieces.passages] == [
        prose,
        f"早年\n家乡\n{prose[5:]}",
        f"后来\n{prose}",
    ]
    omissions = [(reason, text[piece.start : piece.end]) for reason, piece in pieces.omissions]
    assert omissions == [("heading", "荣誉")]


def test_a_heading_that_does_not_fit_is_left_out() -> None:
    prose = "四个字了。" * 6
    text = f"{prose}\n早年\n{prose}\n四个字。"
    pieces = cut(text, FILLED, "zh")
    assert lengths(pieces) == [30, 30]
    assert left(pieces) == [("heading", 2), ("short_rest", 4)]


def test_a_list_is_no_run_of_headings() -> None:
    text = "\n".join(["四个字了。四个字了。四个字了。", "甲", "乙", "丙", "四个字了。" * 5])
    assert lengths(cut(text, FILLED, "zh")) == [18, 25]


DROPPED = [
    ("他在河边住过。", True),
    ("其父是木匠。", True),
    ("该桥很老。", True),
    ("这座桥很老。", True),
    ("然而桥很老。", True),
    ("1990年，他离开了河西。", True),
    ("1990年毕业于河西中学。", True),
    ("一九九〇年三月获河西奖。", True),
    ("，率部坚守河西。", True),
    ("※注：河西的桥。", True),
    ("毕业于河西中学。", True),
    ("位于河西。", True),
    ("林守田在河边住过。", False),
    ("1990年，林守田离开了河西。", False),
    ("1990年的春天雨水很多。", False),
    ("《河西》是一本书。", False),
    ("“河西”是一个地名。", False),
    ("但丁是诗人。", False),
    ("也门在西亚。", False),
    ("故宫在北京。", False),
    ("其他人都走了。", True),
    ("那不勒斯在意大利。", False),
    ("并州在北方。", False),
    ("是日下雨。", False),
]


@pytest.mark.parametrize(("line", "dependent"), DROPPED)
def test_lines_that_need_what_comes_before_them(line: str, dependent: bool) -> None:
    assert opens(line, "zh") is not dependent
    assert opens(traditional()(line), "zh") is not dependent


@cache
def traditional() -> Callable[[str], str]:
    require("opencc")
    from opencc import OpenCC

    convert: Callable[[str], str] = OpenCC("s2t").convert
    return convert


@pytest.mark.parametrize(
    ("line", "opening"),
    [
        ("He was born in a mill.", False),
        ("Her father was a miller.", False),
        ("It is old.", False),
        ("In 1990 he left the town.", False),
        ("This bridge is old.", False),
        ("However, the mill closed.", False),
        (", a village in the west", False),
        ("Hers Mill is old.", True),
        ("Theodore left the town.", True),
        ("In 1990 Theodore left the town.", True),
        ("“The Mill” is a book.", True),
    ],
)
def test_english_lines_that_need_what_comes_before_them(line: str, opening: bool) -> None:
    assert opens(line, "en") is opening


@pytest.mark.parametrize(
    ("letters", "passages", "rests"),
    [
        ("甲甲乙乙", ["甲甲", "乙乙"], []),
        ("甲甲他", ["甲甲他"], []),
        ("甲甲他他乙乙", ["甲甲他他", "乙乙"], []),  # is with its subject, though there was enough
        ("甲甲他他他他", ["甲甲他他他"], [("no_subject", "他")]),
        ("甲甲他他他他他乙乙", ["甲甲他他他", "乙乙"], [("no_subject", "他")] * 2),
        ("他他甲甲", ["他他", "甲甲"], []),  # the article's first line begins a passage in any case
        ("甲甲早他他", ["甲甲早他他"], []),  # a heading is no subject
        ("甲甲他他早他乙乙", ["甲甲他他", "乙乙"], [("no_subject", "早"), ("no_subject", "他")]),
        ("甲甲例乙", ["甲甲例乙"], []),  # what is announced goes with the announcement
    ],
)
def test_a_passage_begins_with_its_subject(
    letters: str, passages: list[str], rests: list[tuple[str, str]]
) -> None:
    lines = {
        "甲": "甲早走了。",
        "乙": "乙早走了。",
        "他": "他早走了。",
        "早": "早年经历五",
        "例": "例如下面：",
    }
    text = "\n".join(map(lines.__getitem__, letters))
    pieces = cut(text, Recipe("short", "characters", 10, 25), "zh")
    assert isinstance(pieces, Pieces)

    def signs(piece: Cut) -> str:
        return "".join(line[0] for line in text[piece.start : piece.end].split("\n"))

    assert [signs(passage) for passage in pieces.passages] == passages
    assert [(reason, signs(passage)) for reason, passage in pieces.omissions] == rests


def test_articles_out_of_bounds() -> None:
    bounded = replace(WHOLE, shortest_article=20, longest_article=40)
    assert cut(lines(10, 9), bounded, "zh") == "too_short"
    assert lengths(cut(lines(10, 10), bounded, "zh")) == [10, 10]  # line breaks are not counted
    assert lengths(cut(lines(20, 20), bounded, "zh")) == [20, 20]
    assert cut(lines(20, 21), bounded, "zh") == "too_long"


def test_english_by_words() -> None:
    text = "The old mill stood by the river. Mills had two wheels. Nobody lived there any more."
    by_words = Recipe("words", "words", 4, 8, whole_paragraphs=False, enough=8)
    pieces = cut(text, by_words, "en", lambda text_part: len(text_part.split()))
    assert isinstance(pieces, Pieces)
    assert [text[piece.start : piece.end] for piece in pieces.passages] == [
        "The old mill stood by the river.",
        "Mills had two wheels.",
        "Nobody lived there any more.",
    ]


@given(
    st.lists(
        st.text(alphabet="一二三。！ab ", min_size=1, max_size=70).filter(str.strip),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([WHOLE, FILLED]),
)
def test_nothing_vanishes(blocks: list[str], chosen: Recipe) -> None:
    text = "\n".join(block.strip() for block in blocks)
    pieces_of_text = cut(text, chosen, "zh")
    assert isinstance(pieces_of_text, Pieces)
    pieces = sorted(
        [*pieces_of_text.passages, *(passage for _, passage in pieces_of_text.omissions)]
    )
    at = 0
    for piece in pieces:
        assert not text[at : piece.start].strip(), "a gap between pieces"
        assert at <= piece.start < piece.end
        at = piece.end
    assert not text[at:].strip()
    for passage in pieces_of_text.passages:
        *before, last = text[passage.start : passage.end].split("\n")
        if before:  # the rest of a paragraph that was cut may look like a heading, and is none
            assert not is_heading(last, "zh") or is_heading(before[-1], "zh")  # a list's, if any
        assert passage.length >= chosen.shortest
        assert passage.length <= chosen.longest or passage.first == passage.last
        assert text.count("\n", 0, passage.start) + 1 == passage.first
        assert text.count("\n", 0, passage.end) + 1 == passage.last


def test_recipes_by_language_and_unit() -> None:
    assert recipe("smart", "zh") == SMART
    assert recipe("cmrc", "zh") == recipe("cmrc", "en") == CMRC
    english = recipe("smart", "en")
    assert (english.unit, english.shortest, english.longest) == ("words", 100, 500)
    assert (english.shortest_article, english.longest_article) == (500, 1500)
    characters = recipe("cmrc", "zh", unit="characters", shortest=150)
    assert (characters.shortest, characters.longest, characters.shortest_article) == (
        150,
        1000,
        None,
    )


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"shortest": 2000}, "--min 2000 is more than --max 1000"),
        ({"shortest_article": 4000}, "--article-min 4000 is more than --article-max 3000"),
        ({"unit": "lines"}, "no unit 'lines'"),
    ],
)
def test_bounds_that_cannot_be_kept(options: dict[str, object], line: str) -> None:
    with pytest.raises(UsageError, match=line):
        recipe("smart", "zh", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sizes", "fixed", "bounds", "says"),
    [
        # Forty short texts: each is one passage. The shortest says from where on.
        ([80] * 39 + [31], (), (None, None, 31), "40 articles of 31 to 80 words"),
        # A title of four words is no passage.
        ([80] * 3 + [4], (), (None, None, 10), "4 articles of 4 to 80 words"),
        # One long article is cut.
        ([9000], (), (None, None, 100), "1 article of 9,000 words: articles of all lengths"),
        # What fits is as SMART has it.
        ([600, 900], (), (500, 1500, None), ""),
        ([], (), (500, 1500, None), ""),
        # A large collection is selected from, unless nothing fits.
        ([50] * 99 + [600], (), (500, 1500, None), ""),
        ([50] * 100, (), (None, None, 50), "the first 100 articles of 50 words"),
        # What the user set stays.
        ([80], ("shortest",), (None, None, None), "from 100 words on (--min)"),
        ([80], ("shortest_article",), (500, 1500, None), ""),
    ],
)
def test_bounds_are_chosen_from_what_is_there(
    sizes: list[int], fixed: tuple[str, ...], bounds: tuple[int | None, ...], says: str
) -> None:
    chosen, why = fit_to_articles(recipe("smart", "en"), sizes, fixed=fixed)
    chosen_bounds = (chosen.shortest_article, chosen.longest_article, chosen.shortest_whole)
    assert chosen_bounds == bounds
    assert says in why
    assert bool(says) == bool(why)


def test_a_short_article_is_one_passage_and_a_long_one_is_cut_as_ever() -> None:
    line = "The old ferry crossed the wide river well before noon today."  # 11 words
    fitted, _ = fit_to_articles(recipe("smart", "en"), [44, 440])
    short, long = ("\n".join([line] * count) for count in (4, 40))
    count = counter(fitted, "en")
    pieces = [cut(text, fitted, "en", count) for text in (short, long, "Two words.")]
    assert isinstance(pieces[0], Pieces)
    assert [(piece.start, piece.end) for piece in pieces[0].passages] == [(0, len(short))]
    assert lengths(pieces[1]) == [110, 110, 110, 110]
    assert lengths(pieces[2]) == []
    assert left(pieces[2]) == [("heading", 2)]
