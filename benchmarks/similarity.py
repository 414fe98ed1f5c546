"""How fast rewrites are compared with golds, per metric, against the definitions in plain Python.

The pairs are invented: questions from frames about made-up targets, unresolved, with the target
appended, without its article, or as they should be, a quarter each, against their golds. Both
sides start from the texts. With ``--gold FILE`` (series with golds, as
``{"series": [{"target", "questions": [...]}]}``) the marks of leaving questions
alone and of appending the target are printed instead, on both halves.

Run: python benchmarks/similarity.py [--quick] [--gold FILE]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from figures import Figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from oracles import similarity as direct
from readmark.core.records import Answer, Unit
from readmark.hooks import Metric
from readmark.marking.metrics import METRICS
from readmark.series.records import Series, SeriesQuestion

PAIRS = 100_000
ROUNDS = 5
_FRAMES = """
    When was {} first opened to the public?
    In which country of Europe was {} founded?
    Who was the head of {} at the time of the inquiry?
    How many people work for {} today?
    What did the founder of {} do before the war?
    Name the cities in which {} has had an office.
    On what date did the first journey of {} end?
    Which of the members of {} later wrote books about it?
    What was the cause of the long quarrel between {} and the government?
    How long did {} take to reach the coast?
    Why was {} criticised in the newspapers that year?
    What is {} best known for outside of its own country?
