"""The guidelines as code: each question of a series rewritten to stand alone, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from readmark.corpus.errors import UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.language import primary
from readmark.corpus.sitting import Row
from readmark.corpus.values import Series, Unit
from readmark.sitting.candidates import one_by_one

if TYPE_CHECKING:
    from readmark.models.rewriting.values import Rewrite

LANGUAGES = ("en", "zh")
RULES = "guided-3"


@dataclass
class Guided:
    """Rewrites by the guidelines of the document on TREC question series."""

    previous: str = field(
        default="variable",
        metadata={
            "help": "what stands for an earlier answer: PREVIOUS_ANSWER, the known answer, or "
            "the earlier question; what is not there falls back, to the variable at last",
            "choices": ("variable", "answer", "question"),
        },
    )
    persons: str = field(
        default="topic",
        metadata={
            "help": "whom he and she mean where a person target and a previous answer both agree: "
            "the target that the question before was about, or always the answer",
            "choices": ("topic", "answer"),
        },
    )
    _language: str = field(default="en", init=False, repr=False)
    _last: tuple[Any, dict[str, Any]] | None = field(default=None, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        if primary(language) not in LANGUAGES:
            raise UsageError(f"guided rewrites English and Chinese, this test is in {language!r}")
        self._language = primary(language)
        self._last = None
        if self._language == "en":
            from readmark.models.rewriting.parsing import parse_all

            parse_all(["Who is it?"])  # loads the pipeline
        else:
            from readmark.models.rewriting.chinese_reading import read

            read("他是谁？")  # loads the dictionary

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        if self._language == "zh":
            from readmark.models.rewriting.chinese_reading import segmenter

            return {"rules": RULES, "segmenter": segmenter(hmm=False).signature()}
        from readmark.models.rewriting.parsing import signature

        return {"rules": RULES, "analyser": signature()}

    def _reply(self, unit: Unit) -> Row:
        if (unit.item.category or "").upper() == "OTHER":
            kept = {"kept": "an OTHER question is not rewritten"}
            return Row(id=unit.id, rewrite=unit.item.text, score=1.0, evidence=kept)
        if self._last is None or self._last[0] is not unit.record:
            self._last = unit.record, self._rewritten(unit.record)
        made = self._last[1][unit.id]
        ids = tuple(question.id for question in unit.record.questions)
        evidence: dict[str, Any] = {"edits": [edit.shown(ids) for edit in made.edits]}
        if not made.edits:
            evidence = {"kept": made.why}
        return Row(id=unit.id, rewrite=made.text, score=made.sure, evidence=evidence)

    def _rewritten(self, record: Series) -> dict[str, Rewrite]:
        """Every question of a series: what one means hangs on those before it."""
        texts = [question.text for question in record.questions]
        places = {question.id: at for at, question in enumerate(record.questions)}
        known = [
            question.previous if question.previous_of in (None, *places) else ()
            for question in record.questions
        ]
        known_of = [places.get(question.previous_of or "") for question in record.questions]
        if self._language == "zh":
            from readmark.models.rewriting.chinese import rewrite_chinese

            done = rewrite_chinese(
                record.target,
                texts,
                known=known,
                known_of=known_of,
                type=record.target_type,
                previous=self.previous,
            )
        else:
            from readmark.models.rewriting.rewriter import rewrite_series

            done = rewrite_series(
                record.target,
                texts,
                known=known,
                known_of=known_of,
                type=record.target_type,
                previous=self.previous,
                persons=self.persons,
            )
        return {question.id: made for question, made in zip(record.questions, done, strict=True)}
