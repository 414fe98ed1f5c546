"""Every command that a page shows is run, and what it prints is what the page says."""

import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from command_line import BUILTINS, copies, in_process
from doc_scripts import script

pytestmark = pytest.mark.slow

WARM = (
    "numpy.random",
    "regex",
    "readmark.comprehension.error_classes",
    "readmark.sitting.planning",
)

console = script("console")

PAGES = {
    name: text
    for name, path in console.PAGES.items()
    if "```console" in (text := path.read_text(encoding="utf-8"))
}


def without_versions(output: str) -> str:
    """Signatures name the versions behind a number; those of another machine may differ."""
    output = re.sub(r"(nltk|nfkc|regex|opencc)-\d[\w.]*", r"\1-*", output)
    return re.sub(r"readmark:\d[\w.]*", "readmark:*", output)


def plain(command: str) -> Sequence[str]:
    """The arguments of a command that needs no shell; none of one that does."""
    words = shlex.split(command)
    return words[1:] if words[0] == "readmark" and not set("|&;<>$`*?~\\#{}\n") & {*command} else ()


def in_place(args: Sequence[str], folder: Path) -> str:
    """What such a command prints, in this process: a page has up to thirty of them."""
    done = in_process(*args, cwd=folder, env={"PYTHONUTF8": "1"}, merged=True)
    return str(console.shown(done.stdout, int(done.returncode)))


@pytest.fixture(scope="module")
def programs() -> Iterator[Path]:
    """A folder with a ``readmark`` for shells that has imported what takes long."""
    with copies(*WARM, *BUILTINS, env={"PYTHONUTF8": "1"}) as readmark:
        yield readmark.folder


@pytest.mark.parametrize("name", PAGES)
def test_commands_print_what_the_page_shows(name: str, tmp_path: Path, programs: Path) -> None:
    folder = console.workplace(PAGES[name], tmp_path)
    plugged = (folder / console.PACKAGE).exists()
    found = () if plugged else (programs,)  # a package is looked for when a process starts
    for step in console.steps(PAGES[name]):
        args = () if plugged else plain(step.command)
        printed = in_place(args, folder) if args else console.run(step.command, folder, *found)
        assert without_versions(printed) == without_versions(step.output), step.command


def test_marking_shows_every_step() -> None:
    shown = [step.command.split()[1] for step in console.steps(PAGES["marking.md"])]
    wanted = ["check", "stats", "mark", "people", "compare", "convert"]
    assert [one for one in dict.fromkeys(shown) if one in wanted] == [
        "check",
        "convert",
        "stats",
        "mark",
        "people",
        "compare",
    ]


def test_squad_example_is_the_native_one_converted(tmp_path: Path) -> None:
    folder = console.workplace("", tmp_path)
    console.run("readmark convert reading.jsonl again.json", folder)
    assert (folder / "again.json").read_bytes() == (folder / "reading.json").read_bytes()
