"""What was published, in a terminal."""

from __future__ import annotations

from readmark.reporting.terminal import counted, make_console, plain_table
from readmark.setting.publishing.folder import Publication


def print_publication(done: Publication) -> None:
    """The splits and whether their keys are there; then every file with its size."""
    console = make_console()
    console.print(f"{done.name}: licence {done.licence}")
    table = plain_table("split", "records", f"{done.unit}s")
    table.add_column("key")
    for name, one in done.parts.items():
        key = "withheld" if one["withheld"] else "published"
        table.add_row(name, f"{one['records']:,}", f"{one['units']:,}", key)
    console.print(table)
    files = plain_table("file", "bytes")
    files.add_column("what it is", overflow="fold")
    for file in done.files:
        files.add_row(file.path, f"{file.size:,}", file.about)
    console.print(files)
    if done.withheld:
        console.print(f"without their key: {counted(done.withheld, done.unit)}")
    console.print(f"paper {done.paper}", style="dim")
    console.print(f"key   {done.key}", style="dim")
