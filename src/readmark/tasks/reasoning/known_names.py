"""Refuses names that nothing has: a query with one would only ever give no answers."""

from __future__ import annotations

from collections.abc import Iterable

from readmark.core.errors import DataError, did_you_mean
from readmark.tasks.names import SHORT
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.ontology import THING, TYPE, Ontology
from readmark.tasks.reasoning.rules.values import Condition, patterns_of
from readmark.tasks.reasoning.terms import Name

_MOST_GRAPHS = 20  # Among more graphs the nearest name, such as d117 for d17, is no help.


def require_graphs(
    inference: Inference, graphs: Iterable[str], documents: Iterable[str] = ()
) -> None:
    """Refuses the name of a graph that is neither there nor a document without statements."""
    store = inference.store
    named = list(dict.fromkeys(graphs))
    known = {*store.graph_names(store.graph_codes(named)).values(), *documents}
    for graph in named:
        if graph not in known:
            names = [text for (text,) in store.run("SELECT text FROM graphs ORDER BY id")]
            hint = f"{len(names):,} are known"
            if len(names) <= _MOST_GRAPHS:
                hint = did_you_mean(graph, names)
            raise DataError(f"there is no graph {graph}: {hint}")


def require_known(
    conditions: Iterable[Condition], ontology: Ontology, inference: Inference
) -> None:
    """Refuses a property or class that neither the ontology nor any statement has."""
    for pattern in patterns_of(conditions):
        predicate, object_ = pattern.predicate, pattern.object
        if isinstance(predicate, Name) and not _is_property(predicate, ontology, inference):
            hint = did_you_mean(predicate.text, (name.text for name in ontology.properties))
            raise DataError(f"there is no property {predicate.text}: {hint}", file="query")
        if (
            predicate == TYPE
            and isinstance(object_, Name)
            and not _is_class(object_, ontology, inference)
        ):
            hint = did_you_mean(object_.text, (name.text for name in ontology.classes))
            raise DataError(f"there is no class {object_.text}: {hint}", file="query")


def _is_property(name: Name, ontology: Ontology, inference: Inference) -> bool:
    return name in ontology.properties or name.text in SHORT or name.text in inference.store.tables


def _is_class(name: Name, ontology: Ontology, inference: Inference) -> bool:
    """Whether it is a class of the ontology or of any entity."""
    if name == THING or name in ontology.classes:
        return True
    store = inference.store
    rows = store.run(
        f"SELECT 1 FROM {store.table(TYPE.text)} JOIN names ON names.id = o "
        "WHERE names.text = ? LIMIT 1",
        [name.text],
    )
    return bool(rows)
