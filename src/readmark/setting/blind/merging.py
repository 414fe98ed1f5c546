"""Taking people's answers into the key of a test: placed in the passage, one person one answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.problems import Report
from readmark.corpus.spans import clip
from readmark.corpus.test import Placed, Test
from readmark.corpus.values import Answer, Passage, Question, QuestionKey
from readmark.setting.blind.gathering import Gathered, gathered
from readmark.setting.blind.names import NO_ANSWER_BY, answered_by, folded_name, without_answer
from readmark.setting.blind.owing import Owing
from readmark.setting.blind.placing import Stood, placed
from readmark.setting.blind.returned import Returned
from readmark.setting.blind.same_paper import require_same_question

SHOWN = 3
REFUSED = 20
"""How many answers to unanswerable questions are named."""


@dataclass(slots=True)
class Merged:
    """What came of each annotator's answers, by how their places were found."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """By annotator: given, exact, several, folded, absent, empty."""
    absent: list[tuple[str, str, str]] = field(default_factory=list)
    """Answers that do not stand in the passage: question, annotator, text."""
    several: list[tuple[str, str, str]] = field(default_factory=list)
    """Answers that stand at several places, of which one was taken."""
    respelt: list[tuple[str, str, str, str]] = field(default_factory=list)
    """Answers that the passage spells otherwise: question, annotator, before, after."""
    empty: list[tuple[str, str]] = field(default_factory=list)
    """Questions with those who gave no answer."""
    owed: dict[str, list[str]] = field(default_factory=dict)
    """By annotator, the questions of the plan that have not come back."""
    handed_out: dict[str, int] = field(default_factory=dict)
    """By annotator, how many questions the plan gave them."""
    answers: int = 0
    """How many were taken into the key."""
    notes: list[str] = field(default_factory=list)

    def count(self, annotator: str, how: str) -> None:
        """Note one answer."""
        counts = self.counts.setdefault(annotator, {})
        counts[how] = counts.get(how, 0) + 1


@dataclass(slots=True)
class _Taken:
    """What goes into the key of a question."""

    answers: list[Answer] = field(default_factory=list)
    without: list[str] = field(default_factory=list)


def merged(
    test: Test,
    files: Sequence[str | Path],
    *,
    names: Sequence[str] = (),
    drop_free: bool = False,
) -> tuple[Test, Merged]:
    """The test with the answers of all files in its key; everything is checked before.

    What does not stand in the passage is kept without a place, or left out when ``drop_free``.
    The paper stays as it is, so every sitting stays markable.
    """
    if test.kind.name != "comprehension":
        raise UsageError(f"answers are merged into comprehension tests, this is {test.kind.name}")
    came = gathered(test, files, names)
    owing = Owing(files, test.facts.paper)
    done = Merged(notes=[*came.notes, *owing.notes])
    taken: dict[str, _Taken] = {}
    refused: list[Returned] = []
    blank: dict[str, bool] = {}
    for record in test.records():
        asked = [(one, came.by_id.get(one.id, [])) for one in record.questions]
        owing.look(record, ((question.id, ones) for question, ones in asked))
        language = record.language or test.language
        for question, ones in asked:
            _require_other_people(test, question, came)
            none = question.key is not None and question.key.unanswerable
            for one in ones:
                require_same_question(one, record, question)
                given = bool(one.text.strip())
                if given or not none:
                    blank[one.file] = blank.get(one.file, True) and not given
                if given and none:
                    refused.append(one)
            if ones:
                taken[question.id] = _take(record, question, ones, language, done, drop_free)
    _require_known(test, came, taken)
    _require_answerable(test, refused)
    for file, is_blank in blank.items():
        if is_blank:
            raise DataError("every answer is empty: was it filled in?", file=file)
    for name, counts in done.counts.items():
        if counts.get("absent", 0) > 1 and not set(counts) - {"absent", "empty"}:
            done.notes.append(
                f"no answer of {name!r} stands in its passage: was another test read?"
            )
    done.owed, done.handed_out = owing.owed, owing.all
    done.answers = sum(len(one.answers) for one in taken.values())

    def stream(report: Report) -> Iterator[Placed]:
        for place, record in test.stream(report):
            questions = tuple(_with(one, taken.get(one.id)) for one in record.questions)
            yield place, msgspec.structs.replace(record, questions=questions)

    return replace(test, stream=stream), done


