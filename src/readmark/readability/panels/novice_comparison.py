"""Raters compared with novices by the experts' gold: ``panel mark`` with experts in the key."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.marksheet import MarkedUnit, read_marksheet_header, read_marksheet_rows
from readmark.core.new_folders import making_folder
from readmark.core.numbers import listed_ids
from readmark.core.records import distinct_names
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.people_names import folded_name
from readmark.marking import Mark, Marks, MarkSettings, mark
from readmark.readability.kind import expert_names
from readmark.readability.metrics.proportional_target import ProportionalTarget
from readmark.readability.panels.novice_claims import claims
from readmark.readability.panels.novice_tables import PanelTables
from readmark.readability.panels.novices import FEWEST, Null, shared_null
from readmark.readability.panels.panel_ratings import TARGET, PanelRatings, by_label, gather
from readmark.readability.panels.rater_lines import RaterLine, leave_each_out, rater_line
from readmark.readability.panels.rating_sittings import (
    OUTSIDE,
    on_passages,
    outside_scale,
    people_sittings,
    rating_sitting,
    spelt_otherwise,
)

MARKED = ("score_difference", "proportional_target", "pearson", "spearman", "kendall")
"""The evaluation's three metrics, and two that are shown beside them without a p-value."""

NO_EXPERT = "no expert rated them"
NO_NOVICE = "no novice rated them"


@dataclass(frozen=True, slots=True)
class _Experts:
    """The experts of a test, and the passages by how many of them rated it."""

    names: tuple[str, ...]
    passages: tuple[str, ...]
    """Passages that an expert rated."""
    unrated: tuple[str, ...]
    single: tuple[str, ...]
    """Passages that a single expert rated."""


@dataclass(slots=True)
class _Comparisons:
    """The results of raters, added one by one, on all passages and by the values of fields."""

    by: Sequence[str]
    null: Null
    ratings: list[PanelRatings] = field(default_factory=list)
    lines: list[RaterLine] = field(default_factory=list)
    slices: dict[str, dict[str, list[RaterLine]]] = field(default_factory=dict)
    failed: dict[str, Sequence[str]] = field(default_factory=dict)

    def add(self, name: str, marks: Marks, ratings: PanelRatings) -> None:
        self.ratings.append(ratings)
        self.lines.append(rater_line(name, ratings, self.null, _by_base(marks.marks)))
        for field_name in self.by:
            lines_by_label = self.slices.setdefault(field_name, {})
            for label, part in by_label(ratings, field_name):
                part_marks = _by_base(marks.by[field_name][label].marks)
                line = rater_line(name, part, self.null, part_marks)
                lines_by_label.setdefault(label, []).append(line)
        if marks.coverage.errors:
            self.failed[name] = marks.coverage.errors


def compare_with_novices(
    test: Test,
    sittings: Sequence[str | Path | Sitting],
    novices: Sequence[str | Path | Sitting],
    *,
    by: Sequence[str] = (),
    settings: MarkSettings | None = None,
    round: bool | None = None,
    by_row: bool = False,
    folder: str | Path | None = None,
) -> PanelTables:
    """Each sitting against the novices' null and whole judges, and each novice likewise.

    The null takes as many draws as ``settings`` has trials, and their seed. Ratings are rounded
    for the target where the experts gave whole stars, unless ``round`` says otherwise. With a
    ``folder`` the marksheets stay, a file for each sitting.
    """
    test.require_kind("readability")
    settings = settings or MarkSettings()
    if not sittings:
        raise UsageError("name a sitting or more to be marked")
    experts = _experts(test)
    judges, notes_on_novices = _novices(
        test, people_sittings(novices, test, by_row=by_row), experts
    )
    raters = [rating_sitting(sitting, test) for sitting in sittings]
    rated = frozenset(id for judge in judges for id in judge)
    passages = [id for id in experts.passages if id in rated]
    if not passages:
        raise DataError("no passage has both an expert's and a novice's rating", file=test.file)
    target = TARGET if round is None else f"{TARGET}(round={str(round).lower()})"
    metrics = [target if name == TARGET else name for name in MARKED]
    comparisons = _Comparisons(by, shared_null(seed=settings.seed, draws=settings.trials))
    notes = list(notes_on_novices)
    names = distinct_names([rater.candidate for rater in raters])
    with _marksheet_folder(folder) as marksheets:
        for number, (name, rater) in enumerate(zip(names, raters, strict=True), 1):
            path = marksheets / f"{number}-{Path(rater.file).name.partition('.')[0]}.marks.jsonl"
            marks = mark(
                test,
                on_passages(rater, test, passages),
                metrics=metrics,
                by=by,
                people=judges,
                settings=settings,
                marksheet=path,
            )
            comparisons.add(name, marks, _read_ratings(path))
            notes += _notes(rater, marks, [judge.candidate for judge in judges], experts)
            if marks.units < len(passages):
                notes.append(
                    f"{rater.file}: sat {marks.units:,} of {len(passages):,} passages; its marks "
                    "and p are of these alone"
                )
    # Raters may have sat different passages: the table of novices is on the most of them.
    widest = max(comparisons.ratings, key=lambda ratings: ratings.panel.passages)
    left_out = leave_each_out(widest, seed=settings.seed, draws=settings.trials)
    single = [
        id for id, is_single in zip(widest.ids, widest.panel.single, strict=True) if is_single
    ]
    without_novice = tuple(id for id in experts.passages if id not in rated)
    excluded = {NO_EXPERT: experts.unrated, NO_NOVICE: without_novice}
    excluded = {reason: ids for reason, ids in excluded.items() if ids}
    notes = [*_notes_on_panel(test, experts, excluded, single, len(judges)), *notes]
    return PanelTables(
        test=test.header.name or Path(test.file).name,
        novices=widest.novices,
        experts=experts.names,
        passages=widest.panel.passages,
        narrow=int(widest.narrow.sum()),
        single=len(single),
        rounded=bool(ProportionalTarget(round=round).resolve(test).round),
        draws=settings.trials,
        seed=settings.seed,
        raters=comparisons.lines,
        by=comparisons.slices,
        left_out=left_out,
        claims=claims(comparisons.lines, left_out),
        excluded=excluded,
        failed=comparisons.failed,
        notes=list(dict.fromkeys(notes)),
    )


