"""Question rules of a kind: what its hook ``question_rules`` gives to ``check --profile``.

A rule finds questions that a guideline would have a person look at. A profile is a TOML file of the
kind's: a table for each rule that its document asks for, with ``severity`` and thresholds.
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
    """From a page of the kind's; None for a rule that looks at whole tests."""
    settings: RuleSettings = field(default_factory=dict)
    of_questions: bool = True
    """Whether it is found in questions; in records or the whole test otherwise."""
    needs_language: bool = False
    """Whether it knows English and Chinese only."""
    discards: bool = False
    """Whether the document discards what breaks it, though a check may only warn."""


@runtime_checkable
class RuledQuestions(Protocol):
    """A kind of test whose questions rules can be checked."""

    def question_rules(self) -> QuestionRules:
        """The rules that ``check --profile`` holds questions to."""


class RulePage(Protocol):
    """A record as the rules of its kind look at it."""

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
