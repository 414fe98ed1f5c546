"""Ratings put where they belong: experts' into the key, each novice's into a sitting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.sitting import Row, Sitting, SittingHeader
from readmark.corpus.test import Header, Test, in_memory
from readmark.corpus.values import RatedPassage, Rating, RatingKey
from readmark.measures.agreement import Resampling
from readmark.setting.panels import EXPERT
from readmark.setting.panels.agreement import PanelsAgreement, agreement
from readmark.setting.panels.checking import check
from readmark.setting.panels.criteria import Criterion, listed
from readmark.setting.panels.findings import Finding
from readmark.setting.panels.planning import Judge, Plan, version_of
from readmark.setting.panels.ratings import Rated, Returned
from readmark.setting.panels.sheets import texts_by_code
from readmark.setting.panels.synthesised import SYNTHETIC, SYNTHETIC_NAME

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Collected:
    """A test with its experts' ratings, the novices' sittings, and all there is to tell."""

    test: Test
    novices: tuple[Sitting, ...]
    findings: tuple[Finding, ...]
    agreement: PanelsAgreement
    criteria: tuple[Criterion, ...]
    rows: int
    expected: int
    """Ratings that the plan asks for."""
    rated: int
    """Ratings that there are."""


def collect(
    test: Test,
    plan: Plan,
    returned: Returned,
    *,
    fastest: float | None = None,
    resampling: Resampling | None = None,
) -> Collected:
    """What the judges said, in its place; the plan must be of this paper."""
    _require_paper(test, plan)
    texts = texts_by_code(test, plan)
    findings = (*returned.findings, *check(plan, returned.rated, texts, fastest=fastest))
    given = [
        one for mine in returned.rated.values() for one in mine.values() if one.stars is not None
    ]
    return Collected(
        test=_rated(test, plan, returned),
        novices=tuple(
            _sitting(plan, judge, mine)
            for judge in plan.judges
            if judge.panel != EXPERT and (mine := returned.rated.get(judge.name))
        ),
        findings=findings,
        agreement=agreement(plan, returned.rated, resampling=resampling),
        criteria=tuple(listed(returned.criteria)),
        rows=returned.rows,
        expected=len(plan.passages) * len(plan.judges),
        rated=len(given),
    )


def _require_paper(test: Test, plan: Plan) -> None:
    if test.kind.name != "readability":
        raise DataError(f"is a {test.kind.name} test, expected readability", file=test.file)
    if test.facts.paper == plan.paper:
        return
    versions = {one.id: one.version for one in plan.passages}
    for record in test.records():
        if record.id in versions and version_of(record.text) != versions[record.id]:
            raise DataError(
                "the text of the passage is not the one that the plan was made for",
                file=test.file,
                where=record.id,
            )
    raise DataError("has other passages than the plan was made for", file=test.file)


def _rated(test: Test, plan: Plan, returned: Returned) -> Test:
    experts = [one for one in plan.judges if one.panel == EXPERT]
    by_id: dict[str, list[Rating]] = {}
    for judge in experts:
        for one in returned.rated.get(judge.name, {}).values():
            if one.stars is not None:
                by_id.setdefault(one.id, []).append(_rating(judge, one))
    if not by_id:
        return test
    _require_unrated(test)
    records = [_with_ratings(record, by_id.get(record.id, [])) for record in test.records()]
    about = {
        "seed": plan.seed,
        "round": plan.size,
        "experts": [one.name for one in experts],
        "criteria": [
            {
                "annotator": expert,
                "round": number,
                "turn": _turn(plan, expert, number),
                "text": text,
            }
            for expert, rounds in returned.criteria.items()
            for number, text in sorted(rounds.items())
        ],
    }
    return in_memory(_header(test.header, about), records, file=test.file)


def _require_unrated(test: Test) -> None:
    """Experts of two panels are not mixed: the gold would be neither's."""
    rated = {
        one.annotator or "somebody": None
        for record in test.records()
        if record.key is not None
        for one in record.key.ratings
    }
    if rated:
        raise DataError(
            f"has ratings already, by {', '.join(list(rated)[:_SHOWN])}"
            f"{', …' if len(rated) > _SHOWN else ''}: collect into a test without ratings",
            file=test.file,
        )


def _header(header: Header, about: Mapping[str, Any]) -> Header:
    """The header with the panel in it; that ratings are made up is no longer true."""
    fields = dict(header.fields)
    name = header.name
    if fields.pop(SYNTHETIC, False):
        fields.pop("note", None)
        name = name.removesuffix(SYNTHETIC_NAME) if name else name
    return msgspec.structs.replace(header, name=name, fields={**fields, "panel": about})


def _with_ratings(record: RatedPassage, ratings: list[Rating]) -> RatedPassage:
    if not ratings:
        return record
    key = msgspec.structs.replace(record.key or RatingKey(), ratings=tuple(ratings))
    return msgspec.structs.replace(record, key=key)


def _turn(plan: Plan, name: str, number: int) -> int | None:
    """A judge's how-manieth round one of the plan's is: its number on the sheet."""
    judge = plan.judge(name)
    rounds = [one.number for one in judge.rounds] if judge is not None else []
    return rounds.index(number) + 1 if number in rounds else None


def _rating(judge: Judge, one: Rated) -> Rating:
    return Rating(
        rating=one.stars or 0.0,
        annotator=judge.name,
        rank=one.rank,
        round=_place(judge, one.code)["round"],
        seconds=one.seconds,
    )


def _sitting(plan: Plan, judge: Judge, mine: Mapping[str, Rated]) -> Sitting:
    rows = {
        one.id: Row(
            id=one.id,
            rating=one.stars,
            seconds=one.seconds,
            evidence={
                **_place(judge, one.code),
                **({} if one.rank is None else {"rank": one.rank}),
            },
        )
        for one in mine.values()
        if one.stars is not None
    }
    header = SittingHeader(
        kind="readability",
        paper=plan.paper,
        candidate=judge.name,
        signature={"panel": judge.panel},
        fields={"panel": judge.panel, "seed": plan.seed, "round": plan.size},
    )
    return Sitting(header, rows, f"{judge.name}.jsonl")


def _place(judge: Judge, code: str) -> dict[str, Any]:
    """The round by its number, the judge's how-manieth it was, and the place in it."""
    return next(
        {"round": one.number, "turn": turn, "place": one.passages.index(code) + 1}
        for turn, one in enumerate(judge.rounds, 1)
        if code in one.passages
    )
