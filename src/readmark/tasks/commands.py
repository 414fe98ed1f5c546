"""``readmark task``: formal reading tasks. Each command calls one function of this room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS
from readmark.core.registry import Registry

VERBS = Registry("verb", "readmark.task_commands")

Command = Callable[..., Any]
MOST_SECONDS = 1_000_000


@click.group("task", cls=options.CommandGroup, registry=VERBS)
def task_command() -> None:
    """Work with formal reading tasks: ontology, rules, queries, and answers with provenance."""


@click.command("new")
@click.argument("folder", metavar="FOLDER")
@options.json_option
def new_command(folder: str, as_json: bool) -> None:
    """Make FOLDER with a small, commented task to start from.

    It has two documents with annotated statements, an ontology with a subclass, a rule, a
    contradiction, guidelines and queries. Replace them with your own.
    """
    from readmark.tasks.task_folder import new_task

    _print(new_task(folder), as_json)


@click.command("pack")
@click.argument("source", metavar="FOLDER")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="TASK",
    help="Package to write: a new folder, or a file that ends in .zip.",
    type=OUTPUT_FILE,
)
@click.option(
    "--domain",
    metavar="NAME|FOLDER",
    help="Domain that supplies the ontology, rules, guidelines and queries.",
    type=WORDS,
)
@click.option(
    "--name",
    metavar="NAME",
    help="Name of the task  [default: from task.toml, otherwise the folder's name]",
    type=WORDS,
)
@click.option("--language", metavar="en|zh", help="Language of the documents.")
@click.option("--phase", metavar="NAME", help="Phase of the evaluation.")
@click.option(
    "--capability",
    "capabilities",
    multiple=True,
    metavar="TEXT",
    help="Reading or reasoning capability that is in scope (repeatable).",
    type=WORDS,
)
@click.option(
    "--annotation",
    type=click.Choice(["complete", "incomplete", "query-driven"]),
    help="Treat answers that are not in the gold as wrong (complete) or as unjudged  "
    "[default: complete]",
)
@click.option(
    "--hidden",
    multiple=True,
    metavar="SPLIT",
    help="Split whose answers are withheld (repeatable).",
)
@click.option(
    "--public",
    is_flag=True,
    help="Omit files that reveal the answers of hidden splits, and files without a known role.",
)
@click.option(
    "--keep", multiple=True, metavar="PATH", help="File that --public includes anyway (repeatable)."
)
@click.option("--anyway", is_flag=True, help="Pack the task even if it is inconsistent.")
@click.option(
    "--gold",
    type=click.IntRange(min=0),
    metavar="N",
    help="Version of the gold to pack  [default: the answers as they are]",
)
@options.json_option
@click.pass_context
def pack_command(
    ctx: click.Context,
    /,
    source: str,
    output: str,
    domain: str | None,
    public: bool,
    keep: tuple[str, ...],
    anyway: bool,
    gold: int | None,
    as_json: bool,
    **about: Any,
) -> None:
    """Pack FOLDER as a reading task; task.json lists every file with its role and hash.

    The names documents/SPLIT/ID.txt, ontology.ttl, rules.dsrs, annotations/, guidelines.md,
    queries.jsonl, answers.SPLIT.jsonl and background/ are recognised; task.toml describes the
    rest. The task is checked first. If it is inconsistent, nothing is written unless --anyway
    is given.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.packer import pack_task

    if keep and not public:
        raise UsageError("--keep goes with --public")
    result = pack_task(
        source,
        output,
        domain=domain,
        public=public,
        keep=keep,
        anyway=anyway,
        gold=gold,
        about=about,
    )
    _print(result, as_json)
    ctx.exit(result.failed)


# Options that infer, query and explain share: which rules and which ontology.


