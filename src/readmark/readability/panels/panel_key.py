"""Experts' ratings as the key of the test, and each novice's ratings as a sitting.

The mean of the experts is the gold; a novice is a candidate, as a machine is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.numbers import first_ids
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.readability.kind import Rating, RatingKey
from readmark.readability.panels.ratings import JudgeRating, ReturnedRatings
from readmark.readability.panels.rounds import EXPERT, PanelJudge, PanelPlan
from readmark.readability.panels.synthetic_judges import SYNTHETIC, SYNTHETIC_NAME

_SHOWN_RATERS = 5


def with_experts_key(test: Test, plan: PanelPlan, returned: ReturnedRatings) -> Test:
    """The test with the experts' ratings as its key; as it is where no expert rated."""
    experts = [judge for judge in plan.judges if judge.panel == EXPERT]
    ratings: dict[str, list[Rating]] = {}
    for expert in experts:
        for rating in returned.rated.get(expert.name, {}).values():
            if rating.stars is not None:
                expert_rating = Rating(
                    rating=rating.stars,
                    annotator=expert.name,
                    rank=rating.rank,
                    round=_place(expert, rating.code)["round"],
                    seconds=rating.seconds,
                )
                ratings.setdefault(rating.id, []).append(expert_rating)
    if not ratings:
        return test
    _require_unrated(test)
    records = []
    for record in test.records():
        if record.id in ratings:
            key = record.key or RatingKey()
            key = msgspec.structs.replace(key, ratings=tuple(ratings[record.id]))
            record = msgspec.structs.replace(record, key=key)
        records.append(record)
    panel = {
        "seed": plan.seed,
        "round": plan.size,
        "experts": [expert.name for expert in experts],
        "criteria": _criteria(plan, returned),
    }
    return in_memory(_header(test.header, panel), records, file=test.file)


def _criteria(plan: PanelPlan, returned: ReturnedRatings) -> list[dict[str, Any]]:
    """Experts' criteria with their rounds, by the numbers in the plan and on the expert's sheet."""
    turns = {
        judge.name: {round_.number: turn for turn, round_ in enumerate(judge.rounds, 1)}
        for judge in plan.judges
    }
    return [
        {"annotator": name, "round": number, "turn": turns[name][number], "text": text}
        for name, rounds in returned.criteria.items()
        for number, text in sorted(rounds.items())
    ]


def novice_sitting(
    plan: PanelPlan, novice: PanelJudge, ratings: Mapping[str, JudgeRating]
) -> Sitting:
    """The ratings of a novice as a sitting; a rank, which is no answer, is evidence."""
    rows = {
        rating.id: Row(
            id=rating.id,
            answer=rating.stars,
            seconds=rating.seconds,
            evidence={
                **_place(novice, rating.code),
                **({} if rating.rank is None else {"rank": rating.rank}),
            },
        )
        for rating in ratings.values()
        if rating.stars is not None
    }
    header = SittingHeader(
        kind="readability",
        paper=plan.paper,
        candidate=novice.name,
        signature={"panel": novice.panel},
        fields={"panel": novice.panel, "seed": plan.seed, "round": plan.size},
    )
    return Sitting(header, rows, f"{novice.name}.jsonl")


def _require_unrated(test: Test) -> None:
    """Experts of two panels are not mixed: the gold would be neither's."""
    raters = {
        rating.annotator or "somebody": None
        for record in test.records()
        if record.key is not None
        for rating in record.key.ratings
    }
    if raters:
        raise DataError(
            f"has ratings already, by {first_ids(list(raters), _SHOWN_RATERS)}: "
            "collect into a test without ratings",
            file=test.file,
        )


def _header(header: Header, panel: Mapping[str, Any]) -> Header:
    """The header with the panel in it; that ratings are made up is no longer true."""
    fields = dict(header.fields)
    name = header.name
    if fields.pop(SYNTHETIC, False):
        fields.pop("note", None)
        name = name.removesuffix(SYNTHETIC_NAME) if name else name
    return msgspec.structs.replace(header, name=name, fields={**fields, "panel": panel})


def _place(judge: PanelJudge, code: str) -> dict[str, int]:
    """The round by its number in the plan and on the judge's sheet, and the place in it."""
    return next(
        {"round": round_.number, "turn": turn, "place": round_.passages.index(code) + 1}
        for turn, round_ in enumerate(judge.rounds, 1)
        if code in round_.passages
    )
