"""Versions of several people: grouped, made a line, settled and written."""

from __future__ import annotations

from pathlib import Path

import msgspec

from readmark.settling import (
    grouped_versions,
    read_adjudication,
    settled_version,
    version_line,
    write_decision_lines,
)

GIVEN = [("ann", "cat"), ("bo", "dog"), ("cy", "dog"), ("di", ["cat"])]


def test_equal_versions_are_one_and_those_of_most_people_come_first() -> None:
    assert grouped_versions(GIVEN) == [
        ("dog", ["bo", "cy"]),
        ("cat", ["ann"]),
        (["cat"], ["di"]),
    ]
    many = [(f"p{number}", number) for number in range(12)]
    assert [version for version, _ in grouped_versions(many)] == [*range(8)]


def test_what_was_decided_holds_else_what_most_people_have() -> None:
    groups = grouped_versions(GIVEN)
    line = version_line("q", "label", "p", groups, unit="q")
    assert (line.a, line.b) == ("dog", "cat")
    assert line.beside == {
        "versions": ["dog", "cat", ["cat"]],
        "people": [["bo", "cy"], ["ann"], ["di"]],
    }
    assert settled_version(line, groups) == "dog"
    assert settled_version(msgspec.structs.replace(line, decision="b"), groups) == "cat"
    other = msgspec.structs.replace(line, decision="other", other="cow")
    assert settled_version(other, groups) == "cow"
    assert settled_version(None, []) is None


def test_decisions_stand_next_to_the_gold(tmp_path: Path) -> None:
    assert write_decision_lines(tmp_path, "labels", []) == []
    line = version_line("q", "label", "p", grouped_versions(GIVEN), decision="a", by="ed")
    [path] = write_decision_lines(tmp_path, "labels", [line])
    header, lines = read_adjudication(path)
    assert (path.name, header.work, lines) == ("decisions.jsonl", "labels", [line])
