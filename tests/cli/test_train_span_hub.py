"""``readmark train span`` with an encoder of a hub: gone, silent, broken, or as it should be."""

import contextlib
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from command_line import copies
from data_server import Act, DataServer, send
from installed import require
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test

pytestmark = [pytest.mark.torch, pytest.mark.slow, pytest.mark.server, pytest.mark.process]
require("torch", "transformers", "tokenizers")

COMMIT = "1" * 40
CONFIG = "/{}/resolve/main/config.json"
Train = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def readmark() -> Iterator[Train]:
    """Commands in processes that read where the hub is, as its library is not yet imported."""
    with copies("torch") as run:
        yield run


@pytest.fixture
def train(tmp_path: Path, readmark: Train) -> Train:
    """Trains with an encoder of the hub at an address, with a cache of its own."""
    text = "The owner is anna. The barn is red."
    key = QuestionKey(answers=(Answer(text="anna"),))
    asked = (Question(id="q", text="Who is the owner?", key=key),)
    record = Passage(id="p", text=text, questions=asked)
    save_test(in_memory(Header(name="t", language="en"), [record]), tmp_path / "t.jsonl")

    def run(encoder: str, url: str, **more: str) -> subprocess.CompletedProcess[str]:
        env = {"HF_ENDPOINT": url, "HF_HOME": str(tmp_path / "hf"), "NO_PROXY": "127.0.0.1"}
        # fmt: off
        args = ("t.jsonl", "--encoder", encoder, "-o", "out", "--epochs", "1", "--length", "48",
                "--device", "cpu")
        # fmt: on
        return readmark(
            "--set", "train.span.export=false", "train", "span", *args, cwd=tmp_path, env=env | more
        )

    return run


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    from span_encoder import write_encoder

    return write_encoder(tmp_path / "encoder")


@contextlib.contextmanager
def closed_port() -> Iterator[str]:
    """An address where nobody listens, kept from others as long as it is used."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


def dropped(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def broken(handler: BaseHTTPRequestHandler) -> None:
    send(handler, b"", status=503)


def unknown(handler: BaseHTTPRequestHandler) -> None:
    send(handler, b"", status=401, X_Error_Code="RepoNotFound")


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (None, "has no model of that name"),
        (unknown, "has no model of that name, or not for you"),
        (broken, "answers 503"),
        (dropped, "cannot be reached: Server disconnected without sending a response."),
    ],
)
def test_a_hub_is_asked_once_and_told_of_in_one_line(
    train: Train, tmp_path: Path, act: Act | None, said: str
) -> None:
    path = CONFIG.format("no-such/name")
    with DataServer({} if act is None else {path: act}) as server:
        done = train("no-such/name", server.url)
        # The library asks for things of its own beside it.
        asked = [one for one, _ in server.asked if "no-such" in one]
    line = f"readmark: no-such/name is not a folder, and the hub {server.url} {said}\n"
    assert (done.stderr, done.returncode, done.stdout) == (line, 1, "")
    assert asked == [path]
    assert not (tmp_path / "out").exists()


def test_a_hub_that_is_not_there(train: Train) -> None:
    with closed_port() as url:
        done = train("no-such/name", url)
    line = f"readmark: no-such/name is not a folder, and the hub {url} cannot be reached: "
    assert done.stderr.startswith(line)
    assert (done.stderr.count("\n"), done.returncode) == (1, 1)


def test_a_hub_that_says_nothing(train: Train) -> None:
    enough = threading.Event()

    def silent(handler: BaseHTTPRequestHandler) -> None:
        enough.wait()

    try:
        with DataServer({CONFIG.format("no-such/name"): silent}) as server:
            done = train("no-such/name", server.url, HF_HUB_ETAG_TIMEOUT="1")
    finally:
        enough.set()
    why = f"the hub {server.url} did not answer within 1 s (HF_HUB_ETAG_TIMEOUT)"
    assert done.stderr == f"readmark: no-such/name is not a folder, and {why}\n"
    assert done.returncode == 1


@pytest.mark.parametrize("name", ["./none", "~none", "a/b/c"])
def test_a_path_is_never_looked_for_on_a_hub(train: Train, name: str) -> None:
    with DataServer({}) as server:
        done = train(name, server.url)
    assert (done.stderr, done.returncode) == (f"readmark: {name}: no such folder\n", 1)
    assert server.asked == []


def test_a_folder_is_read_without_a_hub(train: Train, encoder: Path) -> None:
    with DataServer({}) as server:
        done = train(encoder.name, server.url)
    assert done.returncode == 0, done.stderr
    assert server.asked == []


def hub_of(encoder: Path, name: str) -> dict[str, bytes | Act]:
    """What a hub says of an encoder's files."""

    def file(data: bytes) -> Act:
        headers = {"ETag": f'"{len(data):040d}"', "X_Repo_Commit": COMMIT}
        return lambda handler: send(handler, data, **headers)

    found: dict[str, bytes | Act] = {}
    for path in encoder.iterdir():
        for revision in ("main", COMMIT):
            found[f"/{name}/resolve/{revision}/{path.name}"] = file(path.read_bytes())
    return found


def test_what_was_fetched_is_there_when_the_hub_is_not(
    train: Train, encoder: Path, tmp_path: Path
) -> None:
    absent = {"X_Error_Code": "EntryNotFound"}
    with DataServer(hub_of(encoder, "own/tiny"), absent) as server:
        done = train("own/tiny", server.url)
    assert done.returncode == 0, done.stderr
    names = ("model.safetensors", "heads.safetensors", "tokenizer.json")
    first = {name: (tmp_path / "out" / name).read_bytes() for name in names}
    shutil.rmtree(tmp_path / "out")
    with closed_port() as url:
        done = train("own/tiny", url)
    assert done.returncode == 0, done.stderr
    said = f"own/tiny as it was fetched before: the hub {url} cannot be reached: "
    assert done.stderr.startswith(said)
    assert {name: (tmp_path / "out" / name).read_bytes() for name in names} == first
