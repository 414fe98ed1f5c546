"""``readmark compare``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from readmark import console as options


@click.command("compare")
@click.argument("test")
@click.argument("a")
@click.argument("others", nargs=-1, required=True, metavar="B [C...]")
@click.option(
    "-m",
    "--metric",
    metavar="METRIC",
    help="Metric to compare  [default: the kind's main metric, f1 for comprehension]",
)
@options.trials_option
@options.draws_option
@options.confidence_option
@options.paired_interval_option
@options.seed_option
@click.option("--alpha", type=float, default=0.05, help="Significance level")
@click.option(
    "--fail-if-worse",
    is_flag=True,
    help="Exit with status 1 if any sitting is worse than A with p < alpha.",
)
@options.errors_option
@options.from_option
@options.json_option
@click.pass_context
def compare_command(
    ctx: click.Context,
    test: str,
    a: str,
    others: tuple[str, ...],
    metric: str | None,
    trials: int,
    draws: int,
    confidence: float,
    interval: str,
    seed: int,
    alpha: float,
    fail_if_worse: bool,
    errors_as_wrong: bool,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Compare sittings (or marksheets) of a TEST: each of B, C... against A.

    A paired randomisation test swaps whole passages between the two, TRIALS times; the
    difference is B - A. With several comparisons, p-values are Holm-adjusted.
    """
    from readmark.core.errors import UsageError
    from readmark.formats.registry import load
    from readmark.marking import mark as api
    from readmark.marking.marks import Settings

    if not 0 < alpha < 1:
        raise UsageError(f"alpha {alpha} is not between 0 and 1")
    loaded = load(test, format=from_format)
    found = api.compare(
        loaded,
        a,
        *others,
        metric=metric,
        settings=Settings(
            seed=seed, draws=draws, trials=trials, confidence=confidence, interval=interval
        ),
        errors_as_wrong=errors_as_wrong,
    )
    options.notify(found[0].notes)
    documents: list[dict[str, Any]] = [asdict(one) for one in found]
    for document in documents:
        del document["notes"]  # they are on stderr
    if as_json:
        options.print_json(
            documents[0]
            if len(documents) == 1
            else {"metric": found[0].metric, "a": found[0].a, "comparisons": documents}
        )
    else:
        from readmark.reporting.comparisons import print_comparisons

        print_comparisons(found, alpha=alpha, noun=loaded.kind.record_noun)
    failed = [one for one in found if one.failed]
    for one in failed:
        both = f"{one.a} and {one.b}"
        options.notify(
            [f"{both}: answers without a reply: {one.failed:,}; compare again to ask again"]
        )
    worse = [one.b for one in found if one.worse(alpha)]
    if fail_if_worse and worse:
        options.notify([f"significantly worse than {found[0].a}: {', '.join(worse)}"])
    if failed or (fail_if_worse and worse):
        ctx.exit(1)
