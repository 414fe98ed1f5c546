"""Everything that is inconsistent in a task, with file and line."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.corpus.problems import Problem
from readmark.reasoning.namespaces import Namespaces
from readmark.setting.tasks.answer_checks import Graphs, answer_problems, query_problems
from readmark.setting.tasks.contradiction_checks import contradiction_problems
from readmark.setting.tasks.file_checks import file_problems, manifest_problems
from readmark.setting.tasks.graph_checks import graph_problems
from readmark.setting.tasks.package import Package
from readmark.setting.tasks.rule_checks import rule_problems


def check_task(package: Package) -> Iterator[Problem]:
    """Files, ontology, rules, annotated graphs, queries, answers; last what contradicts the rules.

    A part that cannot be read is told once; the others are checked without it.
    """
    waiting: list[Problem] = []

    def told() -> Iterator[Problem]:
        yield from waiting
        waiting.clear()

    yield from manifest_problems(package)
    yield from file_problems(package)
    ontology = package.ontology(waiting.append)
    yield from told()
    theory = package.theory(waiting.append)
    yield from told()
    if theory is not None:
        yield from rule_problems(theory, ontology)
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    annotated = list(package.annotated(namespaces, waiting.append))
    yield from told()
    yield from graph_problems(package, annotated, ontology)
    graphs: Graphs = {}
    yield from query_problems(package, ontology, graphs, waiting.append)
    yield from told()
    yield from answer_problems(package, ontology, graphs, waiting.append)
    yield from told()
    scheme = package.scheme(waiting.append)
    yield from told()
    complete = package.manifest.annotation == "complete"
    yield from contradiction_problems(annotated, theory, ontology, scheme=scheme, complete=complete)
