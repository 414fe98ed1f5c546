"""Annotating texts: words, sentences, noun phrases, entities, references and answer sentences.

The layers are those of "Design and Development of a Bilingual Reading Comprehension Corpus".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from readmark.core.errors import DataError
from readmark.core.language import primary
from readmark.core.records import PAPER_LAYERS, Passage
from readmark.core.test import Header, Test, in_memory
from readmark.formats.checks import check as check_test
from readmark.formats.people_names import require_name
from readmark.formats.registry import open_languages, save_test, save_tests
from readmark.making.annotation.annotate import annotate
from readmark.making.crosscheck.differences import differences, layer_pairs
from readmark.making.crosscheck.texts import KEY, parts_of
from readmark.making.hall.annotated_sides import (
    SIDES,
    annotated_sides,
    annotated_sorts,
    declared_layers,
    has_keys,
    page_text_id,
    passages_of,
    texts_only,
)
from readmark.making.hall.layer_findings import (
    gaps,
    graded,
    marks_by_quote,
    problem_message,
    quoted_mark,
)
from readmark.making.hall.layers_to_marks import marks_of_layers
from readmark.making.hall.marks_to_layers import with_marks
from readmark.text.analysers.registry import analyser
from readmark.works import (
    Configuration,
    ItemView,
    Objects,
    PersonsWork,
    ProjectWork,
    TextView,
    WorkFinding,
    WorkItem,
)

FORMATS = {"native": ".jsonl", "brcc": ".brcc"}
"""The formats that people's layers can be exported in, with the endings of their files."""
STARTS = ("proposals", "analyser", "all", "nothing")
"""The values of the option ``start``: see `LayerWork.divide`."""
_LANGUAGE = "en"
"""The language of a header that names none."""


