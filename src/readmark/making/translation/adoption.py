"""What was adopted of two translations: people's decisions, checked, and suggestions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.display import Result, counted
from readmark.core.errors import DataError, did_you_mean
from readmark.core.test import Test
from readmark.making.adjudication import (
    AdjudicationHeader,
    Disagreement,
    carry_decisions,
    first_ids,
    read_decisions,
)
from readmark.making.translation.causes import CAUSES
from readmark.making.translation.comparison import (
    CauseTable,
    TranslationComparison,
    cause_table,
    require_same_work,
    show_table,
    stale_message,
)
from readmark.making.translation.sheets import TranslationPair

if TYPE_CHECKING:
    from rich.console import Console

BY_SUGGESTION = "suggestion"
PARTS = ("other", "by", "decided_cause")
"""What means nothing without a decision."""


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
        record: dict[str, Any] = {"from": translators[self.decision], "decision": self.decision}
        if self.by is not None:
            record["by"] = self.by
        if self.cause is not None:
            record["cause"] = self.cause
        if self.suggested_cause not in (None, self.cause):
            record["suggested_cause"] = self.suggested_cause
        return record


def adjudicated(
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
    made_of, stale = carry_decisions(comparison.rows, decisions, "english")
    rows = {row.id: row for row in made_of}
    adopted: list[AdoptedText] = []
    undecided: list[str] = []
    for pair in comparison.pairs:
        if pair.exact:
            adopted.append(AdoptedText(pair, (pair.a or "").strip(), "exact", None))
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
        way = "decide them, or --adopt-suggestions"
        if adopt_suggestions:
            way = "nothing is suggested for them"
        changed = f"; {stale_message(stale)}" if stale else ""
        ids = first_ids(undecided, 5)
        raise DataError(f"{len(undecided)} undecided ({ids}): {way}{changed}", file=file)
    return adopted, stale


def decided_causes(adopted: Sequence[AdoptedText]) -> dict[str, str]:
    """The cause of each mismatch as decided, by row id."""
    return {text.pair.id: text.cause for text in adopted if text.cause is not None}


@dataclass(frozen=True, slots=True)
class FollowedSuggestions:
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
        people = ", ".join(f"{name} {count}" for name, count in self.by.items())
        lines = [f"decided by: {people}"] if people else []
        if self.mismatches:
            lines.append(
                f"people kept the suggested cause in {self.same_cause} of {self.mismatches}, "
                f"the suggested adoption in {self.same_adoption} of {self.suggested}"
            )
        return lines


def followed(adopted: Sequence[AdoptedText]) -> FollowedSuggestions:
    """Count deciders, and where people went with the suggestions."""
    by = Counter(text.by for text in adopted if text.by is not None)
    people = [
        text for text in adopted if text.suggested_cause and text.by not in (None, BY_SUGGESTION)
    ]
    offered = [person for person in people if person.suggestion is not None]
    return FollowedSuggestions(
        dict(by),
        len(people),
        sum(person.cause == person.suggested_cause for person in people),
        len(offered),
        sum(
            adopted_text.decision == adopted_text.suggestion
            or (adopted_text.suggestion == "either" and adopted_text.decision in ("a", "b"))
            for adopted_text in offered
        ),
    )


def _checked(row: Disagreement, file: str) -> Disagreement:
    """The row, when what a person wrote of it is a whole decision."""
    cause = row.decided_cause
    if cause is not None and cause not in CAUSES:
        raise DataError(
            f"{cause!r} is no cause; {did_you_mean(cause, CAUSES)}", file=file, where=row.id
        )
    if row.decision is None and row.touched:
        member = next(name for name in PARTS if getattr(row, name) not in (None, ""))
        raise DataError(
            f'has "{member}" without a "decision": write "a", "b" or "other" there',
            file=file,
            where=row.id,
        )
    return row


def _decided(
    pair: TranslationPair, row: Disagreement, by: str | None, file: str
) -> AdoptedText | None:
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
    return AdoptedText(
        pair,
        text.strip(),
        row.decision,
        signed,
        cause if pair.is_complete else None,
        row.cause,
        row.suggestion,
    )


def _suggested(pair: TranslationPair, row: Disagreement) -> AdoptedText | None:
    if row.suggestion is None:
        return None
    side = "b" if row.suggestion == "b" else "a"
    text = row.b if side == "b" else row.a
    return AdoptedText(pair, text, side, BY_SUGGESTION, row.cause, row.cause, row.suggestion)


@dataclass(frozen=True)
class AdoptedTranslation(Result):
    """The Chinese test that was written, and who decided what."""

    comparison: TranslationComparison
    adopted: Sequence[AdoptedText]
    stale: Sequence[Disagreement]
    test: Test
    replaced: Mapping[str, tuple[str, ...]]
    """What is no longer in the key of a question, by its shared id."""
    output: str
    format: str
    lost: Sequence[str]
    """What the format cannot hold."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The comparison's notes, and decisions that are not used."""
        return (*self.comparison.notes, *([stale_message(self.stale)] if self.stale else []))

    @property
    def closing(self) -> tuple[str, ...]:
        """What was written, for people."""
        lines = [*(f"{self.format}: {line}" for line in self.lost), *followed(self.adopted).lines()]
        if self.replaced:
            first, texts = next(iter(self.replaced.items()))
            others = len(self.replaced) - 1
            more = f", and of {others} more" if others else ""
            lines.append(f"no longer in the key of {first}: {' | '.join(texts)}{more}")
        facts = self.test.facts
        size = f"{counted(facts.units, 'question')} on {counted(facts.records, 'passage')}"
        return (*lines, f"{self.output}: {size}")

    @property
    def _table(self) -> CauseTable:
        return cause_table(self.comparison.compared, decided_causes(self.adopted))

    def as_json(self) -> dict[str, Any]:
        return {
            **self.comparison.summary(self.output),
            "format": self.format,
            "lost": self.lost,
            "replaced": self.replaced,
            "set_aside": [row.id for row in self.stale],
            "table": self._table,
            "decisions": asdict(followed(self.adopted)),
        }

    def show(self, console: Console) -> None:
        """The table of exact matches and decided causes."""
        show_table(console, self._table)


def adopt_translations(
    comparison: TranslationComparison,
    decisions: str,
    output: str,
    *,
    by: str | None = None,
    adopt_suggestions: bool = False,
    passages: Test | None = None,
    format: str | None = None,
) -> AdoptedTranslation:
    """Write the Chinese test of a comparison and the decisions in its adjudication file.

    ``by`` and ``adopt_suggestions`` as in `adjudicated`; ``passages`` has the Chinese passages if
    the translators' files have none.
    """
    from readmark.formats.registry import format_for, save_test
    from readmark.making.translation.chinese_test import adopted_test

    header, rows = read_decisions(decisions, comparison.header([]), comparison.rows)
    adopted, stale = adjudicated(
        comparison, header, rows, file=decisions, adopt_suggestions=adopt_suggestions, by=by
    )
    test, replaced = adopted_test(comparison, adopted, passages)
    format = format or format_for(Path(output), test)
    lost = save_test(test, output, format=format)
    return AdoptedTranslation(comparison, adopted, stale, test, replaced, output, format, lost)
