"""Making a board: a row for each submission, of marks that were released and nothing else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from readmark.core.marksheet import PEOPLE
from readmark.core.seen import SeenPassages
from readmark.reporting import (
    SplitMarks,
    Standing,
    StandingColumns,
    StandingMark,
    StandingMetric,
    StandingOrder,
    Standings,
    StandingSlice,
    StandingSplit,
)
from readmark.server.boards.comparisons import PairedComparisons
from readmark.server.boards.placing import (
    BoardMaterial,
    MarkedSubmission,
    Place,
    decide_releases,
    ordered_submissions,
    ordering_split,
    places_of,
)
from readmark.server.boards.stored import Board, BoardSubmission, newest_board
from readmark.server.shared_tasks.options import options_of
from readmark.server.shared_tasks.people_row import PEOPLE_MARKS
from readmark.server.shared_tasks.submissions import MARKED, WAITING, WITHDRAWN
from readmark.server.stored_project import kept_about
from readmark.server.tables import ProjectFile, Submission, Team
from readmark.server.views import newest_configuration


def gather_material(session: Session, project_id: str) -> BoardMaterial:
    """All marks of a task, released or not, and what its options say of showing them."""
    rows = session.execute(
        select(Submission, Team.name)
        .join(Team, Team.id == Submission.team_id, isouter=True)
        .where(
            Submission.project_id == project_id,
            Submission.state.in_((MARKED, WAITING, WITHDRAWN)),
        )
        .order_by(Submission.number)
    ).all()
    replies = [json.loads(row.marks) for row, _ in rows]
    options = options_of(newest_configuration(session, project_id))
    about = kept_about(session, project_id)
    people_file = session.scalar(
        select(ProjectFile)
        .where(ProjectFile.project_id == project_id, ProjectFile.role == PEOPLE_MARKS)
        .order_by(ProjectFile.number.desc())
        .limit(1)
        .options(undefer(ProjectFile.content))
    )
    people_reply = {} if people_file is None else json.loads(people_file.content)
    last_board = newest_board(session, project_id)
    lower_is_better = (
        metric for reply in (*replies, people_reply) for metric in reply.get("lower_is_better", ())
    )
    return BoardMaterial(
        options,
        about,
        [
            MarkedSubmission(row, team, reply.get("splits", {}))
            for (row, team), reply in zip(rows, replies, strict=True)
        ],
        people_reply.get("splits", {}),
        () if last_board is None else tuple(last_board.content.decided),
        frozenset(lower_is_better),
    )


def make_board(material: BoardMaterial, comparisons: PairedComparisons) -> Board:
    """The board as it is stored: everything in it was released."""
    withheld, decided = decide_releases(material, comparisons)
    released = {
        submission.id: material.rules.release(
            submission.splits, withheld=withheld.get(submission.id)
        )
        for submission in material.shown
    }
    # From here on scores are those of released marks, so that a place tells of no other.
    split = ordering_split(material, released)
    ordered = ordered_submissions(material, released, split)
    best: dict[tuple[str | None, str, bool], MarkedSubmission] = {}
    for submission in ordered:
        best.setdefault(submission.system, submission)
    places = places_of(material, comparisons, list(best.values()), released, split)
    counts = Counter(submission.system for submission in material.shown)
    people = material.rules.release(material.people)
    released_parts = [part for parts in (*released.values(), people) for part in parts.values()]
    rows = [_people_row(people)] if people else []
    for submission in ordered:
        is_best = best[submission.system] is submission
        place = places.get(submission.id, Place())
        rows.append(
            Standing(
                key=submission.id,
                name=submission.row.system,
                splits={
                    name: _split_marks(part, with_slices=is_best)
                    for name, part in released[submission.id].items()
                },
                ranks=place.ranks,
                next=place.next,
            )
        )
    return Board(
        kind=material.about["kind"],
        standings=Standings(
            columns=StandingColumns(
                splits=[
                    StandingSplit(
                        name=name,
                        units=material.about["units"].get(name, 0),
                        is_hidden=name in material.hidden,
                    )
                    for name in material.splits
                ],
                metrics=_metric_columns(material, released_parts),
            ),
            rows=rows,
            fields=list(dict.fromkeys(field for part in released_parts for field in part["by"])),
            order=StandingOrder(split=split, metrics=[material.order_by]),
        ),
        submissions={
            submission.id: BoardSubmission(
                number=submission.row.number,
                system=submission.row.system,
                team=submission.team,
                description=submission.row.description,
                is_ensemble=submission.row.is_ensemble,
                origin=submission.row.origin,
                phase=submission.row.phase,
                received=submission.row.received,
                of_system=counts[submission.system],
            )
            for submission in ordered
        },
        alpha=material.options.alpha,
        ladder=material.rules.has_ladder,
        smallest_slice=material.options.smallest_slice,
        decided=decided,
    )


def _metric_columns(
    material: BoardMaterial, parts: Iterable[Mapping[str, Any]]
) -> list[StandingMetric]:
    """The columns under each split, with how they were made."""
    names = dict.fromkeys((*material.columns, material.order_by))
    scales: dict[str, float] = {}
    signatures: dict[str, dict[str, None]] = {name: {} for name in names}
    for part in parts:
        for name, mark in (part["marks"] or {}).items():
            if name in signatures:
                scales[name] = mark["scale"]
                signatures[name][mark["signature"]] = None
    return [
        StandingMetric(
            name=name,
            scale=scales.get(name, 1.0),
            lower_is_better=name in material.lower_metrics,
            signatures=list(signatures[name]),
        )
        for name in names
    ]


def _people_row(released: Mapping[str, Any]) -> Standing:
    """People's row: of several splits, some may have people and others references."""
    parts = released.values()
    who = dict.fromkeys(part.get("who", PEOPLE) for part in parts)
    method = ", ".join(dict.fromkeys(part["method"] for part in parts))
    return Standing(
        name=f"{' and '.join(who)} ({method})",
        splits={name: _split_marks(part) for name, part in released.items()},
        method=method,
    )


def _split_marks(part: Mapping[str, Any], *, with_slices: bool = True) -> SplitMarks:
    """Released marks of a split, without what the columns say."""
    seen = part.get("seen")
    slices = {
        field: {
            value: StandingSlice(units=marked["units"], marks=_standing_marks(marked["marks"]))
            for value, marked in values.items()
        }
        for field, values in part["by"].items()
    }
    return SplitMarks(
        units=part["units"],
        marks=None if part["marks"] is None else _standing_marks(part["marks"]),
        withheld=part.get("withheld"),
        answered=part.get("answered"),
        by=slices if with_slices else {},
        seen=None if seen is None else msgspec.convert(seen, SeenPassages),
        method=part.get("method"),
        who=part.get("who"),
        people=part.get("people"),
    )


def _standing_marks(marks: Mapping[str, Any]) -> dict[str, StandingMark]:
    return {
        name: StandingMark(score=mark["score"], low=mark["low"], high=mark["high"])
        for name, mark in marks.items()
    }
