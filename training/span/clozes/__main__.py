"""Makes a test of clozes for ``readmark train span``.

    python -m training.span.clozes PASSAGES.xz OUT.jsonl --language en --a-passage 5

PASSAGES.xz is made by ``benchmarks/span_data.py``: lines of a title and sentences, tabs between.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from training.span.clozes.articles import clozes_of, read_articles, records


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", choices=("en", "zh"), required=True)
    parser.add_argument("--a-passage", type=int, default=8, help="clozes per passage")
    parser.add_argument("--limit", type=int, help="passages to use")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    make_test(
        options.passages,
        options.out,
        language=options.language,
        a_passage=options.a_passage,
        limit=options.limit,
        seed=options.seed,
    )


def make_test(
    passages: Path,
    out: Path,
    *,
    language: str,
    a_passage: int = 8,
    limit: int | None = None,
    seed: int = 1,
) -> None:
    """Write a native test with up to ``a_passage`` clozes of each passage."""
    draw = Random(seed)
    made = (
        cloze
        for article in read_articles(passages)[:limit]
        for cloze in clozes_of(article, language, draw, a_passage)
    )
    save_test(in_memory(Header(name="clozes", language=language), list(records(made))), out)


if __name__ == "__main__":
    main()
