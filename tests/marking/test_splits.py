"""Splits as papers of their own: sittings and marksheets of a split and of the whole test."""

import json
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.binding import paper_members
from readmark.core.errors import DataError, UsageError
from readmark.core.splits import only_splits, without_hidden, without_keys
from readmark.core.test import Test, in_memory
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=50, trials=50)
SPLITS = {"train": ("a", "b"), "dev": ("c", "d"), "test": ("e", "f")}
WHOLE = comprehension(
    *(
        passage(id, asked(f"{id}1", "kettle", level=1), asked(f"{id}2", "stove"), split=split)
        for split, ids in SPLITS.items()
        for id in ids
    ),
    name="kitchen",
    hidden=("test",),
)


def answers(*splits: str) -> dict[str, str]:
    """Half of the answers to the units of some splits are right."""
    units = (f"{id}{number}" for split in splits for id in SPLITS[split] for number in (1, 2))
    return dict.fromkeys(units, "kettle")


def sitting(test: Test, given: dict[str, str], **header: Any) -> readmark.Sitting:
    return sat(given, **{**paper_members(test), **header})


def published(*splits: str) -> Test:
    """A file of some splits alone, as somebody else has it."""
    part = only_splits(WHOLE, splits)
    return in_memory(part.header, list(part.records()), file="published.jsonl")


def test_a_split_has_the_fingerprints_of_its_file() -> None:
    for name, facts in WHOLE.facts.splits.items():
        alone = published(str(name)).facts
        assert (facts.paper, facts.key) == (alone.paper, alone.key)
        assert (facts.records, facts.units) == (2, 4)
        assert WHOLE.split(str(name)).facts.paper == facts.paper
    assert len({facts.paper for facts in WHOLE.facts.splits.values()} | {WHOLE.facts.paper}) == 4


def test_fingerprints_of_a_whole_test_are_those_of_before() -> None:
    unsplit = comprehension(
        *(passage(id, asked(f"{id}1", "kettle", level=1), asked(f"{id}2", "stove"))
          for ids in SPLITS.values() for id in ids)
    )  # fmt: skip
    assert (unsplit.facts.paper, unsplit.facts.key) == (WHOLE.facts.paper, WHOLE.facts.key)


def test_a_hidden_key_changes_no_paper() -> None:
    shown = without_keys(WHOLE, ["test"])
    assert {name: split.paper for name, split in shown.facts.splits.items()} == {
        name: split.paper for name, split in WHOLE.facts.splits.items()
    }


@pytest.mark.parametrize(
    ("test", "sat_on", "given", "units", "elsewhere", "note"),
    [
        (WHOLE, published("dev"), ("dev",), 4, 0,
         "is a sitting of split dev of <memory>: 4 of 12 units are used"),
        (WHOLE, published("dev", "test"), ("dev", "test"), 8, 0,
         "is a sitting of splits dev, test of <memory>: 8 of 12 units are used"),
        (published("dev"), WHOLE, ("train", "dev", "test"), 4, 8,
         "answers to units of other splits were ignored: 8"),
        (published("dev"), published("dev", "test"), ("dev", "test"), 4, 4,
         "answers to units of other splits were ignored: 4"),
        (published("train", "dev"), published("dev", "test"), ("dev", "test"), 4, 4,
         "is a sitting of split dev of published.jsonl: 4 of 8 units are used"),
        (WHOLE.split("dev"), WHOLE, ("train", "dev", "test"), 4, 8,
         "answers to units of other splits were ignored: 8"),
        (WHOLE.split("dev"), published("dev"), ("dev",), 4, 0, None),
        (WHOLE, WHOLE, ("train", "dev", "test"), 12, 0, None),
    ],
)  # fmt: skip
def test_a_sitting_of_a_split_and_the_whole_test(
    test: Test, sat_on: Test, given: tuple[str, ...], units: int, elsewhere: int, note: str | None
) -> None:
    marks = readmark.mark(test, sitting(sat_on, answers(*given)), settings=FEW, strict=True)
    assert (marks.units, marks.coverage.elsewhere, marks.coverage.unknown) == (units, elsewhere, ())
    assert marks["em"].score == 50.0
    assert marks.as_json().get("other_splits", 0) == elsewhere
    assert not marks.notes if note is None else any(note in line for line in marks.notes)
    if units == 4:
        assert marks.test.split == "dev"
        alone = readmark.mark(
            published("dev"), sitting(published("dev"), answers("dev")), settings=FEW
        )
        assert marks.marks == alone.marks  # intervals and all
        assert (marks.test.paper, marks.test.key) == (alone.test.paper, alone.test.key)


