"""``readmark convert``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark import console as options


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@options.from_option
@click.option("--to", "to_format", metavar="FORMAT", help="The format to write; by OUT's suffix.")
@click.option(
    "--with",
    "other_side",
    metavar="TEST",
    help="A parallel test in the other language, written into the same file (brcc).",
)
@click.option(
    "--repair", is_flag=True, help="Mend offsets that have one possible place; list the rest."
)
@click.option("--public", is_flag=True, help="Leave out the key of hidden splits.")
@click.option(
    "--hide",
    multiple=True,
    metavar="SPLIT",
    help="With --public: a split to hide; may be repeated.",
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

    OUT ending in .jsonl is Readmark's own format, in .json SQuAD's, in .brcc BRCC's; .gz and .zst
    compress.
    What the target format cannot hold is named.
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
