"""Where an answer in words stands in a passage: as written, or but for spaces and punctuation."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.problems import Report
from readmark.core.records import Answer, Offsets, Passage, Question, QuestionKey
from readmark.core.spans import clip, places
from readmark.core.test import Placed, Test
from readmark.formats.registry import open_test
from readmark.formats.returned_work import (
    NO_ANSWER_BY,
    answered_by,
    first_difference,
    folded_name,
    require_same_text,
    without_answer,
)
from readmark.making.blind.plan import PAPER, SHEET, version_of
from readmark.making.blind.returns import Gathered, Owing, Returned, gathered
from readmark.text.folding import MINUS, folded_with_places
from readmark.text.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


How = Literal["given", "exact", "folded", "absent"]

_CLOSING = dict(zip('([{（［｛「『《〈【〔“‘«"', ')]}）］｝」』》〉】〕”’»"', strict=True))
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
_MARK = re.compile(r"[^\w\s]")


class Stood(NamedTuple):
    """An answer as the passage spells it, and how its place was found."""

    answer: Answer
    how: How
    several: bool = False
    """Whether it stands at other places as well, and nobody said which is meant."""


def placed(
    text: str,
    said: str,
    start: int | None,
    annotator: str,
    *,
    language: str = "en",
    beside: Sequence[Offsets] = (),
) -> Stood:
    """The span of a passage that somebody's answer is; ``start`` is trusted where it fits.

    Of several places the nearest to ``start`` is taken, else the nearest to what others answered,
    ``beside``, else the first. Words and numbers are never cut: art does not stand in party.
    """
    bare = said.strip()
    if start is not None:
        for at in {start, start + len(said) - len(said.lstrip())}:
            if bare and text[at : at + len(bare)] == bare:
                return Stood(_answer(text, (at, at + len(bare)), annotator), "given")
    ends = ((at, at + len(bare)) for at in places(text, bare))
    found = [span for span in ends if not _cut(text, span)]
    how: How = "exact"
    if not found:
        found, how = _folded_places(text, bare, language), "folded"
    if not found:
        return Stood(Answer(text=bare, annotator=annotator), "absent")
    best = min(found, key=lambda span: _distance(span, start, beside))
    return Stood(_answer(text, best, annotator), how, len(found) > 1 and start is None)


def _answer(text: str, span: Offsets, annotator: str) -> Answer:
    return Answer(text=text[span[0] : span[1]], start=span[0], annotator=annotator)


def _distance(span: Offsets, start: int | None, beside: Sequence[Offsets]) -> int:
    """How far a place is from where it is expected; characters that lie between count."""
    if start is not None:
        return abs(span[0] - start)
    return sum(max(0, one[0] - span[1], span[0] - one[1]) for one in beside)


def _folded_places(text: str, said: str, language: str) -> list[Offsets]:
    """Places that differ in spaces, punctuation, case, width or script; each in one sentence."""
    wanted = folded_with_places(said)[0]
    spelt, origins = _spelt(text)
    found: list[Offsets] = []
    for at in places(spelt, wanted):
        span = int(origins[at]), int(origins[at + len(wanted) - 1]) + 1
        if not _cut(text, span) and _in_one(text, span, language):
            grown = _closed(text, span)
            found.append(grown if _in_one(text, grown, language) else span)
    return found


@functools.lru_cache(maxsize=2)
def _spelt(text: str) -> tuple[str, NDArray[np.intp]]:
    """Kept, since many answers are on one passage."""
    return folded_with_places(text)


@functools.lru_cache(maxsize=2)
def _sentences(text: str, language: str) -> list[Offsets]:
    return sentences(text, language)


def _in_one(text: str, span: Offsets, language: str) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in _sentences(text, language))


def _closed(text: str, span: Offsets) -> Offsets:
    """A span with the marks around it that pair with one inside: 说「你好 takes its 」."""
    start, end = span
    waiting: list[str] = []
    unopened: list[str] = []
    for mark in text[start:end]:
        if waiting and mark == waiting[-1]:
            waiting.pop()
        elif mark in _CLOSING:
            waiting.append(_CLOSING[mark])
        elif mark in _OPENING:
            unopened.append(_OPENING[mark])
    at = end
    while waiting and at < len(text) and _MARK.match(text[at]):
        at += 1
        if text[at - 1] == waiting[-1]:  # a stop before it, as in 说「你好！」, comes along
            waiting.pop()
            end = at
    at = start
    for mark in unopened:
        if at and text[at - 1] == mark:
            at -= 1
    return at, end


def _cut(text: str, span: Offsets) -> bool:
    """Whether a span begins or ends within a word of letters that have case, or a number."""
    return any(_within(text, at) for at in span)


def _within(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _cased(before) and _cased(after):
        return True
    digit = str.isdecimal
    if digit(after):
        earlier = text[at - 2] if at > 1 else ""
        return (
            digit(before)
            or (before in ".," and digit(earlier))
            or (before in MINUS and not digit(earlier) and not _cased(earlier))
        )
    return digit(before) and after in ".," and digit(text[at + 1 : at + 2])


def _cased(letter: str) -> bool:
    return letter.lower() != letter.upper()


# Whether an answer was given to the passage and the question that the test has now.


def require_same_question(one: Returned, record: Passage, question: Question) -> None:
    """Refuse an answer to another version of the passage, or to other words of the question."""
    if one.passage is not None:
        require_same_text(record.text, one.passage, file=one.file, id=record.id)
    here = version_of(record.text)
    # Sheets of earlier versions have the bare number.
    if one.version is not None and f"v{one.version.removeprefix('v')}" != here:
        read = _their_text(one, question.id)
        if read is not None:
            require_same_text(record.text, read, file=one.file, id=record.id)
        raise DataError(
            f"{one.id!r} was answered on another version of the passage ({one.version}, here it "
            f"is {here})",
            file=one.file,
            where=one.place,
        )
    if one.question is not None:
        # Spreadsheets may change the spaces and line breaks of a cell.
        theirs, ours = (" ".join(words.split()) for words in (one.question, question.text))
        at = first_difference(ours, theirs)
        if at is not None:
            raise DataError(
                f"{one.id!r} was asked in other words, from character {at}: "
                f"{clip(theirs[at:])!r}, here it is {clip(ours[at:])!r}",
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


# Taking people's answers into the key of a test: placed in the passage, one person one answer.


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

    What does not occur in the passage is kept without a place, or left out when ``drop_free``.
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
                f"no answer of {name!r} occurs in its passage: was another test read?"
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
                f"{first.annotator!r}: if they are two people, distinguish them with --name",
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
