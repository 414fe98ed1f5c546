"""How well and how fast passages are rated: by the shipped rater, by formulas, and when trained.

``--onestop`` and ``--clear`` measure what ships: pairs of versions in order, correlation with
teachers. The articles of OneStopEnglish have trained it; its figure on articles that it never saw
is what ``benchmarks/rating_shipped.py`` prints. ``--train`` cross-validates raters trained on
CLEAR by text: all families, each family left out, each alone, words learnt or not, and, with
``--embeddings``, sentence embeddings. Nothing of CLEAR is kept. Rates are CPU time, parsing apart,
with evidence and cold caches; go by those of CLEAR's excerpts, for six sentences soon repeat.

Run: python benchmarks/rating.py [--clear ../shared/data/clear/clear.csv.gz]
     [--onestop ../shared/data/onestop_english] [--train] [--embeddings] [--limit N]
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import time
from collections import Counter
from pathlib import Path

import numpy as np
from clear_test import passages
from figures import Figure
from rating_shipped import articles, in_order

from readmark.core.arrays import Floats
from readmark.readability.formulas.english import english_readability
from readmark.readability.raters.cross_validation import cross_validated, folds_of, interval
from readmark.readability.raters.explanation import evidence
from readmark.readability.raters.features import fluency, lexical
from readmark.readability.raters.features.families import FAMILIES, features_of
from readmark.readability.raters.fit import Lessons, measure_lessons
from readmark.readability.raters.formula_rater import FORMULAS, rate_english
from readmark.readability.raters.parses import ParsedPassage, parse_all
from readmark.readability.raters.rater_files import load_rater

SEED, PASSAGES, SPEED, ROUNDS, WANTED = 1, 40, 150, 2, 15
NAMES = [feature.name for feature in features_of()]
_SENTENCES = (
    "The river rose in the night, and by the morning the lower fields were under water.",
    "Nobody in the village had seen such a flood, although the oldest spoke of one before the war.",
    "Anna took the boat that her father had built and rowed to the school on the hill.",
    "The council has announced that compensation will be paid to those whose houses were damaged.",
    "How long it would take to repair the bridge, which carried most of the traffic, was unclear.",
    "She laughed. It was only water, after all.",
)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--clear", type=Path)
    asked.add_argument("--onestop", type=Path)
    asked.add_argument("--train", action="store_true")
    asked.add_argument("--embeddings", action="store_true")
    asked.add_argument("--limit", type=int)
    given = asked.parse_args()
    for figure in measure():
        print(figure)
    if given.onestop:
        _levels(given.onestop)
    if given.clear:
        _teachers(given.clear, given.limit, train=given.train, embed=given.embeddings)


def measure() -> list[Figure]:
    """Passages a second on one core, the parsing apart; the best of some rounds."""
    return [
        _speed(
            [
                " ".join(_SENTENCES[(turn + at) % len(_SENTENCES)] for at in range(12))
                for turn in range(PASSAGES)
            ],
            "rating, parsing apart, six sentences",
        )
    ]


def _speed(texts: list[str], name: str) -> Figure:
    """With the evidence that every row has, and nothing remembered of an earlier round."""
    started = time.process_time()
    parsed = list(parse_all(texts))
    parsing = time.process_time() - started
    rater = load_rater()
    spent = []
    for _ in range(ROUNDS):
        fresh = [_anew(one) for one in parsed]
        lexical._word.cache_clear()
        fluency._is_known.cache_clear()
        started = time.process_time()
        for one in fresh:
            evidence(rater, one, rater.rate(one))
        spent.append(time.process_time() - started)
    best = min(spent)
    print(f"parsing takes {parsing / best:.1f} times as long as rating what is parsed")
    return Figure(name, len(texts) / best, "passages/s", least=WANTED)


def _anew(passage: ParsedPassage) -> ParsedPassage:
    """A passage that remembers nothing of an earlier round."""
    return ParsedPassage(
        passage.text,
        passage.raw,
        passage.lemmas,
        passage.pos,
        passage.tags,
        passage.heads,
        passage.deps,
        passage.sentences,
    )


def _levels(folder: Path) -> None:
    whole = list(articles(folder))
    names = sorted({name for name, _, _ in whole})
    tests = [(names.index(name), level) for name, level, _ in whole]
    everything = np.zeros(len(names), np.intp)
    rater = load_rater()
    said = {"features": [rater.rate(one).rating for one in parse_all([t for _, _, t in whole])]}
    found = [english_readability(text) for _, _, text in whole]
    said |= {
        formula: [rate_english(each, formula) for each in found if each] for formula in FORMULAS
    }
    print(f"OneStopEnglish, pairs of versions in order ({len(names)} articles):")
    for name, ratings in said.items():
        right = in_order(np.array(ratings), tests, everything, 0)
        print(f"  {name:16} {100 * float(np.mean(right)):.1f}%")


def _teachers(path: Path, limit: int | None, *, train: bool, embed: bool) -> None:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as text:
        records = passages(list(csv.DictReader(text)))[:limit]
    real = [record.text for record in records[:: max(1, len(records) // SPEED)]][:SPEED]
    print(_speed(real, f"rating, parsing apart, {len(real)} excerpts"))
    easiness = np.array([record.key.ratings[0].rating for record in records if record.key])
    parsed = list(parse_all([record.text for record in records]))
    rater = load_rater()
    rated = [rater.rate(one) for one in parsed]
    _importance([one.gains for one in rated])
    print(f"CLEAR, correlation with teachers ({len(records)} excerpts), no training on them:")
    ratings = np.array([one.rating for one in rated])
    in_a = np.array([is_in_half_a(record.article or "") for record in records])
    _line("features, half A", ratings[in_a], easiness[in_a])
    _line("features, half B", ratings[~in_a], easiness[~in_a])
    _line("features, all", ratings, easiness)
    found = [english_readability(record.text) for record in records]
    for name in FORMULAS:
        _line(name, np.array([rate_english(one, name) if one else 3.0 for one in found]), easiness)
    if not train:
        return
    lessons = measure_lessons(parsed, NAMES, easiness.tolist(), embed=embed)
    folds = folds_of([record.article or record.id for record in records], SEED)
    print("CLEAR, 5-fold cross-validation by title:")
    bare = _without(lessons, embeddings=True)
    if embed:
        _line("all and embeddings", cross_validated(lessons, NAMES, folds), easiness)
    _line("all and words", cross_validated(bare, NAMES, folds, words=True), easiness)
    _line("all", cross_validated(bare, NAMES, folds, words=False), easiness)
    for family in FAMILIES:
        choices = {"without": _families({family}, out=True), "only": _families({family})}
        for label, kept in choices.items():
            some = Lessons(
                bare.values[:, kept], bare.bags, bare.vectors, bare.embeddings, bare.ratings
            )
            names = [NAMES[at] for at in kept]
            _line(f"{label} {family}", cross_validated(some, names, folds, words=False), easiness)


def is_in_half_a(title: str) -> bool:
    """Which half of CLEAR a title is in: A was looked at while choosing, B once."""
    return int(hashlib.sha256(title.encode()).hexdigest(), 16) % 2 == 0


def _importance(gains: list[Floats]) -> None:
    """Mean points that each feature of the shipped rater moves a rating by, up or down."""
    moved = Counter(dict(zip(NAMES, np.abs(np.array(gains)).mean(axis=0).tolist(), strict=True)))
    print("Points that a feature moves a rating by, the ten weightiest:")
    for name, points in moved.most_common(10):
        print(f"  {name:22} {points:.3f}")


def _families(families: set[str], *, out: bool = False) -> list[int]:
    return [
        at for at, feature in enumerate(features_of()) if (feature.family in families) is not out
    ]


def _without(lessons: Lessons, *, embeddings: bool) -> Lessons:
    none = np.zeros((len(lessons), 0)) if embeddings else lessons.embeddings
    return Lessons(lessons.values, lessons.bags, lessons.vectors, none, lessons.ratings)


def _line(name: str, predicted: Floats, wanted: Floats) -> None:
    r, low, high = interval(predicted, wanted, SEED)
    print(f"  {name:22} r {r:.3f} [{low:.3f}, {high:.3f}]", flush=True)


if __name__ == "__main__":
    main()
