"""What a release states about itself agrees, and its locks serve every system it names."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest

import readmark
from clean_environment import ROOT, locked

packaging = pytest.importorskip("packaging.requirements", reason="needs packaging")
yaml = pytest.importorskip("yaml", reason="needs PyYAML")

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
RELEASES = re.findall(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", CHANGES, re.M)


def test_versions_and_dates_agree() -> None:
    assert CITATION["version"] == readmark.__version__ == RELEASES[0][0]
    assert str(CITATION["date-released"]) == RELEASES[0][1]
    assert CHANGES.index("## Unreleased") < CHANGES.index(f"## {readmark.__version__}")


def test_the_citation_has_what_its_standard_requires() -> None:
    assert {"cff-version", "message", "title", "authors"} <= CITATION.keys()
    assert [author["name"] for author in CITATION["authors"]] == [
        author["name"] for author in PROJECT["authors"]
    ]
    assert CITATION["license"] in PROJECT["license"].split(" AND ")


def yaml_files() -> list[Path]:
    found = [*(ROOT / ".github").rglob("*.yml"), ROOT / ".pre-commit-config.yaml"]
    return sorted(found)


@pytest.mark.parametrize("path", yaml_files(), ids=lambda path: path.name)
def test_configurations_can_be_read(path: Path) -> None:
    assert isinstance(yaml.safe_load(path.read_text("utf-8")), dict)


def steps(name: str) -> list[str]:
    """The commands of a workflow."""
    jobs = yaml.safe_load((ROOT / ".github/workflows" / name).read_text("utf-8"))["jobs"]
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


def test_workflows_run_what_people_run() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.M))
    commands = [*steps("tests.yml"), *steps("release.yml")]
    called = {found for line in commands for found in re.findall(r"^make ([a-z-]+)", line)}
    assert called == {"test", "release-check"} <= targets
    # Without make, on Windows, the fast tests are selected as the Makefile selects them.
    [chosen] = [found for line in commands for found in re.findall(r'-m "(.+)"', line)]
    assert f"-m '{chosen}'" in makefile
    for line in commands:
        for file in re.findall(r"\b(?:tests|requirements)/\S+", line):
            assert (ROOT / file).exists(), file


def test_every_supported_python_is_tried() -> None:
    stated = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if ":: 3." in line}
    for name in ("tests.yml", "release.yml"):
        jobs = yaml.safe_load((ROOT / ".github/workflows" / name).read_text("utf-8"))["jobs"]
        tried = [set(job["strategy"]["matrix"]["python"]) for job in jobs.values()
                 if "strategy" in job]  # fmt: skip
        assert tried
        assert all(versions == stated for versions in tried)


# The locks are made on one system and hold for all: what a package needs elsewhere is pinned too.


SYSTEMS = {
    "Linux": {"sys_platform": "linux", "os_name": "posix", "platform_machine": "x86_64"},
    "Windows": {"sys_platform": "win32", "os_name": "nt", "platform_machine": "AMD64"},
    "Darwin": {"sys_platform": "darwin", "os_name": "posix", "platform_machine": "arm64"},
}
LOCKS = {
    "lock": (),
    "lock-read": ("read", "tasks"),
    "lock-serve": ("read", "tasks", "postgres"),
    "lock-test": ("test",),
    "lock-all": ("all",),
}


def environment(system: str, python: str) -> dict[str, str]:
    return {
        **SYSTEMS[system],
        "platform_system": system,
        "python_version": python,
        "python_full_version": f"{python}.1",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }


@cache
def needs(name: str) -> tuple[Any, ...]:
    """What a package that is installed requires, under whatever condition."""
    try:
        return tuple(map(packaging.Requirement, distribution(name).requires or ()))
    except PackageNotFoundError:
        return ()  # torch, where the tests do without


def unpinned(lock: str, there: dict[str, str]) -> set[str]:
    pins = {re.sub(r"[-_.]+", "-", name).lower() for name in locked(lock)}
    waiting = [(packaging.Requirement(line), {""}) for line in PROJECT["dependencies"]]
    waiting += [
        (packaging.Requirement(line), {""})
        for extra in LOCKS[lock]
        for line in PROJECT["optional-dependencies"][extra]
    ]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        wanted, asked = waiting.pop()
        if wanted.marker and not any(wanted.marker.evaluate({**there, "extra": x}) for x in asked):
            continue
        name = re.sub(r"[-_.]+", "-", wanted.name).lower()
        extras = {"", *wanted.extras}
        if name == PROJECT["name"]:
            options = PROJECT["optional-dependencies"]
            lines = [line for extra in wanted.extras for line in options[extra]]
            waiting += [(packaging.Requirement(line), {""}) for line in lines]
        elif (name, frozenset(extras)) not in seen:
            seen.add((name, frozenset(extras)))
            waiting += [(requirement, extras) for requirement in needs(name)]
    assert len(seen) >= len(PROJECT["dependencies"])
    return {name for name, _ in seen} - pins


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_what_other_systems_and_pythons_need(lock: str) -> None:
    missing = {
        f"{system} {python}": found
        for system in SYSTEMS
        for python in ("3.11", "3.12", "3.13")
        if (found := unpinned(lock, environment(system, python)))
    }
    assert missing == {}
