"""Starting a hall: database, secret, the owner's link, and the server."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import ssl
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import uvicorn
from fastapi import FastAPI

from readmark.core.ending import ENDING
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.server.access import Hall
from readmark.server.app import create_app
from readmark.server.database import Database, reported
from readmark.server.demo import add_demo
from readmark.server.engine import sqlite_file
from readmark.server.hall_secret import SECRET_FILE, read_secret
from readmark.server.invitations import has_owner, invite_first_owner
from readmark.server.operations.logs import configure_logs
from readmark.server.serve_options import EVERYWHERE, Listening, Running, bracketed, sorted_options
from readmark.server.settings import HallSettings, read_rules
from readmark.server.shared_tasks.worker import start_workers, stop_workers


def open_hall(
    url: str, *, folder: Path | None = None, secret: str | None = None, **options: object
) -> FastAPI:
    """The application on an upgraded database; the secret is in the database's folder."""
    database = Database(url)
    create_file(url)
    settings = HallSettings(
        url=url,
        secret=read_secret(secret_file(url, secret, folder)),
        **options,  # type: ignore[arg-type]
    )
    with reported(url):
        database.upgrade()
    return create_app(settings, database)


def create_file(url: str) -> None:
    """Create the file of a new SQLite database, which nobody else can read.

    SQLite gives its other files the mode of this one.
    """
    if file := sqlite_file(url):
        try:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise DataError(f"cannot be opened ({error.strerror})", file=file) from error


def secret_file(url: str, secret: str | None = None, folder: Path | None = None) -> Path:
    """The file of the hall's secret: the given one, or the one next to the database."""
    if secret is not None:
        return Path(secret)
    file = sqlite_file(url)
    return (folder or (Path(file).parent if file else Path())) / SECRET_FILE


def open_as_asked(url: str, listening: Listening, running: Running, *, demo: bool) -> FastAPI:
    """The application as the options of ``readmark serve`` describe it."""
    listening.check()
    running.check()
    rules = read_rules(running.settings)
    return open_hall(
        url,
        secret=running.secret,
        shows_demo=demo,
        hosts=listening.hosts(),
        is_secure=listening.is_secure,
        origin=(listening.proxy or "").rstrip("/").lower(),
        largest_upload=rules.limits.upload_mb << 20,
        largest_project=rules.limits.project_mb and rules.limits.project_mb << 20,
        largest_assignment=rules.limits.assignment_mb << 20,
        retention=rules.retention,
        metrics_from=running.metrics_from,
        logs_addresses=running.log_addresses,
    )


def application() -> FastAPI:
    """The hall for an ASGI server: ``uvicorn --factory readmark.server.start:application``.

    The options of ``readmark serve`` come from their environment variables. Where the server
    listens is the server's own option.
    """
    from readmark.server.commands import require_hall, serve_command

    require_hall()
    try:
        # click keeps a command's first help option, and the command line's has two names
        with serve_command.make_context("serve", [], help_option_names=[]) as context:
            url, demo, listening, running = sorted_options(**context.params)
        app = open_as_asked(url, listening, running, demo=demo)
        require_owner(app.state.hall)
    except (click.ClickException, ReadmarkError) as error:
        message = error.format_message() if isinstance(error, click.ClickException) else str(error)
        raise SystemExit(f"readmark: {message}") from error
    configure_logs(running.log_format, running.log_level)
    return app


def serve(*, as_json: bool, **options: Any) -> None:
    """Run the hall until it is interrupted."""
    url, demo, listening, running = sorted_options(**options)
    app = open_as_asked(url, listening, running, demo=demo)
    hall: Hall = app.state.hall
    try:
        if not listening.is_loopback:
            require_owner(hall, listening.host)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            proxy_headers=listening.proxy is not None,
            ssl_certfile=listening.certificate,
            ssl_keyfile=listening.key,
            timeout_graceful_shutdown=5,
        )
        _load(config, listening)
        with bind(listening.host, listening.port) as server:
            configure_logs(running.log_format, running.log_level)
            end_on_terminate()
            listening = replace(listening, port=server.getsockname()[1])
            secret, workers = _prepare(hall, demo), []
            try:
                _print_start(hall, listening, secret, as_json=as_json)
                workers = start_workers(hall.database, running.markers)
                uvicorn.Server(config).run(sockets=[server])
            except KeyboardInterrupt:
                click.echo("readmark: the hall is closed", err=True)
            finally:
                stop_workers(workers)
    finally:
        hall.database.close()


def end_on_terminate() -> None:
    """Let SIGTERM, which service managers and containers send, end the hall as Ctrl-C does.

    So does a terminal that is closed, unless the hall was started under nohup.
    """
    if threading.current_thread() is threading.main_thread():
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.default_int_handler)


def require_owner(hall: Hall, host: str = "") -> None:
    """Refuse to be reached from elsewhere while anybody with the link could become the owner."""
    with hall.database.reading() as session:
        if not has_owner(session) and not host:
            raise UsageError("the hall has no owner yet: readmark hall owner creates one")
        if not has_owner(session):
            raise UsageError(
                f"--host {host} can be reached from other machines, and the hall has no owner yet: "
                "start it without --host, open the link, then start it again"
            )


def _prepare(hall: Hall, demo: bool) -> str | None:
    """The secret of the owner's link while there is no owner, after the demo was added."""
    if demo:
        add_demo(hall.database)
    with hall.database.writing() as session:
        return invite_first_owner(session, hall)


def _load(config: uvicorn.Config, listening: Listening) -> None:
    try:
        config.load()
    except (ssl.SSLError, ValueError) as error:
        raise DataError(
            "expected a certificate, and its key in --tls-key, in PEM form",
            file=listening.certificate,
        ) from error
    except OSError as error:
        files = f"{listening.certificate} and {listening.key}"
        raise DataError(f"{files}: cannot be read ({error.strerror})") from error


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens; a port in use is one line."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = infos[0]
        server = socket.socket(family, kind, protocol)
    except OSError as error:
        raise DataError(f"--host {host}: {error.strerror}") from error
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(address)
        server.listen(2048)
    except OSError as error:
        server.close()
        if error.errno == errno.EADDRINUSE:
            raise DataError(f"port {port} is in use: choose another with --port") from error
        raise DataError(f"cannot listen on {host} port {port} ({error.strerror})") from error
    return server


def _print_start(hall: Hall, listening: Listening, secret: str | None, *, as_json: bool) -> None:
    """Say where the hall is, how its owner gets in, and what is missing for a network."""
    scheme = "https" if listening.certificate else "http"
    host = listening.allowed[0] if listening.host in EVERYWHERE and listening.allowed else ""
    address = listening.proxy or (
        f"{scheme}://{bracketed(host or listening.host)}:{listening.port}"
    )
    address = address.rstrip("/")
    link = f"{address}/invitation/{secret}" if secret else None
    if as_json:
        click.echo(json.dumps({"address": f"{address}/", "link": link}))
    else:
        click.echo(f"Exam hall: {address}/")
        if link:
            click.echo(f"Owner's link, to be used once, within a day: {link}")
        click.echo("Stop it with Ctrl-C.")
    if not listening.is_loopback and not listening.is_secure:
        click.echo(
            "readmark: the connection is not encrypted: others on the network can read passwords.\n"
            "readmark: add TLS with --tls-certificate FILE --tls-key FILE, or with a reverse proxy "
            "and --behind-proxy https://NAME",
            err=True,
        )
