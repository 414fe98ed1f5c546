"""Makes the Chinese rater that ships, and says how well it orders what is known to be easier.

    python benchmarks/rating_chinese.py ../shared/data src/readmark/readability/raters/data

Weights start from what research expects and move towards the English ratings of the same passages
(XQuAD, passages alone). What is usual comes from raw Wikipedia. Not used to make it, only to
measure: the bundled passages, which are parallel; CMRC 2018's trial; C3 (non-commercial).
"""

from __future__ import annotations

import gzip
import json
import lzma
import random
import re
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.core.arrays import Floats
from readmark.core.version import __version__
from readmark.readability.formulas.chinese import chinese_readability
from readmark.readability.raters.cross_validation import interval
from readmark.readability.raters.features.chinese import CHINESE, measure_chinese, parse_chinese
from readmark.readability.raters.formula_rater import rate_chinese
from readmark.readability.raters.model import Rater
from readmark.readability.raters.parses import parse_all
from readmark.readability.raters.rater_files import from_json, to_json
from training.rater import fit_chinese, rate_rows, unsquashed

SEED, FOLDS, PENALTY, USUAL, LINES = 1, 5, 1.0, 2_000, 60_000
SHORTEST, LONGEST, DRAWS = 100, 500, 1_000
_SPEAKER = re.compile("^.{1,3}[：:]")


def main(data: Path, out: Path) -> None:
    english = from_json((out / "rater.json").read_bytes(), "rater.json")
    pairs = parallel(data / "xquad")
    articles = np.array([article for article, _, _ in pairs])
    ratings = rated_english(english, [text for _, text, _ in pairs])
    values = measured([text for _, _, text in pairs])
    usual = measured(wikipedia(data / "wiki" / "zh.more.txt.xz"))
    said = cross_validated(values, ratings, usual, articles)
    r, low, high = interval(said, ratings, SEED, groups=[str(one) for one in articles])
    print(f"parallel passages, unseen articles: r {r:.3f} [{low:.3f}, {high:.3f}]")
    note = {
        "version": __version__,
        "trained_on": "the English ratings of parallel passages: XQuAD (CC BY-SA 4.0)",
        "usual_from": "Wikipedia (CC BY-SA 3.0)",
        "english_rater": english.note.get("version", ""),
        "licence": "CC BY-SA 4.0",
        "seed": SEED,
        "penalty": PENALTY,
        "passages": len(pairs),
        "articles": len(set(articles.tolist())),
        "correlation": round(r, 3),
    }
    rater = fit_chinese(values, ratings, usual, penalty=PENALTY, note=note)
    (out / "chinese.json").write_text(to_json(rater), encoding="utf-8")
    print_line(ratings, [text for _, _, text in pairs])
    measure(rater, english, data)


def cross_validated(
    values: Floats, ratings: Floats, usual: Floats, articles: NDArray[np.intp]
) -> Floats:
    """Ratings of the passages of every article by weights that never saw it."""
    order = np.random.default_rng(SEED).permutation(articles.max() + 1) % FOLDS
    said = np.zeros(len(values))
    for fold in range(FOLDS):
        unseen = order[articles] == fold
        rater = fit_chinese(values[~unseen], ratings[~unseen], usual, penalty=PENALTY, note={})
        said[unseen] = rate_rows(rater, values[unseen])
    return said


def print_line(ratings: Floats, texts: Sequence[str]) -> None:
    """The two constants of the Chinese index as a rating, by the quartiles of the same passages."""
    found = np.array([one.index for text in texts if (one := chinese_readability(text))])
    wanted = np.array([unsquashed(rating) for rating in ratings.tolist()])
    low, middle, high = np.quantile(found, (0.25, 0.5, 0.75)).tolist()
    easiest, usual, hardest = np.quantile(wanted, (0.75, 0.5, 0.25)).tolist()
    point = (high - low) / (easiest - hardest)
    ordinary = middle + (usual - 3) * point
    print(f"the index: a rating of 3 at {ordinary:.1f}, a point is {point:.1f}", end="; ")
    print("r {:.3f} [{:.3f}, {:.3f}]".format(*interval(-found, ratings, SEED)))


