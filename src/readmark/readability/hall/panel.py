"""Readability panels: each item is a round of ``readmark panel plan``, which every judge gets.

A judge's work is the sheet that ``readmark panel collect`` reads. Experts' ratings become the key
of the rated test, and each novice becomes a sitting, as ``readmark panel mark`` takes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.numbers import decimal
from readmark.core.splits import without_hidden
from readmark.core.test import Header, Test, in_memory
from readmark.formats.people_names import folded_name
from readmark.formats.registry import save_test
from readmark.readability.kind import RatedPassage, RatingKey
from readmark.readability.panels.checks import contradictions
from readmark.readability.panels.collect import Collected, collect_files
from readmark.readability.panels.filled_rows import FilledRow, filled_rows
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
    ROUND,
    PanelPlan,
    own_order,
    plan_rounds,
    with_judges,
)
from readmark.readability.panels.written_numbers import number, number_text
from readmark.readability.scale import HIGHEST, LOWEST, STARS
from readmark.statistics.agreement.value import Resampling
from readmark.works import (
    Configuration,
    ItemView,
    Objects,
    PersonsWork,
    ProjectWork,
    TextView,
    Viewer,
    WorkFinding,
    WorkItem,
)
from readmark.works.field_values import is_filled
from readmark.works.forms import entries_of, fields_of, form_faults
from readmark.works.notes import note_of
from readmark.works.passages import only_test, test_of
from readmark.works.people_files import by_item, named_work, people_folder, work_on

ENTRY, ORDER = "passage", "order"
"""The form of a passage, and that of the order; ``criteria`` is the experts' own."""
PAGE = "panel"
SKIP, NOTE = "skip", "note"
"""Columns of a sheet for what only the hall has."""
TEST, RATED, NOVICES = "test.jsonl", "rated.jsonl", "novices"
NAME = "round-{}"
_NUMBER = re.compile(r"\d+$")
_SHOWN = 5
"""Contradictions that are shown at a time."""
_FAR = 1.0
"""Stars from the experts' mean up to which a rating of a practice item is right."""

Fields = Mapping[str, Any]


