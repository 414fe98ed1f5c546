"""What comes before the first unit: a candidate that is ready, and the header of its sitting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from readmark.core.addresses import is_remote
from readmark.core.binding import paper_members
from readmark.core.candidate_run import Run
from readmark.core.errors import UsageError
from readmark.core.file_state import require_unchanged
from readmark.core.problems import fail, part_of
from readmark.core.seen import FIELD, SeenPassages
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Test
from readmark.core.traffic import Traffic
from readmark.core.version import __version__
from readmark.hooks import Candidate, PaperTransform, hook
from readmark.sitting.candidates import (
    CandidateInput,
    declared,
    make_ready,
    reported_in_one_line,
    take_candidate,
)
from readmark.sitting.cluster import as_cluster
from readmark.sitting.coverage import Coverage, coverage_of
from readmark.sitting.journal_paths import is_stream
from readmark.sitting.journal_state import JournalState
from readmark.sitting.keyed import Keyed, require_sat_the_same_way
from readmark.sitting.kind_extras import HasMaterials
from readmark.sitting.requests import Ask
from readmark.sitting.requirements import require_what_it_needs, with_gold
from readmark.sitting.resuming import recorded_header
from readmark.sitting.settings import SitSettings
from readmark.sitting.transforms import build_transforms, header_members


@dataclass(frozen=True, slots=True)
class Preparation:
    """A candidate that is ready for a test, and the header that its sitting has."""

    test: Test
    name: str
    candidate: Candidate
    transforms: Sequence[PaperTransform]
    header: SittingHeader
    coverage: Coverage
    needs: frozenset[str]
    """The layers of the key that the candidate sees."""
    earlier: Sitting | None
    """The answers of a candidate that takes them from a file."""
    opening: Sequence[str]
    """What the candidate reports before the first unit, one per line."""
    run: Run

    @property
    def hides_passages(self) -> bool:
        """Whether a transform changes passages, so that offsets may point anywhere."""
        return any(hook(transform, "hides_passages", False) for transform in self.transforms)

    def papers(self, state: JournalState, repeat: int) -> Iterator[tuple[str, Ask]]:
        """Every record with units still to answer, without its key, and the file that it is in."""
        kind = self.test.kind
        covers = None if self.coverage.covers is None else frozenset(self.coverage.covers)
        files = self.test.facts.files
        for place, record in self.test.stream(fail):  # the survey has found it sound
            file = part_of(place) or self.test.file
            # After the record was read and before it is handed out: no answer is to a question of
            # another test than the header names.
            require_unchanged(files, file)
            wanted = tuple(
                unit.id
                for unit in kind.units(record)
                if (covers is None or unit.id in covers) and (unit.id, repeat) not in state.answered
            )
            if wanted:
                yield file, Ask(with_gold(kind.paper(record), record, self.needs), wanted)

    def transformed(self, asks: Iterable[Ask], repeat: int) -> Iterator[Ask]:
        """Papers as the candidate sees them, after all transforms."""
        transformed = iter(asks)
        for transform in self.transforms:
            transformed = transform.asks(transformed, repeat)
        return transformed

    def restored(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The candidate's rows back through the transforms, the last one first."""
        for transform in reversed(self.transforms):
            rows = transform.rows(rows)
        return rows


