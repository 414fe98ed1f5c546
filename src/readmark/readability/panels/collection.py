"""Checks of ratings as a whole: gaps, orders that contradict stars, straight lines, haste.

They report and drop nothing: whether a judge is left out is for people to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

import msgspec
from rich.console import Console

from readmark.core.display import Result, counted, number, plain_table, span
from readmark.core.errors import DataError
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.readability.panels.agreement import PanelsAgreement, agreement
from readmark.readability.panels.ratings import (
    CODES,
    Criterion,
    JudgeRating,
    RatingFinding,
    ReturnedRatings,
    count_criteria,
)
from readmark.readability.panels.rounds import EXPERT, PanelJudge, PanelPlan, PanelRound, version_of
from readmark.readability.panels.sheets import texts_by_code
from readmark.readability.panels.simulation import SYNTHETIC, SYNTHETIC_NAME
from readmark.readability.records import Rating, RatingKey
from readmark.stats.agreement.value import Resampling
from readmark.text.words import words

FASTEST = {"en": 600.0, "zh": 1200.0}
"""Words (in Chinese characters) a minute: twice what good readers reach when they skim."""
STRAIGHT = 5
"""The same stars for at least this many passages of a round, and no others: straight-lining."""
_SHOWN = 3
"""Passages or findings that are named; the report has them all."""

Mine = Mapping[str, JudgeRating]


def check(
    plan: PanelPlan,
    rated: Mapping[str, Mine],
    texts: Mapping[str, str],
    *,
    fastest: float | None = None,
) -> list[RatingFinding]:
    """The findings on every judge, then on passages."""
    limit = fastest if fastest is not None else FASTEST["zh" if plan.language == "zh" else "en"]
    findings: list[RatingFinding] = []
    for judge in plan.judges:
        mine = rated.get(judge.name, {})
        findings += _gaps(judge, mine)
        for turn, round_ in enumerate(judge.rounds, 1):
            findings += _orders(judge, round_, mine, turn)
            findings += _straight(judge, round_, mine, turn)
        findings += _constant(judge, mine)
        findings += _haste(judge, mine, texts, plan.language, limit)
    return [*findings, *_thin(plan, rated)]


def _gaps(judge: PanelJudge, mine: Mine) -> Iterator[RatingFinding]:
    lacking: list[str] = []
    for turn, round_ in enumerate(judge.rounds, 1):
        unrated = [code for code in round_.passages if not _has_stars(mine, code)]
        lacking += unrated
        if 0 < len(unrated) < len(round_.passages):
            message = (
                f"round {turn} is half finished: "
                f"{_first_few(unrated)} of {len(round_.passages)} not rated"
            )
            yield _of(judge, "half_round", message, turn)
    total = sum(len(round_.passages) for round_ in judge.rounds)
    if lacking:
        whole = "nothing was rated" if len(lacking) == total else f"{_first_few(lacking)} not rated"
        yield _of(judge, "missing", f"{whole} ({len(lacking)} of {total})")


def _orders(
    judge: PanelJudge, round_: PanelRound, mine: Mine, turn: int
) -> Iterator[RatingFinding]:
    ranks = {code: mine[code].rank for code in round_.passages if code in mine}
    ranked = {code: rank for code, rank in ranks.items() if rank is not None}
    stars = {code: mine[code].stars for code in round_.passages if _has_stars(mine, code)}
    if stars and len(ranked) < len(round_.passages) and len(stars) == len(round_.passages):
        gone = [code for code in round_.passages if code not in ranked]
        text = f"round {turn} has no rank for {_first_few(gone)}"
        yield _of(judge, "rank_missing", text, turn)
    for rank, times in sorted(Counter(ranked.values()).items()):
        if times > 1:
            level = [code for code, each in ranked.items() if each == rank]
            text = f"round {turn} has rank {rank} {times} times: {', '.join(level)}"
            yield _of(judge, "rank_tied", text, turn)
    wrong = [
        (a, b)
        for a, b in combinations([code for code in ranked if code in stars], 2)
        if ((stars[a] or 0.0) - (stars[b] or 0.0)) * (ranked[a] - ranked[b]) > 0
    ]
    if wrong:
        a, b = wrong[0]
        text = (
            f"round {turn}: {counted(len(wrong), 'pair')}, such as {a} ({_counted(stars[a])}, rank "
            f"{ranked[a]}) and {b} ({_counted(stars[b])}, rank {ranked[b]})"
        )
        yield _of(judge, "rank_contradicts", text, turn)


def _straight(
    judge: PanelJudge, round_: PanelRound, mine: Mine, turn: int
) -> Iterator[RatingFinding]:
    stars = [mine[code].stars for code in round_.passages if _has_stars(mine, code)]
    if len(stars) >= STRAIGHT and len(set(stars)) == 1:
        text = f"round {turn}: all {len(stars)} passages have {_counted(stars[0])}"
        yield _of(judge, "straight_line", text, turn)
    ranks = [mine[code].rank for code in round_.passages if code in mine]
    if len(ranks) >= STRAIGHT and ranks in (
        list(range(1, len(ranks) + 1)),
        list(range(len(ranks), 0, -1)),
    ):
        text = f"round {turn}: the ranks follow the order of the sheet"
        yield _of(judge, "straight_line", text, turn)


def _constant(judge: PanelJudge, mine: Mine) -> Iterator[RatingFinding]:
    """The same stars in every round: single rounds may be too short to show it."""
    stars = [rating.stars for rating in mine.values() if rating.stars is not None]
    if len(judge.rounds) > 1 and len(stars) >= STRAIGHT and len(set(stars)) == 1:
        text = f"all rounds: all {len(stars)} passages have {_counted(stars[0])}"
        yield _of(judge, "straight_line", text)


def _haste(
    judge: PanelJudge, mine: Mine, texts: Mapping[str, str], language: str, limit: float
) -> Iterator[RatingFinding]:
    for code, rating in mine.items():
        if rating.seconds is None:
            continue
        count = len(words(texts.get(code, ""), "zh" if language == "zh" else "en"))
        if 60 * count > limit * rating.seconds:
            unit = "characters" if language == "zh" else "words"
            text = f"{code}: {count} {unit} in {rating.seconds:g} seconds (over {limit:g} a minute)"
            yield RatingFinding(
                "too_fast", text, judge.name, judge.panel, rating.id, rating.file, rating.line
            )


def _thin(plan: PanelPlan, rated: Mapping[str, Mine]) -> Iterator[RatingFinding]:
    """Passages that too few of a panel rated."""
    for passage in plan.passages:
        by = Counter(
            judge.panel
            for judge in plan.judges
            if _has_stars(rated.get(judge.name, {}), passage.code)
        )
        experts = by[EXPERT]
        if not experts:
            yield RatingFinding("no_expert", f"{passage.code}: no expert rated it", id=passage.id)
        elif experts == 1:
            yield RatingFinding("one_expert", f"{passage.code}: one expert rated it", id=passage.id)
        novices = by.total() - experts
        if not novices:
            yield RatingFinding("no_novice", f"{passage.code}: no novice rated it", id=passage.id)
        elif novices == 1:
            yield RatingFinding("one_novice", f"{passage.code}: one novice rated it", id=passage.id)


def _of(judge: PanelJudge, code: str, message: str, turn: int | None = None) -> RatingFinding:
    number = None if turn is None else judge.rounds[turn - 1].number
    return RatingFinding(code, message, judge.name, judge.panel, round=number, turn=turn)


def _has_stars(mine: Mine, code: str) -> bool:
    return code in mine and mine[code].stars is not None


def _counted(stars: float | None) -> str:
    return f"{stars:g} {'star' if stars == 1 else 'stars'}"


def _first_few(codes: Sequence[str]) -> str:
    more = f" and {len(codes) - _SHOWN} more" if len(codes) > _SHOWN else ""
    return ", ".join(codes[:_SHOWN]) + more


# Ratings put where they belong: experts' into the key, each novice's into a sitting.


_SHOWN_RATERS, _SHOWN_CRITERIA = 5, 15


@dataclass(frozen=True, slots=True)
class Collected(Result):
    """A test with its experts' ratings, the novices' sittings, and every finding."""

    test: Test
    novices: tuple[Sitting, ...]
    findings: tuple[RatingFinding, ...]
    agreement: PanelsAgreement
    criteria: tuple[Criterion, ...]
    rows: int
    expected: int
    """Ratings that the plan asks for."""
    rated: int
    """Ratings that there are."""
    written: Mapping[str, str | None] = field(default_factory=dict)
    """The files that were written: output, novices_folder, report."""
    remaining: str | None = None
    """The folder with sheets for rounds that are not finished."""
    unfinished: tuple[str, ...] = ()
    """The judges who have not finished."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, and who still has to rate."""
        notes = []
        if (output := self.written.get("output")) is not None:
            findings = f"{len(self.findings)} findings"
            notes.append(f"{output}: {findings}; the experts' ratings are its key")
        if self.remaining is not None:
            late = ", ".join(self.unfinished) or "nobody"
            notes.append(f"{self.remaining}: what is left for {late}")
        return tuple(notes)

    def as_json(self) -> dict[str, Any]:
        """Files, counts, findings, agreement and criteria."""
        return {
            **self.written,
            "unfinished": self.unfinished,
            "rows": self.rows,
            "rated": self.rated,
            "expected": self.expected,
            "novices": [sitting.candidate for sitting in self.novices],
            "counts": dict(Counter(finding.code for finding in self.findings)),
            "findings": [asdict(finding) for finding in self.findings],
            "agreement": asdict(self.agreement),
            "criteria": [asdict(criterion) for criterion in self.criteria],
        }

    def show(self, console: Console) -> None:
        """Judges, findings, agreement, criteria."""
        rated = f"{self.rated:,} of {self.expected:,} ratings are present"
        console.print(f"{counted(self.rows, 'row')} read: {rated}")
        table = plain_table("judge", "panel", "rated", "mean", "sd", "with panel", "with experts")
        for name, judge in self.agreement.judges.items():
            figures = (
                judge.mean,
                judge.deviation,
                judge.with_panel.value,
                judge.with_experts.value,
            )
            table.add_row(name, judge.panel, f"{judge.rated:,}", *map(number, figures))
        console.print(table)
        console.print(
            "with panel, with experts: correlation with the mean of the others", style="dim"
        )
        for code, what in CODES.items():
            findings = [finding for finding in self.findings if finding.code == code]
            if findings:
                console.print(f"{code}: {len(findings):,} – {what}", highlight=False)
            for finding in findings[:_SHOWN]:
                who = f"{finding.judge}: " if finding.judge else ""
                where = f"{finding.file}:{finding.line}: " if finding.file else ""
                console.print(f"  {where}{who}{finding.message}", markup=False, highlight=False)
            if len(findings) > _SHOWN:
                console.print(f"  … and {len(findings) - _SHOWN} more")
        self._show_agreement(console)
        if self.criteria:
            criteria = plain_table("criterion", "times", "experts")
            for criterion in self.criteria[:_SHOWN_CRITERIA]:
                experts = ", ".join(criterion.experts)
                criteria.add_row(criterion.text, str(criterion.times), experts)
            console.print(criteria)
        if len(self.criteria) > _SHOWN_CRITERIA:
            console.print(f"… and {len(self.criteria) - _SHOWN_CRITERIA} more; --json has them all")

    def _show_agreement(self, console: Console) -> None:
        table = plain_table("agreement", "judges", "measure", "value", "interval", "n")
        rows = [
            (panel, str(len(within.judges)), f"{panel} {measure.measure}", measure)
            for panel, within in self.agreement.panels.items()
            for measure in within.measures
        ]
        rows.append(("expert – novice", "means", "expert – novice", self.agreement.between))
        for panel, judges, _, one in rows:
            interval = span(one.low, one.high)
            table.add_row(panel, judges, one.measure, number(one.value), interval, f"{one.n:,}")
        console.print(table)
        for _, _, label, one in rows:
            if one.reason is not None:
                console.print(f"{label}: {one.reason}", style="dim")


