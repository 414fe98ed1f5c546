"""Stored boards hold standings, as ``table`` and reports make them: format 1 becomes format 2.

Boards are rewritten here rather than read in two ways for ever: then everything that reads a board
knows one format, and a version that was cited shows what it always did.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

FACTS = ("number", "system", "team", "description", "is_ensemble", "origin", "phase", "received")


def upgrade() -> None:
    connection = op.get_bind()
    # One at a time: a board of a thousand submissions is megabytes of text.
    for (id,) in connection.execute(sa.text("SELECT id FROM board_versions")).all():
        text = connection.scalar(
            sa.text("SELECT content FROM board_versions WHERE id = :id"), {"id": id}
        )
        board = json.loads(text)
        if board.get("format") == 1:
            content = json.dumps(format_2(board), ensure_ascii=False, separators=(",", ":"))
            connection.execute(
                sa.text("UPDATE board_versions SET content = :content WHERE id = :id"),
                {"id": id, "content": content},
            )


def format_2(board: dict[str, Any]) -> dict[str, Any]:
    """A board whose rows and columns are standings, and whose submissions have no marks."""
    best = {row["submission"]: row for row in board["rows"]}
    systems = Counter(map(_system, board["submissions"]))
    rows = [] if board["people"] is None else [_people(board["people"]["splits"])]
    submissions = {}
    for entry in board["submissions"]:
        id = entry["submission"]
        row = best.get(id, {})
        rows.append(_row(entry, row))
        submissions[id] = {name: entry[name] for name in FACTS}
        submissions[id]["of_system"] = row.get("submissions") or systems[_system(entry)]
    order = board["order"]
    return {
        "format": 2,
        "kind": board["kind"],
        "standings": {
            "columns": {"splits": board["splits"], "metrics": board["metrics"]},
            "rows": rows,
            "fields": board["fields"],
            "order": {"split": order["split"], "metrics": [order["metric"]]},
        },
        "submissions": submissions,
        "alpha": board["alpha"],
        "ladder": board["ladder"],
        "smallest_slice": board["smallest_slice"],
        "decided": board["decided"],
    }


def _system(entry: dict[str, Any]) -> tuple[Any, ...]:
    return entry["team"], entry["system"], entry["is_ensemble"]


def _people(splits: dict[str, Any]) -> dict[str, Any]:
    who = dict.fromkeys(part.get("who", "people") for part in splits.values())
    method = ", ".join(dict.fromkeys(part["method"] for part in splits.values()))
    return {
        "name": f"{' and '.join(who)} ({method})",
        "splits": {name: _split(part, part["by"]) for name, part in splits.items()},
        "method": method,
    }


def _row(entry: dict[str, Any], best: dict[str, Any]) -> dict[str, Any]:
    """A submission's row; only the best one of its system has ranks, a next row and slices."""
    slices = best.get("by", {})
    row = {
        "name": entry["system"],
        "key": entry["submission"],
        "splits": {
            name: _split(part, slices.get(name, {})) for name, part in entry["splits"].items()
        },
    }
    if best.get("rank") is not None:
        row["ranks"] = best["rank"]
    if (compared := best.get("next")) is not None:
        row["next"] = {name: compared[name] for name in ("p", "units", "clusters", "signature")}
        row["next"]["row"] = compared["submission"]
        if "difference" in compared:  # the split of the order is public
            exact = ("difference", "low", "high", "detectable")
            row["next"]["exact"] = {name: compared[name] for name in exact}
    return row


def _split(part: dict[str, Any], by: dict[str, Any]) -> dict[str, Any]:
    names = ("units", "marks", "withheld", "answered", "seen", "method", "who", "people")
    split = {name: part[name] for name in names if name in part}
    return {**split, "by": by} if by else split
