"""Settling: versions by people or systems in; differences, decisions and what holds out.

Everything that people decide takes one path, whether a command or the exam hall asks:

1. Versions of one thing are grouped by who has them (`grouped_versions`). Where they differ there
   is a `Disagreement`: a line with a stable id, the versions, what an adjudicator wants to see, and
   a suggestion (`version_line` for any number of people).
2. Lines are a file (`write_adjudication`), or forms of a page. If the versions are compared again,
   `carry_decisions` keeps every decision about versions that have not changed.
3. Somebody decides. `read_adjudication` reads the file back, `require_work` refuses one of other
   work.
4. A gold is made of what holds: `settled_version`, or ``adopted`` of a line.

How versions are aligned and what the gold is stays with each use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.settling.adjudication import (
        AdjudicationHeader,
        ChosenSide,
        Disagreement,
        carry_decisions,
        free_name,
        read_adjudication,
        read_decisions,
        read_earlier,
        require_work,
        write_adjudication,
    )
    from readmark.settling.terminal import show_versions
    from readmark.settling.two_people import name_two, require_two
    from readmark.settling.versions import (
        VERSIONS,
        grouped_versions,
        settled_version,
        version_line,
        write_decision_lines,
    )

__all__ = [
    "VERSIONS",
    "AdjudicationHeader",
    "ChosenSide",
    "Disagreement",
    "carry_decisions",
    "free_name",
    "grouped_versions",
    "name_two",
    "read_adjudication",
    "read_decisions",
    "read_earlier",
    "require_two",
    "require_work",
    "settled_version",
    "show_versions",
    "version_line",
    "write_adjudication",
    "write_decision_lines",
]

__getattr__ = door(
    __name__,
    {
        "adjudication": (
            "AdjudicationHeader ChosenSide Disagreement carry_decisions free_name "
            "read_adjudication read_decisions read_earlier require_work write_adjudication"
        ),
        "terminal": "show_versions",
        "two_people": "name_two require_two",
        "versions": ("VERSIONS grouped_versions settled_version version_line write_decision_lines"),
    },
)
