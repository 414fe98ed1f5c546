"""One path for every kind of test: the same calls take each from its file to its marks.

Kinds whose people are sittings (readability) go it in test_four_kinds.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import readmark
from readmark.core.kinds import KINDS, kind_named
from readmark.core.marksheet import MarkedUnit, read_marksheet_header, read_marksheet_rows
from readmark.marking.settings import MarkSettings

SETTINGS = MarkSettings(draws=200, trials=400)


@dataclass(frozen=True)
class Example:
    """A test of one kind, two candidates' answers, and what is to come out."""

    header: dict[str, Any]
    records: list[dict[str, Any]]
    member: str
    good: dict[str, str]
    poor: dict[str, str]
    metrics: list[str]
    main: str
    scores: tuple[float, float]
    """Of the main metric: the good candidate's and the poor one's."""
    people: dict[str, float]
    beside: tuple[float, float]
    """Machine (the good candidate) and people on the same reference sets, main metric."""
    skipped: int
    slices: dict[str, dict[str, int]] = field(default_factory=dict)


def gold(*answers: tuple[str, str]) -> list[dict[str, str]]:
    return [{"text": text, "annotator": name} for name, text in answers]


EXAMPLES = {
    "comprehension": Example(
        header={"readmark": 1, "kind": "comprehension", "name": "tram", "language": "en"},
        records=[
            {
                "id": "tram",
                "text": "The last tram leaves Holm Street at ten. Ida always misses it.",
                "genre": "tale",
                "questions": [
                    {
                        "id": "tram-1",
                        "text": "When does it leave?",
                        "key": {"answers": gold(("ann", "ten"), ("ben", "at ten")), "level": 1},
                    },
                    {
                        "id": "tram-2",
                        "text": "Who misses it?",
                        "key": {"answers": gold(("ann", "Ida"), ("ben", "Ida")), "level": 1},
                    },
                ],
            },
            {
                "id": "bread",
                "text": "Bread from the mill keeps a week if it is wrapped in linen.",
                "questions": [
                    {
                        "id": "bread-1",
                        "text": "How long does it keep?",
                        "key": {"answers": gold(("ann", "a week")), "level": 2},
                    }
                ],
            },
        ],
        member="text",
        good={"tram-1": "at ten", "tram-2": "Ida", "bread-1": "a week"},
        poor={"tram-1": "ten", "tram-2": "the tram"},
        metrics=["em", "f1"],
        main="f1",
        scores=(100, 100 / 3),
        # tram-1: each half of the other, 2/3; tram-2: alike; bread-1 has one person
        people={"em": 50, "f1": 250 / 3},
        beside=(100 * (5 / 6 + 1) / 2, 250 / 3),
        skipped=1,
        slices={"level": {"1": 2, "2": 1}, "genre": {"tale": 2, "-": 1}},
    ),
    "series": Example(
        header={"readmark": 1, "kind": "series", "name": "rovers", "language": "en"},
        records=[
            {
                "id": "s1",
                "target": "Lunokhod 1",
                "target_type": "thing",
                "questions": [
                    {
                        "id": "s1.1",
                        "text": "When did it land?",
                        "turn": 1,
                        "key": {
                            "rewrites": gold(
                                ("ann", "When did Lunokhod 1 land?"),
                                ("ben", "When did Lunokhod 1 land?"),
                            )
                        },
                    },
                    {
                        "id": "s1.2",
                        "text": "Who drove it?",
                        "turn": 2,
                        "key": {
                            "rewrites": gold(
                                ("ann", "Who drove Lunokhod 1?"), ("ben", "Who drove the rover?")
                            )
                        },
                    },
                ],
            },
            {
                "id": "s2",
                "target": "Ida Holm",
                "questions": [
                    {
                        "id": "s2.1",
                        "text": "Where was she born?",
                        "turn": 1,
                        "key": {
                            "rewrites": [
                                {"text": "In what town was Ida Holm born?"},
                                {"text": "Where was Ida Holm born?"},
                            ]
                        },
                    }
                ],
            },
        ],
        member="rewrite",
        good={
            "s1.1": "When did Lunokhod 1 land?",
            "s1.2": "Who drove Lunokhod 1?",
            "s2.1": "Where  was Ida Holm born?",
        },
        poor={"s1.1": "When did it land?", "s2.1": "Where was Ida Holm born?"},
        metrics=["jaccard", "exact"],
        main="jaccard",
        # s1.1: 3 words of 6, 1 pair of 6
        scores=(1, ((2 * 1 / 2 + 1 / 6) / 3 + 1) / 3),
        # s1.1: alike; s1.2: 2 words of 6, 1 pair of 5, so 13/45; unnamed golds as of s2.1 are one
        # person's alternatives
        people={"jaccard": (1 + 13 / 45) / 2, "exact": 0.5},
        beside=((1 + (1 + 13 / 45) / 2) / 2, (1 + 13 / 45) / 2),
        skipped=1,
        slices={"turn": {"1": 2, "2": 1}, "target_type": {"thing": 2, "-": 1}},
    ),
}


