"""``readmark panel synthesise``: a made-up panel, to try out the statistics.

Experts are the key of the test, novices sittings; everything is labelled as made up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import msgspec
import numpy as np
from rich.console import Console

from readmark import console as options
from readmark.core.binding import paper_members
from readmark.core.display import Result, counted
from readmark.core.errors import DataError, UsageError
from readmark.core.folders import making_folder
from readmark.core.numbers import listed_ids
from readmark.core.records import Unit
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader
from readmark.core.test import Test, in_memory
from readmark.formats.native import NATIVE_SITTING
from readmark.formats.registry import open_test, save_test
from readmark.readability.kind import HIGHEST, LOWEST, RatedPassage, Rating, RatingKey
from readmark.readability.panels.power import traits_of, traits_options
from readmark.readability.panels.simulation import (
    EXPERTS,
    MOST_JUDGES,
    NOVICES,
    SYNTHETIC,
    SYNTHETIC_NAME,
    Draws,
    Floats,
    JudgeTraits,
    SyntheticRatings,
    rate,
)


@click.command("synthesise")
@click.argument("test")
@click.option(
    "-o", "--output", required=True, metavar="FOLDER", help="Folder to write; it must not exist."
)
@click.option("--experts", type=int, default=3, help="Number of experts")
@click.option("--novices", type=int, default=8, help="Number of novices")
@click.option(
    "--quality",
    metavar="FIELD",
    help="Field with the true quality of a passage  [default: quality, otherwise the "
    "mean of its ratings]",
)
@traits_options
@options.seed_option
@options.split_option
@options.from_option
@options.json_option
def synthesise_command(
    test: str,
    output: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Generate a synthetic panel for a readability TEST, to try out the statistics.

    FOLDER gets the test with the experts' ratings as its key, and one sitting per novice. All
    are labelled as synthetic.
    """
    expert, novice = traits_of(settings)
    result = synthesise(
        open_test(test, format=from_format, split=split),
        output,
        expert_traits=expert,
        novice_traits=novice,
        **settings,
    )
    options.print_result(result, as_json=as_json)


QUALITY = "quality"
RATINGS = "ratings"
NOTE = (
    "The ratings are made up by a program (readmark panel synthesise), no person's: "
    "they show how the statistics work and say nothing of readers."
)
TEST = "test.jsonl"


@dataclass(frozen=True, slots=True)
class SyntheticPanel(Result):
    """The files of a made-up panel."""

    folder: str
    passages: int
    experts: Sequence[str]
    novices: Sequence[str]
    files: Sequence[str]
    missing: int
    """Ratings that novices were made to leave out."""
    seed: int

    def as_json(self) -> dict[str, Any]:
        """The fields, labelled as synthetic."""
        return {**asdict(self), SYNTHETIC: True}

    def show(self, console: Console) -> None:
        """What was made up, and where it is."""
        left = f", {counted(self.missing, 'rating')} left out" if self.missing else ""
        console.print(
            f"{self.folder}: {counted(self.passages, 'passage')} rated by "
            f"{counted(len(self.experts), 'expert')} (the key of {self.files[0]}) and "
            f"{counted(len(self.novices), 'novice')} (a sitting each){left}; all of it made up, "
            f"seed {self.seed}",
            soft_wrap=True,
        )