def reasoning_options(command: Command) -> Command:
    """--rules, --ontology, --domain and --across."""
    for option in (
        click.option(
            "--across",
            is_flag=True,
            help="Treat all documents as one graph, with entities linked by declared identities.",
        ),
        click.option(
            "--domain",
            metavar="NAME|FOLDER",
            help="Domain that supplies the ontology and rules.",
            type=WORDS,
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


def seconds_option(default: float, help: str) -> Callable[[Command], Command]:
    """--seconds, which is above 0."""

    def checked(_: click.Context, __: click.Parameter, value: float) -> float:
        from readmark.core.errors import UsageError

        if not 0 < value <= MOST_SECONDS:
            fault = "is not above 0" if not value > 0 else f"is above {MOST_SECONDS:,}"
            raise UsageError(f"--seconds {value:g} {fault}")
        return value

    return click.option("--seconds", type=float, default=default, help=help, callback=checked)


def search_options(command: Command) -> Command:
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


@click.command("infer")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@reasoning_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the derived statements to this file: .graph, .nq, .ttl, .rdf, ...",
    type=OUTPUT_FILE,
)
@click.option(
    "--show",
    type=int,
    default=20,
    help="Maximum number of statements and of contradictions to print",
)
@click.option(
    "--contexts",
    is_flag=True,
    help="List the most probable consistent groups of statements that contradict each other.",
)
@seconds_option(
    600.0, "Time limit for the rules in seconds; a large .nq file has this much for each 64 MB"
)
@options.json_option
@click.pass_context
def infer_command(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    output: str | None,
    show: int,
    contexts: bool,
    as_json: bool,
    **reasoning: Any,
) -> None:
    """Run rules over the statements of TASKs or FILEs (.graph, .ttl, .rdf, .nt, .nq, .trig).

    Prints the derived statements and everything that contradicts the rules or the ontology,
    each contradiction with a minimal set of statements to repair, and properties and classes that
    the ontology does not have. Exits with status 1 if there is any of these.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.inferring import run_rules
    from readmark.tasks.knowledge_base import Reasoning
    from readmark.tasks.reasoning.contradictions import MOST

    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    result = run_rules(
        inputs,
        Reasoning(**reasoning),
        output=output,
        show=None if as_json else show,
        most=max(show, MOST) if as_json else show,
        contexts=contexts,
    )
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)
    ctx.exit(result.failed)


@click.command("annotate")
@click.argument("source", metavar="FILE")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="File to write: statements (.statements, .trig, .nq, .ttl, .rdf, .nt) or marks (.ann for "
    "brat, or .jsonl).",
    type=OUTPUT_FILE,
)
@click.option(
    "--categories",
    required=True,
    metavar="DOMAIN|TASK|FILE",
    help="Annotation categories: a bundled domain, a task, or a categories.toml.",
)
@click.option(
    "--text",
    metavar="FILE",
    help="Text of the document  [default: the .txt file next to FILE]",
)
@click.option(
    "--annotator", metavar="NAME", help="Who made the marks  [default: as FILE says, if it does]"
)
@options.json_option
@click.pass_context
def annotate_command(
    ctx: click.Context,
    source: str,
    output: str,
    categories: str,
    text: str | None,
    annotator: str | None,
    as_json: bool,
) -> None:
    """Turn the marks of annotators into statements by annotation categories, and back.

    FILE is marks (brat .ann with its .txt, or a test with layers), which become statements, or
    statements, which become marks. Whatever no category covers is listed; the exit status
    is then 1.
    """
    from readmark.tasks.categories.conversion import convert_marks

    result = convert_marks(source, output, categories=categories, text=text, annotator=annotator)
    _print(result, as_json)
    ctx.exit(result.failed)


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
@reasoning_options
@search_options
@options.json_option
def query_command(
    inputs: tuple[str, ...],
    text: str | None,
    sparql: str | None,
    explain: bool,
    graphs: tuple[str, ...],
    as_json: bool,
    **reasoning: Any,
) -> None:
    """Answer a query graph over the statements of TASKs or FILEs and everything derived from them.

    An answer gives every variable a value within one document; --explain shows the rules and
    excerpts behind it. In SPARQL, every document is a named graph, and the default graph has
    every statement once. Queries are read-only and cannot reach other servers.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.knowledge_base import Reasoning
    from readmark.tasks.querying import answer_query, answer_sparql

    if (text is None) == (sparql is None):
        raise UsageError("give one of -q and --sparql")
    if sparql is not None and explain:
        raise UsageError("--explain explains the answers of -q, not those of --sparql")
    settings = Reasoning(**reasoning)
    if graphs and settings.across:
        raise UsageError("--graph chooses documents, which --across makes one graph")
    if text is not None:
        answers = answer_query(inputs, text, settings, graphs=graphs, explained=explain)
        options.print_result(answers, as_json=as_json)
        return
    result = answer_sparql(inputs, sparql or "", settings, graphs=graphs)
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)


