"""How a language model is asked to rewrite a question of a series."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readmark.core.records import Answer, Unit
from readmark.llm import TEXT_MEMBER, fence, one_line

_ANSWERED = {"en": " (answer: {})", "zh": "（答案：{}）"}
_OR = {"en": " / ", "zh": "／"}


class SeriesForm:
    """A question with its target and the questions before it, answered by a rewrite."""

    places = frozenset({"target", "history", "question", "fence"})
    needed = frozenset({"target", "question"})
    member = "rewrite"

    def prompts(self, answer_in: str) -> Sequence[str]:
        """One prompt for all questions."""
        return ("rewrite",)

    def prompt_name(self, unit: Unit, *, free: bool) -> str:
        """The one prompt."""
        return "rewrite"

    def fill(self, unit: Unit, language: str, *, none: bool) -> dict[str, str]:
        """Target, earlier questions with their answers, and the question."""
        side = "zh" if language == "zh" else "en"
        target, history = one_line(unit.record.target), _history(unit, side)
        return {
            "target": target,
            "history": history,
            "question": unit.item.text,
            "fence": fence(target, history, unit.item.text),
        }

    def members(self, unit: Unit) -> dict[str, Any]:
        """The rewrite."""
        return {"rewrite": TEXT_MEMBER}

    def example(self, unit: Unit, answer: Answer, language: str, *, blank: bool) -> dict[str, Any]:
        """A gold rewrite."""
        return {"rewrite": answer.text}

    def text(self, unit: Unit) -> str:
        """The target."""
        target: str = unit.record.target
        return target

    def may_be_empty(self, unit: Unit) -> bool:
        """Every question has a rewrite."""
        return False

    def read(
        self, unit: Unit, text: str, quote: str, evidence: dict[str, Any], *, free: bool
    ) -> tuple[str, tuple[int, int] | None, dict[str, Any]]:
        """The rewrite as it is."""
        return text, None, evidence


def _history(unit: Unit, side: str) -> str:
    """The questions before this one, each with its answers where the series has given them."""
    earlier = []
    for question in unit.record.questions:
        if question.id == unit.item.id:
            break
        earlier.append(question)
    answers = {
        question.previous_of: question.previous
        for question in (*earlier, unit.item)
        if question.previous
    }
    lines = [
        f"{index}. {one_line(question.text)}{_answered(answers.get(question.id, ()), side)}"
        for index, question in enumerate(earlier, 1)
    ]
    if unit.item.previous and unit.item.previous_of not in {question.id for question in earlier}:
        lines.append(_answered(unit.item.previous, side).strip())
    return "\n".join(lines)


def _answered(answers: Sequence[str], side: str) -> str:
    text = _OR[side].join(map(one_line, answers))
    return _ANSWERED[side].format(text) if text else ""


SERIES_FORM = SeriesForm()
