"""``readmark set crosscheck``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from readmark import console as options
from readmark.console import Ticker
from readmark.core.display import ABSENT, headline, make_console, plain_table
from readmark.core.errors import UsageError
from readmark.core.files import require_apart
from readmark.core.records import Offsets
from readmark.making.crosscheck.consistency import Consistency, TextConsistency

if TYPE_CHECKING:
    from readmark.core.test import Test
    from readmark.making.crosscheck.comparison import CrossCheck
    from readmark.making.crosscheck.english import English


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
    from readmark.making.crosscheck.english import English, open_english

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
    from readmark.formats.registry import open_test, sides_of
    from readmark.making.crosscheck.english import ENGLISH_SIDE, English

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
    from readmark.making.adjudication import write_adjudication
    from readmark.making.crosscheck.adjudicate import print_crosscheck, to_do
    from readmark.making.crosscheck.comparison import cross_check, names_of
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
    options.notify(made.notes)
    if output is not None:
        options.notify([f"{output}: {to_do(made.rows)}"])


def _keep_decisions(made: CrossCheck, output: str) -> None:
    """Decisions that stand in the file are kept; those about other versions go to a file beside."""
    from readmark.core.display import counted
    from readmark.making.adjudication import read_adjudication, write_adjudication
    from readmark.making.crosscheck.comparison import outside, with_decisions
    from readmark.making.crosscheck.items import scope_of

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
    from readmark.making.crosscheck.adjudicate import print_corrections
    from readmark.making.crosscheck.comparison import names_of
    from readmark.making.crosscheck.corrections import corrections

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
    options.notify(made.notes)


def _consistency(test: Test, english: English | None, show: int, as_json: bool) -> None:
    from readmark.making.crosscheck.consistency import consistency

    if english is None:
        raise UsageError("--consistency needs the English side: --english TEST")
    made = consistency(test, english)
    if as_json:
        options.print_json(made.told())
    else:
        print_consistency(made, show=show)
    options.notify(made.notes)


# Noun phrases of two languages beside each other in a terminal.


def print_consistency(made: Consistency, *, show: int) -> None:
    """Counts a passage (questions together), then the phrases without a counterpart."""
    console = make_console()
    passages = [one for one in made.texts if one.unit is None]
    questions = [one for one in made.texts if one.unit is not None]
    console.print(headline("noun phrases", ": ", made.chinese, f" compared with {made.english}"))
    table = plain_table("passage", "English", "Chinese", "aligned", "of Chinese", "")
    for one in passages:
        table.add_row(one.record, *_cells([one]), "far apart" if one.far else "")
    table.add_section()
    table.add_row("passages", *_cells(passages), "")
    if questions:
        table.add_row("questions", *_cells(questions), "")
    console.print(table)
    left = show
    for one in made.texts:
        if left <= 0:
            break
        left -= _print_alone(console, one)
    alone = sum(1 for one in made.texts if one.english_alone or one.chinese_alone)
    if show and alone > show:
        console.print(f"and {alone - show:,} more texts; --show {alone} lists them all")


def _cells(texts: Sequence[TextConsistency]) -> list[str]:
    english = sum(len(one.english) for one in texts)
    chinese = sum(len(one.chinese) for one in texts)
    pairs = sum(len(one.pairs) for one in texts)
    share = f"{100 * pairs / chinese:.1f}%" if chinese else ABSENT
    return [f"{english:,}", f"{chinese:,}", f"{pairs:,}", share]


def _print_alone(console: Console, one: TextConsistency) -> int:
    """The phrases of a text that have no counterpart; how many texts were printed."""
    if not one.english_alone and not one.chinese_alone:
        return 0
    name = one.record if one.unit is None else f"{one.record}:{one.unit}"
    console.print(Text(name, "bold"))
    for label, text, spans in (
        ("Chinese without a counterpart", one.chinese_text, one.chinese_alone),
        ("English without a counterpart", one.english_text, one.english_alone),
    ):
        if spans:
            said = f"{label}: {_quotes(text, spans)}"
            console.print(Padding(Text(said), (0, 0, 0, 2), expand=False))
    return 1


def _quotes(text: str, spans: Sequence[Offsets]) -> str:
    return ", ".join(" ".join(text[slice(*span)].split()) for span in spans)
