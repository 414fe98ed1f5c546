"""``readmark serve`` and ``readmark hall``: start the exam hall, and move its work in and out."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.extras import require
from readmark.core.registry import Registry

VERBS = Registry("verb", "readmark.hall_commands")


@click.group("hall", cls=CommandGroup, registry=VERBS)
def hall_command() -> None:
    """Move work between an exam hall and files."""


@click.command("serve")
@click.option(
    "--db",
    "url",
    metavar="URL",
    default="sqlite:///readmark.db",
    help="Database: sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME",
)
@click.option("--host", default="127.0.0.1", help="Address to listen on")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="Port to listen on")
@click.option("--demo", is_flag=True, help="Add a project with the bundled passages to try.")
def serve_command(url: str, host: str, port: int, demo: bool) -> None:
    """Start the exam hall, where people write, mark and answer in the browser.

    The first start creates the database and prints a one-time link for the owner.
    """
    require("fastapi", "sqlalchemy", "alembic", "uvicorn", "argon2")
    from readmark.server.start import serve

    serve(url=url, host=host, port=port, demo=demo)
