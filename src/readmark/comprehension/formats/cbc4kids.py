"""CBC4Kids: stories, questions and answer keys in files of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from readmark.core.encodings import numbered_lines
from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.problems import Problem, ReportProblem, WarningCode, remark, unreadable
from readmark.core.records import Passage, Phrase, Question, QuestionKey
from readmark.core.source import Source, unknown
from readmark.core.spans import clip
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import Fault

# The question and answer files of CBC4Kids: labelled records, and the two files set against each
# other, for real copies repeat ids and differ between the two.


DIFFICULTIES = ("Easy", "Moderate", "Difficult")
_LABEL = re.compile(r"[ \t]*(QuestionID|Question|Answer|Difficulty)[ \t]*:(.*)", re.IGNORECASE)


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
        return [one.strip() for one in self.answer.split("|") if one.strip()]

    def problem(self, code: str, message: str) -> Problem:
        """Something wrong with the record."""
        return Problem(self.file, self.line, code, f"{self.id}: {message}" if self.id else message)


def read_asked(text: str, file: str, report: ReportProblem) -> Iterator[QuestionRecord]:
    """The records of a file; a line without a label continues the one before it."""
    record: QuestionRecord | None = None
    label = ""
    for number, line in numbered_lines(text):
        match = _LABEL.match(line)
        value = (match[2] if match else line).strip()
        if match:
            label = match[1].lower()
            repeated = record is not None and label == "question" and record.text
            if record is None or label == "questionid" or repeated:
                if record is not None:
                    yield record
                record = QuestionRecord(number, file=file)
            _put(record, label, value, between=" | " if label == "answer" else "")
        elif value and record is not None:
            _put(record, label, value, between=" ")
        elif value:
            what = f"found {clip(value)!r}, expected QuestionID:, Question: or Answer:"
            report(Problem(file, number, "schema", what))
    if record is not None:
        yield record


def questions_of(
    story: str,
    asked: Sequence[QuestionRecord] | None,
    answered: Sequence[QuestionRecord] | None,
    report: ReportProblem,
) -> tuple[Question, ...]:
    """The questions of a story: those of the one file with the answers of the other.

    The n-th record of an id in one file is the n-th of that id in the other. An id that occurs
    twice gets a number behind it, so that both records are units.
    """
    keys = dict(_counted(answered or ()))
    papers = dict(_counted(asked or ()))
    questions = []
    for place in (*papers, *(place for place in keys if place not in papers)):
        paper, key = papers.get(place), keys.get(place)
        own = paper or key
        if own is None:
            continue
        if not own.text:
            report(own.problem("schema", "there is no Question: in the record"))
            continue
        _compare(paper, key, asked is not None, answered is not None, report)
        questions.append(_question(story, place, own, key, report))
    return tuple(questions)


def _question(
    story: str,
    place: tuple[str, int],
    own: QuestionRecord,
    key: QuestionRecord | None,
    report: ReportProblem,
) -> Question:
    id, count = place
    if not id:
        id, count = f"{story}-{own.line}", 1
    fields = {}
    if count > 1:
        fields["repeats"] = id
        what = f"the id occurs a second time; it is read as {id}#{count}"
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


def _compare(
    paper: QuestionRecord | None,
    key: QuestionRecord | None,
    has_paper: bool,
    has_key: bool,
    report: ReportProblem,
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
            remark(report, paper.problem(WarningCode("disagreement"), said))


def _difficulty(said: str, own: QuestionRecord, report: ReportProblem) -> str | None:
    """One spelling of the three difficulties; another word is kept and reported."""
    for known in DIFFICULTIES:
        if said.lower() == known.lower():
            return known
    if said:
        wanted = ", ".join(DIFFICULTIES)
        remark(report, own.problem("difficulty", f"{clip(said)!r} is none of {wanted}"))
    return said or None


def _counted(records: Sequence[QuestionRecord]) -> Iterator[tuple[tuple[str, int], QuestionRecord]]:
    counts: dict[str, int] = {}
    for record in records:
        counts[record.id] = counts.get(record.id, 0) + 1
        yield (record.id, counts[record.id]), record


def _put(record: QuestionRecord, label: str, value: str, *, between: str) -> None:
    """Set a member, or continue it; a second answer is one more alternative."""
    name = {"questionid": "id", "question": "text"}.get(label, label)
    before = getattr(record, name)
    setattr(record, name, f"{before}{between}{value}" if before and between else value)


# CBC4Kids: a folder of news stories for children, with questions and published answer keys.


_STORY_LABEL = re.compile(r"[ \t]*(HEADLINE|DATE|STORYID|TEXT)[ \t]*:[ \t]*(.*)", re.IGNORECASE)
_TAGGED = re.compile(r"[ \t]*<(HL|DL)>(.*?)</\1>\s*", re.IGNORECASE)
_MARKUP = re.compile(r"\s*<[^<>]+>(?:[^<>]*</[^<>]*>)?\s*")


@dataclass(frozen=True, slots=True)
class Story:
    """What a story file says."""

    id: str
    title: str
    dateline: str
    text: str
    eol: str


class Cbc4kids:
    """The folder, or a zip of it."""

    def recognises(self, source: Source) -> bool:
        """A folder with stories, and with questions or answers to them."""
        folder = source.folder
        return folder is not None and bool(
            folder.named(".story") and (folder.named(".questions") or folder.named(".answers"))
        )

    def read(self, source: Source) -> Test:
        """The test in a folder; stories are read as they are asked for."""
        folder = source.folder
        if folder is None:
            raise DataError("is a file, expected a folder of .story files", file=source.file)
        if not folder.named(".story"):
            raise unknown(source, "a folder of .story files", "cbc4kids", "cbc4kids")

        def stream(report: ReportProblem) -> Iterator[Placed]:
            stems = dict.fromkeys(_stem(name) for name in folder.named(".story"))
            for suffix in (".questions", ".answers"):
                for name in folder.named(suffix):
                    if _stem(name) not in stems:
                        what = "there is no story of that name"
                        remark(report, Problem(folder.place(name), 1, "no_story", what))
            for name in folder.named(".story"):
                try:
                    texts = _texts(folder, name)
                except DataError as error:
                    report(unreadable(error))
                    continue
                try:
                    passage = _passage(folder, name, texts, report)
                except Fault as fault:
                    report(fault.problem(folder.place(name)))
                    continue
                yield passage.id, passage

        return Test(Header(name=source.path.stem), stream, source.file)


def read_story(text: str, stem: str) -> Story:
    """A story file: labels, then the text as it is, line breaks and all."""
    said: dict[str, str] = {}
    at = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        at += len(line)
        if tagged := _TAGGED.fullmatch(line):
            said.setdefault(tagged[1].upper(), tagged[2].strip())
        elif label := _STORY_LABEL.match(line.rstrip("\r\n")):
            said[label[1].upper()] = label[2].strip()
            if label[1].upper() == "TEXT":
                break
        elif line.strip():
            raise Fault(
                str(number), f"found {clip(line.strip())!r}, expected HEADLINE, DATE or TEXT"
            )
    if "TEXT" not in said:
        raise Fault("1", "there is no TEXT: line")
    body = text[at - len(line) :].partition(":")[2] if said["TEXT"] else text[at:]
    return Story(
        id=said.get("STORYID") or stem,
        title=said.get("HEADLINE") or said.get("HL", ""),
        dateline=said.get("DATE") or said.get("DL", ""),
        text=re.sub(r"\A(?:[ \t]*\r?\n)+|\A[ \t]+", "", body).rstrip(),
        eol="\r\n" if "\r\n" in text else "\n",
    )


def join_parts(story: Story) -> tuple[str, dict[str, list[int]]]:
    """Headline, date line and story as one text, and where each of them occurs in it."""
    parts: dict[str, list[int]] = {}
    text = ""
    for name, part in (("title", story.title), ("dateline", story.dateline), ("story", story.text)):
        if not part:
            continue
        if text:
            text += story.eol * (2 if name == "story" else 1)
        parts[name] = [len(text), len(text) + len(part)]
        text += part
    if story.text:
        parts["story"][1] -= len(story.text) - _before_markup(story.text)
    return text, parts


def _before_markup(text: str) -> int:
    """Where a story ends: lines of nothing but markup after it are another story's."""
    end = len(text)
    for line in reversed(text.splitlines(keepends=True)):
        if line.strip() and not _MARKUP.fullmatch(line):
            break
        end -= len(line)
    return len(text[:end].rstrip()) or len(text)


