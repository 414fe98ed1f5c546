"""What a format cannot hold, found in the values and named: a line for each sort, with ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from readmark.core.errors import UsageError
from readmark.core.numbers import first_ids
from readmark.core.record_members import layers_of_key
from readmark.core.records import Answer, Passage, Question
from readmark.core.test import Header, Test
from readmark.formats.evidences import EVIDENCES

_SHOWN_IDS = 5


class Losses:
    """Collects losses and names each sort of them once, in the order they came up."""

    def __init__(self) -> None:
        self._sorts: dict[str, _Sort] = {}

    def add(self, what: str, id: str, *, names: Iterable[str] = ()) -> None:
        """Note a loss at an id; ``names`` are gathered in the brackets of ``what``.

        "layers ()" with the names np and ne becomes "layers (np, ne)".
        """
        sort = self._sorts.setdefault(what, _Sort())
        sort.count += 1
        sort.names.update(dict.fromkeys(names))
        if len(sort.ids) <= _SHOWN_IDS:  # one more than is shown tells that there are more
            sort.ids[id] = None

    def cannot_store(self, what: str, id: str, *, names: Iterable[str] = ()) -> None:
        """Note something that the format has no place for."""
        self.add(f"{what} cannot be stored", id, names=names)

    def lines(self) -> list[str]:
        """One line per sort."""
        return [sort.line(what) for what, sort in self._sorts.items()]


class _Sort:
    """The losses of one sort: how many, and the first ids."""

    def __init__(self) -> None:
        self.count = 0
        self.names: dict[str, None] = {}
        self.ids: dict[str, None] = {}

    def line(self, what: str) -> str:
        with_names = what.replace("()", f"({', '.join(self.names)})")
        return f"{with_names} ({self.count:,}: {first_ids(list(self.ids), _SHOWN_IDS)})"


def only_comprehension(test: Test, format: str) -> None:
    """Refuse the kinds of test that a document of passages cannot hold at all."""
    if test.header.kind != "comprehension":
        raise UsageError(
            f"{test.file}: only comprehension tests can be written as {format}, "
            f"this is a {test.header.kind} test"
        )


def header_losses(losses: Losses, header: Header, *, profile: str | None) -> None:
    """Name what no foreign document says of itself; ``profile`` is the one its reader restores."""
    names = ("language", "licence", "source", "hidden")
    members = [name for name in names if getattr(header, name)]
    if header.profile not in (None, profile):
        members.append("profile")
    if members:
        losses.cannot_store("the header's ()", header.name or "header", names=members)


def passage_losses(losses: Losses, passage: Passage) -> None:
    """Name what no foreign document holds of a passage."""
    for name in ("language", "dateline", "genre", "topic", "split", "parallel"):
        if getattr(passage, name) is not None:
            losses.cannot_store(f"the passage's {name}", passage.id)
    layer_losses(losses, passage)


def question_losses(losses: Losses, question: Question) -> None:
    """Name what no foreign document holds of a question."""
    for name in ("series", "turn", "parallel"):
        if getattr(question, name) is not None:
            losses.cannot_store(f"the question's {name}", question.id)
    if question.options:
        losses.cannot_store("options", question.id)
    layer_losses(losses, question)
    key = question.key
    if key is None:
        return
    # Sentences that were read from evidences are written back with those.
    has_sentences = key.sentences and EVIDENCES not in key.fields
    for what, value in (
        ("published keys", key.published),
        ("answer sentences", has_sentences or any(answer.sentence for answer in key.answers)),
        ("the question's type", key.type),
        ("the question's difficulty", key.difficulty),
    ):
        if value or value == "":
            losses.cannot_store(what, question.id)


def answer_losses(losses: Losses, id: str, answer: Answer, *, offsets: bool) -> None:
    """Name what no foreign document holds of an answer.

    ``offsets`` tells whether the format holds those.
    """
    if answer.score is not None:
        losses.cannot_store("answers' scores", id)
    if not offsets:
        if answer.offsets is not None:
            losses.cannot_store("answers' offsets", id)
    elif answer.end is not None and answer.end != (answer.start or 0) + len(answer.text):
        losses.cannot_store("ends of answers that do not follow from start and text", id)


def members_to_write(
    losses: Losses,
    id: str,
    *,
    hidden: Mapping[str, Any],
    visible: Mapping[str, Any],
    known: frozenset[str],
) -> dict[str, Any]:
    """Fields as members of a document, less those whose name means something else there."""
    if not hidden and not visible:
        return {}
    taken = known | hidden.keys()
    clash = [*known & hidden.keys(), *taken & visible.keys()]
    if clash:
        what = "fields () that have the name of another member"
        losses.cannot_store(what, id, names=sorted(clash))
    revealed = {name: value for name, value in visible.items() if name not in taken}
    if revealed:
        what = "fields () that candidates see are read back as hidden ones"
        losses.add(what, id, names=revealed)
    return {**revealed, **{name: value for name, value in hidden.items() if name not in known}}


def layer_losses(losses: Losses, owner: Any) -> None:
    """Name the layers of a passage, question or series, which no foreign document holds."""
    names = [*owner.layers, *layers_of_key(owner.key)]
    if names:
        losses.cannot_store("layers ()", owner.id, names=names)
