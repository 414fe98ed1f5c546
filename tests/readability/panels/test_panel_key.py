"""What experts and novices rated, put into the key and into sittings."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from collected_panels import PLAN, TEST, collect_panel
from panel_judges import rate, returned, rows_of, sheets, written
from readmark.core.errors import DataError
from readmark.core.test import in_memory
from readmark.readability.kind import Rating, RatingKey
from readmark.readability.panels.collect import collect
from readmark.readability.panels.ratings import read_ratings


def test_experts_are_the_key_and_novices_sittings(tmp_path: Path) -> None:
    panel = collect_panel(tmp_path)
    assert panel.findings == ()
    assert panel.rated == panel.expected == panel.rows == 100
    codes = {passage.id: passage.code for passage in PLAN.passages}
    for record in panel.test.records():
        number = int(codes[record.id][1:])
        assert [(rating.annotator, rating.rating) for rating in record.key.ratings] == [
            ("e1", 1 + number % 5),
            ("e2", 1 + (number + 1) % 5),
            ("e3", 1 + number % 5),
        ]
        for rating in record.key.ratings:
            assert codes[record.id] in PLAN.rounds[rating.round - 1]
            assert rating.seconds == 30
    assert [sitting.candidate for sitting in panel.novices] == ["n1", "n2"]
    for sitting in panel.novices:
        assert sitting.header.paper == TEST.facts.paper == panel.test.facts.paper
        assert set(sitting.rows) == set(codes)
    assert TEST.kind.read_answer(panel.novices[0].of("forum-1")[0]).rating >= 1
    assert panel.test.facts.key != TEST.facts.key


def test_the_round_is_the_plans_and_the_turn_the_judges(tmp_path: Path) -> None:
    [n1, _] = collect_panel(tmp_path).novices
    judge = PLAN.judges[3]
    ids = {passage.code: passage.id for passage in PLAN.passages}
    for turn, round_ in enumerate(judge.rounds, 1):
        for place, code in enumerate(round_.passages, 1):
            evidence = n1.of(ids[code])[0].evidence
            assert evidence["round"] == round_.number
            assert (evidence["turn"], evidence["place"]) == (turn, place)


def test_a_judge_goes_on_where_the_sheet_was_left(tmp_path: Path) -> None:
    """Two sheets with some rows in common give what one complete sheet gives."""
    at_once = collect_panel(tmp_path / "once")
    files = []
    for index, (name, rows) in enumerate(sheets(TEST, PLAN)):
        rate(rows, shift=index % 2)
        files.append(written(tmp_path / "early", name, rows[:13]))
        files.append(written(tmp_path / "late", name, rows[10:]))
    both = collect(TEST, PLAN, read_ratings(PLAN, files))
    assert both.findings == ()
    assert both.rated == 100
    assert list(both.test.records()) == list(at_once.test.records())
    assert rows_of((tmp_path / "late" / "n1.csv").read_text("utf-8"))


def test_a_panel_without_experts_leaves_the_key_and_shows_its_own_agreement(
    tmp_path: Path,
) -> None:
    files = [file for file in returned(tmp_path, TEST, PLAN) if Path(file).name[0] == "n"]
    novices = collect(TEST, PLAN, read_ratings(PLAN, files))
    agreement = str(novices).partition("agreement ")[2]
    assert "novice" in agreement
    assert "expert" not in agreement
    [note] = replace(novices, written={"output": "rated.jsonl"}).notes
    assert note.endswith("findings; no expert rated: its key is as it was")
    everybody = replace(collect_panel(tmp_path), written={"output": "rated.jsonl"})
    assert "expert – novice" in str(everybody)
    assert everybody.notes == ("rated.jsonl: 0 findings; the experts' ratings are its key",)


def test_another_paper_is_refused(tmp_path: Path) -> None:
    ratings = read_ratings(PLAN, returned(tmp_path, TEST, PLAN))
    first, *others = TEST.records()
    changed = in_memory(TEST.header, [msgspec.structs.replace(first, text="New."), *others])
    with pytest.raises(DataError, match="newswire-0: the text of the passage is not the one"):
        collect(changed, PLAN, ratings)
    with pytest.raises(DataError, match="other passages than the plan"):
        collect(in_memory(TEST.header, others), PLAN, ratings)


@pytest.mark.parametrize("name", ["old", "e1"])
def test_experts_are_not_mixed_with_those_in_the_key(tmp_path: Path, name: str) -> None:
    files = returned(tmp_path, TEST, PLAN)
    key = RatingKey(ratings=(Rating(rating=2, annotator=name),))
    first, *others = TEST.records()
    rated = in_memory(TEST.header, [msgspec.structs.replace(first, key=key), *others])
    with pytest.raises(DataError, match=rf"has ratings already, by {name}: collect into a test w"):
        collect(rated, PLAN, read_ratings(PLAN, files))
    novices = [file for file in files if Path(file).name.startswith("n")]
    panel = collect(rated, PLAN, read_ratings(PLAN, novices))
    assert list(panel.test.records()) == list(rated.records())
    assert panel.test.header == rated.header
    assert [sitting.candidate for sitting in panel.novices] == ["n1", "n2"]


def test_ratings_of_people_are_no_longer_labelled_as_synthetic(tmp_path: Path) -> None:
    fields = {"note": "The ratings are made up", "synthetic": True, "conventions": "none"}
    header = msgspec.structs.replace(
        TEST.header, name="small (synthetic panel)", fields=fields, language="en"
    )
    ratings = read_ratings(PLAN, returned(tmp_path, TEST, PLAN))
    panel = collect(in_memory(header, list(TEST.records())), PLAN, ratings)
    assert panel.test.header.name == "small"
    assert set(panel.test.header.fields) == {"conventions", "panel"}
