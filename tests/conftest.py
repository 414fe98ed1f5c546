"""What every test may use: the reference files in ../shared and the real command line."""

import asyncio
import atexit
import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from command_line import in_process, plain_environment

# Hundreds of commands start in processes of their own: compiled once, each starts in two thirds of
# the time. Containers often forbid keeping what was compiled; `make clean` removes it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Workers share the cores: threads of several that wait for each other take many times as long.
# Set before NumPy or torch is imported, and taken over by commands in processes of their own.
if "PYTEST_XDIST_WORKER" in os.environ:
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")

    @atexit.register
    def leave(worker: int = os.getpid()) -> None:
        """End without taking everything apart that tests have left, which takes seconds."""
        if os.getpid() == worker:
            os._exit(0)


# In the background, or under nohup, tests are started with signals ignored, which what they start
# would ignore too.
for one, plain in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    number = getattr(signal, one, None)  # Windows has no SIGHUP
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, plain)

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parents[1] / "shared"
SERVERS = frozenset(("endpoint", "server"))
"""Fixtures that are servers of data or of replies."""
REASONING = tuple(TESTS / name for name in ("tasks", "cli/task"))
"""Folders whose tests let the reasoner run."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
REQUIRE_GOLDEN = os.environ.get("READMARK_REQUIRE_GOLDEN") == "1"

# Neither deadlines nor "too slow": a loaded machine must not decide whether a test passes.
settings.register_profile(
    "readmark",
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("ci", settings.get_profile("readmark"), derandomize=True)
settings.register_profile("fast", settings.get_profile("readmark"), max_examples=5)
settings.register_profile("deep", settings.get_profile("readmark"), max_examples=400)
settings.load_profile("ci" if os.environ.get("CI") else "readmark")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of public data and reference marks beside the project."""
    if not (SHARED / "golden").is_dir():
        pytest.skip("needs the reference files in ../shared")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A real Chromium, started once in a worker; tests are skipped where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"needs a Chromium: none of {', '.join(BROWSERS)} was found")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


def _without_playwrights_loop(item: pytest.Item) -> Generator[None, object, object]:
    """Playwright's loop counts as running in the thread of a worker that has started a browser,
    where other tests could then run no loop of their own."""
    loop = asyncio._get_running_loop()
    if loop is None or "chromium" in getattr(item, "fixturenames", ()):
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    return (yield from _without_playwrights_loop(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    return (yield from _without_playwrights_loop(item))


@pytest.fixture(scope="session")
def readmark_cli() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `readmark ARGS` in this process; the exit status is the caller's to check.

    What Python reads when it starts (PYTHONPATH and its like) takes a process of its own.
    """

    def run(
        *args: str | os.PathLike[str],
        stdin: str = "",
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        if any(name.startswith("PYTHON") for name in env or ()):
            return _process(*args, stdin=stdin, cwd=cwd, env=env)
        return in_process(*args, stdin=stdin, cwd=cwd, env=env)

    return run


@pytest.fixture(scope="session")
def readmark_process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `readmark ARGS` in a process of its own, where the process is the point."""
    return _process


def _process(
    *args: str | os.PathLike[str],
    stdin: str = "",
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "readmark", *args],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env=plain_environment() | dict(env or {}),
        check=False,
    )


def has_workers(item: pytest.Item) -> bool:
    """Whether it is the row of a table in which several processes work."""
    row = getattr(item, "callspec", None)
    return row is not None and int(row.params.get("workers", 1)) > 1


@cache
def lets_reason(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in REASONING)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that takes the `shared` fixture is golden, even where the mark was forgotten.

    One that starts Readmark in a process of its own, a server or the reasoner takes too long for
    the fast tests and has a mark that says so. What is marked ``slow(first=True)`` goes first: at
    the end it would keep one worker busy alone.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "shared" in fixtures:
            item.add_marker(pytest.mark.golden)
        if "readmark_cli" in fixtures:
            item.add_marker(pytest.mark.command)
        if "readmark_process" in fixtures or has_workers(item):
            item.add_marker(pytest.mark.process)
        if SERVERS.intersection(fixtures):
            item.add_marker(pytest.mark.server)
        if lets_reason(item.path):
            item.add_marker(pytest.mark.reasoning)
    items.sort(
        key=lambda item: not any(mark.kwargs.get("first") for mark in item.iter_markers("slow"))
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end, so Python need not look through it for garbage.

    That takes a third of the time of the collection, and again in each test that makes much. Nor
    are tests so short of memory that it must be looked for after every 700 objects.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000)
        gc.enable()


def pytest_sessionfinish() -> None:
    gc.unfreeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With READMARK_REQUIRE_GOLDEN=1 a golden test that is skipped fails."""
    report = yield
    xfailed = hasattr(report, "wasxfail")
    if REQUIRE_GOLDEN and report.skipped and not xfailed and item.get_closest_marker("golden"):
        _fail(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a file that skips itself whole: its marks are never seen, so its text is."""
    report = yield
    if REQUIRE_GOLDEN and report.skipped and isinstance(collector, pytest.File):
        text = collector.path.read_text(encoding="utf-8")
        if "golden" in text:
            _fail(report)
    return report


def _fail(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"golden test skipped, which READMARK_REQUIRE_GOLDEN=1 forbids: {reason}"


@pytest.fixture(autouse=True)
def _whole_configuration() -> Iterator[None]:
    """A hall that runs in a test's process drops the configuration; the next test has it again."""
    yield
    if (module := sys.modules.get("readmark.core.configuration")) is not None:
        module.lift_restriction()
