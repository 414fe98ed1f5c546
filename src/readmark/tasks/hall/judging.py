"""The work ``judging``: people judge whether answers of systems are right.

Sittings bring the items, not the test. Verdicts become labels of each judge, and the pool file that
``readmark task gold --adjudicated`` takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from readmark.core.errors import DataError, did_you_mean
from readmark.core.test import Test
from readmark.formats.sheets import write_sheet
from readmark.tasks.hall.answer_pool import TASK_POOL
from readmark.tasks.hall.judging_disputes import POOL
from readmark.tasks.hall.judging_items import DOUBLE, judges_of
from readmark.tasks.hall.judging_view import ENTRY, judging_view, values_text
from readmark.tasks.hall.verdict_files import read_verdicts, write_pool
from readmark.tasks.hall.verdicts import verdicts_in
from readmark.tasks.task_folder import open_task
from readmark.tasks.verdicts import SORTS
from readmark.works import (
    Configuration,
    ItemView,
    Objects,
    ProjectMaterials,
    ProjectWork,
    WorkFinding,
    WorkItem,
)
from readmark.works.forms import NOTE, fields_of, form_faults
from readmark.works.notes import note_of
from readmark.works.people_files import by_item, named_work, people_folder, work_on


class JudgingAnswers:
    """Say of each pooled answer whether it is explicit, inferred, wrong or out of bounds."""

    pool = TASK_POOL

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without verdicts, unknown verdicts, and a share that is not from 0 to 1."""
        yield from form_faults(configuration, ENTRY, "verdict")
        verdict = fields_of(configuration, ENTRY).get("verdict")
        for choice in verdict.choices if verdict is not None else ():
            if choice not in SORTS:
                message = f"no verdict {choice!r}; {did_you_mean(str(choice), SORTS)}"
                yield ("entry", ENTRY, "fields", "verdict"), message
        share = configuration.options.get(DOUBLE, 0)
        if not isinstance(share, (int, float)) or not 0 <= share <= 1:
            yield ("options", DOUBLE), f"{DOUBLE} is {share!r}, expected a share from 0 to 1"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """Nothing: sittings bring the items."""
        if purpose != "work":
            raise DataError(f"the work 'judging' has no {purpose} items", file=tests[0].file)
        return iter(())

    def keep(self, tests: Sequence[Test], configuration: Configuration) -> ProjectMaterials:
        """The task, whole; what is not a reading task with answers is refused."""
        for test in tests:
            test.require_kind("task")
            package = open_task(test.file)
            if not list(package.manifest.of("answers")):
                message = "the task has no answers yet: readmark task gold makes them"
                raise DataError(message, file=test.file)
        return ProjectMaterials(about={})

    def people_for(self, item: WorkItem, configuration: Configuration) -> int | None:
        """Two for the items that were drawn, as long as the project asks for a share of them."""
        return judges_of(item, configuration)

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The document and its answers."""
        return judging_view(item.paper)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Nothing: the page itself lists answers without a verdict."""
        return iter(())

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Nothing: nobody knows the verdicts before."""
        return iter(())

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Labels of each judge, the task and sittings, and the pool with the settled verdicts."""
        paths: list[Path] = []
        for person in named_work(project):
            rows = []
            for item, objects in work_on(person, project.items):
                note = note_of(objects)
                for id, verdict, answer in verdicts_in(item, objects):
                    text = f"{answer['question']} {values_text(answer)}"
                    rows.append([id, item.paper["id"], verdict.sort, verdict.why, text, note])
                    note = ""  # the note on an item stands in its first row
            if rows:
                path = people_folder(folder) / f"{person.person}.csv"
                write_sheet(path, ("id", "passage", "verdict", "reason", "text", NOTE), rows)
                paths.append(path)
        for name, content in project.files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            paths.append(target)
        if project.items:
            paths.append(write_pool(project, folder / POOL))
        return paths

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Labels of judges in CSV, or a pool file with verdicts."""
        return by_item(read_verdicts(path, items))


JUDGING = JudgingAnswers()
