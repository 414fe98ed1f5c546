"""The gold with what was judged since: verdicts become rows, entities gain words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from readmark.tasks.alignment import align
from readmark.tasks.manifest import AnswerRow, identity
from readmark.tasks.mention_classes import mention_class
from readmark.tasks.reasoning.terms import Name
from readmark.tasks.value_tokens import is_value, token

UNITED = "their annotations together"
"""Why answers of several annotators' united graphs are in the gold."""


def widened(row: AnswerRow, mentions: Mapping[tuple[str, Name], Sequence[str]]) -> AnswerRow:
    """A judged answer whose entities have every word that the annotation has for them.

    So a verdict on an answer holds for the same answer under another mention of the entity.
    """
    classes = [
        (mention_class(words), words)
        for (document, _), words in mentions.items()
        if document == row.document
    ]
    wider = {}
    for entity, words in row.mentions.items():
        folded = mention_class(words)
        more = [word for other, others in classes if folded & other for word in others]
        wider[entity] = tuple(dict.fromkeys((*words, *more)))
    return msgspec.structs.replace(row, mentions=wider) if wider != row.mentions else row


def answer_row(row: AnswerRow) -> AnswerRow:
    """A judgement as a row of the gold."""
    return AnswerRow(**{name: getattr(row, name) for name in AnswerRow.__struct_fields__})


def with_judgements(gold: Iterable[AnswerRow], judgements: Iterable[AnswerRow]) -> list[AnswerRow]:
    """The gold with what adjudicators added; a verdict on a gold answer takes its place.

    A right answer whose entities are a gold answer's by their mentions is that answer: the words
    for them are added to it.
    """
    rows = {identity(row): row for row in gold}
    for row in judgements:
        earlier = rows.get(identity(row))
        if earlier is not None and row.verdict == earlier.verdict:
            continue
        same = _same_answer(row, rows.values()) if earlier is None else None
        if same is not None:
            rows[identity(same)] = _with_mentions(same, row)
        else:
            rows[identity(row)] = row
    return list(rows.values())


def _same_answer(row: AnswerRow, gold: Iterable[AnswerRow]) -> AnswerRow | None:
    """The gold answer that a right one is, by the words for its entities."""
    if row.verdict != "right":
        return None
    of_document = [
        gold_row
        for gold_row in gold
        if gold_row.document == row.document and gold_row.verdict == "right"
    ]
    of_query = [gold_row for gold_row in of_document if gold_row.query == row.query]
    matches = align([row.solution()], [gold_row.solution() for gold_row in of_query])
    if not matches:
        return None
    same = of_query[matches[0].gold]
    # What the gold knows by this very name is another entity, whatever words they share.
    names = {token(value) for gold_row in of_document for value in gold_row.values.values()}
    entities = {token(value) for value in row.values.values() if not is_value(token(value))}
    renamed = entities - {token(value) for value in same.values.values()}
    return None if renamed & names else same


def _with_mentions(gold: AnswerRow, answer: AnswerRow) -> AnswerRow:
    """A gold answer with the words that another row of it has for its entities."""
    mentions = dict(gold.mentions)
    for name, value in gold.values.items():
        if name not in answer.values or is_value(token(value)):
            continue
        if words := answer.mentions.get(token(answer.values[name]), ()):
            mentions[token(value)] = tuple(dict.fromkeys((*mentions.get(token(value), ()), *words)))
    return msgspec.structs.replace(gold, mentions=mentions)
