"""The files that come with TREC's questions: types of targets, and patterns of factoid answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from readmark.core.encodings import decoded, numbered_lines
from readmark.core.files import read_bytes
from readmark.core.problems import Problem, ReportProblem, remark

_TYPES = {"PERSON": "person", "ORG": "organisation", "THING": "thing", "EVENT": "event"}
"""TREC's names of types, and Readmark's."""
_TYPED = re.compile(r"#(\w+)\s+(.+)")
_PATTERN = re.compile(r"(\S+)\s+(.+)")
_REGEX = re.compile(r"[\\^$.|?*+()\[\]{}]")
_QUESTIONS_FILE = re.compile(r"questions?\.xml", re.IGNORECASE)


def companion(path: Path, ending: str) -> Path | None:
    """The companion of ``…questions.xml``, such as ``…targettypes``, where there is one."""
    plain_name = path.name.removesuffix(".gz").removesuffix(".zst")
    name, replacements = _QUESTIONS_FILE.subn(ending, plain_name)
    file = path.with_name(name)
    return file if replacements and file.is_file() else None


def target_types(path: Path, report: ReportProblem) -> dict[str, str]:
    """Types by target, from lines as ``#PERSON Orla Finch``; targets are spelt as in XML."""
    types = {}
    for number, line in _lines(path):
        match = _TYPED.fullmatch(line)
        if match is None:
            message = f"not a type and a target: {line!r}"
            remark(report, Problem(str(path), number, "companion", message, "warning"))
            continue
        target = match[2].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        types[" ".join(target.split())] = _TYPES.get(match[1].upper(), match[1].lower())
    return types


def known_answers(path: Path, report: ReportProblem) -> dict[str, tuple[str, ...]]:
    """Answers by question, of patterns that are plain words; a regular expression names none."""
    answers: dict[str, list[str]] = {}
    for number, line in _lines(path):
        match = _PATTERN.fullmatch(line)
        if match is None:
            message = f"not a question and a pattern: {line!r}"
            remark(report, Problem(str(path), number, "companion", message, "warning"))
        elif not _REGEX.search(match[2]):
            answers.setdefault(match[1], []).append(" ".join(match[2].split()))
    return {id: tuple(dict.fromkeys(texts)) for id, texts in answers.items()}


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in numbered_lines(decoded(read_bytes(path), str(path))):
        if line.strip():
            yield number, line.strip()