def collect(
    test: Test,
    plan: PanelPlan,
    returned: ReturnedRatings,
    *,
    fastest: float | None = None,
    resampling: Resampling | None = None,
) -> Collected:
    """What the judges said, in its place; the plan must be of this paper."""
    _require_paper(test, plan)
    texts = texts_by_code(test, plan)
    findings = (*returned.findings, *check(plan, returned.rated, texts, fastest=fastest))
    return Collected(
        test=_rated(test, plan, returned),
        novices=tuple(
            _sitting(plan, judge, mine)
            for judge in plan.judges
            if judge.panel != EXPERT and (mine := returned.rated.get(judge.name))
        ),
        findings=findings,
        agreement=agreement(plan, returned.rated, resampling=resampling),
        criteria=tuple(count_criteria(returned.criteria)),
        rows=returned.rows,
        expected=len(plan.passages) * len(plan.judges),
        rated=sum(
            rating.stars is not None for mine in returned.rated.values() for rating in mine.values()
        ),
    )


def _require_paper(test: Test, plan: PanelPlan) -> None:
    test.require_kind("readability")
    if test.facts.paper == plan.paper:
        return
    versions = {passage.id: passage.version for passage in plan.passages}
    for record in test.records():
        if record.id in versions and version_of(record.text) != versions[record.id]:
            raise DataError(
                "the text of the passage is not the one that the plan was made for",
                file=test.file,
                where=record.id,
            )
    raise DataError("has other passages than the plan was made for", file=test.file)


