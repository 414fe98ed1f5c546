"""People's decisions on passages, keep or discard: their forms, read, checked and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.core.fingerprint import text_id
from readmark.core.numbers import first_ids
from readmark.core.records import Value
from readmark.formats.people_names import person_by_file, require_name
from readmark.formats.sheets import read_rows, write_sheet
from readmark.formats.text_versions import require_same_text

FORM = ("id", "decision", "reason", "person", "text", "version")
"""The columns of a form. What the rules decided is left out: it would sway whoever sees it."""
Verdict = Literal["keep", "discard"]
VERDICTS = ("keep", "discard")


class Decision(Value, frozen=True):
    """One person's decision on one passage, as the report states it."""

    person: str
    decision: Verdict
    reason: str | None = None


class _DecisionRow(msgspec.Struct, frozen=True):
    """A decision with where it was read and what it says of the text."""

    decision: Decision
    file: str
    line: int
    version: str | None = None
    text: str | None = None

    def fault(self, message: str) -> DataError:
        return DataError(message, file=self.file, where=self.line)


class Decisions:
    """All decisions by passage; those on passages that never come by are found out."""

    def __init__(self, files: Iterable[str | Path] = ()) -> None:
        self._by_passage: dict[str, list[_DecisionRow]] = {}
        self._seen: set[str] = set()
        file_of: dict[str, str] = {}
        spellings: dict[str, str] = {}
        for file in files:
            for id, row in _read(str(file), spellings):
                person = row.decision.person
                first_file = file_of.setdefault(person, row.file)
                if first_file != row.file:
                    raise row.fault(
                        f"{person!r} has decisions in {first_file} as well: "
                        "put them into one file, or use another name"
                    )
                rows = self._by_passage.setdefault(id, [])
                if any(earlier.decision.person == person for earlier in rows):
                    raise row.fault(f"{person!r} decides on {id!r} twice")
                rows.append(row)

    @property
    def people(self) -> list[str]:
        """Who decided, in the order of the files."""
        people = (row.decision.person for rows in self._by_passage.values() for row in rows)
        return list(dict.fromkeys(people))

    def on(self, id: str, text: str) -> tuple[Decision, ...]:
        """The decisions on a passage; one made on another version of its text is refused."""
        rows = self._by_passage.get(id, ())
        if rows:
            self._seen.add(id)
        for row in rows:
            if row.text is not None:
                require_same_text(text, row.text, file=f"{row.file}:{row.line}", id=id)
            if row.version is not None and row.version != text_id(text):
                raise row.fault(
                    f"the decision on {id!r} belongs to another version of the text "
                    f"({row.version}, here it is {text_id(text)})"
                )
        return tuple(row.decision for row in rows)

    def require_all_seen(self, test: str) -> None:
        """Refuse decisions on passages that the test does not have."""
        unknown = [id for id in self._by_passage if id not in self._seen]
        if unknown:
            message = (
                f"{test} has no passage {first_ids(unknown, quoted=True)} ({len(unknown)} unknown)"
            )
            raise self._by_passage[unknown[0]][0].fault(message)


def write_form(path: str | Path, passages: Iterable[tuple[str, str]]) -> None:
    """Write a form for a person: every passage, given as id and text, with an empty decision."""
    rows = ((id, "", "", "", text, text_id(text)) for id, text in passages)
    write_sheet(path, FORM, rows)


def write_decisions(
    path: str | Path, decisions: Iterable[tuple[str, str, Decision]], notes: Mapping[str, str]
) -> None:
    """Write a form that a person filled in: id and text of each passage, and the decision.

    ``notes`` on passages, by id, are a column that reading decisions passes over.
    """
    rows = (
        (
            id,
            decision.decision,
            decision.reason or "",
            decision.person,
            text,
            text_id(text),
            notes.get(id, ""),
        )
        for id, text, decision in decisions
    )
    write_sheet(path, (*FORM, "note"), rows)


def majority(decisions: Sequence[Decision]) -> Verdict | None:
    """What most people decided; None for a tie, and where nobody decided."""
    votes = Counter(decision.decision for decision in decisions)
    if votes["keep"] == votes["discard"]:
        return None
    return "keep" if votes["keep"] > votes["discard"] else "discard"


def _read(file: str, spellings: dict[str, str]) -> Iterator[tuple[str, _DecisionRow]]:
    """A file's decisions; a person is who the name says, as it was spelled first."""
    person_of_file = person_by_file(file)
    is_empty = True
    for line, row in read_rows(file, ("id", "decision")):
        is_empty = False
        cell = row.get("decision")
        verdict = cell.strip().lower() if isinstance(cell, str) else cell
        if verdict is None or verdict == "":
            continue  # a form that is not filled in to its end
        id = row.get("id")
        if not isinstance(id, str) or not id:
            raise DataError("the line has no id", file=file, where=line)
        if verdict not in VERDICTS:
            hint = did_you_mean(str(verdict), VERDICTS)
            raise DataError(
                f"decision {cell!r}, expected keep or discard; {hint}", file=file, where=line
            )
        person = str(row.get("person") or "").strip() or person_of_file
        require_name(person, "person", file=file, where=line)
        decision = Decision(
            person=spellings.setdefault(person.casefold(), person),
            decision="keep" if verdict == "keep" else "discard",
            reason=_text(row, "reason"),
        )
        yield id, _DecisionRow(decision, file, line, _text(row, "version"), _text(row, "text"))
    if is_empty:
        raise DataError("the file is empty, expected decisions", file=file)


def _text(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    return str(value) if value not in (None, "") else None
