"""What marks of a reading task are judged by: its categories, ontology and rules."""

from __future__ import annotations

import functools
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.extras import require
from readmark.tasks.categories.definitions import SAME, Categories, categories_of
from readmark.tasks.domain_folders import shipped_domain
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.task_folder import DOMAIN, gather
from readmark.works import Configuration

TASK = "task"
"""The option of a configuration with a task's own files by name."""


@dataclass(frozen=True)
class Knowledge:
    """What marks are judged by."""

    categories: Categories
    namespaces: Namespaces
    theory: Theory
    ontology: Ontology | None


def knowledge_of(configuration: Configuration) -> Knowledge:
    """The knowledge of a project: its own categories, with the files of its task or domain."""
    require("lark", "duckdb", "pyoxigraph")
    options = configuration.options
    tables = category_tables(configuration)
    return _knowledge(json.dumps([tables, options.get(DOMAIN), options.get(TASK, {})]))


@functools.lru_cache(maxsize=16)  # by text: every check of a person's marks asks for it again
def _knowledge(stored: str) -> Knowledge:
    tables, domain, files = json.loads(stored)
    categories = categories_of(tables, "project.toml")
    assert categories is not None  # the default report raises what is wrong
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        package = gather(shipped_domain(domain) if domain else folder).package
        ontology, theory = package.ontology(), package.theory()
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    return Knowledge(categories, namespaces, theory or Theory("Ontology"), ontology)


def category_tables(configuration: Configuration) -> dict[str, Any]:
    """The categories and objects of a configuration as ``categories.toml`` has them.

    What only projects of the hall have goes: layers, tiles and the relation `SAME`.
    """
    tables = msgspec.to_builtins(configuration)
    for category in tables.get("category", {}).values():
        category.pop("layer", None)
        category.pop("tiles", None)
        category.get("relations", {}).pop(SAME, None)
        if not category.get("relations", True):
            del category["relations"]
    return {name: tables.get(name, {}) for name in ("category", "object")}
