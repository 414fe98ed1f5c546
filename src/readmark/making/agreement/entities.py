"""Entities of a record: mentions that refer to one another, across a passage and its questions."""

from __future__ import annotations

from collections.abc import Hashable

from readmark.making.agreement.annotated_texts import Owner, Texts

MENTION = "mention"
MentionPlace = tuple[Owner, int, int]
"""A text and a span in it."""


def entities_of(texts: Texts) -> list[frozenset[Hashable]]:
    """The entities, each a set of mentions; a mention is its text and span.

    A number refers to the antecedent before it in its own text, else to the question's (from a
    published key), else to the passage's, else to one later in its own text. A reference to nothing
    leaves a mention by itself.
    """
    # Union-find: each mention leads to another of its entity, the last of them to itself.
    leads_to: dict[MentionPlace, MentionPlace] = {}

    def root(mention: MentionPlace) -> MentionPlace:
        while leads_to[mention] != mention:
            leads_to[mention] = leads_to[leads_to[mention]]
            mention = leads_to[mention]
        return mention

    by_number: dict[Owner, dict[Hashable, MentionPlace]] = {}
    for owner, text in texts.items():
        layer = text.layers.get(MENTION)
        if layer is None:
            continue
        # An id that is a list or an object, which no id should be, is known by its text.
        ids, refs = (
            [id if isinstance(id, Hashable) else str(id) for id in layer.column(name)]
            for name in ("id", "ref")
        )
        rows = sorted(zip(layer.spans, ids, refs, strict=True), key=lambda row: row[0])
        in_texts_before = [by_number[text] for text in _texts_before(owner) if text in by_number]
        in_text = {id: (owner, *span) for span, id, _ in reversed(rows) if id is not None}
        before: dict[Hashable, MentionPlace] = {}
        for span, id, ref in rows:
            mention = (owner, *span)
            leads_to.setdefault(mention, mention)
            if ref is not None:
                places = (before, *in_texts_before, in_text)
                antecedent = next((numbers[ref] for numbers in places if ref in numbers), None)
                if antecedent is not None:
                    leads_to.setdefault(antecedent, antecedent)
                    leads_to[root(mention)] = root(antecedent)
            if id is not None:
                before.setdefault(id, mention)
        by_number[owner] = before
    entities: dict[MentionPlace, set[Hashable]] = {}
    for mention in leads_to:
        entities.setdefault(root(mention), set()).add(mention)
    return [frozenset(entity) for entity in entities.values()]


def _texts_before(owner: Owner) -> list[Owner]:
    """The texts that a text may refer to, the nearest first."""
    if owner[0] == "key":
        return [("question", owner[1]), ("passage",)]
    return [("passage",)] if owner[0] == "question" else []
