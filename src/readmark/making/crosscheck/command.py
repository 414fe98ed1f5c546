"""``readmark set crosscheck``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from readmark import console as options
from readmark.console import Ticker
from readmark.core.errors import UsageError
from readmark.core.files import require_distinct_files

if TYPE_CHECKING:
    from readmark.making.crosscheck.comparison import CrossCheck
    from readmark.making.crosscheck.consistency import Consistency
    from readmark.making.crosscheck.corrections import Corrections

_ONLY_FOR_TWO = {
    "--corrections": ("english", "show"),
    "--consistency": ("names", "layers", "common", "from_b"),
}
"""Options that do nothing with each of the two other modes."""


@click.command("crosscheck")
@click.argument("tests", nargs=-1, metavar="A B")
@click.option(
    "-o",
    "--output",
    metavar="ADJUDICATION",
    help="File to write the disagreements to, for adjudication.",
)
@click.option(
    "--english", metavar="TEST", help="Parallel English test, shown with each disagreement."
)
@click.option(
    "--names",
    metavar="NAME,NAME",
    help="Names of the two annotators  [default: the names of their files]",
)
@click.option(
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
    help="Compare the noun phrases of one Chinese test with those of --english.",
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
@click.option("--from-b", metavar="FORMAT", help="Format of B  [default: same as A]")
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
    from_b: str | None,
    as_json: bool,
) -> None:
    """Compare two annotators' files A and B of the same passages, layer by layer.

    Words, noun phrases, entities, references and answer sentences of passages, questions and
    published keys are compared. Each disagreement is a line of ADJUDICATION with its position,
    both versions, the sentence and the parallel English; decisions already in that file are
    kept. The adjudicator adds "decision": "a", "b" or "other" and "by" to the line; set
    adjudicate then makes the gold test.

    With --corrections, A has the proposals of set annotate and B people's corrections. With
    --consistency, pass one Chinese test and --english: the noun phrases of both sides are
    counted and aligned, and those without a counterpart are listed.
    """
    from readmark.formats.registry import open_test
    from readmark.making.crosscheck.comparison import cross_check
    from readmark.making.crosscheck.english import english_side

    if corrections and consistency:
        raise UsageError("--corrections and --consistency are two different things; choose one")
    mode = "--corrections" if corrections else "--consistency" if consistency else ""
    _require_useful(mode)
    if len(tests) != (1 if consistency else 2):
        wanted = "one Chinese test" if consistency else "two annotators' files, A and B"
        raise UsageError(f"expected {wanted}, found {len(tests)}")
    if output is not None:
        if mode:
            raise UsageError("-o is for the disagreements of two annotators; use --json here")
        require_distinct_files([output], [*tests, english])
    opened = [
        open_test(path, format=format, split=split)
        for path, format in zip(tests, (from_format, from_b or from_format), strict=False)
    ]
    people: dict[str, Any] = {
        "names": options.fields(names),
        "layers": options.fields(layers),
        "common": common,
    }
    result: CrossCheck | Corrections | Consistency
    if corrections:
        from readmark.making.crosscheck.corrections import count_corrections

        result = count_corrections(*opened, **people)
    elif consistency:
        from readmark.making.crosscheck.consistency import compare_phrases

        result = compare_phrases(opened[0], english_side(opened[0], english), shown=show)
    else:
        with Ticker() as ticker:
            result = cross_check(
                *opened,
                english=english_side(opened[0], english),
                output=output,
                shown=show,
                watch=lambda done: ticker.count(done, opened[0].facts.records),
                **people,
            )
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)


def _require_useful(mode: str) -> None:
    """Refuse options that would do nothing."""
    context = click.get_current_context()
    for name in _ONLY_FOR_TWO.get(mode, ()):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"--{name.replace('_', '-')} does nothing with {mode}; leave it out")
