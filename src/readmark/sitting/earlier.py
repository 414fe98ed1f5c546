"""Answers that come from an earlier sitting: what was sat then is what is sat now.

A part of a test, a paper with something left out, one repeat of three: none of them may become
more than it was by being handed in again.
"""

from __future__ import annotations

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.sitting import Sitting
from readmark.corpus.test import Test
from readmark.sitting.coverage import Coverage
from readmark.sitting.noted import some


def check_same(
    earlier: Sitting,
    test: Test,
    *,
    repeats: int,
    without: str | None,
    rewrite: str | None = None,
) -> None:
    """Refuse to sit otherwise than the answers were given."""
    header = earlier.header
    if header.paper not in (None, test.facts.paper):
        raise DataError(
            f"answers another paper ({header.paper}); {test.file} has {test.facts.paper}",
            file=earlier.file,
        )
    if header.repeats != repeats:
        raise UsageError(
            f"{earlier.file}: has answers of {header.repeats} "
            f"{'repeat' if header.repeats == 1 else 'repeats'}, not of {repeats}: "
            f"sit it with --repeats {header.repeats}"
        )
    # A file that names no paper may be anybody's, and --without is theirs to say.
    if header.without != without and (header.without is not None or header.paper is not None):
        how = f"without the {header.without}" if header.without else "with nothing left out"
        option = f"with --without {header.without}" if header.without else "without --without"
        raise UsageError(f"{earlier.file}: was sat {how}: sit it {option}")
    if header.rewrite != rewrite and (header.rewrite is not None or header.paper is not None):
        by = f"questions rewritten by {header.rewrite}" if header.rewrite else "questions as set"
        option = f"with --rewrite {header.rewrite}" if header.rewrite else "without --rewrite"
        raise UsageError(f"{earlier.file}: was sat with {by}: sit it {option}")


def check_same_order(earlier: Sitting, seed: int | None) -> None:
    """Refuse to say that options stood otherwise than they did when the answers were given."""
    before = earlier.header.shuffle_options
    if before != seed:
        how = "as the test has them" if before is None else f"shuffled by seed {before}"
        option = (
            "without --shuffle-options" if before is None else f"with --shuffle-options {before}"
        )
        raise UsageError(f"{earlier.file}: was sat with options {how}: sit it {option}")


def notes(earlier: Sitting, test: Test, coverage: Coverage) -> list[str]:
    """What a reader should know of answers that are handed in: parts, strangers, odd repeats."""
    said = [*earlier.notes]
    if (earlier.header.covers, earlier.header.limit) != (None, None):
        said.append(
            f"{earlier.file}: holds answers to a part of the test; "
            f"{coverage.units} of {test.facts.units} units are sat"
        )
    known = {unit.id for unit in test.units()}
    strangers = [id for id in earlier if id not in known]
    if strangers:
        said.append(
            f"{earlier.file}: answers to units that the test does not have: {some(strangers)}"
        )
    if strangers and len(strangers) == len(earlier.rows):
        said.append(f"{earlier.file}: is it a sitting of another test?")
    repeats = earlier.header.repeats
    beyond = [id for id in earlier if any(not 0 <= row.repeat < repeats for row in earlier.of(id))]
    if beyond:
        said.append(
            f"{earlier.file}: rows of repeats beyond the {repeats} of its header were left out: "
            f"{some(beyond)}"
        )
    return said
