"""``readmark hall backup``, ``restore``, ``prune`` and ``owner``: looking after a hall."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS
from readmark.core.errors import DataError, UsageError
from readmark.server.commands import database_option, require_hall, secret_option, settings_option


@click.command("backup")
@click.option(
    "-o", "--output", required=True, metavar="FILE", help="File to write (a zip).", type=OUTPUT_FILE
)
@database_option
@secret_option
@click.option("--without-secret", is_flag=True, help="Omit the hall's secret.")
@options.json_option
def backup_command(
    output: str, url: str, secret: str | None, without_secret: bool, as_json: bool
) -> None:
    """Write the whole hall to one file; the hall may be running.

    The backup is a consistent snapshot. It has everything, including keys and the hall's secret,
    and only you can read the file.
    """
    require_hall()
    from readmark.server.existing_database import open_database
    from readmark.server.operations.backup import back_up
    from readmark.server.start import secret_file

    with open_database(url, needs_newest=False) as database:
        path = None if without_secret else secret_file(url, secret)
        result = back_up(database, output, secret=path)
    options.print_result(result, as_json=as_json)


@click.command("restore")
@click.argument("file", metavar="FILE")
@database_option
@secret_option
@options.json_option
def restore_command(file: str, url: str, secret: str | None, as_json: bool) -> None:
    """Fill an empty database with a backup of either kind of database.

    A backup of an older version is upgraded. If restoring is interrupted, the database stays
    empty. Classes whose day of erasure has passed are erased again.
    """
    require_hall()
    from readmark.server.database import Database, reported
    from readmark.server.operations.restoring import restore
    from readmark.server.start import create_file, secret_file

    if not Path(file).is_file():
        raise DataError("no such file", file=file)
    create_file(url)
    database = Database(url)
    try:
        with reported(url):
            result = restore(file, database, secret=secret_file(url, secret))
    finally:
        database.close()
    options.print_result(result, as_json=as_json)


@click.command("prune")
@database_option
@settings_option
@click.option("--dry-run", is_flag=True, help="Count what would be deleted, and delete nothing.")
@options.json_option
def prune_command(url: str, settings: str | None, dry_run: bool, as_json: bool) -> None:
    """Delete what has expired, as a running hall does once a day.

    These are sessions, links, tokens, failed log-ins and finished jobs. People's work is deleted
    only if the settings file has a retention period for it. If the clock is more than a day later
    than when the hall last looked, nothing is deleted for a day.
    """
    require_hall()
    from readmark.server.existing_database import open_database
    from readmark.server.operations.clock_check import is_clock_doubtful
    from readmark.server.operations.retention import prune
    from readmark.server.settings import read_rules

    retention = read_rules(settings).retention
    with open_database(url) as database:
        if not dry_run and is_clock_doubtful(database):
            raise DataError(
                "the clock is more than a day later than when the hall last looked: nothing is "
                "deleted for a day (--dry-run counts what has expired)"
            )
        result = prune(database, retention, dry_run=dry_run)
    options.print_result(result, as_json=as_json)


@click.command("owner")
@click.option("--login", required=True, metavar="LOGIN", help="Login of the new owner.")
@click.option("--name", required=True, metavar="NAME", help="Name that others see.", type=WORDS)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    default="en",
    help="Language of the owner's pages",
)
@database_option
def owner_command(login: str, name: str, language: str, url: str) -> None:
    """Create an owner's account, if no browser can open the link that the first start prints.

    Asks for the password, or reads the first line of a pipe.
    """
    require_hall()
    from readmark.server.account_errors import AccountError
    from readmark.server.accounts import add_owner
    from readmark.server.database import Database, reported
    from readmark.server.pages import words
    from readmark.server.start import create_file

    if sys.stdin.isatty():
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        password = sys.stdin.readline().rstrip("\n")
    create_file(url)
    database = Database(url)
    try:
        with reported(url):
            database.upgrade()
            add_owner(database, name=name, login=login, password=password, language=language)
    except AccountError as error:
        raise UsageError(words("en")[error.word]) from error
    finally:
        database.close()
    click.echo(f"{login}: an owner of the hall")
