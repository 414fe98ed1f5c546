"""Annotating documents of a formal reading task: marks that state facts of an ontology.

The categories are those of ``categories.toml``. What contradicts the ontology or the rules is found
by the reasoner while people work, and shown with its derivation.
"""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.extras import require
from readmark.core.files import toml_of
from readmark.core.language import primary
from readmark.core.record_members import language_in, text_of
from readmark.core.records import Offsets
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.core.toml_text import toml_table
from readmark.formats.people_names import require_name
from readmark.tasks.annotator_graphs import DocumentGraph, aligned, mapped
from readmark.tasks.categories.definitions import CATEGORIES, SAME, Categories, categories_of
from readmark.tasks.categories.inversion import marks_of
from readmark.tasks.categories.mapping import broken_marks, statements_of
from readmark.tasks.categories.marks import MarkedText, TextMark, read_marks, write_marks
from readmark.tasks.domain_folders import shipped_domain
from readmark.tasks.file_roles import role_of
from readmark.tasks.manifest import ABOUT, Manifest
from readmark.tasks.package import Package, open_package
from readmark.tasks.packer import pack
from readmark.tasks.reasoning.graphs import Asserted, write_triple
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.statement_notation import (
    STATEMENTS_SUFFIX,
    read_statements_file,
    write_statements_file,
)
from readmark.tasks.secret_files import KEY_ROLES
from readmark.tasks.task_folder import DOMAIN, Parts, gather, open_task
from readmark.tasks.task_format import GOLD
from readmark.works import (
    HEAVY_CALLS,
    MATERIALS,
    Configuration,
    ItemView,
    Objects,
    PersonsWork,
    ProjectMaterials,
    ProjectWork,
    TextView,
    WorkFinding,
    WorkItem,
    run_call,
)

SECONDS = 10.0
"""How long a check of one document may take."""
FEW_MARKS = 60
"""So many are checked in the hall's own process, in a quarter of a second; more in one apart."""
MOST_MARKS = 2000
"""Of a document that is checked."""
MOST_CONTRADICTIONS = 100
"""Contradictions that a check shows: marks of one person's 30 births and deaths make 900."""
FILES = ("ontology", "rules", "decomposition", "queries", "guidelines")
"""What of a task goes into the project's configuration, by role."""
TASK = "task"
"""The option with a task's own files by name."""
_TEXT = "document"
FRAGMENTS = "fragments"
"""Of a mark in several pieces, which files may have and the page does not make."""


