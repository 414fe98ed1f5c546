"""SPARQL 1.1 SELECT, ASK and CONSTRUCT over everything inferred: read-only, in a limited process.

pyoxigraph evaluates the query in a process of its own, which is ended when its time is up. SERVICE
is refused and updates do not parse as queries. Each graph is a named graph, and the default graph
holds every statement once; FROM and FROM NAMED choose among the graphs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError, did_you_mean
from readmark.reasoning.engine.inference import Inference
from readmark.reasoning.graphs import Statement
from readmark.reasoning.namespaces import Namespaces, document_iri
from readmark.reasoning.rdf import Reader
from readmark.reasoning.rdf_terms import node_of
from readmark.reasoning.terms import Literal, Name

SECONDS = 30.0
MOST = 1_000_000

_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*"""|\'\'\'(?:[^'\\]|\\.|'(?!''))*\'\'\''''
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'"""
    r"""|<[^<>"{}|^`\\\s]*>|\#[^\n]*|[?$]\w+|[\w.-]*:[\w.:%\\-]*|@[\w-]+|(?P<word>[A-Za-z]+)""",
    re.DOTALL,
)
_PLACE = re.compile(r"error at (\d+):(\d+): ")
_LONGEST = 200
_LISTED = 5
_FORMS = ("SELECT", "ASK", "CONSTRUCT")
_REFUSED = {
    "SERVICE": "asks another server",
    "DESCRIBE": "is no SELECT, ASK or CONSTRUCT",
    **dict.fromkeys(
        ("LOAD", "INSERT", "DELETE", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD"),
        "changes data",
    ),
}


@dataclass(frozen=True, slots=True)
class Result:
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
    most: int = MOST,
) -> Result:
    """Runs a query over the asserted and derived statements of every graph, or of those named."""
    check_query(query)
    wanted = None if graphs is None else set(graphs)
    names = namespaces or Namespaces()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "statements.nq")
        known = _dump(inference, names, data, wanted)
        _require_known(query, known)
        task = {"data": str(data), "query": _prefixed(query, names), "most": most}
        reply = _ask(task, seconds)
    return _result(reply, names)


def check_query(query: str) -> None:
    """Refuses what is no reading of this data; the words are sought outside strings and names."""
    words = [found["word"].upper() for found in _TOKEN.finditer(query) if found["word"]]
    for word in words:
        if word in _REFUSED:
            raise DataError(f"{word} is not allowed in a query: it {_REFUSED[word]}")
    if not any(word in _FORMS for word in words):
        raise DataError("expected a SELECT, ASK or CONSTRUCT query")


def work() -> None:
    """The other process: reads the task, evaluates, writes one JSON document."""
    import pyoxigraph

    task = json.load(sys.stdin)
    store: Any = pyoxigraph.Store()
    with Path(task["data"]).open("rb") as data:
        store.bulk_load(input=data, format=pyoxigraph.RdfFormat.N_QUADS)
    reply: dict[str, Any]
    try:
        found: Any = store.query(task["query"])
        kind = type(found).__name__
        if kind == "QueryBoolean":
            reply = {"truth": bool(found)}
        elif kind == "QuerySolutions":
            variables = [one.value for one in found.variables]
            rows = []
            for solution in found:
                rows.append([_text(solution[one]) for one in variables])
                if len(rows) > task["most"]:
                    break
            reply = {"variables": variables, "rows": rows}
        else:
            triples = []
            for one in found:
                triples.append([_text(one.subject), _text(one.predicate), _text(one.object)])
                if len(triples) > task["most"]:
                    break
            reply = {"triples": triples}
    except (SyntaxError, ValueError, OSError, RuntimeError) as wrong:
        reply = {"wrong": str(wrong)}
    json.dump(reply, sys.stdout)


def _text(term: Any) -> list[str] | None:
    if term is None:
        return None
    kind = type(term).__name__
    if kind != "Literal":
        return [kind, term.value, "", ""]
    return [kind, term.value, term.datatype.value, term.language or ""]


