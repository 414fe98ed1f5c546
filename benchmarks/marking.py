"""How many times as fast as a plain implementation of the official rules EM and F1 are marked.

The plain one is the tests' oracle: a dynamic-programming table a pair, nothing kept. Both sides
mark the same predictions in the same process, and every mark is compared.

Run: python benchmarks/marking.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from figures import Figure
from synthetic import Shape, Writer

from oracles import official
from readmark.core.files import read_json
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test
from readmark.marking import build_metrics, mark, unit_vectors

PROFILE = "cmrc2018"
METRICS = (f"em(profile={PROFILE})", f"f1(profile={PROFILE})")
SHAPE = Shape(passages=750)
ROUNDS = 5
COLD, WARM = 5.0, 10.0
TOLERANCE = 1e-9

SHARED = Path(__file__).resolve().parents[2] / "shared"
TRIAL = SHARED / "data" / "cmrc2018" / "trial.json"
PREDICTIONS = SHARED / "golden" / "cmrc2018_trial.predictions.json"

Predictions = Mapping[str, str]


def forget() -> None:
    """Empty every cache of the package, as in a process that has marked nothing yet."""
    for name, module in list(sys.modules.items()):
        if name.startswith("readmark."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def sitting_of(predictions: Predictions) -> Sitting:
    """Predictions as a sitting that is already in memory."""
    rows = {id: Row(id=id, answer=text) for id, text in predictions.items()}
    return Sitting(SittingHeader(candidate="predictions"), rows)


def ours(test: Test, sitting: Sitting) -> tuple[float, dict[str, list[float]]]:
    """Seconds to mark a sitting, units, references and rows included, and what came out."""
    metrics = build_metrics(METRICS, test)
    start = time.perf_counter()
    marked = unit_vectors(test, sitting, metrics)
    seconds = time.perf_counter() - start
    columns = [marked.by_metric[name][:, 0].tolist() for name in METRICS]
    return seconds, dict(zip(marked.ids, map(list, zip(*columns, strict=True)), strict=True))


def plainly(
    references: Mapping[str, Sequence[str]], predictions: Predictions
) -> tuple[float, dict[str, tuple[float, float]]]:
    """Seconds and marks of the plain implementation."""
    start = time.perf_counter()
    marks = {
        id: official.best(PROFILE, texts, predictions[id]) if id in predictions else (0.0, 0.0)
        for id, texts in references.items()
    }
    return time.perf_counter() - start, marks


def same(ours: Mapping[str, list[float]], marks: Mapping[str, tuple[float, float]]) -> None:
    """Every mark of both sides is the same, or the benchmark has no meaning."""
    for id, got in ours.items():
        if any(abs(one - other) > TOLERANCE for one, other in zip(got, marks[id], strict=True)):
            raise SystemExit(f"{id}: marked {got}, the official rules give {marks[id]}")
    if len(ours) != len(marks):
        raise SystemExit(f"{len(ours)} units were marked, expected {len(marks)}")


def ratios(test: Test, first: Predictions, second: Predictions) -> tuple[float, float]:
    """Times as fast with nothing kept, and on a second sitting of the same test."""
    references = {
        unit.id: [one.text for person in test.kind.references(unit) for one in person]
        for unit in test.units()
    }
    sittings = sitting_of(first), sitting_of(second)
    cold: list[float] = []
    warm: list[float] = []
    plain_first: list[float] = []
    plain_second: list[float] = []
    for _ in range(ROUNDS):
        forget()
        for sitting, predictions, mine, plain in (
            (sittings[0], first, cold, plain_first),
            (sittings[1], second, warm, plain_second),
        ):
            seconds, found = ours(test, sitting)
            mine.append(seconds)
            seconds, marks = plainly(references, predictions)
            plain.append(seconds)
            same(found, marks)
    units = len(references)
    for what, mine, plain in (("first", cold, plain_first), ("second", warm, plain_second)):
        print(
            f"  {what} sitting: {min(mine) / units * 1e6:.1f} µs a question, the official rules "
            f"plainly {min(plain) / units * 1e6:.1f} µs (each the least of {ROUNDS} runs)"
        )
    return min(plain_first) / min(cold), min(plain_second) / min(warm)


def synthetic() -> tuple[Test, Predictions, Predictions]:
    """An invented test with three answers a question, and two sittings of it."""
    writer = Writer(seed=1)
    test = in_memory(Header(name="synthetic", language="zh"), writer.passages(SHAPE))
    found: tuple[dict[str, str], dict[str, str]] = {}, {}
    for unit in test.units():
        for predictions in found:
            said = writer.prediction(unit.record.text, unit.key.answers[0])
            if said is not None:
                predictions[unit.id] = said
    return test, *found


def measure() -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    test, first, second = synthetic()
    test.facts  # noqa: B018 - surveyed once, as reading a test does; marking is what is timed
    print(
        f"EM and F1, {PROFILE}, {test.facts.units:,} invented questions, "
        f"{SHAPE.answers} answers each, every mark the same on both sides:"
    )
    cold, warm = ratios(test, first, second)
    figures = [
        Figure("marking against the official rules done plainly, cold", cold, "times", least=COLD),
        Figure("marking a second sitting of the same test", warm, "times", least=WARM),
    ]
    print(*(f"  {figure}" for figure in figures), sep="\n")
    start = time.perf_counter()
    mark(test, sitting_of(second), metrics=METRICS)
    whole = (time.perf_counter() - start) / test.facts.units
    print(f"  beside it, all of readmark.mark, people and intervals too: {whole * 1e6:.1f} µs")
    if TRIAL.exists() and PREDICTIONS.exists():
        read, said = open_test(TRIAL), read_json(PREDICTIONS)
        test = in_memory(read.header, read.records())
        print(f"the same on CMRC 2018's trial set, {test.facts.units:,} questions, 1 answer each:")
        # The second sitting is another candidate's: each prediction less its last character.
        cold, warm = ratios(test, said, {id: text[:-1] for id, text in said.items()})
        print(f"  {cold:.1f} times as fast cold, {warm:.1f} times on a second sitting")
    return figures


if __name__ == "__main__":
    raise SystemExit(0 if all(figure.ok for figure in measure()) else 1)