"""
_SYLLABLES = (
    "ka",
    "lo",
    "mer",
    "vin",
    "tas",
    "dor",
    "eli",
    "han",
    "bru",
    "sto",
    "wen",
    "gar",
    "pim",
)
_KINDS = ("Company", "Expedition", "Bridge Disaster", "Institute of Science", "Festival", "Party")
Sides = tuple[list[str], list[str]]


def invented(count: int, seed: int = 1) -> Sides:
    """Rewrites and their golds."""
    draw = random.Random(seed)
    frames = [line.strip() for line in _FRAMES.strip().splitlines()]
    rewrites, golds = [], []
    for _ in range(count):
        name = "".join(draw.choices(_SYLLABLES, k=draw.randint(2, 4))).title()
        target = f"{name} {draw.choice(_KINDS)}"
        frame = draw.choice(frames)
        gold = frame.format(f"the {target}")
        question = frame.format(draw.choice(["it", "they", "this", name]))
        made = [question, f"{question} {target}", frame.format(target), gold]
        rewrites.append(draw.choice(made))
        golds.append(gold)
    return rewrites, golds


def pair_by_pair(metric: Metric) -> Callable[[Sides], Any]:
    """A metric that marks one pair after the other."""
    return lambda sides: [metric.alike(said, gold) for said, gold in zip(*sides, strict=True)]


def directly_strings(measure: Callable[[str, str], float]) -> Callable[[str, str], float]:
    """The definition of a measure of characters."""
    return lambda a, b: measure(direct.plain(a), direct.plain(b))


# By rapidfuzz, pair by pair; peers/strings.py times the other measures of characters. Measures of
# words are the definition, over sets that are made once for a text.
RACES: list[tuple[str, Callable[[Sides], Any], Callable[[str, str], float], float]] = [
    (name, pair_by_pair(METRICS.build(name)[1]), directly_strings(definition), 5)
    for name, definition in (
        ("levenshtein", direct.levenshtein),
        ("needleman_wunsch", direct.needleman_wunsch),
        ("jaro", direct.jaro),
        ("jaro_winkler", direct.jaro_winkler),
    )
]


def measure(quick: bool = False) -> list[Figure]:
    """How many times as fast each metric is; what the definitions say is checked on the way."""
    count = 20_000 if quick else PAIRS
    sides = invented(count)
    return [_raced(*race, sides, f"{count:,} pairs") for race in RACES]


def _raced(
    name: str,
    many: Callable[[Sides], Any],
    one: Callable[[str, str], float],
    least: float,
    sides: Sides,
    of: str,
) -> Figure:
    # The slow ones are timed on as many of the pairs as a few seconds allow.
    pace = _seconds(partial(_directly, one, sides, 200)) / 200
    count = int(min(len(sides[0]), max(200, 1 / pace)))
    slow, fast = [], []
    for _ in range(ROUNDS):  # in turns: what else runs disturbs both alike
        slow.append(_seconds(partial(_directly, one, sides, count)) / count)
        fast.append(_seconds(partial(many, sides)) / len(sides[0]))
    expected = _directly(one, sides, count)
    apart = max(abs(x - y) for x, y in zip(many(sides)[:count], expected, strict=True))
    if apart > 1e-9:
        raise SystemExit(f"{name}: differs from its definition by {apart}")
    by_hand, ours = min(slow), min(fast)  # the least disturbed of each
    print(f"{name}: {by_hand * 1e6:.1f} µs a pair ({count:,} pairs) to {ours * 1e6:.2f} µs ({of})")
    return Figure(f"{name}, {of}", by_hand / ours, "×", least=least)


def _directly(one: Callable[[str, str], float], sides: Sides, count: int) -> list[float]:
    return [one(a, b) for a, b in zip(*(side[:count] for side in sides), strict=True)]


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


TABLE_1 = [
    "jaccard(u=1,b=0)",
    "dice(u=1,b=0)",
    "cosine(u=1,b=0,variant=simmetrics)",
    "block(u=1,b=0)",
    "euclidean(variant=simmetrics)",
    "monge_elkan(variant=simmetrics)",
    "levenshtein(variant=simmetrics)",
    "needleman_wunsch(variant=simmetrics)",
    "smith_waterman(variant=simmetrics)",
    "qgrams(variant=simmetrics)",
    "jaro_winkler(variant=simmetrics)",
    "jaro(variant=simmetrics)",
]
OTHERS = [
    "jaccard",
    "dice",
    "cosine",
    "block",
    "euclidean",
    "monge_elkan",
    "levenshtein",
    "needleman_wunsch",
    "smith_waterman",
    "qgrams",
    "jaro_winkler",
    "jaro",
    "bleu",
    "chrf",
    "exact",
]


def gold_table(file: Path) -> list[Figure]:
    """Means over the questions of the halves and of all, and the known figures."""
    series = json.loads(file.read_text(encoding="utf-8"))["series"]
    series.sort(key=lambda one: hashlib.sha256(_name(one).encode()).hexdigest())
    parts = {"development": series[0::2], "other": series[1::2], "all": series}
    print("".join(f"{name:>37}" if at == 0 else f"{name:>27}" for at, name in enumerate(parts)))
    found: dict[tuple[str, str, str], float] = {}
    for name in [*TABLE_1, *OTHERS]:
        metric = METRICS.build(name)[1]
        cells = []
        for part, some in parts.items():
            for strategy in ("none", "append", "gold"):
                mean = statistics.fmean(
                    metric.statistics(unit, [golds], Answer(text=_rewrite(strategy, unit, golds)))[
                        0
                    ]
                    for unit, golds in _units(some)
                )
                found[name, part, strategy] = mean
                cells.append(f"{mean:.3f}")
        print(f"{name:<38}" + "  ".join(cells))
    questions = sum(len(sery["questions"]) for sery in series)
    print(f"{len(series)} series, {questions} questions; none, append and gold of each part")
    return [
        Figure("none by jaccard", found["jaccard", "all", "none"], "", least=0.665, most=0.675),
        Figure("append by jaccard", found["jaccard", "all", "append"], "", least=0.765, most=0.775),
        Figure("equal to a gold", found["exact", "all", "none"], "", least=0.315, most=0.325),
    ]


def _name(one: dict[str, Any]) -> str:
    return f"{one['year']}-{one['target_id']}"


def _units(series: Sequence[dict[str, Any]]) -> list[tuple[Unit, list[Answer]]]:
    found = []
    for sery in series:
        record = Series(id=_name(sery), target=sery["target"])
        for question in sery["questions"]:
            item = SeriesQuestion(id=question["id"], text=question["question"])
            golds = [Answer(text=text) for text in question["gold"]]
            found.append((Unit(item.id, record.id, record, item), golds))
    return found


def _rewrite(strategy: str, unit: Unit, golds: Sequence[Answer]) -> str:
    if strategy == "gold":
        return golds[0].text
    said: str = unit.item.text
    return said if strategy == "none" else f"{said} {unit.record.target}"


def main() -> int:
    """Print each figure; status 1 when one is not reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a fifth of the pairs")
    parser.add_argument("--gold", type=Path, help="a file of series with golds")
    options = parser.parse_args()
    figures = gold_table(options.gold) if options.gold else measure(options.quick)
    for figure in figures:
        print(figure)
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
