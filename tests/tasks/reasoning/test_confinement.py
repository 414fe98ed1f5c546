"""What is off, each thing tried: networks in SPARQL and RDF; files, networks, settings in DuckDB.

The server on loopback counts every connection; each hostile query first reaches it where nothing
is confined, so that a spelling which means nothing cannot pass for one that is refused.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyoxigraph
import pytest

from readmark.core.confinement import OFF, OutOfMemory, connect, run_confined
from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.rdf import parse
from readmark.tasks.reasoning.sparql import sparql
from readmark.tasks.reasoning.terms import written
from reasoning_files import inferred


class Listener:
    """A port on loopback that closes every connection and counts them."""

    def __init__(self) -> None:
        self.count = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                self.count += 1
                connection.close()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join()


@pytest.fixture
def listener() -> Iterator[Listener]:
    server = Listener()
    yield server
    server.close()


FEDERATED = {
    "plain": "SELECT * { SERVICE <URL/x> { ?s ?p ?o } }",
    "a prefixed name without a space": "PREFIX : <URL/> SELECT * { SERVICE:e2e { ?s ?p ?o } }",
    "a named prefix": "PREFIX here: <URL/> SELECT * { SERVICE here:a { ?s ?p ?o } }",
    "a relative IRI": "BASE <URL/> SELECT * { SERVICE <x> { ?s ?p ?o } }",
    "a comment that ends at a carriage return": "SELECT * { # x\rSERVICE <URL/x> { ?s ?p ?o } }",
    "mixed case": "select * { sErViCe <URL/x> { ?s ?p ?o } }",
    "no spaces": "ASK{SERVICE<URL/x>{?s ?p ?o}}",
    "escapes in the IRI": r"SELECT * { SERVICE <URL/\u0078> { ?s ?p ?o } }",
    "silent": "SELECT * { SERVICE SILENT <URL/x> { ?s ?p ?o } }",
    "a subquery": "SELECT * { { SELECT * { { SERVICE <URL/x> { ?s ?p ?o } } } } }",
    "an optional part": "SELECT * { ?x <urn:at> ?v OPTIONAL { SERVICE <URL/x> { ?s ?p ?o } } }",
    "a union": "SELECT * { { ?s ?p ?o } UNION { SERVICE <URL/x> { ?s ?p ?o } } }",
    "a filter": "SELECT * { ?x ?y ?z FILTER EXISTS { SERVICE <URL/x> { ?s ?p ?o } } }",
    "a negation": "SELECT * { ?x ?y ?z MINUS { SERVICE <URL/x> { ?x ?y ?z } } }",
    "a named graph": "SELECT * { GRAPH ?g { ?x ?y ?z SERVICE <URL/x> { ?s ?p ?o } } }",
    "a path": "SELECT * { SERVICE <URL/x> { ?s (<urn:a>|^<urn:b>)+ ?o } }",
    "a construction": "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <URL/x> { ?s ?p ?o } }",
    "a description": "DESCRIBE ?s { SERVICE <URL/x> { ?s ?p ?o } }",
    "a name": "SELECT * { SERVICE <NAMED/x> { ?s ?p ?o } }",
    "encrypted": "SELECT * { SERVICE <ENCRYPTED/x> { ?s ?p ?o } }",
}
"""Queries that ask another server, in every spelling that the evaluator knows."""
SILENT = ("silent", "a filter", "a negation")
"""Where a failure is no error: by the query's own word, or because what fails is false."""


def _addressed(query: str, url: str) -> str:
    named, encrypted = url.replace("127.0.0.1", "localhost"), url.replace("http:", "https:")
    return query.replace("URL", url).replace("NAMED", named).replace("ENCRYPTED", encrypted)


@pytest.mark.parametrize("spelling", FEDERATED)
def test_no_query_reaches_a_server(spelling: str, listener: Listener) -> None:
    query = _addressed(FEDERATED[spelling], listener.url)
    store: Any = pyoxigraph.Store()
    node: Any = pyoxigraph.NamedNode
    for graph in (pyoxigraph.DefaultGraph(), node("urn:g")):
        store.add(pyoxigraph.Quad(node("urn:x"), node("urn:at"), node(f"{listener.url}/x"), graph))
    with contextlib.suppress(OSError):
        list(store.query(query)) if "ASK" not in query else bool(store.query(query))
    assert listener.count > 0, "not confined, the query asks the server"
    listener.count = 0
    with inferred("", f"((<urn:x> <urn:at> <{listener.url}/x>))") as inference:
        if spelling in SILENT:
            sparql(inference, query)
        else:
            with pytest.raises(DataError, match=r"^query: the query asks another server"):
                sparql(inference, query)
    assert listener.count == 0


