"""Names of a query that nothing knows, which would only ever give no answers."""

from __future__ import annotations

from collections.abc import Iterable

from readmark.corpus.errors import DataError, did_you_mean
from readmark.reasoning.engine.inference import Inference
from readmark.reasoning.namespaces import SHORT
from readmark.reasoning.ontology import THING, TYPE, Ontology
from readmark.reasoning.rules.values import Condition, patterns_of
from readmark.reasoning.terms import Name


def require_known(
    conditions: Iterable[Condition], ontology: Ontology, inference: Inference
) -> None:
    """Refuses a property or class that neither the ontology nor any statement has."""
    for pattern in patterns_of(conditions):
        predicate = pattern.predicate
        if isinstance(predicate, Name) and not _is_property(predicate, ontology, inference):
            hint = did_you_mean(predicate.text, (one.text for one in ontology.properties))
            raise DataError(f"there is no property {predicate.text}: {hint}", file="query")
        wanted = pattern.object
        if (
            predicate == TYPE
            and isinstance(wanted, Name)
            and wanted != THING
            and wanted not in ontology.classes
            and not _is_used(wanted, inference)
        ):
            hint = did_you_mean(wanted.text, (one.text for one in ontology.classes))
            raise DataError(f"there is no class {wanted.text}: {hint}", file="query")


def _is_property(name: Name, ontology: Ontology, inference: Inference) -> bool:
    return name in ontology.properties or name.text in SHORT or name.text in inference.store.tables


def _is_used(wanted: Name, inference: Inference) -> bool:
    store = inference.store
    return bool(
        store.run(
            f"SELECT 1 FROM {store.table(TYPE.text)} JOIN names ON names.id = o "
            "WHERE names.text = ? LIMIT 1",
            [wanted.text],
        )
    )
