"""Decisions about mismatches, checked against the strings that they were made about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from readmark.corpus.errors import DataError, did_you_mean
from readmark.setting.adjudication import AdjudicationHeader, Disagreement
from readmark.setting.translation.carrying import carried, require_same_work
from readmark.setting.translation.cause import CAUSES
from readmark.setting.translation.comparing import Comparison
from readmark.setting.translation.pairing import Pair

BY_SUGGESTION = "suggestion"
SHOWN = 5
PARTS = ("other", "by", "decided_cause")
"""What means nothing without a decision."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """The translation adopted of one text, and who decided that."""

    pair: Pair
    text: str
    decision: str
    """``exact``, ``a``, ``b`` or ``other``."""
    by: str | None
    """The adjudicator, or ``suggestion``; nobody where both translations are the same."""
    cause: str | None = None
    suggested_cause: str | None = None
    suggestion: str | None = None

    def record(self, names: tuple[str, str]) -> dict[str, Any]:
        """What the test keeps of the decision."""
        translators = {"exact": list(names), "a": [names[0]], "b": [names[1]], "other": []}
        told: dict[str, Any] = {"from": translators[self.decision], "decision": self.decision}
        if self.by is not None:
            told["by"] = self.by
        if self.cause is not None:
            told["cause"] = self.cause
        if self.suggested_cause not in (None, self.cause):
            told["suggested_cause"] = self.suggested_cause
        return told


class Adjudicated(NamedTuple):
    """What was adopted, and the decisions whose strings are no longer there."""

    adopted: list[Adopted]
    stale: list[Disagreement]


def adjudicated(
    comparison: Comparison,
    header: AdjudicationHeader,
    decisions: list[Disagreement],
    *,
    file: str,
    adopt_suggestions: bool = False,
    by: str | None = None,
) -> Adjudicated:
    """The translation adopted of every text; what is undecided is named and refused.

    ``by`` signs decisions that name nobody. A suggestion of either adopts the first translator's.
    Decisions on strings that are no longer there are set aside, and told.
    """
    require_same_work(comparison, header, file)
    made_of, stale = carried(comparison.rows, decisions)
    rows = {row.id: row for row in made_of}
    adopted: list[Adopted] = []
    undecided: list[str] = []
    for pair in comparison.pairs:
        if pair.exact:
            adopted.append(Adopted(pair, (pair.a or "").strip(), "exact", None))
        elif pair.id in rows:
            row = _checked(rows[pair.id], file)
            made = _decided(pair, row, by, file)
            if made is None and adopt_suggestions:
                made = _suggested(pair, row)
            if made is None:
                undecided.append(pair.id)
            else:
                adopted.append(made)
    if undecided:
        raise DataError(_open(undecided, stale, adopt_suggestions), file=file)
    return Adjudicated(adopted, stale)


def decided_causes(adopted: list[Adopted]) -> dict[str, str]:
    """The cause of each mismatch as decided, by row id."""
    return {one.pair.id: one.cause for one in adopted if one.cause is not None}


@dataclass(frozen=True, slots=True)
class Followed:
    """How people's decisions compare with what was suggested, and how many each made."""

    by: dict[str, int]
    mismatches: int
    """Those with a suggested cause that a person decided."""
    same_cause: int
    suggested: int
    """Those of them with a suggested adoption."""
    same_adoption: int

    def lines(self) -> list[str]:
        """The same in words."""
        who = ", ".join(f"{name} {count}" for name, count in self.by.items())
        said = [f"decided by: {who}"] if who else []
        if self.mismatches:
            said.append(
                f"people kept the suggested cause in {self.same_cause} of {self.mismatches}, "
                f"the suggested adoption in {self.same_adoption} of {self.suggested}"
            )
        return said


def followed(adopted: list[Adopted]) -> Followed:
    """Count deciders, and where people went with the suggestions."""
    by = Counter(one.by for one in adopted if one.by is not None)
    people = [one for one in adopted if one.suggested_cause and one.by not in (None, BY_SUGGESTION)]
    offered = [one for one in people if one.suggestion is not None]
    return Followed(
        dict(by),
        len(people),
        sum(one.cause == one.suggested_cause for one in people),
        len(offered),
        sum(one.decision == one.suggestion or _either(one) for one in offered),
    )


def _either(one: Adopted) -> bool:
    return one.suggestion == "either" and one.decision in ("a", "b")


def _checked(row: Disagreement, file: str) -> Disagreement:
    """The row, when what a person wrote of it is a whole decision."""
    cause = row.decided_cause
    if cause is not None and cause not in CAUSES:
        raise DataError(
            f"{cause!r} is no cause; {did_you_mean(cause, CAUSES)}", file=file, where=row.id
        )
    if row.decision is None and row.touched:
        said = next(name for name in PARTS if getattr(row, name) not in (None, ""))
        raise DataError(
            f'has "{said}" without a "decision": write "a", "b" or "other" there',
            file=file,
            where=row.id,
        )
    return row


def _decided(pair: Pair, row: Disagreement, by: str | None, file: str) -> Adopted | None:
    if row.decision is None:
        return None
    text = row.adopted
    if not isinstance(text, str) or not text.strip():
        what = "other" if row.decision == "other" else f"{row.decision}'s translation"
        raise DataError(f"decides for {what}, which is empty", file=file, where=pair.id)
    signed = (row.by or "").strip() or by
    if not signed:
        raise DataError(
            'is decided by nobody: write who in "by", or give --by NAME', file=file, where=pair.id
        )
    if signed == BY_SUGGESTION:
        raise DataError(
            f"is signed {BY_SUGGESTION!r}, which is nobody's name: write who decided",
            file=file,
            where=pair.id,
        )
    cause = row.decided_cause or row.cause
    return Adopted(
        pair,
        text.strip(),
        row.decision,
        signed,
        cause if pair.whole else None,
        row.cause,
        row.suggestion,
    )


def _suggested(pair: Pair, row: Disagreement) -> Adopted | None:
    if row.suggestion is None:
        return None
    side = "b" if row.suggestion == "b" else "a"
    text = row.b if side == "b" else row.a
    return Adopted(pair, text, side, BY_SUGGESTION, row.cause, row.cause, row.suggestion)


def _open(undecided: list[str], stale: list[Disagreement], adopting: bool) -> str:
    way = "nothing is suggested for them" if adopting else "decide them, or --adopt-suggestions"
    changed = f"; {gone(stale)}" if stale else ""
    return f"{len(undecided)} undecided ({_some(undecided)}): {way}{changed}"


def gone(stale: list[Disagreement]) -> str:
    """Decisions whose strings are no longer there, in words."""
    ids = _some([one.id for one in stale])
    return f"not used, since their strings have changed or gone: {len(stale)} decisions ({ids})"


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:SHOWN]) + (", …" if len(ids) > SHOWN else "")
