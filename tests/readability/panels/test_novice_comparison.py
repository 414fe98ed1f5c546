"""Raters beside novices, from files to tables; and what is refused, left out or told."""

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


def mark(here: Path, *sittings: Path, **options: Any) -> Any:
    test = readmark.load(options.pop("test", None) or write_test(here / "test.jsonl"))
    novices = options.pop("novices", None) or write_novices(here)
    machines = sittings or (write_machine(here / "machine.json"),)
    return compare_with_novices(test, machines, novices, settings=FEW, **options)


def test_the_tables_of_a_rater(tmp_path: Path) -> None:
    found = mark(tmp_path)
    assert (found.passages, found.novices, found.experts) == (
        6,
        ("dee", "eli", "fay"),
        ("ann", "ben", "cy"),
    )
    assert found.narrow == 2  # p2 and p5
    [line] = found.raters
    gold = [sum(said[at] for said in EXPERTS.values()) / 3 for at in range(6)]
    said = list(MACHINE.values())
    away = [
        np.mean([abs(gold[at] - novice[f"p{at}"]) for novice in NOVICES.values()])
        - abs(gold[at] - said[at])
        for at in range(6)
    ]
    observed = {name: one.observed for name, one in line.verdicts.items()}
    assert observed == pytest.approx(
        {
            "score_difference": np.mean(away),
            # widths 2, 1, 0, 3, 1, 0; all are hit
            "proportional_target": 1 / 3 + 1 / 2 + 1 + 1 / 4 + 1 / 2 + 1,
            "pearson": np.corrcoef(gold, said)[0, 1],
        },
        abs=1e-6,
    )
    for name in METRICS:  # the same number as the ordinary mark, whose interval stands beside
        assert line.marks[name].score == pytest.approx(observed[name], abs=1e-6)
        assert line.marks[name].low is not None
        assert line.judges[name].judges == 3
    assert {"spearman", "kendall"} < set(line.marks)
    assert [one.novice for one in found.left_out] == ["dee", "eli", "fay"]
    assert found.claims[0].startswith("machine: better than ratings of randomly drawn novices")
    assert "does not show that it is better than a novice as a person" in found.claims[0]
    assert "of your 3 novices" in found.claims[-1]


def test_slices_and_several_raters_share_the_draws(tmp_path: Path) -> None:
    poor = write_machine(tmp_path / "poor.json", {f"p{at}": 5 - at % 2 for at in range(6)})
    found = mark(tmp_path, write_machine(tmp_path / "machine.json"), poor, by=["split"])
    assert [line.candidate for line in found.raters] == ["machine", "poor"]
    criticals = [[line.verdicts[name].critical for name in METRICS] for line in found.raters]
    assert criticals[0] == pytest.approx(criticals[1], nan_ok=True)
    assert {
        label: [one.passages for one in lines] for label, lines in found.by["split"].items()
    } == {
        "test": [3, 3],
        "train": [3, 3],
    }
    # a slice is what a test of its passages alone would be
    alone = write_test(tmp_path / "alone.jsonl", [passage(at) for at in (0, 1, 4)])
    part = {id: said for id, said in MACHINE.items() if id in ("p0", "p1", "p4")}
    other = mark(tmp_path, write_machine(tmp_path / "part.json", part), test=alone)
    sliced = found.by["split"]["train"][0]
    assert other.raters[0].verdicts == sliced.verdicts
    assert other.raters[0].judges == sliced.judges


def test_another_order_of_files_gives_the_same(tmp_path: Path) -> None:
    one = mark(tmp_path)
    test = write_test(tmp_path / "turned.jsonl", [passage(at) for at in reversed(range(6))])
    other = mark(tmp_path, test=test, novices=write_novices(tmp_path)[::-1])
    assert one.raters[0].verdicts == other.raters[0].verdicts
    assert one.left_out == other.left_out


def test_incomplete_novices_count_for_what_they_rated(tmp_path: Path) -> None:
    novices = write_novices(tmp_path)[:2]
    novices.append(write_novice(tmp_path, "gus", {"p0": 4, "p1": 2}))
    found = mark(tmp_path, novices=novices)
    assert "gus did not rate 4 (p2, p3, p4, p5); the rest counts" in "\n".join(found.notes)
    assert [one.passages for one in found.left_out] == [6, 6, 2]
    assert found.raters[0].judges["score_difference"].judges == 3


def test_passages_without_experts_or_novices_are_left_out_and_named(tmp_path: Path) -> None:
    records = [passage(at) for at in range(6)]
    del records[5]["key"]
    records[0]["key"]["ratings"] = records[0]["key"]["ratings"][:1]
    test = write_test(tmp_path / "test.jsonl", records)
    novices = [
        write_novice(tmp_path, name, {id: one for id, one in said.items() if id != "p4"})
        for name, said in NOVICES.items()
    ]
    found = mark(tmp_path, test=test, novices=novices)
    assert found.passages == 4
    assert found.excluded == {"no expert rated them": ("p5",), "no novice rated them": ("p4",)}
    told = "\n".join(found.notes)
    assert "left out, no expert rated them: 1 (p5)" in told
    assert "left out, no novice rated them: 1 (p4)" in told
    assert "one expert alone rated 1 (p0)" in told
    # the marks are of the same passages as the null
    [line] = found.raters
    for name in METRICS:
        assert line.marks[name].score == pytest.approx(line.verdicts[name].observed, abs=1e-6)


