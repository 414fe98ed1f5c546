"""``readmark doctor``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark.cli import options


@click.command("doctor")
@options.json_option
@click.pass_context
def doctor_command(ctx: click.Context, as_json: bool) -> None:
    """What works here: versions, extras, licences, and what to install for the rest.

    Exit 1 when a package of the base is missing.
    """
    from readmark.workflows.doctor import EXTRAS, broken_plugins, examine, missing

    machine, parts = examine()
    absent = missing(parts)
    if as_json:
        options.print_json(
            {
                "machine": machine,
                "packages": [asdict(part) for part in parts],
                "missing": absent,
                "broken_plugins": broken_plugins(),
            }
        )
    else:
        from readmark.reporting.terminal import make_console, plain_table

        console = make_console()
        for name, value in machine.items():
            console.print(f"{name} {value}", soft_wrap=True)
        table = plain_table("package", "extra", "version", "licence")
        for part in parts:
            table.add_row(part.package, part.extra, part.version or "missing", part.licence)
        console.print(table)
        for name, why in broken_plugins().items():
            console.print(f"{name}: {why}", soft_wrap=True)
        for extra, purpose in EXTRAS.items():
            if extra not in absent:
                console.print(f"{extra}: ready ({purpose})")
            else:
                lacking = ", ".join(absent[extra])
                command = "readmark" if extra == "base" else f"'readmark[{extra}]'"
                console.print(
                    f"{extra}: lacks {lacking} ({purpose}); pip install {command}", markup=False
                )
    ctx.exit(1 if "base" in absent else 0)
