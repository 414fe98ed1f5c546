"""Questions for people from the labels of an ontology, in English and Chinese.

An ontology's own questions come first: its annotations ``question`` and ``questionOf``, which
:func:`in_language` chooses by language. Where it has none, a question is made from labels.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from readmark.tasks.reasoning.datatypes import datatype
from readmark.tasks.reasoning.ontology import Ontology, Property
from readmark.tasks.reasoning.terms import Name

QUESTION, QUESTION_OF, PLURAL = "question", "questionOf", "plural"
"""Annotations of an ontology: its own questions, and the plural of a class's label."""

_POINTS = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_PREPOSITIONS = frozenset(
    ("of", "in", "by", "from", "to", "at", "on", "with", "for", "after", "into", "under", "near")
)
_PARTICIPLES = {
    "struck": "struck",
    "won": "won",
    "lost": "lost",
    "hit": "hit",
    "led": "led",
    "wrote": "written",
    "made": "made",
    "built": "built",
    "gave": "given",
    "held": "held",
    "sold": "sold",
    "bought": "bought",
    "met": "met",
    "beat": "beaten",
    "left": "left",
}
"""Verbs whose past tense does not end in -ed, with their participles."""


class _English:
    """Questions about properties by the shape of their names: part of, has captain, struck."""

    space = " "

    def value(self, of: str, name: str, range: str | None, *, boolean: bool) -> str:
        """Asks for a property's values, or whether it is true."""
        words = name.split()
        what = f"Which {range}" if range is not None else "What"
        if boolean:
            if words[0] in ("has", "have"):
                return f"Does each {of} mentioned have {' '.join(words[1:])}?"
            if words[0] in ("is", "was"):
                return f"Is each {of} mentioned {_with_article(' '.join(words[1:]))}?"
            return f"Is it true of each {of} mentioned: {name}?"
        if words[0] in ("has", "have") and len(words) > 1:
            return f"{what} does each {of} mentioned have as {' '.join(words[1:])}?"
        if words[0] in ("is", "was") and len(words) > 1:
            words = words[1:]
        if words[-1] in _PREPOSITIONS and len(words) > 1:
            return f"{what} is each {of} mentioned {' '.join(words)}?"
        participle = _PARTICIPLES.get(words[-1]) or (
            words[-1] if words[-1].endswith("ed") else None
        )
        if len(words) == 1 and participle:
            return f"{what} was {participle} by each {of} mentioned?"
        return f"{what} is the {' '.join(words)} of each {of} mentioned?"

    def having(self, of: str, name: str) -> str:
        """Asks for what has a value of a property, which goes in place of {}."""
        words = name.split()
        if words[-1] in _PREPOSITIONS and len(words) > 1:
            return f"Which {of} mentioned is {name.removeprefix('is ')} {{}}?"
        if len(words) == 1 and (name in _PARTICIPLES or name.endswith("ed")):
            return f"Which {of} mentioned {name} {{}}?"
        return f"Of which {of} mentioned is {{}} the {name}?"

    def mentioned(self, label: str, is_plural: bool) -> str:
        """Asks for the entities of a class."""
        return f"Which {label if is_plural else _plural(label)} are mentioned?"

    def of_that(self, question: str, of: str) -> str:
        """The question about one thing that was just asked for."""
        return question.replace(f"each {of} mentioned", f"that {of}")


class _Chinese:
    """The same in Chinese."""

    space = ""

    def value(self, of: str, name: str, range: str | None, *, boolean: bool) -> str:
        """Asks for a property's values, or whether it is true."""
        if boolean:
            return f"文中提到的每个{of}是否{name}？"
        return f"文中提到的每个{of}的{name}是{'哪个' + range if range is not None else '什么'}？"

    def having(self, of: str, name: str) -> str:
        """Asks for what has a value of a property, which goes in place of {}."""
        return f"文中提到的哪个{of}的{name}是{{}}？"

    def mentioned(self, label: str, is_plural: bool) -> str:
        """Asks for the entities of a class."""
        return f"文中提到了哪些{label}？"

    def of_that(self, question: str, of: str) -> str:
        """The question about one thing that was just asked for."""
        return question.replace(f"文中提到的每个{of}", f"该{of}")


