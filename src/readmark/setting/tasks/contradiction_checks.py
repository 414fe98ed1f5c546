"""The contradiction rules over annotated graphs: which annotations to repair, and why.

"The DSRS will detect any domain theory contradictions in this process, which the annotation team
can then repair" ("The DARPA Machine Reading Program", section 3.1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from readmark.corpus.errors import DataError
from readmark.corpus.problems import Problem
from readmark.reasoning.contradictions import Contradiction, contradictions
from readmark.reasoning.decompositions.scheme import Scheme
from readmark.reasoning.derivation_text import contradiction_text
from readmark.reasoning.engine import infer
from readmark.reasoning.engine.constraints import PREFIX, is_minimum
from readmark.reasoning.engine.limits import SECONDS
from readmark.reasoning.graphs import Statement, write_triple
from readmark.reasoning.ontology import Ontology
from readmark.reasoning.rules.values import Rule, Theory
from readmark.setting.tasks.package import InFile
from readmark.setting.tasks.total_checks import Impossible, impossible_totals

Places = dict[tuple[str, Statement], list[tuple[str, int]]]
"""Graph and statement -> the files and lines that annotate it."""


@dataclass(frozen=True, slots=True)
class Contradicted(Problem):
    """A contradiction, with how it comes about down to the words of the documents."""

    derivation: str = ""


def contradiction_problems(
    annotated: Sequence[InFile],
    theory: Theory | None,
    ontology: Ontology | None,
    *,
    scheme: Scheme | None = None,
    complete: bool = False,
) -> Iterator[Problem]:
    """A problem a contradiction, at the first of the annotations that it rests on.

    Annotators may disagree with each other: each one's graphs are to be consistent by themselves.
    Totals that the quantities of ``scheme`` rule out are contradictions too; a value that is
    missing is a warning, and only where annotation is ``complete``.
    """
    if not annotated or (theory is None and ontology is None):
        return
    whole = theory or Theory("Ontology")
    names = {one.annotated.asserted.annotator for one in annotated}
    told: set[Problem] = set()
    for name in sorted(names - {None}, key=str) or [None]:
        own = [one for one in annotated if one.annotated.asserted.annotator in (name, None)]
        for problem in _of_one(own, whole, ontology, scheme, complete):
            if problem not in told:
                told.add(problem)
                yield problem


def _of_one(
    annotated: Sequence[InFile],
    theory: Theory,
    ontology: Ontology | None,
    scheme: Scheme | None,
    complete: bool,
) -> Iterator[Problem]:
    places: Places = defaultdict(list)
    for file, one, _ in annotated:
        places[one.asserted.graph, one.asserted.statement].append((file, one.line))
    try:
        asserted = (one.annotated.asserted for one in annotated)
        with infer(asserted, theory, ontology, seconds=SECONDS, complete=complete) as inference:
            found = contradictions(inference)
            more = inference.counts()["contradictions"] - len(found)
            broken = {one.graph for one in found if not is_minimum(one.rule)}
            ruled_out = (
                [*impossible_totals(scheme, inference.statements())] if scheme is not None else []
            )
    except DataError as error:
        file = str(error.file or theory.file or annotated[0].file)
        yield Problem(file, str(error.where or 1), "rules", error.message)
        return
    for contradiction in found:
        if not _told_alone(contradiction.rule):
            yield _problem(contradiction, places)
    for total in ruled_out:
        if total.graph not in broken:
            yield _impossible(total, places)
    if more:
        said = f"{more:,} more contradictions, which are not listed: repair these first"
        yield Problem(annotated[0].file, 1, "contradiction", said)


def _told_alone(rule: Rule) -> bool:
    """Whether one statement by itself breaks the rule: the vocabulary tells it better."""
    return rule.name.startswith(PREFIX) and len(rule.positive) == 1 and not rule.negative


def _repaired(graph: str, statements: Iterable[Statement], places: Places) -> tuple[str, int, str]:
    """The first place of annotations, and all of them in words."""
    repaired, first = [], None
    for statement in statements:
        found = places.get((graph, statement), [])
        first = first or next(iter(found), None)
        where = ", ".join(f"{file}:{line}" for file, line in found)
        repaired.append(
            f"{write_triple(statement)} at {where}" if where else write_triple(statement)
        )
    file, line = first or ("", 1)
    return file, line, "; ".join(repaired)


def _impossible(one: Impossible, places: Places) -> Problem:
    file, line, repaired = _repaired(one.graph, one.statements, places)
    said = f"{one.graph}: nothing that scores can add up to this: repair one of {repaired}"
    return Problem(file, line, "contradiction", said)


def _problem(one: Contradiction, places: Places) -> Problem:
    file, line, repaired = _repaired(one.graph, one.inputs, places)
    name = one.rule.name.removeprefix(PREFIX).strip()
    if is_minimum(one.rule):
        said = f"{one.graph}: {name} in complete annotation, and it lacks some: {repaired}"
        return Problem(file, line, "missing_value", said, "warning")
    said = f"{one.graph} contradicts {one.rule.contradicts} by {name}: repair one of "
    message = said + repaired
    derivation = contradiction_text(one).partition("\n  repair one of:")[0]
    return Contradicted(file, line, "contradiction", message, "", derivation)
