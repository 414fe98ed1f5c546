"""What the rewriting hands on: edits with their reasons, and the question they make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of the question, what takes its place, why, and by which guideline."""

    start: int
    end: int
    was: str
    now: str
    why: str
    guideline: str
    sure: float = 0.9
    earlier: int | None = None
    """The earlier question whose answer is meant."""

    def shown(self, ids: tuple[str, ...] = ()) -> dict[str, Any]:
        """The edit as evidence of a row."""
        said: dict[str, Any] = {
            "at": [self.start, self.end],
            "was": self.was,
            "now": self.now,
            "why": self.why,
            "guideline": self.guideline,
        }
        if self.earlier is not None and self.earlier < len(ids):
            said["question"] = ids[self.earlier]
        return said


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question that stands alone, the edits that made it, and how sure they are."""

    text: str
    edits: tuple[Edit, ...] = ()
    why: str = ""
    """Why the question was left as it was, where there are no edits."""
    sure: float = 1.0


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    """The text with its edits made; of two that overlap the first is made."""
    made: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if edit.start < done:
            continue
        made += [text[done : edit.start], edit.now]
        done = edit.end
        if edit.now.endswith(".") and text[done:] == ".":  # Merck & Co. at the end
            done += 1
    return "".join([*made, text[done:]])
