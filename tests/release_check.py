"""What `make release-check` does: builds wheel and sdist, and tries them as a stranger would.

    python tests/release_check.py                     # build into dist/, check, install, run
    python3.13 tests/release_check.py --dist dist     # only install and run what is built

The second form needs nothing but Python, for one that has no test tools. Every step prints a line;
the first one that fails ends the run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clean_environment import ROOT, run

MOST_WHEEL, MOST_SDIST = 90_000_000, 100_000_000
"""Bytes. The index takes files of up to 100 MB."""
IN_SDIST = ("LICENSE", "NOTICE", "CHANGELOG.md", "CITATION.cff", "SECURITY.md", "Makefile", "tests")
IN_WHEEL = ("readmark/py.typed", "readmark/bundle/cases.jsonl", "readmark/bundle/task.zh.zip")
LOCKED = ("install", "-qq", "--disable-pip-version-check", "--require-hashes", "--only-binary")


@contextmanager
def step(name: str) -> Iterator[list[str]]:
    """A line when a step is done, with what it noted."""
    began, notes = time.monotonic(), list[str]()
    yield notes
    print(f"ok  {name}{': ' if notes else ''}{', '.join(notes)} ({time.monotonic() - began:.0f} s)")


def check_tree() -> None:
    left = run("git", "status", "--porcelain", cwd=ROOT)
    assert not left, f"not committed:\n{left}"


def build(dist: Path) -> None:
    """The sdist of the tree, and the wheel of the sdist: so the sdist has all that it takes."""
    for old in dist.glob("readmark-*"):
        old.unlink()
    run(sys.executable, "-m", "build", "--no-isolation", "-o", dist, ROOT, cwd=ROOT)


def built(dist: Path) -> tuple[Path, Path]:
    [wheel] = dist.glob("readmark-*.whl")
    [sdist] = dist.glob("readmark-*.tar.gz")
    return wheel, sdist


def check_files(wheel: Path, sdist: Path) -> list[str]:
    """Sizes, members, the wheel's own list of hashes, and metadata by the standard's rules."""
    from packaging.metadata import Metadata

    sizes = wheel.stat().st_size, sdist.stat().st_size
    assert sizes[0] < MOST_WHEEL, f"{wheel.name} has {sizes[0]:,} bytes"
    assert sizes[1] < MOST_SDIST, f"{sdist.name} has {sizes[1]:,} bytes"
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        assert set(IN_WHEEL) <= set(names)
        [record] = [name for name in names if name.endswith(".dist-info/RECORD")]
        for line in packed.read(record).decode().splitlines():
            name, digest, _ = line.rsplit(",", 2)
            found = hashlib.sha256(packed.read(name)).digest()
            held = f"sha256={urlsafe_b64encode(found).decode().rstrip('=')}"
            assert digest == held or name == record, f"{name} is not what RECORD says"
        tops = {name.partition("/")[0] for name in names}
        assert {top for top in tops if not top.endswith(".dist-info")} == {"readmark"}
        about = packed.read(record.replace("RECORD", "METADATA"))
    metadata = Metadata.from_email(about, validate=True)
    assert metadata.license_files == ["LICENSE", "NOTICE"]
    assert metadata.description_content_type == "text/markdown"
    assert metadata.description
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2].partition("/")[0] for name in archive.getnames()}
    assert set(IN_SDIST) <= inside, f"the sdist lacks {sorted(set(IN_SDIST) - inside)}"
    assert not {".ci", ".venv", "out", "dist"} & inside
    assert f"{metadata.version}" in wheel.name
    assert f"{metadata.version}" in sdist.name
    return [f"wheel {sizes[0] / 1e6:.1f} MB", f"sdist {sizes[1] / 1e6:.1f} MB"]


@contextmanager
def environment(lock: str, *install: str | Path) -> Iterator[tuple[Path, Path]]:
    """A new environment with a lock's packages and Readmark: a folder, and its programs."""
    with tempfile.TemporaryDirectory(prefix="readmark-release-") as name:
        folder = Path(name)
        run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
        programs = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        python = programs / Path(sys.executable).name
        python = python if python.exists() else programs / "python"
        pip = (python, "-m", "pip")
        run(*pip, *LOCKED, ":all:", "-r", ROOT / "requirements" / f"{lock}.txt", cwd=folder)
        run(*pip, "install", "-qq", "--no-deps", *install, cwd=folder)
        run(*pip, "check", cwd=folder)
        yield folder, programs


def try_base(sdist: Path) -> None:
    """The base alone, from the sdist: a test is checked, marked, compared and reported."""
    with environment("lock", "--no-build-isolation", sdist) as (folder, programs):
        readmark = programs / "readmark"
        examples = ROOT / "docs" / "examples"
        test, answers = examples / "reading.jsonl", examples / "large.json"
        run(readmark, "check", test, cwd=folder)
        marks = json.loads(run(readmark, "mark", test, answers, "--json", cwd=folder))
        assert round(marks["marks"]["f1"]["score"], 2) == 88.14, marks["marks"]
        run(readmark, "compare", test, examples / "small.json", answers, cwd=folder)
        run(readmark, "report", test, answers, "-o", "report.html", cwd=folder)


def try_demo(wheel: Path) -> None:
    """The wheel with the locked readers: the demo, and every bundled test."""
    with environment("lock-read", wheel) as (folder, programs):
        readmark = programs / "readmark"
        version = run(readmark, "--version", cwd=folder).split()[1]
        assert f"-{version}-" in wheel.name
        printed = run(readmark, "demo", "-o", "out", cwd=folder)
        assert "all got the marks they should" in printed, printed
        assert (folder / "out" / "report.html").stat().st_size > 10_000
        code = "import readmark; print(readmark.__file__)"
        where = Path(run(programs / "python", "-c", code, cwd=folder).strip()).parent / "bundle"
        assert where.is_relative_to(folder.resolve()), where
        tests = [*where.glob("*.en.*"), *where.glob("*.zh.*")]
        tests = sorted(path for path in tests if path.is_file())
        assert len(tests) >= 9
        run(readmark, "check", *tests, cwd=folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--dist", type=Path, help="Wheel and sdist that are built already.")
    parser.add_argument("--dirty", action="store_true", help="Allow changes not committed.")
    given = parser.parse_args()
    dist = given.dist or ROOT / "dist"
    if given.dist is None:
        if not given.dirty:
            with step("everything is committed"):
                check_tree()
        with step("versions, citation, promises, locks, licences"):
            tests = [f"tests/test_{name}.py" for name in ("release", "stored", "extras")]
            run(sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *tests, cwd=ROOT)
        with step("sdist, and wheel from it"):
            build(dist)
        with step("members, hashes, metadata") as notes:
            notes += check_files(*built(dist))
    wheel, sdist = (path.resolve() for path in built(dist))
    version = ".".join(map(str, sys.version_info[:3]))
    with step(f"sdist on the locked base, Python {version}"):
        try_base(sdist)
    with step(f"wheel on the locked readers, Python {version}: demo and bundled tests"):
        try_demo(wheel)


if __name__ == "__main__":
    try:
        main()
    except (AssertionError, subprocess.SubprocessError) as error:
        sys.exit(f"failed: {error}")
