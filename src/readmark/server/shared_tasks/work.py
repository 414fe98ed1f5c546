"""The work of a shared task: what a project of it keeps of its test, and what a change causes."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.json_lines import in_words
from readmark.core.record_members import split_of
from readmark.core.splits import split_order
from readmark.core.test import Test
from readmark.marking import build_metrics, known_fields
from readmark.server.shared_tasks.allowed_metrics import require_allowed
from readmark.server.shared_tasks.options import SharedTaskOptions, option_faults, options_of
from readmark.server.shared_tasks.task_metrics import metric_columns, order_metric
from readmark.works import (
    Configuration,
    ItemView,
    Objects,
    OptionFault,
    ProjectMaterials,
    ProjectWork,
    StoredProject,
    WorkFinding,
    WorkItem,
)


@contextmanager
def _of_option(name: str, test: Test | None = None) -> Iterator[None]:
    """Errors are the option's, so that its line can be named; they do not name the folder."""
    try:
        yield
    except ReadmarkError as error:
        message = str(error)
        if test is not None:
            message = message.replace(f"{Path(test.file).parent}/", "")
        raise OptionFault(f"{name}: {message}", "options", name) from error


def _markable_columns(test: Test, options: SharedTaskOptions) -> tuple[str, ...]:
    """The metrics of a test; those and fields that the test cannot be marked by are refused."""
    columns = metric_columns(test, options.metrics)
    order = order_metric(columns, test.kind.main_metric, options.order_by)
    with _of_option("metrics", test):
        require_allowed(columns)
        build_metrics(list(columns), test)
    with _of_option("order_by", test):
        require_allowed([order])
        build_metrics([order], test)
    with _of_option("by", test):
        known_fields(test, options.by or ())
    return columns


class SharedTaskWork:
    """The work of a shared task: it has a test and no items."""

    pages = ("submissions", "teams", "baselines")

    def keep(self, tests: Sequence[Test], configuration: Configuration) -> ProjectMaterials:
        """The whole test, with its splits, metrics and sizes noted.

        A test of two languages, or without answers, is refused.
        """
        if len(tests) != 1:
            raise DataError("has two sides: publish each as a task of its own", file=tests[0].file)
        test = tests[0]
        if test.selected:
            raise DataError("a shared task has the whole test: name no splits", file=test.file)
        facts, options = test.facts, options_of(configuration)
        if not facts.keyed:
            raise DataError("has no answers: nothing could be marked", file=test.file)
        columns = _markable_columns(test, options)
        units = Counter(split_of(unit.record) or "" for unit in test.units())
        about = {
            "kind": test.kind.name,
            "name": test.header.name,
            "language": facts.language,
            "licence": test.header.licence,
            "source": test.header.source,
            "hidden": list(test.header.hidden),
            "all_splits": [name or "" for name in sorted(facts.splits, key=split_order)],
            "units": dict(units),
            "main_metric": test.kind.main_metric,
            "metrics": list(columns),
            "choices": facts.count("choices"),
            "paper": facts.paper,
            "key": facts.key,
        }
        self._require_fitting(configuration, about)
        return ProjectMaterials(about=about, has_hidden=True)

    def _require_fitting(self, configuration: Configuration, about: Mapping[str, Any]) -> None:
        """Refuse splits that the test does not have, and metrics that no hall marks by."""
        options = options_of(configuration)
        splits = [name for name in about["all_splits"] if name]
        what_it_has = f"it has {', '.join(splits)}" if splits else "its records name none"
        if "" in options.hidden_splits(about):
            message = "hidden: records without a split cannot be hidden; give them one"
            raise OptionFault(message, "options", "hidden")
        for name in options.hidden_splits(about):
            if options.hidden is None and name not in splits:  # it would be published whole
                raise DataError(f"the test's header hides the split {name!r}, but {what_it_has}")
        named = {"hidden": options.hidden or (), "order_split": (options.order_split,)}
        for what, names in named.items():
            for name in filter(None, names):
                if name not in splits:
                    message = f"{what}: the test has no split {name!r}; {what_it_has}"
                    raise OptionFault(message, "options", what)
        for what, texts in (("metrics", options.metrics), ("order_by", (options.order_by,))):
            with _of_option(what):
                require_allowed(filter(None, texts))

    def follow(self, project: StoredProject, before: Configuration | None) -> None:
        """Mark everything again where metrics or fields have changed; else make the board again."""
        if before is None:
            project.ask("people")  # with people's row comes the first board
            return
        self._require_fitting(project.configuration, project.about)
        old, new = options_of(before), options_of(project.configuration)
        names = ("metrics", "order_by", "by", "smallest_slice")
        if any(getattr(old, name) != getattr(new, name) for name in names):
            with tempfile.TemporaryDirectory(prefix="readmark-task-") as folder:
                _markable_columns(project.open_test(Path(folder)), new)
            project.mark_again()
        if old.hidden != new.hidden:
            project.ask("people")  # the data card depends on it
        project.ask("board")

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """Options that are unknown or that no task can have."""
        try:
            options = options_of(configuration)
        except msgspec.ValidationError as error:
            place = re.search(r"`\$\.?([^`]*)`", str(error))
            unknown = re.search(r"unknown field `([^`]*)`", str(error))
            names = place[1].split(".") if place else []
            if unknown:
                names.append(unknown[1])
            yield ("options", *filter(None, names)), in_words(error)
            return
        yield from option_faults(options)

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """Nothing: systems sit the test, and nobody is handed items."""
        if purpose != "work":
            raise DataError(f"the work 'shared_task' has no {purpose} items", file=tests[0].file)
        return iter(())

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """Nothing is shown."""
        return ItemView(())

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterable[WorkFinding]:
        """Nothing is checked."""
        return ()

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterable[WorkFinding]:
        """Nothing is graded."""
        return ()

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Submissions, boards and the public part of the test, where the hall has them at hand."""
        if project.stored is not None:
            project.stored.write(folder)
        return []

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Nothing can be imported."""
        raise DataError("a shared task takes submissions, not people's work", file=path)


SHARED_TASK = SharedTaskWork()
