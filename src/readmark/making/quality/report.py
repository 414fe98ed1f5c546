"""Everybody's figures, and findings with what they do not show."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from readmark.core import numbers
from readmark.core.display import ABSENT, Result, plain_table
from readmark.core.numbers import listed_ids
from readmark.core.version import __version__
from readmark.statistics.carelessness import EXPECTED, QualityFinding

SIGNATURE = "quality:exact|adjusted:holm|significant:0.05|interval:0.95"


@dataclass(frozen=True, slots=True)
class PersonQuality:
    """A person's figures, whether or not there is a finding about them."""

    person: str
    units: int
    known: QualityFinding | None
    repeated: tuple[QualityFinding, ...]
    timed: int
    seconds: float | None
    """Median for an item."""
    pace: float | None
    """Median of words a minute, in Chinese of characters."""


@dataclass(frozen=True)
class QualityReport(Result):
    """Everybody's figures, and what somebody should look at."""

    people: tuple[PersonQuality, ...]
    findings: tuple[QualityFinding, ...]
    expected: float = EXPECTED

    @property
    def signature(self) -> str:
        """The settings that decided the findings, in one line."""
        return f"{SIGNATURE}|expected:{self.expected:g}|readmark:{__version__}"

    def as_json(self) -> dict[str, Any]:
        return {
            "signature": self.signature,
            "people": [asdict(person) for person in self.people],
            "findings": [
                {
                    **asdict(finding),
                    "message": message(finding),
                    "does_not_show": DOES_NOT_SHOW[finding.code],
                }
                for finding in self.findings
            ],
        }

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per person."""
        return [asdict(person) for person in self.people]

    def show(self, console: Console) -> None:
        """A row for each person, then each finding and what it does not show."""
        table = plain_table("", "units", "known right", "same again", "seconds", "a minute")
        for person in self.people:
            table.add_row(
                person.person,
                f"{person.units:,}",
                _count(person.known),
                ", ".join(map(_count, person.repeated)) or ABSENT,
                numbers.decimal(person.seconds, 0),
                numbers.decimal(person.pace, 0),
            )
        console.print(table)
        console.print()
        for finding in self.findings:
            heading = (finding.person, "bold"), f": {message(finding)}"
            console.print(Text.assemble(*heading), soft_wrap=True)
            if finding.ids:
                console.print(f"  {listed_ids(finding.ids)}", soft_wrap=True)
            console.print(f"  {DOES_NOT_SHOW[finding.code]}", style="dim", soft_wrap=True)
        if not self.findings:
            console.print("nothing to look at")
        console.print(self.signature, style="dim", soft_wrap=True)


def _count(figure: QualityFinding | None) -> str:
    return ABSENT if figure is None else f"{figure.count}/{figure.total}"


DOES_NOT_SHOW = {
    "known_answers": "The key may be wrong, or these items harder than the others.",
    "self_agreement": "Somebody may have changed their mind for a reason.",
    "too_fast": "They may know the text already, or have read it elsewhere.",
    "faster_than_usual": "Some items take less work than their length suggests.",
    "faster_than_others": "Practice makes people quick; compare what they answered.",
    "same_answer": "The answer may be right for these units.",
    "same_as_somebody": "They may have had the same teacher. It does not show who followed whom.",
    "empty_answers": "A careful person may find no answer where others guess.",
}
"""What else may be the reason for a finding, by its code."""


def message(finding: QualityFinding) -> str:
    """A finding in words, with the numbers that it is made of."""
    count, total = f"{finding.count:,}", f"{finding.total:,}"
    field = f" ({finding.field})" if finding.field else ""
    share = numbers.percent(finding.count / finding.total, 0)
    if finding.low is not None and finding.high is not None:
        share += f", interval {numbers.percent_interval(finding.low, finding.high, 0)}"
    expected = "" if finding.expected is None else numbers.percent(finding.expected, 0)
    words = {
        "known_answers": f"{count} of {total} known answers right ({share}), expected {expected}",
        "self_agreement": f"{count} of {total} repeated units answered the same{field} ({share}); "
        f"two people agree on {expected}",
        "too_fast": f"{count} of {total} items read faster than people read ({share})",
        "faster_than_usual": f"{count} of {total} items in less than a fifth of their usual time "
        f"for the length ({share})",
        "faster_than_others": f"{count} of {total} items in less than a third of the others' time "
        f"({share})",
        "same_answer": f"{count} of {total} units have the same answer {finding.other!r:.60}"
        f"{field} ({share})" + (f"; by the others' answers {expected}" if expected else ""),
        "same_as_somebody": f"{count} of {total} unusual answers are those of {finding.other}"
        f"{field} ({share}); of other pairs {expected}",
        "empty_answers": f"{count} of {total} answers are empty{field} ({share}); by the others' "
        f"answers {expected}",
    }[finding.code]
    if finding.adjusted is not None:
        words += f"; p {numbers.p_words(finding.adjusted)} (Holm)"
    return words