def test_every_kind_whose_people_are_in_its_key_has_its_example() -> None:
    builtin = {name for name, entry in KINDS.entries.items() if entry.package == "readmark"}
    assert set(EXAMPLES) == {name for name in builtin if kind_named(name).people_from_key}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_one_path(kind: str, tmp_path: Path) -> None:
    example = EXAMPLES[kind]
    file = tmp_path / "test.jsonl"
    lines = [example.header, *example.records]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")

    # load
    test = readmark.load(file)
    assert (test.kind.name, test.kind.answer) == (kind, example.member)
    paper = test.facts.paper
    again = tmp_path / "again.jsonl.gz"
    assert readmark.save(test, again) == []
    assert readmark.load(again).facts == test.facts

    # sittings: a dictionary of predictions, and a native one bound to the paper
    predictions = tmp_path / "good.json"
    predictions.write_text(json.dumps(example.good), encoding="utf-8")
    native = tmp_path / "poor.jsonl"
    header = {"readmark": 1, "file": "sitting", "kind": kind, "paper": paper, "candidate": "poor"}
    rows = [{"id": id, example.member: said} for id, said in example.poor.items()]
    native.write_text("".join(json.dumps(line) + "\n" for line in [header, *rows]))

    # mark
    sheets = {"good": tmp_path / "good-marks.jsonl", "poor": tmp_path / "poor-marks.jsonl"}
    fields = list(example.slices)
    good = readmark.mark(test, predictions, by=fields, settings=SETTINGS, marksheet=sheets["good"])
    poor = readmark.mark(test, native, settings=SETTINGS, marksheet=sheets["poor"])
    assert (good.candidate, poor.candidate) == ("good", "poor")
    assert list(good.marks) == list(poor.marks) == example.metrics
    assert good[example.main].score == pytest.approx(example.scores[0])
    assert poor[example.main].score == pytest.approx(example.scores[1])
    assert list(poor.coverage.unanswered) == [id for id in example.good if id not in example.poor]
    for name, labels in example.slices.items():
        assert {label: one.units for label, one in good.by[name].items()} == labels
    assert f"clusters:{test.kind.record_noun}" in good[example.main].signature
    assert good.people is not None
    assert good.people.skipped == example.skipped
    beside = good.people.marks[example.main]
    assert (beside.machine, beside.people) == pytest.approx(example.beside)

    # compare, and from marksheets alone
    found = readmark.compare(test, native, predictions, settings=SETTINGS)
    [one] = found
    assert one.metric == example.main
    assert one.difference == pytest.approx(example.scores[0] - example.scores[1])
    assert (one.units, one.clusters) == (3, 2)
    assert found == readmark.compare(test, sheets["poor"], sheets["good"], settings=SETTINGS)

    # marksheet
    head = read_marksheet_header(str(sheets["good"]))
    assert (head.kind, head.test.paper, head.test.key) == (kind, paper, test.facts.key)
    units = [row for row in read_marksheet_rows(str(sheets["good"])) if isinstance(row, MarkedUnit)]
    assert [row.id for row in units] == list(good.unit_vectors.ids)
    assert all(row.shown and row.gold and row.answers for row in units)

    # people, from the key and as a panel
    people = readmark.people(test, settings=SETTINGS)
    assert (people.units, people.skipped) == (2, example.skipped)
    assert {name: mark.score for name, mark in people.marks.items()} == pytest.approx(
        example.people
    )
    panel = readmark.people(test, predictions, native, settings=SETTINGS)
    assert panel.marks[example.main].score == pytest.approx(sum(example.scores) / 2)
    each = {name: own.marks[example.main].score for name, own in panel.each.items()}
    assert each == pytest.approx({"good": example.scores[0], "poor": example.scores[1]})
