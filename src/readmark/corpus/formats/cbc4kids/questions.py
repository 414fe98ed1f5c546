"""The question and answer files of CBC4Kids: labelled records, and the two files set against
each other, for real copies repeat ids and differ between the two."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.corpus.decoding import numbered_lines
from readmark.corpus.problems import Problem, Report, remark
from readmark.corpus.spans import clip
from readmark.corpus.values import Phrase, Question, QuestionKey

DIFFICULTIES = ("Easy", "Moderate", "Difficult")
_LABEL = re.compile(r"[ \t]*(QuestionID|Question|Answer|Difficulty)[ \t]*:(.*)", re.IGNORECASE)


@dataclass(slots=True)
class Asked:
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
        return [one.strip() for one in self.answer.split("|") if one.strip()]

    def problem(self, code: str, message: str) -> Problem:
        """Something wrong with the record."""
        return Problem(self.file, self.line, code, f"{self.id}: {message}" if self.id else message)


def read_asked(text: str, file: str, report: Report) -> Iterator[Asked]:
    """The records of a file; a line without a label goes on with the one before it."""
    record: Asked | None = None
    label = ""
    for number, line in numbered_lines(text):
        found = _LABEL.match(line)
        value = (found[2] if found else line).strip()
        if found:
            label = found[1].lower()
            if record is None or label == "questionid" or _repeats(record, label):
                if record is not None:
                    yield record
                record = Asked(number, file=file)
            _put(record, label, value, between=" | " if label == "answer" else "")
        elif value and record is not None:
            _put(record, label, value, between=" ")
        elif value:
            what = f"found {clip(value)!r}, expected QuestionID:, Question: or Answer:"
            report(Problem(file, number, "schema", what))
    if record is not None:
        yield record


def questions_of(
    story: str, asked: Sequence[Asked] | None, answered: Sequence[Asked] | None, report: Report
) -> tuple[Question, ...]:
    """The questions of a story: those of the one file with the answers of the other.

    The n-th record of an id in one file is the n-th of that id in the other. An id that stands
    twice gets a number behind it, so that both records are units.
    """
    keys = dict(_counted(answered or ()))
    papers = dict(_counted(asked or ()))
    found = []
    for place in (*papers, *(place for place in keys if place not in papers)):
        paper, key = papers.get(place), keys.get(place)
        own = paper or key
        if own is None or not _is_sound(own, report):
            continue
        _compare(paper, key, asked is not None, answered is not None, report)
        found.append(_question(story, place, own, key, report))
    return tuple(found)


def _question(
    story: str, place: tuple[str, int], own: Asked, key: Asked | None, report: Report
) -> Question:
    id, count = place
    if not id:
        id, count = f"{story}-{own.line}", 1
    fields = {}
    if count > 1:
        fields["repeats"] = id
        what = f"the id stands a second time; it is read as {id}#{count}"
        remark(report, (key or own).problem("repeated_id", what))
    published = tuple(Phrase(text=text) for text in key.answers) if key else ()
    difficulty = _difficulty((key or own).difficulty, key or own, report)
    said = bool(published or (key and difficulty))
    return Question(
        id=f"{id}#{count}" if count > 1 else id,
        text=own.text,
        fields=fields,
        key=QuestionKey(published=published, difficulty=difficulty) if said else None,
    )


def _is_sound(own: Asked, report: Report) -> bool:
    if not own.text:
        report(own.problem("schema", "there is no Question: in the record"))
    return bool(own.text)


def _compare(
    paper: Asked | None, key: Asked | None, has_paper: bool, has_key: bool, report: Report
) -> None:
    """What the two files say differently, or only one of them says."""
    if key is None and paper is not None and has_key:
        remark(report, paper.problem("no_answer", "the answer file has no record of it"))
    elif key is not None and not key.answers:
        remark(report, key.problem("no_answer", "there is no Answer: in the record"))
    if paper is None and key is not None and has_paper:
        remark(report, key.problem("no_question", "the question file has no record of it"))
    if paper is None or key is None:
        return
    for what, one, other in (
        ("question", paper.text, key.text),
        ("difficulty", paper.difficulty.lower(), key.difficulty.lower()),
    ):
        if one and other and one != other:
            said = f"the {what} is {clip(one)!r} here and {clip(other)!r} in the answer file"
            remark(report, paper.problem("disagreement", said))


def _difficulty(said: str, own: Asked, report: Report) -> str | None:
    """One spelling of the three difficulties; another word is kept and told."""
    for known in DIFFICULTIES:
        if said.lower() == known.lower():
            return known
    if said:
        wanted = ", ".join(DIFFICULTIES)
        remark(report, own.problem("difficulty", f"{clip(said)!r} is none of {wanted}"))
    return said or None


def _counted(records: Sequence[Asked]) -> Iterator[tuple[tuple[str, int], Asked]]:
    counts: dict[str, int] = {}
    for one in records:
        counts[one.id] = counts.get(one.id, 0) + 1
        yield (one.id, counts[one.id]), one


def _repeats(record: Asked, label: str) -> bool:
    return label == "question" and bool(record.text)


def _put(record: Asked, label: str, value: str, *, between: str) -> None:
    """Set a member, or go on with it; a second answer is one more alternative."""
    name = {"questionid": "id", "question": "text"}.get(label, label)
    before = getattr(record, name)
    setattr(record, name, f"{before}{between}{value}" if before and between else value)
