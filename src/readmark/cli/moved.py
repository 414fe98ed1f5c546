"""Commands and options of 0.5 that are gone, and what to use instead.

A script written for 0.5 fails with one line that names the replacement. Remove an entry one
release after it was added.
"""

from __future__ import annotations

import click

MOVED: dict[str, str] = {
    "train rewriter": "the rewriter guided, which rewrites as learned did",
}
"""By the old command, such as "series rewrite": the command to use, such as "readmark sit"."""

REMOVED_OPTIONS: dict[str, str] = {}
"""By the old option, such as "--timeout": what to write instead, as a sentence without its subject:
"set models.NAME.timeout in readmark.toml"."""


def moved_command(path: str) -> str | None:
    """The line for a command that is gone, or None if there never was one."""
    replacement = MOVED.get(path)
    return None if replacement is None else f"readmark {path} is gone: use {replacement}"


def removed_option(error: click.NoSuchOption) -> str | None:
    """The line for an option that is gone, or None if there never was one."""
    replacement = REMOVED_OPTIONS.get(error.option_name)
    return None if replacement is None else f"{error.option_name} is gone: {replacement}"
