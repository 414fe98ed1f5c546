"""All answers that came back, by question: one file a person, one answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.test import Test
from readmark.setting.blind.names import folded_name, require_name
from readmark.setting.blind.returned import Returned, returned


@dataclass(slots=True)
class Gathered:
    """What came back."""

    by_id: dict[str, list[Returned]] = field(default_factory=dict)
    people: dict[str, Returned] = field(default_factory=dict)
    """The first answer of each person, by the folded name."""
    notes: list[str] = field(default_factory=list)


def gathered(test: Test, files: Sequence[str | Path], names: Sequence[str] = ()) -> Gathered:
    """Read the files; ``names`` say whose they are, one a file."""
    if names and len(names) != len(files):
        raise UsageError(f"{len(names)} names for {len(files)} files: --name once a file, in order")
    found = Gathered()
    for at, file in enumerate(files):
        name = require_name(names[at].strip(), "annotator") if names else None
        signed: dict[str, None] = {}
        rows = 0
        for one in returned(file, test, name):
            rows += 1
            _take(found, one)
            if one.signed is not None and one.signed != one.annotator:
                signed[one.signed] = None
        if not rows:
            raise DataError("has no answers", file=file)
        if signed:
            said = ", ".join(map(repr, signed))
            found.notes.append(f"{file}: taken for answers of {name!r} by --name; it says {said}")
    return found


def _take(found: Gathered, one: Returned) -> None:
    first = found.people.setdefault(folded_name(one.annotator), one)
    if first.annotator != one.annotator:
        raise DataError(
            f"{first.annotator!r} and {one.annotator!r} differ in case alone: if they are two "
            "people, tell them apart by --name",
            file=one.file,
            where=one.place,
        )
    if first.file != one.file:
        raise DataError(
            f"{one.annotator!r} has answers in {first.file} as well: "
            "one file a person, or another --name",
            file=one.file,
            where=one.place,
        )
    before = found.by_id.setdefault(one.id, [])
    if any(other.annotator == one.annotator for other in before):
        raise DataError(
            f"{one.annotator!r} answers {one.id!r} twice", file=one.file, where=one.place
        )
    before.append(one)