def _texts(folder: Folder, name: str) -> dict[str, tuple[str, str]]:
    """The files of a story, by suffix: what each is called in messages, and its text."""
    found = {"story": (folder.place(name), folder.text(name))}
    for suffix in ("questions", "answers"):
        if other := folder.find(f"{_stem(name)}.{suffix}"):
            found[suffix] = (folder.place(other), folder.text(other))
    return found


def _passage(
    folder: Folder, name: str, texts: dict[str, tuple[str, str]], report: ReportProblem
) -> Passage:
    stem = _stem(name)
    story = read_story(texts["story"][1], PurePosixPath(stem).name)
    text, parts = join_parts(story)
    if "story" in parts and parts["story"][1] < len(text):
        what = f"markup follows the story: {clip(text[parts['story'][1] :].strip())!r}"
        remark(report, Problem(folder.place(name), story.id, "markup", what, "warning"))
    asked, answered = (
        list(read_asked(texts[suffix][1], texts[suffix][0], report)) if suffix in texts else None
        for suffix in ("questions", "answers")
    )
    if asked is None and answered is None:
        what = f"there are no questions: neither {stem}.questions nor {stem}.answers is there"
        remark(report, Problem(folder.place(name), story.id, "no_questions", what, "warning"))
    fields: dict[str, Any] = {"parts": parts}
    return Passage(
        id=story.id,
        text=text,
        title=story.title or None,
        dateline=story.dateline or None,
        fields=fields,
        questions=questions_of(story.id, asked, answered, report),
    )


def _stem(name: str) -> str:
    return name[: -len(PurePosixPath(name).suffix)]


CBC4KIDS = Cbc4kids()
