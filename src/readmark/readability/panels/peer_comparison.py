"""Machines compared with raters of whom none is an expert: ``panel mark`` without experts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from readmark.core.binding import require_known_ids, sat_splits
from readmark.core.errors import UsageError, did_you_mean
from readmark.core.numbers import decimal, listed_ids
from readmark.core.records import Unit, distinct_names
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.people_names import folded_name
from readmark.marking import MarkSettings
from readmark.readability.kind import Rating
from readmark.readability.panels.equivalence import (
    MARGIN,
    MEASURES,
    PeerVerdict,
    RepeatedRatings,
    is_correlation,
    judge_machine,
)
from readmark.readability.panels.peer_ratings import REFERENCES, PeerRatings, read_peers
from readmark.readability.panels.peer_tables import MachineLine, PeerTables
from readmark.readability.panels.rating_sittings import (
    OUTSIDE,
    on_passages,
    outside_scale,
    people_sittings,
    rating_sitting,
)
from readmark.statistics.equivalence import ALPHA
from readmark.statistics.interval_methods import few_words

DEFAULT = ("score_difference", "pearson", "spearman")


def compare_with_peers(
    test: Test,
    sittings: Sequence[str | Path | Sitting],
    novices: Sequence[str | Path | Sitting] = (),
    *,
    metrics: Sequence[str] = (),
    margin: float = MARGIN,
    reference: str = "mean",
    settings: MarkSettings | None = None,
    by_row: bool = False,
) -> PeerTables:
    """Every sitting compared with the raters: the novices' sittings, else the test's key."""
    test.require_kind("readability")
    settings = settings or MarkSettings()
    metrics = tuple(dict.fromkeys(metrics or DEFAULT))
    _require_valid(metrics, margin, reference)
    if not sittings:
        raise UsageError("name a sitting or more to be compared with the raters")
    people = people_sittings(novices, test, by_row=by_row)
    peers, notes = read_peers(test, people, reference=reference)
    index_of = {unit.id: index for index, unit in enumerate(peers.units)}
    machines = [rating_sitting(sitting, test) for sitting in sittings]
    lines: list[MachineLine] = []
    failed: dict[str, Sequence[str]] = {}
    names = distinct_names([machine.candidate for machine in machines])
    for name, machine in zip(names, machines, strict=True):
        # Both refuse a sitting of another test.
        sat_splits(test, machine)
        require_known_ids(test, machine)
        covers = on_passages(machine, test, list(index_of)).header.covers
        part = peers.of_passages(
            [index for id, index in index_of.items() if covers is None or id in covers]
        )
        ratings = [_ratings(test, machine, unit) for unit in part.units]
        verdicts = {
            metric: judge_machine(part, ratings, metric, margin=margin, settings=settings)
            for metric in metrics
        }
        lines.append(MachineLine(name, len(part.units), verdicts))
        notes += _notes(machine, part, ratings, verdicts)
        errors = [
            unit.id
            for unit in part.units
            if any(row.error is not None for row in machine.of(unit.id))
        ]
        if errors:
            failed[name] = errors
    if few := few_words(len(peers.units), "passage", settings.interval):
        notes.append(f"{test.file}: {few}")
    if "score_difference" in metrics:
        notes += _margin_notes(test.file, peers, margin)
    return PeerTables(
        test=test.header.name or Path(test.file).name,
        passages=len(peers.units),
        raters=tuple(peers.names),
        reference=reference,
        margin=margin,
        settings=settings,
        machines=lines,
        signatures={
            metric: _signature(test, metric, margin, reference, settings) for metric in metrics
        },
        failed=failed,
        notes=tuple(dict.fromkeys(notes)),
    )


def _require_valid(metrics: Sequence[str], margin: float, reference: str) -> None:
    for name in metrics:
        if name not in MEASURES:
            raise UsageError(
                f"metric {name!r} does not compare raters; {did_you_mean(name, MEASURES)}"
            )
    if not 0 < margin < math.inf:
        raise UsageError(f"margin {margin:g} is not above 0")
    if reference not in REFERENCES:
        raise UsageError(f"reference {reference!r} is not one of {'|'.join(REFERENCES)}")


def _ratings(test: Test, machine: Sitting, unit: Unit) -> RepeatedRatings:
    """A machine's ratings of a passage, one per repeat; an error is no rating."""
    rows = machine.of(unit.id)
    ratings = [test.kind.read_answer(row) if row.answered else None for row in rows]
    return ratings + [None] * (max(1, machine.header.repeats) - len(ratings))


def _signature(
    test: Test, metric: str, margin: float, reference: str, settings: MarkSettings
) -> str:
    # As for any difference, percentile intervals take the place of BCa.
    percentile = settings.without_bca()
    fisher = " of Fisher's z" if is_correlation(metric) else ""
    return percentile.signature(
        metric,
        MEASURES[metric],
        test.kind.record_noun,
        gold=f"{reference} of the other raters",
        people="leave-one-out",
        test=f"two one-sided t, jackknife{fisher}",
        margin=margin,
        alpha=ALPHA,
        **percentile.interval_rules(),
    )


def _notes(
    machine: Sitting,
    peers: PeerRatings,
    ratings: Sequence[RepeatedRatings],
    verdicts: Mapping[str, PeerVerdict],
) -> Iterator[str]:
    if folded_name(machine.candidate) in map(folded_name, peers.names):
        yield (
            f"{machine.file}: {machine.candidate} is one of the raters too: the references of the "
            "others hold these very ratings"
        )
    unanswered = [
        unit.id for unit, of_unit in zip(peers.units, ratings, strict=True) if None in of_unit
    ]
    if unanswered:
        yield f"{machine.file}: unanswered: {listed_ids(unanswered)}"
    outside = list(outside_scale(machine, [unit.id for unit in peers.units]))
    if outside:
        yield f"{machine.file}: {OUTSIDE}: {listed_ids(outside)}"
    for metric, verdict in verdicts.items():
        raters_by_reason: dict[str, list[str]] = {}
        for peer in verdict.each:
            if peer.why:
                raters_by_reason.setdefault(peer.why, []).append(peer.rater)
        for reason, names in raters_by_reason.items():
            if len(names) == len(verdict.each):
                yield f"{machine.file}: {metric}: {reason}"
            else:
                yield f"{machine.file}: {metric}: without {', '.join(names)}: {reason}"
        if verdict.test is not None and verdict.test.error is None:
            yield f"{machine.file}: {metric}: no test, undefined without one of the passages"


def _margin_notes(file: str, peers: PeerRatings, margin: float) -> Iterator[str]:
    """A warning where the margin is so wide that one rating for all passages is within it."""
    middle = float(np.nanmedian(peers.ratings))
    same = [(Rating(rating=middle, annotator=""),) for _ in peers.units]
    verdict = judge_machine(
        peers, same, "score_difference", margin=margin, settings=MarkSettings(draws=1)
    )
    behind = verdict.raters - verdict.machine
    if margin >= behind:
        where = f"{decimal(abs(behind))} stars {'farther from' if behind > 0 else 'nearer to'}"
        yield (
            f"{file}: rating every passage {middle:g} would be {where} the others than the average "
            f"rater: a verdict by score_difference with margin {margin:g} says little, see the "
            "correlations"
        )
