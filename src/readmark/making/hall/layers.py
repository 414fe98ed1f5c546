"""Annotating texts: words, sentences, noun phrases, entities, references and answer sentences.

A category's ``layer`` says what becomes of its marks: their attributes are the layer's columns.
Two layers are those of "Design and Development of a Bilingual Reading Comprehension Corpus". A
noun phrase (``np``) may have the attribute ``entity`` and the relation ``antecedent``, which become
the layers ``ne`` and ``mention``; marks of ``answer_sentence`` name a question by its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.language import primary
from readmark.core.problems import Problem
from readmark.core.records import (
    PAPER_LAYERS,
    Layer,
    Layers,
    Offsets,
    Passage,
    Phrase,
    QuestionKey,
    without_key,
)
from readmark.core.test import Header, Test, in_memory
from readmark.formats.checks import check as check_test
from readmark.formats.people_names import require_name
from readmark.formats.registry import open_languages, save_test, save_tests
from readmark.making.annotate import annotated
from readmark.making.crosscheck.differences import Difference, differences, layer_pairs
from readmark.making.crosscheck.items import ANSWER_SENTENCE, LayerItem, layer_items
from readmark.making.crosscheck.mentions import antecedent_of, mentions_of
from readmark.making.crosscheck.texts import (
    KEY,
    PASSAGE,
    QUESTION,
    TextPart,
    parts_of,
    with_layers,
)
from readmark.text.analysers.registry import ANALYSER_PREFIX, analyser
from readmark.works import (
    Configuration,
    ItemView,
    Objects,
    PersonsWork,
    ProjectCategory,
    ProjectWork,
    Text,
    TextView,
    WorkFinding,
    WorkItem,
    in_language,
)

SIDES = {"en": {"en": "English", "zh": "Chinese"}, "zh": {"en": "英文", "zh": "中文"}}
"""What the sides of a text are called in both languages of the pages."""
ENTITY, ANTECEDENT, NUMBER = "entity", "antecedent", "question"
FORMATS = {"native": ".jsonl", "brcc": ".brcc"}
STARTS = ("proposals", "analyser", "all", "nothing")
_LANGUAGE = "en"


class LayerWork:
    """People mark spans of passages and questions; each category is a layer."""

    def faults(self, configuration: Configuration) -> Iterator[tuple[tuple[str, ...], str]]:
        """Categories of which nothing would become, and formats that cannot be written."""
        if not configuration.category:
            yield ("project",), "there is no category to mark: a table [category.NAME] each"
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
        """A passage an item; the two languages of a bilingual passage are one item.

        ``options.start`` says what annotators start from: proposals of analysers that the test has,
        those of an ``analyser`` that runs now, ``all`` layers, or ``nothing``. Practice never
        starts from people's layers: they are what is graded. With ``options.side`` people annotate
        that side alone, and the other is shown beside it.
        """
        side = configuration.options.get("side")
        if len(tests) > 1 and side is None and configuration.options.get("format") != "brcc":
            raise DataError('two languages need options.format = "brcc"', file=tests[0].file)
        start = configuration.options.get("start", "proposals")
        sides: dict[str, dict[str, Passage]] = {}
        begun: dict[str, dict[str, Passage]] = {}
        for test in tests:
            test.require_kind("comprehension")
            proposed = _analysed(test, configuration) if start == "analyser" else test
            for passage, proposal in zip(test.records(), proposed.records(), strict=True):
                if passage.split is None or passage.split not in test.header.hidden:
                    language = primary(passage.language or test.language)
                    sides.setdefault(passage.shared_id, {})[language] = passage
                    begun.setdefault(passage.shared_id, {})[language] = proposal
        for name, records in sides.items():
            if side is not None and side not in records:
                called = SIDES["en"][side]
                raise DataError(f"has no {called} side, which is to be annotated", where=name)
            texts = {side: _shown(passage, configuration) for side, passage in records.items()}
            objects = {}
            if start != "nothing":
                people = start == "all" and purpose == "work"
                annotated_sides = _annotated(begun[name], configuration)
                objects = _objects_of(annotated_sides, configuration, people=people)
            yield WorkItem(
                name,
                {"sides": msgspec.to_builtins(texts), "objects": objects},
                {"sides": msgspec.to_builtins(records)},
            )

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage, its questions and keys, in both languages where there are two."""
        texts = []
        passages = passages_of(item.paper)
        annotated_sides = _annotated(passages, configuration)
        for side, passage in passages.items():
            numbers = {question.id: n for n, question in enumerate(passage.questions, 1)}
            for part in parts_of(passage):
                title = passage.title or ""
                if part.unit is not None:
                    title = f"{numbers[part.unit]}." + (" →" if part.sort == KEY else "")
                is_editable = side in annotated_sides
                texts.append(
                    TextView(_text_of(side, part), part.text, side, title, is_editable=is_editable)
                )
        return ItemView(tuple(texts), item.paper["objects"])

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """What ``readmark check`` says of the layers, and gaps in layers that cover the text."""
        for side, passage in _annotated(passages_of(item.paper), configuration).items():
            marked = _with_marks(passage, side, objects, configuration)
            test = in_memory(Header(language=side), [marked], file=item.name)
            quotes = _quotes(side, objects)
            for problem in check_test(test):
                if problem.code == "no_questions":  # layers need none
                    continue
                named = _named_in(problem.message, quotes)
                severity = problem.severity or "error"
                message = _placed(problem, marked, side)
                yield WorkFinding(problem.code, message, severity, named)
        for name, category in configuration.category.items():
            if category.tiles:
                sides = _annotated(passages_of(item.paper), configuration)
                yield from _gaps(sides, name, category.label or name, objects)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Every place where the layers differ from the key's, as ``set crosscheck`` finds them."""
        compared = {**dict.fromkeys(_layers(configuration), _sorts(configuration))}
        for side, gold in _annotated(passages_of(item.key), configuration).items():
            own = _with_marks(gold, side, objects, configuration)
            for pair in layer_pairs(gold, own, compared):
                for difference in differences(pair):
                    yield _graded(difference, side, objects)

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
                    written += _savepassages_of(tests, folder / "layers", person.person)
        return written

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """The layers of a test in any format, as the work of the person it is called after."""
        person = require_name(path.name.partition(".")[0], "person's", is_file=True, file=path)
        found: dict[str, dict[str, Passage]] = {}
        for test in open_languages(path):
            test.require_kind("comprehension")
            for passage in test.records():
                side = primary(passage.language or test.language)
                if passage.shared_id in items:
                    found.setdefault(passage.shared_id, {})[side] = passage
        for name, records in found.items():
            for side, passage in passages_of(items[name].paper).items():
                if side in records and records[side].text != passage.text:
                    raise DataError("another version of the text", file=path, where=name)
            annotated_sides = _annotated(records, configuration)
            yield person, name, _objects_of(annotated_sides, configuration, people=True)


