"""The questions of a story: labelled records in a question file and in an answer file.

Real copies repeat ids and differ between the two files, so the files are compared record by
record, and what does not agree is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.core.encodings import numbered_lines
from readmark.core.problems import Problem, ReportProblem, WarningCode, remark
from readmark.core.records import Phrase, Question, QuestionKey
from readmark.core.spans import clip

DIFFICULTIES = ("Easy", "Moderate", "Difficult")
_LABEL = re.compile(r"[ \t]*(QuestionID|Question|Answer|Difficulty)[ \t]*:(.*)", re.IGNORECASE)
_MEMBERS = {"questionid": "id", "question": "text"}
"""Members of a record that are not called what their label says."""


@dataclass(slots=True)
class QuestionRecord:
    """One record, and the line that it begins on."""

    line: int
    id: str = ""
    text: str = ""
    answer: str = ""
    difficulty: str = ""
    file: str = ""

    @property
    def answers(self) -> list[str]:
        """The alternatives of the published key."""
        return [answer.strip() for answer in self.answer.split("|") if answer.strip()]

    def extend(self, label: str, value: str, separator: str) -> None:
        """Set what a label names, or continue it."""
        member = _MEMBERS.get(label, label)
        before = getattr(self, member)
        setattr(self, member, f"{before}{separator}{value}" if before and separator else value)

    def problem(self, code: str, message: str) -> Problem:
        """Something wrong with the record."""
        return Problem(self.file, self.line, code, f"{self.id}: {message}" if self.id else message)


def read_records(text: str, file: str, report: ReportProblem) -> Iterator[QuestionRecord]:
    """The records of a file; a line without a label continues the one before it."""
    record: QuestionRecord | None = None
    label = ""
    for number, line in numbered_lines(text):
        match = _LABEL.match(line)
        value = (match[2] if match else line).strip()
        if match:
            label = match[1].lower()
            is_next_question = record is not None and label == "question" and record.text
            if record is None or label == "questionid" or is_next_question:
                if record is not None:
                    yield record
                record = QuestionRecord(number, file=file)
            # A second Answer: is one more alternative; other labels that repeat overwrite.
            record.extend(label, value, " | " if label == "answer" else "")
        elif value and record is not None:
            record.extend(label, value, " ")
        elif value:
            message = f"found {clip(value)!r}, expected QuestionID:, Question: or Answer:"
            report(Problem(file, number, "schema", message))
    if record is not None:
        yield record


def questions_of(
    story: str,
    question_file: Sequence[QuestionRecord] | None,
    answer_file: Sequence[QuestionRecord] | None,
    report: ReportProblem,
) -> tuple[Question, ...]:
    """The questions of a story: the records of the two files put together.

    The n-th record of an id in one file belongs to the n-th of that id in the other. An id that
    occurs again gets a number behind it, so that each record is a unit.
    """
    papers = dict(_counted(question_file or ()))
    keys = dict(_counted(answer_file or ()))
    questions = []
    for place in (*papers, *(place for place in keys if place not in papers)):
        paper, key = papers.get(place), keys.get(place)
        record = paper or key
        if record is None:
            continue
        if not record.text:
            report(record.problem("schema", "there is no Question: in the record"))
            continue
        if key is None and answer_file is not None:
            remark(report, record.problem("no_answer", "the answer file has no record of it"))
        elif key is not None and not key.answers:
            remark(report, key.problem("no_answer", "there is no Answer: in the record"))
        if paper is None and question_file is not None:
            remark(report, record.problem("no_question", "the question file has no record of it"))
        if paper is not None and key is not None:
            _report_disagreements(paper, key, report)
        questions.append(_question(story, place, record, key, report))
    return tuple(questions)


def _counted(records: Sequence[QuestionRecord]) -> Iterator[tuple[tuple[str, int], QuestionRecord]]:
    """Records by their id and by how often it has occurred so far."""
    counts: dict[str, int] = {}
    for record in records:
        counts[record.id] = counts.get(record.id, 0) + 1
        yield (record.id, counts[record.id]), record


def _report_disagreements(
    paper: QuestionRecord, key: QuestionRecord, report: ReportProblem
) -> None:
    for noun, asked, answered in (
        ("question", paper.text, key.text),
        ("difficulty", paper.difficulty.lower(), key.difficulty.lower()),
    ):
        if asked and answered and asked != answered:
            message = (
                f"the {noun} is {clip(asked)!r} here and {clip(answered)!r} in the answer file"
            )
            remark(report, paper.problem(WarningCode("disagreement"), message))


def _question(
    story: str,
    place: tuple[str, int],
    record: QuestionRecord,
    key: QuestionRecord | None,
    report: ReportProblem,
) -> Question:
    id, count = place
    if not id:
        id, count = f"{story}-{record.line}", 1
    fields = {}
    if count > 1:
        fields["repeats"] = id
        message = f"the id occurs a second time; it is read as {id}#{count}"
        remark(report, (key or record).problem("repeated_id", message))
    published = tuple(Phrase(text=text) for text in key.answers) if key else ()
    difficulty = _difficulty(key or record, report)
    is_keyed = bool(published or (key and difficulty))
    return Question(
        id=f"{id}#{count}" if count > 1 else id,
        text=record.text,
        fields=fields,
        key=QuestionKey(published=published, difficulty=difficulty) if is_keyed else None,
    )


def _difficulty(record: QuestionRecord, report: ReportProblem) -> str | None:
    """One of the three difficulties in one spelling; another word is kept and reported."""
    spelt = record.difficulty
    for difficulty in DIFFICULTIES:
        if spelt.lower() == difficulty.lower():
            return difficulty
    if spelt:
        expected = ", ".join(DIFFICULTIES)
        message = f"{clip(spelt)!r} is none of {expected}"
        remark(report, record.problem("difficulty", message))
    return spelt or None
