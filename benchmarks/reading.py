"""How fast the sentence readers are on analysed tests: questions a second on one core.

The bundled tests carry their words, sentences and entities; each passage is read anew many times.

Run: python benchmarks/reading.py
"""

from __future__ import annotations

import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import time
from importlib.resources import files

import msgspec
from figures import Figure

from readmark.core.records import Unit
from readmark.formats.registry import open_test
from readmark.sitting.candidates import build_candidate

ROUNDS = 5
COPIES = 20
READERS = (("bow(seg=gold)", 20_000.0), ("evidence(encoder=false)", 1_000.0))


def units(language: str) -> list[Unit]:
    """Every question of the bundled test, several times over; each copy is another passage."""
    test = open_test(str(files("readmark.bundle").joinpath(f"reading.{language}.jsonl"))).paper()
    found = []
    for _ in range(COPIES):
        for record in test.records():
            copy = msgspec.structs.replace(record, fields=dict(record.fields))
            found += list(test.kind.units(copy))
    return found


def measure() -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    figures = []
    print(f"sentence readers on one core, best of {ROUNDS} rounds:")
    for name, least in READERS:
        for language in ("en", "zh"):
            path = str(files("readmark.bundle").joinpath(f"reading.{language}.jsonl"))
            test = open_test(path)
            _, candidate = build_candidate(name, test)
            candidate.prepare(test.kind, test.language)
            asked = units(language)
            best = 0.0
            for _ in range(ROUNDS):
                begun = time.perf_counter()
                count = sum(row.error is None for row in candidate.answer(asked))
                best = max(best, count / (time.perf_counter() - begun))
            if count != len(asked):
                raise SystemExit(f"{name}: {len(asked) - count} error rows")
            figures.append(Figure(f"{name}, {language}", best, "questions a second", least=least))
            print(f"  {figures[-1]}", flush=True)
    return figures


if __name__ == "__main__":
    raise SystemExit(0 if all(figure.ok for figure in measure()) else 1)
