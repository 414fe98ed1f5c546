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
    rules = ["---:" if at in numbers else "---" for at in range(len(header))]
    for row in (header, rules, *rows):
        yield f"| {' | '.join(plain(one).replace('|', chr(92) + '|') for one in row)} |"
    yield ""
