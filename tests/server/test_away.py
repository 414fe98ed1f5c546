"""What a hall and its commands say when the database is away, broken or full: one line, or 503."""

from __future__ import annotations

import errno
import io
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from starlette import formparsers

from command_line import in_process
from halls import add_person, client_of, hall_in, signed_in
from readmark.core.errors import DataError
from readmark.server import full_disk, items, uploads
from readmark.server.full_disk import is_disk_full
from readmark.server.start import open_hall
from shared_task_hall import comprehension_test, open_task
from stub_work import add_stub, add_stub_project

COMMANDS = {
    "export": ("export", "p", "-o", "out"),
    "backup": ("backup", "-o", "b.zip", "--without-secret"),
    "prune": ("prune",),
    "worker": ("worker",),
    "import": ("import", "p", "junk.db"),
    "erase": ("erase", "p", "--class", "x"),
}
AWAY = "postgresql+psycopg://u:canarysecret@127.0.0.1:1/x"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_hall: Path) -> Path:
    """Where the commands run: a hall, a folder and a file that is none."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(empty_hall, tmp_path / "hall.db")
    (tmp_path / "junk.db").write_bytes(b"This is no database. " * 300)
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("sqlite:///junk.db", "junk.db: the database cannot be opened: file is not a database"),
        ("sqlite:///folder", "folder: the database cannot be opened: unable to open database file"),
        ("sqlite:///none.db", "none.db: no such database: readmark serve makes one"),
        ("sqlite:///:memory:", "sqlite:///:memory:: a hall needs a file, expected sqlite:///FILE"),
        ("sqlite://", "sqlite://: a hall needs a file, expected sqlite:///FILE"),
        pytest.param(
            AWAY,
            "postgresql+psycopg://u:***@127.0.0.1:1/x: the database cannot be opened: ",
            marks=pytest.mark.postgres,
        ),
    ],
)
def test_a_command_without_a_database_is_one_line(command: str, url: str, line: str) -> None:
    done = in_process("hall", *COMMANDS[command], "--db", url)
    assert done.returncode in (1, 2)
    assert done.stderr.startswith(f"readmark: {line}")
    assert done.stderr.count("\n") == 1
    assert "canarysecret" not in done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["prune", "worker"])
def test_a_database_that_cannot_be_written_to_is_one_line(command: str) -> None:
    url = "sqlite:///file:hall.db?mode=ro&uri=true"  # as in a folder that is only read
    done = in_process("hall", *COMMANDS[command], "--db", url)
    assert done.returncode == 1
    assert "the database cannot be used: attempt to write a readonly database" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.usefixtures("folder")
def test_a_backup_that_cannot_be_written_names_what_it_lacks() -> None:
    without = in_process("hall", "backup", "-o", "b.zip", "--db", "sqlite:///hall.db")
    assert without.stderr == (
        "readmark: readmark.secret: the hall's secret cannot be read "
        "(No such file or directory): use --without-secret\n"
    )
    arguments = ("hall", "backup", "-o", "none/b.zip", "--without-secret")
    nowhere = in_process(*arguments, "--db", "sqlite:///hall.db")
    expected = "readmark: none/b.zip: cannot be written (No such file or directory)\n"
    assert nowhere.stderr == expected


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "url", ["sqlite:///:memory:", "sqlite://", "sqlite:///file:x?mode=memory&uri=true"]
)
def test_a_hall_needs_a_file(url: str, folder: Path) -> None:
    before = sorted(folder.iterdir())
    done = in_process("serve", "--db", url)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr == f"readmark: {url}: a hall needs a file, expected sqlite:///FILE\n"
    assert sorted(folder.iterdir()) == before


# PostgreSQL that dies.


class Cutter:
    """Closes the connection before a statement, as a server does that ends; counts statements."""

    def __init__(self, engine: Any) -> None:
        self.at: int | None = None
        self.count = 0
        event.listen(engine, "do_execute", self._before)

    def _before(self, cursor: Any, *_: Any) -> None:
        if self.count == self.at:
            cursor.connection.close()
        self.count += 1

    def cut(self, at: int | None, ask: Callable[[], Any]) -> Any:
        """What a request gives if the database is gone from a statement on."""
        self.count, self.at = 0, at
        return ask()


@pytest.mark.postgres
def test_wherever_the_database_dies_in_a_request_the_answer_is_503(
    postgres: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_stub(monkeypatch)
    postgres.psql("CREATE DATABASE hall_dying;")
    url = str(postgres.get_uri("hall_dying")).replace("postgresql://", "postgresql+psycopg://")
    app = open_hall(url, folder=tmp_path)
    _, person, (assignment, _) = add_stub_project(app)
    open_task(app, comprehension_test(tmp_path / "mills.jsonl"))
    browser = signed_in(app, person)
    change = {"sequence": 1, "object": "n", "value": {"type": "note", "value": "x"}, "base": None}
    saved = {"client": "client-a", "events": [change]}
    path = f"/api/assignments/{assignment}"
    requests: list[Callable[[], Any]] = [
        lambda: browser.get(path),
        lambda: browser.post(f"{path}/events", json=saved),
        lambda: browser.get("/"),
        lambda: browser.get("/tasks/mills"),
        lambda: client_of(app).get("/api/tasks/mills/board"),
        lambda: client_of(app).get("/tasks/mills/board"),
        lambda: browser.get("/api/me"),
    ]
    cutter, cut = Cutter(hall_in(app).database.engine), 0
    for number, ask in enumerate(requests):
        ask()  # what is prepared once is prepared
        cutter.cut(None, ask)
        for at in range(cutter.count):
            status = cutter.cut(at, ask).status_code
            assert status in (200, 303, 404, 503), (number, at, status)
            cut += status == 503
    assert cut >= len(requests)
    hall_in(app).database.close()


# Full disks.


def test_a_hall_on_a_full_disk_is_not_ready(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(hall_app)
    assert client.get("/ready").json()["disk"] == "ok"
    usage = shutil.disk_usage
    for full in (tmp_path, Path(tempfile.gettempdir())):

        def measured(folder: Any, full: Path = full) -> Any:
            found = usage(folder)
            return found._replace(free=4096) if Path(folder) == full else found

        monkeypatch.setattr(full_disk.shutil, "disk_usage", measured)
        answer = client.get("/ready")
        assert (answer.status_code, answer.json()["disk"]) == (503, "full")
        assert str(tmp_path) not in answer.text
        monkeypatch.setattr(full_disk.shutil, "disk_usage", usage)
    assert client.get("/ready").status_code == 200


def no_room(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device", f"{tempfile.gettempdir()}/canaryfile")


def no_room_in_words(*_: Any, **__: Any) -> None:
    """As formats and writers report it: a line with the file."""
    try:
        no_room()
    except OSError as error:
        raise DataError(f"cannot be written ({error.strerror})", file=error.filename) from None


@pytest.mark.parametrize(
    ("module", "name", "failure"),
    [
        (uploads.shutil, "copyfileobj", no_room),
        (items, "open_languages", no_room_in_words),
        (uploads.tempfile, "TemporaryDirectory", no_room),
    ],
)
def test_a_full_folder_for_temporary_files_is_503_and_names_no_place(
    hall_app: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    module: Any,
    name: str,
    failure: Any,
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    content = comprehension_test(tmp_path / "t.jsonl").read_bytes()
    files = {"test": ("t.jsonl", io.BytesIO(content))}
    with monkeypatch.context() as patched:
        patched.setattr(module, name, failure)
        for path, data in (
            ("/api/projects", {"shipped": "sitting", "slug": "t"}),
            ("/projects", {"shipped": "sitting", "slug": "t"}),
        ):
            answer = owner.post(path, data=data, files=files)
            assert answer.status_code == 503, (path, answer.text)
            assert "canaryfile" not in answer.text
            assert tempfile.gettempdir() + "/" not in answer.text
            assert "no room on its disk" in answer.text


@pytest.mark.parametrize("path", ["/api/projects", "/projects"])
def test_an_upload_that_does_not_fit_the_temporary_folder_is_503(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """A file of over a megabyte is spooled while the form is read, before any route sees it."""

    class FullFolder(tempfile.SpooledTemporaryFile[bytes]):
        def rollover(self) -> None:
            no_room()

    monkeypatch.setattr(formparsers, "SpooledTemporaryFile", FullFolder)
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    files = {"test": ("t.jsonl", io.BytesIO(b" " * (2 << 20)))}
    answer = owner.post(path, data={"shipped": "sitting", "slug": "t"}, files=files)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "60")
    assert "no room on its disk" in answer.text
    assert "canaryfile" not in answer.text


def test_a_full_disk_is_known_whatever_it_was_turned_into() -> None:
    with pytest.raises(DataError) as raised:
        no_room_in_words()
    assert is_disk_full(raised.value)
    assert is_disk_full(OSError(errno.ENOSPC, "x"))
    assert not is_disk_full(OSError(errno.EACCES, "x"))
    assert not is_disk_full(DataError("x"))
    assert not is_disk_full(None)
