"""CAsT's text files: topics as of 2019, and resolved questions, a number and a question a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from readmark.corpus.decoding import numbered_lines
from readmark.corpus.errors import DataError
from readmark.corpus.formats.cast.topics import Topic, Turn
from readmark.corpus.problems import Problem, Report

_HEADING = re.compile(r"(Number|Title|Description):\s*(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"(\d+)\t\s*(\S.*)")
_RESOLVED = re.compile(r"(\S+?)_(\d[\d-]*)\t\s*(.*)")


def looks_like_topics(head: bytes) -> bool:
    """Whether a file begins as a file of topics does: with a number or title, and headings."""
    lines = [line.strip() for line in head.decode("utf-8", "replace").split("\n") if line.strip()]
    names = [found[1].lower() for line in lines[:3] if (found := _HEADING.fullmatch(line))]
    return names[:2] in (["number", "title"], ["title", "description"])


def looks_resolved(head: bytes) -> bool:
    """Whether a file begins with a line such as ``31_2``, a tab, and a question."""
    first = head.decode("utf-8", "replace").lstrip().partition("\n")[0]
    return _RESOLVED.match(first) is not None


def topics_of(text: str, file: str, report: Report) -> Iterator[Topic]:
    """The topics of a text file; one without a number is known by its place."""
    topic: Topic | None = None
    count = 0
    for at, line in numbered_lines(text):
        heading = _HEADING.fullmatch(line.strip())
        if heading is not None:
            name, said = heading[1].lower(), heading[2].strip()
            if name == "number" or (name == "title" and (topic is None or topic.title is not None)):
                if topic is not None:
                    yield topic
                count += 1
                topic = Topic(said if name == "number" else str(count), at)
            if topic is None:
                report(Problem(file, at, "schema", f"a {name} stands before any topic"))
                continue
            if name == "title":
                topic = replace(topic, title=said or None)
            elif name == "description":
                topic = replace(topic, description=said or None)
        elif line.strip():
            if topic is None:
                report(Problem(file, at, "schema", "a question stands before any topic"))
                continue
            turn = _turn(line, len(topic.turns) + 1)
            topic = replace(topic, turns=(*topic.turns, turn))
    if topic is not None:
        yield topic


def _turn(line: str, at: int) -> Turn:
    found = _NUMBERED.fullmatch(line.strip())
    return Turn(found[1], found[2].strip()) if found else Turn(str(at), line.strip())


def resolved_of(text: str, file: str) -> dict[str, tuple[int, str]]:
    """Resolved questions by id, each with its line; an id that stands twice is an error."""
    found: dict[str, tuple[int, str]] = {}
    for at, line in numbered_lines(text):
        if not line.strip():
            continue
        row = _RESOLVED.fullmatch(line.strip())
        if row is None:
            raise DataError(
                f"expected TOPIC_TURN, a tab and a question, found {line.strip()[:40]!r}",
                file=file,
                where=at,
            )
        id = f"{row[1]}_{row[2]}"
        if id in found:
            raise DataError(
                f"{id!r} stands twice, first at line {found[id][0]}", file=file, where=at
            )
        found[id] = at, row[3].strip()
    return found
