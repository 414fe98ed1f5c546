"""``readmark panel mark``: raters are marked against experts and compared with the novices.

Without experts they are compared with the other raters: that is in ``raters``.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import click
import msgspec

from readmark import console as options
from readmark.console import OUTPUT_FOLDER
from readmark.core.error_rows import listed_errors
from readmark.core.errors import DataError, UsageError
from readmark.core.marksheet import MarkedUnit, read_marksheet_header, read_marksheet_rows
from readmark.core.new_folders import making_folder
from readmark.core.numbers import listed_ids
from readmark.core.parts import part_files
from readmark.core.records import distinct_names
from readmark.core.sitting import Sitting
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.people_names import folded_name
from readmark.formats.registry import open_sitting, open_test
from readmark.marking import Mark, Marks, MarkSettings, mark
from readmark.readability.kind import expert_names
from readmark.readability.metrics.proportional_target import ProportionalTarget
from readmark.readability.panels.class_tables import CLASS_RATINGS, by_row_option
from readmark.readability.panels.equivalence import MARGIN, REFERENCES
from readmark.readability.panels.novices import (
    FEWEST,
    TARGET,
    PanelRatings,
    by_label,
    gather,
    shared_null,
)
from readmark.readability.panels.peer_tables import PeerTables
from readmark.readability.panels.tables import (
    PanelTables,
    RaterLine,
    claims,
    leave_each_out,
    rater_line,
)
from readmark.readability.scale import HIGHEST, LOWEST


@click.command("mark")
@click.argument("test")
@click.argument("sittings", nargs=-1, required=True, metavar="SITTING...")
@click.option(
    "--novice",
    "novices",
    multiple=True,
    metavar="SITTING",
    help="Sitting with a novice's ratings, a folder of them, or a table with a column per novice "
    "(repeatable)  [default: the raters in TEST's key, and no experts]",
)
@click.option(
    "--no-experts",
    is_flag=True,
    help="Compare with the novices alone, although TEST's key has experts.",
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="Without experts: metric to compare by (repeatable): score_difference, pearson, "
    "spearman, kendall  [default: the first three]",
)
@click.option(
    "--margin",
    type=float,
    default=MARGIN,
    help="Without experts: difference that is too small to matter, in stars for "
    "score_difference, else in correlation",
)
@click.option(
    "--reference",
    type=click.Choice(list(REFERENCES)),
    default="mean",
    help="Without experts: how the ratings of the others are combined",
)
@options.list_option(
    "--by", metavar="FIELD,...", help="With experts: break the results down by these fields."
)
@click.option(
    "--draws",
    type=int,
    help="With experts, times that novices' ratings are drawn in place of the machine's; "
    "without, bootstrap samples for the intervals; up to 1,000,000  [default: 10000; 1000]",
)
@options.seed_option
@click.option(
    "--round/--no-round",
    "rounded",
    default=None,
    help="With experts: round ratings to whole stars for proportional_target, or take them as "
    "given  [default: rounded if the experts gave whole stars]",
)
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    help="With experts: folder to write the marksheets to, for a report.",
    type=OUTPUT_FOLDER,
)
@by_row_option
@options.errors_option
@options.split_option
@options.from_option
@options.full_option
@options.format_option
@options.json_option
@click.pass_context
def mark_command(
    ctx: click.Context,
    test: str,
    sittings: tuple[str, ...],
    novices: tuple[str, ...],
    no_experts: bool,
    metrics: tuple[str, ...],
    margin: float,
    reference: str,
    by: str | None,
    draws: int | None,
    seed: int,
    rounded: bool | None,
    output: str | None,
    by_row: bool,
    errors_as_wrong: bool,
    split: str | None,
    from_format: str | None,
    full: bool,
    as_format: str,
    as_json: bool,
) -> None:
    """Test whether raters are as good as people: mark each SITTING against the experts.

    With experts in TEST's key and --novice, reports the document's three metrics, each with the
    probability that ratings drawn from the novices do as well. Also compares the rater with each
    novice as a whole judge, and marks each novice like a machine.

    Without experts, leaves each rater out in turn, and compares how well that rater and the
    machine agree with the others. A verdict says whether the machine is equivalent to the average
    rater, within the margin, or better or worse. --full also compares it with each rater.
    """
    from readmark.readability.panels.raters import panel_raters

    if no_experts and not novices:
        raise UsageError("--no-experts needs --novice SITTING: the raters to compare with")
    opened = open_test(test, format=from_format, split=split)
    opened.require_kind("readability")
    has_experts = bool(novices) and not no_experts and bool(expert_names(opened))
    where = "without experts" if has_experts else "with experts in the key and --novice"
    for name in ("metrics", "margin", "reference") if has_experts else _OF_EXPERTS:
        if options.is_given(name):
            [option] = (one.opts[-1] for one in ctx.command.params if one.name == name)
            raise UsageError(f"{option} is for a panel {where}")
    result: PanelTables | PeerTables
    if has_experts:
        result = panel_mark(
            opened,
            sittings,
            novices,
            by=options.fields(by),
            settings=MarkSettings(seed=seed, trials=10_000 if draws is None else draws),
            round=rounded,
            by_row=by_row,
            folder=output,
        )
    else:
        result = panel_raters(
            opened,
            sittings,
            novices,
            metrics=metrics,
            margin=margin,
            reference=reference,
            settings=MarkSettings(seed=seed, draws=1000 if draws is None else draws),
            by_row=by_row,
        )
    options.notify(result.notes)
    options.print_result(result, as_json=as_json, as_format=as_format, full=full)
    if output:
        options.notify([f"marksheets written to {output}; readmark report {output}/*.marks.jsonl"])
    for name, ids in result.failed.items():
        options.notify([f"{name}: {listed_errors(ids, counted=errors_as_wrong)}"])
    if result.failed and not errors_as_wrong:
        ctx.exit(1)


_OF_EXPERTS = ("by", "rounded", "output")
"""The options that have no meaning without experts."""

MARKED = ("score_difference", "proportional_target", "pearson", "spearman", "kendall")

OUTSIDE = "ratings outside 1 to 5, taken as given"

NO_EXPERT = "no expert rated them"
NO_NOVICE = "no novice rated them"


@dataclass(frozen=True, slots=True)
class _Expert:
    """Who rated as an expert, and which passages have whom."""

    names: tuple[str, ...]
    passages: tuple[str, ...]
    unrated: tuple[str, ...]
    single: tuple[str, ...]


def panel_mark(
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
    """Every sitting against the novices' null, whole judges, and each novice likewise.

    The null takes as many draws as ``settings`` has trials, and their seed. Ratings are rounded
    for the target where the experts gave whole stars, unless ``round`` says otherwise. With a
    ``folder`` the marksheets stay, a file a sitting.
    """
    test.require_kind("readability")
    settings = settings or MarkSettings()
    if not sittings:
        raise UsageError("name a sitting or more to be marked")
    experts = _experts(test)
    judges, doubts = _novices(test, people_sittings(novices, test, by_row=by_row), experts)
    raters = [rating_sitting(sitting, test) for sitting in sittings]
    drawn = [judge.candidate for judge in judges]
    rated = frozenset(id for judge in judges for id in judge)
    counted = [id for id in experts.passages if id in rated]
    if not counted:
        raise DataError("no passage has both an expert's and a novice's rating", file=test.file)
    excluded = {
        NO_EXPERT: experts.unrated,
        NO_NOVICE: tuple(id for id in experts.passages if id not in rated),
    }
    spelt = "" if round is None else f"(round={str(round).lower()})"
    metrics = [f"{one}{spelt}" if one == TARGET else one for one in MARKED]
    null = shared_null(seed=settings.seed, draws=settings.trials)
    lines: list[RaterLine] = []
    slices: dict[str, dict[str, list[RaterLine]]] = {name: {} for name in by}
    notes: dict[str, None] = dict.fromkeys(doubts)
    failed: dict[str, Sequence[str]] = {}
    every: list[PanelRatings] = []
    names = distinct_names([rater.candidate for rater in raters])
    with _sheets(folder) as place:
        for index, (name, sitting) in enumerate(zip(names, raters, strict=True)):
            part = on_passages(sitting, test, counted)
            path = place / f"{index + 1}-{Path(sitting.file).name.partition('.')[0]}.marks.jsonl"
            marks = mark(
                test,
                part,
                metrics=metrics,
                by=by,
                people=judges,
                settings=settings,
                marksheet=path,
            )
            gathered = _gathered(path)
            every.append(gathered)
            lines.append(rater_line(name, gathered, null, _by_base(marks.marks)))
            for field in by:
                for label, several in by_label(gathered, field):
                    told_marks = _by_base(marks.by[field][label].marks)
                    line = rater_line(name, several, null, told_marks)
                    slices[field].setdefault(label, []).append(line)
            notes.update(dict.fromkeys(_notes(sitting, marks, drawn, experts)))
            if marks.units < len(counted):
                notes[
                    f"{sitting.file}: sat {marks.units:,} of {len(counted):,} passages; its marks "
                    "and p are of these alone"
                ] = None
            if marks.coverage.errors:
                failed[name] = marks.coverage.errors
    widest = max(every, key=lambda ratings: ratings.panel.passages)
    alone = [id for id, one in zip(widest.ids, widest.panel.single, strict=True) if one]
    left = leave_each_out(widest, seed=settings.seed, draws=settings.trials)
    excluded = {why: ids for why, ids in excluded.items() if ids}
    said = [f"{test.file}: left out, {why}: {listed_ids(ids)}" for why, ids in excluded.items()]
    if experts.single:
        said.append(
            f"{test.file}: one expert alone rated {listed_ids(experts.single)}: the gold there is "
            "one person's opinion, and the target has no width"
        )
    if alone:
        said.append(
            f"{test.file}: one novice alone rated {listed_ids(alone)}: there is nothing to draw "
            "from, so the null varies the less"
        )
    if len(judges) < FEWEST:
        said.append("each novice against the others: left out, it takes three novices or more")
    return PanelTables(
        test=test.header.name or Path(test.file).name,
        novices=widest.novices,
        experts=experts.names,
        passages=widest.panel.passages,
        narrow=int(widest.narrow.sum()),
        single=len(alone),
        rounded=bool(ProportionalTarget(round=round).resolve(test).round),
        draws=settings.trials,
        seed=settings.seed,
        raters=lines,
        by=slices,
        left_out=left,
        claims=claims(lines, left),
        excluded=excluded,
        failed=failed,
        notes=[*said, *notes],
    )


def _experts(test: Test) -> _Expert:
    names: dict[str, None] = {}
    passages: list[str] = []
    unrated: list[str] = []
    single: list[str] = []
    for unit in test.units():
        people = [one for person in test.kind.references(unit) for one in person]
        names.update(dict.fromkeys(person.annotator for person in people))
        (passages if people else unrated).append(unit.id)
        if len(people) == 1:
            single.append(unit.id)
    if not passages:
        raise DataError("has no expert's rating to mark against", file=test.file)
    return _Expert(tuple(sorted(names)), tuple(passages), tuple(unrated), tuple(single))


def people_sittings(
    given: Sequence[str | Path | Sitting], test: Test, *, by_row: bool
) -> list[Sitting]:
    """The sittings of people; a table of a class has several, and so has a folder of sittings."""
    people: list[Sitting] = []
    for one in chain.from_iterable(map(_in_folder, given)):
        if not isinstance(one, Sitting) and CLASS_RATINGS.recognises(source := Source(one)):
            people += CLASS_RATINGS.read_people(source, test, by_row=by_row)
        else:
            people.append(rating_sitting(one, test))
    return people


def _in_folder(given: str | Path | Sitting) -> Sequence[str | Path | Sitting]:
    """The files of a folder, such as that of `panel collect --novices`; else what was given."""
    if isinstance(given, Sitting) or not Path(given).is_dir() or part_files(str(given)):
        return [given]
    files = (file for file in Path(given).iterdir() if not file.name.startswith("."))
    return sorted(file for file in files if file.is_file()) or [given]


def _novices(
    test: Test, sittings: Sequence[Sitting], experts: _Expert
) -> tuple[list[Sitting], list[str]]:
    """The novices' sittings, each on what the novice rated; and what there is to say of them."""
    if len(sittings) < 2:
        raise UsageError("a panel takes two novices or more: --novice SITTING, once for each")
    known = {unit.id for unit in test.units()}
    found: dict[str, Sitting] = {}
    alike = expert_names(test)
    notes = []
    for sitting in sittings:
        name = sitting.candidate
        folded = folded_name(name)
        if folded in alike:
            raise DataError(
                f"{name!r} is one of the experts too{spelt_otherwise(alike[folded], name)}; "
                "a judge sits on one panel",
                file=sitting.file,
            )
        if folded in found:
            other = found[folded]
            raise DataError(
                f"{name!r} is also the novice of {other.file}"
                f"{spelt_otherwise(other.candidate, name)}; each novice counts once",
                file=sitting.file,
            )
        rated = tuple(
            id for id in sitting if id in known and any(row.error is None for row in sitting.of(id))
        )
        if not rated:
            raise DataError(f"{name!r} rated no passage of {test.file}", file=sitting.file)
        missing = [id for id in experts.passages if id not in frozenset(rated)]
        if missing:
            notes.append(
                f"{sitting.file}: {name} did not rate {listed_ids(missing)}; the rest counts"
            )
        outside = list(outside_scale(sitting, rated))
        if outside:
            notes.append(f"{sitting.file}: {OUTSIDE}: {listed_ids(outside)}")
        if sitting.header.repeats > 1:
            raise DataError(
                "a novice rates a passage once, this sitting has repeats", file=sitting.file
            )
        header = msgspec.structs.replace(sitting.header, covers=rated, limit=None)
        found[folded] = replace(sitting, header=header)
    return list(found.values()), notes