class LayerWork:
    """People mark spans of passages and questions; each category is a layer."""

    def faults(self, configuration: Configuration) -> Iterator[tuple[tuple[str, ...], str]]:
        """Categories whose marks would be stored nowhere, and options that cannot be followed."""
        if not configuration.category:
            yield ("project",), "there is no category to mark: add a table [category.NAME] for each"
        for name, category in configuration.category.items():
            if not category.layer:
                yield ("category", name), f"{name} has no layer, which says where marks are stored"
        format = configuration.options.get("format", "native")
        if format not in tuple(FORMATS):
            message = f"format is {format!r}, expected {' or '.join(FORMATS)}"
            yield ("options", "format"), message
        start = configuration.options.get("start", "proposals")
        if start not in STARTS:
            yield ("options", "start"), f"start is {start!r}, expected {' or '.join(STARTS)}"
        side = configuration.options.get("side")
        if side not in (None, *SIDES):
            yield ("options", "side"), f"side is {side!r}, expected {' or '.join(SIDES)}"
        for name in ("questions", "keys"):
            if not isinstance(configuration.options.get(name, True), bool):
                yield ("options", name), f"{name} is true or false"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage; the two languages of a bilingual passage are one item.

        ``options.start`` says what annotators start from: proposals of analysers that the test has,
        those of an ``analyser`` that runs now, ``all`` layers, or ``nothing``. Practice never
        starts from people's layers: they are what is graded. With ``options.side`` people annotate
        only that side, and the other is shown beside it.
        """
        side = configuration.options.get("side")
        if len(tests) > 1 and side is None and configuration.options.get("format") != "brcc":
            raise DataError('two languages need options.format = "brcc"', file=tests[0].file)
        start = configuration.options.get("start", "proposals")
        sides: dict[str, dict[str, Passage]] = {}
        starts: dict[str, dict[str, Passage]] = {}
        for test in tests:
            test.require_kind("comprehension")
            proposed = _analysed(test, configuration) if start == "analyser" else test
            for passage, proposal in zip(test.records(), proposed.records(), strict=True):
                if passage.split is None or passage.split not in test.header.hidden:
                    language = primary(passage.language or test.language)
                    sides.setdefault(passage.shared_id, {})[language] = passage
                    starts.setdefault(passage.shared_id, {})[language] = proposal
        for name, records in sides.items():
            if side is not None and side not in records:
                raise DataError(
                    f"has no {SIDES['en'][side]} side, which is to be annotated", where=name
                )
            texts = {side: texts_only(passage, configuration) for side, passage in records.items()}
            objects = {}
            if start != "nothing":
                objects = marks_of_layers(
                    annotated_sides(starts[name], configuration),
                    configuration,
                    people=start == "all" and purpose == "work",
                )
            yield WorkItem(
                name,
                {"sides": msgspec.to_builtins(texts), "objects": objects},
                {"sides": msgspec.to_builtins(records)},
            )

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage, its questions and keys, in both languages where there are two."""
        texts = []
        passages = passages_of(item.paper)
        editable = annotated_sides(passages, configuration)
        for side, passage in passages.items():
            numbers = {question.id: n for n, question in enumerate(passage.questions, 1)}
            for part in parts_of(passage):
                title = passage.title or ""
                if part.unit is not None:
                    title = f"{numbers[part.unit]}." + (" →" if part.sort == KEY else "")
                id = page_text_id(side, part)
                texts.append(TextView(id, part.text, side, title, is_editable=side in editable))
        return ItemView(tuple(texts), item.paper["objects"])

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """What ``readmark check`` says of the layers, and gaps in layers that cover the text."""
        sides = annotated_sides(passages_of(item.paper), configuration)
        for side, passage in sides.items():
            marked = with_marks(passage, side, objects, configuration)
            test = in_memory(Header(language=side), [marked], file=item.name)
            quotes = marks_by_quote(side, objects)
            for problem in check_test(test):
                if problem.code == "no_questions":  # layers need none
                    continue
                message = problem_message(problem, marked, side)
                severity = problem.severity or "error"
                mark = quoted_mark(problem.message, quotes)
                yield WorkFinding(problem.code, message, severity, mark)
        for name, category in configuration.category.items():
            if category.tiles:
                yield from gaps(sides, name, category.label or name, objects)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Every place where the layers differ from the key's, as ``set crosscheck`` finds them."""
        compared = dict.fromkeys(declared_layers(configuration), annotated_sorts(configuration))
        for side, gold in annotated_sides(passages_of(item.key), configuration).items():
            marked = with_marks(gold, side, objects, configuration)
            for pair in layer_pairs(gold, marked, compared):
                for difference in differences(pair):
                    yield graded(difference, side, objects)

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A test for each person, with that person's layers.

        What a format of two sides cannot hold, such as sentences, is in ``layers/`` as well.
        """
        format = project.configuration.options.get("format", "native")
        written = []
        (folder / "people").mkdir(parents=True, exist_ok=True)
        for person in project.people:
            require_name(person.person, "person's", is_file=True)
            tests = list(tests_of(project, person, project.items))
            if tests:
                path = folder / "people" / f"{person.person}{FORMATS[format]}"
                lost = save_tests(tests, path, format=format)
                written.append(path)
                if lost:
                    written += _save_layers(tests, folder / "layers", person.person)
        return written

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """The layers of a test in any format, as the work of the person in the file's name."""
        person = require_name(path.name.partition(".")[0], "person's", is_file=True, file=path)
        sides_by_item: dict[str, dict[str, Passage]] = {}
        for test in open_languages(path):
            test.require_kind("comprehension")
            for passage in test.records():
                side = primary(passage.language or test.language)
                if passage.shared_id in items:
                    sides_by_item.setdefault(passage.shared_id, {})[side] = passage
        for name, records in sides_by_item.items():
            for side, passage in passages_of(items[name].paper).items():
                if side in records and records[side].text != passage.text:
                    raise DataError("another version of the text", file=path, where=name)
            sides = annotated_sides(records, configuration)
            yield person, name, marks_of_layers(sides, configuration, people=True)


def _analysed(test: Test, configuration: Configuration) -> Test:
    """The test with an analyser's layers in place of its own."""
    declared = declared_layers(configuration)
    names = [name for name in PAPER_LAYERS if name in declared]
    bare = test.changed(lambda passage: texts_only(passage, configuration))
    if not names:
        return bare
    analysed, _ = annotate(
        bare, analyser, names, keys=has_keys(configuration), mentions="mention" in declared
    )
    return analysed


def _save_layers(tests: Sequence[Test], folder: Path, person: str) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    for test in tests:
        path = folder / f"{person}.{test.language}.jsonl"
        save_test(test, path)
        yield path


def tests_of(
    project: ProjectWork, person: PersonsWork, items: Iterable[WorkItem]
) -> Iterator[Test]:
    """A test for each side, of the items that the person worked on or finished."""
    records: dict[str, list[Passage]] = {}
    for item in items:
        objects = person.objects.get(item.name)
        if objects or item.name in person.finished:
            sides = annotated_sides(passages_of(item.key), project.configuration)
            for side, passage in sides.items():
                marked = with_marks(
                    passage, side, objects or {}, project.configuration, person.person
                )
                records.setdefault(side, []).append(marked)
    headers = {primary(header.language or _LANGUAGE): header for header in project.headers}
    for side, passages in records.items():
        header = headers.get(side) or next(iter(project.headers), Header())
        yield in_memory(msgspec.structs.replace(header, language=side), passages)


WORK = LayerWork()