def test_unanswered_passages_get_the_worst_and_no_correlation(tmp_path: Path) -> None:
    part = {id: said for id, said in MACHINE.items() if id != "p2"}
    found = mark(tmp_path, write_machine(tmp_path / "part.json", part))
    [line] = found.raters
    assert line.why == {"pearson": "undefined: 1 unanswered"}
    assert found.as_json()["raters"]["part"]["metrics"]["pearson"]["p"] is None
    whole = mark(tmp_path).raters[0]
    # p2: gold 4, so the farthest rating is 3 away; over 6 passages
    lost = whole.verdicts["score_difference"].observed - line.verdicts["score_difference"].observed
    assert lost == pytest.approx(3 / 6, abs=1e-6)
    assert any("unanswered: 1 (p2)" in note for note in found.notes)


def test_a_ratio_to_people_has_no_interval_where_it_is_undefined(tmp_path: Path) -> None:
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    part = {id: said for id, said in MACHINE.items() if id != "p2"}
    people = readmark.mark(test, part, people=write_novices(tmp_path), settings=FEW).people
    assert people is not None
    found = people.marks["pearson"]
    assert (found.machine, found.ratio, found.low, found.high) == (None, None, None, None)
    assert found.people is not None
    assert people.marks["proportional_target"].ratio is not None


def test_constant_ratings_are_said_to_have_no_correlation(tmp_path: Path) -> None:
    found = mark(tmp_path, write_machine(tmp_path / "flat.json", dict.fromkeys(MACHINE, 3.0)))
    assert found.raters[0].why == {"pearson": "undefined: the ratings are all the same"}
    assert any("pearson: undefined: the ratings are all the same" in one for one in found.notes)


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
        mark(tmp_path, novices=novices)


def test_other_bad_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="two novices or more"):
        mark(tmp_path, novices=write_novices(tmp_path)[:1])
    other = tmp_path / "other.jsonl"
    write_lines(
        other,
        [{"readmark": 1, "kind": "series"}, {"id": "s", "target": "x", "questions": []}],
    )
    with pytest.raises(UsageError, match="is a series test, expected readability"):
        mark(tmp_path, test=other)
    bare = write_test(tmp_path / "bare.jsonl", [{"id": "p0", "text": "A boat."}])
    with pytest.raises(DataError, match="no expert's rating"):
        mark(tmp_path, test=bare)


def test_strange_passages_of_a_novice_and_a_machine_are_told(tmp_path: Path) -> None:
    novices = write_novices(tmp_path)
    novices.append(write_novice(tmp_path, "gus", {"p0": 4, "q7": 2, "p1": 0}))
    machine = write_machine(tmp_path / "m.json", {**MACHINE, "q8": 3, "p0": 7})
    told = "\n".join(mark(tmp_path, machine, novices=novices).notes)
    assert "gus.jsonl: answers to units that the test does not have: 1 (q7)" in told
    assert "m.json: answers to units that the test does not have: 1 (q8)" in told
    assert "m.json: ratings outside 1 to 5, taken as given: 1 (p0)" in told
    assert "gus.jsonl: ratings outside 1 to 5, taken as given: 1 (p1)" in told


def test_a_novice_who_sits_as_the_machine_is_told_of(tmp_path: Path) -> None:
    novices = write_novices(tmp_path)
    found = mark(tmp_path, novices[0], novices=novices)
    assert any("dee is one of the novices too" in note for note in found.notes)


def test_rounding_is_for_the_target_alone(tmp_path: Path) -> None:
    near = write_machine(tmp_path / "near.json", {**MACHINE, "p2": 3.9})
    plain, rounded = mark(tmp_path, near, round=False), mark(tmp_path, near)
    one, other = plain.raters[0].verdicts, rounded.raters[0].verdicts
    change = other["proportional_target"].observed - one["proportional_target"].observed
    assert change == pytest.approx(1 - 1 / 2 + 1 / 2)  # p2 is hit now, and 4.5 is 5 of (4, 5)
    assert other["pearson"].observed == one["pearson"].observed


def test_marksheets_stay_where_asked_and_give_the_ratings_back(tmp_path: Path) -> None:
    found = mark(tmp_path, folder=tmp_path / "sheets")
    [sheet] = sorted((tmp_path / "sheets").iterdir())
    head = read_marksheet_header(str(sheet))
    units = [row for row in read_marksheet_rows(str(sheet)) if isinstance(row, MarkedUnit)]
    gathered = gather(units, head.metrics, head.panel)
    assert gathered is not None
    assert gathered.novices == found.novices
    ratings = (gathered.panel.cells[..., 2] + 3).tolist()
    assert ratings == [[one[id] for one in NOVICES.values()] for id in sorted(MACHINE)]
    assert (gathered.machine[:, 2] + 3).tolist() == list(MACHINE.values())
    assert gather(units, ["pearson"], head.panel) is None
    assert gather(units, head.metrics, ()) is None
    with pytest.raises(DataError, match="not empty"):
        mark(tmp_path, folder=tmp_path / "sheets")


