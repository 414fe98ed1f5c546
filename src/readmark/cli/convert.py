"""``readmark convert``."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE


@click.command("convert")
@click.argument("sources", nargs=-1, required=True, metavar="IN...")
@click.argument("target", metavar="OUT", type=OUTPUT_FILE)
@options.split_option
@options.from_option
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix]",
)
@click.option(
    "--with",
    "ontology",
    metavar="FILE",
    help="OWL file whose spelling the names in statements follow.",
)
@click.option(
    "--repair",
    is_flag=True,
    help="Correct offsets if the answer occurs exactly once in the passage; list the others.",
)
@click.option("--public", is_flag=True, help="Omit the keys of hidden splits.")
@click.option(
    "--hide",
    multiple=True,
    metavar="SPLIT",
    help="Treat this split as hidden too; needs --public (repeatable).",
)
@click.option(
    "--passages",
    metavar="PATH",
    help="Where a table's passages are (a folder of text files, a table or a test), or the text "
    "of statements  [default: the table itself and its folder; the .txt file next to the "
    "statements]",
)
@click.option(
    "--parts",
    type=int,
    metavar="N",
    help="Write N files of about equal size to the new folder OUT, such as parts or parts.zst. "
    "Every command reads such a folder as one test or sitting.",
)
@options.json_option
def convert_command(
    sources: tuple[str, ...],
    target: str,
    split: str | None,
    from_format: str | None,
    to_format: str | None,
    ontology: str | None,
    repair: bool,
    public: bool,
    hide: tuple[str, ...],
    passages: str | None,
    parts: int | None,
    as_json: bool,
) -> None:
    """Convert a test, a sitting or the statements of a reading task between formats.

    The suffix of OUT selects the format: .jsonl is Readmark's own, .json is SQuAD's, .csv and
    .xlsx are tables of questions, and .brcc is BRCC's; .gz and .zst compress. Anything that the
    target format cannot store is reported. Statements (.statements, .ttl, .trig, .nq, .nt, .rdf)
    are converted into each other without loss. With the extra "remote", IN and OUT may be
    addresses such as s3://bucket/test.jsonl.

    If IN is a BRCC file in two languages, OUT is a folder that gets a test for each:
    OUT/en.jsonl and OUT/zh.jsonl. Give both as IN to write one BRCC file again.
    """
    from readmark.formats.conversion import convert

    done = convert(
        sources,
        target,
        from_format=from_format,
        split=split,
        to_format=to_format,
        ontology=ontology,
        repair_offsets=repair,
        public=public,
        hide=hide,
        passages=passages,
        parts=parts,
    )
    options.print_written(done, as_json=as_json)