def prepare_sitting(
    test: Test,
    candidate: CandidateInput,
    path: str | Path | None,
    settings: SitSettings,
    *,
    probe: bool = True,
) -> Preparation:
    """Build a candidate and see that it can sit the test in this way.

    Without ``probe`` a candidate that uses a network asks nothing, not even what a service takes.
    """
    if path is not None and is_remote(path):
        raise UsageError(
            f"{path}: a sitting is written to a file; readmark convert copies it there"
        )
    transforms = build_transforms(settings)
    for transform in transforms:
        with reported_in_one_line(f"transform {type(transform).__name__} cannot be used"):
            transform.prepare(test, [other for other in transforms if other is not transform])
    stated = header_members(transforms)

    name, built = take_candidate(candidate, test)
    cluster = as_cluster(settings.engine)
    has_workers = (settings.workers or 1) > 1
    sharing_option = "engine" if cluster is not None else "workers" if has_workers else ""
    process_option = sharing_option or ("unit_timeout" if settings.unit_timeout is not None else "")
    if process_option and not isinstance(candidate, str):
        raise UsageError(
            f"{name}: `{process_option}` needs a candidate's registered name, since each process "
            "builds its own"
        )
    traffic = traffic_for(name, built, settings.traffic, sharing_option, settings.unit_timeout)

    journal = None if path is None or is_stream(path) else Path(path)
    recorded = None
    if traffic is not None and journal is not None:
        recorded = recorded_header(journal)
    elif traffic is not None and traffic.cache is None:
        traffic = replace(traffic, cache="")  # its place would be next to the journal
    run = Run(
        materials=_materials_for(built, test),
        languages=stated.get("cross", ""),
        traffic=traffic,
        journal=journal,
        may_ask=probe,
        before={} if recorded is None else recorded.fields,
    )
    # A model that needs a GPU is loaded on the cluster alone. Answers from a file are read here:
    # nobody else knows which units they are to.
    is_elsewhere = cluster is not None and cluster.gpus and not isinstance(built, Keyed)
    signature = {} if is_elsewhere else make_ready(name, built, test.kind, test.language, run)
    opening = list(run.notes)

    earlier = built.earlier if isinstance(built, Keyed) else None
    if earlier is not None:
        require_sat_the_same_way(
            earlier,
            test,
            repeats=settings.repeats,
            without=stated.get("without"),
            rewrite=stated.get("rewrite"),
            shuffle_options=stated.get("shuffle_options"),
        )
    # Crossed papers have the options of another test.
    without_options = not test.facts.count("choices") and "cross" not in stated
    require_what_it_needs(name, built, test, without_options=without_options)
    coverage = coverage_of(test, settings.limit, earlier)

    fields = dict(run.fields)
    if earlier is not None and FIELD in earlier.header.fields:
        fields[FIELD] = earlier.header.fields[FIELD]
    elif not is_elsewhere and (seen := _seen(name, built, test, coverage)) is not None:
        fields[FIELD] = seen.as_json()
        if seen.passages:
            opening.append(f"warning: {seen.words}")

    needs = frozenset(declared(built, "needs", ()))
    if needs:
        signature["gold"] = ", ".join(sorted(needs))
    for transform in transforms:
        signature |= transform.signature()
    header = SittingHeader(
        kind=test.kind.name,
        **paper_members(test),
        candidate=name,
        name=settings.name,
        signature={**signature, "readmark": __version__},
        repeats=settings.repeats,
        limit=coverage.limit,
        covers=coverage.covers,
        fields=fields,
        **stated,
    )
    return Preparation(
        test, name, built, transforms, header, coverage, needs, earlier, opening, run
    )


def traffic_for(
    name: str,
    candidate: Candidate,
    traffic: Traffic | None,
    sharing_option: str,
    unit_timeout: float | None,
) -> Traffic | None:
    """The limits of a candidate that sends requests; None, and refused, for any other.

    ``sharing_option`` is the option that would deal the units to several processes, if any. Each
    process would keep limits of its own, so that a sum of money would be spent several times.
    """
    if not declared(candidate, "sends_requests", False):
        if traffic is not None:
            raise UsageError(f"{name} makes no network requests, so limits on them do not apply")
        return None
    if sharing_option:
        raise UsageError(
            f"{name} sends requests in parallel itself: use `parallel`, not `{sharing_option}`"
        )
    if unit_timeout is not None:
        raise UsageError(f"{name} limits its requests itself: use `timeout`, not `unit_timeout`")
    return traffic or Traffic()


def _materials_for(candidate: Candidate, test: Test) -> Mapping[str, bytes]:
    """The kind's files of a test, for a candidate that takes its ``Run``."""
    if declared(candidate, "begin", None) is None or not isinstance(test.kind, HasMaterials):
        return {}
    return test.kind.materials(test)


def _seen(name: str, candidate: Candidate, test: Test, coverage: Coverage) -> SeenPassages | None:
    """Which passages of the test a candidate learnt from; None if it does not say."""
    with reported_in_one_line(f"the training record of {name} cannot be used"):
        record: Any = declared(candidate, "training_record", lambda: None)()
        if record is None:
            return None
        from readmark.text.seen import find_seen
        from readmark.text.training_record import TrainingRecord
        from readmark.text.training_record_files import read_record

        if not isinstance(record, TrainingRecord):
            record = read_record(record)
        units = None if coverage.covers is None else frozenset(coverage.covers)
        return find_seen(test, record, units=units)
