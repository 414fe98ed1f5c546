"""The files beside TREC's questions: types of targets, and patterns of factoid answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from readmark.corpus.decoding import decoded, numbered_lines
from readmark.corpus.files import read_bytes
from readmark.corpus.problems import Problem, Report, remark

TYPES = {"PERSON": "person", "ORG": "organisation", "THING": "thing", "EVENT": "event"}
"""TREC's names of types, and Readmark's."""

_TYPED = re.compile(r"#(\w+)\s+(.+)")
_PATTERN = re.compile(r"(\S+)\s+(.+)")
_REGEX = re.compile(r"[\\^$.|?*+()\[\]{}]")
_NAME = re.compile(r"questions?\.xml", re.IGNORECASE)


def beside(path: Path, ending: str) -> Path | None:
    """The companion of ``…questions.xml``, such as ``…targettypes``, where there is one."""
    name, renamed = _NAME.subn(ending, path.name.removesuffix(".gz").removesuffix(".zst"))
    found = path.with_name(name)
    return found if renamed and found.is_file() else None


def target_types(path: Path, report: Report) -> dict[str, str]:
    """Types by target, as ``#PERSON Orla Finch`` says them; targets are spelt as in XML."""
    found = {}
    for number, line in _lines(path):
        typed = _TYPED.fullmatch(line)
        if typed is None:
            said = f"not a type and a target: {line!r}"
            remark(report, Problem(str(path), number, "companion", said, "warning"))
            continue
        found[plain(_unescaped(typed[2]))] = TYPES.get(typed[1].upper(), typed[1].lower())
    return found


def known_answers(path: Path, report: Report) -> dict[str, tuple[str, ...]]:
    """Answers by question, of patterns that are plain words; a regular expression names none."""
    found: dict[str, list[str]] = {}
    for number, line in _lines(path):
        pattern = _PATTERN.fullmatch(line)
        if pattern is None:
            said = f"not a question and a pattern: {line!r}"
            remark(report, Problem(str(path), number, "companion", said, "warning"))
        elif not _REGEX.search(pattern[2]):
            found.setdefault(pattern[1], []).append(plain(pattern[2]))
    return {id: tuple(dict.fromkeys(answers)) for id, answers in found.items()}


def plain(text: str) -> str:
    """A text with single spaces, and none at its ends."""
    return " ".join(text.split())


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in numbered_lines(decoded(read_bytes(path), str(path))):
        if line.strip():
            yield number, line.strip()
