"""Gold answers: what the annotated statements and the rules answer to each query.

"We classify these as explicit and the assertions derived from applying the DSRS rules over these
are inferred" ("The DARPA Machine Reading Program", section 3.3): an answer is explicit when every
statement in it was annotated, else inferred, even from one excerpt.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.core.binding import paper_members
from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.json_lines import json_line
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.spans import Excerpt
from readmark.core.test import Test
from readmark.tasks.decompositions.posterior import impossible_totals
from readmark.tasks.judged_gold import UNITED, answer_row, widened, with_judgements
from readmark.tasks.manifest import AnswerRow, GoldVersion, Identity, QueryRow, identity
from readmark.tasks.names import respell
from readmark.tasks.package import Package
from readmark.tasks.readings import Readings
from readmark.tasks.reasoning.contradictions import leaves
from readmark.tasks.reasoning.derivations import Derivation, derivations_text, explain
from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.graphs import Asserted, Namespaces
from readmark.tasks.reasoning.queries import GraphAnswer, answer
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import Condition, Theory
from readmark.tasks.reasoning.terms import Literal, Name, written
from readmark.tasks.records import Solution, asked_of
from readmark.tasks.verdicts import judgements_of


@dataclass(frozen=True)
class TaskGold:
    """The answers, and the documents that contradict the theory, which have none."""

    rows: tuple[AnswerRow, ...]
    contradicted: tuple[str, ...]
    united: tuple[str, ...] = ()
    """The annotators whose graphs were combined."""
    disputed: int = 0
    """Answers that not all annotators of a document have, which are left to be judged."""


def gold_of(
    package: Package,
    *,
    split: str | None = None,
    annotator: str | None = None,
    several: str = "error",
) -> TaskGold:
    """The gold of a split's documents (all by default), from one annotator's graphs or from all.

    ``several`` says what becomes of documents that several people annotated: an error, the
    ``union`` of their graphs, or the answers that are ``agreed`` on. Graphs of nobody in particular
    are nobody's answers when an annotator is named.
    """
    maker = GoldMaker(package)
    [gold] = maker.golds([maker.plan(split, annotator, several)])
    return gold


def judged_gold(
    package: Package,
    judgements: Iterable[AnswerRow],
    *,
    split: str | None = None,
    annotator: str | None = None,
    several: str = "error",
) -> TaskGold:
    """The gold of :func:`gold_of` with what was judged of the split's documents."""
    maker = GoldMaker(package)
    [gold] = maker.golds([maker.plan(split, annotator, several)])
    return maker.judged(gold, judgements, split)


def settings_of(
    history: Sequence[GoldVersion],
    split: str | None,
    *,
    upto: int | None = None,
    default: str = "error",
) -> dict[str, Any]:
    """Whose graphs make the gold of a split: those of its last version, up to one."""
    for version in reversed(history):
        if version.split == split and (upto is None or version.version <= upto):
            return {"annotator": version.annotator, "several": version.several}
    return {"annotator": None, "several": default}


MIXED = "mixed"
"""How a gold was made whose splits were made in different ways."""
_UNKNOWN = ""


def standing_settings(
    package: Package,
    history: Sequence[GoldVersion],
    split: str | None,
    *,
    upto: int | None = None,
    default: str = "error",
) -> dict[str, Any]:
    """Whose graphs make the gold of a split: those of its last version, else those that give the
    answers which the task has, so that a new version starts from the gold that is there."""
    recorded = settings_of(history, split, upto=upto, default=_UNKNOWN)
    if recorded["several"] not in (_UNKNOWN, MIXED):
        return recorded
    found = _settings_of_answers(package, history, split, nearest=default != "error")
    if found is not None:
        return found
    whole = settings_of(history, None, upto=upto, default=default)
    return whole if whole["several"] != MIXED else {"annotator": None, "several": default}


def _settings_of_answers(
    package: Package, history: Sequence[GoldVersion], split: str | None, *, nearest: bool
) -> dict[str, Any] | None:
    """The settings that give the answers of a split, exactly or as nearly as any do."""
    names = sorted(annotators(package.asserted()))
    rows = answers_of(package, split)
    if not rows or len(names) < 2:
        return None
    judged = {identity(row): row for row in rows if row.by and row.why != UNITED}
    judged |= judgements_of(history)
    present = {(spelt(row, package), row.verdict) for row in rows}
    ways: list[dict[str, Any]] = [
        {"annotator": None, "several": "agreed"},
        *({"annotator": name, "several": "error"} for name in names),
    ]
    if any(row.why == UNITED for row in rows):
        ways = [{"annotator": None, "several": "union"}]
    differences: list[tuple[int, dict[str, Any]]] = []
    maker, plans, planned = GoldMaker(package), [], []
    for settings in ways:
        with suppress(DataError):  # somebody who annotated nothing of this split
            plans.append(maker.plan(split, settings["annotator"], settings["several"]))
            planned.append(settings)
    for settings, gold in zip(planned, maker.golds(plans), strict=True):
        whole = maker.judged(gold, judged.values(), split)
        made = {(spelt(row, package), row.verdict) for row in whole.rows}
        if made == present:
            return settings
        differences.append((len(made ^ present), settings))
    if not nearest or not differences:
        return None
    return min(differences, key=lambda pair: pair[0])[1]


