"""Trains the rater that ships, on OneStopEnglish and on its articles broken on purpose.

    python benchmarks/rating_shipped.py ../shared/data src/readmark/readability/raters/data

What is usual comes from raw Wikipedia, stories and the articles themselves, a third each, without
any label. First the pairs of versions that are put in order in 5-fold cross-validation by article,
then the fit on all. CLEAR is never opened here. The penalty is the strongest of 0.3, 1, 3 and 10
whose pairs in order are within a standard error of the best.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rating_tables import tales, wikipedia

from readmark.core.version import __version__
from readmark.readability.english_formulas import english_readability
from readmark.readability.raters.features import features_of, mean_odds, row
from readmark.readability.raters.model import Floats, lemma_counts, to_json
from readmark.readability.raters.parses import ParsedPassage, parse_all
from readmark.text.sentences import sentences
from training.rater import (
    LEVELS,
    SORTS,
    Versions,
    fit,
    fit_formulas,
    odds_lines,
    rate_rows,
)

PRIOR, LEAST_WORD, MOST_ODDS = 5.0, 6, 2.0
SEED, FOLDS, PENALTY, USUAL, WORDS = 1, 5, 3.0, 1_500, 180
FOLDERS = {"elementary": "Ele", "intermediate": "Int", "advanced": "Adv"}
FEATURES = features_of()
NAMES = [feature.name for feature in FEATURES]


def main(data: Path, out: Path) -> None:
    whole = list(articles(data / "onestop_english"))
    names = sorted({name for name, _, _ in whole})
    pieces = [(name, level, one) for name, level, text in whole for one in cut(text)]
    parsed = list(parse_all(text for _, _, text in pieces))
    rows = [(names.index(name), LEVELS[level]) for name, level, _ in pieces]
    broken = list(break_passages(parsed))
    damaged = list(parse_all([text for _, text, _ in broken]))
    values = measured([*parsed, *damaged])
    versions = Versions(
        values=values,
        levels=np.array([one[1] for one in rows] + [rows[at][1] for at, _, _ in broken]),
        left=np.array([1.0] * len(rows) + [left for _, _, left in broken]),
        articles=np.array([one[0] for one in rows] + [rows[at][0] for at, _, _ in broken]),
    )
    tests = [(names.index(name), level) for name, level, _ in whole]
    versions_parsed = list(parse_all([text for _, _, text in whole]))
    write_levels(versions_parsed, [level for _, level in tests], out)
    texts = measured(versions_parsed)
    tables = level_tables(versions_parsed, tests)
    fold_of = folds(len(names))
    put_levels(values, [*parsed, *damaged], versions.articles.tolist(), tables, fold_of)
    put_levels(texts, versions_parsed, [article for article, _ in tests], tables, fold_of)
    usual = np.vstack(
        [
            measured(parse_all(wikipedia(data / "wiki" / "en.more.txt.xz")[:USUAL])),
            measured(parse_all(tales(data / "span_training")[:USUAL])),
            _sampled(values[: len(rows)], USUAL),
        ]
    )
    found = [english_readability(text) for _, _, text in pieces]
    formulas = fit_formulas(found, [level for _, level, _ in pieces])
    (out / "formulas.json").write_text(formulas, encoding="utf-8")
    write(versions, usual, tests, texts, out)


def write(
    versions: Versions, usual: Floats, tests: Sequence[tuple[int, str]], texts: Floats, out: Path
) -> None:
    """Validate, fit on all, and write the rater."""
    right = validated(versions, usual, tests, texts)
    broken = int((~versions.sound).sum())
    note = {
        "version": __version__,
        "trained_on": "OneStopEnglish (CC BY-SA 4.0), and its articles broken on purpose",
        "usual_from": "Wikipedia (CC BY-SA 3.0), FairytaleQA (Apache-2.0), OneStopEnglish",
        "licence": "CC BY-SA 4.0",
        "seed": SEED,
        "penalty": PENALTY,
        "levels": LEVELS,
        "passages": len(versions.left) - broken,
        "broken": broken,
        "articles": len(set(versions.articles.tolist())),
        "pairs_in_order": round(right, 4),
    }
    rater = fit(FEATURES, usual, versions, penalty=PENALTY, note=note)
    (out / "rater.json").write_text(to_json(rater), encoding="utf-8")
    print(f"{note['passages']} passages, {broken} broken")
    print(f"pairs of versions in order, by article: {100 * right:.1f}%")


def articles(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Article, level and text; the line that names the level is no text."""
    for level, short in FOLDERS.items():
        for path in sorted((folder / f"{short}-Txt").glob("*.txt")):
            text = path.read_text(encoding="utf-8", errors="replace").removeprefix("\ufeff")
            first, _, rest = text.partition("\n")
            yield path.stem[:-4], level, (rest if first.strip().lower() in LEVELS else text).strip()


def cut(text: str) -> Iterator[str]:
    """A text in pieces of about 180 words, whole sentences: as long as passages are."""
    spans = sentences(text, "en")
    start, count = None, 0
    for first, last in spans:
        start = first if start is None else start
        count += text.count(" ", first, last) + 1
        if count >= WORDS:
            yield text[start:last]
            start, count = None, 0
    if start is not None and count > WORDS // 2:
        yield text[start : spans[-1][1]]


