"""Third versions of a place: where they may stand, and what they must say."""

from typing import Any

import pytest

from readmark.core.errors import DataError
from readmark.core.records import Passage, Phrase, Question, QuestionKey
from readmark.making.crosscheck.differences import Difference
from readmark.making.crosscheck.items import LayerItem
from readmark.making.crosscheck.texts import TextPart, parts_of
from readmark.making.crosscheck.third_versions import third_version

TEXT = "林波用丝绸和竹子做了一只风筝。他在河上放起了它。"
QUESTION = Question(id="q", text="他放了它？", key=QuestionKey(published=(Phrase(text="是"),)))
PARTS = {part.id: part for part in parts_of(Passage(id="p", text=TEXT, questions=(QUESTION,)))}


def a_difference(what: str, place: tuple[int, int], part: str = "p") -> Difference:
    text: TextPart = PARTS[part]
    return Difference(text, what, text.text, place, (LayerItem(place),), (), "only_a")


def quoted_items(difference: Difference, other: Any) -> list[tuple[str, dict[str, Any]]]:
    items = third_version(difference, other, PARTS, "d")
    return [(difference.text[slice(*item.span)], dict(item.labels)) for item in items]


@pytest.mark.parametrize(
    ("what", "place", "other", "expected"),
    [
        ("np", (3, 8), ["丝绸", "竹子"], [("丝绸", {}), ("竹子", {})]),
        ("np", (3, 8), [], []),
        # A quote may reach beyond the place on either side, and stand before it in the text too.
        ("np", (3, 8), ["用丝绸"], [("用丝绸", {})]),
        ("np", (6, 8), ["竹子做"], [("竹子做", {})]),
        ("token", (3, 8), ["丝", "绸和", "竹子"], [("丝", {}), ("绸和", {}), ("竹子", {})]),
        ("ne", (3, 5), [{"quote": "丝绸", "type": "NUM"}], [("丝绸", {"type": "NUM"})]),
        ("answer_sentence", (0, 15), ["他在河上放起了它。"], [("他在河上放起了它。", {})]),
    ],
)
def test_at_its_place(what: str, place: tuple[int, int], other: Any, expected: Any) -> None:
    assert quoted_items(a_difference(what, place), other) == expected


@pytest.mark.parametrize(
    ("what", "place", "other", "message"),
    [
        ("np", (3, 8), ["放起"], "'放起' at 19–21 is elsewhere; the line is about 3–8"),
        ("np", (3, 8), [{"span": [0, 2]}], "'林波' at 0–2 is elsewhere"),
        ("token", (10, 12), [], "'一' at 10 is in none; together they must cover '一只'"),
        ("token", (10, 12), ["只"], "'一' at 10 is in none"),
        ("sentence", (0, 15), ["林波用丝绸"], "'和' at 5 is in none"),
        ("ne", (3, 5), ["丝绸"], "'丝绸' needs type as well as its span or quote"),
        ("mention", (22, 23), ["它"], "'它' needs antecedent"),
    ],
)
def test_what_is_none(what: str, place: tuple[int, int], other: Any, message: str) -> None:
    with pytest.raises(DataError, match="other: ") as error:
        quoted_items(a_difference(what, place), other)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("part", "antecedent", "message"),
    [
        ("p", {"in": "nope", "span": [0, 2]}, "antecedent in 'nope', expected one of 'p'"),
        ("p", {"in": ["p"], "span": [0, 2]}, "antecedent in ['p'], expected one of 'p'"),
        # A passage does not refer to its questions, a question not to its key.
        ("p", {"in": "p:q", "span": [0, 1]}, "expected one of 'p'"),
        ("p:q", {"in": "p:q:key1", "span": [0, 1]}, "expected one of 'p:q', 'p'"),
        ("p:q", {"in": "p", "span": [0, 99]}, "antecedent 0–99 is outside the text of 'p'"),
        ("p:q", {"in": "p", "span": [0, 2], "quote": "林"}, "reads '林波', not '林'"),
        ("p:q", {"span": "0-1"}, "expected an object with a span"),
        ("p:q", "林波", "expected an object with a span"),
    ],
)
def test_antecedents_that_are_none(part: str, antecedent: Any, message: str) -> None:
    place = (22, 23) if part == "p" else (3, 4)
    with pytest.raises(DataError, match="other: ") as error:
        quoted_items(
            a_difference("mention", place, part), [{"quote": "它", "antecedent": antecedent}]
        )
    assert message in str(error.value)


def test_antecedents_in_the_texts_before() -> None:
    other = [{"quote": "它", "antecedent": {"in": "p", "span": [10, 14]}}]
    [(_, labels)] = quoted_items(a_difference("mention", (3, 4), "p:q"), other)
    assert labels["antecedent"] == {"in": "p", "span": [10, 14], "quote": "一只风筝"}
    [(_, labels)] = quoted_items(
        a_difference("mention", (3, 4), "p:q"), [{"quote": "它", "antecedent": {"span": [0, 1]}}]
    )
    assert labels["antecedent"] == {"in": "p:q", "span": [0, 1], "quote": "他"}
