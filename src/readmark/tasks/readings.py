"""Documents as some of their annotators state them, each a graph of one inference."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from readmark.tasks.reasoning.graphs import Asserted

_APART = "\x1f"
"""Between a document's name and its annotators': the unit separator, which no name has."""


class Readings:
    """The graphs that were asked for: a document by all who annotated it, or by some of them."""

    def __init__(self, asserted: Iterable[Asserted]) -> None:
        self._stated: dict[str, list[Asserted]] = {}
        for one in asserted:
            self._stated.setdefault(one.graph, []).append(one)
        self._readings: dict[str, tuple[str, frozenset[str | None]]] = {}

    def annotators(self, document: str) -> frozenset[str]:
        """Who stated something of a document."""
        return frozenset(one.annotator for one in self._stated.get(document, ()) if one.annotator)

    def graph(self, document: str, names: Collection[str | None] | None = None) -> str:
        """The graph of a document with the statements of these people, by default of everybody.

        None stands for statements of nobody in particular. The same statements are the same graph,
        whoever else was asked for.
        """
        everybody = frozenset(one.annotator for one in self._stated.get(document, ()))
        chosen = everybody if names is None else everybody & frozenset(names)
        listed = sorted(name or "" for name in chosen)
        graph = document if chosen == everybody else _APART.join((document, *listed))
        self._readings[graph] = (document, chosen)
        return graph

    def document(self, graph: str) -> str:
        """The document that a graph is a reading of."""
        return self._readings[graph][0]

    def asserted(self) -> list[Asserted]:
        """The statements of every graph that was asked for, under its name."""
        return [
            replace(one, graph=graph)
            for graph, (document, chosen) in self._readings.items()
            for one in self._stated.get(document, ())
            if one.annotator in chosen
        ]
