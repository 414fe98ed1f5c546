"""Candidates for a panel: passages with a genre, from tests, tables, JSON Lines and plain text."""

from __future__ import annotations

import functools
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from readmark.core.encodings import decoded
from readmark.core.errors import DataError, UsageError
from readmark.core.files import BOM, read_bytes
from readmark.core.fingerprint import text_id
from readmark.core.folders import Folder
from readmark.core.record_members import text_of, title_of
from readmark.core.source import Source
from readmark.formats.registry import open_test
from readmark.formats.sheets import is_table, read_rows
from readmark.formats.tables.shards import LINES
from readmark.text.words import words

PROSE = (".txt", ".text", ".md", ".html", ".htm", ".wiki", ".srt", ".vtt")
_OWN = ("id", "text", "genre", "topic", "language", "article")


@dataclass(frozen=True, slots=True)
class CandidateFile:
    """A file of candidates, and the genre that the command line says it is of."""

    path: str
    genre: str | None = None

    @classmethod
    def of_genre(cls, text: str) -> CandidateFile:
        """A file as ``NAME=FILE``."""
        name, equals, path = text.partition("=")
        if not equals or not name.strip() or not path:
            raise UsageError(f"--genre {text!r}: expected NAME=FILE, such as forum=posts.jsonl")
        return cls(path, name.strip())


@dataclass(frozen=True, slots=True)
class PanelCandidate:
    """A passage as it was given."""

    id: str
    text: str
    genre: str
    file: str
    where: str
    topic: str | None = None
    language: str | None = None
    article: str | None = None
    licence: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


def read_candidates(
    files: Sequence[CandidateFile], *, format: str | None = None, split: str | None = None
) -> list[PanelCandidate]:
    """Every candidate of some files; an id that several files have gets the file's name."""
    candidates = [candidate for file in files for candidate in _of(file, format, split)]
    if not candidates:
        raise DataError("no candidate was found", file=", ".join(file.path for file in files))
    within = Counter((candidate.file, candidate.id) for candidate in candidates)
    for panel_candidate in candidates:
        if within[panel_candidate.file, panel_candidate.id] > 1:
            raise DataError(
                f"id {panel_candidate.id!r} occurs twice",
                file=panel_candidate.file,
                where=panel_candidate.where,
            )
    shared = {
        id for id, files in Counter(candidate.id for candidate in candidates).items() if files > 1
    }
    named = [
        replace(candidate, id=f"{Path(candidate.file).name.split('.')[0]}-{candidate.id}")
        if candidate.id in shared
        else candidate
        for candidate in candidates
    ]
    twice = [
        id
        for id, times in Counter(panel_candidate.id for panel_candidate in named).items()
        if times > 1
    ]
    if twice:
        raise DataError(
            f"id {twice[0]!r} is of two files of one name: give the passages ids of their own"
        )
    return named


def _of(given: CandidateFile, format: str | None, split: str | None) -> Iterator[PanelCandidate]:
    source = Source(given.path)
    suffix = "".join(source.suffixes[-1:])
    if format is not None or split is not None:
        yield from _of_test(given, format, split)
    elif (
        source.path.is_dir()
        and (folder := Folder(source.path)).names
        and all(name.lower().endswith(PROSE) for name in folder.names)
    ):
        for id, name in folder.by_id(PROSE).items():
            yield _candidate(given, id, folder.text(name), where=name, row={})
    elif source.path.is_file() and suffix in PROSE and source.readmark_file is None:
        text = decoded(read_bytes(source.path).removeprefix(BOM), source.file)
        yield _candidate(given, source.path.name.split(".")[0], text, where="", row={})
    elif source.path.is_file() and (
        is_table(source)
        or (
            suffix in LINES
            and isinstance(first := source.first_line, dict)
            and "text" in first
            and "readmark" not in first
        )
    ):
        yield from _of_rows(given)
    else:
        yield from _of_test(given, None, None)


def _of_rows(given: CandidateFile) -> Iterator[PanelCandidate]:
    for line, row in read_rows(given.path, ("text",)):
        text = row["text"]
        if not isinstance(text, str):
            was = "nothing" if text is None else type(text).__name__
            raise DataError(f"text: expected a string, found {was}", file=given.path, where=line)
        id = row.get("id")
        named = str(id) if id not in (None, "") else text_id(text)
        yield _candidate(given, named, text, where=str(line), row=row)


