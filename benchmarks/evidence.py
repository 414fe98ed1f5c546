"""How well and how fast the evidence reader chooses sentences, compared with other readers.

Each public set is cut in two halves by a hash of its passages (the two languages of XQuAD alike):
the first was looked at while the features were made, the second was not. ``holds`` is the share
of questions whose chosen sentence holds a gold span whole; HumSent and AutSent are the metrics.

Run: python benchmarks/evidence.py ../shared/data [--reader NAME] [--beside NAME]... [--set NAME]...
     [--half dev|held|all]

``--reader evidence --beside "evidence(encoder=false)" --beside span`` compares the slower speed
with the faster one, and with the sentences in which the span reader's answers begin.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import time
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from readmark.core.records import Answer, Unit
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.formats.registry import open_test
from readmark.marking import build_metrics
from readmark.sitting.candidates import build_candidate
from readmark.statistics.randomisation import paired_p
from readmark.statistics.resampling import bootstrap, cluster_sums

SETS = {
    "XQuAD en": ("xquad/en.json", "holds"),
    "XQuAD zh": ("xquad/zh.json", "holds"),
    "CMRC trial": ("cmrc2018/trial.json", "holds"),
    "DRCD dev": ("drcd/dev.json.gz", "holds"),
    "ExpMRC squad": ("expmrc/squad.json", "humsent"),
    "CBC4Kids": ("cbc4kids", "autsent"),
}
TRIALS, DRAWS, SEED = 10_000, 1_000, 1


@dataclass(frozen=True)
class Sat:
    """One reader's answers to a test, and the questions it answered in a second."""

    rows: dict[str, Row]
    rate: float


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("data", type=Path)
    asked.add_argument("--reader", default="evidence(encoder=false)")
    asked.add_argument("--half", choices=("dev", "held", "all"), action="append")
    asked.add_argument("--beside", action="append", help="default: bow")
    asked.add_argument("--set", choices=tuple(SETS), action="append")
    given = asked.parse_args()
    others = given.beside or ["bow"]
    english = {unit.id: unit.record for unit in open_test(given.data / SETS["XQuAD en"][0]).units()}
    print(
        f"{'set':13} {'half':5} {'metric':8} {'n':>5} {'beside':>8}          "
        f"{given.reader} (95%)       p        q/s"
    )
    for title, (file, measure) in SETS.items():
        if given.set and title not in given.set:
            continue
        test = open_test(given.data / file)
        sat = {name: _sit(name, test) for name in (*others, given.reader)}
        for half in given.half or ("dev", "held", "all"):
            units = [
                unit
                for unit in test.units()
                if half in ("all", _half(english.get(unit.id, unit.record)))
            ]
            for metric in dict.fromkeys((measure, "humsent" if measure == "holds" else measure)):
                for name in others:
                    pair = [sat[name], sat[given.reader]]
                    _print(title, half, metric, test, units, name, pair)


def _print(
    title: str,
    half: str,
    metric: str,
    test: Test,
    units: list[Unit],
    beside: str,
    sat: list[Sat],
) -> None:
    groups = sorted({unit.group for unit in units})
    codes = np.array([groups.index(unit.group) for unit in units])
    first, second = (
        cluster_sums(np.array(list(_vectors(metric, test, units, one))), codes, len(groups))
        for one in sat
    )

    def share(sums: Any) -> Any:
        return sums[..., 0] / sums[..., 1]

    p = paired_p(first, second, share, seed=SEED, trials=TRIALS)
    low, high = np.percentile(bootstrap(second, share, seed=SEED, draws=DRAWS), [2.5, 97.5])
    a, b = (100 * share(one.sum(0)) for one in (first, second))
    print(
        f"{title:13} {half:5} {metric:8} {int(second.sum(0)[1]):5d} {beside:>8} "
        f"{a:8.1f} {b:8.1f} "
        f"({100 * low:.1f}-{100 * high:.1f})  {p:.4f} {sat[1].rate:8.0f}",
        flush=True,
    )


def _vectors(metric: str, test: Test, units: list[Unit], sat: Sat) -> Iterator[tuple[float, float]]:
    if metric != "holds":
        (_, made), *_ = build_metrics([metric], test).items()
        for unit in units:
            row = sat.rows[unit.id]
            answer = Answer(text=str(row.text), start=row.start, end=row.end, sentence=row.sentence)
            one, many = made.statistics(unit, test.kind.references(unit), answer)
            yield one, many
        return
    for unit in units:
        start, end = sat.rows[unit.id].sentence or (0, 0)
        spans = [one.offsets for one in unit.key.answers if one.offsets is not None]
        yield float(any(start <= first and last <= end for first, last in spans)), 1.0


def _sit(name: str, test: Test) -> Sat:
    _, candidate = build_candidate(name, test)
    candidate.prepare(test.kind, test.language)
    units = list(test.paper().units())
    list(candidate.answer(units[:50]))
    started = time.process_time()
    rows = {row.id: row for row in candidate.answer(units)}
    spent = time.process_time() - started
    broken = [row for row in rows.values() if row.error]
    if broken:
        raise SystemExit(f"{name}: {broken[0].error}")
    return Sat(rows, len(units) / spent)


def _half(record: Any) -> str:
    start, end = record.fields.get("parts", {}).get("story", (0, len(record.text)))
    bare = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", record.text[start:end]).lower())
    return "dev" if hashlib.sha256(bare.encode()).digest()[0] < 128 else "held"


if __name__ == "__main__":
    main()
