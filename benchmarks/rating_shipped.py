"""Trains the raters that ship: English on OneStopEnglish, broken text and judged passages; Chinese.

    python benchmarks/rating_shipped.py ../shared/data src/readmark/readability/raters/data

What is usual comes from raw Wikipedia, stories and the articles themselves, a third each, without
any label. First the pairs of versions that are put in order in 5-fold cross-validation by article,
then the fit on all. CLEAR is never opened here. The penalty is the strongest of 0.3, 1, 3 and 10
whose pairs in order are within a standard error of the best. The encoder's weights are taught by
``training/judged.tsv``; the Chinese rater (``rating_chinese.py``) is made last, from the English.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import rating_chinese
from numpy.typing import NDArray
from rating_tables import tales, wikipedia

from readmark.core.arrays import Floats
from readmark.core.version import __version__
from readmark.readability.formulas.english import english_readability
from readmark.readability.raters.features.families import features_of, row
from readmark.readability.raters.features.lexical import mean_odds
from readmark.readability.raters.learned_words import lemma_counts
from readmark.readability.raters.model import Rater
from readmark.readability.raters.parses import ParsedPassage, parse_all
from readmark.readability.raters.rater_files import to_json
from readmark.readability.raters.sentence_vectors.shipped import shipped_encoder
from readmark.readability.raters.spelling import as_read
from readmark.text.sentences import sentences
from training.rater import (
    LEVELS,
    SORTS,
    Versions,
    add_meaning,
    fit,
    fit_formulas,
    odds_lines,
    rate_rows,
)

PRIOR, LEAST_WORD, MOST_ODDS = 5.0, 6, 2.0
SEED, FOLDS, PENALTY, USUAL, WORDS = 1, 5, 3.0, 1_500, 180
MEANING_PENALTY, HEADS = 0.1, (75, 60)
JUDGED = Path(__file__).resolve().parents[1] / "training" / "judged.tsv"
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
    taught = lessons(data, names)
    whole_embeddings = embedded([text for _, _, text in whole])
    write(versions, usual, tests, texts, out, taught, whole_embeddings)
    rating_chinese.main(data, out)


@dataclass(frozen=True)
class JudgedLessons:
    """Passages that were judged whole: features, embeddings, easiness, article (-1 for none)."""

    values: Floats
    embeddings: Floats
    easiness: Floats
    articles: NDArray[np.intp]

    def add_to(self, rater: Rater, article_is_kept: NDArray[np.bool_]) -> Rater:
        """The rater taught by the passages of no article, and of those that are kept."""
        kept = (self.articles < 0) | article_is_kept[self.articles]
        return add_meaning(
            rater,
            self.values[kept],
            self.embeddings[kept],
            self.easiness[kept],
            penalty=MEANING_PENALTY,
            encoder=shipped_encoder().digest,
        )


def lessons(data: Path, names: Sequence[str]) -> JudgedLessons:
    """The judged passages, found again in their sources by their hashes."""
    lines = JUDGED.read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    wanted = {digest: float(easiness) for _, digest, easiness in rows}
    found: dict[str, tuple[str, int]] = {}
    for text, article in _judged_sources(data, names):
        for words in HEADS:
            start = beginning(text, words)
            digest = hashlib.sha256(start.encode()).hexdigest()[:16]
            if digest in wanted:
                found[digest] = start, article
    texts = [start for start, _ in found.values()]
    print(f"{len(found)} of {len(wanted)} judged passages found")
    return JudgedLessons(
        measured(parse_all(texts)),
        embedded(texts),
        np.array([wanted[digest] for digest in found]),
        np.array([article for _, article in found.values()]),
    )


def _judged_sources(data: Path, names: Sequence[str]) -> Iterator[tuple[str, int]]:
    for text in wikipedia(data / "wiki" / "en.more.txt.xz")[:200]:
        yield text, -1
    for text in tales(data / "span_training")[:200]:
        yield text, -1
    for name, _, text in articles(data / "onestop_english"):
        yield from ((piece, names.index(name)) for piece in cut(text))
    for pattern in ("covidqa*", "policyqa*"):
        for path in sorted((data / "span_training").glob(pattern)):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                contexts = {json.loads(line)["context"] for line in lines}
            yield from ((piece, -1) for text in sorted(contexts) for piece in [*cut(text)][:8])


def beginning(text: str, words: int) -> str:
    """The first sentences of a text that have so many words together."""
    text = " ".join(as_read(text).split())
    last = 0
    for _, last in sentences(text, "en"):
        if text.count(" ", 0, last) + 1 >= words:
            break
    return text[:last]


def embedded(texts: Sequence[str]) -> Floats:
    return np.array([shipped_encoder().embed(as_read(text)) for text in texts])


def write(
    versions: Versions,
    usual: Floats,
    tests: Sequence[tuple[int, str]],
    texts: Floats,
    out: Path,
    taught: JudgedLessons,
    embeddings: Floats,
) -> None:
    """Validate, fit on all, and write the rater."""
    right = validated(versions, usual, tests, texts, taught, embeddings)
    broken = int((~versions.sound).sum())
    note = {
        "version": __version__,
        "trained_on": "OneStopEnglish (CC BY-SA 4.0), and its articles broken on purpose",
        "taught_by": f"{len(taught.easiness)} passages that a language model judged",
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
    rater = taught.add_to(rater, np.ones(len(names_of(tests)), bool))
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


def names_of(tests: Sequence[tuple[int, str]]) -> set[int]:
    return {article for article, _ in tests}


def validated(
    versions: Versions,
    usual: Floats,
    tests: Sequence[tuple[int, str]],
    texts: Floats,
    taught: JudgedLessons,
    embeddings: Floats,
) -> float:
    """Share of pairs of whole versions in order, each by a rater that never saw the article.

    Prints the same share, and that of articles with all three in order, before the encoder.
    """
    fold_of = folds(int(versions.articles.max()) + 1)
    right: list[float] = []
    said_by = {"features": np.zeros(len(texts)), "with encoder": np.zeros(len(texts))}
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
        whole = taught.add_to(rater, fold_of != fold)
        mine = np.array([fold_of[article] == fold for article, _ in tests])
        said_by["features"][mine] = rate_rows(rater, texts)[mine]
        said_by["with encoder"][mine] = rate_rows(whole, texts, embeddings)[mine]
        right += in_order(said_by["with encoder"], tests, fold_of, fold)
        unseen = rate_rows(rater, versions.values[~seen])
        broken, sound = ~versions.sound[~seen], versions.sound[~seen]
        caught.append(float((unseen[broken][:, None] < unseen[sound]).mean()))
    print(f"broken under sound passages of other articles too: {100 * np.mean(caught):.1f}%")
    for name, said in said_by.items():
        print(f"articles never seen, {name}: {order_line(said, tests)}")
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


def order_line(said: Floats, tests: Sequence[tuple[int, str]]) -> str:
    """Pairs and whole articles in order, each with its 95% interval over articles."""
    count = len(names_of(tests))
    pairs = [in_order(said, tests, np.arange(count), article) for article in range(count)]
    chance = np.random.default_rng(SEED)
    shown = []
    for label, values in (
        ("pairs", [sum(one) / len(one) for one in pairs]),
        ("all three", [float(min(one) == 1) for one in pairs]),
    ):
        drawn = np.array(values)[chance.integers(0, count, (1_000, count))].mean(axis=1)
        low, high = 100 * np.quantile(drawn, (0.025, 0.975))
        shown.append(f"{label} {100 * np.mean(values):.1f}% [{low:.1f}, {high:.1f}]")
    return ", ".join(shown)


def _sampled(values: Floats, most: int) -> Floats:
    picked = np.random.default_rng(SEED).permutation(len(values))[:most]
    return values[picked]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
