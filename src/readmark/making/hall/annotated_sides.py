"""What a layer project annotates: which side, which texts of a passage, which layers.

A category's ``layer`` says what its marks become. A noun phrase (``np``) may have the attribute
``entity`` and the relation ``antecedent``, which become the layers ``ne`` and ``mention``; marks of
``answer_sentence`` name a question by its number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from readmark.core.records import Passage, Phrase, QuestionKey, without_key
from readmark.making.crosscheck.texts import KEY, PASSAGE, QUESTION, TextPart
from readmark.works import Configuration

SIDES = {"en": {"en": "English", "zh": "Chinese"}, "zh": {"en": "英文", "zh": "中文"}}
"""Names of the sides of a text in both languages of the pages."""
ENTITY, ANTECEDENT, NUMBER = "entity", "antecedent", "question"
"""An attribute and a relation of noun phrases, and the attribute of answer sentences."""


def text_id(side: str, question: str) -> str:
    """The id of a question's text on the page."""
    return f"{side}:{question}"


def key_text_id(side: str, question: str, number: int) -> str:
    """The id of a published key's text on the page, by its number among the question's keys."""
    return f"{text_id(side, question)}:key{number}"


def page_text_id(side: str, part: TextPart) -> str:
    """The id on the page of a text of a passage."""
    if part.unit is None:
        return side
    number = part.id.rpartition(":key")[2]
    is_key = part.sort == KEY
    return key_text_id(side, part.unit, int(number)) if is_key else text_id(side, part.unit)


def annotated_sides(
    passages: Mapping[str, Passage], configuration: Configuration
) -> dict[str, Passage]:
    """The sides that people annotate; the other one is only shown."""
    side = configuration.options.get("side")
    return {name: passage for name, passage in passages.items() if side in (None, name)}


def has_keys(configuration: Configuration) -> bool:
    """Whether published answer keys are annotated too."""
    return configuration.options.get("keys") is True


def annotated_sorts(configuration: Configuration) -> tuple[str, ...]:
    """The sorts of text that people annotate."""
    if configuration.options.get("questions") is False:
        return (PASSAGE,)
    return (PASSAGE, QUESTION, KEY) if has_keys(configuration) else (PASSAGE, QUESTION)


def passages_of(stored: Mapping[str, Any]) -> dict[str, Passage]:
    """The passages of an item's paper or key, by side."""
    return {side: msgspec.convert(passage, Passage) for side, passage in stored["sides"].items()}


def declared_layers(configuration: Configuration) -> list[str]:
    """The layers that marks of the categories become."""
    layers: list[str] = []
    for category in configuration.category.values():
        layers.append(category.layer)
        if category.layer == "np" and ENTITY in category.attributes:
            layers.append("ne")
        if category.layer == "np" and ANTECEDENT in category.relations:
            layers.append("mention")
    return list(dict.fromkeys(layers))


def texts_only(passage: Passage, configuration: Configuration) -> Passage:
    """A passage as annotators see it: texts alone, with published keys if they are annotated."""
    paper = without_key(passage)
    questions = []
    for question, with_key in zip(paper.questions, passage.questions, strict=True):
        key = None
        if has_keys(configuration) and with_key.key is not None:
            texts = tuple(Phrase(text=phrase.text) for phrase in with_key.key.published)
            key = QuestionKey(published=texts) if texts else None
        questions.append(msgspec.structs.replace(question, layers={}, fields={}, key=key))
    if configuration.options.get("questions") is False:
        questions = []
    return msgspec.structs.replace(paper, layers={}, fields={}, questions=tuple(questions))
