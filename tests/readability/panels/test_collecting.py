"""What judges said, put into the key and into sittings; nothing gets lost."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collected_panels import PLAN, TEST, change, collected, found
from panel_judges import Row, rate, returned, rows_of, sheets, written
from readmark.core.errors import DataError
from readmark.core.test import in_memory
from readmark.readability.kind import Rating, RatingKey
from readmark.readability.panels.collect import collect
from readmark.readability.panels.ratings import count_criteria, filled_cells, read_ratings
from readmark.readability.panels.rounds import PanelPlan


def test_experts_are_the_key_and_novices_sittings(tmp_path: Path) -> None:
    done = collected(tmp_path)
    assert done.findings == ()
    assert done.rated == done.expected == done.rows == 100
    codes = {one.id: one.code for one in PLAN.passages}
    for record in done.test.records():
        number = int(codes[record.id][1:])
        assert [(one.annotator, one.rating) for one in record.key.ratings] == [
            ("e1", 1 + number % 5),
            ("e2", 1 + (number + 1) % 5),
            ("e3", 1 + number % 5),
        ]
        for one in record.key.ratings:
            assert codes[record.id] in PLAN.rounds[one.round - 1]
            assert one.seconds == 30
    assert [one.candidate for one in done.novices] == ["n1", "n2"]
    for sitting in done.novices:
        assert sitting.header.paper == TEST.facts.paper == done.test.facts.paper
        assert set(sitting.rows) == set(codes)
    assert TEST.kind.read_answer(done.novices[0].of("forum-1")[0]).rating >= 1
    assert done.test.facts.key != TEST.facts.key


def test_the_round_is_the_plans_and_the_turn_the_judges(tmp_path: Path) -> None:
    done = collected(tmp_path)
    judge = PLAN.judges[3]
    ids = {one.code: one.id for one in PLAN.passages}
    for turn, one in enumerate(judge.rounds, 1):
        for place, code in enumerate(one.passages, 1):
            evidence = done.novices[0].of(ids[code])[0].evidence
            assert evidence["round"] == one.number
            assert (evidence["turn"], evidence["place"]) == (turn, place)


CELL = st.sampled_from(["", "1", "3", "5", "6", "2.5", "x", "10", "11"])
JUDGE = st.sampled_from(["e1", "n2", "N1", "zoe"])
PASSAGE = st.sampled_from(["p01", "p02", "forum-1", "p99", ""])


@given(st.lists(st.tuples(JUDGE, PASSAGE, CELL, CELL, CELL), min_size=1, max_size=12))
def test_nothing_that_was_said_is_passed_over_in_silence(
    tmp_path_factory: pytest.TempPathFactory, cells: list[tuple[str, ...]]
) -> None:
    """Every number of every row is kept, replaced by a later one that is told, or told itself."""
    columns = ("judge", "id", "stars", "rank", "seconds")
    rows = [dict(zip(columns, each, strict=True)) for each in cells]
    path = written(tmp_path_factory.mktemp("rows"), "x", rows)
    back = read_ratings(PLAN, [path])
    assert back.rows == len(rows)
    kept = {
        (one.judge, one.code): {"stars": one.stars, "rank": one.rank, "seconds": one.seconds}
        for mine in back.rated.values()
        for one in mine.values()
    }
    codes = {one.id: one.code for one in PLAN.passages}
    told = {(one.code, one.line): one.message for one in back.findings}
    for line, row in enumerate(rows, 2):
        code = codes.get(row["id"], row["id"])
        for name in ("stars", "rank", "seconds"):
            said = row[name]
            if not said:
                continue
            now = kept.get((row["judge"].lower(), code), {}).get(name)
            later = said != "x" and any(
                f"{name} {float(said):g} (" in message
                for (kind, _), message in told.items()
                if kind == "differing_rows"
            )
            wrong = any(
                at == line and f"{name} " in message and said in message
                for (_, at), message in told.items()
            ) or any(one.line == line and repr(said) in one.message for one in back.findings)
            same = now is not None and said not in ("", "x") and now == float(said)
            assert same or later or wrong, (row, name)


def test_haste(tmp_path: Path) -> None:
    done = collected(tmp_path, {"n1": change(seconds="5.9"), "n2": change(seconds="6")})
    [(judge, message)] = found(done, "too_fast")
    assert judge == "n1"
    assert "60 words in 5.9 seconds (over 600 a minute)" in message
    assert done.rated == 100


def test_half_a_round_is_kept_and_listed(tmp_path: Path) -> None:
    def stop(rows: list[Row]) -> None:
        for row in rows[13:]:
            row.update(stars="", rank="", seconds="")

    done = collected(tmp_path, {"n1": stop})
    [(judge, message)] = found(done, "half_round")
    assert judge == "n1"
    assert message.startswith("round 2 is half finished: p")
    one = next(one for one in done.findings if one.code == "half_round")
    mine = next(one for one in PLAN.judges if one.name == "n1")
    assert (one.turn, one.round) == (2, mine.rounds[1].number)
    assert "(7 of 20)" in found(done, "missing")[0][1]
    assert len(done.novices[0].rows) == 13


def test_a_judge_who_gave_nothing_back_is_listed(tmp_path: Path) -> None:
    files = [one for one in returned(tmp_path, TEST, PLAN) if not one.endswith("n2.csv")]
    done = collect(TEST, PLAN, read_ratings(PLAN, files))
    assert found(done, "missing") == [("n2", "nothing was rated (20 of 20)")]
    assert [one.candidate for one in done.novices] == ["n1"]
    assert "n2" not in done.agreement.judges


def test_a_class_without_experts_sees_its_own_agreement_alone(tmp_path: Path) -> None:
    files = [file for file in returned(tmp_path, TEST, PLAN) if Path(file).name[0] == "n"]
    done = collect(TEST, PLAN, read_ratings(PLAN, files))
    shown = str(done).partition("agreement ")[2]
    assert "novice" in shown
    assert "expert" not in shown
    written_to = replace(done, written={"output": "rated.jsonl"})
    [note] = written_to.notes
    assert note.endswith("findings; no expert rated: its key is as it was")
    everybody = replace(collected(tmp_path), written={"output": "rated.jsonl"})
    assert "expert – novice" in str(everybody)
    assert everybody.notes == ("rated.jsonl: 0 findings; the experts' ratings are its key",)


def test_unknown_judges_and_passages_are_told_with_what_they_said(tmp_path: Path) -> None:
    files = returned(tmp_path, TEST, PLAN, {"n1": change(id="p99", stars="4", rank="", seconds="")})
    stranger = written(tmp_path, "zoe", [{"id": "p01", "stars": "2"}])
    done = collect(TEST, PLAN, read_ratings(PLAN, [*files, stranger]))
    assert found(done, "unknown_passage") == [
        ("n1", "the plan has no passage 'p99': stars 4 was left out")
    ]
    assert found(done, "unknown_judge") == [
        ("zoe", "the plan has no judge 'zoe': stars 2 was left out")
    ]


def test_rows_that_belong_nowhere_are_told_though_they_have_no_stars(tmp_path: Path) -> None:
    rows = [
        {"judge": "the end of a text", "id": "", "stars": "", "place": "4"},
        {"judge": "n1", "id": "p99", "stars": "", "place": ""},
        {"judge": "zoe", "id": "p01", "stars": "", "place": "1"},
    ]
    back = read_ratings(PLAN, [written(tmp_path, "x", rows)])
    assert [(one.code, one.line) for one in back.findings] == [
        ("unknown_judge", 2),
        ("unknown_passage", 3),
    ]
    assert "place 4 was left out" in back.findings[0].message


def test_criteria_that_cannot_be_placed_are_told(tmp_path: Path) -> None:
    rows = [
        {"judge": "e1", "id": "p01", "stars": "", "criteria": "pace", "version": "v0"},
        {"judge": "zoe", "id": "p01", "stars": "", "criteria": "tone", "version": ""},
        {"judge": "e1", "id": "p99", "stars": "", "criteria": "rhythm", "version": ""},
    ]
    back = read_ratings(PLAN, [written(tmp_path, "x", rows)])
    assert back.criteria == {}
    assert [one.code for one in back.findings] == [
        "changed_text",
        "unknown_judge",
        "unknown_passage",
    ]
    for one, word in zip(back.findings, ("pace", "tone", "rhythm"), strict=True):
        assert f"criteria {word} was left out" in one.message


def test_a_criterion_that_is_part_of_another_is_kept(tmp_path: Path) -> None:
    codes = PLAN.judges[0].rounds[0].passages
    said = ["grammar and vocabulary", "vocabulary", "grammar", "Grammar."]
    rows = [
        {"judge": "e1", "id": code, "stars": "", "criteria": one}
        for code, one in zip(codes, said, strict=False)
    ]
    back = read_ratings(PLAN, [written(tmp_path, "x", rows)])
    number = PLAN.judges[0].rounds[0].number
    assert back.criteria == {"e1": {number: "grammar and vocabulary; vocabulary; grammar"}}
    assert [one.text for one in count_criteria(back.criteria)] == [
        "grammar",
        "grammar and vocabulary",
        "vocabulary",
    ]


def test_a_text_that_changed(tmp_path: Path) -> None:
    done = collected(tmp_path, {"n1": change(version="v000000000000")})
    [(judge, message)] = found(done, "changed_text")
    assert judge == "n1"
    assert "another text (v000000000000" in message
    assert done.rated == 99


def test_a_judge_of_both_panels_is_refused(tmp_path: Path) -> None:
    rows = [{"judge": "e1", "panel": "novice", "id": "p01", "stars": "2"}]
    with pytest.raises(DataError, match=r"x.csv:2: 'e1' is a novice here and in the plan expert"):
        read_ratings(PLAN, [written(tmp_path, "x", rows)])


def test_rows_that_differ_are_told_and_the_later_stands(tmp_path: Path) -> None:
    one = written(tmp_path, "a", [{"judge": "n1", "id": "p01", "stars": "2", "rank": "3"}])
    two = written(tmp_path, "b", [{"judge": "N1", "id": "p01", "stars": "4", "rank": ""}])
    same = written(tmp_path, "c", [{"judge": "n1", "id": "p01", "stars": "4", "rank": ""}])
    back = read_ratings(PLAN, [one, two, same])
    [told] = back.findings
    assert told.code == "differing_rows"
    assert told.message == f"stars 2 ({one}:2) and 4; the later one counts"
    assert filled_cells(back) == {"n1": {"p01": {"stars": "4", "rank": "3"}}}


def test_other_files_and_spellings(tmp_path: Path) -> None:
    lines = tmp_path / "n1.jsonl"
    lines.write_text(json.dumps({"id": "forum-1", "stars": 4}) + "\n", encoding="utf-8")
    table = tmp_path / "n2.csv"
    table.write_bytes("ID;Stars;Note\nforum-1;5;très bien\n".encode("cp1252"))
    back = read_ratings(PLAN, [str(lines), str(table)])
    assert not back.findings
    assert {name: [one.stars for one in mine.values()] for name, mine in back.rated.items()} == {
        "n1": [4.0],
        "n2": [5.0],
    }


def test_a_sitting_is_its_candidates_ratings(tmp_path: Path) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text(
        '{"readmark":1,"file":"sitting","kind":"readability","candidate":"n1"}\n'
        '{"id":"forum-1","rating":4,"seconds":31,"evidence":{"rank":2}}\n'
        '{"id":"forum-4","error":"late"}\n'
        '{"id":"nowhere","rating":2}\n',
        encoding="utf-8",
    )
    back = read_ratings(PLAN, [str(path)])
    assert [one.code for one in back.findings] == ["unknown_passage"]
    other = path.read_text("utf-8").replace('"kind"', '"paper":"00","kind"')
    path.write_text(other, encoding="utf-8")
    with pytest.raises(DataError, match=r"any\.jsonl:1: is a sitting of another paper"):
        read_ratings(PLAN, [str(path)])
    [one] = back.rated["n1"].values()
    assert (one.id, one.stars, one.rank, one.seconds) == ("forum-1", 4, 2, 31)


def test_an_empty_file_and_one_without_stars(tmp_path: Path) -> None:
    empty = tmp_path / "n1.csv"
    empty.write_text("id,stars\n", encoding="utf-8")
    with pytest.raises(DataError, match="the file is empty, expected ratings"):
        read_ratings(PLAN, [str(empty)])
    empty.write_text("id,mark\np01,3\n", encoding="utf-8")
    with pytest.raises(DataError, match="has no column 'stars'"):
        read_ratings(PLAN, [str(empty)])


def test_another_paper_is_refused(tmp_path: Path) -> None:
    files = returned(tmp_path, TEST, PLAN)
    back = read_ratings(PLAN, files)
    records = list(TEST.records())
    other = in_memory(TEST.header, [msgspec.structs.replace(records[0], text="New."), *records[1:]])
    with pytest.raises(DataError, match="newswire-0: the text of the passage is not the one"):
        collect(other, PLAN, back)
    with pytest.raises(DataError, match="other passages than the plan"):
        collect(in_memory(TEST.header, records[1:]), PLAN, back)


@pytest.mark.parametrize("name", ["old", "e1"])
def test_experts_are_not_mixed_with_those_that_were_there(tmp_path: Path, name: str) -> None:
    files = returned(tmp_path, TEST, PLAN)
    key = RatingKey(ratings=(Rating(rating=2, annotator=name),))
    first, *others = TEST.records()
    rated = in_memory(TEST.header, [msgspec.structs.replace(first, key=key), *others])
    with pytest.raises(DataError, match=rf"has ratings already, by {name}: collect into a test w"):
        collect(rated, PLAN, read_ratings(PLAN, files))
    novices = [one for one in files if Path(one).name.startswith("n")]
    done = collect(rated, PLAN, read_ratings(PLAN, novices))
    assert list(done.test.records()) == list(rated.records())
    assert done.test.header == rated.header
    assert [one.candidate for one in done.novices] == ["n1", "n2"]


def test_what_people_rated_is_no_longer_said_to_be_made_up(tmp_path: Path) -> None:
    said = {"note": "The ratings are made up", "synthetic": True, "conventions": "none"}
    header = msgspec.structs.replace(
        TEST.header, name="small (synthetic panel)", fields=said, language="en"
    )
    back = read_ratings(PLAN, returned(tmp_path, TEST, PLAN))
    done = collect(in_memory(header, list(TEST.records())), PLAN, back)
    assert done.test.header.name == "small"
    assert set(done.test.header.fields) == {"conventions", "panel"}


def test_passages_with_one_expert_or_none_are_listed(tmp_path: Path) -> None:
    def all_but_one(rows: list[Row]) -> None:
        for row in rows:
            row.update(stars="" if row["id"] == "p01" else row["stars"])

    done = collected(tmp_path, {"e1": all_but_one, "e2": all_but_one})
    assert [one.code for one in done.findings if one.id] == ["one_expert"]
    done = collected(tmp_path, dict.fromkeys(("e1", "e2", "e3"), all_but_one))
    assert [one.code for one in done.findings if one.id] == ["no_expert"]
    assert sum(one.key is None for one in done.test.records()) == 1


def test_agreement_within_and_between_panels(tmp_path: Path) -> None:
    done = collected(tmp_path)
    expert, novice = done.agreement.panels["expert"], done.agreement.panels["novice"]
    assert expert.judges == ("e1", "e2", "e3")
    assert expert.ratings == 60
    assert {one.measure for one in expert.measures} == {
        "alpha(interval)",
        "alpha(ordinal)",
        "pearson(pairwise)",
        "icc(single)",
        "icc(mean)",
        "kendall_w",
    }
    # e1 and e3 say the same; e2 one star on, from 5 to 1: over 1..5 that correlates by 0.
    pairwise = next(one for one in expert.measures if one.measure == "pearson(pairwise)")
    assert pairwise.value == pytest.approx((0 + 1 + 0) / 3)
    # n1 says what e2 says, n2 what e1 says.
    assert novice.rounds == 2
    assert done.agreement.judges["n1"].with_experts.value == pytest.approx(1 / 5**0.5)
    assert done.agreement.judges["n2"].with_experts.value == pytest.approx(2 / 5**0.5)
    assert done.agreement.between.value == pytest.approx(3 / 10**0.5)


def test_constant_ratings_have_no_correlation_and_say_so(tmp_path: Path) -> None:
    def same(rows: list[Row]) -> None:
        for row in rows:
            row["stars"] = "3"

    done = collected(tmp_path, {"n1": same, "n2": same})
    assert done.agreement.between.value is None
    assert done.agreement.between.reason == "one of them is constant"
    alpha = done.agreement.panels["novice"].measures[0]
    assert alpha.value is None
    assert alpha.reason


def test_criteria_are_counted_as_they_stand(tmp_path: Path) -> None:
    found = count_criteria(
        {
            "e1": {1: "Clear words; grammar", 2: "- clear  words.\n- length"},
            "e2": {1: "GRAMMAR；grammar", 2: ""},
        }
    )
    assert [(one.text, one.times, one.experts) for one in found] == [
        ("Clear words", 2, ("e1",)),
        ("grammar", 2, ("e1", "e2")),
        ("length", 1, ("e1",)),
    ]
    done = collected(tmp_path)
    assert [(one.text, one.times) for one in done.criteria] == [("clear words", 6), ("grammar", 6)]
    kept = done.test.header.fields["panel"]["criteria"]
    assert Counter(one["annotator"] for one in kept) == {"e1": 2, "e2": 2, "e3": 2}
    for one in kept:
        judge = next(judge for judge in PLAN.judges if judge.name == one["annotator"])
        assert judge.rounds[one["turn"] - 1].number == one["round"]


def test_a_judge_goes_on_where_the_sheet_was_left(tmp_path: Path) -> None:
    """What remains, filled in and added to what was given before, is what was given at once."""
    at_once = collected(tmp_path / "once")
    plan: PanelPlan = PLAN
    early = []
    late = []
    for at, (name, rows) in enumerate(sheets(TEST, plan)):
        rate(rows, shift=at % 2)
        early.append(written(tmp_path / "early", name, rows[:13]))
        late.append(written(tmp_path / "late", name, rows[10:]))
    both = collect(TEST, plan, read_ratings(plan, [*early, *late]))
    assert both.findings == ()
    assert both.rated == 100
    assert list(both.test.records()) == list(at_once.test.records())
    assert rows_of((tmp_path / "late" / "n1.csv").read_text("utf-8"))