def standing_gold(
    package: Package,
    judgements: Collection[AnswerRow],
    history: Sequence[GoldVersion],
    *,
    split: str | None = None,
    upto: int | None = None,
    default: str = "error",
) -> tuple[TaskGold, dict[str, Any]]:
    """The gold of a split, or of all splits each in its own way, and the settings it has."""
    parts = [split]
    if split is None:
        parts = [file.split for file in package.manifest.of("answers")] or [None]
        parts = [None] if None in parts else parts
    known = [
        standing_settings(package, history, part, upto=upto, default=default) for part in parts
    ]
    if all(settings == known[0] for settings in known):
        return judged_gold(package, judgements, split=split, **known[0]), known[0]
    golds = [
        judged_gold(package, judgements, split=part, **settings)
        for part, settings in zip(parts, known, strict=True)
    ]
    united = {name for gold in golds for name in gold.united}
    whole = TaskGold(
        tuple(row for gold in golds for row in gold.rows),
        tuple(id for gold in golds for id in gold.contradicted),
        tuple(sorted(united)),
        sum(gold.disputed for gold in golds),
    )
    return whole, {"annotator": None, "several": MIXED}


def answers_of(package: Package, split: str | None) -> list[AnswerRow]:
    """The answers that a task has for the documents of a split, or for all."""
    return [
        row for _, _, row in package.answers() if split in (None, package.splits.get(row.document))
    ]


def spelt(row: AnswerRow, package: Package) -> Identity:
    """What makes an answer the same, however its entities are spelt."""
    solution = respell(row.solution(), package.manifest.namespaces)
    return row.document, row.query, solution.bound


def require_version(package: Package, history: Sequence[GoldVersion], version: int | None) -> None:
    """Refuses a version that the gold never had."""
    known = [0, *(row.version for row in history)]
    if version is not None and version not in known:
        message = f"there is no gold {version}; there are {', '.join(map(str, known))}"
        raise DataError(message, file=package.folder.path)


def files_at(package: Package, version: int) -> dict[str, bytes]:
    """The answers and the history of a task as they were at a version of its gold."""
    history = package.history()
    require_version(package, history, version)
    judgements = judgements_of(history, upto=version).values()
    files = {}
    for file in package.manifest.of("answers"):
        settings = standing_settings(package, history, file.split, upto=version, default="agreed")
        gold = judged_gold(package, judgements, split=file.split, **settings)
        files[file.path] = b"".join(json_line(row) for row in gold.rows)
    for file in package.manifest.of("history"):
        kept = (json_line(row) for row in history if row.version <= version)
        files[file.path] = b"".join(kept)
    return files


def annotators(asserted: Iterable[Asserted]) -> frozenset[str]:
    """Who annotated anything."""
    return frozenset(one.annotator for one in asserted if one.annotator is not None)


def _said_of(
    rows: Iterable[AnswerRow], shared: Mapping[str, frozenset[str]]
) -> tuple[AnswerRow, ...]:
    """Rows that name the annotators of the graphs that were combined for them."""
    return tuple(
        msgspec.structs.replace(row, by=", ".join(sorted(shared[row.document])), why=UNITED)
        if row.document in shared
        else row
        for row in rows
    )


@dataclass(frozen=True)
class GoldPlan:
    """Which graphs make a gold: of each document one, or several that must agree."""

    graphs: Mapping[str, tuple[str, ...]]
    united: Mapping[str, frozenset[str]]
    """The documents whose annotators are put together, and who they are."""