def _experts(test: Test) -> _Experts:
    names: set[str] = set()
    passages: list[str] = []
    unrated: list[str] = []
    single: list[str] = []
    for unit in test.units():
        ratings = [rating for person in test.kind.references(unit) for rating in person]
        names.update(rating.annotator for rating in ratings)
        (passages if ratings else unrated).append(unit.id)
        if len(ratings) == 1:
            single.append(unit.id)
    if not passages:
        raise DataError("has no expert's rating to mark against", file=test.file)
    return _Experts(tuple(sorted(names)), tuple(passages), tuple(unrated), tuple(single))


def _novices(
    test: Test, sittings: Sequence[Sitting], experts: _Experts
) -> tuple[list[Sitting], list[str]]:
    """The novices' sittings, each on what the novice rated, and notes on them."""
    if len(sittings) < 2:
        raise UsageError("a panel takes two novices or more: --novice SITTING, once for each")
    units = {unit.id for unit in test.units()}
    expert_by_name = expert_names(test)
    novices: dict[str, Sitting] = {}
    notes: list[str] = []
    for sitting in sittings:
        name = sitting.candidate
        folded = folded_name(name)
        if folded in expert_by_name:
            raise DataError(
                f"{name!r} is one of the experts too"
                f"{spelt_otherwise(expert_by_name[folded], name)}; a judge sits on one panel",
                file=sitting.file,
            )
        if folded in novices:
            other = novices[folded]
            raise DataError(
                f"{name!r} is also the novice of {other.file}"
                f"{spelt_otherwise(other.candidate, name)}; each novice counts once",
                file=sitting.file,
            )
        if sitting.header.repeats > 1:
            raise DataError(
                "a novice rates a passage once, this sitting has repeats", file=sitting.file
            )
        rated = tuple(
            id for id in sitting if id in units and any(row.error is None for row in sitting.of(id))
        )
        if not rated:
            raise DataError(f"{name!r} rated no passage of {test.file}", file=sitting.file)
        rated_ids = frozenset(rated)
        missing = [id for id in experts.passages if id not in rated_ids]
        if missing:
            notes.append(
                f"{sitting.file}: {name} did not rate {listed_ids(missing)}; the rest counts"
            )
        outside = list(outside_scale(sitting, rated))
        if outside:
            notes.append(f"{sitting.file}: {OUTSIDE}: {listed_ids(outside)}")
        # A passage that a novice left out is nobody's rating, and not one with the worst value.
        header = msgspec.structs.replace(sitting.header, covers=rated, limit=None)
        novices[folded] = replace(sitting, header=header)
    return list(novices.values()), notes


def _read_ratings(marksheet: Path) -> PanelRatings:
    header = read_marksheet_header(str(marksheet))
    units = [row for row in read_marksheet_rows(str(marksheet)) if isinstance(row, MarkedUnit)]
    ratings = gather(units, header.metrics, header.panel)
    if ratings is None:
        raise DataError("no passage has a novice's rating", file=marksheet)
    return ratings


def _by_base(marks: Mapping[str, Mark]) -> dict[str, Mark]:
    """Marks under the names of their metrics without parameters."""
    return dict(zip(MARKED, marks.values(), strict=True))


def _notes(
    rater: Sitting, marks: Marks, novices: Iterable[str], experts: _Experts
) -> Iterator[str]:
    yield from marks.notes
    folded = folded_name(rater.candidate)
    if folded in map(folded_name, experts.names):
        yield (
            f"{rater.file}: {rater.candidate} is one of the experts: the gold holds these very "
            "ratings, so that nothing may be claimed of them"
        )
    if folded in map(folded_name, novices):
        yield (
            f"{rater.file}: {rater.candidate} is one of the novices too, and is among those "
            "drawn; the table of novices leaves each out"
        )
    if marks.coverage.unanswered:
        yield f"{rater.file}: unanswered: {listed_ids(marks.coverage.unanswered)}"
    outside = list(outside_scale(rater, marks.unit_vectors.ids))
    if outside:
        yield f"{rater.file}: {OUTSIDE}: {listed_ids(outside)}"


def _notes_on_panel(
    test: Test,
    experts: _Experts,
    excluded: Mapping[str, Sequence[str]],
    single: Sequence[str],
    novices: int,
) -> Iterator[str]:
    for reason, ids in excluded.items():
        yield f"{test.file}: left out, {reason}: {listed_ids(ids)}"
    if experts.single:
        yield (
            f"{test.file}: one expert alone rated {listed_ids(experts.single)}: the gold there is "
            "one person's opinion, and the target has no width"
        )
    if single:
        yield (
            f"{test.file}: one novice alone rated {listed_ids(single)}: there is nothing to draw "
            "from, so the null varies the less"
        )
    if novices < FEWEST:
        yield "each novice against the others: left out, it takes three novices or more"


@contextlib.contextmanager
def _marksheet_folder(folder: str | Path | None) -> Iterator[Path]:
    """Where the marksheets are written: the folder, or a temporary one."""
    if folder is not None:
        with making_folder(folder) as part:
            yield part
        return
    with tempfile.TemporaryDirectory(prefix="readmark-") as temporary:
        yield Path(temporary)