def spelt_otherwise(known: str, name: str) -> str:
    """The name that is taken for the same, where it is written in another way."""
    return "" if known == name else f" (as {known!r})"


def rating_sitting(one: str | Path | Sitting, test: Test) -> Sitting:
    """A sitting, read where it is a file."""
    return one if isinstance(one, Sitting) else open_sitting(one, test.kind)


def on_passages(sitting: Sitting, test: Test, counted: Sequence[str]) -> Sitting:
    """The sitting on the passages that count, of those that it was to sit."""
    header = sitting.header
    if header.covers is not None:
        wanted = frozenset(header.covers)
    else:
        ids = [unit.id for unit in test.units()]
        wanted = frozenset(ids if header.limit is None else ids[: header.limit])
    covers = tuple(id for id in counted if id in wanted)
    if not covers:
        raise DataError(
            f"covers none of the {len(counted):,} passages that count", file=sitting.file
        )
    if len(covers) == test.facts.units:
        return sitting
    return replace(sitting, header=msgspec.structs.replace(header, covers=covers, limit=None))


def _gathered(path: Path) -> PanelRatings:
    header = read_marksheet_header(str(path))
    units = [row for row in read_marksheet_rows(str(path)) if isinstance(row, MarkedUnit)]
    ratings = gather(units, header.metrics, header.panel)
    if ratings is None:
        raise DataError("no passage has a novice's rating", file=path)
    return ratings


