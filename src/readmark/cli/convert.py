"""``readmark convert``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark import console as options


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@options.from_option
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix]",
)
@click.option(
    "--with",
    "other_side",
    metavar="TEST",
    help="Parallel test in the other language, written into the same file (format brcc only).",
)
@click.option(
    "--repair",
    is_flag=True,
    help="Correct offsets that have exactly one possible position, and list the others.",
)
@click.option("--public", is_flag=True, help="Omit the keys of hidden splits.")
@click.option(
    "--hide",
    multiple=True,
    metavar="SPLIT",
    help="Split to hide in addition; needs --public (repeatable).",
)
@options.json_option
def convert_command(
    source: str,
    target: str,
    from_format: str | None,
    to_format: str | None,
    other_side: str | None,
    repair: bool,
    public: bool,
    hide: tuple[str, ...],
    as_json: bool,
) -> None:
    """Convert a test or a sitting between formats.

    The suffix of OUT selects the format: .jsonl is Readmark's own, .json SQuAD's and .brcc
    BRCC's; .gz and .zst compress. Anything that the target format cannot store is reported.
    """
    from readmark.core.errors import UsageError
    from readmark.formats.conversion import convert

    if hide and not public:
        raise UsageError("--hide goes with --public")
    done = convert(
        source,
        target,
        from_format=from_format,
        to_format=to_format,
        other_side=other_side,
        repair_offsets=repair,
        public=public,
        hide=hide,
    )
    if as_json:
        options.print_json(asdict(done))
        return
    options.notify(f"{done.format}: {line}" for line in done.lost)
    if done.repairs is not None:
        fixed, left = len(done.repairs.fixed), len(done.repairs.left)
        options.notify(f"{source}:{id}: not repaired: {reason}" for id, reason in done.repairs.left)
        options.notify([f"offsets repaired: {fixed}, left as they were: {left}"])
    if public:
        options.notify([f"units whose key was withheld: {done.withheld}"])
    options.notify([f"{target} written as {done.format}"])
