"""``readmark serve`` and ``readmark hall``: start the exam hall, and move its work in and out."""

from __future__ import annotations

from typing import Any

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
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, help="Port; 0 for any free one"
)
@click.option(
    "--allow-host",
    "allowed",
    metavar="NAME",
    multiple=True,
    help="Name that browsers may reach the hall by (repeatable)  [default: this machine's own]",
)
@click.option("--tls-certificate", "certificate", metavar="FILE", help="Certificate chain for TLS")
@click.option("--tls-key", "key", metavar="FILE", help="Private key of the certificate")
@click.option(
    "--behind-proxy",
    "proxy",
    metavar="ADDRESS",
    help="The https:// address of a reverse proxy that adds TLS",
)
@click.option("--demo", is_flag=True, help="Add a project with the bundled passages to try.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print address and link to stdout as one JSON document."
)
def serve_command(url: str, demo: bool, as_json: bool, **listening: Any) -> None:
    """Start the exam hall, where people write, mark and answer in the browser.

    The first start creates the database and prints a one-time link for the owner.
    """
    require_hall()
    from readmark.server.start import Listening, serve

    serve(url=url, listening=Listening(**listening), demo=demo, as_json=as_json)


def require_hall() -> None:
    """Ask for everything that the rest of this package imports."""
    require("alembic", "argon2", "fastapi", "pydantic", "python_multipart", "sqlalchemy")
    require("starlette", "uvicorn")