def test_passages_of_one_novice_are_told_and_two_are_not_set_against_each_other(
    tmp_path: Path,
) -> None:
    some = {id: said for id, said in NOVICES["eli"].items() if id in ("p0", "p1")}
    novices = [write_novices(tmp_path)[0], write_novice(tmp_path, "gus", some)]
    found = mark(tmp_path, novices=novices)
    told = "\n".join(found.notes)
    assert "one novice alone rated 4 (p2, p3, p4, p5)" in told
    assert "it takes three novices or more" in told
    assert (found.single, found.left_out) == (4, [])
    assert "4 of 6 passages have one novice alone" in found.claims[0]
    assert found.as_json()["one_novice"] == 4


def test_nothing_is_drawn_where_no_passage_has_two_novices(tmp_path: Path) -> None:
    ids = sorted(MACHINE)
    novices = [
        write_novice(tmp_path, name, {id: NOVICES["dee"][id] for id in part})
        for name, part in (("gus", ids[:3]), ("hal", ids[3:]))
    ]
    found = mark(tmp_path, novices=novices)
    [line] = found.raters
    assert set(line.why) == set(METRICS)
    assert all(np.isnan(one.p) for one in line.verdicts.values())
    assert found.claims[0] == "machine: nothing can be claimed, no metric has a p"


def test_a_judge_is_known_in_any_case_and_coding(tmp_path: Path) -> None:
    records = [passage(at, {"Zo\u00eb": EXPERTS["ann"], "B": EXPERTS["ben"]}) for at in range(6)]
    test = write_test(tmp_path / "test.jsonl", records)
    novices = write_novices(tmp_path)
    (tmp_path / "more").mkdir()
    for name in ("zoe\u0308", "b"):
        other = write_novice(tmp_path / "more", name, {"p0": 4})
        with pytest.raises(DataError, match=r"is one of the experts too .as '"):
            mark(tmp_path, test=test, novices=[*novices, other])
    again = write_novice(tmp_path / "more", "DEE", {"p0": 4})
    with pytest.raises(DataError, match=r"'DEE' is also the novice of .*dee.jsonl .as 'dee'.;"):
        mark(tmp_path, novices=[*novices, again])


def test_an_expert_who_sits_as_the_machine_or_among_people_is_told_of(tmp_path: Path) -> None:
    said = {f"p{at}": one for at, one in enumerate(EXPERTS["ann"])}
    ann = write_novice(tmp_path, "Ann", said)
    told = "\n".join(mark(tmp_path, ann).notes)
    assert "Ann is one of the experts: the gold holds these very ratings" in told
    test = readmark.load(write_test(tmp_path / "test.jsonl"))
    found = readmark.mark(test, MACHINE, people=[ann], settings=FEW)
    assert any("Ann is one of the experts too" in note for note in found.notes)


def test_a_sitting_of_a_part_is_said_to_be(tmp_path: Path) -> None:
    part = {id: MACHINE[id] for id in ("p0", "p1", "p2")}
    half = write_novice(tmp_path, "half", part, limit=3)
    found = mark(tmp_path, write_machine(tmp_path / "machine.json"), half)
    assert [one.passages for one in found.raters] == [6, 3]
    assert any("half.jsonl: sat 3 of 6 passages" in note for note in found.notes)
    assert found.claims[1].startswith("half (on 3 of 6 passages): ")


def test_numbers_carry_their_signatures(tmp_path: Path) -> None:
    plain, rounded = (mark(tmp_path, round=one).as_json() for one in (False, True))
    assert (plain["round"], rounded["round"]) == (False, True)
    assert "|round:no|" in plain["signatures"]["proportional_target"]
    assert "|round:half up|" in rounded["signatures"]["proportional_target"]
    for said in rounded["signatures"].values():
        assert "readmark:" in said
    for name in METRICS:
        assert "|null:novice per passage|novices:3|null draws:200|" in plain["signatures"][name]


def test_faults_of_the_experts_are_told(tmp_path: Path) -> None:
    records = [passage(at) for at in range(6)]
    records[3]["key"]["ratings"] += [{"annotator": "ann", "rating": 6}]
    told = mark(tmp_path, test=write_test(tmp_path / "test.jsonl", records)).notes
    assert (
        sum("experts' ratings outside 1 to 5, taken as given: 1 (p3)" in one for one in told) == 1
    )
    assert any("an expert rated twice, and both ratings count: 1 (p3)" in one for one in told)


def test_an_error_row_of_a_novice_is_no_rating_and_nothing_else(tmp_path: Path) -> None:
    file = write_novice(tmp_path, "gus", {id: said for id, said in MACHINE.items() if id != "p5"})
    with file.open("a", encoding="utf-8") as more:
        more.write('{"id": "p5", "error": "no idea"}\n')
    told = "\n".join(mark(tmp_path, novices=[*write_novices(tmp_path), file]).notes)
    assert "gus did not rate 1 (p5); the rest counts" in told
    assert "error rows" not in told
