"""What is known when a question of a series is rewritten: the target, and what was asked before."""

from __future__ import annotations

from dataclasses import dataclass, field

from readmark.models.rewriting.answers import Expected
from readmark.models.rewriting.inner import Inner
from readmark.models.rewriting.known import Known
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.parts import Part
from readmark.models.rewriting.targets import Target


@dataclass(slots=True)
class Asked:
    """A question as it was read and, once it is rewritten, what it was about."""

    parsed: Parsed
    expected: Expected
    parts: list[Part]
    about_target: bool = False
    inner: Inner | None = None
    answer_of: int | None = None
    """The earlier question whose answer it speaks of."""
    named: str = ""
    """What an earlier question names besides the target, and it speaks of."""
    rewritten: str = ""


@dataclass(slots=True)
class Situation:
    """A question with everything before it."""

    target: Target
    asked: list[Asked]
    at: int
    previous: str = "variable"
    """What stands for an earlier answer: variable, answer (where known) or question."""
    persons: str = "topic"
    """Whether he and she mean the target that an earlier question was about, or its answer."""
    known: Known = field(default_factory=Known)
    """Answers that the series tells."""

    @property
    def now(self) -> Asked:
        return self.asked[self.at]

    @property
    def before(self) -> Asked | None:
        return self.asked[self.at - 1] if self.at else None


@dataclass(frozen=True, slots=True)
class Referent:
    """What a pronoun or nominal stands for: the target, a name in it, or an earlier answer."""

    what: str
    """target, inner, answer, noun, kin, phrase or named (in the question before)."""
    why: str
    inner: Inner | None = None
    earlier: int | None = None
    noun: str = ""
    sure: float = 0.9
    several: bool = False
    """Whether the noun is said in the plural."""