def _of_test(
    given: CandidateFile, format: str | None, split: str | None
) -> Iterator[PanelCandidate]:
    test = open_test(given.path, format=format, split=split)
    for place, record in test.placed():
        text = text_of(record)
        if text is None:
            raise DataError(f"a {test.kind.name} test has no passages to rate", file=given.path)
        row = {
            **record.fields,
            "genre": getattr(record, "genre", None) or record.fields.get("genre"),
            "topic": getattr(record, "topic", None) or record.fields.get("topic"),
            "language": record.language or test.header.language,
            "article": getattr(record, "article", None) or title_of(record) or None,
        }
        made = _candidate(given, record.id, text, where=str(place), row=row)
        yield replace(made, licence=test.header.licence)


def _candidate(
    given: CandidateFile, id: str, text: str, *, where: str, row: Mapping[str, Any]
) -> PanelCandidate:
    genre = given.genre or _label(row, "genre")
    if genre is None:
        raise DataError(
            f"passage {id!r} has no genre: give it a field genre, or name the file's with "
            f"--genre NAME={given.path}",
            file=given.path,
            where=where,
        )
    licence = _label(row, "licence") or _label(row, "license")
    fields = {name: value for name, value in row.items() if name not in _OWN and value is not None}
    return PanelCandidate(
        id=id,
        text=text,
        genre=genre,
        file=given.path,
        where=where,
        topic=_label(row, "topic"),
        language=_label(row, "language"),
        article=_label(row, "article"),
        licence=licence,
        fields={name: value for name, value in fields.items() if value != ""},
    )


def _label(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    return str(value).strip() or None if isinstance(value, (str, int)) else None


# The general topic of a passage, by its words: current events, sports, science and so on.


RULES = "panel-topics-2"
GENERAL = "general"
STRONG, WEAK = 2.0, 0.75
LEAST = 2.75
"""What a topic must come to: a strong word and a weak one, or four weak ones."""
_ENDINGS = ("s", "es", "ed", "ing", "er", "ers", "ies")


def topic_of(text: str, language: str) -> str:
    """The topic that the most different words of a text are of; ``general`` where none leads."""
    found = (
        _summed(topics for word, topics in _terms("zh").items() if word in text)
        if language == "zh"
        else _english(text)
    )
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    if not ranked or ranked[0][1] < LEAST:
        return GENERAL
    if len(ranked) > 1 and ranked[1][1] == ranked[0][1]:
        return GENERAL
    return ranked[0][0]


def topics(language: str) -> tuple[str, ...]:
    """The topics that there are."""
    return (*sorted({one for each in _terms(language).values() for one in each}), GENERAL)


def _english(text: str) -> dict[str, float]:
    terms = _terms("en")
    known: dict[str, None] = {}
    for word in dict.fromkeys(words(text, "en")):
        known.update((form, None) for form in _stems(word) if form in terms)
    return _summed(terms[word] for word in known)


def _stems(word: str) -> list[str]:
    """The word, and what is left of it without an ending that it may have."""
    found = [word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            bare = word[: -len(ending)]
            found += [bare, f"{bare}e"]
            if ending == "ies":
                found.append(f"{bare}y")
            if len(bare) > 3 and bare[-1] == bare[-2]:
                found.append(bare[:-1])  # running: run
    return found


def _summed(terms: Iterable[Mapping[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for term in terms:
        for topic, weight in term.items():
            found[topic] = found.get(topic, 0.0) + weight
    return found


@functools.cache
def _terms(language: str) -> dict[str, dict[str, float]]:
    """Each word's topics, with what it counts for them."""
    source = files("readmark.readability.panels").joinpath("data", "topics.toml").read_text("utf-8")
    found: dict[str, dict[str, float]] = {}
    for topic, lists in tomllib.loads(source)["zh" if language == "zh" else "en"].items():
        for name, weight in (("weak", WEAK), ("strong", STRONG)):
            for word in lists.get(name, "").split():
                found.setdefault(word, {})[topic] = weight
    return found
