"""Checks of ratings as a whole: gaps, orders that contradict stars, straight lines, haste.

They report and drop nothing: whether a judge is left out is for people to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from readmark.core.display import counted
from readmark.core.numbers import first_ids
from readmark.readability.panels.findings import RatingFinding
from readmark.readability.panels.ratings import JudgeRating
from readmark.readability.panels.rounds import EXPERT, NOVICE, PanelJudge, PanelPlan, PanelRound
from readmark.statistics.carelessness import FASTEST
from readmark.text.words import words

STRAIGHT = 5
"""The fewest passages on which equal stars, or ranks in the order of the sheet, are a finding."""

JudgeRatings = Mapping[str, JudgeRating]
"""What one judge gave, by the codes of passages."""


def check(
    plan: PanelPlan,
    rated: Mapping[str, JudgeRatings],
    texts: Mapping[str, str],
    *,
    fastest: float | None = None,
) -> list[RatingFinding]:
    """The findings on every judge, then on passages; ``texts`` are by code.

    More than ``fastest`` words a minute are not believed.
    """
    language = "zh" if plan.language == "zh" else "en"
    fastest = FASTEST[language] if fastest is None else fastest
    findings: list[RatingFinding] = []
    for judge in plan.judges:
        ratings = rated.get(judge.name, {})
        findings += _gaps(judge, ratings)
        for turn, round_ in enumerate(judge.rounds, 1):
            findings += _order(judge, round_, ratings, turn)
            findings += _straight_lines(judge, round_, ratings, turn)
        findings += _constant(judge, ratings)
        findings += _haste(judge, ratings, texts, language, fastest)
    return [*findings, *_few_ratings(plan, rated)]


def _gaps(judge: PanelJudge, ratings: JudgeRatings) -> Iterator[RatingFinding]:
    missing: list[str] = []
    for turn, round_ in enumerate(judge.rounds, 1):
        unrated = [code for code in round_.passages if not _has_stars(ratings, code)]
        missing += unrated
        if 0 < len(unrated) < len(round_.passages):
            message = (
                f"round {turn} is half finished: "
                f"{first_ids(unrated)} of {len(round_.passages)} not rated"
            )
            yield _finding("half_round", message, judge, turn)
    total = sum(len(round_.passages) for round_ in judge.rounds)
    if len(missing) == total:
        yield _finding("missing", f"nothing was rated ({total} of {total})", judge)
    elif missing:
        message = f"{first_ids(missing)} not rated ({len(missing)} of {total})"
        yield _finding("missing", message, judge)


def _order(
    judge: PanelJudge, round_: PanelRound, ratings: JudgeRatings, turn: int
) -> Iterator[RatingFinding]:
    stars = {code: ratings[code].stars for code in round_.passages if _has_stars(ratings, code)}
    ranks = {
        code: rank
        for code in round_.passages
        if code in ratings and (rank := ratings[code].rank) is not None
    }
    # Ranks come after all stars of a round: before, a gap is only a round that is not finished.
    if len(ranks) < len(round_.passages) == len(stars):
        unranked = [code for code in round_.passages if code not in ranks]
        yield _finding(
            "rank_missing", f"round {turn} has no rank for {first_ids(unranked)}", judge, turn
        )
    for rank, times in sorted(Counter(ranks.values()).items()):
        if times > 1:
            tied = ", ".join(code for code in ranks if ranks[code] == rank)
            message = f"round {turn} has rank {rank} {times} times: {tied}"
            yield _finding("rank_tied", message, judge, turn)
    pairs = contradictions(round_.passages, ratings)
    if pairs:
        first, second = (
            f"{code} ({_star_count(stars[code])}, rank {ranks[code]})" for code in pairs[0]
        )
        message = f"round {turn}: {counted(len(pairs), 'pair')}, such as {first} and {second}"
        yield _finding("rank_contradicts", message, judge, turn)


def contradictions(passages: Sequence[str], ratings: JudgeRatings) -> list[tuple[str, str]]:
    """The pairs of a round in which fewer stars have the better rank."""
    rated = [
        (code, stars, rank)
        for code in passages
        if code in ratings
        and (stars := ratings[code].stars) is not None
        and (rank := ratings[code].rank) is not None
    ]
    return [
        (code, other_code)
        for (code, stars, rank), (other_code, other_stars, other_rank) in combinations(rated, 2)
        if (stars - other_stars) * (rank - other_rank) > 0
    ]


def _straight_lines(
    judge: PanelJudge, round_: PanelRound, ratings: JudgeRatings, turn: int
) -> Iterator[RatingFinding]:
    stars = [ratings[code].stars for code in round_.passages if _has_stars(ratings, code)]
    if len(stars) >= STRAIGHT and len(set(stars)) == 1:
        message = f"round {turn}: all {len(stars)} passages have {_star_count(stars[0])}"
        yield _finding("straight_line", message, judge, turn)
    ranks = [ratings[code].rank for code in round_.passages if code in ratings]
    upwards = list(range(1, len(ranks) + 1))
    if len(ranks) >= STRAIGHT and ranks in (upwards, upwards[::-1]):
        message = f"round {turn}: the ranks follow the order of the sheet"
        yield _finding("straight_line", message, judge, turn)


def _constant(judge: PanelJudge, ratings: JudgeRatings) -> Iterator[RatingFinding]:
    """The same stars in every round: single rounds may be too short to show it."""
    stars = [rating.stars for rating in ratings.values() if rating.stars is not None]
    if len(judge.rounds) > 1 and len(stars) >= STRAIGHT and len(set(stars)) == 1:
        message = f"all rounds: all {len(stars)} passages have {_star_count(stars[0])}"
        yield _finding("straight_line", message, judge)


def _haste(
    judge: PanelJudge,
    ratings: JudgeRatings,
    texts: Mapping[str, str],
    language: str,
    fastest: float,
) -> Iterator[RatingFinding]:
    for code, rating in ratings.items():
        if rating.seconds is None:
            continue
        count = len(words(texts.get(code, ""), language))
        if 60 * count > fastest * rating.seconds:
            unit = "characters" if language == "zh" else "words"
            yield RatingFinding(
                "too_fast",
                f"{code}: {count} {unit} in {rating.seconds:g} seconds (over {fastest:g} a minute)",
                judge.name,
                judge.panel,
                id=rating.id,
                file=rating.file,
                line=rating.line,
            )


def _few_ratings(plan: PanelPlan, rated: Mapping[str, JudgeRatings]) -> Iterator[RatingFinding]:
    """Passages that fewer than two of a panel rated."""
    for passage in plan.passages:
        judges = Counter(
            judge.panel
            for judge in plan.judges
            if _has_stars(rated.get(judge.name, {}), passage.code)
        )
        for panel in (EXPERT, NOVICE):
            if judges[panel] < 2:
                few = "one" if judges[panel] else "no"
                message = f"{passage.code}: {few} {panel} rated it"
                yield RatingFinding(f"{few}_{panel}", message, id=passage.id)


def _finding(code: str, message: str, judge: PanelJudge, turn: int | None = None) -> RatingFinding:
    number = None if turn is None else judge.rounds[turn - 1].number
    return RatingFinding(code, message, judge.name, judge.panel, round=number, turn=turn)


def _has_stars(ratings: JudgeRatings, code: str) -> bool:
    return code in ratings and ratings[code].stars is not None


def _star_count(stars: float | None) -> str:
    return f"{stars:g} {'star' if stars == 1 else 'stars'}"
