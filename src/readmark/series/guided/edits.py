"""What is known when a question is rewritten, its edits with their reasons, and the rewrite."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from readmark.series.guided.answers import Expected
from readmark.series.guided.inner_names import Inner
from readmark.series.guided.known_answers import KnownAnswers
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.target_parts import TargetPart
from readmark.series.guided.targets import SeriesTarget


@dataclass(slots=True)
class AskedQuestion:
    """A question as it was read and, once it is rewritten, what it was about."""

    parsed: ParsedText
    expected: Expected
    parts: list[TargetPart]
    about_target: bool = False
    inner: Inner | None = None
    answer_of: int | None = None
    """The earlier question whose answer it refers to."""
    named: str = ""
    """What it refers to that an earlier question names besides the target."""
    rewritten: str = ""


@dataclass(slots=True)
class Situation:
    """A question with everything before it."""

    target: SeriesTarget
    asked: list[AskedQuestion]
    index: int
    previous: str = "variable"
    """What stands for an earlier answer: variable, answer (where known) or question."""
    persons: str = "topic"
    """Whether he and she mean the target that an earlier question was about, or its answer."""
    known: KnownAnswers = field(default_factory=KnownAnswers)
    """Answers that the series gives."""

    @property
    def current(self) -> AskedQuestion:
        return self.asked[self.index]

    @property
    def before(self) -> AskedQuestion | None:
        return self.asked[self.index - 1] if self.index else None

    def edit(self, start: int, end: int, now: str, meant: Referent, guideline: str) -> Edit:
        """A stretch of the question in the words of what it means."""
        was = self.current.parsed.text[start:end]
        return Edit(start, end, was, now, meant.why, guideline, meant.earlier)


@dataclass(frozen=True, slots=True)
class Referent:
    """What a pronoun or nominal stands for: the target, a name in it, or an earlier answer."""

    what: str
    """target, inner, answer, noun, kin, phrase or named (in the question before)."""
    why: str
    inner: Inner | None = None
    earlier: int | None = None
    noun: str = ""
    several: bool = False
    """Whether the noun is plural."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of the question, what takes its place, why, and by which guideline."""

    start: int
    end: int
    was: str
    now: str
    why: str
    guideline: str
    earlier: int | None = None
    """The earlier question whose answer is meant."""

    def shown(self, ids: tuple[str, ...] = ()) -> dict[str, Any]:
        """The edit as evidence of a row."""
        evidence: dict[str, Any] = {
            "at": [self.start, self.end],
            "was": self.was,
            "now": self.now,
            "why": self.why,
            "guideline": self.guideline,
        }
        if self.earlier is not None and self.earlier < len(ids):
            evidence["question"] = ids[self.earlier]
        return evidence


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question that stands alone, and the edits that made it."""

    text: str
    edits: tuple[Edit, ...] = ()
    why: str = ""
    """Why the question was left as it was, where there are no edits."""


def apply_edits(text: str, edits: tuple[Edit, ...]) -> str:
    """The text with its edits made; of two that overlap the first is made."""
    pieces: list[str] = []
    end = 0  # of the text that is in the pieces
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < end:
            continue
        pieces += [text[end : edit.start], edit.now]
        end = edit.end
        if edit.now.endswith(".") and text[end:] == ".":  # Merck & Co. at the end
            end += 1
    return "".join([*pieces, text[end:]])