def break_passages(parsed: Sequence[ParsedPassage]) -> Iterator[tuple[int, str, float]]:
    """Every third passage broken in one way, ways in rotation, with what is left of its rating."""
    sorts = list(SORTS.values())
    for turn, at in enumerate(range(0, len(parsed), 3)):
        change, left = sorts[turn % len(sorts)]
        yield at, change(parsed[at], SEED + at), left


def measured(passages: Iterable[ParsedPassage]) -> Floats:
    """Features, one row per passage."""
    return np.array([row(passage, NAMES) for passage in passages])


def validated(
    versions: Versions, usual: Floats, tests: Sequence[tuple[int, str]], texts: Floats
) -> float:
    """Share of pairs of whole versions in order, each by a rater that never saw the article."""
    fold_of = folds(int(versions.articles.max()) + 1)
    right: list[float] = []
    caught: list[float] = []
    for fold in range(FOLDS):
        seen = fold_of[versions.articles] != fold
        part = Versions(
            versions.values[seen],
            versions.levels[seen],
            versions.left[seen],
            versions.articles[seen],
        )
        rater = fit(FEATURES, usual, part, penalty=PENALTY)
        said = rate_rows(rater, texts)
        right += in_order(said, tests, fold_of, fold)
        unseen = rate_rows(rater, versions.values[~seen])
        broken, sound = ~versions.sound[~seen], versions.sound[~seen]
        caught.append(float((unseen[broken][:, None] < unseen[sound]).mean()))
    print(f"broken under sound passages of other articles too: {100 * np.mean(caught):.1f}%")
    return float(np.mean(right))


def folds(articles: int) -> NDArray[np.intp]:
    """The fold of every article."""
    found: NDArray[np.intp] = np.random.default_rng(SEED).permutation(articles) % FOLDS
    return found


def level_tables(
    passages: Sequence[ParsedPassage], tests: Sequence[tuple[int, str]]
) -> list[dict[str, float]]:
    """Words of levels, a table a fold, counted without the articles of that fold."""
    fold_of = folds(max(article for article, _ in tests) + 1)
    found = []
    for fold in range(FOLDS):
        kept = [at for at, (article, _) in enumerate(tests) if fold_of[article] != fold]
        found.append(level_odds([passages[at] for at in kept], [tests[at][1] for at in kept]))
    return found


def put_levels(
    values: Floats,
    passages: Sequence[ParsedPassage],
    articles: Sequence[int],
    tables: Sequence[dict[str, float]],
    fold_of: NDArray[np.intp],
) -> None:
    """Measure the words of levels of each passage by the table that never saw its article."""
    column = NAMES.index("level_words")
    for at, (one, article) in enumerate(zip(passages, articles, strict=True)):
        values[at, column] = mean_odds(one, tables[int(fold_of[article])])


def level_odds(passages: Sequence[ParsedPassage], levels: Sequence[str]) -> dict[str, float]:
    """Log odds of lemmas, elementary against advanced, in steps of a tenth."""
    counts = {level: Counter[str]() for level in LEVELS}
    for one, level in zip(passages, levels, strict=True):
        counts[level].update(lemma_counts(one))
    easy, hard = counts["elementary"], counts["advanced"]
    sizes = easy.total(), hard.total()
    found = {}
    for lemma in sorted(easy.keys() | hard.keys()):
        if easy[lemma] + hard[lemma] < LEAST_WORD or not (lemma.isascii() and lemma.isalpha()):
            continue
        here, there = easy[lemma] + PRIOR, hard[lemma] + PRIOR
        value = math.log(here / (sizes[0] + 2 * PRIOR)) - math.log(there / (sizes[1] + 2 * PRIOR))
        if value := round(max(-MOST_ODDS, min(MOST_ODDS, value)), 1):
            found[lemma] = value
    return found


def write_levels(passages: Sequence[ParsedPassage], levels: Sequence[str], out: Path) -> None:
    """The table of all articles, which ships."""
    head = "Log odds of a lemma in elementary against advanced versions (OneStopEnglish)."
    table = odds_lines(level_odds(passages, levels), head)
    (out / "level_words.tsv").write_text(table, encoding="utf-8")


def in_order(
    said: Floats, tests: Sequence[tuple[int, str]], fold_of: NDArray[np.intp], fold: int
) -> list[float]:
    """1 for every pair of versions of an article of a fold that is in order, a half for a tie."""
    by_article: dict[int, dict[str, float]] = {}
    for (article, level), rating in zip(tests, said.tolist(), strict=True):
        if fold_of[article] == fold:
            by_article.setdefault(article, {})[level] = rating
    found = []
    for ratings in by_article.values():
        for easier, harder in (
            ("elementary", "intermediate"),
            ("intermediate", "advanced"),
            ("elementary", "advanced"),
        ):
            if easier in ratings and harder in ratings:
                gap = ratings[easier] - ratings[harder]
                found.append(1.0 if gap > 0 else 0.5 if gap == 0 else 0.0)
    return found


def _sampled(values: Floats, most: int) -> Floats:
    picked = np.random.default_rng(SEED).permutation(len(values))[:most]
    return values[picked]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
