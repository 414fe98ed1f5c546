"""Question rules of a kind of test, which ``check --profile`` applies.

A rule finds questions that a person should look at, by some guideline. A profile is a TOML file of
the kind: a table for each rule that the guideline has, with ``severity`` and thresholds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any, Protocol, runtime_checkable

RULED_LANGUAGES = ("en", "zh")
"""The languages that rules of wording know."""

RuleFinding = tuple[str, str]
"""The id of a question, or of its record, and a line of prose."""
RuleSettings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class QuestionRule:
    """A rule by its code; ``settings`` are its thresholds with their defaults."""

    code: str
    line: str
    """What it finds, in one line."""
    find: Callable[[Any, RuleSettings], Iterator[RuleFinding]] | None
    """Takes a page of the kind; None for a rule that looks at whole tests."""
    settings: RuleSettings = field(default_factory=dict)
    of_questions: bool = True
    """Whether it applies to questions; otherwise to records or the whole test."""
    needs_language: bool = False
    """Whether it works in English and Chinese only."""
    discards: bool = False
    """Whether the guideline discards what breaks it, though a check may only warn."""


@runtime_checkable
class RuledQuestions(Protocol):
    """A kind of test whose questions rules can be checked."""

    def question_rules(self) -> QuestionRules:
        """The rules that ``check --profile`` holds questions to."""


class RulePage(Protocol):
    """A record as the rules of its kind see it."""

    def question_types(self) -> Iterator[str | None]:
        """The type of each question; None where the language is not known."""


@dataclass(frozen=True, slots=True)
class QuestionRules:
    """The rules of a kind, its profiles by name, and how a record becomes a page."""

    rules: tuple[QuestionRule, ...]
    profiles: Mapping[str, Traversable]
    page: Callable[[Any, str, bool], RulePage]
    """Takes a record, the language of its test, and whether its key is withheld."""


def profiles_in(folder: Traversable, *names: str) -> dict[str, Traversable]:
    """The profiles in a folder, by name."""
    return {name: folder.joinpath(f"{name}.toml") for name in names}
