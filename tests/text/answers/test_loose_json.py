"""JSON as models write it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.answers.loose_json import loose_objects

NAMES = st.text(min_size=1, max_size=5).map(str.strip).filter(bool)
VALUES = st.recursive(
    st.none() | st.booleans() | st.text(max_size=8) | st.integers() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)


def strictly(text: str) -> Any:
    return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)


@given(OBJECTS, st.booleans(), st.sampled_from([None, 1]))
def test_json_among_words_is_read_as_json(value: Any, ascii: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii, indent=indent)
    (loose,) = loose_objects(f"so: {text} ok")
    assert (loose.start, loose.end, loose.unfinished) == (4, 4 + len(text), ())
    assert loose.members == strictly(text)


@given(OBJECTS, st.data())
def test_object_that_is_cut_off_has_the_members_before_the_cut(
    value: Any, data: st.DataObject
) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text) - 1))
    loose = next(loose_objects(text[:cut]), None)
    members = loose.members if loose is not None else {}
    whole = strictly(text)
    assert list(members) == list(whole)[: len(members)]
    for name in list(members)[:-1]:
        assert members[name] == whole[name]
    last = next(reversed(members), None)
    if loose is not None and last is not None and not loose.unfinished:
        assert members[last] == whole[last]


@given(st.text("{}[]\"'\\:, a1“”\n", max_size=40))
def test_objects_follow_one_another(text: str) -> None:
    end = 0
    for loose in loose_objects(text):
        assert end <= loose.start < loose.end <= len(text)
        assert text[loose.start] == "{"
        end = loose.end


@pytest.mark.parametrize(
    ("text", "members", "unfinished"),
    [
        ('{"a": {"b": "c', {"a": {"b": "c"}}, ("a", "b")),
        ('{"a": ["b", "c', {"a": ["b", "c"]}, ("a",)),
        ('{"a": "b", "c', {"a": "b"}, ()),
        ("{'a': 'it's', “b”：True,,}", {"a": "it's", "b": True}, ()),
    ],
)
def test_broken_objects(text: str, members: dict[str, Any], unfinished: tuple[str, ...]) -> None:
    (loose,) = loose_objects(text)
    assert (loose.members, loose.unfinished) == (members, unfinished)
