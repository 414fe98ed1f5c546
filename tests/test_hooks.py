"""Every hook says what it is, and the page for plug-in authors mentions it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import readmark
from readmark import hooks
from readmark.core.errors import ReadmarkError

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text("utf-8")
ROOMS = {
    "readmark.core.question_rules": ("RuledQuestions",),
    "readmark.formats.conversion": ("ConvertsFiles",),
    "readmark.formats.kind_extras": ("ChecksWholeTests", "HasOtherFiles", "PublishesPackages"),
    "readmark.formats.tables.columns": ("TableRows", "WrittenInRows"),
    "readmark.llm.forms": ("AskedByModels", "LlmForm", "LlmRecordForm", "RecordAnswers"),
    "readmark.marking.kind_extras": (
        "ClassesErrors",
        "CountsTables",
        "DerivedField",
        "DerivesFields",
        "ErrorClassifier",
        "CountsUnjudged",
        "ExplainsUnkeyed",
        "ExtraTable",
        "MakesRecords",
        "NamesEmptyAnswers",
        "NotesAnswers",
        "NotesMetrics",
        "NotesTests",
        "TableCounter",
    ),
    "readmark.reporting.kind_extras": ("PageAnswer", "ShowsAnswers"),
    "readmark.sitting.kind_extras": ("HasMaterials", "HasParts"),
    "readmark.works.kind_extras": ("ReadByPeople",),
}
"""What single rooms ask of kinds and formats, declared in the room."""
VALUES = {
    "DerivedField",
    "ErrorClassifier",
    "ExtraTable",
    "LlmForm",
    "LlmRecordForm",
    "RecordAnswers",
    "PageAnswer",
    "TableCounter",
    "TableRows",
}
"""Those of them that a kind's members return: their lines are enough."""


def declared(module: str) -> Iterator[tuple[str, str, str | None]]:
    """The class, name and docstring of every public member that a module's classes declare."""
    source = Path(str(import_module(module).__file__)).read_text("utf-8")
    for owner in ast.parse(source).body:
        if not isinstance(owner, ast.ClassDef):
            continue
        for member, after in zip(owner.body, [*owner.body[1:], ast.Pass()], strict=True):
            if isinstance(member, ast.FunctionDef):
                yield owner.name, member.name, ast.get_docstring(member)
            elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                yield owner.name, member.target.id, str(after.value.value) if is_text else None  # type: ignore[attr-defined]


def members(module: str, classes: tuple[str, ...] | None = None) -> list[tuple[str, str | None]]:
    return [
        (f"{owner}.{name}", said)
        for owner, name, said in declared(module)
        if not name.startswith("_") and (classes is None or owner in classes)
    ]


def mentioned(page: str) -> set[str]:
    """The names in code on a page, in blocks and in lines."""
    code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", page, re.S))
    return set(re.findall(r"\w+", code))


def test_every_hook_has_a_line_that_says_what_it_is() -> None:
    every = members("readmark.hooks")
    for module, classes in ROOMS.items():
        every += members(module, classes)
    assert len(every) > 100
    assert [name for name, said in every if not (said and re.match(r"[`A-Z0-9]", said))] == []


def test_every_hook_is_on_the_page_for_plug_in_authors() -> None:
    known = mentioned(PAGE)
    missing = [name for name, _ in members("readmark.hooks") if name.split(".")[1] not in known]
    assert missing == []


def test_every_room_that_asks_more_is_on_the_page() -> None:
    known = mentioned(PAGE)
    for module, classes in ROOMS.items():
        assert f"`{module.removesuffix('.forms')}`" in PAGE
        asked = tuple(name for name in classes if name not in VALUES)
        assert asked
        assert [name for name, _ in members(module, asked) if name.split(".")[1] not in known] == []


def test_every_group_has_a_worked_example() -> None:
    """The page's package adds to every group but adjudications, which go with a work."""
    groups = set(re.findall(r'\[project\.entry-points\."(readmark\.\w+)"\]', PAGE))
    rows = set(re.findall(r"^\| `(readmark\.\w+)` \|", PAGE, re.M))
    assert groups == rows - {"readmark.adjudications"}
    assert set(hooks.REQUIRED) == rows


def test_a_word_in_prose_is_no_mention() -> None:
    assert mentioned("a report of `facts`\n```python\nx = best\n```") == {
        "facts",
        "python",
        "x",
        "best",
    }


def test_what_is_listed_can_be_imported() -> None:
    for name in hooks.__all__:
        assert getattr(hooks, name) is not None
    assert hooks.Part is readmark.Part
    with pytest.raises(AttributeError, match=r"module 'readmark\.hooks' has no attribute"):
        hooks.nonesuch  # noqa: B018
    with pytest.raises(ReadmarkError, match="nonesuch is no hook"):
        hooks.hook(object(), "nonesuch")
