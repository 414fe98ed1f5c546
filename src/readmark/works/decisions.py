"""What an adjudicator decides in the forms of an item, and the forms of every adjudication's page.

Decisions become the lines of the library's adjudication file (`readmark.settling.adjudication`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.formats.label_sheets import spell
from readmark.settling import VERSIONS, Disagreement, carry_decisions
from readmark.works.configuration import (
    Configuration,
    EntryField,
    FormEntry,
    in_language,
    read_configuration,
)
from readmark.works.disputed_places import BOTH, ENTRY, LETTERS, OTHER, VALUES
from readmark.works.field_values import is_filled, is_value
from readmark.works.forms import entries_of, fields_of
from readmark.works.marks import Text
from readmark.works.work import (
    ItemView,
    Objects,
    ProjectWork,
    TextView,
    WorkFinding,
    WorkItem,
)

__all__ = ["DecisionForms", "decision_page"]

_EXPECTED: dict[str, Text] = {
    "number": {"en": "The other version is a number.", "zh": "另一个版本应是数字。"},
    "choice": {
        "en": "The other version is one of the choices.",
        "zh": "另一个版本应是选项之一。",
    },
    "choices": {
        "en": "The other version is made of the choices, with + between them.",
        "zh": "另一个版本由选项组成，中间用 + 号。",
    },
    "flag": {"en": "The other version is yes or no.", "zh": "另一个版本应是 yes 或 no。"},
}
_DECIDED_BY = ("versions", "english")
"""The members of a line's context that a decision depends on."""
_PAGE = Path(__file__).with_name("adjudication.toml")


@functools.cache
def decision_page() -> Configuration:
    """The forms that every adjudication takes its own from."""
    return read_configuration(_PAGE.read_text("utf-8"), _PAGE.name)


class DecisionForms:
    """What every adjudication shares: the page's forms, their check, decisions as lines."""

    most: int | None = None
    """How many people's versions can be compared; None for any number."""
    fields: tuple[str, ...] = ("decision", "other", "reason")
    """The fields of the page's forms that this adjudication has."""
    other = EntryField(widget="text")
    """How a version that nobody has is given."""

    def page(self, project: Configuration) -> Configuration:
        """The adjudicator's forms, with the guidelines of those who did the work below."""
        page = decision_page()
        declared = fields_of(page, ENTRY)
        fields: dict[str, Any] = {name: declared[name] for name in self.fields}
        if OTHER in fields:
            other = self.other_field(project)
            fields[OTHER] = msgspec.structs.replace(
                declared[OTHER], widget=other.widget, choices=other.choices
            )
        guidelines = {
            language: "\n\n".join(
                in_language(text, language)
                for text in (page.project.guidelines, project.project.guidelines)
            )
            for language in ("en", "zh")
        }
        form: FormEntry = msgspec.structs.replace(page.entry[ENTRY], fields=fields)
        return msgspec.structs.replace(
            project,
            project=msgspec.structs.replace(project.project, guidelines=guidelines),
            entry={ENTRY: form},
            category=page.category,
            example=(),
        )

    def other_field(self, project: Configuration) -> EntryField:
        """The field for a version that nobody has."""
        return self.other

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The texts with the versions marked in them, and a form for each disputed place."""
        texts = tuple(
            TextView(
                text["id"], text["text"], text["language"], text["title"], tuple(text["marks"])
            )
            for text in item.paper["texts"]
        )
        return ItemView(texts, item.paper["objects"], configuration=self.page(configuration))

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Another version that is missing where it was decided for."""
        for id, fields in entries_of(objects, ENTRY):
            form = item.paper["objects"].get(id, {})
            if fields.get("decision") == OTHER and not _is_version(fields.get(OTHER), form):
                message: Text = {"en": "Give the other version.", "zh": "请给出另一个版本。"}
                if VALUES in form and is_filled(fields.get(OTHER)):
                    message = _EXPECTED[form[VALUES]["widget"]]
                yield WorkFinding("no_other", message, "error", id)
        for id in undecided(item, objects):
            if "follows" in item.paper["objects"][id]:
                message = {
                    "en": "You chose another version of what this rests on: decide this, too.",
                    "zh": "它所依据的一处你另写了版本，这里也请决定。",
                }
                yield WorkFinding("undecided", message, "error", id)

    def other_version(self, fields: Mapping[str, Any], line: Disagreement) -> Any:
        """A version that nobody has, as a line of the adjudication file holds it."""
        version = fields.get(OTHER)
        return version.strip() if isinstance(version, str) else version

    def lines(self, item: WorkItem, objects: Objects, by: str) -> Iterator[Disagreement]:
        """The lines of an adjudicator's item with what was decided."""
        forms = decisions_in(item, objects)
        lines = msgspec.convert(item.key["lines"], list[Disagreement])
        for number, (line, order) in enumerate(zip(lines, item.key["orders"], strict=True), 1):
            yield self._decided(line, order, forms.get(f"d-{number}", {}), by)

    def _decided(
        self, line: Disagreement, order: Sequence[int], fields: Mapping[str, Any], by: str
    ) -> Disagreement:
        decision = fields.get("decision")
        if decision is None:
            return line
        members: dict[str, Any] = {"by": by}
        if isinstance(reason := fields.get("reason"), str) and reason.strip():
            members["reason"] = reason.strip()
        if (cause := fields.get("cause")) in list(
            fields_of(decision_page(), ENTRY)["cause"].choices
        ):
            members["decided_cause"] = cause
        if decision in (BOTH, OTHER):
            members["decision"] = decision
            if decision == OTHER:
                members["other"] = self.other_version(fields, line)
        else:
            # A line has the versions a and b; a third one is written as another version.
            index = order[LETTERS.index(decision)]
            versions = line.beside.get(VERSIONS)
            members["decision"] = LETTERS[index] if index < 2 else OTHER
            if index >= 2 and versions is not None:
                members["other"] = versions[index]
        return msgspec.structs.replace(line, **members)

    def decided(self, decided: ProjectWork) -> dict[str, list[Disagreement]]:
        """The decided lines of all adjudicators' items, by the item that they are about."""
        lines_of_items: dict[str, list[Disagreement]] = {}
        for item in decided.items:
            for person in decided.people:
                if item.name in person.finished:
                    lines = self.lines(item, person.objects[item.name], person.person)
                    lines_of_items.setdefault(str(item.key["item"]), list(lines))
        return lines_of_items