def in_language(ontology: Ontology, language: str) -> Ontology:
    """An ontology whose labels and questions are those in a language, where it has them."""

    def in_words(annotations: Mapping[str, str]) -> dict[str, str]:
        # Questions and plurals without a language tag are English.
        english_only = {QUESTION, QUESTION_OF, PLURAL} if language != "en" else set()
        untagged = {
            name: text
            for name, text in annotations.items()
            if "@" not in name and name not in english_only
        }
        tagged = {}
        for tagged_name, text in annotations.items():
            name, _, tag = tagged_name.partition("@")
            if tag.partition("-")[0] == language:
                tagged[name] = text
        return untagged | tagged

    classes = {}
    for name, owl_class in ontology.classes.items():
        words = in_words(owl_class.annotations)
        label = words.get("label", owl_class.label)
        classes[name] = replace(owl_class, label=label, annotations=words)
    properties = {}
    for name, property in ontology.properties.items():
        words = in_words(property.annotations)
        label = words.get("label", property.label)
        properties[name] = replace(property, label=label, annotations=words)
    return replace(ontology, classes=classes, properties=properties, language=language)


def value_question(ontology: Ontology, property: Property) -> str:
    """Asks for the values of a property of everything that has it, or whether it is true."""
    if question := property.annotations.get(QUESTION):
        return question
    kind = datatype(property.range) if property.range is not None else None
    range = None if property.range is None or kind is not None else label(ontology, property.range)
    return _phrases(ontology).value(
        _subject(ontology, property), _name(property), range, boolean=kind == "boolean"
    )


def holder_question(ontology: Ontology, property: Property, value: str) -> str:
    """Asks for what has a value of a property."""
    question = property.annotations.get(QUESTION_OF)
    if question is None:
        question = _phrases(ontology).having(_subject(ontology, property), _name(property))
    # ``{point|points}`` is the first word where the value is 1.
    question = _POINTS.sub(lambda words: words[1 if value == "1" else 2], question)
    return question.replace("{}", value)


def class_question(ontology: Ontology, name: Name) -> str:
    """Asks for the entities of a class."""
    annotations = ontology.classes[name].annotations
    if question := annotations.get(QUESTION):
        return question
    plural = annotations.get(PLURAL) or label(ontology, name)
    return _phrases(ontology).mentioned(plural, PLURAL in annotations)


def joined_questions(ontology: Ontology, first: Property, second: Property) -> str:
    """Asks for two properties of the same things."""
    questions = (value_question(ontology, property) for property in (first, second))
    return _phrases(ontology).space.join(questions)


def chained_questions(ontology: Ontology, first: Property, second: Property, of: Name) -> str:
    """Asks for a property's value, and then for a property of that value."""
    phrases = _phrases(ontology)
    about_that = phrases.of_that(value_question(ontology, second), label(ontology, of))
    return phrases.space.join((value_question(ontology, first), about_that))


def label(ontology: Ontology, name: Name) -> str:
    """What a class is called: its label, or the words of its name."""
    owl_class = ontology.classes.get(name)
    return (owl_class.label if owl_class is not None else "") or _spaced(name)


def _phrases(ontology: Ontology) -> _English | _Chinese:
    return _Chinese() if ontology.language == "zh" else _English()


def _subject(ontology: Ontology, property: Property) -> str:
    if property.domain is not None:
        return label(ontology, property.domain)
    return "事物" if ontology.language == "zh" else "thing"


def _name(property: Property) -> str:
    return property.label or _spaced(property.name)


def _plural(label: str) -> str:
    if re.search(r"[^aeiou]y$", label):
        return label[:-1] + "ies"
    return label + ("es" if re.search(r"(?:s|x|z|ch|sh)$", label) else "s")


def _with_article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _spaced(name: Name) -> str:
    """``homeTeamInGame`` as words."""
    local = re.split(r"[#/:]", name.text)[-1]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", local).lower()
