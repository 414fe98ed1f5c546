"""How well patterns read the texts about lives: statements and answers, with 95% intervals.

    python benchmarks/lives/measure.py [train|test]

A statement is right if the gold has it, its entities called as there or by a shared mention.
Without reasoning, what was read is compared with what was annotated; with reasoning, both with all
that follows. Intervals are percentiles of 2,000 resamples of the documents.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from readmark.formats.registry import load
from readmark.marking.mark import mark
from readmark.sitting.runner import sit
from readmark.tasks.extraction.extractor import PatternExtractor, shown_files
from readmark.tasks.gold import mentions_of
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.terms import Name, Term
from readmark.tasks.records import Document
from readmark.tasks.task_folder import open_task

BUNDLE = Path(__file__).resolve().parents[2] / "src" / "readmark" / "bundle"
RESAMPLES = 2000

Counts = tuple[int, int, int]
"""Right, said and wanted."""


def renamed(said: Sequence[Asserted], gold: Sequence[Asserted], document: str) -> dict[str, str]:
    """What the gold calls each entity that was read."""
    ours = {name.text: set(words) for (_, name), words in mentions_of(said).items()}
    theirs = {name.text: set(words) for (_, name), words in mentions_of(gold).items()}
    found = {}
    for name, words in ours.items():
        shared = {other: len(words & own) for other, own in theirs.items()}
        best = max(shared, key=lambda other: shared[other], default=name)
        found[name] = name if name in theirs or not shared.get(best) else best
    return found


def statements(read: Iterable[Statement], names: dict[str, str]) -> set[tuple[str, str, str]]:
    """Statements in the gold's names; objects that no words name are called after their parts."""

    def spelt(term: Term) -> str:
        text = term.text if isinstance(term, Name) else repr(term)
        if text in names or not isinstance(term, Name):
            return names.get(text, text)
        for name in sorted(names, key=len, reverse=True):
            text = text.replace(f"-{name}", f"-{names[name]}")
        return text

    return {(spelt(one.subject), one.predicate.text, spelt(one.object)) for one in read}


def score(counts: Iterable[Counts]) -> tuple[float, float, float]:
    right, said, wanted = map(sum, zip(*counts, strict=True))
    precision, recall = right / (said or 1), right / (wanted or 1)
    return precision, recall, 2 * right / ((said + wanted) or 1)


def interval(counts: Sequence[Counts]) -> tuple[float, float]:
    """Of the F score."""
    draw = random.Random(1)
    found = sorted(score([draw.choice(counts) for _ in counts])[2] for _ in range(RESAMPLES))
    return found[int(0.025 * RESAMPLES)], found[int(0.975 * RESAMPLES) - 1]


def compared(language: str, split: str, *, reason: bool) -> list[Counts]:
    """Statements of each document."""
    package = open_task(BUNDLE / f"task.{language}.zip")
    extractor = PatternExtractor(reason=reason)
    extractor.take_materials(shown_files(package))
    extractor.ready()
    known = extractor.known
    gold: dict[str, list[Asserted]] = defaultdict(list)
    for found in package.annotated(known.namespaces):
        gold[found.annotated.asserted.graph].append(found.annotated.asserted)
    splits = {file.id: file.split for file in package.manifest.of("document")}
    documents = [
        Document(id=id, text=text) for id, text in package.documents.items() if splits[id] == split
    ]
    followed: dict[str, list[Statement]] = defaultdict(list)
    if reason:
        every = [one for document in documents for one in gold[document.id]]
        with infer(every, known.theory, known.ontology) as inference:
            for derived in inference.statements():
                followed[derived.graph].append(derived.statement)
    counts = []
    for reading in extractor.extract(documents):
        id = reading.document.id
        names = renamed(reading.asserted, gold[id], id)
        wanted = statements(followed[id] if reason else (one.statement for one in gold[id]), {})
        said = statements((one.statement for one in reading.statements), names)
        counts.append((len(said & wanted), len(said), len(wanted)))
    return counts


def main(split: str = "test") -> None:
    print(f"{split:5} {'':13} {'statements':^36}  {'facts':^22}  {'inferences':^22}")
    for language in ("en", "zh"):
        test = load(BUNDLE / f"task.{language}.zip", split=split)
        for reason in (False, True):
            counts = compared(language, split, reason=reason)
            precision, recall, f = score(counts)
            low, high = interval(counts)
            line = f"P {precision:.3f} R {recall:.3f} F {f:.3f} ({low:.3f}-{high:.3f})"
            with tempfile.TemporaryDirectory() as folder:
                sitting = Path(folder) / "sitting.jsonl"
                sit(test, f"patterns(reason={str(reason).lower()})", sitting)
                marks = mark(test, sitting)
            cells = [
                f"{one.score:.2f} ({one.low or 0:.2f}-{one.high or 0:.2f})"
                for one in (marks["facts"], marks["inferences"])
            ]
            how = "reason" if reason else "as read"
            print(f"{language:5} {how:13} {line}  {cells[0]:22}  {cells[1]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
