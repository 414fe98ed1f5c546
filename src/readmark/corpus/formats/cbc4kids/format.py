"""CBC4Kids: a folder of news stories for children, with questions and published answer keys.

A story is three files, ``X.story``, ``X.questions`` and ``X.answers``; labels are the file's, not
the text's. The corpus is told of in "Annotating CBC4Kids" (Dalmas and others 2004).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.folders import Folder
from readmark.corpus.formats.cbc4kids.questions import questions_of, read_asked
from readmark.corpus.formats.members import Fault
from readmark.corpus.problems import Problem, Report, remark, unreadable
from readmark.corpus.source import Source, unknown
from readmark.corpus.spans import clip
from readmark.corpus.test import Header, Placed, Test
from readmark.corpus.values import Passage

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

    folders = True

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

        def stream(report: Report) -> Iterator[Placed]:
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
    """A story file: labels, then the text as it stands, line breaks and all."""
    said: dict[str, str] = {}
    at = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        at += len(line)
        if tagged := _TAGGED.fullmatch(line):
            said.setdefault(tagged[1].upper(), tagged[2].strip())
        elif label := _LABEL.match(line.rstrip("\r\n")):
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


def put_together(story: Story) -> tuple[str, dict[str, list[int]]]:
    """Headline, date line and story as one text, and where each of them stands in it."""
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
    folder: Folder, name: str, texts: dict[str, tuple[str, str]], report: Report
) -> Passage:
    stem = _stem(name)
    story = read_story(texts["story"][1], PurePosixPath(stem).name)
    text, parts = put_together(story)
    if "story" in parts and parts["story"][1] < len(text):
        what = f"markup stands after the story: {clip(text[parts['story'][1] :].strip())!r}"
        remark(report, Problem(folder.place(name), story.id, "markup", what))
    asked, answered = (
        list(read_asked(texts[suffix][1], texts[suffix][0], report)) if suffix in texts else None
        for suffix in ("questions", "answers")
    )
    if asked is None and answered is None:
        what = f"there are no questions: neither {stem}.questions nor {stem}.answers is there"
        remark(report, Problem(folder.place(name), story.id, "no_questions", what))
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
