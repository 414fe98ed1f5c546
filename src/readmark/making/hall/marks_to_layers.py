"""A person's marks as layers of a passage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readmark.core.records import Layer, Layers, Offsets, Passage
from readmark.making.crosscheck.items import ANSWER_SENTENCE
from readmark.making.crosscheck.texts import PASSAGE, parts_of, with_layers
from readmark.making.hall.annotated_sides import (
    ANTECEDENT,
    ENTITY,
    NUMBER,
    annotated_sorts,
    declared_layers,
    page_text_id,
    text_id,
)
from readmark.works import Configuration, Objects, ProjectCategory

TextMarks = Mapping[str, Mapping[str, Any]]
"""Marks of a text by their ids."""


def with_marks(
    passage: Passage, side: str, objects: Objects, configuration: Configuration, source: str = ""
) -> Passage:
    """The passage with a person's marks in place of the layers that the categories yield."""
    marks = marks_by_text(objects)
    declared = declared_layers(configuration)
    numbers = _antecedent_numbers(passage, side, marks)
    layers: dict[str, Layers] = {}
    sentences: dict[str, list[Offsets]] = {}
    for part in parts_of(passage):
        if part.sort not in annotated_sorts(configuration):  # nobody saw it
            layers[part.id] = part.layers
            continue
        others = {name: layer for name, layer in part.layers.items() if name not in declared}
        marks_here = marks.get(page_text_id(side, part), {})
        layers[part.id] = {**others, **_layers_of(marks_here, numbers, configuration, source)}
        if part.sort == PASSAGE:
            for mark in marks_here.values():
                if _category(configuration, mark).layer == ANSWER_SENTENCE:
                    number = mark.get("attributes", {}).get(NUMBER)
                    if isinstance(number, int) and 0 < number <= len(passage.questions):
                        question = passage.questions[number - 1].id
                        sentences.setdefault(question, []).append((mark["start"], mark["end"]))
    answer_sentences: dict[str, tuple[Offsets, ...]]
    if ANSWER_SENTENCE in declared:
        answer_sentences = {
            question.id: tuple(sorted(sentences.get(question.id, ())))
            for question in passage.questions
        }
        return with_layers(passage, layers, answer_sentences, confirmed=answer_sentences)
    answer_sentences = {
        question.id: question.key.sentences if question.key else ()
        for question in passage.questions
    }
    return with_layers(passage, layers, answer_sentences)


def marks_by_text(objects: Objects) -> dict[str, dict[str, Mapping[str, Any]]]:
    """The marks among objects, by the id of their text on the page."""
    marks: dict[str, dict[str, Mapping[str, Any]]] = {}
    for id, value in objects.items():
        if value.get("type") == "mark":
            marks.setdefault(value["text"], {})[id] = value
    return marks


def _category(configuration: Configuration, mark: Mapping[str, Any]) -> ProjectCategory:
    """The category of a mark; one that the configuration no longer has becomes no layer."""
    return configuration.category.get(mark["category"], ProjectCategory())


def _antecedent_numbers(
    passage: Passage, side: str, marks: Mapping[str, TextMarks]
) -> dict[str, int]:
    """Numbers of the marks that others refer to, in the order of the passage and its questions."""
    antecedents = {
        target
        for in_text in marks.values()
        for mark in in_text.values()
        for target in _targets(mark, ANTECEDENT)
    }
    texts = (side, *(text_id(side, question.id) for question in passage.questions))
    numbers: dict[str, int] = {}
    for text in texts:
        in_order = sorted(
            marks.get(text, {}).items(), key=lambda entry: (entry[1]["start"], entry[1]["end"])
        )
        for id, _ in in_order:
            if id in antecedents:
                numbers[id] = len(numbers) + 1
    return numbers


def _targets(mark: Mapping[str, Any], relation: str) -> list[str]:
    target = mark.get("relations", {}).get(relation)
    if target is None:
        return []
    return [target] if isinstance(target, str) else list(target)


def _layers_of(
    marks: TextMarks, numbers: Mapping[str, int], configuration: Configuration, source: str
) -> Layers:
    rows: dict[str, list[tuple[Offsets, dict[str, Any]]]] = {
        name: [] for name in declared_layers(configuration) if name != ANSWER_SENTENCE
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
    for name, in_layer in rows.items():
        in_layer.sort(key=lambda row: row[0])
        layers[name] = Layer(
            spans=tuple(span for span, _ in in_layer),
            source=source,
            columns={
                column: tuple(values.get(column) for _, values in in_layer)
                for column in dict.fromkeys(columns[name])
            },
        )
    # A layer without spans says that somebody looked; references need not be annotated at all.
    return {name: layer for name, layer in layers.items() if layer.spans or name != "mention"}
