"""``readmark panel mark`` without experts: is a machine as good as one of the raters?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from readmark.core.binding import require_known_ids, sat_splits
from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.numbers import decimal, listed_ids
from readmark.core.records import Unit, distinct_names
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.people_names import folded_name
from readmark.marking import MarkSettings
from readmark.readability.kind import Rating
from readmark.readability.metrics.ratings import rating_of
from readmark.readability.panels.equivalence import (
    FEWEST,
    MARGIN,
    MEASURES,
    REFERENCES,
    Answers,
    PeerRatings,
    PeerVerdict,
    is_correlation,
    judge_machine,
)
from readmark.readability.panels.mark import (
    OUTSIDE,
    on_passages,
    outside_scale,
    people_sittings,
    rating_sitting,
    spelt_otherwise,
)
from readmark.readability.panels.peer_tables import MachineLine, PeerTables
from readmark.statistics.equivalence import ALPHA
from readmark.statistics.interval_methods import few_words

DEFAULT = ("score_difference", "pearson", "spearman")


def panel_raters(
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
    for name in metrics:
        if name not in MEASURES:
            raise UsageError(
                f"metric {name!r} does not compare raters; {did_you_mean(name, MEASURES)}"
            )
    if not 0 < margin < math.inf:
        raise UsageError(f"margin {margin:g} is not above 0")
    if reference not in REFERENCES:
        raise UsageError(f"reference {reference!r} is not one of {'|'.join(REFERENCES)}")
    if not sittings:
        raise UsageError("name a sitting or more to be compared with the raters")
    notes: list[str] = []
    people = people_sittings(novices, test, by_row=by_row)
    given = _from_sittings(test, people, notes) if people else _from_key(test)
    peers = _peers(test, given, reference, notes)
    places = {unit.id: index for index, unit in enumerate(peers.units)}
    machines = [rating_sitting(sitting, test) for sitting in sittings]
    lines: list[MachineLine] = []
    failed: dict[str, Sequence[str]] = {}
    names = distinct_names([machine.candidate for machine in machines])
    for name, machine in zip(names, machines, strict=True):
        sat_splits(test, machine)
        require_known_ids(test, machine)
        covers = on_passages(machine, test, list(places)).header.covers
        part = peers.of_passages([places[id] for id in places if covers is None or id in covers])
        answers = [_answers(test, machine, unit) for unit in part.units]
        verdicts = {
            metric: judge_machine(part, answers, metric, margin=margin, settings=settings)
            for metric in dict.fromkeys(metrics or DEFAULT)
        }
        lines.append(MachineLine(name, len(part.units), verdicts))
        notes += _notes(machine, part, answers, verdicts)
        errors = [
            unit.id
            for unit in part.units
            if any(row.error is not None for row in machine.of(unit.id))
        ]
        if errors:
            failed[name] = errors
    few = few_words(len(peers.units), "passage", settings.interval)
    notes += [f"{test.file}: {few}"] if few else []
    notes += _margin_notes(test.file, peers, margin, metrics or DEFAULT)
    percentile = settings.without_bca()
    said = {
        metric: percentile.signature(
            metric,
            MEASURES[metric],
            test.kind.record_noun,
            gold=f"{reference} of the other raters",
            people="leave-one-out",
            test="two one-sided t, jackknife"
            + (" of Fisher's z" if is_correlation(metric) else ""),
            margin=margin,
            alpha=ALPHA,
            **percentile.interval_rules(),
        )
        for metric in dict.fromkeys(metrics or DEFAULT)
    }
    return PeerTables(
        test=test.header.name or Path(test.file).name,
        passages=len(peers.units),
        raters=tuple(peers.names),
        reference=reference,
        margin=margin,
        settings=settings,
        machines=lines,
        signatures=said,
        failed=failed,
        notes=tuple(dict.fromkeys(notes)),
    )


# The ratings of people, from sittings or from the key.


Given = Mapping[str, Mapping[str, float]]
"""Ratings by passage, by rater."""


def _from_sittings(test: Test, sittings: Sequence[Sitting], notes: list[str]) -> Given:
    units = {unit.id: unit for unit in test.units()}
    seen: dict[str, Sitting] = {}
    given: dict[str, dict[str, float]] = {}
    for sitting in sittings:
        name = sitting.candidate
        sat_splits(test, sitting)
        if other := seen.get(folded_name(name)):
            raise DataError(
                f"{name!r} is also the rater of {other.file}"
                f"{spelt_otherwise(other.candidate, name)}; each rater counts once",
                file=sitting.file,
            )
        if sitting.header.repeats > 1:
            raise DataError(
                "a person rates a passage once, this sitting has repeats", file=sitting.file
            )
        seen[folded_name(name)] = sitting
        given[name] = {
            id: rating_of(units[id], test.kind.read_answer(row))
            for id in sitting
            if id in units
            for row in sitting.of(id)[:1]
            if row.answered
        }
        if not given[name]:
            raise DataError(f"{name!r} rated no passage of {test.file}", file=sitting.file)
        outside = list(outside_scale(sitting, given[name]))
        if outside:
            notes.append(f"{sitting.file}: {OUTSIDE}: {listed_ids(outside)}")
    return given


def _from_key(test: Test) -> Given:
    given: dict[str, dict[str, float]] = {}
    for unit in test.units():
        for [rating] in test.kind.references(unit):
            mine = given.setdefault(rating.annotator, {})
            if unit.id in mine:
                raise DataError(f"{unit.id}: {rating.annotator} rated it twice", file=test.file)
            mine[unit.id] = rating_of(unit, rating)
    if not given:
        raise UsageError(
            f"{test.file} has no ratings in its key: give people's sittings as `novices`"
        )
    return given


def _peers(test: Test, given: Given, reference: str, notes: list[str]) -> PeerRatings:
    """The raters in the order of their names, on the passages with enough of them."""
    names = sorted(given)
    if len(names) < FEWEST:
        raise DataError(
            f"comparing with raters takes {FEWEST} raters or more, found {len(names)} "
            f"({', '.join(names)})",
            file=test.file,
        )
    units = sorted(test.units(), key=lambda unit: unit.id)
    table = np.array([[given[name].get(unit.id, math.nan) for name in names] for unit in units])
    counts = np.isfinite(table).sum(axis=1)
    chosen = [int(index) for index in np.flatnonzero(counts >= FEWEST)]
    if len(chosen) < 2:
        most = int(counts.max())
        raise DataError(
            f"{counted(len(chosen), 'passage has', 'passages have')} {FEWEST} raters or more, "
            f"expected 2 or more: the raters rated different passages (at most {most} the same)",
            file=test.file,
        )
    few = [unit.id for unit, count in zip(units, counts, strict=True) if count < FEWEST]
    if few:
        notes.append(f"{test.file}: left out, fewer than {FEWEST} raters: {listed_ids(few)}")
    peers = PeerRatings(units, names, table, reference).of_passages(chosen)
    for name in names:
        if name not in peers.names:
            notes.append(f"{test.file}: {name} rated none of the passages that count")
    for index, name in enumerate(peers.names):
        missing = [
            peers.units[place].id for place in np.flatnonzero(~peers.rated[:, index]).tolist()
        ]
        if missing:
            notes.append(f"{test.file}: {name} did not rate {listed_ids(missing)}; the rest counts")
    return peers


def _answers(test: Test, machine: Sitting, unit: Unit) -> Answers:
    """One per repeat; an error is no answer."""
    rows = machine.of(unit.id)
    answers = [test.kind.read_answer(row) if row.answered else None for row in rows]
    return answers + [None] * (max(1, machine.header.repeats) - len(answers))


def _notes(
    machine: Sitting,
    peers: PeerRatings,
    answers: Sequence[Answers],
    verdicts: Mapping[str, PeerVerdict],
) -> Iterator[str]:
    if folded_name(machine.candidate) in map(folded_name, peers.names):
        yield (
            f"{machine.file}: {machine.candidate} is one of the raters too: the references of the "
            "others hold these very ratings"
        )
    unanswered = [
        unit.id for unit, given in zip(peers.units, answers, strict=True) if None in given
    ]
    if unanswered:
        yield f"{machine.file}: unanswered: {listed_ids(unanswered)}"
    outside = list(outside_scale(machine, [unit.id for unit in peers.units]))
    if outside:
        yield f"{machine.file}: {OUTSIDE}: {listed_ids(outside)}"
    for metric, verdict in verdicts.items():
        reasons: dict[str, list[str]] = {}
        for peer in verdict.each:
            if peer.why:
                reasons.setdefault(peer.why, []).append(peer.rater)
        for why, names in reasons.items():
            if len(names) == len(verdict.each):
                yield f"{machine.file}: {metric}: {why}"
            else:
                yield f"{machine.file}: {metric}: without {', '.join(names)}: {why}"
        if verdict.test is not None and verdict.test.error is None:
            yield f"{machine.file}: {metric}: no test, undefined without one of the passages"


def _margin_notes(
    file: str, peers: PeerRatings, margin: float, metrics: Sequence[str]
) -> Iterator[str]:
    """A warning where the margin is so wide that one rating for all passages is within it."""
    if "score_difference" not in metrics:
        return
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