def text_id(side: str, question: str) -> str:
    """The id of a question's text on the page."""
    return f"{side}:{question}"


def key_text_id(side: str, question: str, number: int) -> str:
    """The id of a published key's text on the page, by its number among the question's keys."""
    return f"{text_id(side, question)}:key{number}"


def _text_of(side: str, part: TextPart) -> str:
    """The id on the page of a text of a passage."""
    if part.unit is None:
        return side
    number = part.id.rpartition(":key")[2]
    is_key = part.sort == KEY
    return key_text_id(side, part.unit, int(number)) if is_key else text_id(side, part.unit)


def _annotated(passages: Mapping[str, Passage], configuration: Configuration) -> dict[str, Passage]:
    """The sides that people annotate; another is only shown."""
    side = configuration.options.get("side")
    return {name: passage for name, passage in passages.items() if side in (None, name)}


def _has_keys(configuration: Configuration) -> bool:
    """Whether published answer keys are annotated too."""
    return configuration.options.get("keys") is True


def _sorts(configuration: Configuration) -> tuple[str, ...]:
    """The sorts of text that people annotate."""
    if configuration.options.get("questions") is False:
        return (PASSAGE,)
    return (PASSAGE, QUESTION, KEY) if _has_keys(configuration) else (PASSAGE, QUESTION)


