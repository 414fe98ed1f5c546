"""Comprehension: a unit is a question on a passage, the answer a span, a sentence or free text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.comprehension.findings import passage_findings
from readmark.core.counts import counted
from readmark.core.kinds import Finding
from readmark.core.language import language_of, primary
from readmark.core.records import (
    AS_WRITTEN,
    PUBLISHER,
    Answer,
    Labelled,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    Unit,
    without_key,
    without_questions,
)
from readmark.core.survey import KEYED

if TYPE_CHECKING:
    from readmark.core.question_rules import QuestionRules
    from readmark.core.sitting import Row
    from readmark.core.test import Facts, Header, Test
    from readmark.formats.tables.columns import TableRows
    from readmark.hooks import Metric
    from readmark.llm import LlmForm
    from readmark.marking import DerivedField, ErrorClassifier, ExtraTable


class ShownAnswer(Answer, frozen=True):
    """A candidate's answer to options that were shown in another order than the test's."""

    order: tuple[int, ...] = ()
    """The options as shown, by their places in the test: a letter is one of these."""


class Comprehension:
    """The kind, as `readmark.hooks.Kind` and the rooms that ask a kind for more describe it."""

    name = "comprehension"
    record = Passage
    record_noun = "passage"
    unit_noun = "question"
    answer = "text"
    answer_type = str
    parts = ("passage", "question")
    people_from_key = True
    main_metric = "f1"

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """EM and F1; for Chinese CMRC's average and the careful Chinese F1 as well.

        HumSent is added where people marked the answer sentences. If every question has options,
        accuracy is the only metric.
        """
        if facts.count("choices") and facts.count("choices") == facts.units:
            return ("accuracy",)
        humsent = ("humsent",) if facts.count("marked") else ()
        if not facts.referenced and humsent:
            return humsent
        if facts.language != "zh":
            return ("em", "f1", *humsent)
        average = ("average",) if header.profile in (None, "cmrc2018") else ()
        careful = () if header.profile == "zh" else ("f1(profile=zh)",)
        return ("em", "f1", *average, *careful, *humsent)

    def paper(self, record: Passage) -> Passage:
        return without_key(record)

    def leave_out(self, record: Passage, part: str) -> Passage:
        """Blank the passage with its title, or every question."""
        if part == "passage":
            return msgspec.structs.replace(record, text="", title=None, dateline=None, layers={})
        return without_questions(record)

    def units(self, record: Passage) -> Iterator[Unit]:
        for question in record.questions:
            yield Unit(question.id, record.id, record, question)

    def references(self, unit: Unit) -> Sequence[Sequence[Answer]]:
        """The answers of each person.

        Each unnamed answer counts as a person of its own, the published key as one person's.
        """
        key: QuestionKey | None = unit.key
        if key is None:
            return ()
        if key.unanswerable:
            return ((Answer(text=""),),)
        if len(key.answers) == 1 and not key.published:  # most questions
            return (key.answers,)
        people: dict[object, list[Answer]] = {}
        for index, answer in enumerate(key.answers):
            person = index if answer.annotator is None else answer.annotator
            people.setdefault(person, []).append(answer)
        if key.published:
            people[PUBLISHER, None] = [
                Answer(text=phrase.text, annotator=PUBLISHER) for phrase in key.published
            ]
        return tuple(map(tuple, people.values()))

    def record_of(self, references: Sequence[str]) -> Passage:
        """A passage with one question that has these answers; without any it is unanswerable."""
        answers = tuple(Answer(text=text) for text in references if text)
        key = QuestionKey(answers=answers, unanswerable=not answers)
        question = Question(id="answer", text="?", key=key)
        return Passage(id="passage", text="", questions=(question,))

    def unit_facts(self, unit: Unit) -> Collection[str]:
        """Whether it has options, marked answer sentences, or no answer at all."""
        key: QuestionKey | None = unit.key
        facts = ["choices"] if unit.item.options else []
        if key is not None and key.sentences:
            facts += ["marked", KEYED]
        if key is not None and key.unanswerable:
            facts.append("unanswerable")
        return facts

    def read_answer(self, row: Row) -> Answer:
        """The text of a row with its offsets, and the order of options that were shuffled."""
        answer = Answer(
            text=row.text,
            start=row.start,
            end=row.end,
            sentence=row.sentence,
            score=row.score,
        )
        if row.order is None:
            return answer
        return ShownAnswer(**msgspec.structs.asdict(answer), order=row.order)

    def paper_part(self, record: Passage) -> Any:
        return record.id, record.text, sorted((q.id, q.text, q.options) for q in record.questions)

    def key_part(self, record: Passage) -> Any:
        """Every question's key without its layers, in the order of ids.

        Layers are in neither fingerprint, so that annotating a test does not part it from the
        sittings that it has.
        """
        parts = []
        for question in record.questions:
            if question.key is not None:
                key = msgspec.structs.replace(
                    question.key,
                    layers={},
                    answers=tuple(sorted(question.key.answers, key=_by_person)),
                    published=tuple(Phrase(text=phrase.text) for phrase in question.key.published),
                )
                parts.append((question.id, key))
        fields = record.key.fields if record.key is not None else {}
        # How a file spelt a passage is no part of its key: a converted test is the same test.
        fields = {name: value for name, value in fields.items() if name != AS_WRITTEN}
        return record.id, fields, sorted(parts, key=lambda part: part[0])

    def texts(self, record: Passage) -> Iterator[str]:
        yield record.text

    def findings(self, record: Passage) -> Iterator[Finding]:
        return passage_findings(record)

    def test_findings(self, record: Passage, test: Test) -> Iterator[Finding]:
        """What is wrong with the annotation, which stands under the key in a hidden split."""
        from readmark.text.annotation import annotation_findings

        # Not test.language: that would read the whole test once more.
        language = record.language or test.header.language or language_of([record.text])
        return annotation_findings(
            record, hidden=record.split in test.header.hidden, language=primary(language)
        )

    def extra_tables(self) -> Mapping[str, type[ExtraTable]]:
        from readmark.comprehension.tables.no_answer import NoAnswerThresholds
        from readmark.comprehension.tables.option_positions import OptionPositions

        return {"positions": OptionPositions, "no_answer": NoAnswerThresholds}

    def error_classes(self, test: Test) -> ErrorClassifier | None:
        from readmark.comprehension.error_classes import ErrorClasses

        return ErrorClasses.of(test)

    def metric_notes(self, test: Test, metrics: Mapping[str, Metric]) -> Iterator[str]:
        """Questions that no answer can be right to by the rules of CMRC 2018."""
        count = test.facts.count("unanswerable")
        profiles = {metric.signature().get("profile") for metric in metrics.values()}
        if count and "cmrc2018" in profiles:
            yield (
                f"{counted(count, 'unanswerable question')} cannot be right by profile cmrc2018, "
                "where an empty answer scores 0; profile=zh takes them"
            )

    def empty_answers(self, unit: Unit) -> int:
        """How many people the key names as having found no answer where others did."""
        from readmark.formats.key_annotators import without_answer

        key: QuestionKey | None = unit.key
        # Most keys have no fields: marking a million questions looks no further.
        if key is None or not key.fields or key.unanswerable:
            return 0
        return len(without_answer(key))

    def derived_fields(self, test: Test) -> Mapping[str, DerivedField]:
        from readmark.comprehension.derived_fields import derived_fields

        return derived_fields(test)

    def table_rows(self) -> TableRows:
        from readmark.comprehension.formats.rows import ROWS

        return ROWS

    def llm_form(self) -> LlmForm:
        from readmark.comprehension.prompts import PASSAGES

        return PASSAGES

    def question_rules(self) -> QuestionRules:
        from readmark.comprehension.question_rules.rules import QUESTION_RULES

        return QUESTION_RULES

    def show_record(self, record: Passage) -> Sequence[Labelled]:
        title = (Labelled("title", record.title),) if record.title else ()
        return (*title, Labelled("passage", record.text))

    def show(self, unit: Unit) -> Sequence[Labelled]:
        options = (Labelled("option", option) for option in unit.item.options)
        return (Labelled("question", unit.item.text), *options)


def _by_person(answer: Answer) -> tuple[str, str]:
    """Sorts answers for a fingerprint that does not depend on the order of people.

    A person's own answers keep their order, since the first one counts where people are marked.
    Unnamed answers are a person each, so their text and place decide.
    """
    if answer.annotator is not None:
        return answer.annotator, ""
    return "", f"{answer.text} {answer.start}"


COMPREHENSION = Comprehension()
