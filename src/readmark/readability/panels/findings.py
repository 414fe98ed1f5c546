"""Findings on the sheets and ratings that judges gave back: every code, and where it was found."""

from __future__ import annotations

from dataclasses import dataclass

CODES = {
    "missing": "passages without a rating",
    "half_round": "rounds that a judge began and did not finish; what is there is kept",
    "out_of_range": "stars, ranks or seconds that cannot be used; that number was left out",
    "rank_missing": "rounds that are rated but not ranked, or not completely",
    "rank_tied": "ranks that a judge gave twice in a round",
    "rank_contradicts": "pairs of a round where fewer stars have the better rank",
    "straight_line": "rounds in which all stars are the same, or ranks follow the sheet",
    "too_fast": "passages rated faster than they can be read",
    "differing_rows": "passages that a judge rated twice, differently",
    "unknown_passage": "ratings of passages that the plan does not have",
    "unknown_judge": "ratings by judges that the plan does not have",
    "changed_text": "ratings of another text than the plan's",
    "no_expert": "passages that no expert rated: they have no gold",
    "one_expert": "passages that one expert rated: the gold is one person's opinion",
    "no_novice": "passages that no novice rated",
    "one_novice": "passages that one novice rated: they do not tell how people differ",
}
"""What each code is found on, in one line, in the order in which findings are printed."""


@dataclass(frozen=True, slots=True)
class RatingFinding:
    """Something that people should know; where it can be, with its place in a file."""

    code: str
    message: str
    judge: str = ""
    panel: str = ""
    id: str = ""
    file: str = ""
    line: int = 0
    round: int | None = None
    """The round by its number in the plan, which all judges share."""
    turn: int | None = None
    """The same round by its number on the judge's sheet, which messages use."""
