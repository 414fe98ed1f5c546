"""Annotating documents of a formal reading task: marks that state facts of an ontology.

The categories are those of ``categories.toml``. What contradicts the ontology or the rules is found
by the reasoner while people work, and shown with its derivation.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.language import primary
from readmark.core.record_members import language_in, text_of
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.core.toml_text import toml_table
from readmark.formats.people_names import require_name
from readmark.tasks.categories.definitions import CATEGORIES, SAME
from readmark.tasks.domain_folders import shipped_domain
from readmark.tasks.hall.knowledge import TASK, knowledge_of
from readmark.tasks.hall.mark_findings import check_marks, grade_marks
from readmark.tasks.hall.mark_objects import TEXT, mark_object
from readmark.tasks.hall.task_files import CONFIGURED, read_marked, write_tasks
from readmark.tasks.package import Package
from readmark.tasks.packer import pack
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.statement_notation import write_statements_file
from readmark.tasks.secret_files import KEY_ROLES
from readmark.tasks.task_folder import DOMAIN, Parts, gather, open_task
from readmark.works import (
    MATERIALS,
    Configuration,
    ItemView,
    Objects,
    ProjectMaterials,
    ProjectWork,
    TextView,
    WorkFinding,
    WorkItem,
)

_LONGEST_NAME = 200  # bytes of UTF-8; most file systems allow 255, suffix included


class ReadingTaskWork:
    """People mark what documents say; marks become statements with their excerpts."""

    def faults(self, configuration: Configuration) -> Iterator[tuple[tuple[str, ...], str]]:
        """What is wrong with the categories or the task's files, and an unknown domain."""
        files = configuration.options.get(TASK, {})
        if not isinstance(files, dict):
            yield ("options", TASK), "task is a table of files"
            return
        for name, text in files.items():
            if not isinstance(text, str):
                yield ("options", TASK), f"{name[:80]!r} is not a file's text"
                return
            if not _is_file_name(name):
                yield ("options", TASK), f"{name[:80]!r} is not the name of a file in the task"
                return
        if not isinstance(configuration.options.get(DOMAIN, ""), str):
            yield ("options", DOMAIN), "domain is the name of a domain"
            return
        try:
            knowledge_of(configuration)
        except ReadmarkError as error:
            yield ("options",), getattr(error, "message", str(error))

    def complete(self, text: str, tests: Sequence[Test], configuration: Configuration) -> str:
        """The configuration with the categories of the task or domain.

        Where no domain that ships is named, it gets the task's ontology, rules and guidelines too.
        """
        if configuration.category:
            return text
        domain = configuration.options.get(DOMAIN)
        uploaded = _task_of(tests)
        package = gather(shipped_domain(domain)).package if domain else uploaded
        if package is None:
            raise DataError("options.domain names no domain, and the test is not a reading task")
        if uploaded is not None and set(_categories_in(uploaded)) - set(_categories_in(package)):
            message = f"the task has categories that the domain {domain} lacks: use reading_task"
            raise DataError(message, file=str(uploaded.folder.path))
        if not domain:
            text += "\n[options.task]\n"
            for file in package.manifest.files:
                if file.role in CONFIGURED:
                    text += toml_table({file.path: package.folder.text(file.path)})
            guidelines = tuple(package.manifest.of("guidelines"))
            if guidelines and not configuration.project.guidelines:
                content = package.folder.text(guidelines[0].path)
                text += f"\n{toml_table({'en': content}, ('project', 'guidelines'))}"
        [categories] = package.manifest.of("categories") or [None]
        if categories is None:
            raise DataError(f"the task has no {CATEGORIES}", file=str(package.folder.path))
        text += f"\n{package.folder.text(categories.path)}"
        for category in _categories_in(package):
            text += (
                f'\n[category.{category}.relations.{SAME}]\nto = "{category}"\noptional = true\n'
                'label = { en = "the same as", zh = "同一个" }\n'
            )
        return text

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """A document an item; its statements are the key."""
        package = _task_of(tests)
        gold: dict[str, list[Asserted]] = {}
        for asserted in package.asserted() if package is not None else ():
            gold.setdefault(asserted.graph, []).append(replace(asserted, annotator=None))
        for test in tests:
            open_part, _ = without_hidden(test, "in the hall")
            for record in open_part.records():
                text = text_of(record)
                if text is None:
                    raise DataError("has no text to annotate", file=test.file, where=record.id)
                if not _is_file_name(f"{record.split or ''}/{record.id}".lstrip("/")):
                    message = "documents are called by their ids, and this cannot be a file's name"
                    raise DataError(message, file=test.file, where=record.id)
                statements = gold.get(record.id)
                notation = None
                if statements:
                    notation = write_statements_file(
                        statements, {record.id: text}, document=record.id
                    )
                language = primary(language_in(record) or test.language)
                yield WorkItem(
                    record.id,
                    {"id": record.id, "text": text, "language": language},
                    {"statements": notation, "split": record.split},
                )

    def keep(self, tests: Sequence[Test], configuration: Configuration) -> ProjectMaterials:
        """Everything of a task but its documents and what was annotated, answered and judged.

        Hidden documents stay with it, since nobody gets them to annotate.
        """
        package = _task_of(tests)
        if package is None:
            return ProjectMaterials()
        hidden = package.manifest.hidden
        files = tuple(
            file
            for file in package.manifest.files
            if file.role not in KEY_ROLES and (file.role != "document" or file.split in hidden)
        )
        manifest = msgspec.structs.replace(package.manifest, files=files)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / MATERIALS
            pack(Parts(Package(package.folder, manifest), {}), path)
            return ProjectMaterials(files=path.read_bytes())

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The document."""
        paper = item.paper
        return ItemView((TextView(TEXT, paper["text"], paper["language"], paper["id"]),))

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Marks that state nothing yet, and contradictions with how they come about."""
        return check_marks(item, objects, configuration)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Statements that are missing, and those that the key does not have."""
        has_key = isinstance(item.key, Mapping) and item.key.get("statements")
        return grade_marks(item, objects, configuration) if has_key else iter(())

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A task for each person, one with everybody's statements, and the marks themselves."""
        return write_tasks(project, folder, knowledge_of(project.configuration))

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Marks (brat or layers), or the statements of a task or of one document."""
        texts = {name: item.paper["text"] for name, item in items.items()}
        stem = path.name.partition(".")[0]
        for marked in read_marked(path, texts, knowledge_of(configuration)):
            if marked.id not in items:
                continue
            if marked.text != texts[marked.id]:
                raise DataError("another version of the text", file=path, where=marked.id)
            for annotator in dict.fromkeys(mark.annotator for mark in marked.marks):
                person = require_name(annotator or stem, "person's", is_file=True, file=path)
                marks = [mark for mark in marked.marks if mark.annotator == annotator]
                yield person, marked.id, {mark.id: mark_object(mark, marked.text) for mark in marks}


def _task_of(tests: Sequence[Test]) -> Package | None:
    """The task that a test is, if it is one."""
    if tests and tests[0].header.kind == "task":
        return open_task(tests[0].file)
    return None


def _categories_in(package: Package) -> Sequence[str]:
    """The names of a task's categories."""
    categories = package.categories()
    return tuple(categories.categories) if categories is not None else ()


def _is_file_name(name: str) -> bool:
    """Whether a file of this name is within the task's folder, on every system."""
    forbidden = {*"\\:", *map(chr, range(32))}
    return all(
        part.strip(". ") and not set(part) & forbidden and len(part.encode()) <= _LONGEST_NAME
        for part in name.split("/")
    )


WORK = ReadingTaskWork()
