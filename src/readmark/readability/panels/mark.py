"""``readmark panel mark``: raters are compared with people, with or without experts.

With experts in the key that is in ``novice_comparison``, without them in ``peer_comparison``.
"""

from __future__ import annotations

from dataclasses import replace

import click

from readmark import console as options
from readmark.console import OUTPUT_FOLDER
from readmark.core.error_rows import listed_errors
from readmark.core.errors import UsageError
from readmark.formats.registry import open_test
from readmark.marking import MarkSettings
from readmark.readability.kind import expert_names
from readmark.readability.panels.class_tables import by_row_option
from readmark.readability.panels.equivalence import MARGIN
from readmark.readability.panels.novice_comparison import compare_with_novices
from readmark.readability.panels.novice_tables import PanelTables
from readmark.readability.panels.peer_comparison import compare_with_peers
from readmark.readability.panels.peer_ratings import REFERENCES
from readmark.readability.panels.peer_tables import PeerTables

# Parameters of options that have a meaning in one of the two comparisons alone.
_WITH_EXPERTS = ("by", "rounded", "output")
_WITHOUT_EXPERTS = ("metrics", "margin", "reference")


@click.command("mark")
@click.argument("test")
@click.argument("sittings", nargs=-1, required=True, metavar="SITTING...")
@click.option(
    "--novice",
    "novices",
    multiple=True,
    metavar="SITTING",
    help="Sitting with a novice's ratings, a folder of them, or a table with a column per novice "
    "(repeatable)  [default: the raters in TEST's key, and no experts]",
)
@click.option(
    "--no-experts",
    is_flag=True,
    help="Compare with the novices alone, although TEST's key has experts.",
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="Without experts: metric to compare by (repeatable): score_difference, pearson, "
    "spearman, kendall  [default: the first three]",
)
@click.option(
    "--margin",
    type=float,
    default=MARGIN,
    help="Without experts: difference that is too small to matter, in stars for "
    "score_difference, else in correlation",
)
@click.option(
    "--reference",
    type=click.Choice(list(REFERENCES)),
    default="mean",
    help="Without experts: how the ratings of the others are combined",
)
@options.list_option(
    "--by", metavar="FIELD,...", help="With experts: break the results down by these fields."
)
@click.option(
    "--draws",
    type=int,
    help="With experts, times that novices' ratings are drawn in place of the machine's; "
    "without, bootstrap samples for the intervals; up to 1,000,000  [default: 10000; 1000]",
)
@options.seed_option
@click.option(
    "--round/--no-round",
    "rounded",
    default=None,
    help="With experts: round ratings to whole stars for proportional_target, or take them as "
    "given  [default: rounded if the experts gave whole stars]",
)
@click.option(
    "-o",
    "--output",
    metavar="FOLDER",
    help="With experts: folder to write the marksheets to, for a report.",
    type=OUTPUT_FOLDER,
)
@by_row_option
@options.errors_option
@options.split_option
@options.from_option
@options.full_option
@options.format_option
@options.json_option
@click.pass_context
def mark_command(
    ctx: click.Context,
    test: str,
    sittings: tuple[str, ...],
    novices: tuple[str, ...],
    no_experts: bool,
    metrics: tuple[str, ...],
    margin: float,
    reference: str,
    by: str | None,
    draws: int | None,
    seed: int,
    rounded: bool | None,
    output: str | None,
    by_row: bool,
    errors_as_wrong: bool,
    split: str | None,
    from_format: str | None,
    full: bool,
    as_format: str,
    as_json: bool,
) -> None:
    """Test whether raters are as good as people: mark each SITTING against the experts.

    With experts in TEST's key and --novice, reports score_difference, proportional_target and
    pearson, each with the probability that ratings drawn from the novices do as well. Also
    compares the rater with each novice as a whole judge, and marks each novice like a machine.

    Without experts, leaves each rater out in turn, and compares how well that rater and the
    machine agree with the others. A verdict says whether the machine is equivalent to the average
    rater, within the margin, or better or worse. --full also compares it with each rater.
    """
    if no_experts and not novices:
        raise UsageError("--no-experts needs --novice SITTING: the raters to compare with")
    opened = open_test(test, format=from_format, split=split)
    opened.require_kind("readability")
    has_experts = bool(novices) and not no_experts and bool(expert_names(opened))
    for parameter in ctx.command.params:
        is_of_other = parameter.name in (_WITHOUT_EXPERTS if has_experts else _WITH_EXPERTS)
        if is_of_other and options.is_given(str(parameter.name)):
            where = "without experts" if has_experts else "with experts in the key and --novice"
            raise UsageError(f"{parameter.opts[-1]} is for a panel {where}")
    settings = MarkSettings(seed=seed)
    result: PanelTables | PeerTables
    if has_experts:
        result = compare_with_novices(
            opened,
            sittings,
            novices,
            by=options.fields(by),
            settings=settings if draws is None else replace(settings, trials=draws),
            round=rounded,
            by_row=by_row,
            folder=output,
        )
    else:
        result = compare_with_peers(
            opened,
            sittings,
            novices,
            metrics=metrics,
            margin=margin,
            reference=reference,
            settings=settings if draws is None else replace(settings, draws=draws),
            by_row=by_row,
        )
    options.notify(result.notes)
    options.print_result(result, as_json=as_json, as_format=as_format, full=full)
    if output:
        options.notify([f"marksheets written to {output}; readmark report {output}/*.marks.jsonl"])
    for name, ids in result.failed.items():
        options.notify([f"{name}: {listed_errors(ids, counted=errors_as_wrong)}"])
    if result.failed and not errors_as_wrong:
        ctx.exit(1)
