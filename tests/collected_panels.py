"""A panel whose sheets came back, with the findings on them."""

from pathlib import Path

from panel_judges import Change, Row, panel_test, returned
from readmark.readability.panels.collect import Collected, collect
from readmark.readability.panels.findings import CODES
from readmark.readability.panels.ratings import read_ratings
from readmark.readability.panels.rounds import make_plan

TEST = panel_test()
PLAN = make_plan(TEST, experts=["e1", "e2", "e3"], novices=["n1", "n2"])


def collect_panel(
    folder: Path, changes: dict[str, Change] | None = None, *, real: bool = False
) -> Collected:
    files = returned(folder, TEST, PLAN, changes)
    return collect(TEST, PLAN, read_ratings(PLAN, files, real=real))


def findings(panel: Collected, code: str) -> list[tuple[str, str]]:
    """Judges and messages of the findings with a code."""
    assert {finding.code for finding in panel.findings} <= set(CODES)
    return [(finding.judge, finding.message) for finding in panel.findings if finding.code == code]


def change(**cells: str) -> Change:
    """Changes the first row."""

    def run(rows: list[Row]) -> None:
        rows[0].update(cells)

    return run
