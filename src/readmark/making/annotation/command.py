"""``readmark set annotate``: layers of analysers on the texts of a test."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.distinct_files import require_distinct_files
from readmark.core.records import PAPER_LAYERS
from readmark.formats.registry import open_test
from readmark.making.annotation.annotated_test import AnnotationSettings, annotate_test


@click.command("annotate")
@click.argument("test")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="Annotated test to write.",
    type=OUTPUT_FILE,
)
@options.list_option(
    "--layers",
    default=",".join(PAPER_LAYERS),
    metavar="NAME,...",
    help="Layers to create; types and answers propose question types and answer sentences",
)
@click.option(
    "--lexicon", metavar="FILE", help="Additional words for Chinese segmentation, one per line."
)
@click.option(
    "--hmm/--no-hmm",
    default=True,
    help="Detect Chinese words that are not in the dictionary",
)
@click.option("--keys", is_flag=True, help="Also annotate published keys.")
@click.option(
    "--mentions",
    is_flag=True,
    help="Propose referents of he, it, they, 他, 它 and definite descriptions (the rider, "
    "这位骑手) as mentions in the key.",
)
@click.option(
    "--english",
    metavar="TEST",
    help="Parallel English test: types in --layers are those of its questions.",
)
@click.option("--force", is_flag=True, help="Replace existing layers, including corrected ones.")
@options.workers_option
@options.engine_option
@options.split_option
@options.from_option
@options.to_option
@options.json_option
def annotate_command(
    test: str,
    output: str,
    layers: str,
    lexicon: str | None,
    english: str | None,
    split: str | None,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
    workers: int,
    engine: str,
    **flags: Any,
) -> None:
    """Analyse the passages and questions of a TEST and store the layers in OUT.

    OUT is written completely or not at all. Its suffix selects the format, as for convert;
    .jsonl is Readmark's own, which stores everything. People can correct the proposed layers;
    set crosscheck --corrections then measures their changes. Existing layers are kept, because
    they may have been corrected; --force replaces them. The text stays the same, so existing
    sittings can still be marked. With types or answers in --layers, the key gets proposals:
    HumSent ignores proposed sentences until a person confirms them. Passages and questions with
    a language of their own are analysed in that language.
    """
    require_distinct_files([output], [test, lexicon])
    source = open_test(test, format=from_format, split=split)
    settings = AnnotationSettings(tuple(options.fields(layers)), lexicon, **flags)
    with Ticker() as ticker:
        result = annotate_test(
            source,
            output,
            settings,
            english=english,
            format=to_format,
            watch=lambda done: ticker.count(done, source.facts.records, "record"),
            workers=workers,
            engine=engine,
        )
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.closing)