class RatingRounds:
    """Rate the passages of a round, put them in order, and as an expert say by what."""

    pages = ("panel",)

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without stars or an order, and rounds that cannot be."""
        yield from form_faults(configuration, ENTRY, "stars", SKIP, "seconds")
        yield from form_faults(configuration, ORDER, ORDER)
        yield from form_faults(configuration, CRITERIA, CRITERIA)
        stars = fields_of(configuration, ENTRY).get("stars")
        if stars is not None and list(stars.choices) != list(STARS):
            message = f"the choices of stars are the numbers from {LOWEST} to {HIGHEST}"
            yield ("entry", ENTRY, "fields", "stars"), message
        size, even = configuration.options.get("round", ROUND), configuration.options.get("even")
        if type(size) is not int or not 2 <= size <= 100:
            yield ("options", "round"), "round is a number of passages from 2 to 100"
        if not isinstance(even, bool | None):
            yield ("options", "even"), "even is true or false"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each round, balanced for genre and topic as in ``panel plan``."""
        test, _ = without_hidden(only_test(tests), "in the hall")
        test.require_kind("readability")
        setting: dict[str, Any] = {
            "size": int(configuration.options.get("round", ROUND)),
            "even": configuration.options.get("even") is True,
            "seed": configuration.project.seed,
        }
        plan = plan_rounds(test, **setting)
        records = {record.id: (place, record) for place, record in enumerate(test.records())}
        for turn, codes in enumerate(plan.rounds, 1):
            own = [(code, *records[plan.by_code[code].id]) for code in codes]
            raters = {
                rating.annotator
                for _, _, record in own
                if record.key is not None
                for rating in record.key.ratings
            }
            yield WorkItem(
                NAME.format(turn),
                {
                    "round": turn,
                    "seed": plan.seed,
                    "language": plan.language,
                    "passages": [
                        {"code": code, "id": record.id, "text": record.text}
                        for code, _, record in own
                    ],
                },
                {
                    "records": [[place, _builtins(record)] for _, place, record in own],
                    "plan": setting,
                    **({"known_by": sorted(raters)} if raters else {}),
                },
            )

    def order(
        self, items: Sequence[str], configuration: Configuration, login: str
    ) -> Sequence[str]:
        """The rounds in the order that the library draws for the judge."""
        names = {int(found[0]): name for name in items if (found := _NUMBER.search(name))}
        drawn = own_order(dict.fromkeys(names, ()), seed=configuration.project.seed, judge=login)
        return [names[turn] for turn in drawn]

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passages, a form for each, the order and the criteria; nothing of their genre."""
        passages, language = item.paper["passages"], str(item.paper["language"])
        texts = tuple(TextView(one["code"], one["text"], language) for one in passages)
        objects = {text.id: _entry(ENTRY, place, {}) for place, text in enumerate(texts, 1)}
        after = float(len(texts))
        return ItemView(
            texts,
            objects
            | {ORDER: _entry(ORDER, after + 1, {}), CRITERIA: _entry(CRITERIA, after + 2, {})},
            page=PAGE,
        )

    def arrange(
        self, view: ItemView, item: WorkItem, configuration: Configuration, viewer: Viewer
    ) -> ItemView:
        """The passages in the judge's own order; the criteria are for experts."""
        codes = {one["id"]: one["code"] for one in item.paper["passages"]}
        turn = int(item.paper["round"])
        drawn = own_order({turn: list(codes)}, seed=int(item.paper["seed"]), judge=viewer.login)
        places = {codes[id]: place for place, id in enumerate(drawn[turn], 1)}
        objects = {
            id: {**value, "order": float(places[id])} if id in places else value
            for id, value in view.objects.items()
            if id != CRITERIA or EXPERT in viewer.roles
        }
        return replace(
            view, texts=tuple(sorted(view.texts, key=lambda text: places[text.id])), objects=objects
        )

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Passages without stars, an order that is missing, and one that contradicts the stars.

        Haste and equal stars are for the organiser: a judge who is warned of them rates otherwise.
        """
        ratings = {rating.code: rating for rating in _ratings(item, objects, "")}
        given = [(code, fields) for code, fields in entries_of(objects, ENTRY) if code in ratings]
        places = {code: place for place, (code, _) in enumerate(given, 1)}
        for code, fields in given:
            if ratings[code].stars is None and not is_filled(fields.get(SKIP)):
                yield WorkFinding(
                    "missing", {"en": "no stars yet", "zh": "还没有评星"}, "hint", code
                )
        rated = [rating for rating in ratings.values() if rating.stars is not None]
        if len(rated) > 1 and any(rating.rank is None for rating in rated):
            words = {"en": "The order is not decided yet.", "zh": "还没有确定顺序。"}
            yield WorkFinding("rank_missing", words, "hint", ORDER)
        wrong = contradictions([code for code, _ in given], ratings)
        for pair in wrong[:_SHOWN]:
            better, worse = sorted((ratings[code] for code in pair), key=lambda one: one.rank or 0)
            first, then = places[better.code], places[worse.code]
            stars, more = f"{better.stars:g}", f"{worse.stars:g}"
            yield WorkFinding(
                "rank_contradicts",
                {
                    "en": f"Passage {first} ({stars} ★) comes before passage {then} ({more} ★).",
                    "zh": f"第 {first} 篇（{stars} 星）排在第 {then} 篇（{more} 星）之前。",
                },
                "warning",
                ORDER,
                {
                    "en": "The order says that the first is easier to read, the stars say the "
                    "opposite. Change one of them, or leave both as they are.",
                    "zh": "按顺序前者更易读，按星级则相反。可以修改其一，也可以保持不变。",
                },
            )
        if wrong[_SHOWN:]:
            count = len(wrong) - _SHOWN
            words = {"en": f"{count} more pairs like these", "zh": f"另有 {count} 对类似情况"}
            yield WorkFinding("rank_contradicts", words, "warning", ORDER)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Stars that are more than one from the mean of the key's experts."""
        records = {record.id: record for _, record in _records(item)}
        for rating in _ratings(item, objects, ""):
            key = records[rating.id].key
            if key is None or not key.ratings:
                continue
            mean = sum(one.rating for one in key.ratings) / len(key.ratings)
            if rating.stars is None or abs(rating.stars - mean) > _FAR:
                stars = decimal(mean, 1)
                words = {"en": f"The experts gave {stars}.", "zh": f"专家平均为 {stars} 星。"}
                yield WorkFinding("stars", words, "error", rating.code)

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """The plan, a sheet for each judge, and what ``panel collect`` makes of them."""
        people = named_work(project)
        if not people:
            return []
        write_sheets(project, people, folder)
        done = collect_panel(folder, novices=True)
        if is_rated(done.test):
            save_test(done.test, folder / RATED)
        return sorted(path for path in folder.rglob("*") if path.is_file())

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """The sheets of ``panel plan``, filled in, and what else ``panel collect`` reads."""
        return by_item(_read(path, items))


