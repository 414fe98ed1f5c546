"""Entities of a record: mentions that refer to one another, across a passage and its questions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from readmark.setting.agreement.texts import Owner, Text, column_of

MENTION = "mention"
Node = tuple[Owner, int, int]


def chains_of(texts: Mapping[Owner, Text]) -> list[frozenset[Hashable]]:
    """The entities, each a set of mentions; a mention is its text and span.

    A number refers to the antecedent before it in its own text, else to the question's (from a
    published key), else to the passage's, else to one later in its own text. A reference to nothing
    leaves a mention by itself.
    """
    parents: dict[Node, Node] = {}

    def root(node: Node) -> Node:
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    numbered: dict[Owner, dict[Hashable, Node]] = {}
    for owner, text in texts.items():
        layer = text.layers.get(MENTION)
        if layer is None:
            continue
        rows = sorted(
            zip(layer.spans, column_of(layer, "id"), column_of(layer, "ref"), strict=True),
            key=lambda row: row[0],
        )
        scopes = [numbered[one] for one in _before(owner) if one in numbered]
        all_own = {id: (owner, *span) for span, id, _ in reversed(rows) if id is not None}
        own: dict[Hashable, Node] = {}
        for span, id, ref in rows:
            node = (owner, *span)
            parents.setdefault(node, node)
            if ref is not None:
                found = next((one[ref] for one in (own, *scopes, all_own) if ref in one), None)
                if found is not None:
                    parents.setdefault(found, found)
                    parents[root(node)] = root(found)
            if id is not None:
                own.setdefault(id, node)
        numbered[owner] = own
    entities: dict[Node, set[Hashable]] = {}
    for node in parents:
        entities.setdefault(root(node), set()).add(node)
    return [frozenset(entity) for entity in entities.values()]


def _before(owner: Owner) -> list[Owner]:
    """The texts that a text may refer to, the nearest first."""
    if owner[0] == "key":
        return [("question", owner[1]), ("passage",)]
    return [("passage",)] if owner[0] == "question" else []
