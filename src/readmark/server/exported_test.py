"""A project's test and its sittings as files, in a folder that is soon gone."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from readmark.core.test import Test
from readmark.formats.inputs import load
from readmark.works import ProjectExam, ProjectWork


@dataclass(frozen=True)
class ExportedTest:
    """A test that people sat, their sittings, and machines' sittings by name."""

    folder: Path
    test: Test
    people: Sequence[str]
    machines: Mapping[str, str]

    def without_folder(self, message: str) -> str:
        """A message that does not name the folder."""
        return message.replace(f"{self.folder}/", "")


@contextmanager
def exported_test(
    exam: ProjectExam, project: ProjectWork, machines: Iterable[str] = ()
) -> Iterator[ExportedTest]:
    """Write the files for as long as the context lasts, with the ``machines`` named."""
    with tempfile.TemporaryDirectory(prefix="readmark-results-") as name:
        folder = Path(name)
        sat = exam.write_sat(project, folder)
        yield ExportedTest(
            folder,
            load(sat.test),
            [str(path) for path in sat.people],
            {machine: str(sat.machines[machine]) for machine in machines},
        )