class GoldMaker:
    """A package that is answered from its annotated graphs.

    Golds of several plans come from one inference, in which a document by one annotator, by another
    and by both are three graphs: most of what an inference costs is the same for one as for many.
    ``explained`` answers have excerpts and derivations.
    """

    def __init__(self, package: Package, *, explained: bool = True) -> None:
        self._package = package
        self._explained = explained
        self._ontology = package.ontology()
        self._theory = package.theory() or Theory("Ontology")
        self._scheme = package.scheme()
        names = self._ontology.namespaces if self._ontology is not None else Namespaces()
        self.asserted = [
            asserted for asserted in package.asserted(names) if asserted.graph in package.splits
        ]
        self._readings = Readings(self.asserted)
        self._queries = [
            (row, _conditions(row, file, number)) for file, number, row in package.queries()
        ]
        self._order = {id: index for index, id in enumerate(package.splits)}
        self._places = {row.id: index for index, (row, _) in enumerate(self._queries)}

    def plan(
        self, split: str | None = None, annotator: str | None = None, several: str = "error"
    ) -> GoldPlan:
        """What :func:`gold_of` says of these; a DataError where there is no such gold."""
        splits, readings = self._package.splits, self._readings
        if split is not None and split not in splits.values():
            known = ", ".join(sorted({split for split in splits.values() if split is not None}))
            message = (
                f"no document is of the split {split!r}; {f'there are {known}' if known else ''}"
            )
            raise DataError(message.rstrip("; "), file=self._package.folder.path)
        documents = [id for id, of in splits.items() if split in (None, of)]
        if annotator is not None:
            who = annotators(self.asserted)
            if annotator not in who:
                known = f"there are {', '.join(sorted(who))}" if who else "no annotation says whose"
                message = f"nothing is annotated by {annotator!r}; {known}"
                raise DataError(message, file=self._package.folder.path)
            return GoldPlan({id: (readings.graph(id, {annotator}),) for id in documents}, {})
        shared = {id: names for id in documents if len(names := readings.annotators(id)) > 1}
        if shared and several == "error":
            first = next(iter(shared))
            more = f" and {counted(len(shared) - 1, 'more document')}" if len(shared) > 1 else ""
            raise DataError(
                f"{first}{more} annotated by {' and '.join(sorted(shared[first]))}: choose one "
                "with --annotator, let the others be judged (--adjudicated), or put them together "
                "(--union)",
                file=self._package.folder.path,
            )
        graphs: dict[str, tuple[str, ...]] = {id: (readings.graph(id),) for id in documents}
        if several == "agreed":
            for id, names in shared.items():
                graphs[id] = tuple(readings.graph(id, {name}) for name in sorted(names))
        return GoldPlan(graphs, shared if several == "union" else {})

    def golds(self, plans: Sequence[GoldPlan]) -> list[TaskGold]:
        """The gold of each plan."""
        wanted = {graph for plan in plans for graphs in plan.graphs.values() for graph in graphs}
        asserted = [one for one in self._readings.asserted() if one.graph in wanted]
        of_graph: dict[str, list[AnswerRow]] = {one.graph: [] for one in asserted}
        with infer(asserted, self._theory, self._ontology, seconds=SECONDS) as inference:
            broken = {contradiction.graph for contradiction in inference.contradictions()}
            if self._scheme is not None:
                ruled_out = impossible_totals(self._scheme, inference.statements())
                broken |= {impossible.graph for impossible in ruled_out}
            sound = [graph for graph in of_graph if graph not in broken]
            mentions = mentions_of(asserted)
            for query, conditions in self._queries:
                for row in answers_to(
                    inference,
                    query,
                    conditions,
                    sound,
                    mentions,
                    document_of=self._readings.document,
                    explained=self._explained,
                ):
                    of_graph[row.document].append(
                        msgspec.structs.replace(row, document=self._readings.document(row.document))
                    )
        return [self._gold(plan, of_graph, broken) for plan in plans]

    def judged(
        self, gold: TaskGold, judgements: Iterable[AnswerRow], split: str | None
    ) -> TaskGold:
        """A gold of a split with what was judged of its documents."""
        mentions = mentions_of(self.asserted)
        own = [
            widened(answer_row(row), mentions)
            for row in judgements
            if split in (None, self._package.splits.get(row.document))
        ]
        return dataclasses.replace(gold, rows=tuple(with_judgements(gold.rows, own)))

    def _gold(
        self, plan: GoldPlan, of_graph: Mapping[str, Sequence[AnswerRow]], broken: set[str]
    ) -> TaskGold:
        rows: list[AnswerRow] = []
        disputed = 0
        contradicted = tuple(
            id for id, graphs in plan.graphs.items() if not broken.isdisjoint(graphs)
        )
        for id, graphs in plan.graphs.items():
            if id in contradicted:
                continue
            each: dict[object, list[AnswerRow]] = defaultdict(list)
            for graph in graphs:
                for row in of_graph.get(graph, ()):
                    each[row.query, row.solution().bound].append(row)
            for same in each.values():
                if len(same) == len(graphs):
                    # Stated where anybody found it stated.
                    rows.append(min(same, key=lambda row: row.inferred is True))
                else:
                    disputed += 1
        rows.sort(key=lambda row: (self._order[row.document], self._places[row.query]))
        names = frozenset[str]().union(*plan.united.values())
        return TaskGold(_said_of(rows, plan.united), contradicted, tuple(sorted(names)), disputed)


