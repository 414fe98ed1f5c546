"""``readmark submit``: answers go to a shared task, and the marks come back."""

from __future__ import annotations

import os
import secrets
import stat
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from readmark import console as options
from readmark.console import WORDS, Ticker
from readmark.core.errors import DataError, UsageError
from readmark.core.streams import is_standard

KEYRING_SERVICE = "readmark"
"""The name that tokens are stored under; the user of an entry is the hall's address."""


@click.command("submit")
@click.argument("url", metavar="URL")
@click.argument("sitting", required=False)
@click.option(
    "--system", metavar="NAME", help="Name of the system on the board  [default: the file's name]"
)
@click.option(
    "--description",
    metavar="TEXT",
    default="",
    show_default=False,
    help="Description of the system.",
    type=WORDS,
)
@click.option("--ensemble", is_flag=True, help="Declare an ensemble, not a single model.")
@click.option("--again", is_flag=True, help="Submit even if the hall already has these answers.")
@click.option("--no-wait", is_flag=True, help="Do not wait for the marks.")
@click.option(
    "--token-file",
    metavar="FILE",
    help="File with the API token, or - for standard input  "
    "[default: READMARK_TOKEN in the environment, otherwise the keyring]",
)
@click.option(
    "--login", is_flag=True, help="Ask for an API token and store it in this machine's keyring."
)
@click.option(
    "--allow-http",
    is_flag=True,
    help="Send the token without encryption, within a trusted network.",
)
@options.full_option
@options.json_option
@click.pass_context
def submit_command(
    ctx: click.Context,
    url: str,
    sitting: str | None,
    system: str | None,
    description: str | None,
    ensemble: bool,
    again: bool,
    no_wait: bool,
    token_file: str | None,
    login: bool,
    allow_http: bool,
    full: bool,
    as_json: bool,
) -> None:
    """Submit a SITTING to the shared task at URL, and print the marks that the hall releases.

    URL is the address of the task's page, such as https://hall.example.org/tasks/NAME. SITTING is
    a file of answers in any accepted format. Nothing but that file is sent. After an
    interruption, run the command again: the same answers of the same system are submitted once.

    The API token needs the scope submit. It is never an argument, because other users and the
    shell's history would see it. Exit status 1 means that the hall could not mark the file.
    """
    from readmark.client import Client, hall_address, task_address

    if login:
        if sitting is not None:
            raise click.UsageError("--login stores a token and submits nothing: leave SITTING out")
        _store_token(hall_address(url))
        return
    if sitting is None:
        raise click.UsageError("Missing argument 'SITTING'.")
    if is_standard(sitting) and system is None:
        raise click.UsageError("answers from standard input need --system NAME")
    address, task = task_address(url)
    client = Client(address, _token(address, token_file), allow_http=allow_http)
    began = time.monotonic()
    with Ticker() as ticker:

        def show(_: Any) -> None:
            ticker.say(lambda: f"waiting for the marks, {options.clock(time.monotonic() - began)}")

        submitted = client.submit(
            task,
            sitting,
            system=system,
            description=description or "",
            ensemble=ensemble,
            wait=not no_wait,
            key=secrets.token_hex(16) if again else None,
            watch=show,
        )
    if not submitted.is_new:
        options.notify(
            [
                f"the hall has these answers as submission {submitted.number} of "
                f"{submitted.system}: nothing was submitted again (--again does that)"
            ]
        )
    options.print_result(submitted, as_json=as_json, full=full)
    if submitted.is_failed:
        options.notify([submitted.error])
        ctx.exit(1)


def _token(address: str, file: str | None) -> str | None:
    """The token from a file, the environment or the keyring; None where there is none."""
    from readmark.client import TOKEN_VARIABLE

    if file is not None:
        return _token_of(file)
    if os.environ.get(TOKEN_VARIABLE):
        return os.environ[TOKEN_VARIABLE]
    try:
        keyring = import_module("keyring")
        token: str | None = keyring.get_password(KEYRING_SERVICE, address)
    except Exception:  # not installed, locked, or a machine without one
        return None
    return token


def _token_of(file: str) -> str:
    if is_standard(file):
        if sys.stdin.isatty():
            return str(click.prompt("API token", hide_input=True, err=True))
        return _require_token(sys.stdin.readline().strip(), "standard input")
    try:
        path = Path(file)
        token = path.read_text("utf-8").strip()
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", file=file) from None
    except UnicodeDecodeError:
        raise DataError("holds no API token", file=file) from None
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        options.notify([f"{file}: others can read this token: run chmod 600 on it"])
    return _require_token(token, file)


def _require_token(token: str, source: str) -> str:
    """An empty token would make the client take another one, that of the environment."""
    if not token:
        raise DataError("holds no API token", file=source)
    return token


def _store_token(address: str) -> None:
    """Ask for a token, and store it in the keyring of this machine."""
    try:
        keyring = import_module("keyring")
    except ImportError:
        raise UsageError(
            "--login needs the package keyring: pip install keyring, or set READMARK_TOKEN"
        ) from None
    token = (
        str(click.prompt(f"API token for {address}", hide_input=True, err=True))
        if sys.stdin.isatty()
        else sys.stdin.readline()
    ).strip()
    if not token:
        raise UsageError("no token was given, and none is stored")
    try:
        keyring.set_password(KEYRING_SERVICE, address, token)
    except Exception as error:  # each backend has its own
        raise UsageError(
            f"the keyring does not take the token ({type(error).__name__}): set READMARK_TOKEN"
        ) from None
    options.notify([f"the token for {address} is in the keyring"])
