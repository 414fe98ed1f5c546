"""How a language model is asked to rate how easily a passage reads, and how its rating is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from readmark.core.records import Unit
from readmark.llm import UNREADABLE, fence
from readmark.readability.kind import Rating
from readmark.readability.scale import HIGHEST, LOWEST

_SCHEMA = {"type": "number"}
"""Without bounds, which not every server takes in a schema."""
_NUMBER = r"(\d{1,2}(?:\.\d{1,6})?)"
_RATING = re.compile(
    rf"{_NUMBER}(?: ?(?:/|out of|of) ?5(?:\.0)?| ?(?:分|级|points?))?[.。!]?", re.IGNORECASE
)
_IN_WORDS = re.compile(
    rf"\b(?:rating|score)(?: of| is|:)? ?{_NUMBER}\b|{_NUMBER} ?(?:/|out of) ?5\b"
    rf"|(?:评分|打分|得分|评为|分数)(?:是|为|:)? ?{_NUMBER}|{_NUMBER} ?分",
    re.IGNORECASE,
)


class RatingForm:
    """A passage, answered by a number from 1 (hardest) to 5 (easiest to read)."""

    places = frozenset({"passage", "fence"})
    needed = frozenset({"passage"})
    member = "rating"

    def prompts(self, answer_in: str) -> Sequence[str]:
        """One prompt for all passages and settings."""
        return ("rate",)

    def prompt_name(self, unit: Unit, *, free: bool) -> str:
        return "rate"

    def fill(self, unit: Unit, language: str, *, none: bool) -> dict[str, str]:
        """The passage."""
        return {"passage": unit.record.text, "fence": fence(unit.record.text)}

    def members(self, unit: Unit) -> dict[str, Any]:
        """The rating."""
        return {"rating": _SCHEMA}

    def example(self, unit: Unit, answer: Rating, language: str, *, blank: bool) -> dict[str, Any]:
        """An expert's rating."""
        return {"rating": answer.rating}

    def text(self, unit: Unit) -> str:
        """The passage."""
        text: str = unit.record.text
        return text

    def may_be_empty(self, unit: Unit) -> bool:
        """Every passage has a rating."""
        return False

    def read(
        self, unit: Unit, text: str, quote: str, evidence: dict[str, Any], *, free: bool
    ) -> tuple[float | str, tuple[int, int] | None, dict[str, Any]]:
        """The number, if it is one of the scale."""
        rating = rating_in(text)
        if rating is None:
            return "", None, {**evidence, "reason": UNREADABLE, "said": text}
        return rating, None, evidence


def rating_in(reply: str) -> float | None:
    """The rating that a reply states; None where it is off the scale, or more than one."""
    words = unicodedata.normalize("NFKC", reply).strip()
    alone = _RATING.fullmatch(words)
    numbers = [alone[1]] if alone else []
    if not numbers:
        numbers = [next(filter(None, match.groups())) for match in _IN_WORDS.finditer(words)]
    ratings = {float(number) for number in numbers}
    rating = ratings.pop() if len(ratings) == 1 else None
    return rating if rating is not None and LOWEST <= rating <= HIGHEST else None


RATING_FORM = RatingForm()
