"""How well the rules' levels agree with labels made one by one, and how fast they are.

Three sets of labels: golden/levels_zh.json, and two files of questions of DRCD next to this one,
which one annotator labelled by the same guidelines before looking at what the rules say:
levels_drcd.json (a hundred, drawn by random.Random(2016).sample) and levels_drcd_more.json (120,
random.Random(2026).sample over the questions on other passages). Each is cut in two halves: ids in
the order of their SHA-256, every other one. The rules were made on the first halves; of the second
ones only these figures were looked at.
Intervals are percentile intervals of a bootstrap over passages, whose questions go together.

Run: python benchmarks/levels.py [SHARED], the folder with golden/ and data/, else ../shared
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures import Figure

from readmark.comprehension.levels.agreement import LevelAgreement, level_agreement
from readmark.comprehension.levels.command import show_level_agreement
from readmark.comprehension.levels.decision import levelled
from readmark.comprehension.levels.scale import REASONS, TYPES, Levelled
from readmark.core.display import make_console
from readmark.core.records import Passage, Question
from readmark.formats.registry import open_test

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
FILES = {"cmrc2018/trial": "cmrc2018/trial.json", "xquad/zh": "xquad/zh.json"}
DRCD = {"drcd/dev": "drcd/dev.json.gz"}
DRCD_LABELS = ("levels_drcd.json", "levels_drcd_more.json")
EXACT, HARD = 68.0, 80.0
ROUNDS = 3


@dataclass(frozen=True)
class Labelled:
    """A question with the label that it was given."""

    question: Question
    passage: Passage
    level: int
    reasons: frozenset[str]
    source: str


def labelled(shared: Path) -> list[Labelled]:
    """The questions of the golden file, in the order of their ids' hashes."""
    labels = json.loads((shared / "golden" / "levels_zh.json").read_text("utf-8"))["labels"]
    return _found(shared, labels, FILES)


def labelled_drcd(shared: Path, file: str) -> list[Labelled]:
    """The questions of DRCD in a file of labels, in the order of their ids' hashes."""
    labels = json.loads(Path(__file__).with_name(file).read_text("utf-8"))
    return _found(shared, labels, DRCD)


def _found(
    shared: Path, labels: dict[str, dict[str, Any]], files: dict[str, str]
) -> list[Labelled]:
    found = {}
    for source, file in files.items():
        for record in open_test(shared / "data" / file).records():
            for question in record.questions:
                label = labels.get(question.id)
                if label is not None and label.get("source", source) == source:
                    reasons = frozenset(label["reasons"])
                    found[question.id] = Labelled(question, record, label["level"], reasons, source)
    if len(found) != len(labels):
        raise SystemExit(f"{len(labels) - len(found)} labelled questions are not in the data")
    return [found[id] for id in sorted(found, key=lambda id: hashlib.sha256(id.encode()).digest())]


def measure(shared: Path = SHARED) -> list[Figure]:
    """Print both halves and the whole; the figures that are wanted come back."""
    items = labelled(shared)
    begun = time.perf_counter()
    for _ in range(ROUNDS):
        got = [levelled(item.question, item.passage, "zh") for item in items]
    rate = 60 * ROUNDS * len(items) / (time.perf_counter() - begun)
    pairs = list(zip(items, got, strict=True))
    print("levels by rules compared with labels made one by one")
    _print_halves(pairs)
    for source in FILES:
        own = [(one, found) for one, found in pairs if one.source == source]
        right = sum(one.level == found.level for one, found in own)
        print(f"{source}: {right} of {len(own)} exact")
    _print_reasons(pairs)
    for file in DRCD_LABELS:
        print(f"\nDRCD, {file}")
        drcd = labelled_drcd(shared, file)
        also = [(one, levelled(one.question, one.passage, "zh")) for one in drcd]
        _print_halves(also)
        _print_reasons(also)
    whole = _compared(pairs)
    figures = [
        Figure("levels, exact", 100 * (whole.exact.value or 0), "%", least=EXACT),
        Figure("levels, {1,2} against {3,4}", 100 * (whole.hard.value or 0), "%", least=HARD),
        Figure("levels, one core", rate, "questions a minute", least=1000.0),
    ]
    for figure in figures:
        print(f"  {figure}")
    return figures


def _print_halves(pairs: list[tuple[Labelled, Levelled]]) -> None:
    for name, part in (("first half", pairs[::2]), ("second half", pairs[1::2]), ("all", pairs)):
        print(f"\n{name}:")
        _print(part)


def _print(part: list[tuple[Labelled, Levelled]]) -> None:
    show_level_agreement(make_console(), _compared(part), people="labels")
    for name, told in (("reasons", frozenset[str]), ("types of reasoning", _types)):
        same = sum(told(one.reasons) == told(found.reasons) for one, found in part)
        print(f"the same {name}: {same} of {len(part)}")


def _compared(part: list[tuple[Labelled, Levelled]]) -> LevelAgreement:
    people, machine = [one.level for one, _ in part], [found.level or 0 for _, found in part]
    passages = [f"{one.source}/{one.passage.id}" for one, _ in part]
    return level_agreement(people, machine, passages=passages)


def _types(reasons: Iterable[str]) -> frozenset[str]:
    return frozenset(TYPES[reason] for reason in reasons if reason in TYPES)


def _print_reasons(pairs: list[tuple[Labelled, Levelled]]) -> None:
    """How often each reason was labelled, found, and both."""
    told, found, both = Counter[str](), Counter[str](), Counter[str]()
    for one, got in pairs:
        told.update(one.reasons)
        found.update(got.reasons)
        both.update(one.reasons & set(got.reasons))
    print("reason: labelled, found, both")
    for reason in REASONS:
        print(f"  {reason}: {told[reason]}, {found[reason]}, {both[reason]}")


if __name__ == "__main__":
    wanted = measure(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED)
    raise SystemExit(0 if all(figure.ok for figure in wanted) else 1)
