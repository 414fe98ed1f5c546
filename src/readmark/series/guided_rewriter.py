"""The rewriter guided: the guidelines of the question series document as rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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

LANGUAGES = ("en", "zh")
RULES = "guided-5"
"""The name of these rules in signatures; another number means other rewrites."""


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
    # Any, since the registry resolves these hints and must not load the guided rules for it.
    _last: tuple[Series, dict[str, Any]] | None = field(default=None, init=False, repr=False)
    """The last series and its rewrites by question: the units of a series come one by one."""

    def prepare(self, kind: Kind, language: str) -> None:
        if primary(language) not in LANGUAGES:
            raise UsageError(f"guided rewrites English and Chinese, this test is in {language!r}")
        self._language = primary(language)
        self._last = None
        # What is slow to load is loaded here, so that no question pays for it.
        if self._language == "zh":
            from readmark.series.guided.chinese_questions import read

            read("他是谁？")
        else:
            from readmark.series.guided.parses import parse_all

            parse_all(["Who is it?"])

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._row)

    def signature(self) -> Mapping[str, str]:
        if self._language == "zh":
            from readmark.text.segmenter import segmenter

            return {"rules": RULES, "segmenter": segmenter(hmm=False).signature()}
        from readmark.series.guided.parses import signature

        return {"rules": RULES, "analyser": signature()}

    def _row(self, unit: Unit) -> Row:
        evidence: dict[str, Any]
        if (unit.item.category or "").upper() == OTHER:
            evidence = {"kept": "an OTHER question is not rewritten"}
            return Row(id=unit.id, answer=unit.item.text, evidence=evidence)
        if self._last is None or self._last[0] is not unit.record:
            self._last = unit.record, self._rewrites(unit.record)
        rewrite = self._last[1][unit.id]
        evidence = {"kept": rewrite.why}
        if rewrite.edits:
            ids = tuple(question.id for question in unit.record.questions)
            evidence = {"edits": [edit.shown(ids) for edit in rewrite.edits]}
        return Row(id=unit.id, answer=rewrite.text, evidence=evidence)

    def _rewrites(self, record: Series) -> dict[str, Rewrite]:
        """What the guidelines make of every question of a series, by the question's id."""
        from readmark.series.guided.chinese import rewrite_chinese
        from readmark.series.guided.known_answers import KnownAnswers
        from readmark.series.guided.rewriter import rewrite_series

        texts = [question.text for question in record.questions]
        indices = {question.id: index for index, question in enumerate(record.questions)}
        known = KnownAnswers(
            [
                question.previous if question.previous_of in (None, *indices) else ()
                for question in record.questions
            ],
            [indices.get(question.previous_of or "") for question in record.questions],
        )
        if self._language == "zh":
            rewrites = rewrite_chinese(
                record.target, texts, previous=self.previous, known=known, type=record.target_type
            )
        else:
            rewrites = rewrite_series(
                record.target,
                texts,
                previous=self.previous,
                persons=self.persons,
                known=known,
                type=record.target_type,
            )
        ids = (question.id for question in record.questions)
        return dict(zip(ids, rewrites, strict=True))
