"""The contradiction rules over annotated graphs: which annotations to repair, and why.

"The DSRS will detect any domain theory contradictions in this process, which the annotation team
can then repair" ("The DARPA Machine Reading Program", section 3.1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.corpus.errors import DataError
from readmark.corpus.problems import Problem
from readmark.reasoning.contradictions import Contradiction, contradictions
from readmark.reasoning.derivation_text import contradiction_text
from readmark.reasoning.engine import infer
from readmark.reasoning.engine.constraints import PREFIX
from readmark.reasoning.graphs import Statement, write_triple
from readmark.reasoning.ontology import Ontology
from readmark.reasoning.rules.values import Rule, Theory
from readmark.setting.tasks.package import InFile

Places = dict[tuple[str, Statement], list[tuple[str, int]]]
"""Graph and statement -> the files and lines that annotate it."""


@dataclass(frozen=True, slots=True)
class Contradicted(Problem):
    """A contradiction, with how it comes about down to the words of the documents."""

    derivation: str = ""


def contradiction_problems(
    annotated: Sequence[InFile], theory: Theory | None, ontology: Ontology | None
) -> Iterator[Problem]:
    """A problem a contradiction, at the first of the annotations that it rests on.

    Annotators may disagree with each other: each one's graphs are to be consistent by themselves.
    """
    if not annotated or (theory is None and ontology is None):
        return
    whole = theory or Theory("Ontology")
    names = {one.annotated.asserted.annotator for one in annotated}
    told: set[Problem] = set()
    for name in sorted(names - {None}, key=str) or [None]:
        own = [one for one in annotated if one.annotated.asserted.annotator in (name, None)]
        for problem in _of_one(own, whole, ontology):
            if problem not in told:
                told.add(problem)
                yield problem


def _of_one(
    annotated: Sequence[InFile], theory: Theory, ontology: Ontology | None
) -> Iterator[Problem]:
    places: Places = defaultdict(list)
    for file, one, _ in annotated:
        places[one.asserted.graph, one.asserted.statement].append((file, one.line))
    try:
        asserted = (one.annotated.asserted for one in annotated)
        with infer(asserted, theory, ontology) as inference:
            found = contradictions(inference)
            more = inference.counts()["contradictions"] - len(found)
    except DataError as error:
        file = str(error.file or theory.file or annotated[0].file)
        yield Problem(file, str(error.where or 1), "rules", error.message)
        return
    for contradiction in found:
        if not _told_alone(contradiction.rule):
            yield _problem(contradiction, places)
    if more:
        said = f"{more:,} more contradictions, which are not listed: repair these first"
        yield Problem(annotated[0].file, 1, "contradiction", said)


def _told_alone(rule: Rule) -> bool:
    """Whether one statement by itself breaks the rule: the vocabulary tells it better."""
    return rule.name.startswith(PREFIX) and len(rule.positive) == 1 and not rule.negative


def _problem(one: Contradiction, places: Places) -> Problem:
    repaired, first = [], None
    for statement in one.inputs:
        found = places.get((one.graph, statement), [])
        first = first or next(iter(found), None)
        where = ", ".join(f"{file}:{line}" for file, line in found)
        repaired.append(
            f"{write_triple(statement)} at {where}" if where else write_triple(statement)
        )
    file, line = first or ("", 1)
    name = one.rule.name.removeprefix(PREFIX).strip()
    said = f"{one.graph} contradicts {one.rule.contradicts} by {name}: repair one of "
    message = said + "; ".join(repaired)
    derivation = contradiction_text(one).partition("\n  repair one of:")[0]
    return Contradicted(file, line, "contradiction", message, "", derivation)
