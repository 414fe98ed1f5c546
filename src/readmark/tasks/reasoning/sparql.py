"""SPARQL 1.1 queries over everything inferred: read-only, in a limited process without a network.

pyoxigraph evaluates the query in a process of its own, which has been cut off from files and
networks by then and is ended when its time or memory is used up. So SERVICE reaches no server,
however it is spelt, and updates do not parse as queries. Each graph is a named graph, and the
default graph has every statement once; FROM and FROM NAMED choose among the graphs.
"""

from __future__ import annotations

import itertools
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.confinement import Late, ProcessFailed, run_confined
from readmark.core.errors import DataError, did_you_mean
from readmark.core.extras import require
from readmark.core.no_network import cut_off
from readmark.tasks.names import document_iri
from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rdf import Reader
from readmark.tasks.reasoning.rdf_terms import node_of
from readmark.tasks.reasoning.terms import Literal, Name

if TYPE_CHECKING:
    from readmark.tasks.reasoning.engine.inference import Inference
    from readmark.tasks.reasoning.ontology import Ontology


SECONDS = 30.0
MOST = 1_000_000

_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^'\\]|\\.|'(?!''))*\'\'\''''
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
    r"""|<[^<>"{}|^`\\\s]*>|\#[^\n\r]*|[?$]\w+|[\w.-]*:[\w.:%\\-]*|@[\w-]+|(?P<word>[A-Za-z]+)""",
    re.DOTALL,
)
_PLACE = re.compile(r"error at (\d+):(\d+): ")
_LONGEST = 200  # characters of the evaluator's message, which may quote the whole query
_MOST_HINTS = 5
_REMOTE = "the query asks another server (SERVICE), and it cannot reach any"
_UPDATE = "data are only read: expected a SELECT, ASK, CONSTRUCT or DESCRIBE query"


@dataclass(frozen=True, slots=True)
class SparqlRows:
    """What a query gave: rows of bindings, a truth value, or statements."""

    variables: tuple[str, ...] = ()
    rows: tuple[Mapping[str, Name | Literal], ...] = ()
    truth: bool | None = None
    statements: tuple[Statement, ...] = ()


def sparql(
    inference: Inference,
    query: str,
    *,
    namespaces: Namespaces | None = None,
    graphs: Iterable[str] | None = None,
    seconds: float = SECONDS,
    memory: int | None = None,
    most: int = MOST,
) -> SparqlRows:
    """Runs a query over the asserted and derived statements of every graph, or of those named.

    ``memory`` is a limit in bytes; more than ``most`` results are a DataError.
    """
    chosen = None if graphs is None else set(graphs)
    names = namespaces or Namespaces()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "statements.nq")
        graph_iris = _write_statements(inference, names, data, chosen)
        _require_known_graphs(query, graph_iris)
        prefixes = {**names.known, "": names.default}
        task = {"data": str(data), "query": query, "prefixes": prefixes, "most": most}
        reply = _run(task, seconds, memory)
    return _result(reply, names)


def work(task: Mapping[str, Any]) -> dict[str, Any]:
    """The other process: evaluates the query, cut off from everything but the data it has read."""
    require("pyoxigraph")
    import pyoxigraph

    store: Any = pyoxigraph.Store()
    with Path(task["data"]).open("rb") as data:
        store.bulk_load(input=data, format=pyoxigraph.RdfFormat.N_QUADS)
    cut_off()
    try:
        results = store.query(task["query"], prefixes=task["prefixes"])
        return _reply(results, task["most"])
    except OSError:  # The data are in memory: nothing but a connection can fail like this.
        return {"remote": True}
    except SyntaxError as wrong:
        return {"update": True} if _is_update(task) else {"wrong": str(wrong)}
    except (ValueError, RuntimeError) as wrong:
        return {"wrong": str(wrong)}


def _reply(results: Any, most: int) -> dict[str, Any]:
    """What goes back to the first process: at most one result more than are wanted."""
    kind = type(results).__name__
    if kind == "QueryBoolean":
        return {"truth": bool(results)}
    if kind == "QuerySolutions":
        variables = [variable.value for variable in results.variables]
        solutions = itertools.islice(results, most + 1)
        rows = [[_parts(solution[name]) for name in variables] for solution in solutions]
        return {"variables": variables, "rows": rows}
    triples = itertools.islice(results, most + 1)
    return {"triples": [[_parts(term) for term in triple] for triple in triples]}


def _is_update(task: Mapping[str, Any]) -> bool:
    """Whether this is well formed, but changes data; tried on no data, without a network."""
    require("pyoxigraph")
    import pyoxigraph

    try:
        pyoxigraph.Store().update(task["query"], prefixes=task["prefixes"])
    except SyntaxError:
        return False
    except (OSError, ValueError, RuntimeError):
        return True
    return True


def _parts(term: Any) -> list[str] | None:
    """Kind, text, datatype and language of a term."""
    if term is None:
        return None
    kind = type(term).__name__
    if kind != "Literal":
        return [kind, term.value, "", ""]
    return [kind, term.value, term.datatype.value, term.language or ""]


def _run(task: Mapping[str, Any], seconds: float, memory: int | None) -> dict[str, Any]:
    try:
        reply: dict[str, Any] = run_confined(work, task, seconds=seconds, memory=memory)
    except Late:
        raise DataError(f"the query took more than {seconds:g} s and was stopped") from None
    except ProcessFailed as wrong:
        # Without certificates, which are files, the evaluator's HTTPS client ends the process.
        if "oxhttp" in wrong.errors:
            raise DataError(_REMOTE, file="query") from None
        raise
    if "remote" in reply:
        raise DataError(_REMOTE, file="query")
    if "update" in reply:
        raise DataError(_UPDATE, file="query")
    if "wrong" in reply:
        raise _fault(str(reply["wrong"]))
    if len(reply.get("rows", reply.get("triples", ()))) > task["most"]:
        raise DataError(f"the query has more than {task['most']:,} results")
    return reply


