"""How well patterns that were learnt from annotated documents read others.

    python benchmarks/induction.py folds TASK      # train split, in four parts: for development
    python benchmarks/induction.py test TASK       # train split -> test split
    python benchmarks/induction.py curve TASK      # 5, 10, 20, 40 documents -> test split
    python benchmarks/induction.py nfl RECAPS      # six recaps -> the other six

TASK is the folder of a task whose test split is annotated. Entities of both sides are aligned by
the words that name them, unnamed ones by what is stated of them. Intervals resample documents.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from readmark.tasks.categories.mapping import statements_of
from readmark.tasks.extraction.engine import PatternReader
from readmark.tasks.extraction.extractor import Materials, shown_files
from readmark.tasks.extraction.induction import induce, symmetric_in
from readmark.tasks.extraction.notation import read_patterns
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.terms import Name, written
from readmark.tasks.task_folder import open_task

Labelled = tuple[str, str, list[Asserted]]
Triple = tuple[str, str, str]
SIZES = (5, 10, 20, 40)
SEEDS = 3


def triples(asserted: Iterable[Asserted]) -> set[Triple]:
    return {
        (
            written(one.statement.subject),
            one.statement.predicate.text,
            _object(one.statement.object),
        )
        for one in asserted
    }


def _object(term: object) -> str:
    return written(term)  # type: ignore[arg-type]


def aligned(said: Sequence[Asserted], wanted: Sequence[Asserted]) -> set[Triple]:
    """The triples of one side in the names of the other."""
    places: dict[str, Counter[tuple[int, int]]] = defaultdict(Counter)
    for one in wanted:
        for id, span in _mentions(one):
            places[id][span] += 1
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    words: dict[str, set[str]] = defaultdict(set)
    for one in wanted:
        for id, span in _mentions(one, quote=True):
            words[id].add(span)
    for one in said:
        for id, span in _mentions(one):
            for gold, spans in places.items():
                if any(a < span[1] and span[0] < b for a, b in spans):
                    votes[id][gold] += 1
        for id, quote in _mentions(one, quote=True):
            for gold, quotes in words.items():
                if quote in quotes:
                    votes[id][gold] += 1
    names = {id: max(sorted(counts), key=counts.__getitem__) for id, counts in votes.items()}
    renamed = {(names.get(s, s), p, names.get(o, o)) for s, p, o in triples(said)}
    unnamed: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for s, p, o in triples(wanted):
        if s not in places:
            unnamed[s].add((p, o))
    own: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for s, p, o in renamed:
        if s not in places:
            own[s].add((p, o))
    taken: set[str] = set()
    objects: dict[str, str] = {}
    pairs = sorted(
        (
            (-len(facts & others), s, gold)
            for s, facts in own.items()
            for gold, others in unnamed.items()
        ),
    )
    for score, s, gold in pairs:
        if score <= -3 and s not in objects and gold not in taken:
            objects[s] = gold
            taken.add(gold)
    return {(objects.get(s, s), p, objects.get(o, o)) for s, p, o in renamed}


def _mentions(one: Asserted, quote: bool = False):  # type: ignore[no-untyped-def]
    for term, excerpts in (
        (one.statement.subject, one.support.subject),
        (one.statement.object, one.support.object),
    ):
        if isinstance(term, Name):
            for excerpt in excerpts:
                yield written(term), excerpt.quote if quote else (excerpt.start, excerpt.end)


def counts_of(said: Sequence[Asserted], wanted: Sequence[Asserted], *, mentions: bool) -> list[int]:
    """Right, said and wanted statements of a document."""
    own, gold = aligned(said, wanted), triples(wanted)
    if not mentions:
        own = {one for one in own if one[1] not in ("type", "fullName")}
        gold = {one for one in gold if one[1] not in ("type", "fullName")}
    return [len(own & gold), len(own), len(gold)]


def figures(rows: Sequence[Sequence[int]]) -> tuple[float, float, float]:
    right, said, wanted = (sum(row[at] for row in rows) for at in range(3))
    precision, recall = right / max(said, 1), right / max(wanted, 1)
    return 100 * precision, 100 * recall, 200 * right / max(said + wanted, 1)


def interval(
    rows: Sequence[Sequence[int]], seed: int = 1, count: int = 2000
) -> tuple[float, float]:
    """95% of F over resampled documents."""
    chance = random.Random(seed)
    values = sorted(figures(chance.choices(rows, k=len(rows)))[2] for _ in range(count))
    return values[int(0.025 * count)], values[int(0.975 * count)]


def row_text(label: str, rows: Sequence[Sequence[int]]) -> str:
    precision, recall, f = figures(rows)
    low, high = interval(rows)
    shown = f"{precision:.1f} | {recall:.1f} | {f:.1f} | {low:.1f}–{high:.1f}"
    return f"| {label} | {len(rows)} | {shown} |"


HEAD = "| | documents | P | R | F | 95% |\n|---|---:|---:|---:|---:|---:|"


def reader_of(
    materials: Materials, training: Sequence[Labelled]
) -> Callable[[str, str], list[Asserted]]:
    symmetric = symmetric_in(training, materials.theory, materials.ontology)
    learnt = induce(training, materials.categories, materials.namespaces, symmetric=symmetric)
    patterns = read_patterns(learnt.text, "patterns.toml", materials.categories)
    assert patterns is not None
    assert materials.categories is not None
    reader = PatternReader(patterns, materials.categories)
    categories = materials.categories

    def read(id: str, text: str) -> list[Asserted]:
        return statements_of(reader.marks(id, text), categories, materials.namespaces)

    return read


def folds(task: str) -> None:
    materials, training, _ = opened(task)
    rows: dict[bool, list[list[int]]] = defaultdict(list)
    wrong: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for part in range(4):
        learn = [each for at, each in enumerate(training) if at % 4 != part]
        read = reader_of(materials, learn)
        for id, text, gold in training[part::4]:
            said = read(id, text)
            for mentions in (True, False):
                rows[mentions].append(counts_of(said, gold, mentions=mentions))
            own, wanted = aligned(said, gold), triples(gold)
            right.update(one[1] for one in own & wanted)
            wrong.update(one[1] for one in own - wanted)
            missed.update(one[1] for one in wanted - own)
    print(HEAD)
    print(row_text("all statements", rows[True]))
    print(row_text("without type and fullName", rows[False]))
    for name in sorted({*right, *wrong, *missed}):
        print(f"{name:16} right {right[name]:4} wrong {wrong[name]:4} missed {missed[name]:4}")


def opened(task: str) -> tuple[Materials, list[Labelled], list[Labelled]]:
    package = open_task(task)
    materials = Materials(shown_files(package))
    by_document: dict[str, list[Asserted]] = defaultdict(list)
    for in_file in package.annotated(materials.namespaces):
        asserted = in_file.annotated.asserted
        by_document[asserted.graph].append(asserted)
    others = [
        (id, text, by_document[id])
        for id, text in package.documents.items()
        if package.splits.get(id) == "test"
    ]
    return materials, list(materials.training()), others


def tested(
    materials: Materials, training: Sequence[Labelled], others: Sequence[Labelled]
) -> dict[bool, list[list[int]]]:
    read = reader_of(materials, training)
    rows: dict[bool, list[list[int]]] = defaultdict(list)
    for id, text, gold in others:
        said = read(id, text)
        for mentions in (True, False):
            rows[mentions].append(counts_of(said, gold, mentions=mentions))
    return rows


def test(task: str) -> None:
    materials, training, others = opened(task)
    rows = tested(materials, training, others)
    print(HEAD)
    print(row_text("all statements", rows[True]))
    print(row_text("without type and fullName", rows[False]))


def curve(task: str) -> None:
    materials, training, others = opened(task)
    print("| training documents | F, mean of draws | draws |\n|---:|---:|---:|")
    for size in SIZES:
        size = min(size, len(training))
        scores = []
        for seed in range(1 if size == len(training) else SEEDS):
            drawn = random.Random(seed).sample(training, size)
            scores.append(figures(tested(materials, drawn, others)[True])[2])
        print(f"| {size} | {sum(scores) / len(scores):.1f} | {len(scores)} |")
        if size == len(training):
            break


if __name__ == "__main__":
    {"folds": folds, "test": test, "curve": curve}[sys.argv[1]](sys.argv[2])
