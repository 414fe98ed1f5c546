"""Files of a project that annotates a task: tasks with people's statements, and marks read back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.core.files import toml_of
from readmark.core.toml_text import toml_table
from readmark.formats.people_names import require_name
from readmark.tasks.categories.definitions import CATEGORIES
from readmark.tasks.categories.inversion import marks_of
from readmark.tasks.categories.mapping import statements_of
from readmark.tasks.categories.mark_files import read_marks, write_marks
from readmark.tasks.categories.marks import MarkedText
from readmark.tasks.domain_folders import shipped_domain
from readmark.tasks.file_roles import role_of
from readmark.tasks.hall.knowledge import TASK, Knowledge, category_tables
from readmark.tasks.hall.mark_findings import sound_marks
from readmark.tasks.hall.mark_objects import marked_text
from readmark.tasks.manifest import ABOUT, Manifest
from readmark.tasks.package import open_package
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.statement_notation import (
    STATEMENTS_SUFFIX,
    read_statements_file,
    write_statements_file,
)
from readmark.tasks.task_folder import DOMAIN, open_task
from readmark.tasks.task_format import GOLD
from readmark.works import MATERIALS, Configuration, PersonsWork, ProjectWork

CONFIGURED = ("ontology", "rules", "decomposition", "queries", "guidelines")
"""Roles of the files that a project's configuration has, where organisers can change them."""


@dataclass(frozen=True)
class _Materials:
    """What an export has besides documents and statements."""

    manifest: Manifest
    files: Mapping[str, bytes]


def write_tasks(project: ProjectWork, folder: Path, knowledge: Knowledge) -> list[Path]:
    """Write a task for each person, one with everybody's statements, and the marks themselves."""
    materials = _stored_materials(project)
    paths = []
    everybody: dict[str, list[Asserted]] = {}
    unfinished: list[str] = []
    for person in project.people:
        require_name(person.person, "person's", is_file=True)
        marked = list(_marked_by(person, project, knowledge))
        if not marked:
            continue
        statements = {
            text.id: statements_of(text, knowledge.categories, knowledge.namespaces)
            for text in marked
        }
        begun = [id for id in statements if id not in person.finished]
        unfinished += [f"{id} by {person.person}" for id in begun]
        target = folder / "people" / person.person
        _write_task(project, target, statements, materials, begun)
        marks = folder / "marks" / f"{person.person}.jsonl"
        marks.parent.mkdir(parents=True, exist_ok=True)
        write_marks(marked, str(marks))
        paths += [target, marks]
        for id, of_person in statements.items():
            everybody.setdefault(id, []).extend(of_person)
    if everybody:
        _write_task(project, folder / "task", everybody, materials, unfinished)
        paths.append(folder / "task")
    return paths


def _marked_by(
    person: PersonsWork, project: ProjectWork, knowledge: Knowledge
) -> Iterator[MarkedText]:
    """The texts on which a person marked something, or found that there is nothing to mark."""
    for item in project.items:
        objects = person.objects.get(item.name)
        if objects or item.name in person.finished:
            marked, _ = sound_marks(marked_text(item, objects or {}, person.person), knowledge)
            yield marked


def _stored_materials(project: ProjectWork) -> _Materials:
    """What the project keeps of its task; of one that keeps nothing, what its header says."""
    content = project.files.get(MATERIALS)
    if content is not None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / MATERIALS
            path.write_bytes(content)
            package = open_package(path)
            files = {
                file.path: package.folder.read(file.path, whole=True)
                for file in package.manifest.files
            }
            return _Materials(package.manifest, files)
    header = project.header
    fields = {name: value for name, value in header.fields.items() if name != GOLD}
    about = {
        name: fields.pop(name)
        for name in ("phase", "capabilities", "preparation")
        if header.kind == "task" and name in fields
    }
    splits = {item.key.get("split") for item in project.items if isinstance(item.key, Mapping)}
    manifest = Manifest(
        name=header.name,
        language=header.language,
        licence=header.licence,
        source=header.source,
        # The documents of other hidden splits are not here, and there is nothing to hide.
        hidden=tuple(split for split in header.hidden if split in splits),
        annotation="incomplete",
        fields=fields,
    )
    return _Materials(msgspec.convert({**msgspec.to_builtins(manifest), **about}, Manifest), {})


