"""Taking people's answers into the key of a test: placed in the passage, one person one answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.fingerprint import text_id
from readmark.corpus.formats import open_test
from readmark.corpus.problems import Report
from readmark.corpus.test import Placed, Test
from readmark.corpus.values import Answer, Passage, Question, QuestionKey
from readmark.setting.blind.handing_out import PAPER, SHEET
from readmark.setting.blind.placing import placed
from readmark.setting.blind.returned import Returned, returned
from readmark.setting.same_text import require_same_text

SHOWN = 3


@dataclass(slots=True)
class Merged:
    """What came of each annotator's answers, by how their places were found."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """By annotator: given, exact, several, folded, absent, empty."""
    absent: list[tuple[str, str, str]] = field(default_factory=list)
    """Answers that do not stand in the passage: question, annotator, text."""
    several: list[tuple[str, str, str]] = field(default_factory=list)
    """Answers that stand at several places, of which the first was taken."""
    answers: int = 0
    """How many were taken into the key."""

    def count(self, annotator: str, how: str) -> None:
        """Note one answer."""
        counts = self.counts.setdefault(annotator, {})
        counts[how] = counts.get(how, 0) + 1


def merged(
    test: Test,
    files: Sequence[str | Path],
    *,
    names: Sequence[str] = (),
    keep_free: bool = False,
) -> tuple[Test, Merged]:
    """The test with the answers of all files in its key; everything is checked before.

    What does not stand in the passage is listed and left out, or kept without a place when
    ``keep_free``. The paper stays as it is, so every sitting stays markable.
    """
    if test.kind.name != "comprehension":
        raise UsageError(f"answers are merged into comprehension tests, this is {test.kind.name}")
    by_id = _gathered(test, files, names)
    done = Merged()
    taken: dict[str, list[Answer]] = {}
    for record in test.records():
        for question in record.questions:
            for one in by_id.pop(question.id, ()):
                _require_version(one, record, question)
                if (answer := _placed(one, record, done, keep_free)) is not None:
                    taken.setdefault(question.id, []).append(answer)
    if by_id:
        [first, *_] = (one for many in by_id.values() for one in many)
        shown = ", ".join(map(repr, list(by_id)[:SHOWN])) + ", …" * (len(by_id) > SHOWN)
        raise DataError(
            f"{test.file} has no question {shown} ({len(by_id)} unknown)",
            file=first.file,
            where=first.place,
        )
    done.answers = sum(map(len, taken.values()))

    def stream(report: Report) -> Iterator[Placed]:
        for place, record in test.stream(report):
            questions = tuple(_with(one, taken.get(one.id, ())) for one in record.questions)
            yield place, msgspec.structs.replace(record, questions=questions)

    return replace(test, stream=stream), done


def _gathered(
    test: Test, files: Sequence[str | Path], names: Sequence[str]
) -> dict[str, list[Returned]]:
    if names and len(names) != len(files):
        raise UsageError(f"{len(names)} names for {len(files)} files: --name once a file, in order")
    by_id: dict[str, list[Returned]] = {}
    homes: dict[str, str] = {}
    for at, file in enumerate(files):
        empty = True
        for one in returned(file, test, names[at] if names else None):
            empty = False
            home = homes.setdefault(one.annotator, one.file)
            if home != one.file:
                raise DataError(
                    f"{one.annotator!r} has answers in {home} as well: "
                    "one file a person, or another --name",
                    file=one.file,
                    where=one.place,
                )
            before = by_id.setdefault(one.id, [])
            if any(other.annotator == one.annotator for other in before):
                raise DataError(
                    f"{one.annotator!r} answers {one.id!r} twice", file=one.file, where=one.place
                )
            before.append(one)
        if empty:
            raise DataError("has no answers", file=file)
    return by_id


def _require_version(one: Returned, record: Passage, question: Question) -> None:
    if one.passage is not None:
        require_same_text(record.text, one.passage, file=one.file, id=record.id)
    if one.version is not None and one.version != text_id(record.text):
        theirs = _their_text(one, question.id)
        if theirs is not None:
            require_same_text(record.text, theirs, file=one.file, id=record.id)
        raise DataError(
            f"{one.id!r} was answered on another version of the passage ({one.version}, here it "
            f"is {text_id(record.text)})",
            file=one.file,
            where=one.place,
        )
    known = {answer.annotator for answer in question.key.answers} if question.key else set()
    if one.annotator in known:
        raise DataError(
            f"the key has an answer of {one.annotator!r} to {one.id!r} already",
            file=one.file,
            where=one.place,
        )


def _their_text(one: Returned, id: str) -> str | None:
    """The passage as the annotator read it, from the paper that still lies beside the sheet."""
    sheet = Path(one.file)
    ending = SHEET.format("")
    if not sheet.name.endswith(ending):
        return None
    paper = sheet.with_name(PAPER.format(sheet.name.removesuffix(ending)))
    try:
        records = open_test(paper).records()
        return next(
            (each.text for each in records if any(q.id == id for q in each.questions)), None
        )
    except DataError:
        return None


def _placed(one: Returned, record: Passage, done: Merged, keep_free: bool) -> Answer | None:
    if not one.text.strip():
        done.count(one.annotator, "empty")
        return None
    stood = placed(record.text, one.text, one.start, one.annotator)
    done.count(one.annotator, stood.how)
    if stood.how == "several":
        done.several.append((one.id, one.annotator, stood.answer.text))
    if stood.how == "absent":
        done.absent.append((one.id, one.annotator, one.text))
        return stood.answer if keep_free else None
    return stood.answer


def _with(question: Question, answers: Sequence[Answer]) -> Question:
    if not answers:
        return question
    key = question.key or QuestionKey()
    grown = msgspec.structs.replace(key, answers=(*key.answers, *answers))
    return msgspec.structs.replace(question, key=grown)