def synthesise(
    test: Test,
    folder: str | Path,
    *,
    experts: int = 3,
    novices: int = 8,
    quality: str | None = None,
    expert_traits: JudgeTraits = EXPERTS,
    novice_traits: JudgeTraits = NOVICES,
    seed: int = 1,
) -> SyntheticPanel:
    """Write the test with made-up experts as its key, and a sitting a made-up novice.

    The true quality of a passage is its field ``quality``, or the mean of its ratings.
    """
    test.require_kind("readability")
    for name, count in (("experts", experts), ("novices", novices)):
        if not 1 <= count <= MOST_JUDGES:
            raise UsageError(f"{name} must be from 1 to {MOST_JUDGES:,}, found {count:,}")
    records: list[RatedPassage] = list(test.records())
    true = _qualities(test, quality)
    draws = Draws(seed)
    gold = rate(true, experts, expert_traits, draws)
    panel = rate(true, novices, novice_traits, draws)
    names = [f"synthetic-expert-{index + 1}" for index in range(experts)]
    others = [f"synthetic-novice-{index + 1}" for index in range(novices)]
    keyed = [_keyed(record, gold, index, names) for index, record in enumerate(records)]
    named = (test.header.name or Path(test.file).stem).removesuffix(SYNTHETIC_NAME)
    header = msgspec.structs.replace(
        test.header,
        name=named + SYNTHETIC_NAME,
        language=test.language,
        fields={**test.header.fields, "note": NOTE, SYNTHETIC: True},
    )
    made = in_memory(header, keyed)
    with making_folder(folder) as part:
        save_test(made, part / TEST, format="native")
        for index, name in enumerate(others):
            sitting = _sitting(made, records, panel, index, name, novice_traits, seed)
            NATIVE_SITTING.write_sitting(sitting, part / f"{name}.jsonl")
    return SyntheticPanel(
        str(folder),
        len(records),
        names,
        others,
        [TEST, *(f"{name}.jsonl" for name in others)],
        int((~panel.rated).sum()),
        seed,
    )


def _qualities(test: Test, wanted: str | None) -> Floats:
    """Each passage's quality: the field named, else ``quality`` where all have it, else ratings."""
    units = list(test.units())
    if wanted is None:
        stated = [_number(unit, QUALITY) for unit in units]
        wanted = QUALITY if any(value is not None for value in stated) else RATINGS
    found = [_mean(unit) if wanted == RATINGS else _number(unit, wanted) for unit in units]
    missing = [unit.id for unit, one in zip(units, found, strict=True) if one is None]
    if missing:
        what = "rating" if wanted == RATINGS else f"number in the field {wanted!r}"
        raise DataError(
            f"no {what} to take the quality from: {listed_ids(missing)}", file=test.file
        )
    values = np.array(found, dtype=np.float64)
    outside = [
        unit.id for unit, value in zip(units, values, strict=True) if not LOWEST <= value <= HIGHEST
    ]
    if outside:
        raise DataError(
            f"a quality lies between 1 and 5, not so: {listed_ids(outside)}", file=test.file
        )
    return values


def _number(unit: Unit, name: str) -> float | None:
    value = unit.field(name)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return None


def _mean(unit: Unit) -> float | None:
    ratings = [rating.rating for rating in unit.key.ratings] if unit.key is not None else []
    return sum(ratings) / len(ratings) if ratings else None


def _keyed(
    record: RatedPassage, gold: SyntheticRatings, index: int, names: Sequence[str]
) -> RatedPassage:
    """The passage with the made-up experts in place of any before them."""
    key = record.key or RatingKey()
    ratings = tuple(
        Rating(
            rating=float(gold.ratings[index, judge]),
            annotator=name,
            round=int(gold.rounds[index, judge]),
        )
        for judge, name in enumerate(names)
        if gold.rated[index, judge]
    )
    return msgspec.structs.replace(record, key=msgspec.structs.replace(key, ratings=ratings))


def _sitting(
    test: Test,
    records: Sequence[RatedPassage],
    panel: SyntheticRatings,
    judge: int,
    name: str,
    traits: JudgeTraits,
    seed: int,
) -> Sitting:
    rows = PackedRows()
    for index, record in enumerate(records):
        if panel.rated[index, judge]:
            value = float(panel.ratings[index, judge])
            place = {"round": int(panel.rounds[index, judge])}
            rows[record.id] = Row(id=record.id, rating=value, evidence=place)
    whole = len(rows) == len(records)
    header = SittingHeader(
        kind=test.kind.name,
        **paper_members(test),
        candidate=name,
        signature={"synthetic": "readmark panel synthesise", **asdict(traits), "seed": seed},
        covers=None if whole else tuple(rows),
        fields={SYNTHETIC: True},
    )
    return Sitting(header, rows)