@click.command("explain")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@click.option(
    "-s",
    "--statement",
    "text",
    metavar="GRAPH",
    help="Statement to explain, such as '(Game-1 numberOfPeriods 5)'. With variables, "
    "every matching statement is explained.",
)
@click.option(
    "--contradictions",
    is_flag=True,
    help="Explain everything that contradicts the rules or the ontology instead.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the derivations to this file: .html, .rdf, .ttl or .nt.",
    type=OUTPUT_FILE,
)
@reasoning_options
@search_options
@options.json_option
@click.pass_context
def explain_command(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    text: str | None,
    contradictions: bool,
    output: str | None,
    graphs: tuple[str, ...],
    as_json: bool,
    **reasoning: Any,
) -> None:
    """Show why statements hold: rules, antecedents and denials, down to the excerpts.

    An .html file shows the passages side by side with the derivations. Exits with status 1 if
    no statement matches, or with --contradictions if there is one.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.explaining import explain_contradictions, explain_statements
    from readmark.tasks.knowledge_base import Reasoning

    if (text is None) == (not contradictions):
        raise UsageError("give one of -s and --contradictions")
    settings = Reasoning(**reasoning)
    if graphs and settings.across:
        raise UsageError("--graph chooses documents, which --across makes one graph")
    if text is not None:
        result = explain_statements(inputs, text, settings, graphs=graphs, output=output)
    else:
        result = explain_contradictions(inputs, settings, graphs=graphs, output=output)
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)
    ctx.exit(bool(result.derivations) == contradictions)


@click.command("decompose")
@click.argument("domain", metavar="DOMAIN", type=WORDS)
@click.argument("scores", nargs=-1, metavar="[SCORE]...", type=WORDS)
@click.option(
    "--statements",
    multiple=True,
    metavar="TASK|FILE",
    help="Decompose the totals in these statements instead of SCOREs (repeatable).",
)
@click.option(
    "--side", "sides", multiple=True, metavar="NAME", help="Side that no SCORE names (repeatable)."
)
@click.option(
    "--known",
    multiple=True,
    metavar="FACT",
    help="Known fact about the counts, such as 'field_goal >= 2' or 'Jets.safety == 1' "
    "(repeatable).",
)
@click.option("--running", is_flag=True, help="Treat the last SCORE as that of an unfinished game.")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10,
    help="Maximum number of combinations to show",
)
@options.json_option
def decompose_command(
    domain: str,
    scores: tuple[str, ...],
    statements: tuple[str, ...],
    sides: tuple[str, ...],
    known: tuple[str, ...],
    running: bool,
    most: int,
    as_json: bool,
) -> None:
    """List the possible compositions of scores, most likely first, by the quantities of a DOMAIN.

    DOMAIN is a bundled domain (nfl_scoring), a folder or a file. A SCORE is 'Falcons 3, Jets
    0', or '6 to 3' if the sides are unknown; add 'by kick' to name the event that led to this
    score. Several SCOREs are in chronological order. The probabilities of all combinations sum
    to 1.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.decompositions.totals import decompose, decompose_stated

    if bool(scores) == bool(statements):
        raise UsageError("give SCOREs or --statements")
    if not statements:
        final = not running
        result = decompose(domain, scores, sides=sides, known=known, final=final, most=most)
        options.print_result(result, as_json=as_json)
        return
    if sides or known or running:
        raise UsageError("--side, --known and --running go with SCOREs")
    _print(decompose_stated(domain, statements, most=most), as_json)


