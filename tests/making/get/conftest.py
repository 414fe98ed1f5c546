"""What tests of fetching share: a table of public tests, and a server of one of them."""

from collections.abc import Iterator

import pytest

from data_server import DataServer
from readmark.making.get import public_tests as public
from small_store import DATA, HASH, known


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> dict[str, public.Fetchable]:
    """A table of our own; no mirror and no token from outside."""
    tests = {
        "kiln": known(),
        "kiln-hashed": known(sha256=HASH),
        "kiln-closed": known(restricted=True),
    }
    monkeypatch.setattr(public, "public_tests", lambda: tests)
    monkeypatch.delenv("READMARK_MIRROR", raising=False)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    return tests


@pytest.fixture
def server() -> Iterator[DataServer]:
    with DataServer({"/data/kiln.json": DATA}) as running:
        yield running
