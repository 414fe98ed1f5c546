"""Annotations that contradict the rules or the ontology, or totals that cannot be.

"The DSRS will detect any domain theory contradictions in this process, which the annotation team
can then repair" ("The DARPA Machine Reading Program", section 3.1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.decompositions.stated_totals import Impossible, impossible_totals
from readmark.tasks.package import InFile
from readmark.tasks.readings import Readings
from readmark.tasks.reasoning.contradictions import Contradiction, contradictions
from readmark.tasks.reasoning.derivation_text import conflict_text
from readmark.tasks.reasoning.engine.constraints import PREFIX, is_minimum
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.graphs import Statement, write_triple
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Rule, Theory

StatementPlaces = dict[tuple[str, Statement], list[tuple[str, int]]]
"""Graph and statement -> the files and lines that annotate it."""


@dataclass(frozen=True, slots=True)
class Contradicted(Problem):
    """A contradiction with its derivation, down to the words of the documents."""

    derivation: str = ""

    @property
    def details(self) -> Sequence[str]:
        """The derivation without its title, indented."""
        return [f"  {line}" for line in self.derivation.splitlines()[1:]]


def contradiction_problems(
    annotated: Sequence[InFile],
    theory: Theory | None,
    ontology: Ontology | None,
    *,
    scheme: Scheme | None = None,
    complete: bool = False,
) -> Iterator[Problem]:
    """A problem for each contradiction, at the first of the annotations that it rests on.

    Annotators may disagree with each other: each one's graphs must be consistent by themselves.
    Totals that the quantities of ``scheme`` rule out are contradictions too; a value that is
    missing is a warning, and only where annotation is ``complete``.
    """
    if not annotated or (theory is None and ontology is None):
        return
    theory = theory or Theory("Ontology")
    readings = Readings(in_file.annotated.asserted for in_file in annotated)
    places = _places(annotated, readings)
    try:
        with infer(
            readings.asserted(), theory, ontology, seconds=SECONDS, complete=complete
        ) as inference:
            listed = contradictions(inference)
            more = inference.counts()["contradictions"] - len(listed)
            contradicted = {each.graph for each in listed if not is_minimum(each.rule)}
            totals = list(impossible_totals(scheme, inference.statements())) if scheme else []
    except DataError as error:
        file = str(error.file or theory.file or annotated[0].file)
        yield Problem(file, str(error.where or 1), "rules", error.message)
        return
    problems = [
        _problem(contradiction, readings.document(contradiction.graph), places)
        for contradiction in listed
        if not _breaks_alone(contradiction.rule)
    ]
    problems += [
        _impossible(total, readings.document(total.graph), places)
        for total in totals
        if total.graph not in contradicted
    ]
    yield from dict.fromkeys(problems)
    if more:
        message = f"{counted(more, 'more contradiction')}, not listed: repair these first"
        yield Problem(annotated[0].file, 1, "contradiction", message)


def _places(annotated: Sequence[InFile], readings: Readings) -> StatementPlaces:
    """Asks for the graphs of each annotator, and finds where their statements are annotated.

    A document is a graph for each annotator; statements of nobody in particular are in each.
    """
    annotators = {in_file.annotated.asserted.annotator for in_file in annotated}
    documents = dict.fromkeys(in_file.annotated.asserted.graph for in_file in annotated)
    people_of: dict[str, dict[str, set[str | None]]] = {document: {} for document in documents}
    for annotator in sorted(annotators - {None}, key=str) or [None]:
        for document in documents:
            graph = readings.graph(document, {annotator, None})
            people_of[document].setdefault(graph, set()).update({annotator, None})
    places: StatementPlaces = defaultdict(list)
    for file, statement, _ in annotated:
        asserted = statement.asserted
        for graph, people in people_of[asserted.graph].items():
            if asserted.annotator in people:
                places[graph, asserted.statement].append((file, statement.line))
    return places


def _breaks_alone(rule: Rule) -> bool:
    """Whether one statement by itself breaks the rule: the vocabulary check reports it better."""
    return rule.name.startswith(PREFIX) and len(rule.positive) == 1 and not rule.negative


def _places_to_repair(
    graph: str, statements: Iterable[Statement], places: StatementPlaces
) -> tuple[str, int, str]:
    """The file and line of the first annotation, and all of them in words."""
    texts = []
    annotations: list[tuple[str, int]] = []
    for statement in statements:
        annotated_at = places.get((graph, statement), [])
        annotations += annotated_at
        where = ", ".join(f"{file}:{line}" for file, line in annotated_at)
        texts.append(f"{write_triple(statement)} at {where}" if where else write_triple(statement))
    file, line = annotations[0] if annotations else ("", 1)
    return file, line, "; ".join(texts)


def _impossible(total: Impossible, document: str, places: StatementPlaces) -> Problem:
    file, line, repaired = _places_to_repair(total.graph, total.statements, places)
    message = f"{document}: nothing that scores can add up to this: repair one of {repaired}"
    return Problem(file, line, "contradiction", message)


def _problem(contradiction: Contradiction, document: str, places: StatementPlaces) -> Problem:
    file, line, repaired = _places_to_repair(contradiction.graph, contradiction.inputs, places)
    name = contradiction.rule.name.removeprefix(PREFIX).strip()
    if is_minimum(contradiction.rule):
        fault = f"{document}: {name} in complete annotation, and it lacks some: {repaired}"
        return Problem(file, line, "missing_value", fault, "warning")
    theory = contradiction.rule.contradicts
    message = f"{document} contradicts {theory} by {name}: repair one of {repaired}"
    derivation = conflict_text(replace(contradiction, graph=document))
    return Contradicted(file, line, "contradiction", message, "", derivation)
