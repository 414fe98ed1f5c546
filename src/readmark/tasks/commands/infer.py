"""``readmark task infer``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from readmark import console as options
from readmark.core.display import counted, make_console, plain_table
from readmark.tasks.reasoning.contradictions import Contradiction
from readmark.tasks.reasoning.derivation_text import contradiction_text, derivation_text
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.engine.inference import Derived
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.queries import Answer
from readmark.tasks.reasoning.sparql import Result
from readmark.tasks.reasoning.terms import written

if TYPE_CHECKING:
    from readmark.tasks.ground import Ground


# Options that infer, query and explain share: which rules and which ontology.


Command = Callable[..., Any]
MOST_SECONDS = 1_000_000
LEAST_MEMORY, MOST_MEMORY = 0.1, 1_000_000


def ground_options(command: Command) -> Command:
    """--rules, --ontology, --domain and --memory."""
    for option in (
        click.option(
            "--memory",
            type=float,
            metavar="GB",
            callback=_in_bytes,
            help="Memory limit for rules and queries  [default: a quarter of the machine's]",
        ),
        click.option(
            "--domain", metavar="NAME|FOLDER", help="Domain that supplies the ontology and rules."
        ),
        click.option(
            "--ontology", metavar="FILE", help="OWL file to use instead of the task's ontology."
        ),
        click.option(
            "--rules",
            multiple=True,
            metavar="FILE",
            help="File with additional rules (repeatable).",
        ),
    ):
        command = option(command)
    return command


def _in_bytes(_: click.Context, __: click.Parameter, value: float | None) -> int | None:
    from readmark.core.errors import UsageError

    if value is None:
        return None
    if not LEAST_MEMORY <= value <= MOST_MEMORY:
        wanted = f"expected {LEAST_MEMORY:g} to {MOST_MEMORY:,}"
        raise UsageError(f"--memory {value:g} is out of bounds: {wanted} GB")
    return int(value * 10**9)


def seconds_option(default: float, help: str) -> Callable[[Command], Command]:
    """--seconds, which is above 0."""

    def checked(_: click.Context, __: click.Parameter, value: float) -> float:
        from readmark.core.errors import UsageError

        if not 0 < value <= MOST_SECONDS:
            said = "is not above 0" if not value > 0 else f"is above {MOST_SECONDS:,}"
            raise UsageError(f"--seconds {value:g} {said}")
        return value

    return click.option("--seconds", type=float, default=default, help=help, callback=checked)


def within_options(command: Command) -> Command:
    """--graph and --seconds."""
    for option in (
        seconds_option(30.0, "Time limit in seconds, for the rules and again for the query"),
        click.option(
            "--graph",
            "graphs",
            multiple=True,
            metavar="ID",
            help="Search only this graph (repeatable).",
        ),
    ):
        command = option(command)
    return command


# ``readmark task explain``.


@click.command("explain")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@click.option(
    "-s",
    "--statement",
    "text",
    required=True,
    metavar="GRAPH",
    help="Statement to explain, such as '(Game-1 numberOfPeriods 5)'. With variables, "
    "every matching statement is explained.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the derivations to this file: .html, .rdf, .ttl or .nt.",
)
@ground_options
@within_options
@options.json_option
@click.pass_context
def explain_command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    text: str,
    output: str | None,
    rules: tuple[str, ...],
    ontology: str | None,
    domain: str | None,
    memory: int | None,
    graphs: tuple[str, ...],
    seconds: float,
    as_json: bool,
) -> None:
    """Show why statements hold: rules, antecedents and denials, down to the excerpts.

    An .html file shows the passages side by side with the derivations. Exits with status 1 if
    no statement matches.
    """
    from readmark.core.files import require_distinct_files
    from readmark.tasks import answers as task_answers
    from readmark.tasks.ground import ground

    require_distinct_files([output], [*inputs, *rules, ontology])
    with ground(
        inputs, rules=rules, ontology=ontology, domain=domain, seconds=seconds, memory=memory
    ) as found:
        trees = task_answers.why(found, text, graphs=graphs, seconds=seconds)
        if output is not None:
            if output.lower().endswith((".html", ".htm")):
                from readmark.tasks.report import write_page

                write_page(trees, found.documents, output)
            else:
                task_answers.write_why(found, trees, output)
            options.notify([f"{output}: {len(trees)} derivations"])
    if as_json:
        options.print_json(task_answers.why_json(trees))
    else:
        print_derivations(trees)
    if not trees:
        options.notify([f"{text} does not hold"])
        ctx.exit(1)


@click.command("infer")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@ground_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the derived statements to this file: .graph, .nq, .ttl, .rdf, ...",
)
@click.option(
    "--show",
    type=int,
    default=20,
    help="Maximum number of statements and of contradictions to print",
)
@seconds_option(
    600.0, "Time limit for the rules in seconds; a large .nq file has this much for each 64 MB"
)
@options.json_option
@click.pass_context
def infer_command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    rules: tuple[str, ...],
    ontology: str | None,
    domain: str | None,
    memory: int | None,
    output: str | None,
    show: int,
    seconds: float,
    as_json: bool,
) -> None:
    """Run rules over the statements of TASKs or FILEs (.graph, .ttl, .rdf, .nt, .nq, .trig).

    Prints the derived statements and everything that contradicts the rules or the ontology,
    each contradiction with a minimal set of statements to repair. Exits with status 1 if there
    is a contradiction.
    """
    from readmark.core.errors import UsageError
    from readmark.core.files import require_distinct_files
    from readmark.tasks import answers as task_answers
    from readmark.tasks.ground import grounds
    from readmark.tasks.reasoning.contradictions import MOST

    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    require_distinct_files([output], [*inputs, *rules, ontology])
    found = task_answers.run_rules(
        grounds(
            inputs, rules=rules, ontology=ontology, domain=domain, seconds=seconds, memory=memory
        ),
        output=output,
        show=None if as_json else show,
        most=max(show, MOST) if as_json else show,
    )
    if output is not None:
        options.notify([f"{output}: {found.counts['derived']} statements"])
    if as_json:
        options.print_json(task_answers.inferred_json(found))
    else:
        print_inference(found.counts, found.derived, found.broken, show=show)
    if found.counts["contradictions"]:
        ctx.exit(1)


# ``readmark task query``.


@click.command("query")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@click.option(
    "-q",
    "--query",
    "text",
    metavar="GRAPH",
    help="Query graph, such as '((?G type NFLGame) (?G numberOfPeriods ?N))'.",
)
@click.option(
    "--sparql",
    metavar="QUERY",
    help="SPARQL 1.1 query to run instead: SELECT, ASK, CONSTRUCT or DESCRIBE.",
)
@click.option("--explain", is_flag=True, help="Show how each answer is derived.")
@ground_options
@within_options
@options.json_option
def query_command(
    inputs: tuple[str, ...],
    text: str | None,
    sparql: str | None,
    explain: bool,
    rules: tuple[str, ...],
    ontology: str | None,
    domain: str | None,
    memory: int | None,
    graphs: tuple[str, ...],
    seconds: float,
    as_json: bool,
) -> None:
    """Answer a query graph over the statements of TASKs or FILEs and everything derived from them.

    An answer gives every variable a value within one document; --explain shows the rules and
    excerpts behind it. In SPARQL, every document is a named graph, and the default graph has
    every statement once. Queries are read-only and cannot reach other servers.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks import answers as task_answers
    from readmark.tasks.ground import ground

    if (text is None) == (sparql is None):
        raise UsageError("give one of -q and --sparql")
    if sparql is not None and explain:
        raise UsageError("--explain explains the answers of -q, not those of --sparql")
    with ground(
        inputs, rules=rules, ontology=ontology, domain=domain, seconds=seconds, memory=memory
    ) as found:
        if sparql is not None:
            _sparql(found, sparql, graphs, seconds, memory, as_json)
            return
        answers = task_answers.query(
            found, text or "", graphs=graphs, seconds=seconds, explained=explain
        )
    if as_json:
        options.print_json({"query": text, **task_answers.answers_json(answers)})
    else:
        print_answers([(one.answer, one.derivations) for one in answers])


def _sparql(
    found: Ground,
    query: str,
    graphs: tuple[str, ...],
    seconds: float,
    memory: int | None,
    as_json: bool,
) -> None:
    from readmark.tasks.answers import result_json, run

    result = run(found, query, graphs=graphs, seconds=seconds, memory=memory)
    if as_json:
        options.print_json({"query": query, **result_json(result)})
    else:
        print_result(result)


# What rules derive, answers and derivations in a terminal.


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
