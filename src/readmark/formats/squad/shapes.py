"""What the four formats of SQuAD's shape share, and what tells them apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from readmark.formats.members import is_integer, objects

LEVELS = (1, 2, 3, 4)
"""SMART's levels of difficulty."""
ARTICLE_MEMBERS = frozenset({"title", "id", "paragraphs"})
PARAGRAPH_MEMBERS = frozenset({"id", "context", "qas"})
QUESTION_MEMBERS = frozenset(
    {"id", "question", "answers", "is_impossible", "plausible_answers", "level"}
)
ANSWER_MEMBERS = frozenset({"text", "answer_start", "id"})


@dataclass(frozen=True, slots=True)
class SquadShape:
    """What distinguishes one format of the shape from another."""

    name: str
    version: str
    """What is written as the document's version where the test has none."""
    profile: str | None = None
    impossible: Literal["never", "when true", "always"] = "when true"
    """When a question says whether it can be answered."""
    annotators: bool = False
    """Whether the ids of answers name the people who gave them."""
    levels: bool = False


class Traits:
    """What the questions of a document show, and the format that they show it to be in."""

    def __init__(self) -> None:
        self.levels = self.annotators = self.impossible = False

    def add(self, questions: Iterable[dict[str, Any]]) -> None:
        """Take questions into account, malformed ones included."""
        for question in questions:
            self.levels = self.levels or is_integer(question.get("level"))
            self.impossible = self.impossible or "is_impossible" in question
            self.annotators = self.annotators or any(
                answer.get("id") is not None
                for name in ("answers", "plausible_answers")
                for answer in objects(question.get(name))
            )

    def format(self, version: object) -> str:
        """The name of the richest format that a trait points to.

        In this order each format can hold what the ones after it show.
        """
        if self.levels:
            return "smart"
        if self.annotators:
            return "drcd"
        if self.impossible or str(version).startswith("v2"):
            return "squad2"
        return "squad"
