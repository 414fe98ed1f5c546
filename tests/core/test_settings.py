"""Settings objects: filled by keywords and by plain tables, and checked in one place."""

from dataclasses import fields
from typing import Any, get_type_hints

import pytest

import readmark
from made import asked, comprehension, passage
from readmark import MarkSettings, PlanSettings, SitSettings, Traffic, UsageError
from readmark.core.settings import settings_from
from readmark.marking import settings as marking
from readmark.sitting import settings as sitting

TEST = comprehension(passage("p", asked("a", "copper kettle", "kettle"), asked("b", "coat")))
ANSWERS = {"a": "kettle", "b": "boat"}


def annotations(cls: type) -> dict[str, str]:
    """The fields of a dataclass or a TypedDict, each with its type as it is written."""
    written: dict[str, str] = {}
    for base in reversed([*getattr(cls, "__orig_bases__", ()), *cls.__mro__]):
        for name, hint in getattr(base, "__annotations__", {}).items():
            written[name] = getattr(hint, "__forward_arg__", hint)
    return written


@pytest.mark.parametrize(
    ("keywords", "settings", "whole"),
    [
        (sitting.SitFields, SitSettings, True),
        (sitting.PlanFields, PlanSettings, True),
        (marking.MarkFields, MarkSettings, True),
        (marking.PeopleFields, MarkSettings, False),
        (marking.CompareFields, MarkSettings, False),
    ],
)
def test_keywords_are_the_fields_of_the_settings(keywords: Any, settings: Any, whole: bool) -> None:
    declared, typed = annotations(settings), annotations(keywords)
    assert typed.items() <= declared.items()
    assert not keywords.__required_keys__
    assert not whole or typed == declared


@pytest.mark.parametrize("settings", [SitSettings, PlanSettings, MarkSettings])
def test_every_field_has_a_line_of_help_and_a_default_that_its_type_allows(settings: Any) -> None:
    for declared in fields(settings):
        assert declared.metadata["help"], declared.name
        plain = declared.metadata["takes"]
        assert declared.default in (None, ()) or type(declared.default) is plain, declared.name
    assert settings() == settings_from(settings, {})


def test_a_keyword_wins_over_the_settings() -> None:
    few = MarkSettings(draws=20, metrics="em", by=["level"])
    marks = readmark.mark(TEST, ANSWERS, few)
    assert (list(marks.marks), list(marks.by)) == (["em"], ["level"])
    marks = readmark.mark(TEST, ANSWERS, few, metrics=["f1"])
    assert (list(marks.marks), list(marks.by)) == (["f1"], ["level"])
    assert "draws:20" in marks["f1"].signature
    compared = readmark.compare(TEST, ANSWERS, {"a": "kettle"}, settings=few, trials=30)
    assert [comparison.metric for comparison in compared] == ["em"]
    assert "trials:30" in compared[0].signature
    people = readmark.people(
        comprehension(passage("p", asked("a", ("ann", "kettle"), ("ben", "kettle")))), settings=few
    )
    assert list(people.marks) == ["em"]


def test_sit_and_plan_take_one_settings_object() -> None:
    one = SitSettings(limit=1)
    assert sorted(readmark.sit(TEST, "lead", settings=one)) == ["a"]
    assert sorted(readmark.sit(TEST, "lead", None, one, limit=2)) == ["a", "b"]
    assert readmark.plan(TEST, "lead", settings=one).units == 1
    assert readmark.plan(TEST, "lead", settings=PlanSettings(limit=1, repeats=3)).units == 3


def test_an_unknown_keyword_is_named_with_the_nearest() -> None:
    with pytest.raises(TypeError, match="argument 'metric'; did you mean metrics"):
        readmark.mark(TEST, ANSWERS, metric="em")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="argument 'limits'; did you mean limit"):
        readmark.sit(TEST, "lead", limits=2)  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="`settings` is not a MarkSettings, but a dict"):
        readmark.mark(TEST, ANSWERS, {"a": "boat"})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="`settings` is not a SitSettings, but a MarkSettings"):
        readmark.sit(TEST, "lead", settings=MarkSettings())  # type: ignore[call-overload]


def test_a_table_fills_settings() -> None:
    table = {
        "metrics": "em",
        "by": ["level", "type"],
        "confidence": 0.9,
        "classes": False,
        "traffic": {"parallel": 4, "timeout": 30, "cache": "c.sqlite", "max_cost": 1.5},
    }
    assert settings_from(MarkSettings, table) == MarkSettings(
        metrics=("em",),
        by=("level", "type"),
        confidence=0.9,
        classes=False,
        traffic=Traffic(parallel=4, timeout=30.0, cache="c.sqlite", max_cost=1.5),
    )
    sat = {"engine": "ray", "limit": 5, "unit_timeout": 2, "transforms": ["without(part=passage)"]}
    assert settings_from(SitSettings, sat) == SitSettings(
        engine="ray", limit=5, unit_timeout=2.0, transforms=("without(part=passage)",)
    )


@pytest.mark.parametrize(
    ("settings", "table", "message"),
    [
        (SitSettings, {"limits": 3}, "unknown setting `limits`; did you mean limit?"),
        (SitSettings, {"limit": "3"}, "`limit` is '3', expected a whole number"),
        (SitSettings, {"limit": True}, "`limit` is True, expected a whole number"),
        (SitSettings, {"limit": 0}, "`limit` 0 is less than 1"),
        (SitSettings, {"unit_timeout": "2s"}, "`unit_timeout` is '2s', expected a number"),
        (SitSettings, {"transforms": [1]}, "`transforms` is [1], expected text or a list of texts"),
        (SitSettings, {"without": ["passage"]}, "`without` is ['passage'], expected text"),
        (SitSettings, {"traffic": 3}, "`traffic` is 3, expected a table"),
        (SitSettings, {"traffic": {"paralel": 3}}, "unknown setting `paralel`; did you mean par"),
        (SitSettings, {"traffic": {"parallel": 0.5}}, "`parallel` is 0.5, expected a whole"),
        (SitSettings, {"engine": "rai"}, "unknown `engine` 'rai': local or ray"),
        (SitSettings, {"questions": "t.jsonl"}, "`questions` is for `cross`"),
        (SitSettings, {"name": " "}, "`name` ' ' is not a name of printable characters"),
        (SitSettings, {"name": "a\nb"}, "is not a name of printable characters"),
        (PlanSettings, {"hour_price": -1}, "`hour_price` -1 is not a number from 0"),
        (MarkSettings, {"strict": 1}, "`strict` is 1, expected true or false"),
        (MarkSettings, {"seed": None}, "`seed` is None, expected a whole number"),
        (MarkSettings, {"workers": 0}, "`workers` 0 is not from 1 to 1,024"),
        (MarkSettings, {"interval": "t"}, "`interval` 't' is not one of percentile|bca|jackknife"),
    ],
)
def test_bad_tables(settings: Any, table: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        settings_from(settings, table)
    assert message in str(caught.value)


def test_the_public_functions_take_settings_and_keywords() -> None:
    for name in ("sit", "plan", "mark", "people", "compare"):
        hints = get_type_hints(getattr(readmark, name))
        assert {"settings", "fields"} <= set(hints), name
