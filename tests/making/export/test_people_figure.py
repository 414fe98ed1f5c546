"""The card's figure of people, who gave the levels, and answers that have no place."""

import json
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.test import Test
from readmark.making.export.about import About
from readmark.making.export.export import export
from readmark.making.export.folder import publish
from readmark.making.export.licences import licence_named
from readmark.making.export.publication import Publication

ABOUT = About("small", licence_named("CC0"))
TEXT = "The copper kettle hung by the door. The door was red."


def made(*, several: bool = True, **header: Any) -> Test:
    """Twelve passages in each split; in every third one the second person says less."""
    return comprehension(
        *(
            passage(
                f"{split}{at}",
                asked(
                    f"{split}{at}-1",
                    ("ann", "copper kettle"),
                    *([("ben", "kettle" if at % 3 else "copper kettle")] if several else []),
                    level=1 + at % 2,
                    key_fields={"level_by": "readmark-levels-1"} if at % 2 else {},
                ),
                text=TEXT,
                split=split,
            )
            for split in ("dev", "test")
            for at in range(12)
        ),
        **{"licence": "CC0", "language": "en", **header},
    )


def card(test: Test, folder: Path, **options: Any) -> tuple[Publication, str]:
    done = publish(test, folder, ABOUT, **options)
    return done, (folder / "README.md").read_text(encoding="utf-8")


def test_people_of_the_key_are_on_the_card(tmp_path: Path) -> None:
    done, text = card(made(), tmp_path / "out", hidden=("test",))
    people = readmark.people(made().split("dev"), metrics=["em", "f1"])
    # each is marked against the other: 4 of 12 the same, the others share one word of two
    assert people.marks["em"].score == pytest.approx(100 / 3)
    assert people.marks["f1"].score == pytest.approx(100 * (4 + 8 * 2 / 3) / 12)
    part = text.partition("## People")[2].partition("## Marking")[0]
    em = people.marks["em"]
    assert f"| all | 12 | 33.33 ({em.low:.2f} to {em.high:.2f}) | 77.78 (" in part
    assert "(2 people), by\nleave-one-out: each person's answer is marked against" in part
    assert "95% percentile intervals over passages, 1000 draws, seed 1" in part
    provenance = json.loads((tmp_path / "out" / "provenance.json").read_text(encoding="utf-8"))[
        "people"
    ]
    assert provenance == done.people
    assert provenance["marks"]["em"]["score"] == em.score
    assert "each" not in provenance  # nobody is named


def test_splits_have_their_own_figures(tmp_path: Path) -> None:
    _, text = card(made(), tmp_path / "out")
    part = text.partition("## People")[2].partition("## Marking")[0]
    assert [line.split(" | ")[:2] for line in part.splitlines() if line.startswith("| ")][2:] == [
        ["| dev", "12"],
        ["| test", "12"],
        ["| all", "24"],
    ]


def test_a_panel_is_on_the_card(tmp_path: Path) -> None:
    ids = [unit.id for unit in made().units()]
    cat = sat(dict.fromkeys(ids, "kettle"), candidate="cat")
    done, text = card(made(several=False), tmp_path / "out", people=[cat])
    part = text.partition("## People")[2].partition("## Marking")[0]
    assert "(1 person), by\na panel: people who did not write the key sat the test" in part
    assert "| all | 24 | 0.00 (0.00 to 0.00) | 66.67 (" in part
    assert done.people is not None
    assert done.people["method"] == "panel"


def test_one_person_is_no_figure_and_authors_are_no_study(tmp_path: Path) -> None:
    _, text = card(made(several=False), tmp_path / "one")
    assert "There is no human figure" in text
    _, text = card(made(fields={"people": "authors"}), tmp_path / "two")
    assert "this is not a study of people" in text


def test_who_gave_the_levels(tmp_path: Path) -> None:
    done, text = card(made(), tmp_path / "out")
    line = "Levels: rules (`readmark-levels-1`) gave 12; the file does not say who gave 12."
    assert line in text
    assert done.levels.rules == {"readmark-levels-1": 12}


