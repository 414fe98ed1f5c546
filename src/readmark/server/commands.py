"""``readmark serve`` and ``readmark hall``: start the exam hall, and move its work in and out."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FOLDER, CommandGroup
from readmark.core.extras import require
from readmark.core.registry import Registry

if TYPE_CHECKING:
    from readmark.server.operations.logs import LogFormat

VERBS = Registry("verb", "readmark.hall_commands")


@click.group("hall", cls=CommandGroup, registry=VERBS)
def hall_command() -> None:
    """Move work between an exam hall and files, and look after a hall."""


database_option = click.option(
    "--db",
    "url",
    envvar="READMARK_DB",
    metavar="URL",
    default="sqlite:///readmark.db",
    help="Database: sqlite:///FILE or postgresql+psycopg://USER@HOST/NAME",
)


settings_option = click.option(
    "--settings",
    envvar="READMARK_SETTINGS",
    metavar="FILE",
    help="TOML file with limits and retention periods  [default: built-in values]",
)

log_format_option = click.option(
    "--log-format",
    envvar="READMARK_LOG_FORMAT",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Format of the log on stderr",
)
log_level_option = click.option(
    "--log-level",
    envvar="READMARK_LOG_LEVEL",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    help="Minimum log level; requests are logged at level info",
)
secret_option = click.option(
    "--secret-file",
    "secret",
    envvar="READMARK_SECRET_FILE",
    metavar="FILE",
    help="File with the hall's secret  [default: readmark.secret next to the database]",
)


@click.command("serve")
@database_option
@click.option(
    "--host",
    envvar="READMARK_HOST",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Address to listen on",
)
@click.option(
    "--port",
    envvar="READMARK_PORT",
    type=click.IntRange(0, 65535),
    default=8000,
    help="Port; 0 for any free one",
)
@click.option(
    "--allow-host",
    "allowed",
    envvar="READMARK_ALLOW_HOST",
    metavar="NAME",
    multiple=True,
    help="Host name by which browsers may reach the hall (repeatable)  [default: this machine's "
    "own]",
)
@click.option(
    "--tls-certificate",
    "certificate",
    envvar="READMARK_TLS_CERTIFICATE",
    metavar="FILE",
    help="File with a certificate chain; serves TLS with it.",
)
@click.option(
    "--tls-key",
    "key",
    envvar="READMARK_TLS_KEY",
    metavar="FILE",
    help="File with the private key of the certificate.",
)
@click.option(
    "--behind-proxy",
    "proxy",
    envvar="READMARK_BEHIND_PROXY",
    metavar="ADDRESS",
    help="Run behind a reverse proxy that provides TLS at this https:// address.",
)
@settings_option
@secret_option
@log_format_option
@log_level_option
@click.option(
    "--log-addresses",
    envvar="READMARK_LOG_ADDRESSES",
    is_flag=True,
    help="Log the network addresses of clients.",
)
@click.option(
    "--metrics-from",
    envvar="READMARK_METRICS_FROM",
    metavar="NETWORK",
    multiple=True,
    help="Network that may read /metrics (repeatable)  [default: this machine]",
)
@click.option(
    "--markers",
    envvar="READMARK_MARKERS",
    type=click.IntRange(0, 64),
    default=1,
    help="Submissions to mark at a time; 0 leaves them to `readmark hall worker`",
)
@click.option("--demo", is_flag=True, help="Add a project with the bundled passages to try out.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the address and the link to stdout as one JSON document.",
)
def serve_command(**options: Any) -> None:
    """Start the exam hall, where people write, mark and answer in the browser.

    The first start creates the database and prints a one-time link for the owner.
    """
    require_hall()
    from readmark.server.start import serve

    serve(**options)


def require_hall() -> None:
    """Ask for everything that the rest of this package imports.

    Readmark's configuration is the operator's: names that users of the hall write must not reach
    its models, addresses and files, so nothing of it stays but the limits on files.
    """
    from readmark.core.configuration import configuration, use_only_limits

    use_only_limits(configuration().files)
    require("alembic", "anyio", "argon2", "fastapi", "prometheus_client", "pydantic")
    require("python_multipart", "sqlalchemy", "starlette", "uvicorn")


@click.command("export")
@click.argument("project")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    help="Folder or zip to write.",
    type=OUTPUT_FOLDER,
)
@database_option
@options.json_option
def export_command(project: str, output: str, url: str, as_json: bool) -> None:
    """Write the work of a PROJECT as files; the hall may be running.

    people/ has each person's work, the files next to it are about everybody's, and hall/ has what
    an import restores exactly. The same work always gives the same bytes.
    """
    require_hall()
    from readmark.server.clock import close_overdue
    from readmark.server.existing_database import open_database
    from readmark.server.projects import project_named
    from readmark.server.work_export import export_project

    with open_database(url) as database:
        with database.writing() as session:
            # What people had answered when their time was over counts.
            close_overdue(session, project_named(session, project).id)
        with database.reading() as session:
            result = export_project(session, project_named(session, project), output)
    options.print_result(result, as_json=as_json)


@click.command("import")
@click.argument("project")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@database_option
@options.json_option
def import_command(project: str, files: tuple[str, ...], url: str, as_json: bool) -> None:
    """Add work from files to a PROJECT: an export, or sheets and labels from earlier work.

    Nothing is overwritten: if somebody has changed an item in the hall since, both versions are
    kept, and the page shows them. Importing a file again changes nothing.
    """
    require_hall()
    from readmark.server.existing_database import open_database
    from readmark.server.projects import project_named
    from readmark.server.work_import import read_work, store_work

    with open_database(url) as database:
        with database.reading() as session:
            target = project_named(session, project)
            works = [read_work(session, target, file) for file in files]
        with database.writing() as session:
            results = [store_work(session, target, work) for work in works]
    if as_json:
        options.print_json({"imports": [result.as_json() for result in results]})
        return
    for result in results:
        options.print_result(result, as_json=False)


@click.command("erase")
@click.argument("project")
@click.option(
    "--class",
    "classroom",
    required=True,
    metavar="ID",
    help="Class to erase; its page in the hall shows the id.",
)
@database_option
@options.json_option
def erase_command(project: str, classroom: str, url: str, as_json: bool) -> None:
    """Erase all data of a class's pupils, before the scheduled day or after a failed erasure.

    Their answers, pseudonyms and sessions are removed from the database, its free pages and, on
    SQLite, its write-ahead log. This cannot be undone.
    """
    require_hall()
    from readmark.server.classes import class_named
    from readmark.server.erasure import erase_class
    from readmark.server.existing_database import open_database
    from readmark.server.projects import project_named

    with open_database(url) as database:
        with database.reading() as session:
            row = class_named(session, project_named(session, project), classroom)
        result = erase_class(database, row.id)
    options.print_result(result, as_json=as_json)


@click.command("worker")
@database_option
@click.option(
    "--markers", type=click.IntRange(1, 64), default=1, help="Submissions to mark at a time"
)
@click.option(
    "--job-seconds",
    type=click.FloatRange(min=1.0),
    default=120.0,
    help="Time limit in seconds for marking one submission",
)
@log_format_option
@log_level_option
def worker_command(
    url: str, markers: int, job_seconds: float, log_format: LogFormat, log_level: str
) -> None:
    """Mark submissions of shared tasks until interrupted.

    A hall that runs on several processes or machines leaves marking to workers. Any number of them
    can run, and nothing is lost if one is killed.
    """
    require_hall()
    from readmark.server.existing_database import open_database
    from readmark.server.operations.logs import configure_logs
    from readmark.server.shared_tasks.job_work import JobLimits
    from readmark.server.shared_tasks.worker import start_workers, stop_workers
    from readmark.server.start import end_on_terminate

    with open_database(url) as database:
        database.require_writable()  # otherwise only the log would say so, again and again
        configure_logs(log_format, log_level)
        end_on_terminate()
        workers = start_workers(database, markers, limits=JobLimits(seconds=job_seconds))
        click.echo(
            f"Worker {workers[0].name} is waiting for submissions. Stop it with Ctrl-C.", err=True
        )
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            click.echo("readmark: the worker is stopped", err=True)
        finally:
            stop_workers(workers)
