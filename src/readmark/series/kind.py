"""The kind of question series: a unit is a question, the answer the question that stands alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.kinds import Finding
from readmark.core.records import Answer, Labelled, Unit, without_key, without_questions
from readmark.core.spans import layer_findings, misplaced_layers
from readmark.series.gold_checks import series_findings
from readmark.series.notation import OTHER
from readmark.series.records import (
    REPEATS,
    Series,
    SeriesQuestion,
    SeriesQuestionKey,
    is_conversation,
)

if TYPE_CHECKING:
    from readmark.core.question_rules import QuestionRules
    from readmark.core.sitting import Row
    from readmark.core.test import Facts, Header, Test
    from readmark.formats.tables.columns import TableRows
    from readmark.llm import LlmForm
    from readmark.marking import DerivedField


class SeriesKind:
    """Questions in a series with a target."""

    name = "series"
    record = Series
    record_noun = "series"
    unit_noun = "question"
    answer = "rewrite"
    answer_type = str
    parts = ("target", "question")
    people_from_key = True
    main_metric = "jaccard"

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """The question series document's choice, and equality with a gold rewrite."""
        return ("jaccard", "exact")

    def paper(self, record: Series) -> Series:
        """The series as a candidate may see it."""
        return without_key(record)

    def leave_out(self, record: Series, part: str) -> Series:
        """The target, or every question, left blank."""
        if part == "target":
            return msgspec.structs.replace(record, target="", layers={})
        return without_questions(record)

    def units(self, record: Series) -> Iterator[Unit]:
        """The questions; intervals and paired tests resample whole series."""
        for question in record.questions:
            yield Unit(question.id, record.id, record, question)

    def references(self, unit: Unit) -> Sequence[Sequence[Answer]]:
        """The golds of each annotator; those of nobody are alternatives of one."""
        key: SeriesQuestionKey | None = unit.key
        if key is None:
            return ()
        golds: dict[str | None, list[Answer]] = {}
        for rewrite in key.rewrites:
            golds.setdefault(rewrite.annotator, []).append(rewrite)
        return tuple(map(tuple, golds.values()))

    def record_of(self, references: Sequence[str]) -> Series:
        """A series with one question that has these gold rewrites."""
        key = SeriesQuestionKey(rewrites=tuple(Answer(text=text) for text in references))
        question = SeriesQuestion(id="rewrite", text=references[0], key=key)
        return Series(id="series", target="", questions=(question,))

    def unit_facts(self, unit: Unit) -> Collection[str]:
        """Nothing is counted of questions in series."""
        return ()

    def read_answer(self, row: Row) -> Answer:
        """The rewrite."""
        return Answer(text=row.text, score=row.score)

    def paper_part(self, record: Series) -> Any:
        """Ids, target and questions with the answers that are known.

        A question that does not say whose answers those are keeps the fingerprint that it had
        before questions could say so.
        """
        questions: list[tuple[Any, ...]] = []
        for question in record.questions:
            part = (question.id, question.text, question.previous)
            known = () if question.previous_of is None else (question.previous_of,)
            questions.append((*part, *known))
        return record.id, record.target, sorted(questions)

    def key_part(self, record: Series) -> Any:
        """Every question's key, in the order of ids."""
        keyed = [question for question in record.questions if question.key is not None]
        by_id = sorted(keyed, key=lambda question: question.id)
        return record.id, [(question.id, question.key) for question in by_id]

    def texts(self, record: Series) -> Iterator[str]:
        """Target and questions."""
        yield record.target
        for question in record.questions:
            yield question.text

    def findings(self, record: Series) -> Iterator[Finding]:
        """Empty texts, keys that say nothing, golds that the guidelines do not allow."""
        if not record.target.strip() and not is_conversation(record):
            yield record.id, "empty_text", "the series has no target"
        yield from misplaced_layers(record.id, record.layers)
        yield from layer_findings(record.id, record.target, record.layers)
        for question in record.questions:
            if not question.text.strip():
                yield question.id, "empty_text", "the question has no text"
            yield from misplaced_layers(question.id, question.layers)
            yield from layer_findings(question.id, question.text, question.layers)
            key = question.key
            if key is None:
                continue
            # TREC's OTHER questions are not rewritten.
            if not key.rewrites and not key.fields and question.category != OTHER:
                yield question.id, "no_answer", "has a key without rewrites"
            if any(not answer.text.strip() for answer in key.rewrites):
                yield question.id, "empty_answer", "a gold rewrite has no text"
        yield from series_findings(record)

    def unkeyed_words(self, test: Test) -> str:
        """Why questions may have no key: conversations of one tree share turns, marked once."""
        repeated = sum(unit.key is None and REPEATS in unit.item.fields for unit in test.units())
        if not repeated:
            return ""
        return (
            f"{repeated:,} of them repeat a turn of an earlier conversation, which is marked there"
        )

    def derived_fields(self, test: Test) -> Mapping[str, DerivedField]:
        """The question word, in languages with rules for it."""
        from readmark.marking import DerivedField
        from readmark.text.questions.types import RULED, RULES, wh_word

        if test.language not in RULED:
            return {}
        question_word = DerivedField(
            lambda unit: wh_word(unit.item.text, test.language), f"question words:{RULES}"
        )
        return {"question_word": question_word}

    def table_rows(self) -> TableRows:
        """One row per question, with its series and target."""
        from readmark.series.formats.rows import ROWS

        return ROWS

    def llm_form(self) -> LlmForm:
        """A question, its target and the questions before it."""
        from readmark.series.prompts import SERIES_FORM

        return SERIES_FORM

    def question_rules(self) -> QuestionRules:
        """The rules that ``check --profile`` applies."""
        from readmark.series.question_rules import QUESTION_RULES

        return QUESTION_RULES

    def show_record(self, record: Series) -> Sequence[Labelled]:
        """The target."""
        return (Labelled("target", record.target),)

    def reading_text(self, record: Series) -> Labelled:
        """The questions, numbered, under the target: a series is its questions."""
        questions = enumerate(record.questions, 1)
        return Labelled(record.target, "\n".join(f"{number}. {q.text}" for number, q in questions))

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """The question as it was asked."""
        return (Labelled("question", unit.item.text),)


SERIES = SeriesKind()
