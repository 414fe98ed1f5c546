"""What was published: files, splits, keys withheld, and what a format could not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from readmark.core.display import Result, counted, plain_table
from readmark.making.export.croissant import PublishedFile
from readmark.making.export.level_sources import LevelSources
from readmark.making.export.unplaced_answers import Unplaced

FLAT, NATIVE, SQUAD = "data", "native", "squad"
"""Folders of the three forms of the data."""
CARD = "README.md"


@dataclass(frozen=True, slots=True)
class Publication(Result):
    """A published folder."""

    output: str
    name: str
    licence: str
    files: tuple[PublishedFile, ...]
    parts: Mapping[str, Mapping[str, Any]]
    withheld: int
    """Questions whose key was left out."""
    losses: Mapping[str, Sequence[str]]
    unsaid: Sequence[str]
    """Options for what Croissant requires, which nobody gave."""
    published_keys: Sequence[str]
    """Splits that the header hides and whose keys are published nevertheless."""
    agreement: Mapping[str, Any] | None
    """The splits of the agreement report: published, hidden, or unknown."""
    faults: Mapping[str, Sequence[str]]
    """Ids by the code of what is wrong with them, as `check` reports it."""
    paper: str
    key: str
    unplaced: Unplaced = field(default_factory=Unplaced)
    """The answers that have no place in their passages."""
    levels: LevelSources = field(default_factory=LevelSources)
    people: Mapping[str, Any] | None = None
    """People's figure on what is published, as `people --json` prints it; nobody is named."""
    people_notes: Sequence[str] = ()
    """What there is to know of people's sittings."""
    unit: str = "question"
    """What a unit of the test is."""
    warnings: tuple[str, ...] = ()
    """What is given away of hidden splits."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """The file with the key of each hidden split, outside the published folder."""

    @property
    def card(self) -> Path:
        """The data card."""
        return Path(self.output) / CARD

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "warnings"}

    def show(self, console: Console) -> None:
        console.print(f"{self.name}: licence {self.licence}")
        table = plain_table("split", "records", f"{self.unit}s")
        table.add_column("key")
        for name, part in self.parts.items():
            key = "withheld" if part["withheld"] else "published"
            table.add_row(name, f"{part['records']:,}", f"{part['units']:,}", key)
        console.print(table)
        files = plain_table("file", "bytes")
        files.add_column("what it is", overflow="fold")
        for file in self.files:
            files.add_row(file.path, f"{file.size:,}", file.about)
        console.print(files)
        if self.withheld:
            console.print(f"without their key: {counted(self.withheld, self.unit)}")
        for split, path in self.keys.items():
            console.print(f"key of {split}, not to be published: {path}", soft_wrap=True)
        console.print(f"paper {self.paper}", style="dim")
        console.print(f"key   {self.key}", style="dim")

    @property
    def notes(self) -> tuple[str, ...]:
        """What the formats lost, what is wrong in the data, and what Croissant misses."""
        notes = [f"{format}/: {'; '.join(lost)}" for format, lost in self.losses.items() if lost]
        folders = " and ".join(f"{name}/" for name in (FLAT, SQUAD) if name in self.losses)
        notes += [f"{folders}: {line}" for line in self.unplaced.lines]
        if self.unplaced.answers and not self.unplaced.omitted:
            notes.append("--unplaced omit leaves such answers out of these folders")
        notes += self.people_notes
        if self.faults:
            codes = ", ".join(f"{code} {len(ids)}" for code, ids in self.faults.items())
            notes.append(f"problems listed in the card: {codes}; `readmark check` lists them")
        if self.unsaid:
            notes.append(f"Croissant requires fields that are missing: {', '.join(self.unsaid)}")
        return tuple(notes)