def passages_of(stored: Mapping[str, Any]) -> dict[str, Passage]:
    """The passages of an item's paper or key, by side."""
    return {side: msgspec.convert(one, Passage) for side, one in stored["sides"].items()}


def _layers(configuration: Configuration) -> list[str]:
    """The layers that the categories yield."""
    found: dict[str, None] = {}
    for category in configuration.category.values():
        found[category.layer] = None
        if category.layer == "np":
            found |= dict.fromkeys(
                name
                for name, declared in (
                    ("ne", ENTITY in category.attributes),
                    ("mention", ANTECEDENT in category.relations),
                )
                if declared
            )
    return list(found)


def _analysed(test: Test, configuration: Configuration) -> Test:
    """The test with an analyser's layers in place of its own."""
    layers = _layers(configuration)
    asked = [name for name in PAPER_LAYERS if name in layers]
    bare = test.changed(lambda passage: _shown(passage, configuration))
    if not asked:
        return bare
    has_keys = _has_keys(configuration)
    return annotated(bare, analyser, asked, keys=has_keys, mentions="mention" in layers)[0]


def _shown(passage: Passage, configuration: Configuration) -> Passage:
    """A passage as annotators see it: texts alone, published keys among them where asked for."""
    paper = without_key(passage)
    questions = []
    for question, whole in zip(paper.questions, passage.questions, strict=True):
        key = None
        if _has_keys(configuration) and whole.key is not None:
            texts = tuple(Phrase(text=phrase.text) for phrase in whole.key.published)
            key = QuestionKey(published=texts) if texts else None
        questions.append(msgspec.structs.replace(question, layers={}, fields={}, key=key))
    if configuration.options.get("questions") is False:
        questions = []
    return msgspec.structs.replace(paper, layers={}, fields={}, questions=tuple(questions))


# Marks as layers.


def _with_marks(
    passage: Passage, side: str, objects: Objects, configuration: Configuration, source: str = ""
) -> Passage:
    """The passage with a person's marks in place of the layers that the categories yield."""
    marks = _marks_by_text(objects)
    declared = _layers(configuration)
    numbers = _numbers(passage, side, marks)
    layers: dict[str, Layers] = {}
    sentences: dict[str, list[Offsets]] = {}
    for part in parts_of(passage):
        kept = {name: layer for name, layer in part.layers.items() if name not in declared}
        if part.sort not in _sorts(configuration):  # nobody saw it
            layers[part.id] = part.layers
            continue
        own = marks.get(_text_of(side, part), {})
        layers[part.id] = {**kept, **_layers_of(own, numbers, configuration, source)}
        if part.sort == PASSAGE:
            for mark in own.values():
                if _category(configuration, mark).layer == ANSWER_SENTENCE:
                    number = mark.get("attributes", {}).get(NUMBER)
                    if isinstance(number, int) and 0 < number <= len(passage.questions):
                        question = passage.questions[number - 1].id
                        sentences.setdefault(question, []).append((mark["start"], mark["end"]))
    marked: dict[str, tuple[Offsets, ...]] = {
        question.id: tuple(sorted(sentences.get(question.id, ())))
        if ANSWER_SENTENCE in declared
        else (question.key.sentences if question.key else ())
        for question in passage.questions
    }
    confirmed = marked if ANSWER_SENTENCE in declared else ()
    return with_layers(passage, layers, marked, confirmed)


Marks = Mapping[str, Mapping[str, Any]]


