"""What rules derive, answers and derivations in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from readmark.reasoning.contradictions import Contradiction
from readmark.reasoning.derivation_text import contradiction_text, derivation_text
from readmark.reasoning.engine.inference import Derived
from readmark.reasoning.explanations import Derivation
from readmark.reasoning.graphs import write_triple
from readmark.reasoning.queries import Answer
from readmark.reasoning.sparql import Result
from readmark.reasoning.terms import written
from readmark.reporting.terminal import counted, make_console, plain_table


def print_inference(
    counts: Mapping[str, int],
    derived: Sequence[Derived],
    broken: Sequence[Contradiction],
    *,
    show: int,
) -> None:
    """Counts, the first derived statements, and every contradiction with its derivation."""
    console = make_console()
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    console.print(told, style="bold")
    for one in derived[:show]:
        chance = "" if one.probability == 1 else f"  probability {one.probability:.4g}"
        console.print(Text(f"{one.graph}: {write_triple(one.statement)}{chance}"), soft_wrap=True)
    if counts["derived"] > show:
        console.print(f"and {counts['derived'] - show:,} more: --show N, --json or -o FILE")
    for each in broken:
        console.print(Text(contradiction_text(each)), soft_wrap=True)
    if counts["contradictions"] > len(broken):
        more = counts["contradictions"] - len(broken)
        console.print(f"and {counted(more, 'more contradiction')}: --show N or --json")


def print_answers(answers: Sequence[tuple[Answer, Sequence[Derivation]]]) -> None:
    """A line an answer, its derivations below it."""
    console = make_console()
    console.print(counted(len(answers), "answer"), style="bold")
    for one, trees in answers:
        values = ", ".join(f"?{name} = {written(value)}" for name, value in one.bindings.items())
        how = "inferred" if one.inferred else "stated"
        chance = "" if one.probability == 1 else f", probability {one.probability:.4g}"
        console.print(Text(f"{one.graph}: {values or 'yes'} ({how}{chance})"), soft_wrap=True)
        for tree in trees:
            for line in derivation_text(tree).splitlines():
                console.print(Text(f"  {line}"), soft_wrap=True)


def print_derivations(derivations: Sequence[Derivation]) -> None:
    """The trees, each under its graph's name."""
    console = make_console()
    for one in derivations:
        console.print(one.graph, style="bold")
        console.print(Text(derivation_text(one)), soft_wrap=True)


def print_result(result: Result) -> None:
    """What a SPARQL query gave."""
    console = make_console()
    if result.truth is not None:
        console.print("true" if result.truth else "false")
        return
    for statement in result.statements:
        console.print(Text(write_triple(statement)), soft_wrap=True)
    if result.variables:
        first, *rest = result.variables
        table = plain_table(first, *rest)
        for row in result.rows:
            values = (row.get(name) for name in result.variables)
            table.add_row(*("" if value is None else written(value) for value in values))
        console.print(table)