@click.command("queries")
@click.argument("domain", metavar="DOMAIN|ONTOLOGY", type=WORDS)
@click.argument("attested", nargs=-1, metavar="[TASK|FILE]...")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="JSON Lines file to write the queries to  [default: print them]",
    type=OUTPUT_FILE,
)
@options.list_option(
    "--sorts",
    metavar="SORT,...",
    default="property,class,joint",
    help="Queries to make: property, class, joint (two properties together)",
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    help="Language of the questions",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    help="Maximum number of attested values per property, sampled by frequency  [default: all]",
)
@click.option("--seed", type=int, default=1, help="Random seed for the samples")
@options.json_option
def queries_command(
    domain: str,
    attested: tuple[str, ...],
    output: str | None,
    sorts: str,
    language: str,
    most: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Make queries for the properties and classes of an ontology, each with a question.

    Questions are those of the ontology (rm:question), else made from its labels. TASKs and FILEs
    of statements add queries for the values that they attest, stated or inferred by the domain's
    rules.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.query_making import SORTS, write_queries

    wanted = tuple(filter(None, sorts.split(",")))
    for sort in wanted:
        if sort not in SORTS:
            raise UsageError(f"--sorts {sort}: expected one of {', '.join(SORTS)}")
    result = write_queries(
        domain, attested, output=output, sorts=wanted, language=language, most=most, seed=seed
    )
    _print(result, as_json)


@click.command("gold")
@click.argument("task", metavar="TASK")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="JSON Lines file to write the answers to.",
    type=OUTPUT_FILE,
)
@click.option("--split", metavar="NAME", help="Use only documents of this split  [default: all]")
@click.option("--annotator", metavar="NAME", help="Use only this annotator's graphs.")
@click.option(
    "--adjudicated",
    multiple=True,
    metavar="FILE",
    help="Pool with the verdicts filled in (repeatable).",
)
@click.option("--revise", is_flag=True, help="Let verdicts in --adjudicated replace earlier ones.")
@click.option(
    "--drop",
    is_flag=True,
    help="Make a version with --adjudicated even if it lacks right answers of the gold.",
)
@click.option(
    "--gold",
    "version",
    type=click.IntRange(min=0),
    metavar="N",
    help="Version of the gold to write  [default: the newest]",
)
@click.option("--history", is_flag=True, help="List the versions of the gold, and write nothing.")
@click.option(
    "--union",
    is_flag=True,
    help="Combine the graphs of all annotators of a document; the answers record this.",
)
@click.option(
    "--as-sitting",
    is_flag=True,
    help="Write the annotator's answers as a sitting, for `mark --people`.",
)
@click.option(
    "--domain",
    metavar="NAME|FOLDER",
    help="Domain that supplies the ontology, rules and queries.",
    type=WORDS,
)
@options.json_option
def gold_command(
    task: str,
    output: str | None,
    split: str | None,
    annotator: str | None,
    adjudicated: tuple[str, ...],
    revise: bool,
    drop: bool,
    version: int | None,
    history: bool,
    union: bool,
    as_sitting: bool,
    domain: str | None,
    as_json: bool,
) -> None:
    """Answer the queries of TASK from its annotated graphs: explicit and inferred answers.

    TASK is a packed task or a folder to pack. Answers derived by rules are inferred. Documents
    that contradict the theory get no answers; repair them first. Adjudicated answers are added
    with the judge and the reason, and recorded as a new version of the gold in the task's
    history.jsonl. A version starts from the answers that TASK has; without any, documents with
    several annotators have the answers that all of them gave. Without adjudication, choose one
    --annotator or take the --union.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.gold_versions import gold_history, make_gold, make_sitting

    if history:
        _print(gold_history(task), as_json)
        return
    if output is None:
        raise UsageError("Missing option '-o' / '--output'.")
    if as_sitting:
        if annotator is None or adjudicated or domain or union:
            raise UsageError("--as-sitting takes a packed task and --annotator, and no more")
        _print(make_sitting(task, output, annotator=annotator, split=split), as_json)
        return
    if union and (annotator is not None or adjudicated):
        raise UsageError("--union goes with neither --annotator nor --adjudicated")
    if version is not None and adjudicated:
        raise UsageError("--gold writes an earlier version; --adjudicated makes a new one")
    result = make_gold(
        task,
        output,
        split=split,
        annotator=annotator,
        adjudicated=adjudicated,
        revise=revise,
        drop=drop,
        version=version,
        union=union,
        domain=domain,
    )
    _print(result, as_json)


@click.command("sheet")
@click.argument("task", metavar="TASK")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Sheet to write (.csv, .tsv or .xlsx), or with --answers the sitting.",
    type=OUTPUT_FILE,
)
@click.option("--answers", metavar="SHEET", help="Completed sheet to read.")
@click.option("--annotator", metavar="NAME", help="Who completed the sheet.")
@options.split_option
@options.json_option
def sheet_command(
    task: str,
    output: str,
    answers: str | None,
    annotator: str | None,
    split: str | None,
    as_json: bool,
) -> None:
    """Write the questions of TASK as a sheet for people, or read their answers as a sitting.

    A row is a question on a document, with a column for each value that it asks for and one for
    the words of the answer. Further answers are further rows with the same id, or without one.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.query_sheet import read_query_sheet, write_query_sheet

    if (answers is None) != (annotator is None):
        raise UsageError("--answers and --annotator go together")
    if answers is None or annotator is None:
        _print(write_query_sheet(task, output, split=split), as_json)
    else:
        result = read_query_sheet(task, answers, output, annotator=annotator, split=split)
        _print(result, as_json)


