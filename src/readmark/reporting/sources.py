"""What became of a source, for a terminal: articles read and used, and the others by reason."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from readmark.reporting.terminal import counted, make_console, plain_table
from readmark.setting.sources.building import Built
from readmark.setting.sources.cleaning import RULES

REASONS = {
    "redirect": "a redirect",
    "namespace": "a page that is no article",
    "not_wikitext": "a page of another content model",
    "disambiguation": "a page that tells others apart",
    "empty": "no text",
    "too_short": "shorter than articles are to be",
    "too_long": "longer than articles are to be",
    "too_large": "larger than a wiki lets a page be",
    "no_passage": "too little text for a passage",
    "repeated": "an id that was there before",
    "not_text": "a file that is no text",
    "unclosed": "damaged: the end is missing",
    "outside": "damaged: text between articles",
    "encoding": "damaged: not UTF-8",
    "json": "damaged: not a JSON object",
    "markup": "damaged: wikitext that cannot be parsed",
    "short_rest": "a rest too short for a passage",
    "long_sentence": "a sentence longer than a passage",
    "heading": "a heading with no passage after it",
    "tail": "references, notes, links and the like",
}
"""Every reason in words."""


def print_built(built: Built) -> None:
    """Passages made, then what gave none, what was left out, and what was swept up."""
    console = make_console()
    counts = built.counts
    passages = counted(counts.passages, "passage")
    used = f"{counts.used:,} of {counted(counts.articles, 'article')}"
    said = f": {passages}, {counts.characters:,} characters, from {used}"
    console.print(Text.assemble((built.output, "bold"), said))
    if counts.converted:
        console.print(f"converted to simplified characters: {counted(counts.converted, 'passage')}")
    if counts.mixed:
        console.print(f"with traditional characters that stay: {counted(counts.mixed, 'passage')}")
    for title, found, words in (
        ("not taken", counts.not_taken, REASONS),
        ("left out of articles", counts.left_out, REASONS),
        ("cleaned", counts.cleaned, RULES),
    ):
        if found:
            console.print(_table(title, found, words))


def _table(title: str, counts: Mapping[str, int], words: Mapping[str, str]) -> Table:
    table = plain_table(title, "count", "what it is")
    table.columns[-1].justify = "left"
    for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        table.add_row(name, f"{count:,}", words.get(name, ""))
    return table
