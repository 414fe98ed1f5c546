"""Scores taken apart by the quantities of a domain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError
from readmark.tasks.decompositions.combinations import Reading
from readmark.tasks.decompositions.posterior import (
    Combination,
    Explanation,
    TakenApart,
    explain,
    last_event,
    read_reading,
    take_apart,
    told,
)
from readmark.tasks.decompositions.scheme import Scheme, read_scheme
from readmark.tasks.ground import ground
from readmark.tasks.packer import domain_folder
from readmark.tasks.reasoning.graphs import Statement

QUANTITIES = "decomposition.toml"


@dataclass(frozen=True, slots=True)
class Decomposed:
    """What explains scores, and for each that says so, what made it."""

    scheme: Scheme
    readings: tuple[Reading, ...]
    explanation: Explanation
    lasts: Mapping[int, Mapping[str, Fraction]]


def decompose(
    domain: str,
    scores: Sequence[str],
    *,
    sides: Sequence[str] = (),
    known: Sequence[str] = (),
    final: bool = True,
) -> Decomposed:
    """The combinations behind scores told in their order, by a domain's name, folder or file."""
    scheme = scheme_of(domain)
    readings = tuple(map(read_reading, scores))
    if len(readings) and not sides and not any(one.scores for one in readings):
        count = max(len(one.either) for one in readings)
        sides = ["total"] if count == 1 else [f"side {number}" for number in range(1, count + 1)]
    found = explain(scheme, readings, sides=sides, known=known, final=final)
    asked = [at for at, one in enumerate(readings) if one.last is not None and found.possible]
    lasts = {
        at: last_event(scheme, readings, at=at, sides=sides, known=known, final=final)
        for at in asked
    }
    return Decomposed(scheme, readings, found, lasts)


@dataclass(frozen=True, slots=True)
class StatedTotal:
    """A total that a document states or implies, with what explains it."""

    document: str
    taken: TakenApart


def decompose_stated(domain: str, inputs: Sequence[str]) -> tuple[Scheme, list[StatedTotal]]:
    """The totals in the statements of tasks and files and in what follows from them."""
    scheme = scheme_of(domain)
    folder = Path(domain).parent if Path(domain).is_file() else domain_folder(domain)
    by_document: defaultdict[str, list[Statement]] = defaultdict(list)
    with ground(inputs, domain=str(folder)) as found:
        for one in found.inference.statements():
            by_document[one.graph].append(one.statement)
    return scheme, [
        StatedTotal(document, taken)
        for document, statements in sorted(by_document.items())
        for taken in sorted(take_apart(scheme, statements), key=lambda one: one.subject)
    ]


def scheme_of(domain: str) -> Scheme:
    """The quantities of a domain that ships, or those of a folder or file."""
    path = Path(domain)
    file = path if path.is_file() else domain_folder(domain) / QUANTITIES
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataError("the domain declares no quantities", file=file) from None
    except UnicodeDecodeError as wrong:
        raise DataError(f"not valid UTF-8 (byte {wrong.start + 1})", file=file) from None
    return read_scheme(text, file)


def decomposed_json(found: Decomposed, *, most: int) -> dict[str, Any]:
    """For ``--json``: combinations, hypotheses and what made the scores; chances are floats."""
    explanation = found.explanation
    return {
        "possible": explanation.possible,
        "sides": list(explanation.sides),
        "count": len(explanation.combinations),
        "combinations": [
            _combination(found.scheme, one) for one in explanation.combinations[:most]
        ],
        "hypotheses": [
            {
                "probability": float(one.probability),
                "scores": [dict(scores) for scores in one.scores],
                "leader": one.leader(),
                "combinations": [_combination(found.scheme, c) for c in one.combinations[:most]],
            }
            for one in explanation.hypotheses
        ],
        "last": [
            {"score": at + 1, "events": {name: float(one) for name, one in events.items()}}
            for at, events in found.lasts.items()
        ],
    }


def stated_json(scheme: Scheme, found: Sequence[StatedTotal], *, most: int) -> dict[str, Any]:
    """For ``--json``: a total an entry."""
    return {
        "totals": [
            {
                "document": one.document,
                "subject": one.taken.subject.text,
                "total": one.taken.total,
                "possible": one.taken.explanation.possible,
                "combinations": [
                    {
                        "probability": float(each.probability),
                        "counts": dict(next(iter(each.counts.values()))),
                    }
                    for each in one.taken.explanation.combinations[:most]
                ],
            }
            for one in found
        ]
    }


def _combination(scheme: Scheme, one: Combination) -> dict[str, Any]:
    return {
        "probability": float(one.probability),
        "counts": {side: dict(counts) for side, counts in one.counts.items()},
        "told": {side: told(scheme, counts) for side, counts in one.counts.items()},
    }
