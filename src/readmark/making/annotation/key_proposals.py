"""Types and answer sentences: proposals for the key of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.comprehension import QuestionOverlap
from readmark.core.records import PROPOSED, Passage, Question, QuestionKey, Unit
from readmark.hooks import Kind
from readmark.making.annotation.annotation_counts import Annotation, count
from readmark.making.annotation.languages import language_or
from readmark.text.analysers.registry import known_layers
from readmark.text.questions.types import RULED, question_type

KEY_PROPOSALS = ("types", "answers")
"""What ``layers`` may name besides layers; a key lists its proposals in ``fields.proposed``."""


def layers_and_proposals(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The layers among some names, and the proposals for keys; an unknown name is an error."""
    proposals = tuple(name for name in KEY_PROPOSALS if name in names)
    layers = [name for name in names if name not in KEY_PROPOSALS]
    if proposals and not layers:
        return (), proposals
    return known_layers(layers, KEY_PROPOSALS), proposals


class KeyProposer:
    """Proposes the type of a question, and the sentence that answers it as AutSent would."""

    def __init__(self, kind: Kind, language: str, proposals: Sequence[str], force: bool) -> None:
        self._kind = kind
        self._language = language
        self._proposals = proposals
        self._force = force
        self._overlaps: dict[str, QuestionOverlap] = {}

    def with_proposals(
        self, passage: Passage, english: Mapping[str, str], counts: Annotation
    ) -> Passage:
        """The passage with proposals in its questions' keys.

        ``english`` has the parallel English questions by the shared id.
        """
        if not self._proposals:
            return passage
        questions = tuple(
            self._question(passage, unit, english, counts) for unit in self._kind.units(passage)
        )
        return msgspec.structs.replace(passage, questions=questions)

    def _question(
        self, passage: Passage, unit: Unit, english: Mapping[str, str], counts: Annotation
    ) -> Question:
        question: Question = unit.item
        key = question.key or QuestionKey()
        language = language_or(question, language_or(passage, self._language))
        if language not in RULED:
            return question
        listed = set(key.fields.get(PROPOSED, ()))
        proposed: dict[str, Any] = {}
        if "types" in self._proposals and _may_replace(key.type, "type" in listed, self._force):
            parallel = english.get(question.shared_id) if language == "zh" else None
            proposed["type"] = question_type(question.text, language, parallel=parallel)
        if "answers" in self._proposals and _may_replace(
            key.sentences, "sentences" in listed, self._force
        ):
            # Without the sentences that it has, which the rule would only repeat.
            without_sentences = msgspec.structs.replace(key, sentences=())
            bare_question = msgspec.structs.replace(question, key=without_sentences)
            bare_unit = msgspec.structs.replace(unit, item=bare_question)
            if language not in self._overlaps:
                self._overlaps[language] = QuestionOverlap(self._kind, language)
            if sentences := self._overlaps[language].answer_sentences(bare_unit):
                proposed["sentences"] = tuple(sentences)
        for name, member in (("types", "type"), ("answers", "sentences")):
            before = getattr(key, member)
            # What people made and a rule would propose too stays people's.
            if proposed.get(member, before) == before:
                proposed.pop(member, None)
                counts_by_layer = counts.kept
            else:
                counts_by_layer = counts.replaced if before else counts.added
            if name in self._proposals and (member in proposed or before):
                count(counts_by_layer, name)
        if not proposed:
            return question
        fields = {**key.fields, PROPOSED: sorted(listed | proposed.keys())}
        key = msgspec.structs.replace(key, **proposed, fields=fields)
        return msgspec.structs.replace(question, key=key)


def _may_replace(existing: object, is_proposed: bool, force: bool) -> bool:
    """What people made stays, unless by force; what a rule proposed is proposed anew."""
    return not existing or is_proposed or force
