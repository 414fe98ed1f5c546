"""The work ``panel``: each item is a round of ``readmark panel plan``, which every judge gets.

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

from readmark.core.numbers import decimal
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.formats.registry import save_test
from readmark.readability.hall.judgements import (
    ORDER,
    PASSAGE,
    SKIP,
    entry_object,
    placed_records,
    ratings_of,
)
from readmark.readability.hall.panel_files import RATED, collect_panel, is_rated, write_sheets
from readmark.readability.hall.returned_sheets import read_sheet
from readmark.readability.panels.checks import contradictions
from readmark.readability.panels.judge_sheets import CRITERIA
from readmark.readability.panels.ratings import JudgeRating
from readmark.readability.panels.rounds import EXPERT, ROUND, order_for_judge, plan_rounds
from readmark.readability.scale import HIGHEST, LOWEST, STARS
from readmark.works import (
    Configuration,
    ItemView,
    Objects,
    ProjectWork,
    TextView,
    Viewer,
    WorkFinding,
    WorkItem,
)
from readmark.works.field_values import is_filled
from readmark.works.forms import entries_of, fields_of, form_faults
from readmark.works.passages import only_test
from readmark.works.people_files import by_item, named_work

PAGE = "panel"
NAME = "round-{}"
_NUMBER = re.compile(r"\d+$")
_MOST_SHOWN = 5
"""Contradictions that are shown at a time."""
_TOLERANCE = 1.0
"""Stars from the experts' mean up to which a rating of a practice item is right."""


