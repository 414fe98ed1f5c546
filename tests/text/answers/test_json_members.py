"""Members of the JSON in a reply: which object, which member, and numbers as they were written."""

import pytest

from readmark.text.answers import json_members, loose_json
from readmark.text.answers.json_members import boxed, each_in_json, members_in_json


@pytest.mark.parametrize(
    ("text", "member", "form"),
    [
        ('{"answer": "Tom"}', "Tom", "json"),
        ('```json\n{"answer": "Tom"}\n```', "Tom", "json"),
        ('{"answer": 1.10}', "1.10", "json"),
        ("{'answer': 'Tom',}", "Tom", "loose json"),
        ('It was Tom: {"answer": "Tom"}', "Tom", "json inside words"),
        ('{"answer": "To', "To", "broken json"),
        ('{"final answer": "Tom"}', "Tom", "json"),
        ('{"reply": {"答案": "小明"}}', "小明", "json"),
        ('{"answer": "Ann"} no: {"answer": "Tom"}', "Tom", "json inside words"),
        ('{"answer": "Tom"} {"answer": "An', "Tom", "json inside words"),
    ],
)
def test_member_and_its_form(text: str, member: str, form: str) -> None:
    read = members_in_json(text, "answer")
    assert read is not None
    assert (read.members["answer"], read.form) == (member, form)


@pytest.mark.parametrize("text", ["", "Tom", '{"name": "Tom"}', "{", "[1]"])
def test_reply_without_the_member(text: str) -> None:
    assert members_in_json(text, "answer") is None


@pytest.mark.parametrize(
    "text",
    [
        "{" * 3_000_000,
        '{"answer":' * 300_000,
        '{"answer": "Tom"} ' + "{" * 10_000,
        '{"answer": "Tom"}' + " " * (1 << 20),
        "[" * 3_000_000,
        '{"answer": ' + "[" * 3_000_000,
    ],
)
def test_reply_that_is_too_long_or_opens_too_many_objects_is_not_read(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither strictly nor loosely: a million attempts at an object would take seconds."""
    monkeypatch.setattr(loose_json, "_Reader", lambda _: pytest.fail("it was read"))
    monkeypatch.setattr(json_members, "_strictly", lambda _: pytest.fail("it was read"))
    assert members_in_json(text, "answer") is None
    assert list(each_in_json(text, "answer")) == []


def test_reply_at_the_bounds_is_read() -> None:
    last = ' {"answer": "Tom"}'
    for text in ("{" * 9_999 + last, "x" * ((1 << 20) - len(last)) + last):
        read = members_in_json(text, "answer")
        assert read is not None
        assert read.members == {"answer": "Tom"}
    assert members_in_json('{"answer": ' + "[" * 9_999, "answer") is not None


def test_member_of_every_whole_object() -> None:
    text = '{"verdict": "right"} or {"score": 1} or {"verdict": "wrong"} or {"verdict": "ri'
    assert list(each_in_json(text, "verdict")) == ["right", "wrong"]


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        (r"\boxed{42}", ["42"]),
        (r"\boxed{\text{Tom}} and \boxed{ 7 }", ["Tom", "7"]),
        (r"\boxed{\frac{1}{2}}", []),
        ("boxed", []),
    ],
)
def test_boxed(text: str, contents: list[str]) -> None:
    assert boxed(text) == contents