def _ask(task: Mapping[str, object], seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-c", "from readmark.reasoning.sparql import work; work()"]
    try:
        done = subprocess.run(
            command, input=json.dumps(task), capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise DataError(f"the query took more than {seconds:g} s and was stopped") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise DataError(f"the query failed: {last}")
    reply: dict[str, Any] = json.loads(done.stdout)
    if "wrong" in reply:
        raise _cannot(str(reply["wrong"]))
    if len(reply.get("rows", reply.get("triples", ()))) > int(str(task["most"])):
        raise DataError(f"the query has more than {task['most']:,} results")
    return reply


def _cannot(message: str) -> DataError:
    """The fault with its place in the query, which starts on the line after the prefixes."""
    found = _PLACE.match(message)
    where = f"{int(found[1]) - 1}:{found[2]}" if found else None
    said = message[found.end() :] if found else message
    short = said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
    return DataError(f"the query cannot be run: {short}", file="query", where=where)


def _result(reply: Mapping[str, Any], namespaces: Namespaces) -> Result:
    import pyoxigraph

    reader = Reader(namespaces, "the query's result")

    def term(told: list[str]) -> Name | Literal:
        kind, value, datatype, language = told
        if kind == "NamedNode":
            return reader.term(pyoxigraph.NamedNode(value))
        if kind == "BlankNode":
            return reader.term(pyoxigraph.BlankNode(value))
        if language:
            return reader.term(pyoxigraph.Literal(value, language=language))
        return reader.term(pyoxigraph.Literal(value, datatype=pyoxigraph.NamedNode(datatype)))

    if "truth" in reply:
        return Result(truth=reply["truth"])
    if "triples" in reply:
        statements = []
        for subject, predicate, object_ in reply["triples"]:
            first, second = term(subject), term(predicate)
            if isinstance(first, Name) and isinstance(second, Name):
                statements.append(Statement(first, second, term(object_)))
        return Result(statements=tuple(sorted(statements, key=repr)))
    variables = tuple(reply["variables"])
    rows = tuple(
        {name: term(told) for name, told in zip(variables, row, strict=True) if told is not None}
        for row in reply["rows"]
    )
    return Result(variables, rows)


def _prefixed(query: str, namespaces: Namespaces) -> str:
    """The query after the known prefixes, so that it may use them undeclared."""
    known = {**namespaces.known, "": namespaces.default}
    return " ".join(f"PREFIX {name}: <{iri}>" for name, iri in known.items()) + "\n" + query


def _require_known(query: str, known: Collection[str]) -> None:
    """Refuses a FROM with the full IRI of a graph that is not there; nothing is fetched for it."""
    tokens = [(found[0], found["word"]) for found in _TOKEN.finditer(query)]
    words = [text.upper() if word else text for text, word in tokens if not text.startswith("#")]
    merged = 0
    for at, word in enumerate(words):
        if word != "FROM":
            continue
        named = words[at + 1 : at + 2] == ["NAMED"]
        merged += not named
        if merged > 1:  # The evaluator would count what graphs share more than once.
            said = "only one FROM is taken; --graph chooses several graphs"
            raise DataError(said, file="query")
        for iri in words[at + 1 + named : at + 2 + named]:
            if iri.startswith("<") and ":" in iri and iri[1:-1] not in known:
                hint = did_you_mean(iri[1:-1], sorted(known)[:_LISTED])
                raise DataError(f"FROM names {iri}, which is no graph here: {hint}", file="query")


def _dump(
    inference: Inference, namespaces: Namespaces, file: Path, wanted: Collection[str] | None
) -> set[str]:
    """Writes every statement into its graph and into the default one; gives the graphs' IRIs."""
    import pyoxigraph

    places: dict[str, Any] = {}
    quad: Any = pyoxigraph.Quad

    def quads() -> Iterator[Any]:
        for one in inference.statements():
            if wanted is not None and one.graph not in wanted:
                continue
            told = one.statement
            terms: list[Any] = [
                node_of(part, namespaces) for part in (told.subject, told.predicate, told.object)
            ]
            place = places.get(one.graph)
            if place is None:
                place = places[one.graph] = pyoxigraph.NamedNode(document_iri(one.graph))
            for graph in (place, pyoxigraph.DefaultGraph()):
                yield quad(*terms, graph)

    with file.open("wb") as sink:
        pyoxigraph.serialize(quads(), sink, format=pyoxigraph.RdfFormat.N_QUADS)
    return {place.value for place in places.values()}