def test_a_sitting_without_splits_of_the_whole_is_marked_on_a_selected_split() -> None:
    old = sat(answers("train", "dev", "test"), paper=WHOLE.facts.paper)
    assert readmark.mark(WHOLE.split("dev"), old, settings=FEW).units == 4
    with pytest.raises(DataError, match="is a sitting of another paper"):
        readmark.mark(published("dev"), old, settings=FEW)
    narrow = sat(answers("dev"), paper=published("dev").facts.paper)
    assert readmark.mark(WHOLE, narrow, settings=FEW).units == 4


def test_predictions_of_other_splits() -> None:
    marks = readmark.mark(WHOLE.split("dev"), answers("dev", "test"), settings=FEW)
    assert (marks.units, marks.coverage.elsewhere, marks.coverage.unknown) == (4, 4, ())
    said = "no answer is to a unit of split dev; all are to units of split test"
    with pytest.raises(DataError, match=said):
        readmark.mark(WHOLE.split("dev"), answers("test"), settings=FEW)


def test_people_and_comparisons_take_the_shared_splits() -> None:
    dev, whole = sitting(published("dev"), answers("dev")), sitting(WHOLE, answers(*SPLITS))
    compared = readmark.compare(WHOLE, dev, whole, settings=FEW)
    assert compared[0].units == 4
    assert any("4 of 12 units are used" in note for note in compared.notes)
    assert readmark.people(WHOLE, dev, whole, settings=FEW).units == 4
    marks = readmark.mark(WHOLE, whole, people=[dev], settings=FEW)
    assert marks.units == 12
    assert marks.people is not None
    assert (marks.people.units, marks.people.skipped) == (4, 8)
    other = sitting(published("test"), answers("test"))
    with pytest.raises(DataError, match="share no split: split dev; split test"):
        readmark.compare(WHOLE, dev, other, settings=FEW)


def test_marksheets_of_a_split_and_of_the_whole(tmp_path: Path) -> None:
    whole, dev, test = (str(tmp_path / f"{name}.jsonl") for name in ("whole", "dev", "test"))
    readmark.mark(WHOLE, sitting(WHOLE, answers(*SPLITS)), marksheet=whole, settings=FEW)
    alone = published("dev")
    readmark.mark(alone, sitting(alone, answers("dev")), marksheet=dev, settings=FEW)
    readmark.mark(WHOLE.split("test"), answers("test"), marksheet=test, settings=FEW)
    header = json.loads(Path(dev).read_text().splitlines()[0])["test"]
    assert header["split"] == "dev"
    for against in (WHOLE, WHOLE.split("dev"), alone):
        assert readmark.compare(against, whole, dev, settings=FEW)[0].units == 4
    with pytest.raises(DataError, match="share no split: split dev; split test"):
        readmark.compare(WHOLE, dev, test, settings=FEW)
    with pytest.raises(DataError, match="is a marksheet of another paper"):
        readmark.compare(alone, dev, test, settings=FEW)
    rekeyed = comprehension(passage("c", asked("c1", "tea", level=1), asked("c2", "stove")),
                            passage("d", asked("d1", "tea"), asked("d2", "stove")))  # fmt: skip
    with pytest.raises(DataError, match="is a marksheet of another key"):
        readmark.compare(rekeyed, whole, dev, settings=FEW)


