"""Input statements into the tables of a store: terms are coded once, and tables filled at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from readmark.core.confinement import OutOfMemory
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.engine.codes import LITERALS, inline_code
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.graphs import PARTS, Asserted, Statement, Support
from readmark.tasks.reasoning.terms import Literal, Name

TABLES = "the table of statements"
"""What memory was too small for, in words."""
Supports = dict[tuple[str, Statement], tuple[Asserted, ...]]
"""By graph and statement, the inputs that have text behind them or an annotator."""

_FIRST_PLACE = LITERALS + 2  # after the codes of names and of literals that have their own


def load(store: Store, asserted: Iterable[Asserted]) -> Supports:
    """Fills the tables; gives back what the tables do not hold: excerpts and annotators."""
    require("duckdb")
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
    literals: dict[Literal, int] = {}
    supports: dict[tuple[str, Statement], list[Asserted]] = {}
    columns: tuple[list[int], ...] = ([], [], [], [])
    chances: list[float] = []
    # Millions of statements may come: their columns are lists of numbers until all are there.
    add_g, add_p, add_s, add_o = (column.append for column in columns)
    for each in asserted:
        statement = each.statement
        add_g(graphs.setdefault(each.graph, len(graphs)))
        add_p(names.setdefault(statement.predicate.text, len(names)))
        add_s(names.setdefault(statement.subject.text, len(names)))
        value = statement.object
        if isinstance(value, Name):
            add_o(names.setdefault(value.text, len(names)))
        else:
            code = inline_code(value)
            if code is None:  # Its place among those that are looked up; its code comes below.
                code = _FIRST_PLACE + literals.setdefault(value, len(literals))
            add_o(code)
        chances.append(each.probability)
        if not 0 < each.probability <= 1:
            raise DataError(f"a probability is above 0 and at most 1, not {each.probability}")
        if each.support or each.annotator is not None:
            supports.setdefault((each.graph, statement), []).append(each)
    _keep_texts(store, "names", list(names))
    store.next_name = len(names)
    _keep_texts(store, "graphs", list(graphs))
    arrays = {
        name: np.array(column, dtype=np.int64) for name, column in zip("gpso", columns, strict=True)
    }
    if literals:
        codes = np.array(store.add_literals(list(literals)), dtype=np.int64)
        objects = arrays["o"]
        is_place = objects >= _FIRST_PLACE
        objects[is_place] = codes[objects[is_place] - _FIRST_PLACE]
    texts = list(names)
    for code in np.unique(arrays["p"]).tolist():
        rows = arrays["p"] == code
        _fill(store, texts[code], {name: arrays[name][rows] for name in "gso"})
    if min(chances, default=1) < 1:
        store.connection.register("batch", {**arrays, "c": np.array(chances)})
        # What anybody is certain of is certain.
        store.run(
            "INSERT INTO chances SELECT g, p, s, o, max(c) FROM batch "
            "GROUP BY g, p, s, o HAVING max(c) < 1"
        )
        store.connection.unregister("batch")
    return {key: tuple(rows) for key, rows in supports.items()}


def support_of(asserted: Iterable[Asserted]) -> Support:
    """The excerpts of every annotation of one statement together, each once."""
    supports = [each.support for each in asserted]
    parts = {
        part: tuple(dict.fromkeys(e for support in supports for e in getattr(support, part)))
        for part in PARTS
    }
    return Support(**parts)


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
