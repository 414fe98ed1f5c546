"""What contexts are: what each keeps and drops, why, and how likely it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.text import Text

from readmark.core.display import Result, counted
from readmark.tasks.reasoning.derivation_text import rule_title
from readmark.tasks.reasoning.engine.chance import chance_json, chance_text
from readmark.tasks.reasoning.graphs import Asserted, Statement, write_triple
from readmark.tasks.reasoning.rules.values import Rule

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True)
class DroppedStatement:
    """A statement that a context leaves out, and the kept statements that it contradicts."""

    graph: str
    statement: Statement
    probability: float
    rule: Rule
    against: tuple[Statement, ...]

    @property
    def reason(self) -> str:
        """In words: what it contradicts, and by which rule."""
        title = rule_title(self.rule)
        if not self.against:
            return f"contradicts the theory by {title}"
        return f"contradicts {' '.join(map(write_triple, self.against))} by {title}"

    def as_json(self) -> dict[str, Any]:
        """The statement with its reason."""
        return {
            "graph": self.graph,
            "statement": write_triple(self.statement),
            "probability": self.probability,
            "rule": self.rule.name,
            "against": [write_triple(statement) for statement in self.against],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class ContextGroup:
    """A context of one conflict: which of its statements are kept, and how likely that is."""

    conflict: int
    """Contexts of the same number exclude one another; those of others are independent."""
    graph: str
    probability: float
    bound: float | None
    """The greatest that the probability can be, where not all contexts were looked at."""
    kept: tuple[Statement, ...]
    dropped: tuple[DroppedStatement, ...]
    undecided: bool
    """Whether another context is as likely as the first."""

    def as_json(self) -> dict[str, Any]:
        """The context with its probability."""
        return {
            "conflict": self.conflict,
            "graph": self.graph,
            **chance_json(self.probability, self.bound),
            "kept": [write_triple(statement) for statement in self.kept],
            "dropped": [dropped.as_json() for dropped in self.dropped],
            "undecided": self.undecided,
        }


@dataclass(frozen=True, slots=True)
class BestContext:
    """The likeliest context of every conflict, with all that is in no conflict."""

    kept: tuple[Asserted, ...]
    """As they were given, in their order."""
    dropped: tuple[DroppedStatement, ...]


@dataclass(frozen=True, repr=False)
class Contexts(Result):
    """Which statements can be right together; without conflicts there is nothing to list."""

    best: BestContext
    groups: tuple[ContextGroup, ...] = ()
    """The likeliest contexts of each conflict, by conflict and probability."""
    documents: Mapping[Statement, tuple[str, ...]] = field(default_factory=dict)
    """Across documents, those that state each statement."""
    exact: bool = True
    """Whether every context was looked at, so that the probabilities are exact."""
    bound: float = 0.0
    """The greatest share of a conflict's probability that was not looked at."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """Why it is not exact."""

    @property
    def conflicts(self) -> int:
        """How many conflicts have nothing to do with one another."""
        return len({group.conflict for group in self.groups})

    @property
    def undecided(self) -> bool:
        """Whether a conflict has several contexts that are equally likely."""
        return any(group.undecided for group in self.groups)

    def leading(self) -> Iterator[ContextGroup]:
        """The likeliest context of each conflict."""
        seen: set[int] = set()
        for group in self.groups:
            if group.conflict not in seen:
                seen.add(group.conflict)
                yield group

    def as_json(self) -> dict[str, Any]:
        """What is kept and dropped, and the contexts of each conflict."""
        return {
            "conflicts": self.conflicts,
            "exact": self.exact,
            "bound": self.bound,
            "undecided": self.undecided,
            "dropped": [dropped.as_json() for dropped in self.best.dropped],
            "groups": [group.as_json() for group in self.groups],
            **({"documents": self._documents_of_conflicts()} if self.documents else {}),
            "notes": list(self.notes),
        }

    def _documents_of_conflicts(self) -> dict[str, list[str]]:
        in_conflict = {
            statement
            for group in self.groups
            for statement in (*group.kept, *(dropped.statement for dropped in group.dropped))
        }
        return {
            write_triple(statement): list(documents)
            for statement, documents in self.documents.items()
            if statement in in_conflict
        }

    def show(self, console: Console) -> None:
        """A line for each context and statement, the likeliest context of each conflict first."""
        for line in self.lines():
            console.print(Text(line), soft_wrap=True)

    def lines(self, most: int | None = None) -> Iterator[str]:
        """The same as text; of more conflicts than ``most`` the first."""
        if not self.groups:
            return
        inexact = "" if self.exact else f", not exact: {'; '.join(self.notes)}"
        yield f"{counted(self.conflicts, 'conflict')}, contexts by probability{inexact}"
        for group in self.groups:
            if most is not None and group.conflict > most:
                yield f"and {counted(self.conflicts - most, 'more conflict')}: --show N or --json"
                return
            chance = chance_text(group.probability, group.bound)
            undecided = ", undecided" if group.undecided else ""
            yield f"{group.graph}: conflict {group.conflict}, probability {chance}{undecided}"
            for statement in group.kept:
                yield f"  keep {write_triple(statement)}{self._in_documents(statement)}"
            for dropped in group.dropped:
                where = self._in_documents(dropped.statement)
                yield f"  drop {write_triple(dropped.statement)}{where}: {dropped.reason}"

    def _in_documents(self, statement: Statement) -> str:
        documents = self.documents.get(statement, ())
        return f" in {', '.join(documents)}" if documents else ""
