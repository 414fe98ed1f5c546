"""A synthetic panel for a readability test: experts as its key, and a sitting per novice.

``python -m reproductions.synthetic_panel TEST -o FOLDER`` made the bundled panel and that of
docs/examples/walks. A judge j who sees quality q in round r says

    3 + stretch_j (q - 3) + bias_j + drift_j (r - 1) + noise

limited to 1 to 5, rounded to stars, and left out at random. The true quality of a passage is its
field ``quality``, or the mean of its ratings. Everything is labelled as synthetic.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import numpy as np

from readmark.core.arrays import Floats
from readmark.core.binding import paper_members
from readmark.core.errors import DataError, UsageError
from readmark.core.new_folders import making_folder
from readmark.core.numbers import listed_ids
from readmark.core.records import Unit
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader
from readmark.core.test import Test, in_memory
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test, save_test
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.readability.panels.simulation import MOST_JUDGES
from readmark.readability.panels.synthetic_judges import (
    EXPERTS,
    NOVICES,
    SYNTHETIC,
    SYNTHETIC_NAME,
    Draws,
    JudgeTraits,
    SyntheticRatings,
    rate,
)
from readmark.readability.scale import HIGHEST, LOWEST

QUALITY = "quality"
RATINGS = "ratings"
# The bundled panel's header and sittings say so, and they stay byte-identical.
COMMAND = "readmark panel synthesise"
NOTE = (
    f"The ratings are made up by a program ({COMMAND}), no person's: "
    "they show how the statistics work and say nothing of readers."
)
TEST, NOVICE_FOLDER = "test.jsonl", "novices"


@dataclass(frozen=True, slots=True)
class SyntheticPanel:
    """The files of a synthetic panel."""

    folder: str
    passages: int
    experts: Sequence[str]
    novices: Sequence[str]
    missing: int
    """Ratings that novices left out."""


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
    """Write the test with synthetic experts as its key, and a sitting per synthetic novice."""
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
        (part / NOVICE_FOLDER).mkdir()
        for index, name in enumerate(others):
            sitting = _sitting(made, records, panel, index, name, novice_traits, seed)
            NATIVE_SITTING.write_sitting(sitting, part / NOVICE_FOLDER / f"{name}.jsonl")
    missing = int((~panel.rated).sum())
    return SyntheticPanel(str(folder), len(records), names, others, missing)


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
            rows[record.id] = Row(id=record.id, answer=value, evidence=place)
    whole = len(rows) == len(records)
    header = SittingHeader(
        kind=test.kind.name,
        **paper_members(test),
        candidate=name,
        signature={"synthetic": COMMAND, **asdict(traits), "seed": seed},
        covers=None if whole else tuple(rows),
        fields={SYNTHETIC: True},
    )
    return Sitting(header, rows)


def main() -> None:
    """Write a synthetic panel."""
    parser = argparse.ArgumentParser(description=synthesise.__doc__)
    parser.add_argument("test", metavar="TEST")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER")
    parser.add_argument("--experts", type=int, default=3)
    parser.add_argument("--novices", type=int, default=8)
    parser.add_argument("--quality", metavar="FIELD")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    panel = synthesise(
        open_test(given.test),
        given.output,
        experts=given.experts,
        novices=given.novices,
        quality=given.quality,
        seed=given.seed,
    )
    print(
        f"{panel.folder}: {panel.passages:,} passages rated by {len(panel.experts):,} experts and "
        f"{len(panel.novices):,} novices; seed {given.seed}"
    )


if __name__ == "__main__":
    main()