def _take(
    record: Passage,
    question: Question,
    ones: Sequence[Returned],
    language: str,
    done: Merged,
    drop_free: bool,
) -> _Taken:
    """Place the answers to a question: those first of which the place is plain."""
    found = _Taken()
    known = question.key.answers if question.key is not None else ()
    beside = [one.offsets for one in known if one.offsets is not None]
    stood: dict[str, Stood] = {}
    for one in ones:
        if one.text.strip():
            stood[one.annotator] = placed(
                record.text, one.text, one.start, one.annotator, language=language
            )
    plain = [one.answer.offsets for one in stood.values() if not one.several]
    beside += [offsets for offsets in plain if offsets is not None]
    for one in ones:
        its = stood.get(one.annotator)
        if its is None:
            done.count(one.annotator, "empty")
            done.empty.append((one.id, one.annotator))
            found.without.append(one.annotator)
            continue
        if its.several:
            its = placed(
                record.text, one.text, None, one.annotator, language=language, beside=beside
            )
        _note(one, its, done)
        if its.how != "absent" or not drop_free:
            found.answers.append(its.answer)
    return found


def _note(one: Returned, stood: Stood, done: Merged) -> None:
    done.count(one.annotator, "several" if stood.several and stood.how == "exact" else stood.how)
    if stood.several:
        done.several.append((one.id, one.annotator, stood.answer.text))
    if stood.how == "absent":
        done.absent.append((one.id, one.annotator, one.text))
    if stood.how == "folded":
        done.respelt.append((one.id, one.annotator, one.text.strip(), stood.answer.text))


def _with(question: Question, taken: _Taken | None) -> Question:
    # A key of nothing but names would be a key without an answer, and so a fault of the test.
    if taken is None or not (taken.answers or (question.key is not None and taken.without)):
        return question
    key = question.key or QuestionKey()
    fields = key.fields
    if taken.without:
        fields = {**fields, NO_ANSWER_BY: [*without_answer(key), *taken.without]}
    grown = msgspec.structs.replace(key, answers=(*key.answers, *taken.answers), fields=fields)
    return msgspec.structs.replace(question, key=grown)


def _require_other_people(test: Test, question: Question, came: Gathered) -> None:
    """Nobody answers a question again, nor goes by a name that the key has in other letters."""
    for name in answered_by(question.key):
        first = came.people.get(folded_name(name))
        if first is None:
            continue
        if first.annotator != name:
            raise DataError(
                f"the key has answers of {name!r} ({test.file}, {question.id!r}), these are of "
                f"{first.annotator!r}: if they are two people, tell them apart by --name",
                file=first.file,
                where=first.place,
            )
        again = [one for one in came.by_id.get(question.id, ()) if one.annotator == name]
        for one in again:
            raise DataError(
                f"the key has an answer of {name!r} to {one.id!r} already",
                file=one.file,
                where=one.place,
            )


def _require_known(test: Test, came: Gathered, taken: dict[str, _Taken]) -> None:
    unknown = [id for id in came.by_id if id not in taken]
    if unknown:
        first = came.by_id[unknown[0]][0]
        shown = ", ".join(map(repr, unknown[:SHOWN])) + ", …" * (len(unknown) > SHOWN)
        raise DataError(
            f"{test.file} has no question {shown} ({len(unknown)} unknown)",
            file=first.file,
            where=first.place,
        )


def _require_answerable(test: Test, refused: Sequence[Returned]) -> None:
    if refused:
        shown = [f"{one.id!r} ({one.annotator}: {clip(one.text.strip())})" for one in refused]
        more = f" and {len(refused) - REFUSED} more" if len(refused) > REFUSED else ""
        raise DataError(
            f"answers to questions that {test.file} marks as unanswerable: "
            f"{', '.join(shown[:REFUSED])}{more}; take the mark away, or empty the answers",
            file=refused[0].file,
            where=refused[0].place,
        )
