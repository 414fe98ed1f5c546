"""Profiles: which rules a document asks for, how severe each is, and its thresholds.

They are TOML files: a table a rule, with ``severity`` (error, warning, off) and thresholds. A file
of one's own changes single values of a shipped profile.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import read_toml
from readmark.making.rules.keys import (
    DISAGREE,
    FEW_ANSWERS,
    LONG,
    NO_ANSWER_SENTENCE,
    NO_KEY,
    NO_LEVEL,
    NO_TYPE,
    NOT_A_SPAN,
    TOO_MANY,
    UNKNOWN_TYPE,
)
from readmark.making.rules.questions import ARITHMETIC, COPIED, DUPLICATE, GIVEN_AWAY, NO_QUESTION
from readmark.making.rules.rule import Page, Rule, Said, Settings
from readmark.making.rules.series import FOREIGN_WORD, SHORT_TARGET, UNRESOLVED_PRONOUN

# Every rule by its code. Two look at whole tests and have no function of a passage.


def _nothing(page: Page, settings: Settings) -> Iterator[Said]:
    return iter(())


MISSING_TYPES = Rule(
    "missing_types",
    "a test without any question of a type that is asked for",
    _nothing,
    {"types": ["Who", "When", "Where", "Why", "How"], "least": 20},
    of_questions=False,
    needs_language=True,
)
NO_PARALLEL = Rule(
    "no_parallel",
    "a passage or question that the other language does not have",
    _nothing,
    of_questions=False,
)

RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        *(TOO_MANY, NO_KEY, NOT_A_SPAN, LONG, FEW_ANSWERS, NO_LEVEL, NO_ANSWER_SENTENCE),
        *(UNKNOWN_TYPE, NO_TYPE, ARITHMETIC, COPIED, DUPLICATE, NO_QUESTION, GIVEN_AWAY),
        *(DISAGREE, MISSING_TYPES, NO_PARALLEL),
        *(UNRESOLVED_PRONOUN, FOREIGN_WORD, SHORT_TARGET),
    )
}


PROFILES = ("cmrc", "smart", "brcc", "series")
SEVERITIES = ("error", "warning", "off")


@dataclass(frozen=True, slots=True)
class Applied:
    """A rule as a profile applies it."""

    code: str
    severity: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Profile:
    """The rules of one document."""

    name: str
    document: str
    rules: Mapping[str, Applied]
    kind: str = "comprehension"
    """The kind of test that it is for."""


def profile_named(name: str, *, config: str | Path | None = None) -> Profile:
    """A shipped profile, with what a file of one's own changes in it."""
    if name not in PROFILES:
        raise UsageError(f"no profile {name!r}; {did_you_mean(name, PROFILES)}")
    data = files("readmark.making.rules").joinpath(f"data/{name}.toml")
    shipped = tomllib.loads(data.read_text("utf-8"))
    document = shipped.pop("document")
    kind = shipped.pop("kind", "comprehension")
    rules = {code: _applied(code, table, name, None) for code, table in shipped.items()}
    if config is not None:
        for code, table in read_toml(config).items():
            rules[code] = _applied(code, table, config, rules.get(code))
            if RULES[code].kind != kind:
                said = f"the rule is for {RULES[code].kind} tests, the profile {name} for {kind}"
                raise DataError(said, file=config, where=code)
    kept = {code: rules[code] for code in RULES if code in rules and rules[code].severity != "off"}
    return Profile(name, document, kept, kind)


def _applied(code: str, table: Any, file: object, before: Applied | None) -> Applied:
    if code not in RULES:
        raise DataError(f"no rule {code!r}; {did_you_mean(code, RULES)}", file=file)
    if not isinstance(table, dict):
        raise DataError(f"expected a table of settings, found {table!r}", file=file, where=code)
    changed = dict(table)
    severity = changed.pop("severity", before.severity if before else "warning")
    if severity not in SEVERITIES:
        said = f"severity is {severity!r}, expected one of {', '.join(SEVERITIES)}"
        raise DataError(said, file=file, where=code)
    settings = dict(before.settings if before else RULES[code].settings)
    for name, value in changed.items():
        if name not in settings:
            known = did_you_mean(name, ("severity", *settings))
            raise DataError(f"no setting {name!r}; {known}", file=file, where=code)
        settings[name] = _fitting(settings[name], value, file, f"{code}.{name}")
    return Applied(code, severity, settings)


def _fitting(usual: Any, value: Any, file: object, where: str) -> Any:
    """A value of the same sort as the usual one; a table changes only what it names."""
    if isinstance(usual, dict):
        if not isinstance(value, dict):
            return {name: _fitting(one, value, file, where) for name, one in usual.items()}
        for name in value:
            if name not in usual:
                raise DataError(f"no {name!r}; {did_you_mean(name, usual)}", file=file, where=where)
        return {
            name: _fitting(one, value.get(name, one), file, f"{where}.{name}")
            for name, one in usual.items()
        }
    number = isinstance(usual, (int, float))
    wanted: Any = (int, float) if isinstance(usual, float) else type(usual)
    if isinstance(value, bool) or not isinstance(value, wanted) or (number and value < 0):
        expected = {int: "a whole number", float: "a number", list: "a list"}[type(usual)]
        raise DataError(f"is {value!r}, expected {expected}", file=file, where=where)
    if isinstance(usual, list) and not all(isinstance(one, type(usual[0])) for one in value):
        raise DataError(f"is {value!r}, expected a list like {usual!r}", file=file, where=where)
    return value
