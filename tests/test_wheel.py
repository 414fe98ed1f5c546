"""The wheel: built, installed alone into a clean environment, and the demo run from there."""

import os
import re
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    """A command in a plain environment; what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """The packages of a lock, each with its version and the hashes of its files."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    pins = re.finditer(r"^([\w.-]+)==(\S+)(.*?)(?=^\S|\Z)", text, re.M | re.S)
    return {pin[1]: (pin[2], re.findall(r"--hash=(\S+)", pin[3])) for pin in pins}


def test_the_tests_install_what_readers_install() -> None:
    """Pip has checked those files by their hashes when it installed the tests' lock."""
    read, tests = locked("lock-read"), locked("lock-test")
    assert len(read) > 50
    assert all(hashes for _, hashes in read.values())
    assert read == {name: tests.get(name) for name in read}


def link(packages: dict[str, str], into: Path) -> bool:
    """Put packages of this environment into another; false where a version is not here."""
    try:
        found = {name: distribution(name) for name in packages}
    except PackageNotFoundError:
        return False
    if any(one.version != packages[name] for name, one in found.items()):
        return False
    for one in found.values():
        for part in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            if not (into / part).exists():
                (into / part).symlink_to(Path(str(one.locate_file(part))))
    return True


@pytest.mark.slow(first=True)
def test_the_demo_runs_from_the_wheel_alone(tmp_path: Path) -> None:
    run(
        sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", tmp_path, ROOT,
        cwd=tmp_path,
    )  # fmt: skip
    [wheel] = tmp_path.glob("*.whl")
    held = zipfile.ZipFile(wheel).namelist()
    assert {"readmark/py.typed", "readmark/bundle/cases.jsonl"} <= set(held)
    assert {
        f"readmark/comprehension/span/weights/{one}/model.int8.onnx" for one in ("en", "zh")
    } <= set(held)
    assert not [name for name in held if name.startswith(("tests", "docs", "benchmarks"))]

    clean = tmp_path / "clean"
    run(sys.executable, "-m", "venv", "--without-pip", clean, cwd=tmp_path)
    # Not compiled: most of what is installed is never imported here.
    pip = (sys.executable, "-m", "pip", "--python", clean / "bin" / "python", "install", "-qq",
           "--no-compile")  # fmt: skip
    [packages] = clean.glob("lib/python*/site-packages")
    if not link({name: version for name, (version, _) in locked("lock-read").items()}, packages):
        lock = ROOT / "requirements" / "lock-read.txt"
        run(*pip, "--require-hashes", "--only-binary", ":all:", "-r", lock, cwd=tmp_path)
    run(*pip, "--no-deps", wheel, cwd=tmp_path)

    printed = run(clean / "bin" / "readmark", "demo", "-o", "out", cwd=tmp_path)
    assert "all got the marks they should" in printed
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000
    where = run(
        clean / "bin" / "python", "-c", "import readmark; print(readmark.__file__)", cwd=tmp_path
    )
    assert Path(where.strip()).is_relative_to(clean)
