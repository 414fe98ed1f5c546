"""A panel whose sheets came back, and what was found in them."""

from pathlib import Path

from panel_judges import Change, Row, panel_test, returned
from readmark.readability.panels.collect import Collected, collect
from readmark.readability.panels.ratings import CODES, read_ratings
from readmark.readability.panels.rounds import make_plan

TEST = panel_test()
PLAN = make_plan(TEST, experts=["e1", "e2", "e3"], novices=["n1", "n2"])


def collected(
    folder: Path, changes: dict[str, Change] | None = None, *, real: bool = False
) -> Collected:
    files = returned(folder, TEST, PLAN, changes)
    return collect(TEST, PLAN, read_ratings(PLAN, files, real=real))


def found(done: Collected, code: str) -> list[tuple[str, str]]:
    assert {one.code for one in done.findings} <= set(CODES)
    return [(one.judge, one.message) for one in done.findings if one.code == code]


def change(**cells: str) -> Change:
    """Changes the first row."""

    def run(rows: list[Row]) -> None:
        rows[0].update(cells)

    return run
