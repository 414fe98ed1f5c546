"""Starting a hall: database, secret, the owner's link, and the server."""

from __future__ import annotations

from pathlib import Path

import click
import uvicorn
from fastapi import FastAPI
from sqlalchemy import make_url

from readmark.server.app import create_app
from readmark.server.database import Database
from readmark.server.settings import SECRET_FILE, HallSettings, read_secret


def open_hall(url: str, *, folder: Path | None = None, **options: object) -> FastAPI:
    """The application on an upgraded database; the secret is in the database's folder."""
    if folder is None:
        file = make_url(url).database if url.startswith("sqlite") else None
        folder = Path(file).parent if file else Path()
    settings = HallSettings(url=url, secret=read_secret(folder / SECRET_FILE), **options)  # type: ignore[arg-type]
    database = Database(url)
    database.upgrade()
    return create_app(settings, database)


def serve(*, url: str, host: str, port: int, demo: bool) -> None:
    """Run the hall until it is interrupted."""
    app = open_hall(url, shows_demo=demo)
    click.echo(f"readmark: http://{host}:{port}/", err=True)
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
