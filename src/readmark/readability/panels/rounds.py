"""The plan of a panel: every judge rates every passage once, in rounds balanced by genre and topic.

The rounds are the same for all judges, so that orders within a round can be compared. The order of
the rounds, and of the passages in each, is random and every judge's own, as in the DARPA Machine
Reading evaluation (section 2.1).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS, malformed, read_bytes
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import in_words
from readmark.core.labels import ABSENT
from readmark.core.records import Value
from readmark.core.spans import clip
from readmark.core.test import SCHEMA, Test
from readmark.formats.people_names import folded_name, require_name
from readmark.readability.panels.dealing import bound, deal_rounds, largest_deviation
from readmark.readability.panels.lots import by_lot

EXPERT, NOVICE = "expert", "novice"
PANELS = (EXPERT, NOVICE)

PLAN, FILE = "plan.json", "panel_plan"
ROUND = 10
"""Passages per round, as in the DARPA Machine Reading evaluation: rounds are short so that judges
do not tire."""


class PlannedPassage(Value, frozen=True):
    """A passage under the code that judges know it by, which does not reveal its genre."""

    code: str
    id: str
    version: str
    genre: str = ABSENT
    topic: str = ABSENT


class PanelRound(Value, frozen=True):
    """A round as one judge has it: its number in the plan, and the passages in their order."""

    number: int
    passages: tuple[str, ...]


class PanelJudge(Value, frozen=True):
    """A judge, and the rounds in this judge's order."""

    name: str
    panel: str
    rounds: tuple[PanelRound, ...]


class Balance(Value, frozen=True):
    """How far genres and topics are from their share of a round at most, in passages."""

    genre: float
    topic: float
    below: int
    """What both are certain to be less than."""


class PanelPlan(Value, frozen=True, kw_only=True):
    """A plan for two panels, bound to the paper."""

    readmark: int
    file: str
    test: str = ""
    paper: str
    language: str = "en"
    seed: int
    size: int
    passages: tuple[PlannedPassage, ...]
    rounds: tuple[tuple[str, ...], ...]
    judges: tuple[PanelJudge, ...]
    balance: Balance

    @property
    def by_code(self) -> dict[str, PlannedPassage]:
        """Passages by the codes on the sheets."""
        return {passage.code: passage for passage in self.passages}

    def judge(self, name: str) -> PanelJudge | None:
        """The judge of a name, however it is spelt in case, width and accents."""
        folded = folded_name(name)
        return next((judge for judge in self.judges if folded_name(judge.name) == folded), None)


def make_plan(
    test: Test,
    *,
    experts: Sequence[str],
    novices: Sequence[str],
    size: int = ROUND,
    even: bool = False,
    seed: int = 1,
) -> PanelPlan:
    """Plan the rounds of two panels; the order of the file does not matter."""
    plan = plan_rounds(test, size=size, even=even, seed=seed)
    return with_judges(plan, experts=experts, novices=novices)


def plan_rounds(test: Test, *, size: int = ROUND, even: bool = False, seed: int = 1) -> PanelPlan:
    """The rounds of a test before there are judges."""
    test.require_kind("readability")
    passages = {}
    for record in test.records():
        if not record.text.strip():
            raise DataError(
                "the passage has no text, and nobody can rate it: take it out",
                file=test.file,
                where=record.id,
            )
        passages[record.id] = record
    genres = {id: passage.genre or ABSENT for id, passage in passages.items()}
    topics = {id: passage.topic or ABSENT for id, passage in passages.items()}
    code_of = _codes(passages, seed)
    cells = {id: (genres[id], topics[id]) for id in passages}
    rounds = deal_rounds(cells, size, even=even, seed=seed)
    return PanelPlan(
        readmark=SCHEMA,
        file=FILE,
        test=test.header.name,
        paper=test.facts.paper,
        language=test.language,
        seed=seed,
        size=size,
        passages=tuple(
            PlannedPassage(
                code=code,
                id=id,
                version=version_of(passages[id].text),
                genre=genres[id],
                topic=topics[id],
            )
            for id, code in code_of.items()
        ),
        rounds=tuple(tuple(sorted(code_of[id] for id in round_)) for round_ in rounds),
        judges=(),
        balance=Balance(
            genre=round(largest_deviation(rounds, genres), 4),
            topic=round(largest_deviation(rounds, topics), 4),
            below=bound(rounds),
        ),
    )


