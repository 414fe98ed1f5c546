"""Sheets that come back filled in, on paper or from ``panel collect``, as work of the hall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError
from readmark.core.test import Header, in_memory
from readmark.formats.people_names import folded_name
from readmark.readability.hall.judgements import (
    ORDER,
    PASSAGE,
    SKIP,
    entry_object,
    order_words,
    placed_records,
)
from readmark.readability.panels.filled_rows import FilledRow, filled_rows
from readmark.readability.panels.judge_sheets import CRITERIA
from readmark.readability.panels.written_numbers import number
from readmark.works import WorkItem
from readmark.works.forms import NOTE


def read_sheet(
    path: Path, items: Mapping[str, WorkItem]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The objects in a sheet: person, name of the item, id of the object, and the object."""
    places = {
        name: (item, passage["code"], place)
        for item in items.values()
        for place, passage in enumerate(item.paper["passages"], 1)
        for name in (passage["id"], passage["code"])
    }
    records = sorted(
        (pair for item in items.values() for pair in placed_records(item)),
        key=lambda pair: pair[0],
    )
    test = in_memory(Header(kind="readability"), [record for _, record in records])
    rows: dict[tuple[str, str], dict[str, FilledRow]] = {}
    names: dict[str, str] = {}  # as first written, by the folded name
    for row in filled_rows(str(path), test.facts.paper, places):
        if row.cell("id") not in places:
            message = f"the project has no passage {row.cell('id')!r}"
            raise DataError(message, file=path, where=row.line)
        item, code, _ = places[row.cell("id")]
        person = names.setdefault(folded_name(row.judge), row.judge)
        rows.setdefault((person, item.name), {})[code] = row
    for (person, item_name), rows_of_round in rows.items():
        # Order and criteria follow all passages of the round, as in the view of the work.
        item_size = len(items[item_name].paper["passages"])
        ranks: dict[str, float] = {}
        for code, row in rows_of_round.items():
            rank = number(row.cell("rank"), "rank")
            if rank is not None:
                ranks[code] = rank
            fields = _fields(row)
            if fields:
                place = places[code][2]
                yield person, item_name, code, entry_object(PASSAGE, place, fields)
            if criteria := row.cell(CRITERIA):
                entry = entry_object(CRITERIA, item_size + 2, {CRITERIA: criteria})
                yield person, item_name, CRITERIA, entry
            if note := row.cell(NOTE):
                yield person, item_name, NOTE, {"type": NOTE, "value": note}
        if ranks:
            entry = entry_object(ORDER, item_size + 1, {ORDER: order_words(ranks)})
            yield person, item_name, ORDER, entry


def _fields(row: FilledRow) -> dict[str, Any]:
    """The fields of a passage's entry; whole stars as the form has them."""
    fields: dict[str, Any] = {}
    stars, seconds = number(row.cell("stars"), "stars"), number(row.cell("seconds"), "seconds")
    if stars is not None:
        fields["stars"] = int(stars) if stars == int(stars) else stars
    if seconds is not None:
        fields["seconds"] = seconds
    if row.cell(SKIP):
        fields[SKIP] = row.cell(SKIP)
    return fields