@pytest.mark.parametrize(
    "query",
    [
        "LOAD <URL/x>",
        "LOAD SILENT <URL/x>",
        "LOAD <URL/x> INTO GRAPH <urn:g>",
        "CLEAR ALL; LOAD <URL/>",
    ],
)
def test_no_update_reaches_a_server(query: str, listener: Listener) -> None:
    with_url = query.replace("URL", listener.url)
    with contextlib.suppress(OSError):
        pyoxigraph.Store().update(with_url)
    assert listener.count > 0
    listener.count = 0
    with inferred("", "((a p b))") as inference, pytest.raises(DataError, match="only read"):
        sparql(inference, with_url)
    assert listener.count == 0


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM <URL/x> { ?s ?p ?o }",
        "SELECT * FROM\rNAMED<URL/x> { GRAPH ?g { ?s ?p ?o } }",
        "PREFIX : <URL/> SELECT * FROM:x { ?s ?p ?o }",
        "SELECT * { GRAPH <URL/x> { ?s ?p ?o } }",
        "SELECT * { VALUES ?v { <URL/x> } SERVICE ?v { ?s ?p ?o } }",
        "SELECT * { ?s <URL/property>+ ?o }",
        "SELECT (<URL/function>(1) AS ?x) {} HAVING(false)",
    ],
)
def test_other_addresses_are_only_names(query: str, listener: Listener) -> None:
    with inferred("", "((a p b))") as inference, contextlib.suppress(DataError):
        assert sparql(inference, query.replace("URL", listener.url)).rows == ()
    assert listener.count == 0


RDF = {
    "x.ttl": "<urn:o> a owl:Ontology ; owl:imports <URL/imported> .",
    "dtd.rdf": '<!DOCTYPE rdf:RDF SYSTEM "URL/dtd"><rdf:RDF xmlns:rdf="RDF#"/>',
    "entity.rdf": '<!DOCTYPE x [<!ENTITY e SYSTEM "URL">]><rdf:RDF xmlns:rdf="RDF#">&e;</rdf:RDF>',
    "parameter.rdf": '<!DOCTYPE x [<!ENTITY % e SYSTEM "URL/e"> %e;]><rdf:RDF xmlns:rdf="RDF#"/>',
    "base.rdf": '<rdf:RDF xmlns:rdf="RDF#" xml:base="URL/"><rdf:Bag rdf:about="x"/></rdf:RDF>',
    "style.xml": '<?xml-stylesheet href="URL/x"?><rdf:RDF xmlns:rdf="RDF#"/>',
    "x.trig": "@base <URL/> . <g> { <a> <b> <c> }",
}