def with_judges(
    plan: PanelPlan,
    *,
    experts: Sequence[str],
    novices: Sequence[str],
    lots: Mapping[str, str] | None = None,
) -> PanelPlan:
    """A plan with judges, whose orders are drawn by their names.

    ``lots`` has what to draw by in place of a name: the hall draws by the login of a judge, by
    which it orders the judge's pages.
    """
    _require_names(experts, novices)
    ids = {passage.code: passage.id for passage in plan.passages}
    codes = {id: code for code, id in ids.items()}
    rounds = {
        number: [ids[code] for code in round_] for number, round_ in enumerate(plan.rounds, 1)
    }
    judges = []
    for panel, names in ((EXPERT, experts), (NOVICE, novices)):
        for name in names:
            order = order_for_judge(rounds, seed=plan.seed, judge=(lots or {}).get(name, name))
            turns = tuple(
                PanelRound(number=number, passages=tuple(codes[id] for id in passages))
                for number, passages in order.items()
            )
            judges.append(PanelJudge(name=name, panel=panel, rounds=turns))
    return msgspec.structs.replace(plan, judges=tuple(judges))


def order_for_judge(
    rounds: Mapping[int, Sequence[str]], *, seed: int, judge: str
) -> dict[int, list[str]]:
    """The rounds in a judge's order, with the ids of the passages of each in that judge's order."""
    numbers = by_lot(map(str, rounds), seed, "rounds", judge)
    return {int(number): by_lot(rounds[int(number)], seed, "places", judge) for number in numbers}


def version_of(text: str) -> str:
    """The version of a text; the letter keeps spreadsheets from taking it for a number."""
    return f"v{text_id(text)}"


def plan_file(path: str | Path) -> Path:
    """The file of a plan, where the path is that of the file or of its folder."""
    return Path(path) / PLAN if Path(path).is_dir() else Path(path)


def read_plan(path: str | Path) -> PanelPlan:
    """The plan in a file or in its folder."""
    file = plan_file(path)
    data = read_bytes(file)
    try:
        plan = msgspec.json.decode(data, type=PanelPlan)
    except msgspec.ValidationError as error:
        raise DataError(f"is not the plan of a panel: {in_words(error)}", file=file) from None
    except JSON_ERRORS as error:
        raise malformed(file, data, error) from None
    if plan.file != FILE:
        raise DataError("is not the plan of a panel", file=file)
    by_panel = {
        panel: [judge.name for judge in plan.judges if judge.panel == panel] for panel in PANELS
    }
    _require_names(by_panel[EXPERT], by_panel[NOVICE], file=file)
    _require_complete(plan, file)
    return plan


def _require_complete(plan: PanelPlan, file: Path) -> None:
    """Refuse a plan that was changed by hand: every judge has every passage once."""
    codes = sorted(passage.code for passage in plan.passages)
    if len(set(codes)) < len(codes) or len({passage.id for passage in plan.passages}) < len(codes):
        raise DataError("two passages have the same code or id", file=file)
    for judge in plan.judges:
        if judge.panel not in PANELS:
            raise DataError(
                f"the panel of {judge.name!r} is {clip(judge.panel)!r}, "
                f"expected {EXPERT} or {NOVICE}",
                file=file,
            )
        if sorted(code for round_ in judge.rounds for code in round_.passages) != codes:
            raise DataError(
                f"the rounds of {judge.name!r} are not of every passage once", file=file
            )


def _require_names(
    experts: Sequence[str], novices: Sequence[str], *, file: Path | None = None
) -> None:
    """Refuse names that files cannot be called by, and a judge who occurs twice."""
    if not experts and not novices:
        raise UsageError("no judge is named: --experts N, --novices N, or their names")
    panel_of: dict[str, str] = {}
    for panel, names in ((EXPERT, experts), (NOVICE, novices)):
        names_in_panel: set[str] = set()
        for name in names:
            require_name(name, "judge", is_file=file is None, file=file)
            folded = folded_name(name)
            other_panel = panel_of.setdefault(folded, panel)
            if other_panel != panel:
                raise _error(f"{name!r} is in both panels: a judge is an expert or a novice", file)
            if folded in names_in_panel:
                raise _error(f"two judges are called {name!r}", file)
            names_in_panel.add(folded)


def _error(message: str, file: Path | None) -> Exception:
    """Names are wrong in a command, or in the file of a plan."""
    return UsageError(message) if file is None else DataError(message, file=file)


def _codes(passages: Mapping[str, object], seed: int) -> dict[str, str]:
    """A code for every passage that is no passage's id, so that a sheet may name either."""
    order = by_lot(passages, seed, "codes")
    width = max(2, len(str(len(order))))
    for letter in itertools.chain("pqrstuvwxyz", (f"p{index}-" for index in itertools.count())):
        codes = {id: f"{letter}{index:0{width}}" for index, id in enumerate(order, 1)}
        if not passages.keys() & set(codes.values()):
            break
    return codes
