"""Adjudicating two annotators: decisions taken, gold made, and who decided what kept with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.problems import Report
from readmark.corpus.test import Header, Placed, Test
from readmark.setting.adjudication import AdjudicationHeader, Disagreement
from readmark.setting.crosscheck.adopting import Adopted, Otherwise, adopt, unknown_ids
from readmark.setting.crosscheck.checking import WORK, compare
from readmark.setting.crosscheck.held import HeldPassages
from readmark.setting.crosscheck.merging import merged
from readmark.setting.crosscheck.pairing import notes, paired
from readmark.setting.crosscheck.scope import Scope, scope_of
from readmark.setting.crosscheck.soundness import Fault, blamed

FIELD = "adjudication"
"""Where the gold's header says who decided what; a key is marked by, a header is not."""


@dataclass(slots=True)
class Gold:
    """The merged test, or what stands in its way."""

    test: Test
    passages: int = 0
    adopted: list[Adopted] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    conflicts: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def decisions(self) -> dict[str, int]:
        """How many disagreements were decided each way."""
        return dict(Counter(one.decision for one in self.adopted))

    @property
    def people(self) -> dict[str, int]:
        """How many each person decided."""
        return dict(Counter(one.by for one in self.adopted if one.by))


def adjudicate(
    a: Test,
    b: Test,
    header: AdjudicationHeader,
    decisions: Sequence[Disagreement],
    *,
    file: str,
    otherwise: Otherwise | None = None,
) -> Gold:
    """One gold test of two annotators' files and the decisions about where they differ."""
    scope = _checked(header, a, file)
    names = header.a, header.b
    pairs = paired(a, b, common=bool(header.fields.get("common")))
    said = {one.id: one for one in decisions}
    source = f"adjudicated({names[0]},{names[1]})"
    made = HeldPassages()
    gold = Gold(a, notes=list(notes(pairs, names)))
    known: list[str] = []
    for one, other in pairs.passages:
        compared = compare(one, other, scope)
        known += [difference.id for difference in compared.found]
        taken = adopt(compared, said, file=file, otherwise=otherwise)
        gold.undecided += taken.undecided
        gold.adopted += taken.adopted
        if taken.undecided:
            continue
        passage = merged(one, other, scope, taken.adopted, source=source)
        gold.conflicts += blamed(passage, one, other, taken.adopted)
        made.add(passage)
    if stale := unknown_ids(said, known):
        raise DataError(
            f"is no disagreement of these files ({len(stale)} such); run set crosscheck again",
            file=file,
            where=stale[0],
        )
    gold.passages = len(made)
    gold.test = _kept(_header(a.header, b.header, names, gold), made, a.file)
    return gold


def _kept(header: Header, passages: HeldPassages, file: str) -> Test:
    def stream(_: Report) -> Iterator[Placed]:
        for passage in passages.passages():
            yield passage.id, passage

    return Test(header, stream, file)


def _checked(header: AdjudicationHeader, a: Test, file: str) -> Scope:
    """The layers that the file is about; a file of other work or another test is refused."""
    if header.work != WORK:
        raise DataError(f"is of {header.work or 'unnamed work'}, expected {WORK}", file=file)
    if header.paper is not None and header.paper != a.facts.paper:
        raise DataError(f"is about another test than {a.file}", file=file)
    scope = scope_of(header)
    if scope is None:
        message = "does not say in fields.layers what was compared"
        raise DataError(message, file=file, where=1)
    return scope


def _header(a: Header, b: Header, names: tuple[str, str], gold: Gold) -> Header:
    """A's header with what only B's says, and who decided what; formats of layers say little."""
    about: dict[str, Any] = {"a": names[0], "b": names[1], "decisions": gold.decisions}
    if gold.people:
        about["by"] = gold.people
    fields = {**b.fields, **a.fields}
    if FIELD in fields:  # a third annotator beside the gold of two
        about["before"] = fields[FIELD]
    about["decided"] = {
        one.difference.id: one.told() for one in gold.adopted if one.decision in ("a", "b", "other")
    }
    said = {
        name: getattr(a, name) or getattr(b, name)
        for name in ("name", "language", "licence", "source", "profile")
    }
    hidden = tuple(dict.fromkeys((*a.hidden, *b.hidden)))
    return msgspec.structs.replace(a, **said, hidden=hidden, fields={**fields, FIELD: about})