def _fault(message: str) -> DataError:
    """An error with the place that the evaluator's message names."""
    match = _PLACE.match(message)
    where = f"{match[1]}:{match[2]}" if match else None
    if match:
        message = message[match.end() :]
    short = message if len(message) <= _LONGEST else message[: _LONGEST - 1] + "…"
    return DataError(f"the query cannot be run: {short}", file="query", where=where)


def _result(reply: Mapping[str, Any], namespaces: Namespaces) -> SparqlRows:
    require("pyoxigraph")
    import pyoxigraph

    reader = Reader(namespaces, "the query's result")

    def term(parts: list[str]) -> Name | Literal:
        kind, value, datatype, language = parts
        if kind == "NamedNode":
            return reader.term(pyoxigraph.NamedNode(value))
        if kind == "BlankNode":
            return reader.term(pyoxigraph.BlankNode(value))
        if language:
            return reader.term(pyoxigraph.Literal(value, language=language))
        return reader.term(pyoxigraph.Literal(value, datatype=pyoxigraph.NamedNode(datatype)))

    if "truth" in reply:
        return SparqlRows(truth=reply["truth"])
    if "triples" in reply:
        statements = []
        for subject, predicate, object_ in reply["triples"]:
            first, second = term(subject), term(predicate)
            if isinstance(first, Name) and isinstance(second, Name):
                statements.append(Statement(first, second, term(object_)))
        return SparqlRows(statements=tuple(sorted(statements, key=repr)))
    variables = tuple(reply["variables"])
    rows = tuple(
        {name: term(parts) for name, parts in zip(variables, row, strict=True) if parts is not None}
        for row in reply["rows"]
    )
    return SparqlRows(variables, rows)


def _require_known_graphs(query: str, graph_iris: Collection[str]) -> None:
    """Refuses a FROM with the full IRI of a graph that is not there; nothing is fetched for it."""
    matches = (match for match in _TOKEN.finditer(query) if not match[0].startswith("#"))
    tokens = [match[0].upper() if match["word"] else match[0] for match in matches]
    merged = 0
    for index, token in enumerate(tokens):
        if token != "FROM":
            continue
        is_named = tokens[index + 1 : index + 2] == ["NAMED"]
        merged += not is_named
        if merged > 1:  # The evaluator would count what graphs share more than once.
            message = "only one FROM is taken; --graph chooses several graphs"
            raise DataError(message, file="query")
        for iri in tokens[index + 1 + is_named : index + 2 + is_named]:
            if iri.startswith("<") and ":" in iri and iri[1:-1] not in graph_iris:
                hint = did_you_mean(iri[1:-1], sorted(graph_iris)[:_MOST_HINTS])
                raise DataError(f"FROM names {iri}, which is no graph here: {hint}", file="query")


def unknown_names(
    query: str, inference: Inference, namespaces: Namespaces, ontology: Ontology | None
) -> Iterator[str]:
    """Names of the ontology's own namespace that nothing has, each with the nearest that is there.

    A misspelt property would only give an empty result. Prefixes that the query declares itself
    are left alone.
    """
    if ontology is None:
        return
    tokens = [match[0] for match in _TOKEN.finditer(query) if not match["word"]]
    # What stands before an IRI may be a PREFIX declaration; taking it for one does no harm.
    declared = {before for before, token in pairwise(tokens) if token.startswith("<")}
    known = {name.text for name in (*ontology.classes, *ontology.properties)}
    stored = {text for (text,) in inference.store.run("SELECT text FROM names")}
    for token in dict.fromkeys(tokens):
        prefix, colon, local = token.partition(":")
        if not colon or not local or token.startswith(("<", '"', "'", "@", "_:")):
            continue
        if f"{prefix}:" in declared or (prefix and prefix not in namespaces.prefixes):
            continue
        name = namespaces.canonical(Name(token if prefix else local)).text
        if name not in known and name not in stored:
            hint = did_you_mean(name, known)
            yield f"nothing in the ontology or the statements is called {token}: {hint}"


def _write_statements(
    inference: Inference, namespaces: Namespaces, file: Path, chosen: Collection[str] | None
) -> set[str]:
    """Writes every statement into its graph and into the default one; gives the graphs' IRIs."""
    require("pyoxigraph")
    import pyoxigraph

    graph_nodes: dict[str, Any] = {}
    quad: Any = pyoxigraph.Quad

    def quads() -> Iterator[Any]:
        for derived in inference.statements():
            if chosen is not None and derived.graph not in chosen:
                continue
            statement = derived.statement
            terms: list[Any] = [
                node_of(part, namespaces)
                for part in (statement.subject, statement.predicate, statement.object)
            ]
            if derived.graph not in graph_nodes:
                iri = document_iri(derived.graph)
                graph_nodes[derived.graph] = pyoxigraph.NamedNode(iri)
            for graph in (graph_nodes[derived.graph], pyoxigraph.DefaultGraph()):
                yield quad(*terms, graph)

    with file.open("wb") as sink:
        pyoxigraph.serialize(quads(), sink, format=pyoxigraph.RdfFormat.N_QUADS)
    return {node.value for node in graph_nodes.values()}
