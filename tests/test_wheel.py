"""The wheel: built, installed alone into a clean environment, and the demo run from there."""

import sys
import zipfile
from pathlib import Path

import pytest

from clean_environment import link, locked, run

ROOT = Path(__file__).resolve().parents[1]


def test_the_tests_install_what_readers_install() -> None:
    """Pip has checked those files by their hashes when it installed the tests' lock."""
    read, tests = locked("lock-read"), locked("lock-test")
    assert len(read) > 50
    assert all(hashes for _, hashes in read.values())
    assert read == {name: tests.get(name) for name in read}


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