class RatingRounds:
    """Rate the passages of a round, put them in order, and as an expert say by what."""

    pages = ("panel",)

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without stars or an order, and rounds that cannot be."""
        yield from form_faults(configuration, PASSAGE, "stars", SKIP, "seconds")
        yield from form_faults(configuration, ORDER, ORDER)
        yield from form_faults(configuration, CRITERIA, CRITERIA)
        stars = fields_of(configuration, PASSAGE).get("stars")
        if stars is not None and list(stars.choices) != list(STARS):
            message = f"the choices of stars are the numbers from {LOWEST} to {HIGHEST}"
            yield ("entry", PASSAGE, "fields", "stars"), message
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
        settings: dict[str, Any] = {
            "size": int(configuration.options.get("round", ROUND)),
            "even": configuration.options.get("even") is True,
            "seed": configuration.project.seed,
        }
        plan = plan_rounds(test, **settings)
        placed = {record.id: (place, record) for place, record in enumerate(test.records())}
        for number, codes in enumerate(plan.rounds, 1):
            passages = [placed[plan.by_code[code].id] for code in codes]
            raters = {
                rating.annotator
                for _, record in passages
                if record.key is not None
                for rating in record.key.ratings
            }
            paper = {
                "round": number,
                "seed": plan.seed,
                "language": plan.language,
                "passages": [
                    {"code": code, "id": record.id, "text": record.text}
                    for code, (_, record) in zip(codes, passages, strict=True)
                ],
            }
            key = {
                "records": [
                    [place, msgspec.json.decode(msgspec.json.encode(record))]
                    for place, record in passages
                ],
                "plan": settings,
            }
            if raters:
                key["known_by"] = sorted(raters)
            yield WorkItem(NAME.format(number), paper, key)

    def order(
        self, items: Sequence[str], configuration: Configuration, login: str
    ) -> Sequence[str]:
        """The rounds in the order that the library draws for the judge."""
        names = {int(match[0]): name for name in items if (match := _NUMBER.search(name))}
        drawn = order_for_judge(
            dict.fromkeys(names, ()), seed=configuration.project.seed, judge=login
        )
        return [names[number] for number in drawn]

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passages, a form for each, the order and the criteria; nothing of their genre."""
        language = str(item.paper["language"])
        texts = tuple(
            TextView(passage["code"], passage["text"], language)
            for passage in item.paper["passages"]
        )
        forms = [*((text.id, PASSAGE) for text in texts), (ORDER, ORDER), (CRITERIA, CRITERIA)]
        objects = {id: entry_object(form, place, {}) for place, (id, form) in enumerate(forms, 1)}
        return ItemView(texts, objects, page=PAGE)

    def arrange(
        self, view: ItemView, item: WorkItem, configuration: Configuration, viewer: Viewer
    ) -> ItemView:
        """The passages in the judge's own order; the criteria are for experts."""
        codes = {passage["id"]: passage["code"] for passage in item.paper["passages"]}
        number = int(item.paper["round"])
        drawn = order_for_judge(
            {number: list(codes)}, seed=int(item.paper["seed"]), judge=viewer.login
        )
        places = {codes[id]: place for place, id in enumerate(drawn[number], 1)}
        objects = {
            id: {**value, "order": float(places[id])} if id in places else value
            for id, value in view.objects.items()
            if id != CRITERIA or EXPERT in viewer.roles
        }
        texts = tuple(sorted(view.texts, key=lambda text: places[text.id]))
        return replace(view, texts=texts, objects=objects)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Passages without stars, an order that is missing, and one that contradicts the stars.

        Haste and equal stars are for the organiser: a judge who is warned of them rates otherwise.
        """
        ratings = {rating.code: rating for rating in ratings_of(item, objects)}
        entries = [(code, entry) for code, entry in entries_of(objects, PASSAGE) if code in ratings]
        for code, fields in entries:
            if ratings[code].stars is None and not is_filled(fields.get(SKIP)):
                words = {"en": "no stars yet", "zh": "还没有评星"}
                yield WorkFinding("missing", words, "hint", code)
        rated = [rating for rating in ratings.values() if rating.stars is not None]
        if len(rated) > 1 and any(rating.rank is None for rating in rated):
            words = {"en": "The order is not decided yet.", "zh": "还没有确定顺序。"}
            yield WorkFinding("rank_missing", words, "hint", ORDER)
        yield from _contradictions([code for code, _ in entries], ratings)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Stars that are more than one from the mean of the key's experts."""
        records = {record.id: record for _, record in placed_records(item)}
        for rating in ratings_of(item, objects):
            key = records[rating.id].key
            if key is None or not key.ratings:
                continue
            mean = sum(expert.rating for expert in key.ratings) / len(key.ratings)
            if rating.stars is None or abs(rating.stars - mean) > _TOLERANCE:
                stars = decimal(mean, 1)
                words = {"en": f"The experts gave {stars}.", "zh": f"专家平均为 {stars} 星。"}
                yield WorkFinding("stars", words, "error", rating.code)

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """The plan, a sheet for each judge, and what ``panel collect`` makes of them."""
        people = named_work(project)
        if not people:
            return []
        write_sheets(project, people, folder)
        collected = collect_panel(folder, novices=True)
        if is_rated(collected.test):
            save_test(collected.test, folder / RATED)
        return sorted(path for path in folder.rglob("*") if path.is_file())

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """The sheets of ``panel plan``, filled in, and what else ``panel collect`` reads."""
        return by_item(read_sheet(path, items))


def _contradictions(
    codes: Sequence[str], ratings: Mapping[str, JudgeRating]
) -> Iterator[WorkFinding]:
    """Pairs whose order contradicts their stars, with the places at which the judge sees them."""
    places = {code: place for place, code in enumerate(codes, 1)}
    pairs = contradictions(codes, ratings)
    for pair in pairs[:_MOST_SHOWN]:
        better, worse = sorted((ratings[code] for code in pair), key=lambda each: each.rank or 0)
        first, second = places[better.code], places[worse.code]
        fewer, more = f"{better.stars:g}", f"{worse.stars:g}"
        yield WorkFinding(
            "rank_contradicts",
            {
                "en": f"Passage {first} ({fewer} ★) comes before passage {second} ({more} ★).",
                "zh": f"第 {first} 篇（{fewer} 星）排在第 {second} 篇（{more} 星）之前。",
            },
            "warning",
            ORDER,
            {
                "en": "The order says that the first is easier to read, the stars say the "
                "opposite. Change one of them, or leave both as they are.",
                "zh": "按顺序前者更易读，按星级则相反。可以修改其一，也可以保持不变。",
            },
        )
    if len(pairs) > _MOST_SHOWN:
        count = len(pairs) - _MOST_SHOWN
        words = {"en": f"{count} more pairs like these", "zh": f"另有 {count} 对类似情况"}
        yield WorkFinding("rank_contradicts", words, "warning", ORDER)


PANEL_WORK = RatingRounds()
