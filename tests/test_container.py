"""The container's recipe without a container runtime: its steps run in folders of their own."""

from __future__ import annotations

import fnmatch
import json
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from clean_environment import ROOT, link, locked, run

httpx = pytest.importorskip("httpx", reason="needs httpx")
Instruction = tuple[str, str]
LEFT_OUT = shutil.ignore_patterns("__pycache__", "weights")
"""Weights take seconds to pack; that they are in the wheel is tested there."""


def stages() -> list[list[Instruction]]:
    """The instructions of each stage: a word, and the rest with joined lines."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Containerfile").read_text("utf-8"))
    found: list[list[Instruction]] = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            if word == "FROM":
                found.append([])
            if found:  # an ARG before the first stage belongs to none
                found[-1].append((word, rest.strip()))
    return found


def values(stage: list[Instruction], word: str) -> list[str]:
    return [rest for name, rest in stage if name == word]


def commands(stage: list[Instruction]) -> list[str]:
    """What the RUN steps of a stage run, one command each."""
    return [" ".join(part.split()) for rest in values(stage, "RUN") for part in rest.split("&&")]


def environment(stage: list[Instruction]) -> dict[str, str]:
    pairs = (shlex.split(rest) for rest in values(stage, "ENV"))
    return dict(pair.split("=", 1) for part in pairs for pair in part)


def test_the_recipe_is_pinned_and_runs_as_nobody() -> None:
    recipe = (ROOT / "Containerfile").read_text("utf-8")
    [image] = re.findall(r"^ARG PYTHON_IMAGE=(.+)$", recipe, re.M)
    assert re.match(r"docker\.io/library/python:\d+\.\d+\.\d+-slim-\w+", image)
    build, final = stages()
    assert values(build, "FROM") == ["${PYTHON_IMAGE} AS build"]
    assert values(final, "FROM") == ["${PYTHON_IMAGE}"]
    words = [word for word, _ in final]
    assert words.index("USER") > words.index("RUN")
    assert values(final, "USER") == ["10001"]  # a number, which runtimes can check
    assert values(final, "VOLUME") == values(final, "WORKDIR") == ["/data"]
    assert environment(final)["READMARK_DB"] == "sqlite:////data/readmark.db"
    assert values(final, "EXPOSE") == [environment(final)["READMARK_PORT"]]
    assert json.loads(values(final, "ENTRYPOINT")[0]) == ["readmark"]
    for secret in ("PASSWORD", "TOKEN"):
        assert secret not in (ROOT / "Containerfile").read_text("utf-8")


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".containerignore").read_text("utf-8").splitlines()
    kept = {line[1:] for line in ignored if line.startswith("!")}
    for rest in values(stages()[0], "COPY"):
        *sources, _ = rest.split()
        for source in sources:
            assert (ROOT / source).exists(), source
            assert any(fnmatch.fnmatch(source, f"{name}*") for name in kept), source


def test_the_lock_is_that_of_the_tests() -> None:
    """Those files were checked by their hashes, and are what the tests have run with."""
    serve, tests = locked("lock-serve"), locked("lock-test")
    assert {"psycopg", "uvicorn", "prometheus-client", "onnxruntime", "hatchling"} <= serve.keys()
    assert serve == {name: tests.get(name) for name in serve}


@pytest.mark.slow(first=True)
@pytest.mark.process
def test_its_steps_make_a_hall_that_is_ready(tmp_path: Path) -> None:
    build, final = stages()
    opt, folder, data = tmp_path / "opt", tmp_path / "build", tmp_path / "data"
    for rest in values(build, "COPY"):
        *sources, target = rest.split()
        for source in sources:
            into = folder / target / ("" if (ROOT / source).is_dir() else Path(source).name)
            into.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, into, ignore=LEFT_OUT)
            else:
                shutil.copy(ROOT / source, into)

    # Every command of the recipe, as it is run here.
    make, install_lock, install, add_user, make_folders = [
        command.replace("/opt/readmark", str(opt))
        for command in (*commands(build), *commands(final))
    ]
    assert make == f"python -m venv {opt}"
    run(sys.executable, *make.split()[1:], "--without-pip", cwd=folder)
    own_pip = (sys.executable, "-m", "pip", "--python", opt / "bin" / "python")  # saves seconds
    [packages] = opt.glob("lib/python*/site-packages")
    pip = f"{opt}/bin/pip install --no-cache-dir"
    lock = "requirements/lock-serve.txt"
    assert install_lock == f"{pip} --require-hashes --only-binary :all: -r {lock}"
    assert (folder / lock).is_file()
    if not link({name: version for name, (version, _) in locked("lock-serve").items()}, packages):
        run(*own_pip, *install_lock.split()[1:], cwd=folder)
    assert install == f"{pip} --no-deps --no-build-isolation ."
    run(*own_pip, *install.split()[1:], "--no-compile", cwd=folder)
    assert add_user.startswith("useradd --system --uid 10001 --home-dir /data ")
    assert make_folders == (
        "install --directory --owner readmark --group readmark --mode 0700 /data /run/readmark"
    )
    run("install", "--directory", "--mode", "0700", data, cwd=folder)
    assert values(final, "COPY") == ["--from=build /opt/readmark /opt/readmark"]

    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    started = {
        name: value.replace("/opt/readmark", str(opt)).replace("/data/", f"{data}/")
        for name, value in environment(final).items()
    }
    started |= {"READMARK_PORT": port, "READMARK_ALLOW_HOST": "hall.example", "HOME": str(data)}
    entry = [str(opt / "bin" / json.loads(values(final, "ENTRYPOINT")[0])[0])]
    owner = subprocess.run(
        [*entry, "hall", "owner", "--login", "ada", "--name", "Ada"],
        env=started,
        cwd=data,
        input="a long password\n",
        encoding="utf-8",
        capture_output=True,
        check=False,
    )
    assert (owner.returncode, owner.stderr) == (0, "")
    [health] = values(final, "HEALTHCHECK")
    check = json.loads(health.partition(" CMD ")[2])
    assert check[0] == "python"
    check[0] = str(opt / "bin" / "python")
    process = subprocess.Popen(
        [*entry, *json.loads(values(final, "CMD")[0])],
        env=started,
        cwd=data,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert b"hall.example" in process.stdout.readline()
        while subprocess.run(check, env=started, capture_output=True, check=False).returncode:
            assert process.poll() is None
        ready = httpx.get(f"http://127.0.0.1:{port}/ready")
        assert (ready.status_code, ready.json()["worker"]) in ((200, "ok"), (200, "none needed"))
        process.send_signal(getattr(signal, values(final, "STOPSIGNAL")[0]))
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
    finally:
        process.kill()
        process.communicate()
    assert {"readmark.db", "readmark.secret"} <= {path.name for path in data.iterdir()}
    assert subprocess.run(check, env=started, capture_output=True, check=False).returncode
