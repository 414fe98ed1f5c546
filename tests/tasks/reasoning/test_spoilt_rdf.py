"""Files spoilt anywhere are read, or refused in one line with their name; nothing else happens."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.annotated_statements import read_annotated
from readmark.tasks.reasoning.graphs import Asserted, Statement, Support, read_graph
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.reasoning.terms import Literal, Name
from task_files import ONTOLOGY

NAMES = Namespaces({}, "http://example.org/league#")
SAID = [
    Asserted(
        "d",
        Statement(Name("Game-1"), Name("numberOfPeriods"), Literal(5)),
        Support((Excerpt("d", 0, 4, "Five"),), object=(Excerpt("d", 0, 4, "Five"),)),
        0.5,
        "ida",
    )
]
FILES = {
    f"x{suffix}": write_provenance(SAID, format=format, namespaces=NAMES)
    for suffix, format in {".trig": "TRIG", ".rdf": "RDF_XML", ".nt": "N_TRIPLES"}.items()
}
spoils = st.lists(
    st.tuples(
        st.integers(0, 10_000),
        st.integers(0, 6),
        st.binary(max_size=4) | st.sampled_from([b"<", b'"', b"&", b".", b"{", b"\n", b"oa:"]),
    ),
    min_size=1,
    max_size=3,
)


def spoilt(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, gone, new in changes:
        start = at % (len(data) + 1)
        data = data[:start] + new + data[start + gone :]
    return data


def refused(call: Callable[[], object]) -> DataError | None:
    """The error that a call ends with; any other is not caught."""
    try:
        call()
    except DataError as error:
        return error
    return None


@pytest.mark.parametrize("file", FILES)
@given(changes=spoils)
def test_annotated_graphs(file: str, changes: list[tuple[int, int, bytes]]) -> None:
    data = spoilt(FILES[file], changes)
    error = refused(lambda: read_annotated(data, file=file, namespaces=NAMES))
    assert error is None or (error.file == file and "\n" not in error.message)


@given(changes=spoils)
def test_ontologies(changes: list[tuple[int, int, bytes]]) -> None:
    data = spoilt(ONTOLOGY.encode(), changes)
    error = refused(lambda: read_ontology(data, file="o.ttl"))
    assert error is None or (error.file == "o.ttl" and error.where)


@given(st.text(st.sampled_from('()?ab "<>\\;:5.-T\n')))
def test_graphs(text: str) -> None:
    error = refused(lambda: read_graph(text, file="g"))
    assert error is None or (error.file == "g" and error.where)
