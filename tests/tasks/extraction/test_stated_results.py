"""Who won and by how much: what a recap states is not contradicted by what it leaves out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from readmark.tasks.extraction.extract import (
    Extraction,
    build_extractor,
    open_domain,
    read_summary,
)
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


def result(text: str) -> tuple[str, dict[str, int | None]]:
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
