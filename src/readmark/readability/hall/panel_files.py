"""The files of a panel in the hall: test, plan and sheets, as ``panel collect`` takes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from readmark.core.test import Test
from readmark.formats.registry import save_test
from readmark.readability.hall.judgements import (
    PASSAGE,
    SKIP,
    panel_of,
    placed_records,
    ratings_of,
)
from readmark.readability.kind import RatedPassage, RatingKey
from readmark.readability.panels.collect import (
    Collected,
    CollectSettings,
    collect_files,
)
from readmark.readability.panels.judge_sheets import (
    CRITERIA,
    SHEET,
    plan_text,
    sheet,
    texts_by_code,
)
from readmark.readability.panels.ratings import JudgeRating
from readmark.readability.panels.rounds import (
    EXPERT,
    NOVICE,
    PLAN,
    PanelPlan,
    plan_rounds,
    with_judges,
)
from readmark.readability.panels.written_numbers import number_text
from readmark.statistics.agreement.value import Resampling
from readmark.works import PersonsWork, ProjectWork
from readmark.works.field_values import is_filled
from readmark.works.forms import NOTE, entries_of
from readmark.works.notes import note_of
from readmark.works.passages import test_of
from readmark.works.people_files import people_folder, work_on

TEST, RATED, NOVICES = "test.jsonl", "rated.jsonl", "novices"


def plan_of(project: ProjectWork, people: Sequence[PersonsWork]) -> tuple[Test, PanelPlan]:
    """The test and the plan of a project, with its people as judges.

    Ratings that the test came with are left out once experts of the hall have rated.
    """
    judges = {
        panel: [person.person for person in people if panel_of(person) == panel]
        for panel in (EXPERT, NOVICE)
    }
    records: list[RatedPassage] = []
    placed = [pair for item in project.items for pair in placed_records(item)]
    for _, record in sorted(placed, key=lambda pair: pair[0]):
        if judges[EXPERT]:
            record = msgspec.structs.replace(record, key=_without_ratings(record.key))
        records.append(record)
    test = test_of(project.header, records)
    plan = with_judges(
        plan_rounds(test, **project.items[0].key["plan"]),
        experts=judges[EXPERT],
        novices=judges[NOVICE],
        lots={person.person: person.login for person in people if person.login},
    )
    return test, plan


def _without_ratings(key: RatingKey | None) -> RatingKey | None:
    if key is None or not (key.layers or key.fields):
        return None
    return msgspec.structs.replace(key, ratings=())


def write_sheets(project: ProjectWork, people: Sequence[PersonsWork], folder: Path) -> PanelPlan:
    """Write the test, the plan, and each judge's sheet as far as it is filled in."""
    test, plan = plan_of(project, people)
    save_test(test, folder / TEST)
    (folder / PLAN).write_bytes(plan_text(plan).encode())
    texts = texts_by_code(test, plan)
    for person in people:
        judge = plan.judge(person.person)
        assert judge is not None
        filled: dict[str, dict[str, str]] = {}
        for item, objects in work_on(person, project.items):
            entries = dict(entries_of(objects, PASSAGE))
            for rating in ratings_of(item, objects, person.person):
                filled[rating.code] = _cells(rating, entries[rating.code].get(SKIP))
            # What concerns the whole round stands in the row of its first passage.
            round_ = next(each for each in judge.rounds if each.number == item.paper["round"])
            first_row = filled.setdefault(round_.passages[0], {})
            if note := note_of(objects):
                first_row[NOTE] = note
            for _, fields in entries_of(objects, CRITERIA):
                if is_filled(fields.get(CRITERIA)):
                    first_row[CRITERIA] = str(fields[CRITERIA])
        content = sheet(plan, judge, texts, filled=filled, more=(SKIP, NOTE))
        (people_folder(folder) / SHEET.format(person.person)).write_bytes(content)
    return plan


def _cells(rating: JudgeRating, skip: object) -> dict[str, str]:
    values = {"stars": rating.stars, "rank": rating.rank, "seconds": rating.seconds}
    cells = {name: number_text(value) for name, value in values.items() if value is not None}
    if rating.stars is None and is_filled(skip):
        cells[SKIP] = str(skip)
    return cells


def collect_panel(
    folder: Path, *, novices: bool = False, resampling: Resampling | None = None
) -> Collected:
    """``panel collect`` on the exported files of a project; ``novices`` writes their sittings."""
    sheets = sorted(str(path) for path in people_folder(folder).glob("*.csv"))
    return collect_files(
        str(folder / TEST),
        str(folder / PLAN),
        sheets,
        novices=str(folder / NOVICES) if novices else None,
        settings=CollectSettings(resampling=resampling),
    )


def is_rated(test: Test) -> bool:
    """Whether a test has experts' ratings to mark by."""
    return any(record.key and record.key.ratings for record in test.records())
