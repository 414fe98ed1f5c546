"""Versions of one thing by any number of people: grouped, as a line to decide, and settled."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from readmark.settling.adjudication import AdjudicationHeader, Disagreement, write_adjudication

V = TypeVar("V")

MOST_VERSIONS = 8
"""Versions in a line: pages show a letter for each, A to H. Those of fewest people are left out."""
VERSIONS, PEOPLE = "versions", "people"
"""In ``beside`` of a line: all versions where there may be more than two, and who has each."""
DECISIONS = "decisions.jsonl"
"""The file of decisions in the folder of a gold."""


def grouped_versions(versions: Iterable[tuple[str, V]]) -> list[tuple[V, list[str]]]:
    """Equal versions with the people who have them, those of most people first."""
    groups: list[tuple[V, list[str]]] = []  # not a dictionary: versions may not be hashable
    for person, version in versions:
        for group_version, people in groups:
            if group_version == version:
                people.append(person)
                break
        else:
            groups.append((version, [person]))
    return sorted(groups, key=lambda group: -len(group[1]))[:MOST_VERSIONS]


def version_line(
    id: str,
    what: str,
    record: str,
    versions: Sequence[tuple[Any, Sequence[str]]],
    **more: Any,
) -> Disagreement:
    """A line for versions of any number of people; ``beside`` has all of them and who has each."""
    beside = {
        VERSIONS: [version for version, _ in versions],
        PEOPLE: [list(people) for _, people in versions],
        **more.pop("beside", {}),
    }
    return Disagreement(
        id=id,
        what=what,
        record=record,
        a=versions[0][0],
        b=versions[1][0],
        beside=beside,
        **more,
    )


def settled_version(
    line: Disagreement | None, versions: Sequence[tuple[Any, Sequence[str]]]
) -> Any:
    """The version that was decided for, else that of most people; None where there is neither."""
    if line is not None and line.decision is not None:
        return line.adopted
    return versions[0][0] if versions else None


def write_decision_lines(folder: Path, work: str, lines: Sequence[Disagreement]) -> list[Path]:
    """Write decisions next to the gold that was made of them; nothing where there are none."""
    if not lines:
        return []
    write_adjudication(folder / DECISIONS, AdjudicationHeader(work=work), lines)
    return [folder / DECISIONS]
