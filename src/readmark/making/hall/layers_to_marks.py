"""Layers of a passage as marks on the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readmark.core.records import Layer, Offsets, Passage
from readmark.making.crosscheck.items import ANSWER_SENTENCE, LayerItem, layer_items
from readmark.making.crosscheck.mentions import antecedent_of, mentions_of
from readmark.making.crosscheck.texts import parts_of
from readmark.making.hall.annotated_sides import (
    ANTECEDENT,
    ENTITY,
    NUMBER,
    annotated_sorts,
    page_text_id,
)
from readmark.text.analysers.registry import ANALYSER_PREFIX
from readmark.works import Configuration


def marks_of_layers(
    sides: Mapping[str, Passage], configuration: Configuration, *, people: bool
) -> dict[str, dict[str, Any]]:
    """The layers of each side as marks, by id: analysers' proposals, and with ``people`` theirs."""
    marks: dict[str, dict[str, Any]] = {}
    for side, passage in sides.items():
        marks |= _marks_of(passage, side, configuration, people)
    return marks


def _marks_of(
    passage: Passage, side: str, configuration: Configuration, people: bool
) -> dict[str, dict[str, Any]]:
    parts = [part for part in parts_of(passage) if part.sort in annotated_sorts(configuration)]
    mentions = mentions_of(parts)
    part_numbers = {part.id: number for number, part in enumerate(parts)}
    numbers = {question.id: number for number, question in enumerate(passage.questions, 1)}
    marks: dict[str, dict[str, Any]] = {}
    for index, (name, category) in enumerate(configuration.category.items()):
        prefix = f"c{index}-{side}"
        for part in parts:
            text = page_text_id(side, part)
            layer = part.layers.get(category.layer)
            if layer is None or not (people or _is_proposed(layer)):
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
                        relations = {ANTECEDENT: _mark_id(prefix, part_numbers[place[0]], place[1])}
                else:
                    attributes = {
                        key: value
                        for key, value in attributes.items()
                        if key in category.attributes and value is not None
                    }
                id = _mark_id(prefix, part_numbers[part.id], item.span)
                marks[id] = _mark(text, part.text, name, item, attributes, relations)
        if category.layer == ANSWER_SENTENCE and people:
            for question in passage.questions:
                for span in question.key.sentences if question.key else ():
                    id = f"{_mark_id(prefix, 0, span)}-{numbers[question.id]}"
                    number = {NUMBER: numbers[question.id]}
                    marks[id] = _mark(side, passage.text, name, LayerItem(span), number, {})
    return marks


def _mark_id(prefix: str, part_number: int, span: Offsets) -> str:
    """An id that is the same whenever the item is made again."""
    return f"{prefix}-{part_number}-{span[0]}-{span[1]}"


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
