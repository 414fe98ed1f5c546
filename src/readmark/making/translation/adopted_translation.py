"""The Chinese test of a comparison and its decisions, written, with how it was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.test import Test
from readmark.formats.registry import format_for, save_test
from readmark.making.translation.adoption import (
    AdoptedText,
    adopt,
    decided_causes,
    followed_suggestions,
)
from readmark.making.translation.cause_table import CauseTable, cause_table, show_table
from readmark.making.translation.chinese_test import chinese_test
from readmark.making.translation.comparison import TranslationComparison, stale_message
from readmark.settling import Disagreement, read_decisions


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
        lines = [f"{self.format}: {line}" for line in self.lost]
        lines += followed_suggestions(self.adopted).lines()
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
            "decisions": asdict(followed_suggestions(self.adopted)),
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

    ``by`` and ``adopt_suggestions`` as in `adopt`; ``passages`` has the Chinese passages if
    the translators' files have none.
    """
    header, rows = read_decisions(decisions, comparison.header([]), comparison.rows)
    adopted, stale = adopt(
        comparison, header, rows, file=decisions, adopt_suggestions=adopt_suggestions, by=by
    )
    test, replaced = chinese_test(comparison, adopted, passages)
    format = format or format_for(Path(output), test)
    lost = save_test(test, output, format=format)
    return AdoptedTranslation(comparison, adopted, stale, test, replaced, output, format, lost)
