"""How well and how fast questions of a series are rewritten: none, append and guided.

The gold series are cut in two halves by a hash of year and target: the first was looked at while
the rules were made, the second was not. The metric is the document's, jaccard(u=2,b=1,t=0), best
over the golds; ``equal`` is the share of rewrites that are a gold letter for letter but for
spaces. Intervals resample whole series. Rates count the rewriting with and without the parsing.

``--canard`` and ``--cast`` mark conversations the same way, every one by its one human rewrite:
CANARD with the page's title as the target, CAsT 2020 without a target, beside the automatic
rewrites that come with it. ``--bundle`` marks the bundled series, English and Chinese, an earlier
answer filled in where it is known.

``--more`` marks the two halves of the further bundled series.

Run: python benchmarks/rewriting.py ../shared/golden/series_gold.json [--half first|second|all]
     [--canard ../shared/data/canard/dev.json.gz]
     [--cast ../shared/data/trec_cast/2020/2020_manual_evaluation_topics_v1.0.json]
     [--bundle] [--more]
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
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from readmark.formats.registry import open_test
from readmark.series.guided.chinese import rewrite_chinese
from readmark.series.guided.known_answers import KnownAnswers
from readmark.series.guided.parses import parse_all
from readmark.series.guided.rewriter import rewrite_parsed, rewrite_series
from readmark.series.notation import PREVIOUS_ANSWER
from readmark.series.words import chinese_words

DRAWS, SEED, ROUNDS = 1_000, 1, 20
_WORD = re.compile(r"[^\W_]+(?:[-'’_][^\W_]+)*")

Rewriter = Callable[[dict[str, Any]], list[str]]


@dataclass(frozen=True)
class Marks:
    """Similarity and equality per question, series by series."""

    similarity: list[list[float]]
    equal: list[list[float]]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("gold", type=Path)
    asked.add_argument("--half", choices=("first", "second", "all"), action="append")
    asked.add_argument("--canard", type=Path)
    asked.add_argument("--cast", type=Path)
    asked.add_argument("--bundle", action="store_true")
    asked.add_argument("--more", action="store_true")
    given = asked.parse_args()
    series = json.loads(given.gold.read_text(encoding="utf-8"))["series"]
    ordered = sorted(series, key=_digest)
    parts = {"first": ordered[::2], "second": ordered[1::2], "all": ordered}
    rewriters: dict[str, Rewriter] = {
        "none": _questions,
        "append": lambda one: [f"{text} {one['target']}" for text in _questions(one)],
        "guided": _guided,
    }
    print(
        f"{'part':15}{'rewriter':10}{'questions':>10}  {'jaccard(u=2,b=1,t=0)':26}equal to a gold"
    )
    halves = given.half or [*parts]
    if given.bundle:
        for language in ("en", "zh"):
            parts[f"bundle.{language}"] = _bundled(language)
            halves.append(f"bundle.{language}")
    for language in ("en", "zh") if given.more else ():
        for split in ("dev", "report"):
            parts[f"{split}.{language}"] = _more(language, split)
            halves.append(f"{split}.{language}")
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
            _show(half, "automatic", _marked(parts[half], lambda one: one["automatic"]))
    _rates(ordered)


def _guided(series: dict[str, Any]) -> list[str]:
    texts, known = _questions(series), KnownAnswers(series.get("known", ()))
    rewrite = rewrite_chinese if series.get("language") == "zh" else rewrite_series
    made = rewrite(series["target"], texts, known=known, type=series.get("type"))
    return [one.text for one in made]


def _show(half: str, name: str, marks: Marks) -> None:
    count = sum(map(len, marks.similarity))
    print(f"{half:15}{name:10}{count:10}  {_interval(marks.similarity):26}{_interval(marks.equal)}")


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


def _more(language: str, split: str) -> list[dict[str, Any]]:
    return [one for one in _bundled(language, "series_more") if one["split"] == split]


def _bundled(language: str, name: str = "series") -> list[dict[str, Any]]:
    """The series that ship, without questions that have no gold; known answers filled in."""
    path = files("readmark.bundle") / f"{name}.{language}.jsonl"
    found = []
    for record in open_test(str(path)).records():
        questions = []
        for question in record.questions:
            golds = (
                [gold.text for gold in question.key.rewrites] if question.key is not None else []
            )
            if question.previous:
                golds += [
                    gold.replace(PREVIOUS_ANSWER, ", ".join(question.previous)) for gold in golds
                ]
            questions.append({"question": question.text, "gold": golds})
        found.append(
            {
                "target": record.target,
                "type": record.target_type,
                "language": language,
                "split": record.split,
                "known": [question.previous for question in record.questions],
                "questions": questions,
            }
        )
    return found


def _questions(series: dict[str, Any]) -> list[str]:
    return [question["question"] for question in series["questions"]]


def _digest(series: dict[str, Any]) -> str:
    return hashlib.sha256(f"{series['year']}-{series['target_id']}".encode()).hexdigest()


def _marked(series: Sequence[dict[str, Any]], rewriter: Rewriter) -> Marks:
    likeness, equal = [], []
    for sery in series:
        cut = chinese_words if sery.get("language") == "zh" else words
        golds = [question["gold"] for question in sery["questions"]]
        pairs = [(text, own) for text, own in zip(rewriter(sery), golds, strict=True) if own]
        likeness.append([max(jaccard(text, gold, cut) for gold in own) for text, own in pairs])
        equal.append([_equal(text, own) for text, own in pairs])
    return Marks(likeness, equal)


def _equal(text: str, golds: Sequence[str]) -> float:
    return float(" ".join(text.split()) in {" ".join(gold.split()) for gold in golds})


def words(text: str) -> list[str]:
    """Words in lower case without punctuation."""
    return _WORD.findall(text.lower().replace("’", "'"))


def jaccard(one: str, other: str, cut: Callable[[str], list[str]] = words) -> float:
    """(2 J1 + J2) / 3 over sets of words and of pairs; an order empty on both sides counts 1."""
    scores = []
    for size in (1, 2):
        first, second = _grams(cut(one), size), _grams(cut(other), size)
        either = first | second
        scores.append(len(first & second) / len(either) if either else 1.0)
    return (2 * scores[0] + scores[1]) / 3


def _grams(own: list[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(own[at : at + size]) for at in range(len(own) - size + 1)}


def _interval(values: list[list[float]]) -> str:
    sums = np.array([sum(value) for value in values])
    sizes = np.array([len(value) for value in values])
    picks = np.random.default_rng(SEED).integers(0, len(values), (DRAWS, len(values)))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return f"{sums.sum() / sizes.sum():.4f} [{low:.4f}, {high:.4f}]"


def _rates(series: Sequence[dict[str, Any]]) -> None:
    """Questions a second on one core: reading them, and rewriting what was read."""
    read = []
    started = time.process_time()
    for sery in series:
        texts = [sery["target"], *_questions(sery)]
        read.append((sery["target"], parse_all(texts)))
    parsing = time.process_time() - started
    count = sum(len(parsed) - 1 for _, parsed in read)
    started = time.process_time()
    for _ in range(ROUNDS):
        for target, parsed in read:
            rewrite_parsed(target, parsed[0], parsed[1:])
    rewriting = (time.process_time() - started) / ROUNDS
    print(f"parsing {count / parsing:.0f} questions/s, guided {count / rewriting:.0f} questions/s")


if __name__ == "__main__":
    main()
