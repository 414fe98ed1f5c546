"""Comprehension: a unit is a question on a passage, the answer a span, a sentence or free text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.kinds import Finding
from readmark.core.language import language_of, primary
from readmark.core.passage_parts import parts_faults
from readmark.core.records import (
    AS_WRITTEN,
    PUBLISHER,
    Answer,
    Labelled,
    Layers,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    Unit,
    without_key,
    without_questions,
)
from readmark.core.spans import (
    clip,
    layer_findings,
    misplaced_layers,
    offset_fault,
    untyped_entities,
)
from readmark.core.test import KEYED

if TYPE_CHECKING:
    from readmark.core.question_rules import QuestionRules
    from readmark.core.sitting import Row
    from readmark.core.test import Facts, Header, Test
    from readmark.formats.tables.columns import TableRows
    from readmark.llm import LlmForm
    from readmark.marking import DerivedField, ErrorClassifier, ExtraTable


class ShownAnswer(Answer, frozen=True):
    """A candidate's answer to options that were shown in another order than the test's."""

    order: tuple[int, ...] = ()
    """The options as shown, by their places in the test: a letter is one of these."""


class Comprehension:
    """Questions on passages."""

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
        """EM and F1; Chinese tests get CMRC's average and the careful Chinese F1 as well.

        HumSent comes with them where people marked the answer sentences. Where every question
        has options it is accuracy alone.
        """
        if facts.count("choices") and facts.count("choices") == facts.units:
            return ("accuracy",)
        sentences = ("humsent",) if facts.count("marked") else ()
        if not facts.referenced and sentences:
            return sentences
        if facts.language != "zh":
            return ("em", "f1", *sentences)
        average = ("average",) if header.profile in (None, "cmrc2018") else ()
        careful = () if header.profile == "zh" else ("f1(profile=zh)",)
        return ("em", "f1", *average, *careful, *sentences)

    def paper(self, record: Passage) -> Passage:
        """The passage and its questions as a candidate may see them."""
        return without_key(record)

    def leave_out(self, record: Passage, part: str) -> Passage:
        """The passage with its title, or every question, left blank."""
        if part == "passage":
            return msgspec.structs.replace(record, text="", title=None, dateline=None, layers={})
        return without_questions(record)

    def units(self, record: Passage) -> Iterator[Unit]:
        """A unit a question."""
        for question in record.questions:
            yield Unit(question.id, record.id, record, question)

    def references(self, unit: Unit) -> Sequence[Sequence[Answer]]:
        """A list a person: unnamed answers are a person each, a published key is one person's."""
        key: QuestionKey | None = unit.key
        if key is None:
            return ()
        if key.unanswerable:
            return ((Answer(text=""),),)
        if len(key.answers) == 1 and not key.published:
            return (key.answers,)
        people: dict[object, list[Answer]] = {}
        for index, answer in enumerate(key.answers):
            people.setdefault(index if answer.annotator is None else answer.annotator, []).append(
                answer
            )
        if key.published:
            people[PUBLISHER, None] = [
                Answer(text=phrase.text, annotator=PUBLISHER) for phrase in key.published
            ]
        return tuple(map(tuple, people.values()))

    def record_of(self, references: Sequence[str]) -> Passage:
        """A passage with one question that has these answers; an empty one says there is none."""
        answers = tuple(Answer(text=text) for text in references if text)
        key = QuestionKey(answers=answers, unanswerable=not answers)
        question = Question(id="answer", text="?", key=key)
        return Passage(id="passage", text="", questions=(question,))

    def unit_facts(self, unit: Unit) -> Collection[str]:
        """Whether it has options, marked answer sentences, or no answer at all."""
        key: QuestionKey | None = unit.key
        said = ["choices"] if unit.item.options else []
        if key is not None and key.sentences:
            said += ["marked", KEYED]
        if key is not None and key.unanswerable:
            said.append("unanswerable")
        return said

    def read_answer(self, row: Row) -> Answer:
        """The text of a row, with its offsets, and the order of options that were mixed."""
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
        """Ids, text, questions and options."""
        return record.id, record.text, sorted((q.id, q.text, q.options) for q in record.questions)

    def key_part(self, record: Passage) -> Any:
        """Every question's key without its layers, in the order of ids."""
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
        own = record.key.fields if record.key is not None else {}
        counted = {name: value for name, value in own.items() if name != AS_WRITTEN}
        return record.id, counted, sorted(parts, key=lambda part: part[0])

    def texts(self, record: Passage) -> Iterator[str]:
        """The passage."""
        yield record.text

    def findings(self, record: Passage) -> Iterator[Finding]:
        """Empty texts, offsets that do not point at their answers, contradictions in the key."""
        if not record.text.strip():
            yield record.id, "empty_text", "the passage has no text"
        for fault in parts_faults(record):
            yield record.id, "parts", fault
        yield from untyped_entities(record.id, record.layers)
        yield from misplaced_layers(record.id, record.layers)
        yield from layer_findings(record.id, record.text, _all_layers(record.layers, record.key))
        for question in record.questions:
            yield from _question_findings(record.text, question)

    def test_findings(self, record: Passage, test: Test) -> Iterator[Finding]:
        """What is wrong with the annotation, which a hidden split keeps in the key."""
        from readmark.text.annotation import annotation_findings

        # Not test.language, which reads the whole test once more.
        language = record.language or test.header.language or language_of([record.text])
        return annotation_findings(
            record, hidden=record.split in test.header.hidden, language=primary(language)
        )

    def extra_tables(self) -> Mapping[str, type[ExtraTable]]:
        """Which places of the options were chosen, and the best no-answer threshold."""
        from readmark.comprehension.metrics.no_answer import NoAnswerThresholds
        from readmark.comprehension.metrics.option_positions import Positions

        return {"positions": Positions, "no_answer": NoAnswerThresholds}

    def error_classes(self, test: Test) -> ErrorClassifier | None:
        """What is wrong with wrong answers, where answers are words of the passage."""
        from readmark.comprehension.error_classes import ErrorClasses

        return ErrorClasses.of(test)

    def derived_fields(self, test: Test) -> Mapping[str, DerivedField]:
        """Type, question word, answerability, lengths and word overlap."""
        from readmark.comprehension.derived_fields import derived_fields

        return derived_fields(test)

    def table_rows(self) -> TableRows:
        """A question a row, as the Hugging Face hub has SQuAD."""
        from readmark.comprehension.formats.rows import ROWS

        return ROWS

    def llm_form(self) -> LlmForm:
        """A passage and its question."""
        from readmark.comprehension.prompts import PASSAGES

        return PASSAGES

    def question_rules(self) -> QuestionRules:
        """The rules that ``check --profile`` applies."""
        from readmark.comprehension.question_rules import QUESTION_RULES

        return QUESTION_RULES

    def show_record(self, record: Passage) -> Sequence[Labelled]:
        """The passage under its title."""
        title = (Labelled("title", record.title),) if record.title else ()
        return (*title, Labelled("passage", record.text))

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """The question and its options."""
        options = (Labelled("option", option) for option in unit.item.options)
        return (Labelled("question", unit.item.text), *options)


