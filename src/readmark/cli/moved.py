"""Commands and options of 0.5 that are gone, and what to use instead.

A script written for 0.5 fails with one line that names the replacement. Remove an entry one
release after it was added. Removed plug-ins are listed in `builtin.py`, removed Python names in
`readmark/__init__.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

MOVED: dict[str, str] = {
    "task induce": "readmark train patterns",
    "train confidence": "readmark train span --scores TEST -o FOLDER",
    "train record": "readmark.training_record(SOURCE, ...).write(FILE) in Python",
    "train evidence": "python -m training.evidence in a checkout of the source",
    "panel raters": "readmark panel mark",
    "panel synthesise": "python -m reproductions.synthetic_panel in a checkout of the source",
    "series rewrite": "readmark sit SERIES -r REWRITER",
    "series mark": "readmark mark SERIES SITTING",
    "task check": "readmark check TASK",
    "task convert": "readmark convert IN OUT",
    "task mark": "readmark mark TASK SITTING",
    "set wiki": "readmark set text",
    "candidates": "readmark list candidates",
    "readers": "readmark list candidates",
    "rewriters": "readmark list candidates",
    "raters": "readmark list candidates",
    "extractors": "readmark list candidates",
    "metrics": "readmark list metrics",
    "formats": "readmark list formats",
    "kinds": "readmark list kinds",
    "readability": "readmark rate --formulas",
    "train rewriter": "readmark sit -r guided, which rewrites as learned did",
}
"""By the old command, such as "series rewrite": the command to use, such as "readmark sit"."""

_TOOK_SIDE = """
check, stats, convert, sit, mark, compare, people, rate, readability, harness export,
harness import, set screen, set sheet, set collect, set annotate, set blind, set merge, set levels,
set challenge, set split, set join, set filter, set crosscheck, set adjudicate, set agree,
set export, series table, series worst, series effect, series tune, panel pool, panel plan,
panel collect, panel mark
"""
"""The commands that took --side."""

REMOVED_OPTIONS: dict[str, str] = {
    "task infer --memory": "set files.memory in readmark.toml",
    "task query --memory": "set files.memory in readmark.toml",
    "task explain --memory": "set files.memory in readmark.toml",
    "--profile-config": "write --profile FILE, where the file begins with profile = NAME",
    "series effect --k1": "it is 1.2; in Python, EffectSettings(k1=...)",
    "series effect --b": "it is 0.75; in Python, EffectSettings(b=...)",
    "series effect --confidence": "intervals are at 95%",
    "series effect --interval": "intervals are percentiles of the draws",
    "table --layout": "leave it out; --by level prints a row for each level",
    "people --method": "leave it out; SITTINGs are a panel's, without them the key's answers count",
    "set agree --ordinal": "write --scale ordinal",
    "set translate --show-all": "write --full",
    "set crosscheck --from-b": "leave it out; if B's format is not recognised, convert it first",
    "set adjudicate --from-b": "leave it out; if B's format is not recognised, convert it first",
    "set screen --config": "write --profile FILE.toml",
    "panel pool --format": "leave it out; --no-format keeps texts as they are",
    "convert --compress": "end OUT, the folder of parts, in .gz or .zst",
    "get --list": "readmark get without a name lists the public tests",
    "get --base-url": "set READMARK_MIRROR in the environment",
    "get --max-size": "set files.download in readmark.toml",
    "get --timeout": "leave it out, a silent connection is retried after 60 seconds",
    "get --attempts": "leave it out, a connection is tried five times",
    "--prices": "set price of [models.NAME] in readmark.toml",
    "--timeout": "set models.NAME.timeout in readmark.toml",
    "--attempts": "set models.NAME.attempts in readmark.toml",
    "--requests-a-minute": "set models.NAME.requests_a_minute in readmark.toml",
    "--tokens-a-minute": "set models.NAME.tokens_a_minute in readmark.toml",
    "--max-tokens-total": "set limits.total_tokens in readmark.toml",
    "--max-cost-total": "set limits.total_cost in readmark.toml",
    "--address": "set ray.address in readmark.toml",
    "--cpus": "set ray.cpus in readmark.toml",
    "--gpus": "set ray.gpus in readmark.toml",
    "--batch": "set ray.batch in readmark.toml",
    "--hour-price": "set ray.hour_price in readmark.toml",
    "--allow": "use --set, such as --set files.line=256MB",
    "train span --distil": "set train.span.distil in readmark.toml",
    "train span --accumulate": "set train.span.accumulate in readmark.toml",
    "train span --average": "set train.span.average in readmark.toml",
    "train span --dropout": "set train.span.dropout in readmark.toml",
    "train span --layers": "set train.span.layers in readmark.toml",
    "train span --masked": "set train.span.masked in readmark.toml",
    "train span --padded": "set train.span.padded in readmark.toml",
    "train span --export": "leave it out, or set train.span.export in readmark.toml",
    "train span --no-export": "set train.span.export = false in readmark.toml",
    "panel power --drift": "write --expert-traits drift=N and --novice-traits drift=N",
    "panel power --stretch": "write --expert-traits stretch=N and --novice-traits stretch=N",
    "panel power --expert-bias": "write --expert-traits bias=N",
    "panel power --expert-noise": "write --expert-traits noise=N",
    "panel power --novice-bias": "write --novice-traits bias=N",
    "panel power --novice-noise": "write --novice-traits noise=N",
    "panel power --missing": "write --novice-traits missing=N",
    "panel power --find": "--target POWER finds the number of passages",
    "panel power --round": "leave it out, ratings are rounded to stars for proportional_target",
    "panel power --no-round": "ratings are rounded to stars for proportional_target",
    "panel power --draws": "leave it out, every panel takes 999 draws",
    **{
        f"{command} --side": "run `readmark convert FILE DIR/` and use DIR/en.jsonl or DIR/zh.jsonl"
        for command in " ".join(_TOOK_SIDE.split()).split(", ")
    },
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


_LANGUAGE_OF_FILE = re.compile(r"(.+):(en|zh)", re.DOTALL)


def moved_file(args: Sequence[str]) -> str | None:
    """The line for FILE:zh, which named a language of a file; None where no argument is such."""
    for arg in args:
        match = _LANGUAGE_OF_FILE.fullmatch(arg)
        if match and _is_file(match[1]) and not _is_file(arg):
            return f"{arg}: no such file; {_instead(*match.groups())}"
    return None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # too long, or with characters that no path has
        return False


def _instead(file: str, language: str) -> str:
    from readmark.core.errors import ReadmarkError
    from readmark.formats.registry import folder_of_languages, open_languages

    try:
        has_languages = len(open_languages(file)) > 1
    except ReadmarkError:
        has_languages = False
    if not has_languages:
        return f"{file} is one test: use {file}"
    folder = folder_of_languages(file)
    return (
        f"FILE:{language} is gone: run `readmark convert {file} {folder}` and use "
        f"{folder}{language}.jsonl"
    )
