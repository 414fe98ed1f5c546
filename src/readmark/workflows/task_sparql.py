"""SPARQL over the ground of a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from readmark.reasoning.graphs import write_triple
from readmark.reasoning.queries import require_graphs
from readmark.reasoning.sparql import Result, sparql
from readmark.workflows.task_answers import bindings_json
from readmark.workflows.task_inference import Ground


def run(
    ground: Ground,
    query: str,
    *,
    graphs: Sequence[str] | None = None,
    seconds: float,
    memory: int | None = None,
) -> Result:
    """Runs a read-only query over everything stated and inferred, or over some graphs."""
    require_graphs(ground.inference, graphs or (), ground.documents)
    return sparql(
        ground.inference,
        query,
        namespaces=ground.namespaces,
        graphs=graphs or None,
        seconds=seconds,
        memory=memory,
    )


def result_json(result: Result) -> dict[str, Any]:
    """Rows, a truth value or statements."""
    if result.truth is not None:
        return {"truth": result.truth}
    if result.variables:
        rows = [bindings_json(row) for row in result.rows]
        return {"variables": list(result.variables), "rows": rows}
    return {"statements": [write_triple(one) for one in result.statements]}
