"""Everything that is inconsistent in a task; which annotations contradict its rules, and why.

"The DSRS will detect any domain theory contradictions in this process, which the annotation team
can then repair" ("The DARPA Machine Reading Program", section 3.1).
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.problems import Problem, problem_of
from readmark.tasks.decompositions.posterior import Impossible, impossible_totals
from readmark.tasks.decompositions.scheme import Scheme
from readmark.tasks.gold import GoldMaker, GoldPlan, GoldSettings, TaskGold, annotators
from readmark.tasks.manifest import (
    MANIFEST,
    ROLES,
    AnswerRow,
    TaskFile,
    content,
    identity,
    sha256,
)
from readmark.tasks.package import InFile, Package, is_own
from readmark.tasks.readings import Readings
from readmark.tasks.reasoning.contexts import SECONDS as CONTEXT_SECONDS
from readmark.tasks.reasoning.contexts import ContextGroup, Contexts, contexts
from readmark.tasks.reasoning.contradictions import (
    Contradiction,
    contradiction_text,
    contradictions,
)
from readmark.tasks.reasoning.engine.constraints import PREFIX, is_minimum
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.engine.lineage import chance_text
from readmark.tasks.reasoning.graphs import Namespaces, Statement, write_triple
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Rule, Theory
from readmark.tasks.records import ANNOTATIONS
from readmark.tasks.standing_gold import canonical_identity, recorded_settings
from readmark.tasks.task_folder import open_task
from readmark.tasks.verdicts import judgements_of
from readmark.tasks.vocabulary import (
    Graphs,
    Vocabulary,
    answer_problems,
    category_problems,
    graph_problems,
    query_problems,
    rule_problems,
)

StatementPlaces = dict[tuple[str, Statement], list[tuple[str, int]]]
"""Graph and statement -> the files and lines that annotate it."""


@dataclass(frozen=True, slots=True)
class Contradicted(Problem):
    """A contradiction, with how it comes about down to the words of the documents."""

    derivation: str = ""

    @property
    def details(self) -> Sequence[str]:
        """The derivation, further in."""
        return [f"  {line}" for line in self.derivation.splitlines()[1:]]


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
    readings = Readings(in_file.annotated.asserted for in_file in annotated)
    names = {in_file.annotated.asserted.annotator for in_file in annotated}
    graphs: dict[str, dict[str, set[str | None]]] = {}
    for name in sorted(names - {None}, key=str) or [None]:
        for document in {in_file.annotated.asserted.graph: None for in_file in annotated}:
            graph = readings.graph(document, {name, None})
            graphs.setdefault(document, {}).setdefault(graph, set()).update({name, None})
    places: StatementPlaces = defaultdict(list)
    for file, one, _ in annotated:
        for graph, own in graphs[one.asserted.graph].items():
            if one.asserted.annotator in own:
                places[graph, one.asserted.statement].append((file, one.line))
    try:
        with infer(
            readings.asserted(), whole, ontology, seconds=SECONDS, complete=complete
        ) as inference:
            found = contradictions(inference)
            more = inference.counts()["contradictions"] - len(found)
            broken = {
                contradiction.graph for contradiction in found if not is_minimum(contradiction.rule)
            }
            ruled_out = (
                [*impossible_totals(scheme, inference.statements())] if scheme is not None else []
            )
    except DataError as error:
        file = str(error.file or whole.file or annotated[0].file)
        yield Problem(file, str(error.where or 1), "rules", error.message)
        return
    problems = [
        _problem(contradiction, readings.document(contradiction.graph), places)
        for contradiction in found
        if not _breaks_alone(contradiction.rule)
    ]
    problems += [
        _impossible(total, readings.document(total.graph), places)
        for total in ruled_out
        if total.graph not in broken
    ]
    yield from dict.fromkeys(problems)
    if more:
        message = f"{counted(more, 'more contradiction')}, not listed: repair these first"
        yield Problem(annotated[0].file, 1, "contradiction", message)


def _breaks_alone(rule: Rule) -> bool:
    """Whether one statement by itself breaks the rule: the vocabulary check reports it better."""
    return rule.name.startswith(PREFIX) and len(rule.positive) == 1 and not rule.negative


def _repaired(
    graph: str, statements: Iterable[Statement], places: StatementPlaces
) -> tuple[str, int, str]:
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


def _impossible(one: Impossible, document: str, places: StatementPlaces) -> Problem:
    file, line, repaired = _repaired(one.graph, one.statements, places)
    message = f"{document}: nothing that scores can add up to this: repair one of {repaired}"
    return Problem(file, line, "contradiction", message)


def _problem(one: Contradiction, document: str, places: StatementPlaces) -> Problem:
    file, line, repaired = _repaired(one.graph, one.inputs, places)
    name = one.rule.name.removeprefix(PREFIX).strip()
    if is_minimum(one.rule):
        fault = f"{document}: {name} in complete annotation, and it lacks some: {repaired}"
        return Problem(file, line, "missing_value", fault, "warning")
    fault = f"{document} contradicts {one.rule.contradicts} by {name}: repair one of "
    message = fault + repaired
    text = contradiction_text(replace(one, graph=document))
    derivation = text.partition("\n  repair one of:")[0]
    return Contradicted(file, line, "contradiction", message, "", derivation)


# Whether the files of a task are those that its manifest names, unchanged.


NEEDED = ("document", "ontology", "queries")
"""Roles without which a task asks nothing."""
SINGLE = ("ontology",)


def file_problems(package: Package) -> Iterator[Problem]:
    """Files that are missing, not named, changed, named twice, or no text."""
    folder, manifest = package.folder, package.manifest
    lines = _Lines(package)
    listed: set[str] = set()
    ids: dict[str, str] = {}
    for file in manifest.files:
        if file.path in listed:
            yield lines.problem(
                lines.line(file.path), "duplicate_file", f"{file.path} is named twice"
            )
        listed.add(file.path)
        if file.role not in ROLES:
            message = (
                f"the role of {file.path} is {file.role!r}, expected one of {', '.join(ROLES)}"
            )
            yield lines.problem(lines.line(file.path), "role", message)
        if file.path not in folder:
            message = f"{file.path} is named, and it is not there"
            yield lines.problem(lines.line(file.path), "missing_file", message)
            continue
        place, data = folder.place(file.path), content(folder, file.path, whole=True)
        if sha256(data) != file.sha256:
            what = "document" if file.role == "document" else "file"
            message = f"the {what} is not the one that was packed: its hash has changed"
            yield Problem(place, 1, "changed", message)
        if file.role == "document":
            yield from _document(place, data)
            id = file.id or file.path
            if id in ids:
                message = f"the document id {id!r} is that of {ids[id]} too"
                yield lines.problem(lines.line(file.path), "duplicate_id", message)
            ids[id] = file.path
    for name in folder.names:
        if name not in listed and not is_own(name):
            message = "the manifest does not name this file"
            yield Problem(folder.place(name), 1, "unlisted_file", message)


def manifest_problems(package: Package) -> Iterator[Problem]:
    """What the manifest says of the task as a whole, and what is not there at all."""
    manifest, lines = package.manifest, _Lines(package)
    for role in NEEDED:
        if not any(manifest.of(role)):
            yield lines.problem(1, "no_files", f"the task has no {role}")
    for role in SINGLE:
        if len(list(manifest.of(role))) > 1:
            yield lines.problem(1, "duplicate_file", f"the task has more than one {role}")
    if manifest.annotation not in ANNOTATIONS:
        message = f"annotation is {manifest.annotation!r}, expected one of {', '.join(ANNOTATIONS)}"
        yield lines.problem(lines.line('"annotation"'), "schema", message)
    splits = {task_file.split for task_file in manifest.of("document")}
    for name in manifest.hidden:
        if name not in splits:
            message = f"no document is of the hidden split {name!r}"
            yield lines.problem(lines.line('"hidden"'), "hidden", message)
    for file in manifest.of("answers"):
        if file.split is not None and file.split not in splits:
            message = f"{file.path} answers the split {file.split!r}, of which there is no document"
            yield lines.problem(lines.line(file.path), "hidden", message)


def _document(place: str, data: bytes) -> Iterator[Problem]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        yield Problem(place, line, "unreadable", f"not valid UTF-8 (byte {wrong.start + 1})")
        return
    if not text.strip():
        yield Problem(place, 1, "empty_text", "the document has no text")


class _Lines:
    """Where the manifest says something."""

    def __init__(self, package: Package) -> None:
        name = package.folder.find(MANIFEST)
        self._file = package.folder.place(name or MANIFEST)
        self._text = package.folder.read(name).decode("utf-8", "replace") if name else ""

    def line(self, said: str) -> int:
        """The line that something is first said in."""
        at = self._text.find(said)
        return self._text.count("\n", 0, at) + 1 if at >= 0 else 1

    def problem(self, line: int, code: str, message: str) -> Problem:
        """A problem of the manifest."""
        return Problem(self._file, line, code, message)


# Whether the gold is still what annotation, rules and recorded judgements give.


def stale_problems(package: Package) -> Iterator[Problem]:
    """Answers that no longer follow, and those that follow and are not there.

    Documents without annotated graphs are passed over: their answers were found otherwise.
    """
    history = package.history()
    recorded = judgements_of(history)
    maker = GoldMaker(package, explained=False)
    annotated = {asserted.graph for asserted in maker.asserted}
    names = annotators(maker.asserted)
    plans: list[tuple[TaskFile, GoldPlan]] = []
    for file in package.manifest.of("answers"):
        tried = [recorded_settings(history, file.split) or GoldSettings()]
        if len(names) > 1 and tried == [GoldSettings()]:
            # Nothing says whose graphs the gold was made of: the nearest gold is what it should be.
            tried = [GoldSettings(several=several) for several in ("agreed", "union")]
            tried += [GoldSettings(name) for name in sorted(names)]
        for settings in tried:
            # What is wrong is reported where the graphs, rules and queries are checked.
            with contextlib.suppress(DataError):
                plans.append((file, maker.plan(settings, split=file.split)))
    try:
        golds = maker.golds([plan for _, plan in plans])
    except DataError:
        return
    rows: dict[TaskFile, list[tuple[int, AnswerRow]]] = defaultdict(list)
    for file, line, row in package.answers():
        rows[file].append((line, row))
    fewest: dict[TaskFile, list[Problem]] = {}
    for (file, _), gold in zip(plans, golds, strict=True):
        judged = {**{identity(row): row for _, row in rows[file] if row.by}, **recorded}
        gold = maker.judged(gold, judged.values(), file.split)
        place = package.folder.place(file.path)
        problems = list(_stale(place, rows[file], gold, annotated, package))
        fewest[file] = min(fewest.get(file, problems), problems, key=len)
    for problems in fewest.values():
        yield from problems


def _stale(
    place: str,
    rows: Sequence[tuple[int, AnswerRow]],
    gold: TaskGold,
    annotated: set[str],
    package: Package,
) -> Iterator[Problem]:
    """Differences of a file of answers from the gold that is made anew."""
    made = {canonical_identity(row, package): row for row in gold.rows}
    seen = set()
    for line, row in rows:
        answer = canonical_identity(row, package)
        seen.add(answer)
        if row.document not in annotated or row.document in gold.contradicted:
            continue
        now = made.get(answer)
        text = row.solution().text
        fault = None
        if now is None:
            fault = f"has {text}, which neither the annotation with the rules nor a judgement gives"
        elif now.verdict != row.verdict:
            fault = f"calls {text} {row.verdict}, but {now.by} judged it {now.verdict}"
        elif row.inferred is not None and bool(now.inferred) != row.inferred:
            words = ("explicit", "inferred")
            fault = f"calls {text} {words[row.inferred]}, but it is {words[not row.inferred]}"
        if fault is not None:
            yield Problem(place, line, "stale_gold", _stale_words(row, fault))
    for key, row in made.items():
        if key not in seen and row.document in annotated:
            why = (
                f"{row.by} judged {row.verdict}" if row.by else "follows from annotation and rules"
            )
            fault = f"lacks {row.solution().text}, which {why}"
            yield Problem(place, 1, "stale_gold", _stale_words(row, fault))


def _stale_words(row: AnswerRow, fault: str) -> str:
    return f"document {row.document}, query {row.query}: the gold {fault}; make the gold again"


# Everything that is inconsistent in a task, with file and line.


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
    yield from graph_problems(package, annotated, vocabulary)
    graphs: Graphs = {}
    yield from query_problems(package, vocabulary, graphs, waiting.append)
    yield from reported()
    yield from answer_problems(package, vocabulary, graphs, waiting.append)
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
    dropped = [write_triple(one.statement) for one in group.dropped]
    if group.undecided or all(one.probability == 1 for one in group.dropped):
        return ""
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
    stated = [one.annotated.asserted for one in package.annotated(namespaces, lambda _: None)]
    found = {}
    names: list[str | None] = [*sorted(annotators(stated))]
    for name in names or [None]:
        own = [one for one in stated if one.annotator in (name, None)]
        try:
            found[name or ""] = contexts(own, theory, ontology, seconds=seconds)
        except DataError:  # The rules are reported where they are checked.
            continue
    return {name: each for name, each in found.items() if each.conflicts}
