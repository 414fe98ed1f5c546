"""Raters compared with novices, from files to tables; and what is refused, left out or noted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import readmark
from panel_files import (
    EXPERTS,
    MACHINE,
    NOVICES,
    passage,
    write_lines,
    write_machine,
    write_novice,
    write_novices,
    write_test,
)
from readmark.core.errors import DataError, UsageError
from readmark.core.marksheet import MarkedUnit, read_marksheet_header, read_marksheet_rows
from readmark.marking.settings import MarkSettings
from readmark.readability.panels.novice_comparison import compare_with_novices
from readmark.readability.panels.novices import METRICS
from readmark.readability.panels.panel_ratings import gather

FEW = MarkSettings(draws=50, trials=200)


def compare(place: Path, *sittings: Path, **options: Any) -> Any:
    test = readmark.load(options.pop("test", None) or write_test(place / "test.jsonl"))
    novices = options.pop("novices", None) or write_novices(place)
    machines = sittings or (write_machine(place / "machine.json"),)
    return compare_with_novices(test, machines, novices, settings=FEW, **options)


def test_the_tables_of_a_rater(tmp_path: Path) -> None:
    tables = compare(tmp_path)
    assert (tables.passages, tables.novices, tables.experts) == (
        6,
        ("dee", "eli", "fay"),
        ("ann", "ben", "cy"),
    )
    assert tables.narrow == 2  # p2 and p5
    [line] = tables.raters
    gold = [sum(ratings[index] for ratings in EXPERTS.values()) / 3 for index in range(6)]
    ratings = list(MACHINE.values())
    differences = [
        np.mean([abs(gold[index] - novice[f"p{index}"]) for novice in NOVICES.values()])
        - abs(gold[index] - ratings[index])
        for index in range(6)
    ]
    observed = {name: verdict.observed for name, verdict in line.verdicts.items()}
    assert observed == pytest.approx(
        {
            "score_difference": np.mean(differences),
            # Widths 2, 1, 0, 3, 1, 0; all are hit.
            "proportional_target": 1 / 3 + 1 / 2 + 1 + 1 / 4 + 1 / 2 + 1,
            "pearson": np.corrcoef(gold, ratings)[0, 1],
        },
        abs=1e-6,
    )
    for name in METRICS:  # the same number as the ordinary mark, whose interval is beside it
        assert line.marks[name].score == pytest.approx(observed[name], abs=1e-6)
        assert line.marks[name].low is not None
        assert line.judges[name].judges == 3
    assert {"spearman", "kendall"} < set(line.marks)
    assert [out.novice for out in tables.left_out] == ["dee", "eli", "fay"]
    assert tables.claims[0].startswith("machine: better than ratings of randomly drawn novices")
    assert "does not show that it is better than a novice as a person" in tables.claims[0]
    assert "of your 3 novices" in tables.claims[-1]


def test_slices_and_several_raters_share_the_draws(tmp_path: Path) -> None:
    poor = write_machine(tmp_path / "poor.json", {f"p{index}": 5 - index % 2 for index in range(6)})
    tables = compare(tmp_path, write_machine(tmp_path / "machine.json"), poor, by=["split"])
    assert [line.candidate for line in tables.raters] == ["machine", "poor"]
    criticals = [[line.verdicts[name].critical for name in METRICS] for line in tables.raters]
    assert criticals[0] == pytest.approx(criticals[1], nan_ok=True)
    slices = tables.by["split"]
    assert {label: [line.passages for line in lines] for label, lines in slices.items()} == {
        "test": [3, 3],
        "train": [3, 3],
    }
    # A slice is what a test of its passages alone would be.
    alone = write_test(tmp_path / "alone.jsonl", [passage(index) for index in (0, 1, 4)])
    part = {id: MACHINE[id] for id in ("p0", "p1", "p4")}
    other = compare(tmp_path, write_machine(tmp_path / "part.json", part), test=alone)
    sliced = slices["train"][0]
    assert other.raters[0].verdicts == sliced.verdicts
    assert other.raters[0].judges == sliced.judges


def test_another_order_of_files_gives_the_same(tmp_path: Path) -> None:
    tables = compare(tmp_path)
    test = write_test(tmp_path / "turned.jsonl", [passage(index) for index in reversed(range(6))])
    turned = compare(tmp_path, test=test, novices=write_novices(tmp_path)[::-1])
    assert tables.raters[0].verdicts == turned.raters[0].verdicts
    assert tables.left_out == turned.left_out


def test_incomplete_novices_count_for_what_they_rated(tmp_path: Path) -> None:
    novices = write_novices(tmp_path)[:2]
    novices.append(write_novice(tmp_path, "gus", {"p0": 4, "p1": 2}))
    tables = compare(tmp_path, novices=novices)
    assert "gus did not rate 4 (p2, p3, p4, p5); the rest counts" in "\n".join(tables.notes)
    assert [out.passages for out in tables.left_out] == [6, 6, 2]
    assert tables.raters[0].judges["score_difference"].judges == 3


def test_passages_without_experts_or_novices_are_left_out_and_named(tmp_path: Path) -> None:
    records = [passage(index) for index in range(6)]
    del records[5]["key"]
    records[0]["key"]["ratings"] = records[0]["key"]["ratings"][:1]
    test = write_test(tmp_path / "test.jsonl", records)
    novices = [
        write_novice(tmp_path, name, {id: ratings[id] for id in ratings if id != "p4"})
        for name, ratings in NOVICES.items()
    ]
    tables = compare(tmp_path, test=test, novices=novices)
    assert tables.passages == 4
    assert tables.excluded == {"no expert rated them": ("p5",), "no novice rated them": ("p4",)}
    notes = "\n".join(tables.notes)
    assert "left out, no expert rated them: 1 (p5)" in notes
    assert "left out, no novice rated them: 1 (p4)" in notes
    assert "one expert alone rated 1 (p0)" in notes
    # The marks are of the same passages as the null.
    [line] = tables.raters
    for name in METRICS:
        assert line.marks[name].score == pytest.approx(line.verdicts[name].observed, abs=1e-6)


def test_unanswered_passages_get_the_worst_and_no_correlation(tmp_path: Path) -> None:
    part = {id: rating for id, rating in MACHINE.items() if id != "p2"}
    tables = compare(tmp_path, write_machine(tmp_path / "part.json", part))
    [line] = tables.raters
    assert line.why == {"pearson": "undefined: 1 unanswered"}
    assert tables.as_json()["raters"]["part"]["metrics"]["pearson"]["p"] is None
    [whole] = compare(tmp_path).raters
    # p2: gold 4, so the farthest rating is 3 away; over 6 passages
    lost = whole.verdicts["score_difference"].observed - line.verdicts["score_difference"].observed
    assert lost == pytest.approx(3 / 6, abs=1e-6)
    assert any("unanswered: 1 (p2)" in note for note in tables.notes)


def test_a_ratio_to_people_has_no_interval_where_it_is_undefined(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    part = {id: rating for id, rating in MACHINE.items() if id != "p2"}
    people = readmark.mark(test, part, people=write_novices(tmp_path), settings=FEW).people
    assert people is not None
    pearson = people.marks["pearson"]
    assert (pearson.machine, pearson.ratio, pearson.low, pearson.high) == (None, None, None, None)
    assert pearson.people is not None
    assert people.marks["proportional_target"].ratio is not None


def test_constant_ratings_have_no_correlation_and_the_reason_is_given(tmp_path: Path) -> None:
    tables = compare(tmp_path, write_machine(tmp_path / "flat.json", dict.fromkeys(MACHINE, 3.0)))
    assert tables.raters[0].why == {"pearson": "undefined: the ratings are all the same"}
    assert any("pearson: undefined: the ratings are all the same" in note for note in tables.notes)


@pytest.mark.parametrize(
    ("novice", "header", "message"),
    [
        (("ann", {"p0": 4}), {}, "'ann' is one of the experts too"),
        (("dee", {"p0": 4}), {}, "'dee' is also the novice of"),
        (("gus", {"q9": 4}), {}, "'gus' rated no passage"),
        (("gus", {"p0": 4}), {"repeats": 2}, "a novice rates a passage once"),
        (("gus", {"p0": 4}), {"paper": "0" * 32}, "is a sitting of another paper"),
    ],
)
def test_novices_that_are_refused(
    novice: tuple[str, dict[str, float]], header: dict[str, Any], message: str, tmp_path: Path
) -> None:
    novices = write_novices(tmp_path)
    (tmp_path / "more").mkdir()
    novices.append(write_novice(tmp_path / "more", *novice, **header))
    with pytest.raises(DataError, match=message):
        compare(tmp_path, novices=novices)


def test_other_bad_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="two novices or more"):
        compare(tmp_path, novices=write_novices(tmp_path)[:1])
    other = tmp_path / "other.jsonl"
    write_lines(
        other,
        [{"readmark": 1, "kind": "series"}, {"id": "s", "target": "x", "questions": []}],
    )
    with pytest.raises(UsageError, match="is a series test, expected readability"):
        compare(tmp_path, test=other)
    bare = write_test(tmp_path / "bare.jsonl", [{"id": "p0", "text": "A boat."}])
    with pytest.raises(DataError, match="no expert's rating"):
        compare(tmp_path, test=bare)


def test_unknown_passages_and_ratings_off_the_scale_are_noted(tmp_path: Path) -> None:
    novices = write_novices(tmp_path)
    novices.append(write_novice(tmp_path, "gus", {"p0": 4, "q7": 2, "p1": 0}))
    machine = write_machine(tmp_path / "m.json", {**MACHINE, "q8": 3, "p0": 7})
    notes = "\n".join(compare(tmp_path, machine, novices=novices).notes)
    assert "gus.jsonl: answers to units that the test does not have: 1 (q7)" in notes
    assert "m.json: answers to units that the test does not have: 1 (q8)" in notes
    assert "m.json: ratings outside 1 to 5, taken as given: 1 (p0)" in notes
    assert "gus.jsonl: ratings outside 1 to 5, taken as given: 1 (p1)" in notes


def test_a_novice_who_sits_as_the_machine_is_noted(tmp_path: Path) -> None:
    novices = write_novices(tmp_path)
    notes = compare(tmp_path, novices[0], novices=novices).notes
    assert any("dee is one of the novices too" in note for note in notes)


def test_rounding_is_for_the_target_alone(tmp_path: Path) -> None:
    near = write_machine(tmp_path / "near.json", {**MACHINE, "p2": 3.9})
    [plain] = compare(tmp_path, near, round=False).raters
    [rounded] = compare(tmp_path, near).raters
    target = "proportional_target"
    change = rounded.verdicts[target].observed - plain.verdicts[target].observed
    assert change == pytest.approx(1 - 1 / 2 + 1 / 2)  # p2 is hit now, and 4.5 is 5 of (4, 5)
    assert rounded.verdicts["pearson"].observed == plain.verdicts["pearson"].observed


def test_marksheets_stay_in_a_folder_and_give_the_ratings_back(tmp_path: Path) -> None:
    tables = compare(tmp_path, folder=tmp_path / "sheets")
    [sheet] = sorted((tmp_path / "sheets").iterdir())
    head = read_marksheet_header(str(sheet))
    units = [row for row in read_marksheet_rows(str(sheet)) if isinstance(row, MarkedUnit)]
    gathered = gather(units, head.metrics, head.panel)
    assert gathered is not None
    assert gathered.novices == tables.novices
    ratings = (gathered.panel.cells[..., 2] + 3).tolist()
    assert ratings == [[novice[id] for novice in NOVICES.values()] for id in sorted(MACHINE)]
    assert (gathered.machine[:, 2] + 3).tolist() == list(MACHINE.values())
    assert gather(units, ["pearson"], head.panel) is None
    assert gather(units, head.metrics, ()) is None
    with pytest.raises(DataError, match="not empty"):
        compare(tmp_path, folder=tmp_path / "sheets")


def test_passages_of_one_novice_are_noted_and_two_novices_are_not_compared(
    tmp_path: Path,
) -> None:
    part = {id: NOVICES["eli"][id] for id in ("p0", "p1")}
    novices = [write_novices(tmp_path)[0], write_novice(tmp_path, "gus", part)]
    tables = compare(tmp_path, novices=novices)
    notes = "\n".join(tables.notes)
    assert "one novice alone rated 4 (p2, p3, p4, p5)" in notes
    assert "it takes three novices or more" in notes
    assert (tables.single, tables.left_out) == (4, [])
    assert "4 of 6 passages have one novice alone" in tables.claims[0]
    assert tables.as_json()["one_novice"] == 4


def test_nothing_is_drawn_where_no_passage_has_two_novices(tmp_path: Path) -> None:
    ids = sorted(MACHINE)
    novices = [
        write_novice(tmp_path, name, {id: NOVICES["dee"][id] for id in part})
        for name, part in (("gus", ids[:3]), ("hal", ids[3:]))
    ]
    tables = compare(tmp_path, novices=novices)
    [line] = tables.raters
    assert set(line.why) == set(METRICS)
    assert all(np.isnan(verdict.p) for verdict in line.verdicts.values())
    assert tables.claims[0] == "machine: nothing can be claimed, no metric has a p"


def test_a_judge_is_known_in_any_case_and_coding(tmp_path: Path) -> None:
    experts = {"Zo\u00eb": EXPERTS["ann"], "B": EXPERTS["ben"]}
    test = write_test(tmp_path / "test.jsonl", [passage(index, experts) for index in range(6)])
    novices = write_novices(tmp_path)
    (tmp_path / "more").mkdir()
    for name in ("zoe\u0308", "b"):
        other = write_novice(tmp_path / "more", name, {"p0": 4})
        with pytest.raises(DataError, match=r"is one of the experts too .as '"):
            compare(tmp_path, test=test, novices=[*novices, other])
    again = write_novice(tmp_path / "more", "DEE", {"p0": 4})
    with pytest.raises(DataError, match=r"'DEE' is also the novice of .*dee.jsonl .as 'dee'.;"):
        compare(tmp_path, novices=[*novices, again])


def test_an_expert_who_sits_as_the_machine_or_among_people_is_noted(tmp_path: Path) -> None:
    ratings = {f"p{index}": rating for index, rating in enumerate(EXPERTS["ann"])}
    ann = write_novice(tmp_path, "Ann", ratings)
    notes = "\n".join(compare(tmp_path, ann).notes)
    assert "Ann is one of the experts: the gold holds these very ratings" in notes
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    marks = readmark.mark(test, MACHINE, people=[ann], settings=FEW)
    assert any("Ann is one of the experts too" in note for note in marks.notes)


def test_a_sitting_of_a_part_is_noted(tmp_path: Path) -> None:
    part = {id: MACHINE[id] for id in ("p0", "p1", "p2")}
    half = write_novice(tmp_path, "half", part, limit=3)
    tables = compare(tmp_path, write_machine(tmp_path / "machine.json"), half)
    assert [line.passages for line in tables.raters] == [6, 3]
    assert any("half.jsonl: sat 3 of 6 passages" in note for note in tables.notes)
    assert tables.claims[1].startswith("half (on 3 of 6 passages): ")


def test_numbers_carry_their_signatures(tmp_path: Path) -> None:
    plain = compare(tmp_path, round=False).as_json()
    rounded = compare(tmp_path, round=True).as_json()
    assert (plain["round"], rounded["round"]) == (False, True)
    assert "|round:no|" in plain["signatures"]["proportional_target"]
    assert "|round:half up|" in rounded["signatures"]["proportional_target"]
    for signature in rounded["signatures"].values():
        assert "readmark:" in signature
    for name in METRICS:
        assert "|null:novice per passage|novices:3|null draws:200|" in plain["signatures"][name]


def test_faults_of_the_experts_are_noted(tmp_path: Path) -> None:
    records = [passage(index) for index in range(6)]
    records[3]["key"]["ratings"] += [{"annotator": "ann", "rating": 6}]
    notes = compare(tmp_path, test=write_test(tmp_path / "test.jsonl", records)).notes
    outside = "experts' ratings outside 1 to 5, taken as given: 1 (p3)"
    assert sum(outside in note for note in notes) == 1
    assert any("an expert rated twice, and both ratings count: 1 (p3)" in note for note in notes)


def test_an_error_row_of_a_novice_is_no_rating_and_nothing_else(tmp_path: Path) -> None:
    file = write_novice(tmp_path, "gus", {id: MACHINE[id] for id in MACHINE if id != "p5"})
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"id": "p5", "error": "no idea"}\n')
    notes = "\n".join(compare(tmp_path, novices=[*write_novices(tmp_path), file]).notes)
    assert "gus did not rate 1 (p5); the rest counts" in notes
    assert "error rows" not in notes
