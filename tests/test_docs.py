"""The documentation names everything that exists, nothing that does not, and no dead link."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest

from doc_scripts import script
from readmark.cli.main import COMMANDS, cli
from readmark.comprehension.profiles import PROFILES
from readmark.core import marksheet, sitting
from readmark.core import records as values
from readmark.core import test as test_module
from readmark.core.extras import EXTRAS
from readmark.core.kinds import KINDS
from readmark.core.registry import Registry, parameters_of
from readmark.formats.registry import FORMATS
from readmark.marking.metrics import METRICS
from readmark.marking.settings import MarkSettings
from readmark.sitting.candidates import CANDIDATES
from readmark.sitting.settings import PlanSettings
from readmark.works.work import ADJUDICATIONS, WORKS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = {
    "README.md": ROOT / "README.md",
    **{path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))},
}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in PAGES.items()}


FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


GENERATE = script("generate")


def section(page: str, title: str) -> str:
    """What stands under a heading, up to the next one of its rank or above."""
    found = next((one for one in HEADING.finditer(page) if one[2] == title), None)
    if found is None:
        pytest.fail(f"no heading {title!r}")
    rest = page[found.end() :]
    ends = [one.start() for one in HEADING.finditer(rest) if len(one[1]) <= len(found[1])]
    return rest[: ends[0]] if ends else rest


def own(registry: Registry) -> list[str]:
    """What comes with Readmark, without plug-ins that happen to be installed."""
    return [name for name, entry in registry.entries.items() if entry.package == "readmark"]


def prose(page: str) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", page)


def anchors(page: str) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    found = (re.sub(r"[^\w\- ]", "", one[2].lower()) for one in HEADING.finditer(prose(page)))
    return {one.replace(" ", "-") for one in found}


def calls(page: str) -> Iterator[tuple[str, list[str]]]:
    """Every command of readmark that a page shows in code, with its arguments."""
    lines = [one for block in FENCE.finditer(page) for one in block[2].splitlines()]
    lines = [one.removeprefix("$ ") for one in lines if "readmark " in one]
    for code in [*lines, *(one[2] for one in INLINE.finditer(prose(page)))]:
        for part in re.split(r" \| | && |[()]", code):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:
                words = part.split()
            if words[:1] == ["readmark"] and len(words) > 1 and re.match(r"[a-z]", words[1]):
                yield words[1], words[2:]
            elif words and words[0] in COMMANDS and any(one.startswith("-") for one in words):
                yield words[0], words[1:]


def commands_of_plugins(page: str) -> set[str]:
    """The commands that a package adds which the page itself writes."""
    declared = (tomllib.loads(one[2]) for one in FENCE.finditer(page) if one[1] == "toml")
    points = [one.get("project", {}).get("entry-points", {}) for one in declared]
    return {name for one in points for name in one.get("readmark.commands", {})}


def options_of(name: str) -> set[str]:
    """Every spelling of every option of a command, or of the commands that it is a group of."""
    context = cli.make_context("readmark", [], resilient_parsing=True)
    command = cli.get_command(context, name)
    assert command is not None
    own = click.Context(command, parent=context)
    params = command.get_params(own)
    if isinstance(command, click.Group):
        for verb in command.list_commands(own):
            inner = command.get_command(own, verb)
            assert inner is not None
            params += inner.get_params(click.Context(inner, parent=own))
    return {one for param in params for one in (*param.opts, *param.secondary_opts) if "-" in one}


@pytest.mark.parametrize("name", PAGES)
def test_generated_parts_are_fresh(name: str) -> None:
    assert GENERATE.fresh(TEXTS[name]) == TEXTS[name], "stale: run make docs"


def test_a_stale_part_would_be_noticed() -> None:
    page = TEXTS["reference.md"].replace("hare of answers equal", "hare of answers like", 1)
    assert page != TEXTS["reference.md"]
    assert GENERATE.fresh(page) == TEXTS["reference.md"]


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_is_documented_with_its_options(name: str) -> None:
    said = section(TEXTS["cli.md"], f"readmark {name}")
    missing = [one for one in options_of(name) if not re.search(rf"{one}\b", said)]
    assert not missing
    assert f"readmark {name}" in TEXTS["README.md"]


def assert_in_reference(title: str, registry: Registry, name: str) -> None:
    """An entry is in the reference, with its parameters there or where its section points."""
    entries = section(TEXTS["reference.md"], title)
    described = section(entries, name)
    assert registry.entry(name).summary[1:] in described
    same = re.search(r"The parameters are those of \[(\w+)\]", described)
    table = section(entries, same[1]) if same else described
    for parameter in parameters_of(registry.load(name)).values():
        assert f"| `{parameter.name}` |" in table
        assert parameter.help


@pytest.mark.parametrize("name", own(METRICS))
def test_every_metric_is_documented_with_its_parameters(name: str) -> None:
    explained = section(TEXTS["metrics.md"], "Metrics")
    assert re.search(rf"^(### {name}$|\| `{name}` \|)", explained, re.MULTILINE)
    assert_in_reference("Metrics", METRICS, name)


@pytest.mark.parametrize("name", own(CANDIDATES))
def test_every_candidate_is_documented_with_its_parameters(name: str) -> None:
    explained = section(TEXTS["sitting.md"], "Candidates")
    assert re.search(rf"^\| `{name}` \|", explained, re.MULTILINE)
    assert_in_reference("Candidates", CANDIDATES, name)


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_is_documented_with_worked_examples(name: str) -> None:
    assert f"\n| {name} | `" in section(TEXTS["metrics.md"], name)


@pytest.mark.parametrize("name", own(FORMATS))
def test_every_format_is_documented(name: str) -> None:
    assert section(TEXTS["formats.md"], name).strip()


@pytest.mark.parametrize("name", own(KINDS))
def test_every_kind_is_documented(name: str) -> None:
    assert f"`{name}`" in section(TEXTS["formats.md"], "Kinds of test")


@pytest.mark.parametrize(
    "name", [one.name for cls in (MarkSettings, PlanSettings) for one in fields(cls)]
)
def test_every_setting_is_documented(name: str) -> None:
    assert f"| `{name}` |" in section(TEXTS["python.md"], "Settings")


def test_every_extra_is_documented() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert set(EXTRAS) == {"base", *extras}
    for name in extras:
        assert f"| `{name}` |" in section(TEXTS["README.md"], "Installing parts")


@pytest.mark.parametrize(
    "name",
    [
        name
        for module in (values, test_module, sitting, marksheet)
        for name, one in vars(module).items()
        if isinstance(one, type)
        and issubclass(one, values.Value | values.Labelled)
        and one is not values.Value
        and one.__module__ == module.__name__
    ],
)
def test_every_value_that_stands_in_a_file_is_documented(name: str) -> None:
    assert "| member | type |" in section(TEXTS["reference.md"], name)


def test_every_entry_point_group_is_documented() -> None:
    for registry in (METRICS, FORMATS, CANDIDATES, KINDS, WORKS, ADJUDICATIONS):
        assert f"| `{registry.group}` |" in TEXTS["extending.md"]


def test_every_folder_of_the_house_is_named() -> None:
    table, _, _ = section(TEXTS["architecture.md"], "The house").partition("<!-- end -->")
    house = {path.parent.name for path in (ROOT / "src" / "readmark").glob("*/__init__.py")}
    assert set(re.findall(r"^\| `(\w+)/`", table, re.M)) == house


def test_every_file_that_the_architecture_names_is_there() -> None:
    named = re.findall(r"`([\w/]+\.(?:py|toml|html|js))`", TEXTS["architecture.md"])
    files = ["/" + path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*.*")]
    files += [f"/tests/{path.name}" for path in (ROOT / "tests").glob("*.py")]
    missing = {name for name in named if not any(file.endswith(f"/{name}") for file in files)}
    assert missing == {"readmark.toml"}  # a user's own


def test_readme_begins_with_the_two_commands() -> None:
    first = FENCE.search(TEXTS["README.md"])
    assert first is not None
    assert [line.split("#")[0].strip() for line in first[2].splitlines()] == [
        "make demo",
        "make test",
    ]


def test_readme_links_every_page() -> None:
    linked = set(LINK.findall(TEXTS["README.md"]))
    assert {f"docs/{name}" for name in PAGES if name != "README.md"} <= linked


@pytest.mark.parametrize("name", PAGES)
def test_no_link_is_dead(name: str) -> None:
    dead = []
    for link in LINK.findall(prose(TEXTS[name])):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (PAGES[name].parent / path).resolve() if path else PAGES[name]
        if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
            dead.append(link)
    assert not dead


@pytest.mark.parametrize("name", PAGES)
def test_every_command_that_is_shown_exists(name: str) -> None:
    added = commands_of_plugins(TEXTS[name])
    for command, words in calls(TEXTS[name]):
        if command in added:
            continue
        assert command in COMMANDS, f"readmark {command}"
        strange = {one for one in words if re.match(r"--?[a-z]", one)} - options_of(command)
        assert not strange, f"readmark {command}"


@pytest.mark.parametrize("name", PAGES)
def test_every_option_that_is_named_exists(name: str) -> None:
    known = {one for command in COMMANDS for one in options_of(command)} | {
        "--version",
        "--config",
        "--set",
    }
    named = {one[2].split()[0] for one in INLINE.finditer(prose(TEXTS[name])) if one[2].strip()}
    assert not {one for one in named if re.match(r"--[a-z]", one)} - known


@pytest.mark.parametrize("name", PAGES)
def test_every_make_target_that_is_named_exists(name: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z][\w-]*)", TEXTS[name], re.MULTILINE)) <= targets


def test_pages_name_no_folder_of_one_machine() -> None:
    examples = (path for path in DOCS.glob("examples/**/*") if path.is_file())
    for path in (*PAGES.values(), *DOCS.glob("*.py"), *DOCS.glob("*.toml"), *examples):
        assert not re.search(r"(?<![\w.])/(work|home|Users|tmp)/", path.read_text(encoding="utf-8"))
