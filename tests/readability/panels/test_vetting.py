"""What rules doubt of candidates, what people decide, and the sheet that they decide on."""

import csv
import json
import re
from pathlib import Path

import pytest

from panel_candidates import candidate, candidates
from panel_judges import prose
from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.formats.passage_decisions import Decisions
from readmark.formats.sheets import read_rows, write_sheet
from readmark.readability.panels.candidates import CandidateFile
from readmark.readability.panels.pool import PoolSettings, pool
from readmark.readability.panels.selection import make_pool
from readmark.readability.panels.vetting import (
    COLUMNS,
    PassageLimits,
    Vetted,
    doubts,
    vet,
    vetting_rows,
)


def decisions(path: Path, rows: list[tuple[str, str, str]]) -> Decisions:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", "decision", "reason"))
        writer.writerows(rows)
    return Decisions([path])


@pytest.mark.parametrize(
    ("text", "language", "hints"),
    [
        ("", "en", {"empty"}),
        (" \n ", "en", {"empty"}),
        (prose(1), "en", set()),
        (prose(1, 49), "en", {"too_short"}),
        (prose(1, 401), "en", {"too_long"}),
        (prose(1), "zh", {"wrong_language"}),
        ("河水上涨，鸟飞走了。" * 10, "zh", set()),
        ("河水上涨，鸟飞走了。" * 10, "en", {"wrong_language"}),
        ("Der Hund bellt, weil niemand mit ihm hinausgeht. " * 8, "en", {"wrong_language"}),
    ],
)
def test_what_rules_doubt(text: str, language: str, hints: set[str]) -> None:
    assert set(doubts(text, PassageLimits(language=language))) == hints


def test_of_near_duplicates_the_first_id_stays() -> None:
    text = prose(0)
    texts = {"c": text, "third": text + " No.", "twin": text + " Yes.", "other": prose(1)}
    vetted = vet(texts, Decisions(), PassageLimits())
    reasons = {id: passage.reasons for id, passage in vetted.items() if not passage.is_eligible}
    assert set(reasons) == {"twin", "third"}
    assert reasons["twin"][0].startswith("near_duplicate: resembles c by 0.9")


def test_which_near_duplicate_stays_does_not_depend_on_the_order() -> None:
    texts = {"c0": prose(0), "c1": prose(1), "b": prose(0) + " Yes."}
    for order in (list(texts), list(texts)[::-1]):
        vetted = vet({id: texts[id] for id in order}, Decisions(), PassageLimits())
        assert list(vetted) == order
        assert {id for id, passage in vetted.items() if passage.is_eligible} == {"b", "c1"}


def test_people_go_before_rules_and_nothing_can_keep_an_empty_text(tmp_path: Path) -> None:
    texts = {
        "c0": prose(0),
        "c1": prose(1),
        "short": "Too short to see.",
        "empty": "",
        "brief": "As short as that.",
    }
    rows = [("c0", "discard", "an advert"), ("short", "keep", ""), ("empty", "keep", "")]
    vetted = vet(texts, decisions(tmp_path / "ann.csv", rows), PassageLimits())
    assert {id: (passage.is_eligible, passage.reasons) for id, passage in vetted.items()} == {
        "c0": (False, ("ann: an advert",)),
        "c1": (True, ()),
        "short": (True, ()),
        "empty": (False, ("empty: there is no text",)),
        "brief": (False, ("too_short: 4 words, expected 50 at least",)),
    }


def test_a_passage_on_which_people_are_divided_stays(tmp_path: Path) -> None:
    files = []
    for person, decision in (("ann", "keep"), ("bo", "discard")):
        decisions(tmp_path / f"{person}.csv", [("short", decision, "")])
        files.append(tmp_path / f"{person}.csv")
    [passage] = vet({"short": "A boat."}, Decisions(files), PassageLimits()).values()
    assert (passage.is_eligible, passage.undecided) == (True, True)


def test_a_sheet_has_every_candidate_and_comes_back(tmp_path: Path) -> None:
    texts = {f"c{index}": prose(index) for index in range(4)}
    path = tmp_path / "ann.csv"
    vetted = vet(texts, Decisions(), PassageLimits())
    write_sheet(path, COLUMNS, vetting_rows(texts, dict.fromkeys(texts, "forum"), vetted))
    rows = [row for _, row in read_rows(path)]
    assert [row["id"] for row in rows] == ["c0", "c1", "c2", "c3"]
    assert all(row["version"] == text_id(row["passage"]) for row in rows)
    sheet = path.read_text(encoding="utf-8")
    path.write_text(sheet.replace("c2,forum,,", "c2,forum,discard,spam"), encoding="utf-8")
    again = vet(texts, Decisions([path]), PassageLimits())
    assert [id for id, passage in again.items() if not passage.is_eligible] == ["c2"]


def test_a_sheet_has_what_is_left_to_vet_and_none_is_written_for_nothing(tmp_path: Path) -> None:
    texts = tmp_path / "forum.jsonl"
    lines = [{"id": passage.id, "text": passage.text} for passage in candidates(2)]
    lines.append({"id": "empty", "text": " "})
    texts.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    files = [CandidateFile(str(texts), "forum")]
    sheet = tmp_path / "sheet.csv"
    first = pool(files, sheet=str(sheet))
    assert [row["id"] for _, row in read_rows(sheet)] == ["c0", "c1"]
    assert first.written["sheet"] == str(sheet)

    vetted = tmp_path / "ann.csv"
    decisions(vetted, [("c0", "keep", "")])
    pool(files, sheet=str(sheet), settings=PoolSettings(vetted=[str(vetted)]))
    assert [row["id"] for _, row in read_rows(sheet)] == ["c1"]

    decisions(vetted, [("c0", "keep", ""), ("c1", "discard", "an advert")])
    done = pool(files, sheet=str(sheet), settings=PoolSettings(vetted=[str(vetted)]))
    assert f"nothing to vet: {sheet} not written" in done.notes
    assert done.written["sheet"] is None
    assert not sheet.exists()  # the blank one of before would be taken for a new one


def test_no_version_on_a_sheet_can_be_taken_for_a_number() -> None:
    texts = {str(index): prose(index) for index in range(3000)}
    like_numbers = {id for id, text in texts.items() if re.fullmatch(r"\d+(e\d+)?", text_id(text))}
    assert like_numbers
    vetted = dict.fromkeys(texts, Vetted(True, (), {}, ()))
    rows = vetting_rows(texts, dict.fromkeys(texts, "forum"), vetted)
    assert {id for id, *_, version in rows if not version} == like_numbers


def test_a_decision_on_a_passage_that_is_not_there_is_refused(tmp_path: Path) -> None:
    unknown = decisions(tmp_path / "a.csv", [("nobody", "keep", "")])
    with pytest.raises(DataError, match="the pool has no passage 'nobody'"):
        make_pool([candidate("c", prose(0))], per_genre=None, decisions=unknown)