def measure(rater: Rater, english: Rater, data: Path) -> None:
    """Print means by source, pairs of sources in order, and the bundled parallel passages."""
    ours = {language: bundled(language) for language in ("en", "zh")}
    theirs = rated_english(english, ours["en"])
    sources = {
        "C3 dialogues": c3(data / "c3" / "c3-d-dev.json"),
        "C3 mixed": c3(data / "c3" / "c3-m-dev.json.gz"),
        "bundled passages": ours["zh"],
        "XQuAD": [text for _, _, text in parallel(data / "xquad")],
        "CMRC 2018 trial": squad(data / "cmrc2018" / "trial.json"),
    }
    by_features = {name: rate_rows(rater, measured(texts)) for name, texts in sources.items()}
    by_index = {name: by_formula(texts) for name, texts in sources.items()}
    for name, ratings in by_features.items():
        print(f"  {name:18} {len(ratings):5} mean {ratings.mean():.2f}", end=" ")
        print(f"spread {ratings.std():.2f}; by the index {by_index[name].mean():.2f}")
    for easy, hard in (
        ("C3 dialogues", "CMRC 2018 trial"),
        ("C3 dialogues", "C3 mixed"),
        ("C3 mixed", "CMRC 2018 trial"),
    ):
        for label, ratings_of in (("features", by_features), ("index", by_index)):
            share = "{:.1f}% [{:.1f}, {:.1f}]".format(*easier(ratings_of[easy], ratings_of[hard]))
            print(f"  {easy} easier than {hard}, {label}: {share}")
    r, low, high = interval(by_features["bundled passages"], theirs, SEED)
    gap = float(by_features["bundled passages"].mean() - theirs.mean())
    print(
        f"bundled parallel passages: r {r:.3f} [{low:.3f}, {high:.3f}], mean difference {gap:+.2f}"
    )


def easier(easy: Floats, hard: Floats) -> tuple[float, float, float]:
    """Percentage of pairs in which the first is rated easier, with its 95% interval."""
    wins = np.sign(easy[:, None] - hard) / 2 + 0.5
    chance = np.random.default_rng(SEED)
    drawn = [
        wins[chance.integers(0, len(easy), len(easy))].mean(axis=0)[
            chance.integers(0, len(hard), len(hard))
        ]
        for _ in range(DRAWS)
    ]
    low, high = np.quantile([one.mean() for one in drawn], (0.025, 0.975))
    return 100 * float(wins.mean()), 100 * float(low), 100 * float(high)


def measured(texts: Sequence[str]) -> Floats:
    """Features, one row per passage."""
    names = [feature.name for feature in CHINESE]
    found = (measure_chinese(parse_chinese(text)) for text in texts)
    return np.array([[one[name] for name in names] for one in found])


def rated_english(rater: Rater, texts: Sequence[str]) -> Floats:
    return np.array([rater.rate(one).rating for one in parse_all(texts)])


def by_formula(texts: Sequence[str]) -> Floats:
    return np.array([rate_chinese(one) for text in texts if (one := chinese_readability(text))])


def parallel(folder: Path) -> list[tuple[int, str, str]]:
    """Article, English and Chinese text of every passage."""
    english, chinese = (
        json.loads((folder / f"{language}.json").read_text("utf-8"))["data"]
        for language in ("en", "zh")
    )
    return [
        (article, one["context"], other["context"])
        for article, (left, right) in enumerate(zip(english, chinese, strict=True))
        for one, other in zip(left["paragraphs"], right["paragraphs"], strict=True)
    ]


def wikipedia(path: Path) -> list[str]:
    """A sample of paragraphs of ordinary length."""
    found: list[str] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("<") and SHORTEST <= len(line) <= LONGEST:
                found.append(line.strip())
            if len(found) == LINES:
                break
    random.Random(SEED).shuffle(found)
    return found[:USUAL]


def squad(path: Path) -> list[str]:
    articles = json.loads(path.read_text("utf-8"))["data"]
    return [one["context"] for article in articles for one in article["paragraphs"]]


def c3(path: Path) -> list[str]:
    """The texts; the labels of speakers are no text."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    rows: list[list[Any]] = json.loads(data)
    return ["\n".join(_SPEAKER.sub("", line) for line in row[0]) for row in rows]


def bundled(language: str) -> list[str]:
    lines = (files("readmark.bundle") / f"reading.{language}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines[1:]]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