def _write_task(
    project: ProjectWork,
    folder: Path,
    statements: Mapping[str, Sequence[Asserted]],
    materials: _Materials,
    unfinished: Sequence[str],
) -> None:
    """The task with the documents that somebody annotated, and their statements.

    Everything else is as it was uploaded, or as the project's configuration has changed it.
    """
    options = project.configuration.options
    files = dict(materials.files)
    if TASK in options:  # a file that the organiser removed from the configuration is gone
        files = {path: data for path, data in files.items() if role_of(path)[0] not in CONFIGURED}
        files |= {path: text.encode() for path, text in options[TASK].items()}
    files[ABOUT] = _description(materials.manifest, options.get(DOMAIN), unfinished).encode()
    files |= _categories_file(project.configuration, files)
    for item in project.items:
        if item.name in statements:
            split = f"{item.key.get('split')}/" if item.key.get("split") else ""
            text = item.paper["text"]
            files[f"documents/{split}{item.name}.txt"] = text.encode()
            notation = write_statements_file(
                statements[item.name], {item.name: text}, document=item.name
            )
            files[f"annotations/{split}{item.name}{STATEMENTS_SUFFIX}"] = notation.encode()
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _description(manifest: Manifest, domain: str | None, unfinished: Sequence[str]) -> str:
    """``task.toml`` of an export."""
    about = msgspec.to_builtins(
        msgspec.structs.replace(manifest, files=(), namespaces={}, readmark=Manifest().readmark)
    )
    about["annotation"] = manifest.annotation
    note = ""
    if unfinished and manifest.annotation == "complete":
        # In a complete annotation, what is not there is wrong: not so while people are at it.
        about["annotation"] = "incomplete"
        note = f"# Begun and not handed in: {', '.join(unfinished)}.\n"
    if domain:
        about[DOMAIN] = domain
    return note + toml_table(about)


def _categories_file(configuration: Configuration, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The categories that people marked with; nothing where the task or its domain has the same."""
    tables = category_tables(configuration)
    [path] = [path for path in files if role_of(path)[0] == "categories"] or [CATEGORIES]
    original = files.get(path)
    if original is None and configuration.options.get(DOMAIN):
        original = (shipped_domain(configuration.options[DOMAIN]) / CATEGORIES).read_bytes()
    if original is not None:
        project = {"name": "", "work": ""}
        parsed = msgspec.convert({"project": project, **toml_of(original, path)}, Configuration)
        if category_tables(parsed) == tables:
            return {}
    parts = (
        toml_table(members, (table, name))
        for table in ("object", "category")
        for name, members in tables[table].items()
    )
    return {path: "\n".join(parts).encode()}


def read_marked(path: Path, texts: Mapping[str, str], knowledge: Knowledge) -> Iterator[MarkedText]:
    """Marks (brat or layers), or the marks that give the statements of a task or one document."""
    statements: dict[str, list[tuple[Asserted, int]]] = {}
    if path.suffix == STATEMENTS_SUFFIX:
        document = path.name.removesuffix(STATEMENTS_SUFFIX)
        rows = read_statements_file(
            path.read_text("utf-8"), texts, file=str(path), document=document
        )
        statements[document] = [(row.asserted, row.line) for row in rows]
    elif path.is_dir() or path.suffix == ".zip":
        for in_file in open_task(path).annotated(knowledge.namespaces):
            asserted, line = in_file.annotated.asserted, in_file.annotated.line
            statements.setdefault(asserted.graph, []).append((asserted, line))
    else:
        yield from read_marks(str(path), knowledge.categories, documents=texts)
        return
    for document, asserted_with_lines in statements.items():
        if document in texts:
            inverted = marks_of(
                asserted_with_lines,
                knowledge.categories,
                document=document,
                text=texts[document],
                namespaces=knowledge.namespaces,
                file=str(path),
            )
            yield inverted.marked
