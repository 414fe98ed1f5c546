"""Commands and options of 0.5 that are gone, and what to use instead.

A script written for 0.5 fails with one line that names the replacement. Remove an entry one
release after it was added. Removed plug-ins are listed in `builtin.py`, removed Python names in
`readmark/__init__.py`.
"""

from __future__ import annotations

import click

MOVED: dict[str, str] = {
    "series rewrite": "readmark sit SERIES -r REWRITER",
    "series mark": "readmark mark SERIES SITTING",
    "task mark": "readmark mark TASK SITTING",
    "set wiki": "readmark set text",
    "train rewriter": "readmark sit -r guided, which rewrites as learned did",
}
"""By the old command, such as "series rewrite": the command to use, such as "readmark sit"."""

REMOVED_OPTIONS: dict[str, str] = {
    "--prices": "set price of [models.NAME] in readmark.toml",
    "--allow": "use --set, such as --set files.line=256MB",
}
"""By the old option, such as "--side", or by command and option, such as "sit --timeout": what to
write instead, as a sentence without its subject: "set models.NAME.timeout in readmark.toml"."""


def moved_command(path: str) -> str | None:
    """The line for a command that is gone, or None if there never was one."""
    replacement = MOVED.get(path)
    return None if replacement is None else f"readmark {path} is gone: use {replacement}"


def removed_option(error: click.NoSuchOption) -> str | None:
    """The line for an option that is gone, or None if there never was one."""
    command = "" if error.ctx is None else error.ctx.command_path.removeprefix("readmark").strip()
    replacement = option_replacement(command, error.option_name)
    return None if replacement is None else f"{error.option_name} is gone: {replacement}"


def option_replacement(command: str, option: str) -> str | None:
    """What REMOVED_OPTIONS says: an entry of the command comes before one of all commands."""
    return REMOVED_OPTIONS.get(f"{command} {option}", REMOVED_OPTIONS.get(option))
