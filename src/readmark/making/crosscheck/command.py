"""``readmark set crosscheck``: two annotators, a proposal and its correction, or two languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.formats.registry import open_test
from readmark.making.crosscheck.comparison import CrossCheck, cross_check
from readmark.making.crosscheck.english import English

if TYPE_CHECKING:
    from readmark.making.crosscheck.consistency import Consistency
    from readmark.making.crosscheck.corrections import Corrections

_UNUSED = {
    "--corrections": ("english", "show"),
    "--consistency": ("names", "layers", "common", "english"),
}
"""Options that --corrections and --consistency do not use, by the names of their parameters."""


@click.command("crosscheck")
@click.argument("tests", nargs=-1, metavar="A B")
@click.option(
    "-o",
    "--output",
    metavar="ADJUDICATION",
    help="File to write the disagreements to, for adjudication.",
    type=OUTPUT_FILE,
)
@click.option(
    "--english", metavar="TEST", help="Parallel English test, shown with each disagreement."
)
@options.list_option(
    "--names",
    metavar="NAME,NAME",
    help="Names of the two annotators  [default: the names of their files]",
)
@options.list_option(
    "--layers", metavar="NAME,...", help="Layers to compare  [default: all that both files have]"
)
@click.option("--common", is_flag=True, help="Compare only passages that both files have.")
@click.option(
    "--corrections",
    is_flag=True,
    help="Treat A as automatic proposals and B as people's corrections.",
)
@click.option(
    "--consistency",
    is_flag=True,
    help="Compare the noun phrases of two parallel tests, one in English and one in Chinese.",
)
@click.option(
    "--show",
    type=click.IntRange(min=0),
    default=10,
    metavar="N",
    help="Maximum number of disagreements, or of unmatched phrases, to print",
)
@options.split_option
@options.from_option
@options.json_option
def crosscheck_command(
    tests: tuple[str, ...],
    output: str | None,
    english: str | None,
    names: str | None,
    layers: str | None,
    common: bool,
    corrections: bool,
    consistency: bool,
    show: int,
    split: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Compare two annotators' files A and B of the same passages, layer by layer.

    Words, noun phrases, entities, references and answer sentences of passages, questions and
    published keys are compared. Each disagreement is a line of ADJUDICATION with its position,
    both versions, the sentence and the parallel English; decisions already in that file are
    kept. The adjudicator adds "decision": "a", "b" or "other" and "by" to the line; set
    adjudicate then makes the gold test.

    With --corrections, A has the proposals of set annotate and B people's corrections. With
    --consistency, A and B are an English and a Chinese test with equal parallel ids: the noun
    phrases of both are counted and aligned, and those without a counterpart are listed.
    """
    if corrections and consistency:
        raise UsageError("--corrections and --consistency cannot be combined; choose one")
    mode = ""
    if corrections or consistency:
        mode = "--corrections" if corrections else "--consistency"
    for name in _UNUSED.get(mode, ()):
        if options.is_given(name):
            raise UsageError(f"--{name.replace('_', '-')} does nothing with {mode}; leave it out")
    if len(tests) != 2:
        expected = "an English and a Chinese test" if consistency else "two annotators' files"
        raise UsageError(f"expected {expected}, A and B; found {len(tests)}")
    if output is not None:
        if mode:
            raise UsageError("-o is for the disagreements of two annotators; use --json here")
        require_distinct_files([output], [*tests, english])
    opened = [open_test(path, format=from_format, split=split) for path in tests]
    settings: dict[str, Any] = {
        "names": options.fields(names),
        "layers": options.fields(layers),
        "common": common,
    }
    result: CrossCheck | Corrections | Consistency
    if corrections:
        from readmark.making.crosscheck.corrections import count_corrections

        result = count_corrections(*opened, **settings)
    elif consistency:
        from readmark.making.crosscheck.consistency import compare_phrases

        result = compare_phrases(*opened, shown=show)
    else:
        first, second = opened
        if {first.language, second.language} == {"en", "zh"}:
            raise UsageError(
                f"{first.file} is in {first.language}, {second.file} in {second.language}; "
                "--consistency compares parallel tests"
            )
        with Ticker() as ticker:
            result = cross_check(
                *opened,
                english=None if english is None else English(open_test(english)),
                output=output,
                shown=show,
                watch=lambda done: ticker.count(done, opened[0].facts.records),
                **settings,
            )
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)