ODD = comprehension(
    passage("p", asked("q1", ("ann", "red"), ("ben", "scarlet")), text=TEXT),
    passage("r", asked("q2", ("ann", "bronze")), asked("q3", ("ann", "door")), text=TEXT),
    licence="CC0",
    language="en",
)
# "scarlet" and "bronze" are no spans; "door" is there twice and has no offset


def starts(folder: Path) -> dict[str, list[int]]:
    """By question, every answer_start of squad/ and of data/, which are the same."""
    squad = json.loads((folder / "squad" / "unsplit.json").read_text(encoding="utf-8"))
    by_question = {
        question["id"]: [answer["answer_start"] for answer in question["answers"]]
        for article in squad["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    }
    rows = (folder / "data" / "unsplit.jsonl").read_text(encoding="utf-8").splitlines()
    flat = {row["id"]: row["answers"]["answer_start"] for row in map(json.loads, rows)}
    assert flat == by_question
    return by_question


def test_answers_without_a_place_are_counted_and_named(tmp_path: Path) -> None:
    done, text = card(ODD, tmp_path / "out")
    assert starts(tmp_path / "out") == {"q1": [TEXT.index("red"), -1], "q2": [-1], "q3": [-1]}
    lines = [
        "answers that are not a span of the passage, kept with answer_start -1 or the file's: "
        "2 (q1, q2)",
        "answers without an offset that are not exactly once in the passage, kept with "
        "answer_start -1 or the file's: 1 (q3)",
    ]
    assert done.unplaced.lines == lines
    assert all(f"- {line}" in text for line in lines)
    assert [note for note in done.notes if "span" in note] == [f"data/ and squad/: {lines[0]}"]
    assert "--unplaced omit leaves such answers out of these folders" in done.notes


def test_answers_without_a_place_can_be_left_out(tmp_path: Path) -> None:
    done = export(ODD, tmp_path / "out", unplaced="omit")
    assert starts(tmp_path / "out") == {"q1": [TEXT.index("red")]}
    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "- answers that are not a span of the passage, left out: 2 (q1, q2)" in text
    assert "- left out, they have no other answer: 2 (q2, q3)" in text
    assert done.unplaced.questions == ("q2", "q3")
    exported = readmark.load(tmp_path / "out" / "native" / "unsplit.jsonl")
    assert exported.facts.key == ODD.facts.key  # the native file has everything


def test_a_file_of_squad_that_has_no_offsets(tmp_path: Path) -> None:
    """Answers with answer_start -1 in the file are named as well, be they in the passage or not."""
    answers = {"q1": ("red", TEXT.index("red")), "q2": ("bronze", -1), "q3": ("kettle", -1)}
    answers["q4"] = ("scarlet", 3)  # an offset that points at something else
    questions = [
        {"id": id, "question": "?", "answers": [{"text": text, "answer_start": start}]}
        for id, (text, start) in answers.items()
    ]
    first = {"text": "crimson", "answer_start": -1, "confidence": 3}  # spelt like no other
    questions[0]["answers"].insert(0, first)  # type: ignore[attr-defined]
    paragraphs = [{"context": TEXT, "qas": questions}]
    file = tmp_path / "odd.json"
    file.write_text(json.dumps({"data": [{"title": "t", "paragraphs": paragraphs}]}))
    exported = export(readmark.load(file), tmp_path / "kept", licence="CC0")
    assert exported.unplaced.absent == ("q1", "q2", "q4")
    assert exported.unplaced.repeated == ("q3",)
    assert starts(tmp_path / "kept")["q3"] == [-1]
    export(readmark.load(file), tmp_path / "omitted", licence="CC0", unplaced="omit")
    assert starts(tmp_path / "omitted") == {"q1": [TEXT.index("red")]}
    written = (tmp_path / "omitted" / "squad" / "unsplit.json").read_text(encoding="utf-8")
    assert "confidence" not in written


def test_nothing_is_said_where_every_answer_has_its_place(tmp_path: Path) -> None:
    done, text = card(made(), tmp_path / "out")
    assert done.unplaced.lines == []
    assert "no span" not in text
