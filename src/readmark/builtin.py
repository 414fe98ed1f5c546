"""The rooms that add something to Readmark: what each adds is declared in its `plugins.py`.

Other packages add to the same groups with entry points (docs/extending.md). A declaration is a
name, where the thing lives and one line of prose; nothing is imported before it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from readmark.core.registry import Entry

_KIND = ("kinds", "formats", "candidates", "metrics")
_WORKS = ("adjudications", "works")

ROOMS: dict[str, tuple[str, ...]] = {
    "cli": ("commands",),
    "formats": ("formats",),
    "text": ("analysers",),
    "comprehension": (*_KIND, "transforms", "report_sections", "set_commands"),
    "llm": ("candidates", "metrics", "report_sections"),
    "sitting": ("candidates", "transforms"),
    "works": _WORKS,
    "series": (*_KIND, "transforms", "commands", "series_commands"),
    "readability": (*_KIND, "report_sections", "commands", "panel_commands", "works"),
    "tasks": (*_KIND, "report_sections", "commands", "task_commands", *_WORKS),
    "making": ("commands", "set_commands", *_WORKS),
    "reporting": ("report_sections",),
    "server": ("commands", "hall_commands", "works"),
}
"""Each room, and the groups that it adds to, so that a command imports what it asks for alone.

Where the order decides nothing, lists show the rooms' things in this one.
"""

ORDER = {
    # The first format that recognises a file reads it. Those of JSON Lines come before those that
    # ask for a JSON document and refuse the second line; the least particular come last.
    "readmark.formats": (
        "native",
        "flat",
        "parquet",
        "table",
        "squad",
        "squad2",
        "drcd",
        "smart",
        "cmrc2018",
        "c3",
        "brcc",
        "cbc4kids",
        "remedia",
        "brat",
        "conllu",
        "trec_series",
        "cast",
        "canard",
        "series_gold",
        "task",
        "statements",
        # Sittings, in the same way; any JSON object of texts is a dictionary of predictions.
        "sitting",
        "lm_eval_log",
        "inspect_log",
        "prediction_rows",
        "cast_automatic",
        "class_ratings",
        "predictions",
    ),
    # A paper goes through them in this order, and its rows come back in the reverse one.
    "readmark.transforms": ("cross", "shuffle_options", "rewrite", "without"),
    # As a test is made, from raw text to publication.
    "readmark.set_commands": (
        "text",
        "screen",
        "sheet",
        "collect",
        "annotate",
        "blind",
        "merge",
        "levels",
        "challenge",
        "split",
        "join",
        "filter",
        "translate",
        "crosscheck",
        "adjudicate",
        "agree",
        "quality",
        "export",
    ),
    # From the top of a report's page to its end.
    "readmark.report_sections": (
        "marks",
        "slices",
        "people",
        "splits",
        "levels",
        "errors",
        "positions",
        "spent",
        "panel",
        "derivations",
        "spread",
        "certainty",
        "repeats",
    ),
}
"""Where the order decides something: every name of such a group has its place here."""

REMOVED: dict[str, dict[str, str]] = {
    "readmark.formats": {"web_annotation": "use brat, conllu or native"},
    "readmark.candidates": {"learned": "use guided, which rewrites the same"},
}
"""What 0.5 had under a name, by group: what to use instead."""


def declared(room: str) -> Mapping[str, Mapping[str, Entry]]:
    """What a room adds, by group."""
    plugins: Mapping[str, Mapping[str, Entry]]
    plugins = import_module(f"readmark.{room}.plugins").PLUGINS
    return plugins


def groups() -> list[str]:
    """Every group that rooms add to; other packages may add to it too."""
    return sorted({f"readmark.{group}" for added in ROOMS.values() for group in added})


def entries(group: str) -> dict[str, Entry]:
    """What all rooms add to a group, in its order where it has one."""
    added: dict[str, Entry] = {}
    for room, its_groups in ROOMS.items():
        if group.removeprefix("readmark.") in its_groups:
            added |= declared(room)[group]
    return {name: added[name] for name in ORDER.get(group, added)}
