"""Tables as LaTeX, for papers and ``--format latex``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after the end of a row it would begin an argument
    "--": "-{}-",  # else a dash
    "−": "$-$",
    "\n": " ",
}
_MINUS = re.compile(r"(?<![\w)-])-(?=[0-9])")
"""A hyphen that is a minus: LaTeX has one in mathematics only."""
_SIGN = re.compile("|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True)))


def latex_table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """A table of booktabs: the first columns hold words, the others numbers, to the right."""
    columns = "l" * words + "r" * (len(heads) - words)
    lines = [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", _row(heads), r"\midrule"]
    lines += [*map(_row, rows), r"\bottomrule", r"\end{tabular}"]
    return "".join(f"{line}\n" for line in lines)


def latex_comment(text: str) -> str:
    """Lines that stand with a table in the file, and not on the page."""
    return "".join(f"% {line.strip()}\n" for line in text.splitlines() if line.strip())


def _row(cells: Sequence[str]) -> str:
    return f"{' & '.join(map(_latex, cells))} \\\\"


def _latex(text: str) -> str:
    """Text as LaTeX shows it unchanged, in one line."""
    return _SIGN.sub(lambda sign: _SIGNS[sign[0]], _MINUS.sub("−", text))
