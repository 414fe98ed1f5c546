"""The rewriters that come with Readmark: none, append and guided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from readmark.core.counts import counted
from readmark.core.error_rows import one_by_one
from readmark.core.errors import UsageError
from readmark.core.language import primary
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.series.notation import OTHER
from readmark.series.records import Series

if TYPE_CHECKING:
    from readmark.series.guided.edits import Rewrite


@dataclass
class Unchanged:
    """Returns every question unchanged."""

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, lambda unit: Row(id=unit.id, answer=unit.item.text))

    def signature(self) -> Mapping[str, str]:
        return {}


@dataclass
class AppendTarget:
    """Appends the target after the question, as the TREC question series document does.

    An OTHER question asks about the target already and stays as it is, as do all without one.
    """

    _without_target: int = field(default=0, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        return {"append": "space"}

    def _reply(self, unit: Unit) -> Row:
        if unit.item.category == OTHER:
            return Row(id=unit.id, answer=unit.item.text)
        if not unit.record.target.strip():
            self._without_target += 1
            evidence = {"unchanged": "the series has no target"}
            return Row(id=unit.id, answer=unit.item.text, evidence=evidence)
        return Row(id=unit.id, answer=f"{unit.item.text} {unit.record.target}")

    def closing_notes(self) -> Iterator[str]:
        """How many questions there was nothing to append to."""
        if self._without_target:
            questions = counted(self._without_target, "question is", "questions are")
            yield f"{questions} unchanged: their series have no target to append"


LANGUAGES = ("en", "zh")
RULES = "guided-5"


@dataclass
class Guided:
    """Rewrites by the guidelines of the document on TREC question series.

    A whole series is rewritten at once: what a question means depends on those before it.
    """

    previous: str = parameter(
        "variable",
        help="what stands for an earlier answer: PREVIOUS_ANSWER, the known answer, or "
        "the earlier question; what is not there falls back, to the variable at last",
        choices=("variable", "answer", "question"),
    )
    persons: str = parameter(
        "topic",
        help="whom he and she mean where a person target and a previous answer both agree: "
        "the target that the question before was about, or always the answer",
        choices=("topic", "answer"),
    )
    _language: str = field(default="en", init=False, repr=False)
    _last: tuple[Any, dict[str, Any]] | None = field(default=None, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        if primary(language) not in LANGUAGES:
            raise UsageError(f"guided rewrites English and Chinese, this test is in {language!r}")
        self._language = primary(language)
        self._last = None
        if self._language == "zh":
            from readmark.series.guided.chinese_questions import read

            read("他是谁？")  # loads the dictionary
        else:
            from readmark.series.guided.parses import parse_all

            parse_all(["Who is it?"])  # loads the pipeline

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        if self._language == "zh":
            from readmark.text.segmenter import segmenter

            return {"rules": RULES, "segmenter": segmenter(hmm=False).signature()}
        from readmark.series.guided.parses import signature

        return {"rules": RULES, "analyser": signature()}

    def _reply(self, unit: Unit) -> Row:
        if (unit.item.category or "").upper() == OTHER:
            kept = {"kept": "an OTHER question is not rewritten"}
            return Row(id=unit.id, answer=unit.item.text, evidence=kept)
        rewrite = self._rewrites(unit.record)[unit.id]
        evidence: dict[str, Any] = {"kept": rewrite.why}
        if rewrite.edits:
            ids = tuple(question.id for question in unit.record.questions)
            evidence = {"edits": [edit.shown(ids) for edit in rewrite.edits]}
        return Row(id=unit.id, answer=rewrite.text, evidence=evidence)

    def _rewrites(self, record: Series) -> dict[str, Rewrite]:
        """The rewrites of a series by question; the last series is remembered."""
        if self._last is None or self._last[0] is not record:
            rewrites = guided_rewrites(
                record, self._language, previous=self.previous, persons=self.persons
            )
            ids = (question.id for question in record.questions)
            self._last = record, dict(zip(ids, rewrites, strict=True))
        return self._last[1]


def guided_rewrites(
    record: Series, language: str, *, previous: str = "variable", persons: str = "topic"
) -> list[Rewrite]:
    """What the guidelines as code make of every question of a series."""
    from readmark.series.guided.chinese import rewrite_chinese
    from readmark.series.guided.edits import KnownAnswers
    from readmark.series.guided.rewriter import rewrite_series

    texts = [question.text for question in record.questions]
    places = {question.id: index for index, question in enumerate(record.questions)}
    known = KnownAnswers(
        [
            question.previous if question.previous_of in (None, *places) else ()
            for question in record.questions
        ],
        [places.get(question.previous_of or "") for question in record.questions],
    )
    about: dict[str, Any] = {"known": known, "type": record.target_type}
    if language == "zh":
        return rewrite_chinese(record.target, texts, previous=previous, **about)
    return rewrite_series(record.target, texts, previous=previous, persons=persons, **about)
