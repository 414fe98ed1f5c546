"""The demo's tables in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from readmark.marking.results import Marks
from readmark.reporting.terminal import make_console, plain_table


class MarkedCases(Protocol):
    """The cases of one profile, marked."""

    @property
    def profile(self) -> str: ...
    @property
    def cases(self) -> Sequence[Any]: ...
    @property
    def marks(self) -> Marks: ...
    @property
    def wrong(self) -> Sequence[str]: ...


def print_cases(found: Sequence[MarkedCases]) -> None:
    """A table a profile: what was wanted, what was answered, the marks and why."""
    console = make_console()
    for one in found:
        values: Mapping[str, Mapping[str, float | None]] = one.marks.per_unit()
        table = plain_table("wanted", "answered", "EM", "F1")
        table.columns[1].justify = "left"
        table.add_column("why", ratio=1)
        for case in one.cases:
            marks = values[case.id]
            table.add_row(
                " | ".join(one or "(empty)" for one in case.answers) or "(no answer)",
                case.prediction or "(empty)",
                f"{marks['em']:.0f}",
                f"{marks['f1']:.3f}",
                case.why,
            )
        console.rule(f"profile {one.profile}", align="left", style="bold")
        console.print(table)
    cases = sum(len(one.cases) for one in found)
    wrong = [id for one in found for id in one.wrong]
    if wrong:
        console.print(f"{len(wrong)} of {cases} cases differ from their stated marks: {wrong}")
    else:
        console.print(f"all {cases} cases got the marks they should")