def _by_base(marks: Mapping[str, Mark]) -> dict[str, Mark]:
    """Marks under the bare names of their metrics."""
    return dict(zip(MARKED, marks.values(), strict=True))


def _notes(
    sitting: Sitting, marks: Marks, novices: Iterable[str], experts: _Expert
) -> Iterator[str]:
    yield from marks.notes
    folded = folded_name(sitting.candidate)
    if folded in map(folded_name, experts.names):
        yield (
            f"{sitting.file}: {sitting.candidate} is one of the experts: the gold holds these very "
            "ratings, so that nothing may be claimed of them"
        )
    if folded in map(folded_name, novices):
        yield (
            f"{sitting.file}: {sitting.candidate} is one of the novices too, and is among those "
            "drawn; the table of novices leaves each out"
        )
    if marks.coverage.unanswered:
        yield f"{sitting.file}: unanswered: {listed_ids(marks.coverage.unanswered)}"
    outside = list(outside_scale(sitting, marks.unit_vectors.ids))
    if outside:
        yield f"{sitting.file}: {OUTSIDE}: {listed_ids(outside)}"


def outside_scale(sitting: Sitting, ids: Iterable[str]) -> Iterator[str]:
    """The passages whose rating is off the scale."""
    for id in ids:
        for row in sitting.of(id)[:1]:
            said = row.answer
            if said is not msgspec.UNSET and not LOWEST <= said <= HIGHEST:
                yield id


@contextlib.contextmanager
def _sheets(folder: str | Path | None) -> Iterator[Path]:
    """Where the marksheets are: where requested, or in a temporary folder."""
    if folder is not None:
        with making_folder(folder) as part:
            yield part
        return
    with tempfile.TemporaryDirectory(prefix="readmark-") as passing:
        yield Path(passing)