def _marks_by_text(objects: Objects) -> dict[str, dict[str, Mapping[str, Any]]]:
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for id, value in objects.items():
        if value.get("type") == "mark":
            found.setdefault(value["text"], {})[id] = value
    return found


def _category(configuration: Configuration, mark: Mapping[str, Any]) -> ProjectCategory:
    """The category of a mark; one that the configuration no longer has yields nothing."""
    return configuration.category.get(mark["category"], ProjectCategory())


def _numbers(passage: Passage, side: str, marks: Mapping[str, Marks]) -> dict[str, int]:
    """Antecedents by mark, numbered in the order of the passage and then of its questions."""
    meant = {
        target
        for own in marks.values()
        for mark in own.values()
        for target in _targets(mark, ANTECEDENT)
    }
    texts = (side, *(text_id(side, question.id) for question in passage.questions))
    found: dict[str, int] = {}
    for text in texts:
        own = marks.get(text, {})
        for id in sorted(own, key=lambda id: (own[id]["start"], own[id]["end"])):
            if id in meant:
                found[id] = len(found) + 1
    return found


def _targets(mark: Mapping[str, Any], relation: str) -> list[str]:
    target = mark.get("relations", {}).get(relation)
    return [] if target is None else [target] if isinstance(target, str) else list(target)


def _layers_of(
    marks: Marks, numbers: Mapping[str, int], configuration: Configuration, source: str
) -> Layers:
    rows: dict[str, list[tuple[Offsets, dict[str, Any]]]] = {
        name: [] for name in _layers(configuration) if name != ANSWER_SENTENCE
    }
    columns: dict[str, list[str]] = {name: [] for name in rows}
    for category in configuration.category.values():
        if category.layer in columns and category.layer != "np":
            columns[category.layer] += category.attributes
    columns |= {"ne": ["type"], "mention": ["id", "ref"]}
    for id, mark in marks.items():
        category, span = _category(configuration, mark), (mark["start"], mark["end"])
        values = mark.get("attributes", {})
        if category.layer == "np":
            rows["np"].append((span, {}))
            if values.get(ENTITY) and "ne" in rows:
                rows["ne"].append((span, {"type": values[ENTITY]}))
            ref = next((numbers.get(target) for target in _targets(mark, ANTECEDENT)), None)
            if "mention" in rows and (id in numbers or ref is not None):
                rows["mention"].append((span, {"id": numbers.get(id), "ref": ref}))
        elif category.layer in rows:
            rows[category.layer].append((span, dict(values)))
    layers = {}
    for name, found in rows.items():
        found.sort(key=lambda row: row[0])
        layers[name] = Layer(
            spans=tuple(span for span, _ in found),
            source=source,
            columns={
                column: tuple(values.get(column) for _, values in found)
                for column in dict.fromkeys(columns[name])
            },
        )
    return {name: layer for name, layer in layers.items() if layer.spans or name != "mention"}


def _savepassages_of(tests: Sequence[Test], folder: Path, person: str) -> Iterator[Path]:
    folder.mkdir(exist_ok=True)
    for test in tests:
        path = folder / f"{person}.{test.language}.jsonl"
        save_test(test, path)
        yield path


def tests_of(
    project: ProjectWork, person: PersonsWork, items: Iterable[WorkItem]
) -> Iterator[Test]:
    """A test a side, of those items that the person worked on or finished."""
    records: dict[str, list[Passage]] = {}
    for item in items:
        objects = person.objects.get(item.name)
        if objects or item.name in person.finished:
            for side, passage in _annotated(passages_of(item.key), project.configuration).items():
                marked = _with_marks(
                    passage, side, objects or {}, project.configuration, person.person
                )
                records.setdefault(side, []).append(marked)
    headers = {primary(one.language or _LANGUAGE): one for one in project.headers}
    for side, passages in records.items():
        header = headers.get(side) or next(iter(project.headers), Header())
        yield in_memory(msgspec.structs.replace(header, language=side), passages)


