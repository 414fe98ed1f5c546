"""Decisions about mismatches, checked against the strings that they were made about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.making.adjudication import AdjudicationHeader, Disagreement
from readmark.making.translation.causes import CAUSES
from readmark.making.translation.comparison import STALE, WORK, Comparison
from readmark.making.translation.sheets import Pair

# Decisions of an earlier comparison: each holds for the strings that it was made about.


def require_same_work(comparison: Comparison, header: AdjudicationHeader, file: str) -> None:
    """Refuse decisions on other work, of other people, or of A and B the other way round."""
    if header.work != WORK:
        raise DataError(
            f"holds decisions on {header.work or 'other work'}, expected translation",
            file=file,
            where=1,
        )
    if (header.a, header.b) != comparison.names:
        raise DataError(
            f"compares {header.a} with {header.b}, expected {' with '.join(comparison.names)}; "
            "give both files in the same order, and --names as before",
            file=file,
            where=1,
        )
    made = header.fields.get("files")
    if not isinstance(made, dict):
        return
    a, b = (Path(one).name for one in comparison.files)
    if a != b and (made.get(header.a), made.get(header.b)) == (b, a):
        raise DataError(
            f"says that {b} is {header.a}'s and {a} is {header.b}'s: give both files in the order "
            "in which they were compared",
            file=file,
            where=1,
        )


def carried(
    rows: Iterable[Disagreement], earlier: Sequence[Disagreement]
) -> tuple[list[Disagreement], list[Disagreement]]:
    """Rows with what people wrote of the same strings, and what they wrote of strings now gone.

    A cause that was suggested then and stands in a decided row was the person's too.
    """
    known = {_strings(one): one for one in earlier if one.touched}
    made = []
    for row in rows:
        then = known.pop(_strings(row), None)
        if then is not None:
            kept = then.cause if then.decision is not None and then.cause != row.cause else None
            row = msgspec.structs.replace(
                row,
                decision=then.decision,
                other=then.other,
                by=then.by,
                decided_cause=then.decided_cause or kept,
            )
        made.append(row)
    return made, list(known.values())


def set_aside(header: AdjudicationHeader, *, file: str) -> list[Disagreement]:
    """Decisions that an earlier comparison set aside, since their strings had gone."""
    try:
        return msgspec.convert(header.fields.get(STALE, []), list[Disagreement])
    except msgspec.ValidationError as error:
        raise DataError(f"holds set-aside decisions that are none: {error}", file=file) from None


def _strings(row: Disagreement) -> tuple[str, str]:
    """What a decision is about: the row and its three texts."""
    about = (row.beside.get("english"), row.a, row.b)
    return row.id, msgspec.json.encode(about).decode()


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
            'does not state who decided: write the name in "by", or give --by NAME',
            file=file,
            where=pair.id,
        )
    if signed == BY_SUGGESTION:
        raise DataError(
            f"is signed {BY_SUGGESTION!r}, which is not a name: write who decided",
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
