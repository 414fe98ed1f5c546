"""CAsT's text files: topics as of 2019, and resolved questions, one number and question a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from readmark.core.encodings import numbered_lines
from readmark.core.errors import DataError
from readmark.core.problems import Problem, ReportProblem
from readmark.series.formats.cast.topics import CastTopic, CastTurn

_HEADING = re.compile(r"(Number|Title|Description):\s*(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"(\d+)\t\s*(\S.*)")
_RESOLVED = re.compile(r"(\S+?)_(\d[\d-]*)\t\s*(.*)")


def looks_like_topics(head: bytes) -> bool:
    """Whether a file begins as a file of topics does: with a number or title, and headings."""
    lines = [line.strip() for line in head.decode("utf-8", "replace").split("\n") if line.strip()]
    names = [match[1].lower() for line in lines[:3] if (match := _HEADING.fullmatch(line))]
    return names[:2] in (["number", "title"], ["title", "description"])


def looks_resolved(head: bytes) -> bool:
    """Whether a file begins with a line such as ``31_2``, a tab, and a question."""
    first_line = head.decode("utf-8", "replace").lstrip().partition("\n")[0]
    return _RESOLVED.match(first_line) is not None


def read_topics(text: str, file: str, report: ReportProblem) -> Iterator[CastTopic]:
    """The topics of a text file; one without a number is numbered by its place."""
    topic: CastTopic | None = None
    count = 0
    for line_number, line in numbered_lines(text):
        heading = _HEADING.fullmatch(line.strip())
        if heading is not None:
            name, value = heading[1].lower(), heading[2].strip()
            if name == "number" or (name == "title" and (topic is None or topic.title is not None)):
                if topic is not None:
                    yield topic
                count += 1
                topic = CastTopic(value if name == "number" else str(count), line_number)
            if topic is None:
                message = f"a {name} precedes the first topic"
                report(Problem(file, line_number, "schema", message))
            elif name == "title":
                topic = replace(topic, title=value or None)
            elif name == "description":
                topic = replace(topic, description=value or None)
        elif line.strip():
            if topic is None:
                message = "a question precedes the first topic"
                report(Problem(file, line_number, "schema", message))
                continue
            numbered = _NUMBERED.fullmatch(line.strip())
            if numbered is not None:
                turn = CastTurn(numbered[1], numbered[2].strip())
            else:
                turn = CastTurn(str(len(topic.turns) + 1), line.strip())
            topic = replace(topic, turns=(*topic.turns, turn))
    if topic is not None:
        yield topic


def read_resolved(text: str, file: str) -> dict[str, tuple[int, str]]:
    """Resolved questions by id, each with its line; an id that occurs twice is an error."""
    resolved: dict[str, tuple[int, str]] = {}
    for line_number, line in numbered_lines(text):
        if not line.strip():
            continue
        match = _RESOLVED.fullmatch(line.strip())
        if match is None:
            raise DataError(
                f"expected TOPIC_TURN, a tab and a question, found {line.strip()[:40]!r}",
                file=file,
                where=line_number,
            )
        id = f"{match[1]}_{match[2]}"
        if id in resolved:
            raise DataError(
                f"{id!r} occurs twice, first at line {resolved[id][0]}",
                file=file,
                where=line_number,
            )
        resolved[id] = line_number, match[3].strip()
    return resolved
