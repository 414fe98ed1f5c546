"""Everything that is inconsistent in a task, with file and line."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from readmark.core.errors import DataError
from readmark.core.problems import Problem, problem_of
from readmark.tasks.category_checks import category_problems
from readmark.tasks.contradiction_checks import Contradicted, contradiction_problems
from readmark.tasks.file_checks import file_problems, manifest_problems
from readmark.tasks.gold import annotators
from readmark.tasks.package import Package
from readmark.tasks.query_checks import ParsedQueries, answer_problems, query_problems
from readmark.tasks.reasoning.context_results import ContextGroup, Contexts
from readmark.tasks.reasoning.contexts import SECONDS as CONTEXT_SECONDS
from readmark.tasks.reasoning.contexts import contexts
from readmark.tasks.reasoning.engine.chance import chance_text
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.rule_checks import rule_problems
from readmark.tasks.stale_gold import stale_problems
from readmark.tasks.statement_checks import statement_problems
from readmark.tasks.task_folder import open_task
from readmark.tasks.vocabulary import Vocabulary


def check_task(package: Package) -> Iterator[Problem]:
    """Files, ontology, rules, annotated graphs, queries, answers; what contradicts the rules.

    A part that cannot be read is reported once; the others are checked without it. The gold is made
    anew, and compared, only where everything that it is made of is sound.
    """
    sound = True
    for problem in _problems(package):
        sound &= problem.severity == "warning" or problem.code == "contradiction"
        yield problem
    if sound:
        yield from stale_problems(package)


def _problems(package: Package) -> Iterator[Problem]:
    # What reading a part reports comes out right after that part, in the order of the checks.
    waiting: list[Problem] = []

    def reported() -> Iterator[Problem]:
        yield from waiting
        waiting.clear()

    yield from manifest_problems(package)
    yield from file_problems(package)
    ontology = package.ontology(waiting.append)
    yield from reported()
    theory = package.theory(waiting.append)
    yield from reported()
    vocabulary = Vocabulary(ontology) if ontology is not None else None
    if theory is not None and vocabulary is not None:
        yield from rule_problems(theory, vocabulary)
    categories = package.categories(waiting.append)
    yield from reported()
    if categories is not None and vocabulary is not None:
        yield from category_problems(categories, vocabulary)
    if categories is not None or not list(package.manifest.of("categories")):
        package.patterns(waiting.append)
        yield from reported()
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    annotated = list(package.annotated(namespaces, waiting.append))
    yield from reported()
    yield from statement_problems(package, annotated, vocabulary)
    queries: ParsedQueries = {}
    yield from query_problems(package, vocabulary, queries, waiting.append)
    yield from reported()
    yield from answer_problems(package, vocabulary, queries, waiting.append)
    yield from reported()
    scheme = package.scheme(waiting.append)
    yield from reported()
    complete = package.manifest.annotation == "complete"
    yield from contradiction_problems(annotated, theory, ontology, scheme=scheme, complete=complete)


@dataclass(frozen=True)
class TaskFindings:
    """What is wrong in a task, and what can be right together of what contradicts itself."""

    problems: Sequence[Problem]
    contexts: Mapping[str, Contexts] = field(default_factory=dict)
    """By annotator; of no annotator the name is empty."""

    def decisions(self) -> Iterator[str]:
        """What probabilities decide: the likeliest context of each conflict."""
        for name, groups in self.contexts.items():
            for group in groups.leading():
                if line := _decision(group):
                    yield f"{group.graph}{f' by {name}' if name else ''}: {line}"


def _decision(group: ContextGroup) -> str:
    """The likeliest context, where probabilities tell it from others; else nothing."""
    if group.undecided or all(dropped.probability == 1 for dropped in group.dropped):
        return ""
    dropped = [write_triple(each.statement) for each in group.dropped]
    chance = chance_text(group.probability, group.bound)
    return f"the most probable context, {chance}, drops {' '.join(dropped)}"


def task_findings(path: str, *, seconds: float = CONTEXT_SECONDS) -> TaskFindings:
    """Every problem of a task in a file or folder; one that cannot be read is a problem, too."""
    try:
        return findings_of(open_task(path), seconds=seconds)
    except DataError as error:
        return TaskFindings([problem_of(error, path)])


def findings_of(package: Package, *, seconds: float = CONTEXT_SECONDS) -> TaskFindings:
    """Every problem of a task; ``seconds`` are for each annotator's contradictory statements."""
    problems = list(check_task(package))
    is_contradictory = any(isinstance(problem, Contradicted) for problem in problems)
    return TaskFindings(problems, _contexts(package, seconds) if is_contradictory else {})


def _contexts(package: Package, seconds: float) -> dict[str, Contexts]:
    """What can be right together, by annotator; of no annotator the name is empty."""
    ontology = package.ontology(lambda _: None)
    theory = package.theory(lambda _: None) or Theory("Ontology")
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    asserted = [
        in_file.annotated.asserted for in_file in package.annotated(namespaces, lambda _: None)
    ]
    by_annotator = {}
    names: list[str | None] = [*sorted(annotators(asserted))]
    for name in names or [None]:
        statements = [each for each in asserted if each.annotator in (name, None)]
        # A fault in the rules is reported where the rules are checked.
        with contextlib.suppress(DataError):
            by_annotator[name or ""] = contexts(statements, theory, ontology, seconds=seconds)
    return {name: each for name, each in by_annotator.items() if each.conflicts}