@click.command("extract")
@click.argument("domain", metavar="DOMAIN", type=WORDS)
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@click.option(
    "-r",
    "--reader",
    "extractor",
    default="patterns",
    show_default=True,
    metavar="EXTRACTOR",
    help="Extractor that reads, such as patterns(reason=false); see readmark list candidates",
)
@options.json_option
@click.pass_context
def extract_command(
    ctx: click.Context, domain: str, texts: tuple[str, ...], extractor: str, as_json: bool
) -> None:
    """Read TEXTs into statements of DOMAIN and print entities with what follows from them.

    DOMAIN is a bundled domain (nfl_scoring), a folder or a task. A TEXT is a plain text, whose id
    is its name without the suffix, or JSON Lines (.jsonl) with id and text. Exits with status 1 if
    a text cannot be read, and prints the others.
    """
    from readmark.tasks.extraction.extract import extract

    result = extract(domain, texts, extractor=extractor)
    _print(result, as_json)
    ctx.exit(result.failed)


@click.command("statements")
@click.argument("task", metavar="TASK")
@click.argument("file", required=False, metavar="[FILE|FOLDER]")
@click.option(
    "-r",
    "--reader",
    "extractor",
    metavar="EXTRACTOR",
    help="Extractor that reads the documents, instead of a file of statements.",
)
@options.split_option
@click.option("--seed", type=int, default=1, help="Random seed for the intervals")
@options.json_option
def statements_command(
    task: str,
    file: str | None,
    extractor: str | None,
    split: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Compare the statements in FILE with those annotated in TASK, by class and property.

    To have the same statements answer the task's queries, sit it with statements(file=FILE).
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.extraction.statement_marks import mark_statements

    if (file is None) == (extractor is None):
        raise UsageError("name a file of statements, or an extractor with -r")
    reader = extractor or f'statements(file="{file}")'
    _print(mark_statements(task, reader, split=split, seed=seed), as_json)


@click.command("pool")
@click.argument("task", metavar="TASK")
@click.argument("sittings", nargs=-1, required=True, metavar="SITTING...")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="JSON Lines file to write the answers to judge to.",
    type=OUTPUT_FILE,
)
@options.split_option
@options.json_option
def pool_command(
    task: str, sittings: tuple[str, ...], output: str, split: str | None, as_json: bool
) -> None:
    """Pool the unjudged answers of SITTINGs, each once with its excerpts.

    Fill in verdict (right, wrong, out_of_bounds), by and why, then pass the file to task gold
    --adjudicated.
    """
    from readmark.tasks.gold_versions import make_pool

    _print(make_pool(task, sittings, output, split=split), as_json)


def _print(result: Any, as_json: bool) -> None:
    """A result; its notes are in its JSON."""
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)
