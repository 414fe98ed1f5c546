"""Starting a hall: database, secret, the owner's link, and the server."""

from __future__ import annotations

import errno
import ipaddress
import json
import os
import socket
import ssl
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import click
import uvicorn
from alembic.util import CommandError
from fastapi import FastAPI
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from readmark.core.errors import DataError, UsageError
from readmark.server.access import Hall
from readmark.server.app import create_app
from readmark.server.database import Database
from readmark.server.demo import add_demo
from readmark.server.erasure import keep_erasing
from readmark.server.invitations import has_owner, invite_first_owner
from readmark.server.settings import SECRET_FILE, HallSettings, read_secret

_EVERYWHERE = ("0.0.0.0", "::", "")


@dataclass(frozen=True)
class Listening:
    """Where a hall listens, and how browsers reach it."""

    host: str = "127.0.0.1"
    port: int = 8000
    allowed: tuple[str, ...] = ()
    certificate: str | None = None
    key: str | None = None
    proxy: str | None = None
    """The https address of a proxy that stands before the hall."""

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach it through TLS."""
        return bool(self.certificate or self.proxy)

    def hosts(self) -> tuple[str, ...]:
        """The names that browsers may call the hall by."""
        own = () if self.host in _EVERYWHERE else (bracketed(self.host),)
        proxy = (urlsplit(self.proxy).hostname or "",) if self.proxy else ()
        names = (*HallSettings.hosts, *own, *proxy, *map(bracketed, self.allowed))
        return tuple(dict.fromkeys(name.lower() for name in names))

    def check(self) -> None:
        """Refuse options that do not go together."""
        if (self.certificate is None) != (self.key is None):
            raise UsageError("--tls-certificate and --tls-key go together")
        if self.proxy is not None:
            parts = urlsplit(self.proxy)
            if parts.scheme != "https" or not parts.hostname or parts.path.strip("/"):
                raise UsageError(
                    f"--behind-proxy {self.proxy}: expected an address such as https://hall.example.org"
                )
        if self.host in _EVERYWHERE and not self.allowed and self.proxy is None:
            raise UsageError(
                f"--host {self.host} needs --allow-host NAME: the name that browsers will use"
            )


def bracketed(host: str) -> str:
    """A host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def open_hall(url: str, *, folder: Path | None = None, **options: object) -> FastAPI:
    """The application on an upgraded database; the secret is in the database's folder."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        parsed = None
    file = None
    if parsed is not None and parsed.get_backend_name() == "sqlite":
        file = parsed.database
    if file and not file.startswith((":", "file:")):
        # SQLite gives its other files the mode of this one.
        try:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise DataError(f"cannot be opened ({error.strerror})", file=file) from error
        folder = folder or Path(file).parent
    database = Database(url)
    settings = HallSettings(
        url=url,
        secret=read_secret((folder or Path()) / SECRET_FILE),
        **options,  # type: ignore[arg-type]
    )
    try:
        database.upgrade()
    except DBAPIError as error:
        assert parsed is not None
        reason = str(error.orig).strip().partition("\n")[0]
        raise DataError(
            f"the database cannot be opened: {reason}",
            file=file or parsed.render_as_string(hide_password=True),
        ) from error
    except CommandError as error:
        raise DataError(
            "the database was made by a newer version of Readmark", file=file
        ) from error
    return create_app(settings, database)


def serve(*, url: str, listening: Listening, demo: bool, as_json: bool) -> None:
    """Run the hall until it is interrupted."""
    listening.check()
    app = open_hall(
        url,
        shows_demo=demo,
        hosts=listening.hosts(),
        is_secure=listening.is_secure,
        origin=(listening.proxy or "").rstrip("/").lower(),
    )
    hall: Hall = app.state.hall
    try:
        if not listening.is_loopback:
            require_owner(hall, listening.host)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            lifespan="off",
            proxy_headers=listening.proxy is not None,
            ssl_certfile=listening.certificate,
            ssl_keyfile=listening.key,
            timeout_graceful_shutdown=5,
        )
        _load(config, listening)
        with bind(listening.host, listening.port) as server:
            listening = replace(listening, port=server.getsockname()[1])
            _print_start(hall, listening, _prepare(hall, demo), as_json=as_json)
            stop = threading.Event()
            erasing = keep_erasing(hall.database, stop)
            try:
                uvicorn.Server(config).run(sockets=[server])
            except KeyboardInterrupt:
                click.echo("readmark: the hall is closed", err=True)
            finally:
                stop.set()
                erasing.join(5)
    finally:
        hall.database.close()


def require_owner(hall: Hall, host: str) -> None:
    """Refuse to be reached from elsewhere while anybody with the link could become the owner."""
    with hall.database.reading() as session:
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
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
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
    host = listening.allowed[0] if listening.host in _EVERYWHERE and listening.allowed else ""
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
