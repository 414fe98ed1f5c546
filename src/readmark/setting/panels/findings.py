"""What is found in ratings: a code, a line of prose, and whose rating it is."""

from __future__ import annotations

from dataclasses import dataclass

CODES = {
    "missing": "passages without a rating",
    "half_round": "rounds that a judge began and did not finish; what is there is kept",
    "out_of_range": "stars, ranks or seconds that are no such number; that number was left out",
    "rank_missing": "rounds that are rated and not put in order, or not wholly",
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
"""Every code with its one line."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that people should know of; where it can be, the place in a file."""

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