def decisions_in(item: WorkItem, objects: Objects) -> dict[str, dict[str, Any]]:
    """The forms of an item that are decided: for one of its versions, or another that is given.

    What no page sends is no decision, so that one adjudicator's program stops nobody's gold.
    """
    decided = {}
    for id, fields in entries_of(objects, ENTRY):
        form, decision = item.paper["objects"].get(id), fields.get("decision")
        if form is None or not isinstance(decision, str):
            continue
        if decision not in form["choices"]["decision"]:
            continue
        if decision != OTHER or _is_version(fields.get(OTHER), form):
            decided[id] = fields
    return decided


def _is_version(value: Any, form: Mapping[str, Any]) -> bool:
    """Whether a field holds a version: words, spans, or a value of the field that was filled in."""
    if VALUES in form:
        label = spell(value)
        return label is not None and is_value(EntryField(**form[VALUES]), label)
    if isinstance(value, list):
        return bool(value) and all(isinstance(span, Mapping) for span in value)
    return is_filled(value) and isinstance(value, (str, int, Mapping))


def undecided(item: WorkItem, objects: Objects) -> list[str]:
    """The forms that still need a decision: what follows from another form may have none."""
    decisions = {id: fields["decision"] for id, fields in decisions_in(item, objects).items()}
    return [
        id
        for id, form in item.paper["objects"].items()
        if not decisions.get(id) and decisions.get(form.get("follows")) in (None, OTHER)
    ]


def carried_forms(old: WorkItem, new: WorkItem, objects: Objects) -> dict[str, dict[str, Any]]:
    """The forms of a new item that are filled in as on an earlier one: their versions are equal."""
    forms = decisions_in(old, objects)
    decided: list[Disagreement] = []
    fields: dict[str, Mapping[str, Any]] = {}
    orders: dict[str, Sequence[int]] = {}
    lines = msgspec.convert(old.key["lines"], list[Disagreement])
    for number, (line, order) in enumerate(zip(lines, old.key["orders"], strict=True), 1):
        if (form := forms.get(f"d-{number}")) is not None:
            # Only lines that somebody has written in are carried: who it was is not asked here.
            decided.append(msgspec.structs.replace(line, by="adjudicator"))
            fields[line.id], orders[line.id] = form, order
    lines, _ = carry_decisions(
        msgspec.convert(new.key["lines"], list[Disagreement]), decided, *_DECIDED_BY
    )
    carried = {}
    for number, (line, order) in enumerate(zip(lines, new.key["orders"], strict=True), 1):
        if line.touched:
            chosen = dict(fields[line.id])
            if chosen["decision"] in LETTERS:  # the same version, whatever its letter is now
                version = orders[line.id][LETTERS.index(chosen["decision"])]
                chosen["decision"] = LETTERS[list(order).index(version)]
            carried[f"d-{number}"] = {**new.paper["objects"][f"d-{number}"], "fields": chosen}
    return carried
