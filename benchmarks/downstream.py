"""What rewriting does to retrieval and reading of the bundled series, as a table in Markdown.

Rows of each language: sentences alone, then passages, paragraphs and sentences among a background.

Run: readmark set text ../shared/data/wiki/en.txt.gz -o wiki.en.jsonl (and so for zh)
     python benchmarks/downstream.py --background wiki.en.jsonl --background wiki.zh.jsonl
     --background ../shared/data/xquad/en.json --background ../shared/data/xquad/zh.json
"""

from __future__ import annotations

import argparse

from readmark.formats.inputs import load
from readmark.marking.settings import MarkSettings
from readmark.series.effect.result import Effect
from readmark.series.effect.rewriting_effect import bundled
from readmark.series.effect.series_effect import series_effect
from readmark.series.effect.settings import STRATEGIES, EffectSettings

COLUMNS = ("mrr", "recall@1", "recall@5")
NAMES = {"en": "English", "zh": "Chinese"}


def main() -> None:
    """Every row of the table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--background", action="append", default=[])
    asked.add_argument("--rewriter", action="append", default=[])
    given = asked.parse_args()
    background = [load(one) for one in given.background]
    heads = ("language", "searched", "strategy", *(f"`{column}`" for column in COLUMNS))
    print(f"| {' | '.join((*heads, '`f1` retrieved', '`f1` right'))} |")
    print(f"|{' --- |' * (len(heads) + 2)}")
    with bundled() as pairs:
        for series, passages in pairs:
            own = [one for one in background if one.language == series.language]
            for unit, beside in (
                ("sentence", []),
                ("passage", own),
                ("paragraph", own),
                ("sentence", own),
            ):
                how = EffectSettings(
                    rewriters=(*STRATEGIES, *given.rewriter),
                    unit=unit,
                    background=beside,
                    settings=MarkSettings(draws=1, trials=1),
                )
                print_rows(series_effect(series, passages, how))


def print_rows(effect: Effect) -> None:
    """A row a strategy."""
    for name in effect.strategies:
        ranked = [effect.retrieval.marks[name][column].score or 0.0 for column in COLUMNS]
        read = [part.marks[name]["f1"].score or 0.0 for part in (effect.retrieved, effect.right)]
        cells = [NAMES[effect.language], f"{effect.searched:,} {effect.unit}s", f"`{name}`"]
        cells += [f"{one:.3f}" for one in ranked] + [f"{one:.1f}" for one in read]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
