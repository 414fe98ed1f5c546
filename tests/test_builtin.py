"""What the rooms declare: each thing once, in its group, and in an order where one is needed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from readmark.builtin import ORDER, ROOMS, declared, entries, groups
from readmark.core.errors import DataError
from readmark.core.source import Source
from readmark.formats.registry import FORMATS, reads_sittings, reads_tests

SOURCE = Path(__file__).resolve().parents[1] / "src" / "readmark"
LOGS = Path(__file__).resolve().parent / "formats" / "harness_logs"


def test_every_room_with_declarations_is_listed() -> None:
    assert {path.parent.name for path in SOURCE.rglob("plugins.py")} == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_adds_to_the_groups_that_it_is_listed_with(room: str) -> None:
    assert sorted(declared(room)) == sorted(f"readmark.{group}" for group in ROOMS[room])


@pytest.mark.parametrize("room", ROOMS)
def test_what_a_room_declares_is_in_that_room(room: str) -> None:
    targets = [one.target for group in declared(room).values() for one in group.values()]
    assert [target for target in targets if not target.startswith(f"readmark.{room}.")] == []


@pytest.mark.parametrize("group", groups())
def test_no_two_rooms_declare_one_name(group: str) -> None:
    names = Counter(name for room in ROOMS for name in declared(room).get(group, ()))
    assert [name for name, count in names.items() if count > 1] == []
    assert set(entries(group)) == set(names)


@pytest.mark.parametrize("group", ORDER)
def test_a_group_with_an_order_has_a_place_for_everything(group: str) -> None:
    declared_names = [name for room in ROOMS for name in declared(room).get(group, ())]
    assert sorted(ORDER[group]) == sorted(declared_names)
    assert tuple(entries(group)) == ORDER[group]


FLAT = '{"id": "%d", "context": "It is ten.", "question": "When?", "answers": {"text": ["ten"]}}\n'
ANSWER = '{"id": "%d", "answer": "ten"}\n'


@pytest.mark.parametrize(
    ("file", "text", "first", "later"),
    [
        ("flat.jsonl", FLAT % 1 + FLAT % 2, "flat", "squad"),
        ("flat.jsonl", FLAT % 1 + FLAT % 2, "flat", "c3"),
        ("flat.jsonl", FLAT % 1 + FLAT % 2, "flat", "canard"),
        ("answers.jsonl", ANSWER % 1 + ANSWER % 2, "prediction_rows", "cast_automatic"),
        ("part.json", (LOGS / "part.json").read_text("utf-8"), "inspect_log", "predictions"),
    ],
)
def test_the_order_of_formats_decides_who_reads_a_file(
    tmp_path: Path, file: str, text: str, first: str, later: str
) -> None:
    """The later format claims the file too, or fails on it."""
    (tmp_path / file).write_text(text, encoding="utf-8")
    source = Source(tmp_path / file)
    holds = reads_tests if reads_tests(FORMATS.load(first)) else reads_sittings
    claims = []
    for name, reader in FORMATS.working():
        try:
            if holds(reader) and reader.recognises(source):
                claims.append(name)
        except DataError:
            claims.append(name)
    assert claims[0] == first
    assert later in claims
