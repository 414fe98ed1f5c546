"""Headings among the lines of a text, and sections that are no running text."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.cleaning import clean
from readmark.text.headings import DroppedSection, is_heading, is_tail, tail_start


@pytest.mark.parametrize(
    ("line", "language", "expected"),
    [
        ("Early life.", "en", True),
        ("Zurich ministry begins (1519–1521).", "en", True),
        ("Works", "en", True),
        ("His works are:", "en", True),
        ("Who was he?", "en", False),
        ("He left, and came back.", "en", False),
        ("The old mill by the river was the first that they built.", "en", False),
        ("早年", "zh", True),
        ("历届冠军如下：", "zh", True),
        ("他病逝于北京。", "zh", False),
        ("拭泪辞故里，回首望河边。", "zh", False),
        ("这一行没有句号却比标题长得多了当然不是标题", "zh", False),
    ],
)
def test_is_heading(line: str, language: str, expected: bool) -> None:
    assert is_heading(line, language) is expected


@pytest.mark.parametrize("name", ["References", "external links", "参考文献", "參見", "See also."])
def test_is_tail(name: str) -> None:
    assert is_tail(name)
    assert not is_tail(f"{name} of old")


def test_tail_is_removed_and_listed() -> None:
    prose = "The old mill stood by the river for years."
    counts: Counter[str] = Counter()
    text = f"{prose}\nHistory.\n{prose}\nSee also.\nWheel\nExternal links.\nA page"
    assert clean(text, counts) == f"{prose}\nHistory.\n{prose}"
    assert counts == {"tail": 1}
    dropped: list[DroppedSection] = []
    clean(text, Counter(), dropped=dropped)
    length = len("Wheel") + len("External links.A page")
    assert dropped == [DroppedSection("tail", "See also.", length)]
    assert clean("甲在河边。\n乙在山上。\n参考文献\n书", Counter()) == "甲在河边。\n乙在山上。"


_PARTS = ["References.", "参考文献", "notes", "a", "\n", "\n\n", "see also:"]


@given(st.lists(st.sampled_from(_PARTS), max_size=12))
def test_tail_starts_at_the_first_such_line_of_the_second_half(parts: list[str]) -> None:
    text, start, expected = "".join(parts), 0, None
    for line in text.split("\n"):
        if expected is None and start >= len(text) // 2 and start and is_tail(line):
            expected = start
        start += len(line) + 1
    assert tail_start(text) == expected


def test_sections_of_such_names_elsewhere_stay() -> None:
    early = "Notes.\n" + "The old mill stood by the river for years.\n" * 3 + "It was old."
    assert clean(early, Counter()) == early
    assert clean("References.", Counter()) == "References."
    author = "The mill stood.\nReferences\nA book"
    assert clean(author, Counter(), markup=False, wiki=False) == author
