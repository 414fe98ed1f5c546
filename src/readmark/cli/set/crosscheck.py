"""``readmark set crosscheck``."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from readmark.cli import options
from readmark.cli.ticker import Ticker
from readmark.corpus.errors import UsageError
from readmark.corpus.outputs import require_apart

if TYPE_CHECKING:
    from readmark.corpus.test import Test
    from readmark.setting.crosscheck.checking import CrossCheck
    from readmark.setting.crosscheck.english import English


@click.command("crosscheck")
@click.argument("tests", nargs=-1, metavar="A B")
@click.option("-o", "--output", metavar="ADJUDICATION", help="The disagreements, to be decided.")
@click.option("--english", metavar="TEST", help="The parallel English test, shown beside.")
@click.option("--names", metavar="NAME,NAME", help="The two annotators; their files' names if not.")
@click.option(
    "--layers", metavar="NAME,...", help="What to compare; what both files have if not given."
)
@click.option("--common", is_flag=True, help="Leave out passages that one file does not have.")
@click.option("--corrections", is_flag=True, help="A is a proposal, B what people made of it.")
@click.option(
    "--consistency", is_flag=True, help="One Chinese test: its noun phrases and the English ones."
)
@click.option(
    "--show",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="Disagreements, or phrases without a counterpart, to print.",
)
@options.from_option
@click.option("--from-b", metavar="FORMAT", help="B's format, where it is not A's.")
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
    from_format: str | None,
    from_b: str | None,
    as_json: bool,
) -> None:
    """Compare two annotators' files A and B of the same passages, layer by layer.

    Words, noun phrases, entities, references and answer sentences, of passages, questions and
    published keys. Each disagreement is a line of ADJUDICATION with its place, both versions, the
    sentence around it and the parallel English; decisions that stand in that file are kept. Who
    adjudicates writes "decision": "a", "b" or "other" and "by" into the line; set adjudicate then
    makes the gold.

    With --corrections, A is what set annotate proposed and B what people made of it. With
    --consistency there is one Chinese test and --english: noun phrases of both sides are counted
    and aligned, and those without a counterpart listed.
    """
    from readmark.corpus.formats import open_test
    from readmark.setting.crosscheck.english import English, open_english

    if corrections and consistency:
        raise UsageError("--corrections and --consistency are two different things; choose one")
    _require_useful("--corrections" if corrections else "--consistency" if consistency else "")
    if len(tests) != (1 if consistency else 2):
        wanted = "one Chinese test" if consistency else "two annotators' files, A and B"
        raise UsageError(f"expected {wanted}, found {len(tests)}")
    if output is not None:
        if corrections or consistency:
            raise UsageError("-o is for the disagreements of two annotators; use --json here")
        require_apart([output], [*tests, english])
    first = open_test(tests[0], format=from_format)
    if corrections:
        second = open_test(tests[1], format=from_b or from_format)
        _corrections(first, second, tests, names, layers, common, as_json)
        return
    beside = (
        English(open_english(english)) if english is not None else _own_english(tests[0], first)
    )
    if consistency:
        _consistency(first, beside, show, as_json)
        return
    second = open_test(tests[1], format=from_b or from_format)
    _crosscheck(first, second, tests, beside, names, layers, common, output, show, as_json)


_USELESS = {
    "--corrections": ("english", "show"),
    "--consistency": ("names", "layers", "common", "from_b"),
}
"""Options that say nothing of each of the two other things that can be done."""


def _require_useful(doing: str) -> None:
    """Refuse options that would do nothing."""
    context = click.get_current_context()
    for name in _USELESS.get(doing, ()):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"--{name.replace('_', '-')} does nothing with {doing}; leave it out")


def _own_english(path: str, test: Test) -> English | None:
    """The English side of a file that holds both, when the Chinese one is read."""
    from readmark.corpus.formats import open_test, sides_of
    from readmark.setting.crosscheck.english import ENGLISH_SIDE, English

    if test.header.language == "zh" and ENGLISH_SIDE in sides_of(path):
        return English(open_test(path, format=ENGLISH_SIDE))
    return None


def _crosscheck(
    first: Test,
    second: Test,
    tests: tuple[str, ...],
    english: English | None,
    names: str | None,
    layers: str | None,
    common: bool,
    output: str | None,
    show: int,
    as_json: bool,
) -> None:
    from readmark.reporting.crosscheck import print_crosscheck, to_do
    from readmark.setting.adjudication import write_adjudication
    from readmark.setting.crosscheck.checking import cross_check, names_of
    from readmark.sitting.runner import Progress

    called = names_of(tests[0], tests[1], options.fields(names))
    total = first.facts.records
    ticker = Ticker()
    began = time.monotonic()
    try:
        made = cross_check(
            first,
            second,
            names=called,
            english=english,
            layers=options.fields(layers),
            common=common,
            watch=lambda done: ticker.show(Progress(total, 0, done, 0, time.monotonic() - began)),
        )
    finally:
        ticker.end()
    if output is not None:
        _keep_decisions(made, output)
        write_adjudication(output, made.header, made.rows)
    if as_json:
        options.print_json(_document(made, output))
    else:
        print_crosscheck(made, show=show)
    options.say(made.notes)
    if output is not None:
        options.say([f"{output}: {to_do(made.rows)}"])


def _keep_decisions(made: CrossCheck, output: str) -> None:
    """Decisions that stand in the file are kept; those about other versions go to a file beside."""
    from readmark.reporting.terminal import counted
    from readmark.setting.adjudication import read_adjudication, write_adjudication
    from readmark.setting.crosscheck.rows import outside, with_decisions
    from readmark.setting.crosscheck.scope import scope_of

    if not Path(output).is_file() or not Path(output).stat().st_size:
        return
    header, earlier = read_adjudication(output)
    if (header.work, header.a, header.b) != (made.header.work, made.header.a, made.header.b):
        raise UsageError(
            f"{output}: is the adjudication of {header.a} and {header.b} ({header.work}); "
            "write to another file"
        )
    if lost := outside(earlier, scope_of(header) or {}, made.scope):
        raise UsageError(
            f"{output}: has decisions about {', '.join(lost)}, which this would not compare; "
            "compare them too, or write to another file"
        )
    made.rows, gone = with_decisions(made.rows, earlier)
    if gone:
        beside = _free(output)
        write_adjudication(beside, header, gone)
        shown = ", ".join(one.id for one in gone[:3]) + (", …" if len(gone) > 3 else "")
        made.notes.append(
            f"{counted(len(gone), 'decision')} about versions that are no more, now in {beside}: "
            f"{shown}"
        )


def _free(output: str) -> str:
    """A name beside the file that nothing has."""
    numbers = ("", *map(str, range(2, 10_000)))
    return next(name for at in numbers if not Path(name := f"{output}.dropped{at}").exists())


def _document(made: CrossCheck, output: str | None) -> dict[str, Any]:
    return {
        "a": made.header.a,
        "b": made.header.b,
        "output": output,
        "passages": made.passages,
        "texts": made.texts,
        "layers": {name: {**asdict(one), "f1": one.f1} for name, one in made.counts.items()},
        "disagreements": made.rows,
        "notes": made.notes,
    }


def _corrections(
    first: Test,
    second: Test,
    tests: tuple[str, ...],
    names: str | None,
    layers: str | None,
    common: bool,
    as_json: bool,
) -> None:
    from readmark.reporting.crosscheck import print_corrections
    from readmark.setting.crosscheck.checking import names_of
    from readmark.setting.crosscheck.corrections import corrections

    called = names_of(tests[0], tests[1], options.fields(names))
    made = corrections(first, second, names=called, layers=options.fields(layers), common=common)
    if as_json:
        told = {
            name: {
                **asdict(one),
                "precision": one.precision,
                "recall": one.recall,
                "f1": one.f1,
            }
            for name, one in made.layers.items()
        }
        options.print_json(
            {
                "proposed": called[0],
                "corrected": called[1],
                "passages": made.passages,
                "sources": made.sources,
                "layers": told,
                "notes": made.notes,
            }
        )
    else:
        print_corrections(made.layers, called)
    options.say(made.notes)


def _consistency(test: Test, english: English | None, show: int, as_json: bool) -> None:
    from readmark.reporting.consistency import print_consistency
    from readmark.setting.crosscheck.consistency import consistency

    if english is None:
        raise UsageError("--consistency needs the English side: --english TEST")
    made = consistency(test, english)
    if as_json:
        options.print_json(made.told())
    else:
        print_consistency(made, show=show)
    options.say(made.notes)
