"""What comes before the first unit: a candidate that is ready, and the header of its sitting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.addresses import is_remote
from readmark.core.binding import paper_members
from readmark.core.candidate_run import Run
from readmark.core.errors import UsageError
from readmark.core.file_state import require_unchanged
from readmark.core.problems import fail
from readmark.core.seen import FIELD, SeenPassages
from readmark.core.sitting import Sitting, SittingHeader
from readmark.core.test import Place, Test
from readmark.core.traffic import Traffic
from readmark.core.version import __version__
from readmark.hooks import Candidate, PaperTransform
from readmark.sitting.candidates import (
    CandidateInput,
    Keyed,
    declared,
    make_ready,
    reported_in_one_line,
    take_candidate,
)
from readmark.sitting.cluster import as_cluster
from readmark.sitting.coverage import Coverage, check_same, check_same_order, covered
from readmark.sitting.journal import Done, is_stream, recorded_header
from readmark.sitting.kind_extras import HasMaterials
from readmark.sitting.requests import Ask, Passages
from readmark.sitting.settings import SitSettings
from readmark.sitting.transforms import header_members

Expect = Callable[[Place, Sequence[str]], None]


@dataclass(frozen=True, slots=True)
class Preparation:
    """A candidate that is ready for a test, and the header that its sitting has."""

    test: Test
    name: str
    candidate: Candidate
    transforms: Sequence[PaperTransform]
    header: SittingHeader
    part: Coverage
    needs: frozenset[str]
    earlier: Sitting | None
    opening: Sequence[str]
    """What the candidate reports before the first unit, one per line."""
    run: Run

    def asks(
        self,
        done: Done,
        repeat: int,
        passages: Passages | None = None,
        expect: Expect | None = None,
    ) -> Iterator[Ask]:
        """The papers with units still to answer, as the transforms show them.

        ``expect`` is called first with the place of each paper and the ids that are asked of it.
        """
        asks = _asks(self.test, self.needs, done, repeat, self.part, passages, expect)
        for transform in self.transforms:
            asks = transform.asks(asks, repeat)
        return asks


def prepare_sitting(
    test: Test,
    candidate: CandidateInput,
    path: str | Path | None,
    settings: SitSettings,
    *,
    transforms: Sequence[PaperTransform] = (),
    probe: bool = True,
) -> Preparation:
    """Build a candidate and see that it can sit the test in this way.

    ``transforms`` are those of the settings. Without ``probe`` a candidate that uses a network asks
    nothing, not even what a service takes.
    """
    cluster, unit_timeout = as_cluster(settings.engine), settings.unit_timeout
    repeats = settings.repeats
    if path is not None and is_remote(path):
        raise UsageError(
            f"{path}: a sitting is written to a file; readmark convert copies it there"
        )
    for transform in transforms:
        with reported_in_one_line(f"transform {type(transform).__name__} cannot be used"):
            transform.prepare(test, [other for other in transforms if other is not transform])
    members = header_members(transforms)
    name, built = take_candidate(candidate, test)
    has_workers = (settings.workers or 1) > 1
    shared = "engine" if cluster is not None else "workers" if has_workers else ""
    if not isinstance(candidate, str) and (shared or unit_timeout is not None):
        raise UsageError(
            f"{name}: `{shared or 'unit_timeout'}` needs a candidate's registered name, since "
            "each process builds its own"
        )
    journal_path = None if path is None or is_stream(path) else Path(path)
    allowed = traffic_for(name, built, settings.traffic, shared, unit_timeout)
    if allowed is not None and journal_path is None and allowed.cache is None:
        allowed = replace(allowed, cache="")
    recorded = None
    if allowed is not None and journal_path is not None:
        recorded = recorded_header(journal_path)
    run = Run(
        materials=materials_for(built, test),
        languages=members.get("cross", ""),
        traffic=allowed,
        journal=journal_path,
        may_ask=probe,
        before={} if recorded is None else recorded.fields,
    )
    # A model that needs a GPU is not loaded here, but answers from a file are known here alone.
    is_elsewhere = cluster is not None and cluster.gpus and not isinstance(built, Keyed)
    signature = {} if is_elsewhere else make_ready(name, built, test.kind, test.language, run)
    opening = list(run.notes)
    earlier = built.earlier if isinstance(built, Keyed) else None
    if earlier is not None:
        check_same(
            earlier,
            test,
            repeats=repeats,
            without=members.get("without"),
            rewrite=members.get("rewrite"),
        )
        check_same_order(earlier, members.get("shuffle_options"))
    # Crossed papers ask another test's questions.
    without_options = not test.facts.count("choices") and "cross" not in members
    require_what_it_needs(name, built, test, without_options=without_options)
    part = covered(test, settings.limit, earlier)
    needs = frozenset(declared(built, "needs", ()))
    gold = {"gold": ", ".join(sorted(needs))} if needs else {}
    fields = dict(run.fields)
    if earlier is not None and FIELD in earlier.header.fields:
        fields[FIELD] = earlier.header.fields[FIELD]
    elif not is_elsewhere and (seen := _seen(name, built, test, part)) is not None:
        fields[FIELD] = seen.as_json()
        if seen.passages:
            opening.append(f"warning: {seen.words}")
    header = SittingHeader(
        kind=test.kind.name,
        **paper_members(test),
        candidate=name,
        name=settings.name,
        signature={
            **signature,
            **gold,
            **{
                name: value
                for transform in transforms
                for name, value in transform.signature().items()
            },
            "readmark": __version__,
        },
        repeats=repeats,
        limit=part.limit,
        covers=part.covers,
        fields=fields,
        **members,
    )
    return Preparation(test, name, built, transforms, header, part, needs, earlier, opening, run)


def _seen(name: str, candidate: Candidate, test: Test, part: Coverage) -> SeenPassages | None:
    """Which of the passages that are sat a candidate learnt from; None where it does not say."""
    with reported_in_one_line(f"the training record of {name} cannot be used"):
        record = declared(candidate, "training_record", lambda: None)()
        if record is None:
            return None
        from readmark.text.seen import find_seen
        from readmark.text.training_record import TrainingRecord, read_record

        if not isinstance(record, TrainingRecord):
            record = read_record(record)
        units = None if part.covers is None else frozenset(part.covers)
        return find_seen(test, record, units=units)


def materials_for(candidate: Candidate, test: Test) -> Mapping[str, bytes]:
    """What the kind of a test shows to a candidate that wants to know its run."""
    if declared(candidate, "begin", None) is None:
        return {}
    return test.kind.materials(test) if isinstance(test.kind, HasMaterials) else {}


def _asks(
    test: Test,
    needs: frozenset[str],
    done: Done,
    repeat: int,
    part: Coverage,
    passages: Passages | None,
    expect: Expect | None,
) -> Iterator[Ask]:
    """Every record with units still to answer, stripped of its key."""
    kind = test.kind
    chosen = None if part.covers is None else frozenset(part.covers)
    files = test.facts.files
    for place, record in test.stream(fail):  # the test has been surveyed
        # Looked at after the record was read and before it is handed out: no answer is to a
        # question of another test than the header names.
        require_unchanged(files, getattr(place, "file", test.file))
        wanted = tuple(
            unit.id
            for unit in kind.units(record)
            if (chosen is None or unit.id in chosen) and (unit.id, repeat) not in done.answered
        )
        if not wanted:
            continue
        paper = with_gold(kind.paper(record), record, needs)
        if expect is not None:
            expect(place, wanted)
        if passages is not None:
            passages.ask(getattr(record, "text", None), wanted)
        yield Ask(paper, wanted)


# Gold annotation for the candidates that declare that they need it.


def with_gold(paper: Any, record: Any, needs: frozenset[str]) -> Any:
    """A paper with the needed layers of its key, on the record and on the values inside it."""
    if not needs:
        return paper
    key = getattr(record, "key", None)
    known = {**getattr(record, "layers", {}), **getattr(key, "layers", {})}
    needed = {name: layer for name, layer in known.items() if name in needs}
    changed: dict[str, Any] = {"layers": {**paper.layers, **needed}} if needed else {}
    for name in record.__struct_fields__:
        inside = getattr(record, name)
        if name != "key" and isinstance(inside, tuple) and _are_values(inside):
            pairs = zip(getattr(paper, name), inside, strict=True)
            changed[name] = tuple(with_gold(mine, whole, needs) for mine, whole in pairs)
    return msgspec.structs.replace(paper, **changed)


def _are_values(inside: tuple[Any, ...]) -> bool:
    return bool(inside) and all(isinstance(one, msgspec.Struct) for one in inside)


# What a candidate cannot do without: checked once, before the first unit.


OPTIONS = "options"
"""What of ``requires`` is no layer."""


def require_what_it_needs(
    name: str, candidate: Candidate, test: Test, *, without_options: bool
) -> None:
    """Refuse a test without options, or without a layer in any record, that it requires."""
    missing = set(declared(candidate, "requires", ()))
    if OPTIONS in missing and without_options:
        raise UsageError(f"{name} chooses among options, and no question of {test.file} has any")
    missing.discard(OPTIONS)
    for record in test.records() if missing else ():
        hidden = record.key.layers if record.key is not None else {}
        missing -= {*record.layers, *hidden}
        if not missing:
            return
    if missing:
        names = ", ".join(sorted(missing))
        raise UsageError(
            f"{name} reads gold annotation that {test.file} does not have: layer {names}"
        )


# Who may ask over a network, and how.


def traffic_for(
    name: str,
    candidate: Candidate,
    traffic: Traffic | None,
    shared: str,
    unit_timeout: float | None,
) -> Traffic | None:
    """The traffic settings of a candidate that sends requests; they are refused for any other.

    ``shared`` is the option that would share the units out among processes, if any.
    """
    if not declared(candidate, "sends_requests", False):
        if traffic is not None:
            raise UsageError(f"{name} sends no requests over a network: there is nothing to limit")
        return None
    if shared:
        raise UsageError(f"{name} asks many at once by itself: use `parallel`, not `{shared}`")
    if unit_timeout is not None:
        raise UsageError(f"{name} limits its requests by itself: use `timeout`, not `unit_timeout`")
    return traffic or Traffic()