def _rated(test: Test, plan: PanelPlan, returned: ReturnedRatings) -> Test:
    experts = [judge for judge in plan.judges if judge.panel == EXPERT]
    by_id: dict[str, list[Rating]] = {}
    for judge in experts:
        for judge_rating in returned.rated.get(judge.name, {}).values():
            if judge_rating.stars is not None:
                rating = Rating(
                    rating=judge_rating.stars,
                    annotator=judge.name,
                    rank=judge_rating.rank,
                    round=_place(judge, judge_rating.code)["round"],
                    seconds=judge_rating.seconds,
                )
                by_id.setdefault(judge_rating.id, []).append(rating)
    if not by_id:
        return test
    _require_unrated(test)
    records = []
    for record in test.records():
        if ratings := by_id.get(record.id):
            key = msgspec.structs.replace(record.key or RatingKey(), ratings=tuple(ratings))
            record = msgspec.structs.replace(record, key=key)
        records.append(record)
    about = {
        "seed": plan.seed,
        "round": plan.size,
        "experts": [expert.name for expert in experts],
        "criteria": [
            {
                "annotator": expert,
                "round": number,
                "turn": _turn(plan, expert, number),
                "text": text,
            }
            for expert, rounds in returned.criteria.items()
            for number, text in sorted(rounds.items())
        ],
    }
    return in_memory(_header(test.header, about), records, file=test.file)


