"""The format: a story is a file of labels and text, with files of questions and answers next to it.

``stem.story``, ``stem.questions`` and ``stem.answers`` belong together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from readmark.comprehension.formats.cbc4kids.questions import questions_of, read_records
from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.problems import Problem, ReportProblem, remark, unreadable
from readmark.core.records import Passage
from readmark.core.source import Source, unknown
from readmark.core.spans import clip
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import Fault

_LABEL = re.compile(r"[ \t]*(HEADLINE|DATE|STORYID|TEXT)[ \t]*:[ \t]*(.*)", re.IGNORECASE)
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
        """The test in a folder; each story is read when its passage is asked for."""
        folder = source.folder
        if folder is None:
            raise DataError("is a file, expected a folder of .story files", file=source.file)
        if not folder.named(".story"):
            raise unknown(source, "a folder of .story files", "cbc4kids", "cbc4kids")

        def stream(report: ReportProblem) -> Iterator[Placed]:
            stems = {_stem(name) for name in folder.named(".story")}
            for suffix in (".questions", ".answers"):
                for name in folder.named(suffix):
                    if _stem(name) not in stems:
                        message = "there is no story of that name"
                        remark(report, Problem(folder.place(name), 1, "no_story", message))
            for name in folder.named(".story"):
                try:
                    files = _files_of(folder, name)
                except DataError as error:
                    report(unreadable(error))
                    continue
                try:
                    passage = _passage(_stem(name), files, report)
                except Fault as fault:
                    report(fault.problem(folder.place(name)))
                    continue
                yield passage.id, passage

        return Test(Header(name=source.path.stem), stream, source.file)


def read_story(text: str, stem: str) -> Story:
    """A story file: labels, then the text as it is, line breaks and all."""
    labels: dict[str, str] = {}
    end = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        end += len(line)
        if tagged := _TAGGED.fullmatch(line):
            labels.setdefault(tagged[1].upper(), tagged[2].strip())
        elif label := _LABEL.match(line.rstrip("\r\n")):
            labels[label[1].upper()] = label[2].strip()
            if label[1].upper() == "TEXT":
                break
        elif line.strip():
            raise Fault(
                str(number), f"found {clip(line.strip())!r}, expected HEADLINE, DATE or TEXT"
            )
    if "TEXT" not in labels:
        raise Fault("1", "there is no TEXT: line")
    # The text may begin on the line of the label.
    body = text[end - len(line) :].partition(":")[2] if labels["TEXT"] else text[end:]
    return Story(
        id=labels.get("STORYID") or stem,
        title=labels.get("HEADLINE") or labels.get("HL", ""),
        dateline=labels.get("DATE") or labels.get("DL", ""),
        text=re.sub(r"\A(?:[ \t]*\r?\n)+|\A[ \t]+", "", body).rstrip(),
        eol="\r\n" if "\r\n" in text else "\n",
    )


def join_parts(story: Story) -> tuple[str, dict[str, list[int]]]:
    """Headline, date line and story as one text, and where each of them is in it."""
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
    """Where a story ends: lines of nothing but markup after it belong to another story."""
    end = len(text)
    for line in reversed(text.splitlines(keepends=True)):
        if line.strip() and not _MARKUP.fullmatch(line):
            break
        end -= len(line)
    return len(text[:end].rstrip()) or len(text)


@dataclass(frozen=True, slots=True)
class _File:
    """The text of a file, and what it is called in messages."""

    text: str
    place: str


def _files_of(folder: Folder, name: str) -> dict[str, _File]:
    """The files of a story, by suffix."""
    files = {"story": _File(folder.text(name), folder.place(name))}
    for suffix in ("questions", "answers"):
        if other := folder.find(f"{_stem(name)}.{suffix}"):
            files[suffix] = _File(folder.text(other), folder.place(other))
    return files


def _passage(stem: str, files: dict[str, _File], report: ReportProblem) -> Passage:
    place = files["story"].place
    story = read_story(files["story"].text, PurePosixPath(stem).name)
    text, parts = join_parts(story)
    if "story" in parts and parts["story"][1] < len(text):
        message = f"markup follows the story: {clip(text[parts['story'][1] :].strip())!r}"
        remark(report, Problem(place, story.id, "markup", message, "warning"))
    questions, answers = (
        list(read_records(file.text, file.place, report)) if file is not None else None
        for file in (files.get("questions"), files.get("answers"))
    )
    if questions is None and answers is None:
        message = f"there are no questions: neither {stem}.questions nor {stem}.answers is there"
        remark(report, Problem(place, story.id, "no_questions", message, "warning"))
    fields: dict[str, Any] = {"parts": parts}
    return Passage(
        id=story.id,
        text=text,
        title=story.title or None,
        dateline=story.dateline or None,
        fields=fields,
        questions=questions_of(story.id, questions, answers, report),
    )


def _stem(name: str) -> str:
    return name[: -len(PurePosixPath(name).suffix)]


CBC4KIDS = Cbc4kids()
