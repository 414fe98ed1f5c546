"""Which question rules a document asks for.

The rules are the kinds' own (see `readmark.core.question_rules`). A profile is a TOML file: a table
for each rule, with ``severity`` (error, warning, off) and thresholds. A user's file changes single
values of a shipped profile.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import read_toml
from readmark.core.kinds import KINDS
from readmark.core.question_rules import QuestionRule, QuestionRules, RuledQuestions

BASE = "profile"
"""The key by which a user's file names the profile that it changes."""
SEVERITIES = ("error", "warning", "off")


@functools.cache
def rules_by_kind() -> dict[str, QuestionRules]:
    """The question rules of every kind that has some."""
    kinds = KINDS.working()
    return {name: kind.question_rules() for name, kind in kinds if isinstance(kind, RuledQuestions)}


def profile_names() -> list[str]:
    """The profiles of all kinds."""
    return [name for rules in rules_by_kind().values() for name in rules.profiles]


def rules_by_code() -> dict[str, QuestionRule]:
    """The rules of all kinds."""
    return {rule.code: rule for rules in rules_by_kind().values() for rule in rules.rules}


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """A rule as a profile applies it."""

    code: str
    severity: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleProfile:
    """The rules of one document."""

    name: str
    document: str
    rules: Mapping[str, AppliedRule]
    kind: str
    """The kind of test that it is for."""


def profile_named(name: str, *, config: str | Path | None = None) -> RuleProfile:
    """A shipped profile, with what a user's file changes in it."""
    by_kind = rules_by_kind()
    kind = next((kind for kind, rules in by_kind.items() if name in rules.profiles), None)
    if kind is None:
        raise UsageError(f"no profile {name!r}; {did_you_mean(name, profile_names())}")
    shipped = tomllib.loads(by_kind[kind].profiles[name].read_text("utf-8"))
    document = shipped.pop("document")
    applied = {code: _applied(code, table, name, None) for code, table in shipped.items()}
    kinds = {rule.code: kind for kind, rules in by_kind.items() for rule in rules.rules}
    if config is not None:
        for code, table in read_toml(config).items():
            if code == BASE:
                continue
            applied[code] = _applied(code, table, config, applied.get(code))
            if kinds[code] != kind:
                message = f"the rule is for {kinds[code]} tests, the profile {name} for {kind}"
                raise DataError(message, file=config, where=code)
    on = {
        code: applied[code]
        for code in kinds  # the order of the rules, whatever that of the files
        if code in applied and applied[code].severity != "off"
    }
    return RuleProfile(name, document, on, kind)


def _applied(code: str, table: Any, file: object, before: AppliedRule | None) -> AppliedRule:
    rules = rules_by_code()
    if code not in rules:
        raise DataError(f"no rule {code!r}; {did_you_mean(code, rules)}", file=file)
    if not isinstance(table, dict):
        raise DataError(f"expected a table of settings, found {table!r}", file=file, where=code)
    changes = dict(table)
    severity = changes.pop("severity", before.severity if before else "warning")
    if severity not in SEVERITIES:
        message = f"severity is {severity!r}, expected one of {', '.join(SEVERITIES)}"
        raise DataError(message, file=file, where=code)
    settings = dict(before.settings if before else rules[code].settings)
    for name, value in changes.items():
        if name not in settings:
            hint = did_you_mean(name, ("severity", *settings))
            raise DataError(f"no setting {name!r}; {hint}", file=file, where=code)
        settings[name] = _checked_setting(settings[name], value, file, f"{code}.{name}")
    return AppliedRule(code, severity, settings)


def _checked_setting(default: Any, value: Any, file: object, where: str) -> Any:
    """A value of the same type as the default; a table changes only what it names."""
    if isinstance(default, dict):
        if not isinstance(value, dict):
            return {
                name: _checked_setting(item, value, file, where) for name, item in default.items()
            }
        for name in value:
            if name not in default:
                hint = did_you_mean(name, default)
                raise DataError(f"no {name!r}; {hint}", file=file, where=where)
        return {
            name: _checked_setting(item, value.get(name, item), file, f"{where}.{name}")
            for name, item in default.items()
        }
    is_number = isinstance(default, (int, float))
    types: Any = (int, float) if isinstance(default, float) else type(default)
    if isinstance(value, bool) or not isinstance(value, types) or (is_number and value < 0):
        expected = {int: "a whole number", float: "a number", list: "a list"}[type(default)]
        raise DataError(f"is {value!r}, expected {expected}", file=file, where=where)
    if isinstance(default, list) and not all(isinstance(item, type(default[0])) for item in value):
        raise DataError(f"is {value!r}, expected a list like {default!r}", file=file, where=where)
    return value
