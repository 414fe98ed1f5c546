"""People's decisions on passages: read from their files, checked against the texts, merged.

A file is JSON Lines or CSV with ``id``, ``decision`` (keep or discard), ``reason`` and ``person``;
``version`` or ``text`` tell which version of the text was judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError, did_you_mean
from readmark.corpus.fingerprint import text_id
from readmark.corpus.rows import read_rows, write_sheet
from readmark.corpus.values import Value
from readmark.setting.blind.names import require_name
from readmark.setting.same_text import require_same_text
from readmark.setting.screening import Verdict

FORM = ("id", "decision", "reason", "person", "text", "version")
"""The columns of a form. What the rules decided is left out: it would sway whoever sees it."""
VERDICTS = ("keep", "discard")
_SHOWN = 3


class Decision(Value, frozen=True):
    """One person's decision on one passage, as the report tells it."""

    person: str
    decision: Verdict
    reason: str | None = None


class Judged(msgspec.Struct, frozen=True):
    """A decision with where it was read and what it says of the text."""

    decision: Decision
    file: str
    line: int
    version: str | None = None
    text: str | None = None


class Decisions:
    """All decisions by passage; those on passages that never come by are found out."""

    def __init__(self, files: Iterable[str | Path] = ()) -> None:
        self._judged: dict[str, list[Judged]] = {}
        self._seen: set[str] = set()
        homes: dict[str, str] = {}
        spelling: dict[str, str] = {}
        for file in files:
            for id, one in _read(str(file), spelling):
                home = homes.setdefault(one.decision.person, one.file)
                if home != one.file:
                    raise DataError(
                        f"{one.decision.person!r} has decisions in {home} as well: "
                        "one file a person, or another name",
                        file=one.file,
                        where=one.line,
                    )
                before = self._judged.setdefault(id, [])
                if any(other.decision.person == one.decision.person for other in before):
                    raise DataError(
                        f"{one.decision.person!r} decides on {id!r} twice",
                        file=one.file,
                        where=one.line,
                    )
                before.append(one)

    @property
    def people(self) -> list[str]:
        """Who decided, in the order of the files."""
        found = (one.decision.person for judged in self._judged.values() for one in judged)
        return list(dict.fromkeys(found))

    def on(self, id: str, text: str) -> tuple[Decision, ...]:
        """The decisions on a passage; one made on another version of its text is refused."""
        judged = self._judged.get(id, ())
        self._seen.add(id) if judged else None
        for one in judged:
            if one.text is not None:
                require_same_text(text, one.text, file=f"{one.file}:{one.line}", id=id)
            if one.version is not None and one.version != text_id(text):
                raise DataError(
                    f"the decision on {id!r} is on another version of the text "
                    f"({one.version}, here it is {text_id(text)})",
                    file=one.file,
                    where=one.line,
                )
        return tuple(one.decision for one in judged)

    def require_all_seen(self, test: str) -> None:
        """Refuse decisions on passages that the test does not have."""
        unknown = [id for id in self._judged if id not in self._seen]
        if unknown:
            first = self._judged[unknown[0]][0]
            named = ", ".join(map(repr, unknown[:_SHOWN])) + ", …" * (len(unknown) > _SHOWN)
            raise DataError(
                f"{test} has no passage {named} ({len(unknown)} unknown)",
                file=first.file,
                where=first.line,
            )


def write_form(path: str | Path, passages: Iterable[tuple[str, str]]) -> None:
    """Write a form for a person: every passage, given as id and text, with an empty decision."""
    rows = ((id, "", "", "", text, text_id(text)) for id, text in passages)
    write_sheet(path, FORM, rows)


def majority(decisions: Sequence[Decision]) -> Verdict | None:
    """What most people decided; None where nobody did or as many said the one as the other."""
    votes = Counter(one.decision for one in decisions)
    if votes["keep"] == votes["discard"]:
        return None
    return "keep" if votes["keep"] > votes["discard"] else "discard"


def _read(file: str, spelling: dict[str, str]) -> Iterator[tuple[str, Judged]]:
    """A file's decisions; a person is who the name says, as it was spelled first."""
    named_by_file = Path(file).name.split(".")[0]
    empty = True
    for line, row in read_rows(file, ("id", "decision")):
        empty = False
        given = row.get("decision")
        said = given.strip().lower() if isinstance(given, str) else given
        if said is None or said == "":
            continue  # a form that is not filled in to its end
        id = row.get("id")
        if not isinstance(id, str) or not id:
            raise DataError("the line has no id", file=file, where=line)
        if said not in VERDICTS:
            hint = did_you_mean(str(said), VERDICTS)
            raise DataError(
                f"decision {given!r}, expected keep or discard; {hint}", file=file, where=line
            )
        person = str(row.get("person") or "").strip() or named_by_file
        require_name(person, "person", file=file, where=line)
        found = Decision(
            person=spelling.setdefault(person.casefold(), person),
            decision="keep" if said == "keep" else "discard",
            reason=_text(row, "reason"),
        )
        yield id, Judged(found, file, line, _text(row, "version"), _text(row, "text"))
    if empty:
        raise DataError("the file is empty, expected decisions", file=file)


def _text(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    return str(value) if value not in (None, "") else None
