"""The rows that judges gave back: kept where they belong, and named where they do not."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collected_panels import PLAN, TEST, change, collect_panel, findings
from panel_judges import returned, written
from readmark.core.errors import DataError
from readmark.readability.panels.collect import collect
from readmark.readability.panels.criteria import count_criteria
from readmark.readability.panels.ratings import filled_cells, read_ratings

CELL = st.sampled_from(["", "1", "3", "5", "6", "2.5", "x", "10", "11"])
JUDGE = st.sampled_from(["e1", "n2", "N1", "zoe"])
PASSAGE = st.sampled_from(["p01", "p02", "forum-1", "p99", ""])


@given(st.lists(st.tuples(JUDGE, PASSAGE, CELL, CELL, CELL), min_size=1, max_size=12))
def test_no_number_is_passed_over_in_silence(
    tmp_path_factory: pytest.TempPathFactory, cells: list[tuple[str, ...]]
) -> None:
    """Every number of every row is kept, replaced by a later one that is named, or named itself."""
    columns = ("judge", "id", "stars", "rank", "seconds")
    rows = [dict(zip(columns, row, strict=True)) for row in cells]
    path = written(tmp_path_factory.mktemp("rows"), "x", rows)
    ratings = read_ratings(PLAN, [path])
    assert ratings.rows == len(rows)
    codes = {passage.id: passage.code for passage in PLAN.passages}
    for line, row in enumerate(rows, 2):
        code = codes.get(row["id"], row["id"])
        kept = ratings.rated.get(row["judge"].lower(), {}).get(code)
        of_line = [finding.message for finding in ratings.findings if finding.line == line]
        differing = [
            finding.message for finding in ratings.findings if finding.code == "differing_rows"
        ]
        for name in ("stars", "rank", "seconds"):
            text = row[name]
            if not text:
                continue
            is_kept = kept is not None and text != "x" and getattr(kept, name) == float(text)
            is_replaced = text != "x" and any(
                f"{name} {float(text):g} (" in message for message in differing
            )
            is_named = any(
                (f"{name} " in message and text in message) or repr(text) in message
                for message in of_line
            )
            assert is_kept or is_replaced or is_named, (row, name)


def test_unknown_judges_and_passages_are_quoted(tmp_path: Path) -> None:
    files = returned(tmp_path, TEST, PLAN, {"n1": change(id="p99", stars="4", rank="", seconds="")})
    stranger = written(tmp_path, "zoe", [{"id": "p01", "stars": "2"}])
    panel = collect(TEST, PLAN, read_ratings(PLAN, [*files, stranger]))
    assert findings(panel, "unknown_passage") == [
        ("n1", "the plan has no passage 'p99': stars 4 was left out")
    ]
    assert findings(panel, "unknown_judge") == [
        ("zoe", "the plan has no judge 'zoe': stars 2 was left out")
    ]


def test_rows_that_belong_nowhere_are_quoted_though_they_have_no_stars(tmp_path: Path) -> None:
    rows = [
        {"judge": "the end of a text", "id": "", "stars": "", "place": "4"},
        {"judge": "n1", "id": "p99", "stars": "", "place": ""},
        {"judge": "zoe", "id": "p01", "stars": "", "place": "1"},
    ]
    ratings = read_ratings(PLAN, [written(tmp_path, "x", rows)])
    assert [(finding.code, finding.line) for finding in ratings.findings] == [
        ("unknown_judge", 2),
        ("unknown_passage", 3),
    ]
    assert "place 4 was left out" in ratings.findings[0].message


def test_criteria_that_cannot_be_placed_are_quoted(tmp_path: Path) -> None:
    rows = [
        {"judge": "e1", "id": "p01", "stars": "", "criteria": "pace", "version": "v0"},
        {"judge": "zoe", "id": "p01", "stars": "", "criteria": "tone", "version": ""},
        {"judge": "e1", "id": "p99", "stars": "", "criteria": "rhythm", "version": ""},
    ]
    ratings = read_ratings(PLAN, [written(tmp_path, "x", rows)])
    assert ratings.criteria == {}
    codes = [finding.code for finding in ratings.findings]
    assert codes == ["changed_text", "unknown_judge", "unknown_passage"]
    for finding, word in zip(ratings.findings, ("pace", "tone", "rhythm"), strict=True):
        assert f"criteria {word} was left out" in finding.message


def test_a_criterion_that_is_part_of_another_is_kept(tmp_path: Path) -> None:
    first = PLAN.judges[0].rounds[0]
    texts = ["grammar and vocabulary", "vocabulary", "grammar", "Grammar."]
    rows = [
        {"judge": "e1", "id": code, "stars": "", "criteria": text}
        for code, text in zip(first.passages, texts, strict=False)
    ]
    ratings = read_ratings(PLAN, [written(tmp_path, "x", rows)])
    assert ratings.criteria == {"e1": {first.number: "grammar and vocabulary; vocabulary; grammar"}}
    assert [criterion.text for criterion in count_criteria(ratings.criteria)] == [
        "grammar",
        "grammar and vocabulary",
        "vocabulary",
    ]


def test_ratings_of_a_text_that_changed_are_left_out(tmp_path: Path) -> None:
    panel = collect_panel(tmp_path, {"n1": change(version="v000000000000")})
    [(judge, message)] = findings(panel, "changed_text")
    assert judge == "n1"
    assert "another text (v000000000000" in message
    assert panel.rated == 99


@pytest.mark.parametrize(
    ("judge", "panel", "line"),
    [
        ("e1", "novice", r"x.csv:2: 'e1' is a novice here and in the plan expert"),
        ("n1", "expert", r"x.csv:2: 'n1' is an expert here and in the plan novice"),
    ],
)
def test_a_judge_of_both_panels_is_refused(
    tmp_path: Path, judge: str, panel: str, line: str
) -> None:
    rows = [{"judge": judge, "panel": panel, "id": "p01", "stars": "2"}]
    with pytest.raises(DataError, match=line):
        read_ratings(PLAN, [written(tmp_path, "x", rows)])


def test_of_rows_that_differ_the_later_counts(tmp_path: Path) -> None:
    first = written(tmp_path, "a", [{"judge": "n1", "id": "p01", "stars": "2", "rank": "3"}])
    second = written(tmp_path, "b", [{"judge": "N1", "id": "p01", "stars": "4", "rank": ""}])
    same = written(tmp_path, "c", [{"judge": "n1", "id": "p01", "stars": "4", "rank": ""}])
    ratings = read_ratings(PLAN, [first, second, same])
    [finding] = ratings.findings
    assert finding.code == "differing_rows"
    assert finding.message == f"stars 2 ({first}:2) and 4; the later one counts"
    assert filled_cells(ratings) == {"n1": {"p01": {"stars": "4", "rank": "3"}}}


def test_other_files_and_spellings(tmp_path: Path) -> None:
    lines = tmp_path / "n1.jsonl"
    lines.write_text(json.dumps({"id": "forum-1", "stars": 4}) + "\n", encoding="utf-8")
    table = tmp_path / "n2.csv"
    table.write_bytes("ID;Stars;Note\nforum-1;5;très bien\n".encode("cp1252"))
    ratings = read_ratings(PLAN, [str(lines), str(table)])
    assert not ratings.findings
    stars = {
        judge: [rating.stars for rating in by_code.values()]
        for judge, by_code in ratings.rated.items()
    }
    assert stars == {"n1": [4.0], "n2": [5.0]}


def test_a_sitting_is_its_candidates_ratings(tmp_path: Path) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text(
        '{"readmark":1,"file":"sitting","kind":"readability","candidate":"n1"}\n'
        '{"id":"forum-1","rating":4,"seconds":31,"evidence":{"rank":2}}\n'
        '{"id":"forum-4","error":"late"}\n'
        '{"id":"nowhere","rating":2}\n',
        encoding="utf-8",
    )
    ratings = read_ratings(PLAN, [str(path)])
    assert [finding.code for finding in ratings.findings] == ["unknown_passage"]
    [rating] = ratings.rated["n1"].values()
    assert (rating.id, rating.stars, rating.rank, rating.seconds) == ("forum-1", 4, 2, 31)
    other_paper = path.read_text("utf-8").replace('"kind"', '"paper":"00","kind"')
    path.write_text(other_paper, encoding="utf-8")
    with pytest.raises(DataError, match=r"any\.jsonl:1: is a sitting of another paper"):
        read_ratings(PLAN, [str(path)])


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("id,stars\n", "the file is empty, expected ratings"),
        ("id,mark\np01,3\n", "has no column 'stars'"),
    ],
)
def test_files_without_ratings(tmp_path: Path, content: str, line: str) -> None:
    path = tmp_path / "n1.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=line):
        read_ratings(PLAN, [str(path)])


def test_real_ratings_go_back_on_the_sheet_as_they_were(tmp_path: Path) -> None:
    row = {"judge": "n1", "id": "p01", "stars": "3.1234567", "seconds": "123456.78"}
    first = written(tmp_path, "a", [row])
    cells = filled_cells(read_ratings(PLAN, [first], real=True))["n1"]["p01"]
    assert cells == {"stars": "3.1234567", "seconds": "123456.78"}
    again = written(tmp_path, "b", [{"judge": "n1", "id": "p01", **cells}])
    assert not read_ratings(PLAN, [first, again], real=True).findings
