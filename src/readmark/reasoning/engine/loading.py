"""Input statements into the tables: coded once, a set a property."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from readmark.corpus.confinement import OutOfMemory
from readmark.corpus.errors import DataError
from readmark.reasoning.engine.encoding import LITERALS, inline_code
from readmark.reasoning.engine.store import Store
from readmark.reasoning.graphs import Asserted, Statement, Support
from readmark.reasoning.terms import Literal, Name

TABLES = "the table of statements"
Supports = dict[tuple[str, Statement], tuple[Asserted, ...]]
"""The input statements that have text behind them or are not certain."""


def load(store: Store, asserted: Iterable[Asserted]) -> Supports:
    """Fills the tables; gives back what the tables do not hold: excerpts and annotators."""
    import duckdb

    try:
        return _load(store, asserted)
    except duckdb.InvalidInputException as wrong:
        raise DataError(f"a term cannot be kept: {str(wrong).splitlines()[0]}") from None
    except OutOfMemory:
        raise OutOfMemory(store.memory, TABLES) from None


def _load(store: Store, asserted: Iterable[Asserted]) -> Supports:
    names: dict[str, int] = {}
    graphs: dict[str, int] = {}
    others: dict[Literal, int] = {}
    supports: dict[tuple[str, Statement], list[Asserted]] = {}
    columns: tuple[list[int], ...] = ([], [], [], [])
    chances: list[float] = []
    uncertain = False
    add_g, add_p, add_s, add_o = (column.append for column in columns)
    for one in asserted:
        statement = one.statement
        add_g(graphs.setdefault(one.graph, len(graphs)))
        add_p(names.setdefault(statement.predicate.text, len(names)))
        add_s(names.setdefault(statement.subject.text, len(names)))
        value = statement.object
        if isinstance(value, Name):
            add_o(names.setdefault(value.text, len(names)))
        else:
            code = inline_code(value)
            add_o(LITERALS + 2 + others.setdefault(value, len(others)) if code is None else code)
        chances.append(one.probability)
        if one.probability != 1.0:
            if not 0 < one.probability <= 1:
                raise DataError(f"a probability is above 0 and at most 1, not {one.probability}")
            uncertain = True
        if one.support or one.annotator is not None:
            supports.setdefault((one.graph, statement), []).append(one)
    _keep_texts(store, "names", list(names))
    store.next_name = len(names)
    _keep_texts(store, "graphs", list(graphs))
    arrays = {
        name: np.array(column, dtype=np.int64) for name, column in zip("gpso", columns, strict=True)
    }
    if others:
        codes = np.array(store.add_literals(list(others)), dtype=np.int64)
        o = arrays["o"]
        placed = o >= LITERALS + 2
        o[placed] = codes[o[placed] - (LITERALS + 2)]
    texts = list(names)
    for code in np.unique(arrays["p"]).tolist():
        rows = arrays["p"] == code
        _fill(store, texts[code], {name: arrays[name][rows] for name in "gso"})
    if uncertain:
        batch = {**arrays, "c": np.array(chances)}
        store.connection.register("batch", batch)
        store.run(  # What anybody is certain of is certain.
            "INSERT INTO chances SELECT g, p, s, o, max(c) FROM batch "
            "GROUP BY g, p, s, o HAVING max(c) < 1"
        )
        store.connection.unregister("batch")
    return {key: tuple(rows) for key, rows in supports.items()}


def support_of(found: tuple[Asserted, ...]) -> Support:
    """The excerpts of every annotation of one statement together."""
    parts = ("statement", "subject", "predicate", "object")
    return Support(
        *(
            tuple(dict.fromkeys(e for one in found for e in getattr(one.support, part)))
            for part in parts
        )
    )


def _fill(store: Store, predicate: str, batch: dict[str, np.ndarray]) -> None:
    table = store.table(predicate)
    store.connection.register("batch", batch)
    store.run(f"INSERT INTO {table} SELECT DISTINCT g, s, o, 0, false FROM batch")
    store.connection.unregister("batch")


def _keep_texts(store: Store, table: str, texts: list[str]) -> None:
    batch = {"id": np.arange(len(texts)), "text": np.array(texts, dtype=object)}
    store.connection.register("batch", batch)
    store.run(f"INSERT INTO {table} SELECT id, text FROM batch")
    store.connection.unregister("batch")
