"""Work that people return: their names, the text they worked on, and their decisions."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from readmark.core.csv_text import is_formula
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.fingerprint import text_id
from readmark.core.numbers import first_ids
from readmark.core.records import QuestionKey, Value
from readmark.core.spans import clip
from readmark.formats.sheets import read_rows, write_sheet

NO_ANSWER_BY = "no_answer_by"
"""The field of a key with the names of those who were asked and gave no answer."""

LONGEST = 100
"""Characters of a name, which is a heading in tables."""
LONGEST_FILE = 200
"""Bytes of a name that files are called by: with their endings they must fit into 255."""
_JOINERS = "\u200c\u200d"  # names in Persian and in Indian scripts have them
_NOT_IN_FILES = re.compile(r'[<>:"|?*]')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\s*", re.IGNORECASE)
"""What Windows refuses as a file's name."""


def require_name(
    name: str,
    noun: str,
    *,
    is_file: bool = False,
    file: str | Path | None = None,
    where: int | str | None = None,
) -> str:
    """The name, if a person may be called by it; ``is_file`` where files are called by it too.

    Names end up in file names, headings and columns. One that was read from a ``file`` is bad
    data, any other is bad usage.
    """
    fault = _fault(name) or (_file_fault(name) if is_file else None)
    if fault is None:
        return name
    message = f"{noun} name {clip(name)!r} {fault}"
    raise UsageError(message) if file is None else DataError(message, file=file, where=where)


def is_file_name(name: str) -> bool:
    """Whether a person's file can be called by a name."""
    try:
        require_name(name, "person's", is_file=True)
    except UsageError:
        return False
    return True


def _fault(name: str) -> str | None:
    if not name.strip():
        return "is empty"
    if any(_is_control(character) for character in name):
        return "contains a control character"
    if "/" in name or "\\" in name:
        return "contains a path separator"
    if is_formula(name):
        return "begins with a character that spreadsheets run as a formula (= + - @)"
    if len(name) > LONGEST:
        return f"has {len(name)} characters, expected at most {LONGEST}"
    return None


def _is_control(character: str) -> bool:
    """Line ends, control and format characters, and halves of a surrogate pair."""
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and character not in _JOINERS
    )


def _file_fault(name: str) -> str | None:
    if name.startswith(".") or name.endswith("."):
        return "begins or ends with a dot, and files are called by it"
    if (odd := _NOT_IN_FILES.search(name)) is not None:
        return f"contains {odd[0]!r}, which not every system allows in a file's name"
    if _DEVICES.fullmatch(name.partition(".")[0]):
        return "is reserved on Windows, and files are called by it"
    if (size := len(name.encode())) > LONGEST_FILE:
        return f"takes {size} bytes, expected at most {LONGEST_FILE}: files are called by it"
    return None


_ENDINGS = (
    frozenset(("gz", "zst", "bz2", "xz")),
    frozenset(("csv", "tsv", "xlsx", "xlsm", "json", "jsonl", "ndjson", "txt", "xml", "zip"))
    | {"brcc", "conll", "conllu", "ann"},
    frozenset(("answers",)),
)
"""What tells of a file's format and not of whose it is, one of each from the end."""


def person_by_file(path: str | Path) -> str:
    """Whose a file is by its name without suffixes: J. Smith of J. Smith.answers.csv.

    A test that is called by its language is of the folder's person: Ann of Ann/zh.jsonl.
    """
    file = Path(path).absolute()
    name = file.name
    for endings in _ENDINGS:
        before, _, last = name.rpartition(".")
        if before.strip() and last.lower() in endings:
            name = before
    if name in ("en", "zh") and file.suffix:
        name = file.parent.name or name
    return name.strip()


def folded_name(name: str) -> str:
    """A name as it is compared; two of one folding would also be one file on some systems."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def twice(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that are one."""
    seen: dict[str, str] = {}
    for name in names:
        before = seen.get(folded_name(name))
        if before is not None:
            return before, name
        seen[folded_name(name)] = name
    return None


def answered_by(key: QuestionKey | None) -> list[str]:
    """Who answered a question by its key, those who found no answer included."""
    if key is None:
        return []
    named = [answer.annotator for answer in key.answers if answer.annotator is not None]
    return [*named, *without_answer(key)]


def without_answer(key: QuestionKey | None) -> list[str]:
    """Who was asked and gave no answer, according to the key."""
    told = key.fields.get(NO_ANSWER_BY) if key is not None else None
    return [name for name in told if isinstance(name, str)] if isinstance(told, list) else []


# Whether two people worked on the same text: a text that changed is refused, with the place.


SHOWN = 12
"""How many characters are shown on each side of the first difference."""