def _by_person(answer: Answer) -> tuple[str, str]:
    """Unnamed answers are a person each; of a named one's the first counts, so they stay put."""
    place = f"{answer.text} {answer.start}"
    return (answer.annotator, "") if answer.annotator is not None else ("", place)


def _question_findings(text: str, question: Question) -> Iterator[Finding]:
    if not question.text.strip():
        yield question.id, "empty_text", "the question has no text"
    yield from misplaced_layers(question.id, question.layers)
    yield from layer_findings(
        question.id, question.text, _all_layers(question.layers, question.key)
    )
    yield from _option_findings(question)
    key = question.key
    if key is None:
        return
    if any(not answer.text.strip() for answer in key.answers):
        yield question.id, "empty_answer", "has an answer without text"
    for answer in (*key.answers, *key.plausible):
        fault = offset_fault(text, answer)
        if fault:
            yield question.id, "offset", fault
    for start, end in key.sentences:
        if not 0 <= start < end <= len(text):
            yield question.id, "sentence", f"answer sentence {start}–{end} is not in the passage"
    for phrase in key.published:
        yield from layer_findings(question.id, phrase.text, phrase.layers)
    if key.unanswerable and (key.answers or key.published):
        yield question.id, "unanswerable", "is marked unanswerable and has answers"
    if not (key.unanswerable or key.answers or key.published or key.sentences):
        yield question.id, "no_answer", "has a key without answers, and is not marked unanswerable"


def _option_findings(question: Question) -> Iterator[Finding]:
    """Options that cannot be distinguished, and a key that is none of them."""
    options = [option.strip() for option in question.options]
    if not options:
        return
    if len(options) == 1:
        yield question.id, "options", "has one option, which is no choice"
    if any(not option for option in options):
        yield question.id, "options", "has an option without text"
    twice = next((option for option in options if option and options.count(option) > 1), None)
    if twice is not None:
        yield question.id, "duplicate_option", f"has the option {clip(twice)!r} twice"
    key = question.key
    if key is None or key.unanswerable:
        return
    for text in (
        *(answer.text for answer in key.answers),
        *(phrase.text for phrase in key.published),
    ):
        if text.strip() not in options:
            yield question.id, "key_option", f"the key {clip(text)!r} is none of the options"
            return


def _all_layers(layers: Layers, key: Any) -> Layers:
    return {**layers, **key.layers} if key is not None else layers


COMPREHENSION = Comprehension()