@pytest.mark.parametrize("file", RDF)
def test_no_rdf_reaches_a_server(file: str, listener: Listener) -> None:
    text = RDF[file].replace("RDF#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
    data = text.replace("URL", listener.url)
    if file.endswith(".ttl"):
        data = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n" + data
    for read in (parse, read_ontology):
        with contextlib.suppress(DataError):
            read(data.encode(), file=file)
    assert listener.count == 0


def test_a_query_that_needs_too_much_memory() -> None:
    with inferred("", "(" + "".join(f"(a{n} p b{n})" for n in range(400)) + ")") as inference:
        query = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a ?d ?g"
        with pytest.raises(
            DataError, match=r"^the query needs more memory than the limit of 0\.3 GiB$"
        ):
            sparql(inference, query, memory=300 << 20)


def test_modules_of_the_current_folder_do_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyoxigraph.py").write_text("raise SystemExit('ran')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with inferred("", "((a p 1))") as inference:
        assert written(sparql(inference, "SELECT ?v { ?s ?p ?v }").rows[0]["v"]) == "1"


FORBIDDEN = {
    "reading text": "FROM read_text('{outside}')",
    "reading bytes": "FROM read_blob('{outside}')",
    "reading CSV": "FROM read_csv('{outside}')",
    "reading JSON": "FROM read_json('{outside}')",
    "reading Parquet": "FROM read_parquet('{outside}')",
    "a file as a table": "FROM '{outside}'",
    "detecting a dialect": "FROM sniff_csv('{outside}')",
    "listing files": "FROM glob('{folder}/*')",
    "out of its own folder": "FROM read_text('{store}/../outside.csv')",
    "a link in the given file's folder": "FROM read_text('{folder}/link.csv')",
    "copying in": "COPY names FROM '{outside}'",
    "copying out": "COPY (SELECT 1) TO '{folder}/written.csv'",
    "exporting": "EXPORT DATABASE '{folder}/exported'",
    "importing": "IMPORT DATABASE '{folder}'",
    "attaching": "ATTACH '{folder}/attached.duckdb' AS other",
    "attaching over a network": "ATTACH '{url}/x.duckdb' AS other",
    "reading over a network": "FROM read_csv('{url}/x.csv')",
    "a table over a network": "FROM '{url}/x.parquet'",
    "cloud storage": "FROM read_parquet('s3://bucket/x.parquet')",
    "installing": "INSTALL httpfs",
    "installing from a server": "INSTALL httpfs FROM '{url}'",
    "installing from the community": "INSTALL h3 FROM community",
    "loading": "LOAD httpfs",
    "loading a file": "LOAD '{outside}'",
    "stored secrets": "CREATE PERSISTENT SECRET s (TYPE http)",
    "Python's variables": "FROM visible",
    "access to files": "SET enable_external_access = true",
    "more paths": "SET allowed_paths = ['{outside}']",
    "more folders": "SET allowed_directories = ['{folder}']",
    "automatic installing": "SET autoinstall_known_extensions = true",
    "automatic loading": "SET autoload_known_extensions = true",
    "the lock": "SET lock_configuration = false",
    "the lock, reset": "RESET lock_configuration",
    "more memory": "SET memory_limit = '1TB'",
    "more disk": "SET max_temp_directory_size = '1TB'",
    "another folder": "SET temp_directory = '{folder}'",
    "profiles in files": "PRAGMA profiling_output = '{folder}/profile'",
    "logs in files": "CALL enable_logging(storage = 'file', storage_path = '{folder}/log')",
}
"""What a statement that ran in the rules' database could try."""


@pytest.mark.parametrize("attempt", FORBIDDEN)
def test_the_database_is_confined(attempt: str, tmp_path: Path, listener: Listener) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("secret\nkey\n", encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(outside)
    visible = {"column": np.arange(3)}
    given = tmp_path / "given.nq"
    given.write_text("", encoding="utf-8")
    store = Store(files=[given])
    try:
        before = sorted(tmp_path.iterdir())
        places = {
            "outside": outside,
            "folder": tmp_path,
            "store": store.folder,
            "url": listener.url,
        }
        with pytest.raises(duckdb.Error):
            store.connection.execute(FORBIDDEN[attempt].format(**places)).fetchall()
        assert sorted(tmp_path.iterdir()) == before
        assert listener.count == 0
        assert visible
    finally:
        store.close()


def test_the_settings_of_every_database(tmp_path: Path) -> None:
    with connect(folder=tmp_path) as connection:
        rows = connection.execute("SELECT name, value FROM duckdb_settings()").fetchall()
    settings = dict(rows)
    expected = {name: str(value).lower() for name, value in OFF.items()}
    expected |= {"enable_external_access": "false", "lock_configuration": "true"}
    assert {name: settings[name] for name in expected} == expected
    assert settings["allowed_paths"] == "[]"
    assert settings["max_temp_directory_size"] == "16.0 GiB"
    assert not settings["memory_limit"].startswith("0")


def test_every_database_is_opened_there() -> None:
    import readmark

    package = Path(readmark.__file__).parent
    files = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if "duckdb.connect(" in file.read_text(encoding="utf-8")
    }
    assert files == {"core/confinement.py"}


def test_the_folder_of_a_database_goes_with_it() -> None:
    store = Store()
    folder = store.folder
    assert folder.is_dir()
    store.close()
    assert not folder.exists()


def test_a_process_that_needs_too_much_memory_is_stopped() -> None:
    with pytest.raises(OutOfMemory, match=r"memory than the limit of 0\.2 GiB$"):
        run_confined(bytes, 1 << 30, seconds=60, memory=200 << 20)