def first_difference(one: str, other: str) -> int | None:
    """The first code point where two texts differ; None when they are equal."""
    if one == other:
        return None
    shorter = min(len(one), len(other))
    return next((index for index in range(shorter) if one[index] != other[index]), shorter)


def require_same_text(expected: str, found: str, *, file: str, id: str) -> None:
    """Refuse work on another version of a text: everything after the change would be misplaced."""
    at = first_difference(expected, found)
    if at is None:
        return
    raise DataError(
        f"is of another version of the text, which differs at character {at}: "
        f"expected {_around(expected, at)}, found {_around(found, at)}",
        file=file,
        where=id,
    )


def _around(text: str, at: int) -> str:
    start, end = max(0, at - SHOWN), at + SHOWN
    before = "…" if start else ""
    after = "…" if end < len(text) else ""
    return repr(f"{before}{text[start:end]}{after}")


Verdict = Literal["keep", "discard"]


# People's decisions on passages: read from their files, checked against the texts, merged.


FORM = ("id", "decision", "reason", "person", "text", "version")
"""The columns of a form. What the rules decided is left out: it would sway whoever sees it."""
VERDICTS = ("keep", "discard")


class Decision(Value, frozen=True):
    """One person's decision on one passage, as the report states it."""

    person: str
    decision: Verdict
    reason: str | None = None


class _ReadDecision(msgspec.Struct, frozen=True):
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
        self._judged: dict[str, list[_ReadDecision]] = {}
        self._seen: set[str] = set()
        homes: dict[str, str] = {}
        spelling: dict[str, str] = {}
        for file in files:
            for id, read in _read(str(file), spelling):
                person = read.decision.person
                home = homes.setdefault(person, read.file)
                if home != read.file:
                    message = f"{person!r} has decisions in {home} as well: "
                    raise read.fault(f"{message}one file a person, or another name")
                before = self._judged.setdefault(id, [])
                if any(other.decision.person == person for other in before):
                    raise read.fault(f"{person!r} decides on {id!r} twice")
                before.append(read)

    @property
    def people(self) -> list[str]:
        """Who decided, in the order of the files."""
        found = (read.decision.person for judged in self._judged.values() for read in judged)
        return list(dict.fromkeys(found))

    def on(self, id: str, text: str) -> tuple[Decision, ...]:
        """The decisions on a passage; one made on another version of its text is refused."""
        judged = self._judged.get(id, ())
        if judged:
            self._seen.add(id)
        for read in judged:
            if read.text is not None:
                require_same_text(text, read.text, file=f"{read.file}:{read.line}", id=id)
            if read.version is not None and read.version != text_id(text):
                raise read.fault(
                    f"the decision on {id!r} is on another version of the text "
                    f"({read.version}, here it is {text_id(text)})"
                )
        return tuple(read.decision for read in judged)

    def require_all_seen(self, test: str) -> None:
        """Refuse decisions on passages that the test does not have."""
        unknown = [id for id in self._judged if id not in self._seen]
        if unknown:
            named = first_ids(unknown, quoted=True)
            message = f"{test} has no passage {named} ({len(unknown)} unknown)"
            raise self._judged[unknown[0]][0].fault(message)


def write_form(path: str | Path, passages: Iterable[tuple[str, str]]) -> None:
    """Write a form for a person: every passage, given as id and text, with an empty decision."""
    rows = ((id, "", "", "", text, text_id(text)) for id, text in passages)
    write_sheet(path, FORM, rows)


def write_decisions(
    path: str | Path, decided: Iterable[tuple[str, str, Decision]], notes: Mapping[str, str]
) -> None:
    """Write a form that a person filled in: id and text of each passage, and the decision.

    ``notes`` on passages, by id, are a column that reading decisions passes over.
    """
    rows = (
        (id, made.decision, made.reason or "", made.person, text, text_id(text), notes.get(id, ""))
        for id, text, made in decided
    )
    write_sheet(path, (*FORM, "note"), rows)


def majority(decisions: Sequence[Decision]) -> Verdict | None:
    """What most people decided; None where nobody did or as many said the one as the other."""
    votes = Counter(decision.decision for decision in decisions)
    if votes["keep"] == votes["discard"]:
        return None
    return "keep" if votes["keep"] > votes["discard"] else "discard"


def _read(file: str, spelling: dict[str, str]) -> Iterator[tuple[str, _ReadDecision]]:
    """A file's decisions; a person is who the name says, as it was spelled first."""
    named_by_file = person_by_file(file)
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
        decision = Decision(
            person=spelling.setdefault(person.casefold(), person),
            decision="keep" if said == "keep" else "discard",
            reason=_text(row, "reason"),
        )
        yield id, _ReadDecision(decision, file, line, _text(row, "version"), _text(row, "text"))
    if empty:
        raise DataError("the file is empty, expected decisions", file=file)


def _text(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    return str(value) if value not in (None, "") else None
