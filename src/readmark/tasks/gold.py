"""Gold answers: what the annotated statements and the rules answer to each query.

"We classify these as explicit and the assertions derived from applying the DSRS rules over these
are inferred" ("The DARPA Machine Reading Program", section 3.3): an answer is explicit when every
statement in it was annotated, else inferred, even from one excerpt.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.tasks.decompositions.stated_totals import impossible_totals
from readmark.tasks.judged_gold import UNITED, answer_row, widened, with_judgements
from readmark.tasks.manifest import AnswerRow
from readmark.tasks.package import Package
from readmark.tasks.query_answers import answers_to, conditions_of, mentions_of
from readmark.tasks.readings import Readings
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rules.values import Theory


@dataclass(frozen=True)
class TaskGold:
    """The answers, and the documents that contradict the theory, which have none."""

    rows: tuple[AnswerRow, ...]
    contradicted: tuple[str, ...]
    united: tuple[str, ...] = ()
    """The annotators whose graphs were combined."""
    disputed: int = 0
    """Answers that not all annotators of a document have, which are left to be judged."""


@dataclass(frozen=True, slots=True)
class GoldSettings:
    """Whose graphs make a gold."""

    annotator: str | None = None
    """One annotator; None for all. Graphs without an annotator are nobody's answers then."""
    several: str = "error"
    """What becomes of documents that several people annotated: an ``error``, the ``union`` of
    their graphs, or the answers that are ``agreed`` on."""


def gold_of(
    package: Package, settings: GoldSettings | None = None, *, split: str | None = None
) -> TaskGold:
    """The gold of a split's documents (all by default), from one annotator's graphs or from all."""
    maker = GoldMaker(package)
    [gold] = maker.golds([maker.plan(settings or GoldSettings(), split=split)])
    return gold


def judged_gold(
    package: Package,
    judgements: Iterable[AnswerRow],
    settings: GoldSettings,
    *,
    split: str | None = None,
) -> TaskGold:
    """The gold of :func:`gold_of` with what was judged of the split's documents."""
    maker = GoldMaker(package)
    [gold] = maker.golds([maker.plan(settings, split=split)])
    return maker.judged(gold, judgements, split)


def annotators(asserted: Iterable[Asserted]) -> frozenset[str]:
    """Who annotated anything."""
    names = (assertion.annotator for assertion in asserted)
    return frozenset(name for name in names if name is not None)


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
            (row, conditions_of(row, file, number)) for file, number, row in package.queries()
        ]
        self._document_order = {id: index for index, id in enumerate(package.splits)}
        self._query_order = {row.id: index for index, (row, _) in enumerate(self._queries)}

    def plan(self, settings: GoldSettings, *, split: str | None = None) -> GoldPlan:
        """What :func:`gold_of` says of these; a DataError where there is no such gold."""
        splits, readings = self._package.splits, self._readings
        if split is not None and split not in splits.values():
            names = ", ".join(sorted({name for name in splits.values() if name is not None}))
            message = f"no document is of the split {split!r}"
            message += f"; there are {names}" if names else ""
            raise DataError(message, file=self._package.folder.path)
        documents = [id for id, name in splits.items() if split in (None, name)]
        if settings.annotator is not None:
            people = annotators(self.asserted)
            if settings.annotator not in people:
                hint = (
                    f"there are {', '.join(sorted(people))}"
                    if people
                    else "no annotation says whose"
                )
                message = f"nothing is annotated by {settings.annotator!r}; {hint}"
                raise DataError(message, file=self._package.folder.path)
            only = {settings.annotator}
            return GoldPlan({id: (readings.graph(id, only),) for id in documents}, {})

        shared = {id: people for id in documents if len(people := readings.annotators(id)) > 1}
        if shared and settings.several == "error":
            first = next(iter(shared))
            more = f" and {counted(len(shared) - 1, 'more document')}" if len(shared) > 1 else ""
            raise DataError(
                f"{first}{more} annotated by {' and '.join(sorted(shared[first]))}: choose one "
                "with --annotator, let the others be judged (--adjudicated), or put them together "
                "(--union)",
                file=self._package.folder.path,
            )
        graphs: dict[str, tuple[str, ...]] = {id: (readings.graph(id),) for id in documents}
        if settings.several == "agreed":
            for id, people in shared.items():
                graphs[id] = tuple(readings.graph(id, {name}) for name in sorted(people))
        return GoldPlan(graphs, shared if settings.several == "union" else {})

    def golds(self, plans: Sequence[GoldPlan]) -> list[TaskGold]:
        """The gold of each plan."""
        planned = {graph for plan in plans for graphs in plan.graphs.values() for graph in graphs}
        asserted = [each for each in self._readings.asserted() if each.graph in planned]
        rows: dict[str, list[AnswerRow]] = {each.graph: [] for each in asserted}
        with infer(asserted, self._theory, self._ontology, seconds=SECONDS) as inference:
            broken = {contradiction.graph for contradiction in inference.contradictions()}
            if self._scheme is not None:
                ruled_out = impossible_totals(self._scheme, inference.statements())
                broken |= {impossible.graph for impossible in ruled_out}
            sound = [graph for graph in rows if graph not in broken]
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
                    document = self._readings.document(row.document)
                    rows[row.document].append(msgspec.structs.replace(row, document=document))
        return [self._gold(plan, rows, broken) for plan in plans]

    def judged(
        self, gold: TaskGold, judgements: Iterable[AnswerRow], split: str | None
    ) -> TaskGold:
        """A gold of a split with what was judged of its documents."""
        mentions = mentions_of(self.asserted)
        of_split = [
            widened(answer_row(row), mentions)
            for row in judgements
            if split in (None, self._package.splits.get(row.document))
        ]
        return dataclasses.replace(gold, rows=tuple(with_judgements(gold.rows, of_split)))

    def _gold(
        self, plan: GoldPlan, rows_of_graph: Mapping[str, Sequence[AnswerRow]], broken: set[str]
    ) -> TaskGold:
        rows: list[AnswerRow] = []
        disputed = 0
        contradicted = tuple(
            id for id, graphs in plan.graphs.items() if not broken.isdisjoint(graphs)
        )
        for id, graphs in plan.graphs.items():
            if id in contradicted:
                continue
            by_answer: dict[object, list[AnswerRow]] = defaultdict(list)
            for graph in graphs:
                for row in rows_of_graph.get(graph, ()):
                    by_answer[row.query, row.solution().bound].append(row)
            for same in by_answer.values():
                if len(same) == len(graphs):
                    # An answer is explicit where at least one annotator found it stated.
                    rows.append(min(same, key=lambda row: row.inferred is True))
                else:
                    disputed += 1
        rows.sort(
            key=lambda row: (self._document_order[row.document], self._query_order[row.query])
        )
        united = frozenset[str]().union(*plan.united.values())
        return TaskGold(
            tuple(_with_united_annotators(row, plan.united) for row in rows),
            contradicted,
            tuple(sorted(united)),
            disputed,
        )


def _with_united_annotators(row: AnswerRow, united: Mapping[str, frozenset[str]]) -> AnswerRow:
    """A row that names the annotators of the graphs that were combined for it, if any were."""
    if row.document not in united:
        return row
    names = ", ".join(sorted(united[row.document]))
    return msgspec.structs.replace(row, by=names, why=UNITED)
