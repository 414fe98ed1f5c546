"""Who won and by how much: what a recap states is not contradicted by what it leaves out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from readmark.tasks.extraction.domain_summary import read_summary
from readmark.tasks.extraction.extract import Extraction, build_extractor, open_domain
from readmark.tasks.extraction.extractor import Extractor
from readmark.tasks.records import Document

# Three scores are told, and by them the Bears lead 10 to 3.
TOLD = (
    "The Bears hosted the Lions in Week 3. In the first quarter, Bears kicker Al Moss made a "
    "30-yard field goal. In the second quarter, Bears running back Tim Low had a 2-yard touchdown "
    "run. In the third quarter, Lions kicker Jim Roe made a 22-yard field goal."
)
FINALS = (
    "The Lions held on for the win. The final score was 20-17.",
    "With the win, the Lions improved to 3-1. The game ended with a final score of 20-17.",
    "With the loss, the Bears fell to 1-2. Final score: 20-17.",
    "The Bears fell to the Lions by a final score of 20-17.",
    "The Lions won the game with the final score 20-17. With the loss, the Bears dropped to 1-2.",
    "The Bears lost to the Lions 20-17.",
    "The Lions handed the Bears a 20-17 loss.",
    "The final score was Lions 20, Bears 17.",
    # the loser's points first
    "The Bears fell 17-20.",
    "The Bears fell to the Lions, 17 to 20.",
    "The Bears lost 17-20.",
    "The Bears were beaten 17-20 by the Lions.",
    "The Bears came up just short, 17-20.",
    "The Bears suffered a 17-20 loss.",
    "With the 17-20 loss, the Bears fell to 1-2.",
    "The Lions won 17-20.",
    "The Lions beat the Bears 17-20.",
    "The final score was 17-20, as the Bears lost.",
    # a verb that is a loss only with a score
    "The Bears fell 20-17.",
    "The Bears went down 20-17.",
    "The Bears were edged out 20-17.",
    "The Bears dropped a 20-17 decision to the Lions.",
    "The Bears dropped to 1-2 after falling 20-17.",
    # words between the verb and the points
    "The Bears lost at home to the Lions, 20-17.",
    "The Bears lost a close game at home to the Lions, 17-20.",
    "The Bears lost in overtime to the Lions 17-20.",
    "The Lions won on the road over the Bears 20-17.",
    "The Lions beat the Bears in Chicago on Sunday night, 20-17.",
    "The Lions went to Chicago and beat the Bears, 20-17.",
)


@cache
def extractor() -> Extractor:
    return build_extractor("patterns", open_domain("nfl_scoring"))


def summaries(texts: Mapping[str, str]) -> dict[str, Any]:
    documents = [Document(id=id, text=text) for id, text in texts.items()]
    readings = {one.document.id: one for one in extractor().extract(documents)}
    summary = read_summary(open_domain("nfl_scoring"))
    found: dict[str, Any] = Extraction(readings, extractor().known.ontology, summary).as_json()
    return dict(found["documents"])


def result(text: str) -> tuple[str | None, dict[str, int | None]]:
    read = summaries({"recap": text})["recap"]
    assert read["contradictions"] == []
    return read["game"]["winner"], {team["team"]: team["final_score"] for team in read["teams"]}


@pytest.mark.parametrize("stated", FINALS)
def test_a_stated_final_score_is_that_of_the_sides_that_won_and_lost(stated: str) -> None:
    assert result(f"{TOLD} {stated}") == ("Lions", {"Bears": 17, "Lions": 20})


def test_a_final_score_counts_wherever_it_stands() -> None:
    first, rest = TOLD.split(". ", 1)
    text = f"{first}, losing by a final score of 20-17. {rest} With the win, the Lions are 3-1."
    assert result(text) == ("Lions", {"Bears": 17, "Lions": 20})


def test_a_winner_whose_scores_are_not_all_told_has_no_sum() -> None:
    assert result(f"{TOLD} With the loss, the Bears fell to 1-2.") == (
        "Lions",
        {"Bears": 10, "Lions": None},
    )


def test_a_loser_who_leads_by_untold_kicks_alone_has_no_sum() -> None:
    text = (
        "The Bears hosted the Lions. In the first quarter, Bears running back Tim Low had a 2-yard "
        "touchdown run. In the second quarter, Low had a 5-yard touchdown run. In the third "
        "quarter, Lions kicker Jim Roe made a 22-yard field goal, a 31-yard field goal and a "
        "40-yard field goal. In the fourth quarter, Lions linebacker Abe Cole tackled Low in the "
        "end zone for a safety, and Lions end Bo Tay tackled Low in the end zone for a safety. "
        "With the loss, the Bears fell to 1-2."
    )
    # 13 for sure, against 12 and two kicks of which nothing is told.
    assert result(text) == ("Lions", {"Bears": None, "Lions": 13})


def test_scores_that_do_not_add_up_to_the_stated_final_are_not_all() -> None:
    # 10 and 3 are told; nothing says whose the 20 points are.
    assert result(f"{TOLD} The final score was 20-17.") == (None, {"Bears": None, "Lions": None})
    # 10 can be 9: one kick that the text does not tell may have failed.
    assert result(f"{TOLD} The Bears won 9-3.") == ("Bears", {"Bears": 9, "Lions": 3})
    assert result(f"{TOLD} The Bears won 13-3.") == ("Bears", {"Bears": 13, "Lions": 3})
    (read,) = summaries({"recap": f"{TOLD} The Bears won 13-3."}).values()
    bears = next(team for team in read["teams"] if team["team"] == "Bears")
    assert bears["field_goals"] is None  # one was told, and three points are missing


def test_a_final_below_the_scores_that_are_told_contradicts_them() -> None:
    (read,) = summaries({"recap": f"{TOLD} The Lions won 20-6."}).values()
    assert read["contradictions"]
    assert {team["team"]: team["final_score"] for team in read["teams"]} == {
        "Bears": None,
        "Lions": 20,
    }


@pytest.mark.parametrize("words", ["fell to 3-1", "dropped to 1-2"])
def test_a_record_is_no_final_score(words: str) -> None:
    assert result(f"{TOLD} The Lions {words}.") == ("Bears", {"Bears": 10, "Lions": 3})


def test_who_was_beaten_did_not_win() -> None:
    winner, _ = result(f"{TOLD} The Bears were defeated 20-17.")
    assert winner == "Lions"


@pytest.mark.golden
def test_no_winner_has_fewer_points_whatever_sentence_is_missing(shared: Path) -> None:
    recaps = json.loads((shared / "data/nfl/recaps.json").read_text("utf-8"))
    texts = {}
    for id, recap in recaps.items():
        sentences = re.split(r"(?<=[.!]) (?=[A-Z])", recap["passage"])
        for number in range(len(sentences)):
            texts[f"{id}-{number}"] = " ".join(sentences[:number] + sentences[number + 1 :])
    for id, read in summaries(texts).items():
        scores = {team["team"]: team["final_score"] for team in read["teams"]}
        winner, loser = (scores.get(read["game"][name]) for name in ("winner", "loser"))
        assert winner is None or loser is None or winner > loser, id