# Layers as marks.


def _objects_of(
    records: Mapping[str, Passage], configuration: Configuration, *, people: bool
) -> dict[str, dict[str, Any]]:
    """The layers as marks: analysers' proposals, and ``people``'s layers where asked for."""
    found: dict[str, dict[str, Any]] = {}
    for side, passage in records.items():
        found |= _marks_of(passage, side, configuration, people)
    return found


def _marks_of(
    passage: Passage, side: str, configuration: Configuration, people: bool
) -> dict[str, dict[str, Any]]:
    parts = [part for part in parts_of(passage) if part.sort in _sorts(configuration)]
    mentions = mentions_of(parts)
    order = {part.id: number for number, part in enumerate(parts)}
    numbers = {question.id: number for number, question in enumerate(passage.questions, 1)}
    found: dict[str, dict[str, Any]] = {}
    for index, (name, category) in enumerate(configuration.category.items()):
        named = f"c{index}-{side}"
        for part in parts:
            text = _text_of(side, part)
            layer = part.layers.get(category.layer)
            if layer is None or not (people or layer.source.startswith(ANALYSER_PREFIX)):
                continue
            entities = _entities(part.layers.get("ne"), people)
            links = {
                item.span: antecedent_of(item)
                for item in mentions.items[part.id]
                if people or _is_proposed(part.layers.get("mention"))
            }
            for item in layer_items(layer):
                attributes, relations = dict(item.labels), {}
                if category.layer == "np":
                    attributes = {ENTITY: entities[item.span]} if item.span in entities else {}
                    if place := links.get(item.span):
                        relations = {ANTECEDENT: _mark_id(named, order[place[0]], place[1])}
                else:
                    attributes = {
                        key: value
                        for key, value in attributes.items()
                        if key in category.attributes and value is not None
                    }
                id = _mark_id(named, order[part.id], item.span)
                found[id] = _mark(text, part.text, name, item, attributes, relations)
        if category.layer == ANSWER_SENTENCE and people:
            for question in passage.questions:
                for span in question.key.sentences if question.key else ():
                    id = f"{_mark_id(named, 0, span)}-{numbers[question.id]}"
                    number = {NUMBER: numbers[question.id]}
                    found[id] = _mark(side, passage.text, name, LayerItem(span), number, {})
    return found


def _mark_id(named: str, text: int, span: Offsets) -> str:
    return f"{named}-{text}-{span[0]}-{span[1]}"


def _mark(
    text_id: str,
    text: str,
    category: str,
    item: LayerItem,
    attributes: Mapping[str, Any],
    relations: Mapping[str, Any],
) -> dict[str, Any]:
    start, end = item.span
    return {
        "type": "mark",
        "text": text_id,
        "category": category,
        "start": start,
        "end": end,
        "quote": text[start:end],
        "attributes": dict(attributes),
        "relations": dict(relations),
    }


def _is_proposed(layer: Layer | None) -> bool:
    return layer is not None and layer.source.startswith(ANALYSER_PREFIX)


def _entities(layer: Layer | None, people: bool) -> dict[Offsets, Any]:
    if layer is None or not (people or _is_proposed(layer)):
        return {}
    return dict(zip(layer.spans, layer.column("type"), strict=True))


# Findings.


_CHINESE = {
    "no_sentence": "没有标出回答它的句子",
    "part_of_sentence": "标出的答案句只是句子的一部分",
}


def _placed(problem: Problem, passage: Passage, side: str) -> str | dict[str, str]:
    """What is wrong, with the number of the question that it is about."""
    ids = [question.id for question in passage.questions]
    if problem.where not in ids:
        return problem.message
    number = ids.index(str(problem.where)) + 1
    chinese = _CHINESE.get(problem.code, problem.message)
    return {
        "en": f"Question {number} ({SIDES['en'].get(side, side)}): {problem.message}",
        "zh": f"问题 {number}（{SIDES['zh'].get(side, side)}）：{chinese}",
    }