PANEL_WORK = RatingRounds()


def _entry(name: str, order: float, fields: Fields) -> dict[str, Any]:
    return {"type": "entry", "entry": name, "order": float(order), "fields": dict(fields)}


def _builtins(record: RatedPassage) -> Any:
    return msgspec.json.decode(msgspec.json.encode(record))


def _records(item: WorkItem) -> list[tuple[int, RatedPassage]]:
    """The passages of a round with their key, each with its place in the test."""
    return [
        (int(place), msgspec.convert(record, RatedPassage)) for place, record in item.key["records"]
    ]


# What a judge gave, from objects and as an order in words.


def order_words(ranks: Mapping[str, float]) -> str:
    """Ranks as the order object has them: ``p03 < p01 = p07``, the easiest first."""
    levels: dict[float, list[str]] = {}
    for code, rank in sorted(ranks.items(), key=lambda pair: pair[1]):
        levels.setdefault(rank, []).append(code)
    return " < ".join(" = ".join(codes) for codes in levels.values())


def ranks_in(words: object, rated: Iterable[str]) -> dict[str, int]:
    """The rank of each rated passage in an order; equals share the first of their places."""
    left = set(rated)
    ranks: dict[str, int] = {}
    for level in str(words or "").split("<"):
        place = len(ranks) + 1
        for code in level.split("="):
            if code.strip() in left:
                left.remove(code.strip())
                ranks[code.strip()] = place
    return ranks


def _ratings(item: WorkItem, objects: Objects, judge: str) -> Iterator[JudgeRating]:
    ids = {one["code"]: one["id"] for one in item.paper["passages"]}
    given = {code: fields for code, fields in entries_of(objects, ENTRY) if code in ids}
    stars = {
        code: float(value)
        for code, fields in given.items()
        if (value := _number(fields.get("stars"))) is not None and LOWEST <= value <= HIGHEST
    }
    words = next((fields.get(ORDER) for _, fields in entries_of(objects, ORDER)), "")
    ranks = ranks_in(words, stars)
    for code, fields in given.items():
        seconds = _number(fields.get("seconds"))
        yield JudgeRating(
            judge=judge,
            panel="",
            code=code,
            id=ids[code],
            stars=stars.get(code),
            rank=ranks.get(code),
            seconds=None if seconds is None or seconds < 0 else seconds,
            file="",
            line=0,
        )


def _number(value: object) -> float | None:
    """A number, also where a choice spells it as text."""
    return number(str(value)) if isinstance(value, int | float | str) and value != "" else None


def panel_of(person: PersonsWork) -> str:
    """Experts are those with that role; somebody who has left, by the criteria they wrote."""
    if person.roles:
        return EXPERT if EXPERT in person.roles else NOVICE
    wrote = (
        is_filled(fields.get(CRITERIA))
        for objects in person.objects.values()
        for _, fields in entries_of(objects, CRITERIA)
    )
    return EXPERT if any(wrote) else NOVICE


# Files: the test, the plan and the sheets; then what the library collects from them.