def test_a_limited_sitting_of_the_whole_marked_on_a_split() -> None:
    covers = ("a1", "a2", "b1", "b2", "c1")
    first = dict.fromkeys(covers, "kettle")
    some = sitting(WHOLE, first, limit=5, covers=covers)
    assert readmark.mark(published("dev"), some, settings=FEW).units == 1
    unsure = sitting(WHOLE, first, limit=5)
    with pytest.raises(DataError, match="another paper"):
        readmark.mark(published("dev"), unsure, settings=FEW)


def test_hidden_splits_are_not_handed_out() -> None:
    shown, notes = without_hidden(WHOLE, "for training")
    assert set(shown.facts.splits) == {"train", "dev"}
    assert notes == ("<memory>: hidden, so not used for training: split test",)
    assert without_hidden(WHOLE.split("test"), "for training")[0].facts.units == 4
    with pytest.raises(DataError, match="split test is hidden, and nothing else is left"):
        without_hidden(published("test"), "for training")


def test_an_unknown_split_lists_the_others(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no split 'tset'; it has train, dev, test$"):
        WHOLE.split("tset")
    readmark.save(WHOLE, tmp_path / "kitchen.jsonl")
    with pytest.raises(UsageError, match=r"kitchen.jsonl has no split 'x'; it has train, dev, te"):
        readmark.load(tmp_path / "kitchen.jsonl", split="x")
    assert readmark.load(tmp_path / "kitchen.jsonl", split="dev").facts.units == 4
    with pytest.raises(UsageError, match="its records name no splits"):
        comprehension(passage("a", asked("a1", "x"))).split("dev")


@pytest.mark.parametrize("given", [{"x1": "y"}, {f"x{n}": "y" for n in range(9)}])
def test_no_known_id_is_an_error_everywhere(given: dict[str, str], tmp_path: Path) -> None:
    right = answers("dev")
    said = "no answer is to a unit of .*: the answers are to 'x.*; the test has 'a1', 'a2', 'b1', …"
    for call in (
        lambda: readmark.mark(WHOLE, given, settings=FEW),
        lambda: readmark.mark(WHOLE, right, people=[given], settings=FEW),
        lambda: readmark.compare(WHOLE, right, given, settings=FEW),
        lambda: readmark.people(WHOLE, given, settings=FEW),
        lambda: readmark.report(WHOLE, right, given, path=tmp_path / "r.html"),
    ):
        with pytest.raises(DataError, match=said):
            call()
    assert not (tmp_path / "r.html").exists()


def test_under_half_is_a_warning_at_the_top(tmp_path: Path) -> None:
    given = {"a1": "kettle", "x1": "y", "x2": "y"}
    warning = "<answers>: warning: only 1 of 3 answers are to units of <memory>; is it a sitting"
    assert readmark.mark(WHOLE, given, settings=FEW).notes[0].startswith(warning)
    assert readmark.people(WHOLE, given, settings=FEW).notes[0].startswith(warning)
    compared = readmark.compare(WHOLE, given, answers("dev"), settings=FEW)
    assert compared.notes[0].startswith(warning)
    few = {**given, "c1": "kettle", "x3": "y"}
    page = readmark.report(WHOLE, few, answers("dev"), path=tmp_path / "r.html")
    assert page.notes[0].startswith("<answers>: warning: only 2 of 5 answers are to units of")
    half = {"a1": "kettle", "a2": "y", "x1": "y", "x2": "y"}
    assert "warning" not in readmark.mark(WHOLE, half, settings=FEW).notes[0]


def test_an_unknown_field_lists_those_there_are() -> None:
    listed = r"<memory> has no field 'levle'; its fields are .*level.*split"
    for call in (readmark.mark, readmark.people):
        with pytest.raises(UsageError, match=listed):
            call(WHOLE, answers("dev"), by=["level", "levle"], settings=FEW)
    # A field that the kind declares may be empty.
    assert set(readmark.mark(WHOLE, answers("dev"), by="topic", settings=FEW).by["topic"]) == {"-"}
