"""Candidates of a panel in small: prose that no rule doubts, of two genres and three topics."""

from panel_judges import prose
from readmark.readability.panels.candidates import PanelCandidate


def candidates(
    count: int = 12, genres: tuple[str, ...] = ("forum", "caption")
) -> list[PanelCandidate]:
    return [
        PanelCandidate(
            id=f"c{index}",
            text=prose(index),
            genre=genres[index % len(genres)],
            file="f",
            where=str(index),
            topic=("sports", "health", "business")[index % 3],
        )
        for index in range(count)
    ]


def candidate(id: str, text: str, genre: str = "forum") -> PanelCandidate:
    return PanelCandidate(id=id, text=text, genre=genre, file="f", where="")
