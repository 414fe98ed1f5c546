"""Words and tables in Markdown, whatever the words are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def plain(text: str) -> str:
    """Words on one line that no reader of Markdown takes for HTML."""
    return " ".join(text.split()).replace("<", "&lt;")


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()
) -> Iterator[str]:
    """A table and the empty line after it; the columns of ``numbers`` stand to the right."""
    rules = ["---:" if index in numbers else "---" for index in range(len(header))]
    for row in (header, rules, *rows):
        cells = (plain(cell).replace("|", "\\|") for cell in row)
        yield f"| {' | '.join(cells)} |"
    yield ""