def _quotes(side: str, objects: Objects) -> dict[str, tuple[int, str]]:
    """The marks of a side by their quotes as messages have them; with lengths, to compare."""
    quotes: dict[str, tuple[int, str]] = {}
    for id, value in objects.items():
        is_here = value.get("type") == "mark" and value["text"].partition(":")[0] == side
        if is_here and (quote := value.get("quote")):
            quotes[repr(quote)] = max(quotes.get(repr(quote), (0, "")), (len(quote), id))
    return quotes


def _named_in(message: str, quotes: Mapping[str, tuple[int, str]]) -> str | None:
    """The mark that a message quotes, the longest if it quotes several."""
    # Every stretch between two quotation marks, since a quote may have some of its own: to look
    # for each of 5,000 marks in each of 4,000 messages took twenty seconds.
    places = [place for place, letter in enumerate(message) if letter in "'\""]
    stretches = (message[first : last + 1] for first, last in combinations(places, 2))
    return max((quotes[part] for part in stretches if part in quotes), default=(0, None))[1]


def _gaps(
    sides: Mapping[str, Passage], category: str, label: Text, objects: Objects
) -> Iterable[WorkFinding]:
    """Text that no mark of a category covers, and marks that overlap."""
    marks = _marks_by_text(objects)
    texts = [(_text_of(side, part), part.text) for side in sides for part in parts_of(sides[side])]
    for name, text in texts:
        spans = sorted(
            (
                (mark["start"], mark["end"], id)
                for id, mark in marks.get(name, {}).items()
                if mark["category"] == category
            ),
        )
        reached = 0
        for start, end, id in (*spans, (len(text), len(text), None)):
            gap = text[reached:start].strip()
            if gap and spans:
                message = {
                    "en": f"“{gap[:30]}” belongs to no {in_language(label, 'en')}.",
                    "zh": f"“{gap[:30]}”不属于任何{in_language(label, 'zh')}。",
                }
                yield WorkFinding("gap", message, "warning", id)
            if start < reached:
                message = {
                    "en": f"Two marks ({in_language(label, 'en')}) overlap.",
                    "zh": f"两个标注（{in_language(label, 'zh')}）重叠了。",
                }
                yield WorkFinding("overlap", message, "error", id)
            reached = max(reached, end)


_BOTH = {"en": "{own}: the key has {key}.", "zh": "{own}：答案是 {key}。"}
_MISSING = {"en": "Not marked: {key}.", "zh": "没有标出：{key}。"}
_ADDED = {"en": "The key does not have {own}.", "zh": "答案里没有 {own}。"}


def _graded(difference: Difference, side: str, objects: Objects) -> WorkFinding:
    """A place where the key has something else, with both versions."""
    gold, own = (
        [_version(item, difference.text) for item in items]
        for items in (difference.a, difference.b)
    )
    versions = {"key": " | ".join(gold), "own": " | ".join(own)}
    texts = _BOTH if gold and own else _MISSING if gold else _ADDED
    message = {language: text.format(**versions) for language, text in texts.items()}
    span = difference.b[0].span if difference.b else None
    named = next(
        (
            id
            for id, value in objects.items()
            if value.get("type") == "mark"
            and value["text"].partition(":")[0] == side
            and (value["start"], value["end"]) == span
        ),
        None,
    )
    return WorkFinding(difference.what, message, "error", named)


def _version(item: LayerItem, text: str) -> str:
    labels = [str(value) for value in item.labels.values() if isinstance(value, str | int)]
    if (place := item.labels.get(ANTECEDENT)) is not None:
        labels.append(f"→ {place.get('quote', place.get('number'))}")
    quote = text[slice(*item.span)]
    return f"“{quote}” ({', '.join(labels)})" if labels else f"“{quote}”"


WORK = LayerWork()