def plan_of(project: ProjectWork, people: Sequence[PersonsWork]) -> tuple[Test, PanelPlan]:
    """The test and the plan of a project, with its people as judges.

    Ratings that the test came with are left out once experts of the hall have rated.
    """
    judges = {
        panel: [person.person for person in people if panel_of(person) == panel]
        for panel in (EXPERT, NOVICE)
    }
    placed = sorted((pair for item in project.items for pair in _records(item)), key=_place)
    records = [record for _, record in placed]
    if judges[EXPERT]:
        records = [
            msgspec.structs.replace(record, key=_without_ratings(record.key)) for record in records
        ]
    test = test_of(project.header, records)
    setting = project.items[0].key["plan"]
    plan = with_judges(
        plan_rounds(test, **setting),
        experts=judges[EXPERT],
        novices=judges[NOVICE],
        lots={person.person: person.login for person in people if person.login},
    )
    return test, plan


def _place(placed: tuple[int, RatedPassage]) -> int:
    return placed[0]


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
            skips = dict(entries_of(objects, ENTRY))
            for rating in _ratings(item, objects, person.person):
                filled[rating.code] = _cells(rating, skips[rating.code].get(SKIP))
            turn = next(one for one in judge.rounds if one.number == item.paper["round"])
            first = filled.setdefault(turn.passages[0], {})
            if note := note_of(objects):
                first[NOTE] = note
            for _, fields in entries_of(objects, CRITERIA):
                if is_filled(fields.get(CRITERIA)):
                    first[CRITERIA] = str(fields[CRITERIA])
        name = SHEET.format(person.person)
        made = sheet(plan, judge, texts, filled=filled, more=(SKIP, NOTE))
        (people_folder(folder) / name).write_bytes(made)
    return plan


def _cells(rating: JudgeRating, skip: object) -> dict[str, str]:
    values = {"stars": rating.stars, "rank": rating.rank, "seconds": rating.seconds}
    cells = {name: number_text(value) for name, value in values.items() if value is not None}
    return cells | ({SKIP: str(skip)} if rating.stars is None and is_filled(skip) else {})


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
        resampling=resampling,
    )


def is_rated(test: Test) -> bool:
    """Whether a test has experts' ratings to mark by."""
    return any(record.key and record.key.ratings for record in test.records())


# Sheets that came back on paper.


def _read(
    path: Path, items: Mapping[str, WorkItem]
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    places = {
        name: (item, one["code"], place)
        for item in items.values()
        for place, one in enumerate(item.paper["passages"], 1)
        for name in (one["id"], one["code"])
    }
    placed = sorted((pair for item in items.values() for pair in _records(item)), key=_place)
    test = in_memory(Header(kind="readability"), [record for _, record in placed])
    rows: dict[tuple[str, str], dict[str, FilledRow]] = {}
    names: dict[str, str] = {}
    for row in filled_rows(str(path), test.facts.paper, places):
        if row.cell("id") not in places:
            message = f"the project has no passage {row.cell('id')!r}"
            raise DataError(message, file=path, where=row.line)
        item, code, _ = places[row.cell("id")]
        person = names.setdefault(folded_name(row.judge), row.judge)
        rows.setdefault((person, item.name), {})[code] = row
    for (person, item_name), own in rows.items():
        ranks: dict[str, float] = {}
        for code, row in own.items():
            cells = {name: number(row.cell(name), name) for name in ("stars", "seconds", "rank")}
            if (rank := cells.pop("rank")) is not None:
                ranks[code] = rank
            fields: dict[str, Any] = {
                name: value for name, value in cells.items() if value is not None
            }
            if fields.get("stars", 0.5) % 1 == 0:
                fields["stars"] = int(fields["stars"])
            if row.cell(SKIP):
                fields[SKIP] = row.cell(SKIP)
            if fields:
                yield person, item_name, code, _entry(ENTRY, places[code][2], fields)
            for name, text in ((CRITERIA, row.cell(CRITERIA)), (NOTE, row.cell(NOTE))):
                if text and name == NOTE:
                    yield person, item_name, NOTE, {"type": NOTE, "value": text}
                elif text:
                    size = len(items[item_name].paper["passages"])
                    made = _entry(CRITERIA, size + 2, {CRITERIA: text})
                    yield person, item_name, CRITERIA, made
        if ranks:
            words = {ORDER: order_words(ranks)}
            yield person, item_name, ORDER, _entry(ORDER, len(own) + 1, words)
