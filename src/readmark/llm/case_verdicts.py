"""The verdicts of a judge, case by case: equal cases are asked about once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from readmark.llm.verdicts import (
    JudgedCase,
    each_once,
    request_for,
    settled_without_judge,
    verdict_of,
)

if TYPE_CHECKING:
    from readmark.llm.client import Asker
    from readmark.llm.prompts import Prompt


class CaseVerdict(Enum):
    """What became of a case."""

    RIGHT = "right"
    WRONG = "wrong"
    UNREADABLE = "unreadable"
    """There is a reply, and no verdict in it."""
    FAILED = "failed"
    """There is no reply."""

    @property
    def is_right(self) -> bool | None:
        """None where there is no verdict."""
        return {CaseVerdict.RIGHT: True, CaseVerdict.WRONG: False}.get(self)


class CaseVerdicts:
    """The verdict on each case, and what the model last said or did where there is none."""

    def __init__(self) -> None:
        self.last_failure = ""
        self.last_unreadable = ""
        self._by_case: dict[str, CaseVerdict] = {}
        self._received = 0
        self._requested = 0

    def __getitem__(self, known_by: str) -> CaseVerdict:
        return self._by_case[known_by]

    def unsettled(self, cases: Iterable[JudgedCase]) -> list[JudgedCase]:
        """The cases to ask about: those that need a judge and have no verdict yet, each once."""
        to_ask = []
        for case in each_once(cases):
            if case.known_by in self._by_case:
                continue
            is_right = settled_without_judge(case)
            if is_right is None:
                to_ask.append(case)
            else:
                self._by_case[case.known_by] = CaseVerdict.RIGHT if is_right else CaseVerdict.WRONG
        return to_ask

    def ask(
        self,
        cases: Sequence[JudgedCase],
        asker: Asker,
        prompt: Prompt,
        language: str,
        watch: Callable[[str, int, int], None] | None,
    ) -> None:
        """Ask a model about each case; ``watch`` is told how many verdicts have come."""
        from readmark.llm.replies import RequestFailure

        self._requested += len(cases)
        for settled in asker.ask(request_for(case, prompt, language) for case in cases):
            self._received += 1
            if watch is not None:
                watch("verdicts", self._received, self._requested)
            if isinstance(settled.outcome, RequestFailure):
                self.last_failure = settled.outcome.error
                verdict = CaseVerdict.FAILED
            elif (is_right := verdict_of(settled.outcome)) is None:
                self.last_unreadable = settled.outcome.content
                verdict = CaseVerdict.UNREADABLE
            else:
                verdict = CaseVerdict.RIGHT if is_right else CaseVerdict.WRONG
            self._by_case[settled.request.unit] = verdict
