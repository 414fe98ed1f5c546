"""The formats that the graph of a reading task is retrieved in, and which one a client asks for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GraphFormat:
    """A format that the graph is retrieved in."""

    name: str
    media_type: str
    format: str
    suffix: str
    other_media_types: tuple[str, ...] = ()
    """By which clients ask for it too."""


GRAPH_TYPES = (
    GraphFormat("turtle", "text/turtle", "TURTLE", ".ttl", ("application/x-turtle",)),
    GraphFormat("rdfxml", "application/rdf+xml", "RDF_XML", ".rdf"),
    GraphFormat("jsonld", "application/ld+json", "JSON_LD", ".jsonld"),
    GraphFormat("nquads", "application/n-quads", "N_QUADS", ".nq", ("text/x-nquads",)),
    GraphFormat("trig", "application/trig", "TRIG", ".trig"),
)


def negotiate(accept: str, name: str | None = None) -> GraphFormat | None:
    """The format that a client asks for, by name or else by its ``Accept``; None if there is none.

    Of formats that it likes the same, the first counts.
    """
    if name is not None:
        return next((format for format in GRAPH_TYPES if format.name == name), None)
    weights = [(_accepted_weight(accept or "*/*", format), format) for format in GRAPH_TYPES]
    weight, best = max(weights, key=lambda pair: pair[0])  # the first of equal ones
    return best if weight > 0 else None


def _accepted_weight(accept: str, format: GraphFormat) -> float:
    """The weight of a format in an ``Accept`` header, by its most specific range ("RFC 9110")."""
    family = f"{format.media_type.partition('/')[0]}/*"
    rank, weight = -1, 0.0
    for part in accept.split(","):
        media_range, *parameters = (piece.strip().lower() for piece in part.split(";"))
        if media_range in (format.media_type, *format.other_media_types):
            part_rank = 2
        elif media_range == family:
            part_rank = 1
        elif media_range == "*/*":
            part_rank = 0
        else:
            continue
        if part_rank > rank:
            rank, weight = part_rank, _weight(parameters)
    return weight


def _weight(parameters: list[str]) -> float:
    """The ``q`` of a media range: from 0 to 1, and 1 if it has none."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return min(max(float(value), 0.0), 1.0)
            except ValueError:
                return 0.0
    return 1.0
