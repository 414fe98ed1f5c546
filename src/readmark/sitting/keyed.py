"""The candidate `keyed`: answers that somebody gave elsewhere, on paper or by another system.

Its file may be a sitting, which says how it was sat. What was sat then is what is sat now: other
repeats, another part left out or another order of options are refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from readmark.core.binding import answers_elsewhere, require_known_ids, sat_splits
from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.numbers import listed_ids
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row, Sitting
from readmark.core.splits import split_words
from readmark.core.streams import readable_file, shown_name
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.hooks import Kind
from readmark.sitting.coverage import Coverage


@dataclass
class Keyed:
    """Takes each answer from a file: predictions or a native sitting."""

    file: str = parameter("", help="the file with the answers")
    earlier: Sitting | None = field(default=None, init=False, repr=False)
    """The answers with their header."""
    _repeat: int = field(default=0, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        if not self.file:
            raise UsageError("candidate keyed needs a file: keyed(file=answers.json)")
        self.earlier = open_sitting(self.file, kind)

    def begin_repeat(self, number: int) -> None:
        self._repeat = number

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for unit in units:
            rows = self.earlier.of(unit.id) if self.earlier is not None else ()
            row = next((row for row in rows if row.repeat == self._repeat), None)
            if row is not None:
                yield row

    def signature(self) -> Mapping[str, str]:
        file = readable_file(self.file)
        content = file.read_bytes() if file.is_file() else b""
        return {"file": shown_name(self.file), "sha256": hashlib.sha256(content).hexdigest()[:16]}


def require_sat_the_same_way(
    earlier: Sitting,
    test: Test,
    *,
    repeats: int,
    without: str | None,
    rewrite: str | None,
    shuffle_options: int | None,
) -> None:
    """Refuse to sit otherwise than the answers were given."""
    header = earlier.header
    splits = sat_splits(test, earlier)
    if len(splits) < len(test.facts.splits):
        raise UsageError(
            f"{earlier.file}: has answers to {split_words(splits)} alone: sit that split"
        )
    require_known_ids(test, earlier)
    if header.repeats != repeats:
        raise UsageError(
            f"{earlier.file}: has answers of {counted(header.repeats, 'repeat')}, not of "
            f"{repeats}: sit it with `repeats` {header.repeats}"
        )
    # A file that names no paper may be anybody's: whoever sits it says what was left out.
    names_paper = header.paper is not None
    if header.without != without and (header.without is not None or names_paper):
        how = f"without the {header.without}" if header.without else "with nothing left out"
        option = f"with `without` {header.without}" if header.without else "without `without`"
        raise UsageError(f"{earlier.file}: was sat {how}: sit it {option}")
    if header.rewrite != rewrite and (header.rewrite is not None or names_paper):
        how = f"questions rewritten by {header.rewrite}" if header.rewrite else "questions as set"
        option = f"with `rewrite` {header.rewrite}" if header.rewrite else "without `rewrite`"
        raise UsageError(f"{earlier.file}: was sat with {how}: sit it {option}")
    seed = header.shuffle_options
    if seed != shuffle_options:
        how = "as the test has them" if seed is None else f"shuffled by seed {seed}"
        option = "without `shuffle_options`" if seed is None else f"with `shuffle_options` {seed}"
        raise UsageError(f"{earlier.file}: was sat with options {how}: sit it {option}")


def earlier_notes(earlier: Sitting, test: Test, coverage: Coverage) -> list[str]:
    """What a reader should know of the answers, such as those to units that the test lacks."""
    notes = [*earlier.notes]
    if (earlier.header.covers, earlier.header.limit) != (None, None):
        notes.append(
            f"{earlier.file}: holds answers to a part of the test; "
            f"{coverage.units} of {test.facts.units} units are sat"
        )
    ids = {unit.id for unit in test.units()}
    unknown, elsewhere = answers_elsewhere(test, earlier, [id for id in earlier if id not in ids])
    if elsewhere:
        notes.append(f"{earlier.file}: answers to units of other splits were ignored: {elsewhere}")
    if unknown:
        notes.append(
            f"{earlier.file}: answers to units that the test does not have: {listed_ids(unknown)}"
        )
    repeats = earlier.header.repeats
    beyond = [id for id in earlier if any(not 0 <= row.repeat < repeats for row in earlier.of(id))]
    if beyond:
        notes.append(
            f"{earlier.file}: rows of repeats beyond the {repeats} of its header were left out: "
            f"{listed_ids(beyond)}"
        )
    return notes