def sitting_of(test: Test, gold: TaskGold, *, name: str, documents: Iterable[str]) -> Sitting:
    """A gold as somebody's sitting: they answered every query on the documents they annotated."""
    read = frozenset(documents)
    found: dict[tuple[str, str], list[Solution]] = defaultdict(list)
    for row in gold.rows:
        found[row.document, row.query].append(row.solution())
    asked = list(test.units())
    rows = {
        unit.id: Row(id=unit.id, answer=msgspec.to_builtins(found[unit.group, unit.item.query]))
        for unit in asked
        if unit.group in read and unit.group not in gold.contradicted
    }
    covers = tuple(unit.id for unit in asked if unit.group in read)
    header = SittingHeader(
        kind=test.kind.name,
        **paper_members(test),
        candidate=name,
        signature={"annotator": name},
        covers=None if len(covers) == len(asked) else covers,
    )
    return Sitting(header, rows)


MentionsOf = Mapping[tuple[str, Name], tuple[str, ...]]
"""Document and entity -> the words that the document has for it."""


def mentions_of(asserted: Iterable[Asserted]) -> MentionsOf:
    """What each document calls its entities, by the excerpts of subjects and objects."""
    found: dict[tuple[str, Name], dict[str, None]] = defaultdict(dict)
    for one in asserted:
        statement, support = one.statement, one.support
        for term, excerpts in (
            (statement.subject, support.subject),
            (statement.object, support.object),
        ):
            if isinstance(term, Name):
                for excerpt in excerpts:
                    found[one.graph, term].setdefault(excerpt.quote)
    return {key: tuple(quotes) for key, quotes in found.items()}


def _conditions(query: QueryRow, file: str, line: int) -> tuple[Condition, ...]:
    try:
        return parse_query(query.graph)
    except DataError as error:
        message = f"the graph of the query {query.id!r} at {error.where}: {error.message}"
        raise DataError(message, file=file, where=line) from None


def answers_to(
    inference: Inference,
    query: QueryRow,
    conditions: tuple[Condition, ...],
    graphs: Sequence[str],
    mentions: MentionsOf,
    *,
    document_of: Callable[[str], str] = str,
    explained: bool = True,
) -> Iterator[AnswerRow]:
    """The answers to a query on graphs, with mentions, and excerpts and derivations if explained.

    ``document_of`` names the document of a graph, where it is not called after it.
    """
    asked = [
        graph
        for graph in graphs
        if query.documents is None or document_of(graph) in query.documents
    ]
    graph_answers = answer(inference, conditions, graphs=asked)
    pairs: list[tuple[GraphAnswer, list[Derivation]]] = [
        (graph_answer, []) for graph_answer in graph_answers
    ]
    if explained:
        wanted = [
            (graph_answer.graph, statement)
            for graph_answer in graph_answers
            for statement in graph_answer.statements
        ]
        trees = iter(explain(inference, wanted))
        for graph_answer, derivations in pairs:
            derivations += [next(trees) for _ in graph_answer.statements]
    seen: set[object] = set()
    names = asked_of(query.fields)
    for graph_answer, derivations in sorted(pairs, key=lambda pair: pair[0].inferred):
        bound = {
            name: term
            for name, term in graph_answer.bindings.items()
            if names is None or name in names
        }
        if (graph_answer.graph, *bound.items()) in seen:
            continue
        seen.add((graph_answer.graph, *bound.items()))
        yield AnswerRow(
            document=graph_answer.graph,
            query=query.id,
            values={name: value_of(term) for name, term in bound.items()},
            inferred=graph_answer.inferred,
            excerpts=excerpts_of(derivations),
            mentions=_named(graph_answer.graph, bound, mentions),
            probability=graph_answer.probability if graph_answer.probability < 1 else None,
            derivation=derivations_text(derivations) if explained else None,
        )


def excerpts_of(derivations: Sequence[Derivation]) -> tuple[Excerpt, ...]:
    """The text behind derivations: of whole statements, else of their parts, in reading order."""
    return tuple(
        sorted({excerpt for leaf in leaves(derivations) for excerpt in leaf.support.spread()})
    )


def value_of(term: Name | Literal) -> str | int | float | bool:
    """A value in a row: numbers and truth as they are, the rest as the notation writes it."""
    if isinstance(term, Literal) and isinstance(term.value, bool | int | float):
        return term.value
    return written(term)


def _named(
    graph: str, bound: Mapping[str, Name | Literal], mentions: MentionsOf
) -> dict[str, tuple[str, ...]]:
    entities = (term for term in bound.values() if isinstance(term, Name))
    named = {written(term): mentions.get((graph, term), ()) for term in entities}
    return {entity: quotes for entity, quotes in named.items() if quotes}
