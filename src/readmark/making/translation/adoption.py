"""Which translation of each text is adopted, by whom, and how often people took the suggestion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError, did_you_mean
from readmark.core.numbers import first_ids
from readmark.making.translation.causes import CAUSES
from readmark.making.translation.comparison import (
    TranslationComparison,
    require_same_work,
    stale_message,
)
from readmark.making.translation.pairs import TranslationPair
from readmark.settling import AdjudicationHeader, Disagreement, carry_decisions

BY_SUGGESTION = "suggestion"
"""Who adopted a translation that nobody decided on, in the place of a person's name."""
DETAILS = ("other", "by", "decided_cause", "reason")
"""Members of a row that mean nothing without a decision."""


@dataclass(frozen=True, slots=True)
class AdoptedText:
    """The translation adopted of one text, and who decided that."""

    pair: TranslationPair
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
        other_cause = self.suggested_cause if self.suggested_cause != self.cause else None
        details = {"by": self.by, "cause": self.cause, "suggested_cause": other_cause}
        return {
            "from": translators[self.decision],
            "decision": self.decision,
            **{name: value for name, value in details.items() if value is not None},
        }


def adopt(
    comparison: TranslationComparison,
    header: AdjudicationHeader,
    decisions: list[Disagreement],
    *,
    file: str,
    adopt_suggestions: bool = False,
    by: str | None = None,
) -> tuple[list[AdoptedText], list[Disagreement]]:
    """The translation adopted of every text, and decisions whose strings are no longer there.

    What is undecided is named and refused. ``by`` signs decisions that name nobody. A suggestion of
    either adopts the first translator's.
    """
    require_same_work(comparison, header, file)
    current, stale = carry_decisions(comparison.rows, decisions, "english")
    rows = {row.id: row for row in current}
    adopted: list[AdoptedText] = []
    undecided: list[str] = []
    for pair in comparison.pairs:
        if pair.exact:
            adopted.append(AdoptedText(pair, (pair.a or "").strip(), "exact", None))
        elif pair.id in rows:
            row = rows[pair.id]
            _require_whole_decision(row, file)
            adopted_text = _decided(pair, row, by, file)
            if adopted_text is None and adopt_suggestions:
                adopted_text = _suggested(pair, row)
            if adopted_text is None:
                undecided.append(pair.id)
            else:
                adopted.append(adopted_text)
    if undecided:
        advice = "decide them, or use --adopt-suggestions"
        if adopt_suggestions:
            advice = "nothing is suggested for them"
        changed = f"; {stale_message(stale)}" if stale else ""
        ids = first_ids(undecided, 5)
        raise DataError(f"{len(undecided)} undecided ({ids}): {advice}{changed}", file=file)
    return adopted, stale


def decided_causes(adopted: Sequence[AdoptedText]) -> dict[str, str]:
    """The cause of each mismatch as decided, by row id."""
    return {text.pair.id: text.cause for text in adopted if text.cause is not None}


@dataclass(frozen=True, slots=True)
class FollowedSuggestions:
    """How people's decisions compare with what was suggested, and how many each made."""

    by: dict[str, int]
    mismatches: int
    """Mismatches with a suggested cause that a person decided."""
    same_cause: int
    suggested: int
    """Those of them with a suggested adoption."""
    same_adoption: int

    def lines(self) -> list[str]:
        people = ", ".join(f"{name} {count}" for name, count in self.by.items())
        lines = [f"decided by: {people}"] if people else []
        if self.mismatches:
            lines.append(
                f"people kept the suggested cause in {self.same_cause} of {self.mismatches}, "
                f"the suggested adoption in {self.same_adoption} of {self.suggested}"
            )
        return lines


def followed_suggestions(adopted: Sequence[AdoptedText]) -> FollowedSuggestions:
    """Count deciders, and where people went with the suggestions."""
    by = Counter(text.by for text in adopted if text.by is not None)
    by_people = [
        text for text in adopted if text.suggested_cause and text.by not in (None, BY_SUGGESTION)
    ]
    with_adoption = [text for text in by_people if text.suggestion is not None]
    return FollowedSuggestions(
        by=dict(by),
        mismatches=len(by_people),
        same_cause=sum(text.cause == text.suggested_cause for text in by_people),
        suggested=len(with_adoption),
        same_adoption=sum(
            text.decision == text.suggestion
            or (text.suggestion == "either" and text.decision in ("a", "b"))
            for text in with_adoption
        ),
    )


def _require_whole_decision(row: Disagreement, file: str) -> None:
    """Refuse an unknown cause, and details that stand without a decision."""
    cause = row.decided_cause
    if cause is not None and cause not in CAUSES:
        raise DataError(
            f"{cause!r} is not a cause; {did_you_mean(cause, CAUSES)}", file=file, where=row.id
        )
    if row.decision is None and row.touched:
        member = next(name for name in DETAILS if getattr(row, name) not in (None, ""))
        raise DataError(
            f'has "{member}" without a "decision": write "a", "b" or "other" there',
            file=file,
            where=row.id,
        )


def _decided(
    pair: TranslationPair, row: Disagreement, by: str | None, file: str
) -> AdoptedText | None:
    if row.decision is None:
        return None
    text = row.adopted
    if not isinstance(text, str) or not text.strip():
        what = "other" if row.decision == "other" else f"{row.decision}'s translation"
        raise DataError(f"decides for {what}, which is empty", file=file, where=pair.id)
    person = (row.by or "").strip() or by
    if not person:
        raise DataError(
            'does not state who decided: write the name in "by", or give --by NAME',
            file=file,
            where=pair.id,
        )
    if person == BY_SUGGESTION:
        raise DataError(
            f"is signed {BY_SUGGESTION!r}, which is not a name: write who decided",
            file=file,
            where=pair.id,
        )
    cause = (row.decided_cause or row.cause) if pair.is_complete else None
    return AdoptedText(pair, text.strip(), row.decision, person, cause, row.cause, row.suggestion)


def _suggested(pair: TranslationPair, row: Disagreement) -> AdoptedText | None:
    if row.suggestion is None:
        return None
    side = "b" if row.suggestion == "b" else "a"
    text = row.b if side == "b" else row.a
    return AdoptedText(pair, text, side, BY_SUGGESTION, row.cause, row.cause, row.suggestion)