def _require_unrated(test: Test) -> None:
    """Experts of two panels are not mixed: the gold would be neither's."""
    rated = {
        rating.annotator or "somebody": None
        for record in test.records()
        if record.key is not None
        for rating in record.key.ratings
    }
    if rated:
        raise DataError(
            f"has ratings already, by {', '.join(list(rated)[:_SHOWN_RATERS])}"
            f"{', …' if len(rated) > _SHOWN_RATERS else ''}: collect into a test without ratings",
            file=test.file,
        )


def _header(header: Header, about: Mapping[str, Any]) -> Header:
    """The header with the panel in it; that ratings are made up is no longer true."""
    fields = dict(header.fields)
    name = header.name
    if fields.pop(SYNTHETIC, False):
        fields.pop("note", None)
        name = name.removesuffix(SYNTHETIC_NAME) if name else name
    return msgspec.structs.replace(header, name=name, fields={**fields, "panel": about})


def _turn(plan: PanelPlan, name: str, number: int) -> int | None:
    """The number of a round on the judge's own sheet."""
    judge = plan.judge(name)
    rounds = [round_.number for round_ in judge.rounds] if judge is not None else []
    return rounds.index(number) + 1 if number in rounds else None


def _sitting(plan: PanelPlan, judge: PanelJudge, mine: Mapping[str, JudgeRating]) -> Sitting:
    rows = {
        rating.id: Row(
            id=rating.id,
            rating=rating.stars,
            seconds=rating.seconds,
            evidence={
                **_place(judge, rating.code),
                **({} if rating.rank is None else {"rank": rating.rank}),
            },
        )
        for rating in mine.values()
        if rating.stars is not None
    }
    header = SittingHeader(
        kind="readability",
        paper=plan.paper,
        candidate=judge.name,
        signature={"panel": judge.panel},
        fields={"panel": judge.panel, "seed": plan.seed, "round": plan.size},
    )
    return Sitting(header, rows, f"{judge.name}.jsonl")


def _place(judge: PanelJudge, code: str) -> dict[str, Any]:
    """The round by its number in the plan and on the judge's sheet, and the place in it."""
    return next(
        {"round": round_.number, "turn": turn, "place": round_.passages.index(code) + 1}
        for turn, round_ in enumerate(judge.rounds, 1)
        if code in round_.passages
    )