@dataclass(frozen=True)
class _Knowledge:
    """What marks are judged by."""

    categories: Categories
    namespaces: Namespaces
    theory: Theory
    ontology: Ontology | None


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
            if not _is_inside(name):
                yield ("options", TASK), f"{name[:80]!r} is not the name of a file in the task"
                return
        if not isinstance(configuration.options.get(DOMAIN, ""), str):
            yield ("options", DOMAIN), "domain is the name of a domain"
            return
        try:
            self._knowledge(configuration)
        except ReadmarkError as error:
            yield ("options",), getattr(error, "message", str(error))

    def complete(self, text: str, tests: Sequence[Test], configuration: Configuration) -> str:
        """The configuration with the task's own categories, and with its ontology, rules and
        guidelines where it is not of a domain that ships."""
        if configuration.category:
            return text
        name = configuration.options.get(DOMAIN)
        own = _package(tests)
        package = gather(shipped_domain(name)).package if name else own
        if package is None:
            raise DataError("options.domain names no domain, and the test is no reading task")
        if own is not None and set(categories_in(own)) - set(categories_in(package)):
            message = f"the task has categories that the domain {name} lacks: use reading_task"
            raise DataError(message, file=str(own.folder.path))
        if not name:
            text += "\n[options.task]\n"
            for file in package.manifest.files:
                if file.role in FILES:
                    content = package.folder.text(file.path)
                    text += toml_table({file.path: content})
            guidelines = tuple(package.manifest.of("guidelines"))
            if guidelines and not configuration.project.guidelines:
                content = package.folder.text(guidelines[0].path)
                text += f"\n{toml_table({'en': content}, ('project', 'guidelines'))}"
        [categories] = package.manifest.of("categories") or [None]
        if categories is None:
            raise DataError(f"the task has no {CATEGORIES}", file=str(package.folder.path))
        text += f"\n{package.folder.text(categories.path)}"
        for category in categories_in(package):
            text += (
                f'\n[category.{category}.relations.{SAME}]\nto = "{category}"\noptional = true\n'
            )
            text += 'label = { en = "the same as", zh = "同一个" }\n'
        return text

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """A document an item; its statements are the key."""
        package = _package(tests)
        gold: dict[str, list[Asserted]] = {}
        if package is not None:
            for asserted in package.asserted():
                gold.setdefault(asserted.graph, []).append(asserted)
        for test in tests:
            shown, _ = without_hidden(test, "in the hall")
            for record in shown.records():
                text = text_of(record)
                if text is None:
                    raise DataError("has no text to annotate", file=test.file, where=record.id)
                if not _is_inside(f"{record.split or ''}/{record.id}".lstrip("/")):
                    message = "documents are called by their ids, and this cannot be a file's name"
                    raise DataError(message, file=test.file, where=record.id)
                language = primary(language_in(record) or test.language)
                statements = gold.get(record.id, ())
                notation = write_statements_file(
                    [replace(one, annotator=None) for one in statements],
                    {record.id: text},
                    document=record.id,
                )
                yield WorkItem(
                    record.id,
                    {"id": record.id, "text": text, "language": language},
                    {"statements": notation if statements else None, "split": record.split},
                )

    def keep(self, tests: Sequence[Test], configuration: Configuration) -> ProjectMaterials:
        """Everything of a task but its documents and what was annotated, answered and judged.

        Hidden documents stay with it, since nobody gets them to annotate.
        """
        package = _package(tests)
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
        return ItemView((TextView(_TEXT, paper["text"], paper["language"], paper["id"]),))

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Marks that state nothing yet, and contradictions with how they come about."""
        if len(objects) > FEW_MARKS:
            yield from _apart("check", item, objects, configuration)
        else:
            yield from self.check_here(item, objects, configuration)

    def check_here(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """`check` in this process, however many marks there are."""
        known = self._knowledge(configuration)
        marked, findings = _sound(_marked(item, objects), known)
        yield from findings
        if marked.marks:
            yield from _contradictions(marked, known)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Statements that are missing, and those that the key does not have."""
        if not isinstance(item.key, Mapping) or not item.key.get("statements"):
            return
        if len(objects) > FEW_MARKS:
            yield from _apart("grade", item, objects, configuration)
        else:
            yield from self.grade_here(item, objects, configuration)

    def grade_here(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """`grade` in this process, however many marks there are."""
        known = self._knowledge(configuration)
        marked, findings = _sound(_marked(item, objects), known)
        yield from findings
        own = statements_of(marked, known.categories, known.namespaces)
        gold = _statements(item, known)
        a, b = DocumentGraph(gold), DocumentGraph(own)
        names = aligned(a, b)
        back = {other: name for name, other in names.items()}
        for statement in a.words:
            if mapped(statement, names) not in b.words:
                yield _graded("missing", "Missing: {}", "缺少：{}", write_triple(statement))
        for statement in b.words:
            if mapped(statement, back) not in a.words:
                yield _graded(
                    "added",
                    "The key does not have {}",
                    "答案里没有 {}",
                    write_triple(statement),
                )

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A task for each person, one with everybody's statements, and the marks themselves."""
        known = self._knowledge(project.configuration)
        materials = _stored_materials(project)
        written = []
        everybody: dict[str, list[Asserted]] = {}
        unfinished: list[str] = []
        for person in project.people:
            require_name(person.person, "person's", is_file=True)
            marked = list(_of_person(project, person, known))
            if not marked:
                continue
            own = {one.id: statements_of(one, known.categories, known.namespaces) for one in marked}
            begun = [id for id in own if id not in person.finished]
            unfinished += [f"{id} by {person.person}" for id in begun]
            target = folder / "people" / person.person
            _write_task(project, target, own, materials, begun)
            written.append(target)
            marks = folder / "marks" / f"{person.person}.jsonl"
            marks.parent.mkdir(parents=True, exist_ok=True)
            write_marks(marked, str(marks))
            written.append(marks)
            for id, statements in own.items():
                everybody.setdefault(id, []).extend(statements)
        if everybody:
            _write_task(project, folder / "task", everybody, materials, unfinished)
            written.append(folder / "task")
        return written

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Marks (brat or layers), or the statements of a task or of one document."""
        known = self._knowledge(configuration)
        texts = {name: item.paper["text"] for name, item in items.items()}
        stem = path.name.partition(".")[0]
        for marked in _read(path, texts, known):
            if marked.id not in items:
                continue
            if marked.text != texts[marked.id]:
                raise DataError("another version of the text", file=path, where=marked.id)
            people = dict.fromkeys(mark.annotator for mark in marked.marks)
            for annotator in people:
                person = require_name(annotator or stem, "person's", is_file=True, file=path)
                own = [mark for mark in marked.marks if mark.annotator == annotator]
                yield person, marked.id, {mark.id: _object(mark, marked.text) for mark in own}

    def _knowledge(self, configuration: Configuration) -> _Knowledge:
        require("lark", "duckdb", "pyoxigraph")
        options = configuration.options
        tables = _category_tables(configuration)
        return _known(json.dumps([tables, options.get(DOMAIN), options.get(TASK, {})]))


def _category_tables(configuration: Configuration) -> dict[str, Any]:
    """The categories and objects of a configuration as ``categories.toml`` has them."""
    tables = msgspec.to_builtins(configuration)
    for category in tables.get("category", {}).values():
        category.pop("layer", None)
        category.pop("tiles", None)
        category.get("relations", {}).pop(SAME, None)
        if not category.get("relations", True):
            del category["relations"]
    return {name: tables.get(name, {}) for name in ("category", "object")}


def _is_inside(name: str) -> bool:
    """Whether a file of this name is within the task's folder, on every system."""
    parts = name.split("/")
    return all(
        part.strip(". ") and not set(part) & {*"\\:", *map(chr, range(32))} for part in parts
    ) and all(len(part.encode()) <= 200 for part in parts)


def categories_in(package: Package) -> Sequence[str]:
    """The names of a task's categories."""
    found = package.categories()
    return tuple(found.categories) if found is not None else ()


def _package(tests: Sequence[Test]) -> Package | None:
    """The task that a test is, if it is one."""
    if tests and tests[0].header.kind == "task":
        return open_task(tests[0].file)
    return None


@functools.lru_cache(maxsize=16)
def _known(stored: str) -> _Knowledge:
    said, domain, files = json.loads(stored)
    categories = categories_of(said, "project.toml")
    assert categories is not None  # what is wrong was raised
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        package = gather(shipped_domain(domain) if domain else folder).package
        ontology, theory = package.ontology(), package.theory()
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    return _Knowledge(categories, namespaces, theory or Theory("Ontology"), ontology)


# Objects as marks, and back.


def _marked(item: WorkItem, objects: Objects, annotator: str | None = None) -> MarkedText:
    marks = []
    for id, value in objects.items():
        if value.get("type") != "mark":
            continue
        links = dict(value.get("relations", {}))
        same = links.pop(SAME, ())
        marks.append(
            TextMark(
                id,
                value["category"],
                _fragments(value, item.paper["text"]),
                {
                    name: one
                    for name, one in value.get("attributes", {}).items()
                    if one not in ("", None)
                },
                {name: one for name, one in links.items() if isinstance(one, str)},
                (same,) if isinstance(same, str) else tuple(same or ()),
                annotator,
                id,
            )
        )
    return MarkedText(item.name, item.paper["text"], tuple(marks), item.name)


def _fragments(value: Mapping[str, Any], text: str) -> tuple[Offsets, ...]:
    """The pieces of a mark; they are those of its file unless somebody has moved the first.

    A program may have sent anything in their place.
    """
    own = (value["start"], value["end"])
    try:
        stored = msgspec.convert(value.get(FRAGMENTS, ()), tuple[Offsets, ...])
    except msgspec.ValidationError:
        return (own,)
    are_inside = all(0 <= start < end <= len(text) for start, end in stored)
    return stored if are_inside and stored[:1] == (own,) else (own,)


def _object(mark: TextMark, text: str) -> dict[str, Any]:
    start, end = mark.fragments[0]
    relations: dict[str, Any] = dict(mark.links)
    if mark.same:
        relations[SAME] = list(mark.same)
    value: dict[str, Any] = {
        "type": "mark",
        "text": _TEXT,
        "category": mark.category,
        "start": start,
        "end": end,
        "quote": text[start:end],
        "attributes": dict(mark.values),
        "relations": relations,
    }
    if len(mark.fragments) > 1:
        value[FRAGMENTS] = [list(span) for span in mark.fragments]
    return value


def _sound(marked: MarkedText, known: _Knowledge) -> tuple[MarkedText, list[WorkFinding]]:
    """The marks that state something, and a finding for each that does not."""
    findings = []
    known_ids = {mark.id for mark in marked.marks}
    marks = []
    for mark in marked.marks:
        if mark.category not in known.categories.categories:
            message = f"{mark.category} is not a category of this project"
            findings.append(WorkFinding("unknown_category", message, "error", mark.id))
            known_ids.discard(mark.id)
        else:
            marks.append(mark)
    marked = _with(marked, marks, known_ids)
    while errors := broken_marks(marked, known.categories, known.namespaces):
        for id, error in errors.items():
            message = error.message.removeprefix(f"{id}: ")
            findings.append(WorkFinding("incomplete", message, "warning", id))
        known_ids -= {*errors}
        marked = _with(marked, [mark for mark in marked.marks if mark.id in known_ids], known_ids)
    return marked, findings


def _with(marked: MarkedText, marks: Sequence[TextMark], known: set[str]) -> MarkedText:
    """The text with some of its marks, and no line to any other."""
    left = tuple(
        replace(
            mark,
            links={name: to for name, to in mark.links.items() if to in known},
            same=tuple(to for to in mark.same if to in known),
        )
        for mark in marks
    )
    return replace(marked, marks=left)


def _apart(
    call: str, item: WorkItem, objects: Objects, configuration: Configuration
) -> list[WorkFinding]:
    """The findings on many marks, made in a process that is ended when it takes too long."""
    if len(objects) > MOST_MARKS:
        message = {
            "en": f"There are more than {MOST_MARKS:,} marks: they are saved, and not checked.",
            "zh": f"标注超过 {MOST_MARKS} 个：已保存，但不检查。",
        }
        return [WorkFinding("too_many", message)]
    task = {
        "call": call,
        "item": msgspec.to_builtins(item),
        "objects": objects,
        "configuration": msgspec.to_builtins(configuration),
    }
    with HEAVY_CALLS.turn(None):  # the person's calls are counted by who asks for the check
        return msgspec.convert(run_call(find, task, seconds=SECONDS), list[WorkFinding])


def find(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: findings on marks."""
    item = msgspec.convert(task["item"], WorkItem)
    configuration = msgspec.convert(task["configuration"], Configuration)
    call = WORK.check_here if task["call"] == "check" else WORK.grade_here
    try:
        findings = list(call(item, task["objects"], configuration))
    except ReadmarkError as error:
        return {"error": str(error)}
    return {"result": msgspec.to_builtins(findings)}


def _contradictions(marked: MarkedText, known: _Knowledge) -> Iterator[WorkFinding]:
    from readmark.tasks.reasoning.contradictions import contradictions
    from readmark.tasks.reasoning.derivation_text import contradiction_text, rule_title
    from readmark.tasks.reasoning.engine.inference import infer

    asserted = statements_of(marked, known.categories, known.namespaces)
    places = {mark.fragments[0]: mark.id for mark in reversed(marked.marks)}
    of: dict[Any, str] = {}
    for one in asserted:
        for excerpt in one.support.statement[:1]:
            if (id := places.get((excerpt.start, excerpt.end))) is not None:
                of.setdefault(one.statement, id)
    with infer(asserted, known.theory, known.ontology, seconds=SECONDS) as inference:
        for found in islice(contradictions(inference), MOST_CONTRADICTIONS):
            where = next((of[statement] for statement in found.inputs if statement in of), None)
            rests = "; ".join(write_triple(statement) for statement in found.inputs)
            title = rule_title(found.rule)
            message = {
                "en": f"These cannot all be right ({title}): {rests}",
                "zh": f"这些不可能同时成立（{title}）：{rests}",
            }
            yield WorkFinding("contradiction", message, "error", where, contradiction_text(found))


def _graded(code: str, english: str, chinese: str, statement: str) -> WorkFinding:
    message = {"en": english.format(statement), "zh": chinese.format(statement)}
    return WorkFinding(code, message, "error")


def _statements(item: WorkItem, known: _Knowledge) -> list[Asserted]:
    placed = read_statements_file(
        item.key["statements"], {item.name: item.paper["text"]}, file=item.name, document=item.name
    )
    return [one.asserted for one in placed]


# Files.


def _of_person(
    project: ProjectWork, person: PersonsWork, known: _Knowledge
) -> Iterator[MarkedText]:
    for item in project.items:
        objects = person.objects.get(item.name)
        if objects or item.name in person.finished:
            marked, _ = _sound(_marked(item, objects or {}, person.person), known)
            yield marked


@dataclass(frozen=True)
class _Materials:
    """What an export has besides documents and statements."""

    manifest: Manifest
    files: Mapping[str, bytes]


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
    configuration, manifest = project.configuration, materials.manifest
    options = configuration.options
    about = msgspec.to_builtins(
        msgspec.structs.replace(manifest, files=(), namespaces={}, readmark=Manifest().readmark)
    )
    about["annotation"] = manifest.annotation
    note = ""
    if unfinished and manifest.annotation == "complete":
        # In a complete annotation, what is not there is wrong: not so while people are at it.
        about["annotation"] = "incomplete"
        note = f"# Begun and not handed in: {', '.join(unfinished)}.\n"
    if options.get(DOMAIN):
        about[DOMAIN] = options[DOMAIN]
    own = materials.files
    if TASK in options:  # a file that the organiser removed from the configuration is gone
        own = {path: data for path, data in own.items() if role_of(path)[0] not in FILES}
    files = {**own, **{path: text.encode() for path, text in options.get(TASK, {}).items()}}
    files[ABOUT] = (note + toml_table(about)).encode()
    files |= _categories_file(configuration, files)
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


def _categories_file(configuration: Configuration, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The categories that people marked with; nothing where the task or its domain has the same."""
    tables = _category_tables(configuration)
    [path] = [path for path in files if role_of(path)[0] == "categories"] or [CATEGORIES]
    original = files.get(path)
    if original is None and configuration.options.get(DOMAIN):
        original = (shipped_domain(configuration.options[DOMAIN]) / CATEGORIES).read_bytes()
    if original is not None:
        project = {"name": "", "work": ""}
        parsed = msgspec.convert({"project": project, **toml_of(original, path)}, Configuration)
        if _category_tables(parsed) == tables:
            return {}
    written = (
        toml_table(members, (table, name))
        for table in ("object", "category")
        for name, members in tables[table].items()
    )
    return {path: "\n".join(written).encode()}


def _read(path: Path, texts: Mapping[str, str], known: _Knowledge) -> Iterator[MarkedText]:
    if path.suffix == STATEMENTS_SUFFIX:
        document = path.name.removesuffix(STATEMENTS_SUFFIX)
        placed = read_statements_file(
            path.read_text("utf-8"), texts, file=str(path), document=document
        )
        statements = {document: [(one.asserted, one.line) for one in placed]}
    elif path.is_dir() or path.suffix == ".zip":
        statements = {}
        for _, one, _ in open_task(path).annotated(known.namespaces):
            statements.setdefault(one.asserted.graph, []).append((one.asserted, one.line))
    else:
        yield from read_marks(str(path), known.categories, documents=texts)
        return
    for document, asserted in statements.items():
        if document in texts:
            found = marks_of(
                asserted,
                known.categories,
                document=document,
                text=texts[document],
                namespaces=known.namespaces,
                file=str(path),
            )
            yield found.marked


WORK = ReadingTaskWork()
