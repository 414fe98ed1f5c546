"""How well and how fast questions of a series are rewritten: none, append and guided.

The gold series are cut in two halves by a hash of year and target: the first was looked at while
the rules were made, the second was not. The metric is the document's, jaccard(u=2,b=1,t=0), best
over the golds; ``equal`` is the share of rewrites that are a gold letter for letter but for
spaces. Intervals resample whole series. Rates count the rewriting with and without the parsing.

``--canard`` and ``--cast`` mark conversations the same way, every one by its one human rewrite:
CANARD with the page's title as the target, CAsT 2020 without a target, beside the automatic
rewrites that come with it.

Run: python benchmarks/rewriting.py ../shared/golden/series_gold.json [--half first|second|all]
     [--canard ../shared/data/canard/dev.json.gz]
     [--cast ../shared/data/trec_cast/2020/2020_manual_evaluation_topics_v1.0.json]
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from readmark.models.rewriting.parsing import parse_all
from readmark.models.rewriting.rewriter import rewrite_parsed, rewrite_series

DRAWS, SEED, ROUNDS = 1_000, 1, 20
_WORD = re.compile(r"[^\W_]+(?:[-'’_][^\W_]+)*")

Rewriter = Callable[[str, list[str]], list[str]]


@dataclass(frozen=True)
class Marks:
    """Likeness and equality a question, series by series."""

    likeness: list[list[float]]
    equal: list[list[float]]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("gold", type=Path)
    asked.add_argument("--half", choices=("first", "second", "all"), action="append")
    asked.add_argument("--canard", type=Path)
    asked.add_argument("--cast", type=Path)
    given = asked.parse_args()
    series = json.loads(given.gold.read_text(encoding="utf-8"))["series"]
    ordered = sorted(series, key=_digest)
    parts = {"first": ordered[::2], "second": ordered[1::2], "all": ordered}
    rewriters: dict[str, Rewriter] = {
        "none": lambda target, questions: questions,
        "append": lambda target, questions: [f"{one} {target}" for one in questions],
        "guided": lambda target, questions: [one.text for one in rewrite_series(target, questions)],
    }
    print(f"{'half':8}{'rewriter':10}{'questions':>10}  {'jaccard(u=2,b=1,t=0)':26}equal to a gold")
    halves = given.half or [*parts]
    if given.canard is not None:
        parts["canard"] = _canard(given.canard)
        halves.append("canard")
    if given.cast is not None:
        parts["cast"] = _cast(given.cast)
        halves.append("cast")
    for half in halves:
        for name, rewriter in rewriters.items():
            _show(half, name, _marked(parts[half], rewriter))
        if half == "cast":
            _show(half, "automatic", _marked(parts[half], _supplied(parts[half])))
    _rates(ordered)


def _show(half: str, name: str, marks: Marks) -> None:
    count = sum(map(len, marks.likeness))
    print(f"{half:8}{name:10}{count:10}  {_interval(marks.likeness):26}{_interval(marks.equal)}")


def _canard(path: Path) -> list[dict[str, Any]]:
    """Dialogues of CANARD; the target is the title of the page."""
    dialogues: dict[str, list[dict[str, Any]]] = {}
    for turn in json.loads(gzip.decompress(path.read_bytes())):
        dialogues.setdefault(turn["QuAC_dialog_id"], []).append(turn)
    return [
        {
            "target": turns[0]["History"][0],
            "questions": [
                {"question": one["Question"], "gold": [one["Rewrite"]]}
                for one in sorted(turns, key=lambda one: one["Question_no"])
            ],
        }
        for turns in dialogues.values()
    ]


def _cast(path: Path) -> list[dict[str, Any]]:
    """Topics of CAsT 2020, which have no title."""
    return [
        {
            "target": "",
            "questions": [
                {"question": one["raw_utterance"], "gold": [one["manual_rewritten_utterance"]]}
                for one in topic["turn"]
            ],
            "automatic": [one["automatic_rewritten_utterance"] for one in topic["turn"]],
        }
        for topic in json.loads(path.read_text(encoding="utf-8"))
    ]


def _supplied(series: Sequence[dict[str, Any]]) -> Rewriter:
    """The rewrites that come with the questions."""
    made = {tuple(_questions(one)): one["automatic"] for one in series}
    return lambda target, questions: made[tuple(questions)]


def _questions(series: dict[str, Any]) -> list[str]:
    return [question["question"] for question in series["questions"]]


def _digest(series: dict[str, Any]) -> str:
    return hashlib.sha256(f"{series['year']}-{series['target_id']}".encode()).hexdigest()


def _marked(series: Sequence[dict[str, Any]], rewriter: Rewriter) -> Marks:
    likeness, equal = [], []
    for one in series:
        questions = one["questions"]
        made = rewriter(one["target"], _questions(one))
        pairs = list(zip(made, (question["gold"] for question in questions), strict=True))
        likeness.append([max(jaccard(text, gold) for gold in golds) for text, golds in pairs])
        equal.append(
            [
                float(" ".join(text.split()) in {" ".join(gold.split()) for gold in golds})
                for text, golds in pairs
            ]
        )
    return Marks(likeness, equal)


def jaccard(one: str, other: str) -> float:
    """(2 J1 + J2) / 3 over sets of words and of pairs; an order empty on both sides counts 1."""
    scores = []
    for size in (1, 2):
        first, second = _grams(one, size), _grams(other, size)
        either = first | second
        scores.append(len(first & second) / len(either) if either else 1.0)
    return (2 * scores[0] + scores[1]) / 3


def _grams(text: str, size: int) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower().replace("’", "'"))
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def _interval(values: list[list[float]]) -> str:
    sums = np.array([sum(one) for one in values])
    sizes = np.array([len(one) for one in values])
    picks = np.random.default_rng(SEED).integers(0, len(values), (DRAWS, len(values)))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return f"{sums.sum() / sizes.sum():.4f} [{low:.4f}, {high:.4f}]"


def _rates(series: Sequence[dict[str, Any]]) -> None:
    """Questions a second on one core: reading them, and rewriting what was read."""
    read = []
    started = time.process_time()
    for one in series:
        texts = [one["target"], *_questions(one)]
        read.append((one["target"], parse_all(texts)))
    parsing = time.process_time() - started
    count = sum(len(parsed) - 1 for _, parsed in read)
    started = time.process_time()
    for _ in range(ROUNDS):
        for target, parsed in read:
            rewrite_parsed(target, parsed[0], parsed[1:])
    rewriting = (time.process_time() - started) / ROUNDS
    print(
        f"parsing {count / parsing:.0f} questions/s, rewriting {count / rewriting:.0f} questions/s"
    )


if __name__ == "__main__":
    main()
