"""Who rates what in which order: every judge every passage once, in rounds that are balanced.

The rounds are the same for all judges, so that orders within a round can be compared. Each judge
has the rounds, and the passages of each, in an order of their own.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.files import JSON_ERRORS, malformed, read_bytes
from readmark.corpus.fingerprint import text_id
from readmark.corpus.formats.lines import in_words
from readmark.corpus.labels import ABSENT
from readmark.corpus.spans import clip
from readmark.corpus.test import SCHEMA, Test
from readmark.corpus.values import Value
from readmark.setting.blind.names import folded_name, require_name
from readmark.setting.panels import EXPERT, NOVICE
from readmark.setting.panels.dealing import bound, dealt, furthest
from readmark.setting.panels.lots import by_lot

PLAN, FILE = "plan.json", "panel_plan"
ROUND = 10


class Planned(Value, frozen=True):
    """A passage under the name that judges know it by, which tells nothing of its genre."""

    code: str
    id: str
    version: str
    genre: str = ABSENT
    topic: str = ABSENT


class Round(Value, frozen=True):
    """A round as one judge has it: its number, and the passages in their order."""

    number: int
    passages: tuple[str, ...]


class Judge(Value, frozen=True):
    """A judge and the rounds in the order in which they have them."""

    name: str
    panel: str
    rounds: tuple[Round, ...]


class Balance(Value, frozen=True):
    """How far genres and topics are from their share of a round, in passages, and the bound."""

    genre: float
    topic: float
    below: int


class Plan(Value, frozen=True, kw_only=True):
    """A plan for two panels, bound to the paper."""

    readmark: int
    file: str
    test: str = ""
    paper: str
    language: str = "en"
    seed: int
    size: int
    passages: tuple[Planned, ...]
    rounds: tuple[tuple[str, ...], ...]
    judges: tuple[Judge, ...]
    balance: Balance

    @property
    def by_code(self) -> dict[str, Planned]:
        """Passages by the names on the sheets."""
        return {one.code: one for one in self.passages}

    def judge(self, name: str) -> Judge | None:
        """A judge, however the name is spelt in case, width and accents."""
        wanted = folded_name(name)
        return next((one for one in self.judges if folded_name(one.name) == wanted), None)


def planned(
    test: Test,
    *,
    experts: Sequence[str],
    novices: Sequence[str],
    size: int = ROUND,
    even: bool = False,
    seed: int = 1,
) -> Plan:
    """Plan the rounds of two panels; the order of the file does not matter."""
    if test.kind.name != "readability":
        raise DataError(f"is a {test.kind.name} test, expected readability", file=test.file)
    _require_names(experts, novices)
    passages = {}
    for record in test.records():
        if not record.text.strip():
            raise DataError(
                "the passage has no text, and nobody can rate it: take it out",
                file=test.file,
                where=record.id,
            )
        passages[record.id] = record
    cells = {id: (one.genre or ABSENT, one.topic or ABSENT) for id, one in passages.items()}
    code_of = _codes(passages, seed)
    rounds = dealt(cells, size, even=even, seed=seed)
    return Plan(
        readmark=SCHEMA,
        file=FILE,
        test=test.header.name,
        paper=test.facts.paper,
        language=test.language,
        seed=seed,
        size=size,
        passages=tuple(
            Planned(
                code=code,
                id=id,
                version=version_of(passages[id].text),
                genre=cells[id][0],
                topic=cells[id][1],
            )
            for id, code in code_of.items()
        ),
        rounds=tuple(tuple(sorted(code_of[id] for id in one)) for one in rounds),
        judges=tuple(
            _judge(name, panel, rounds, code_of, seed)
            for panel, names in ((EXPERT, experts), (NOVICE, novices))
            for name in names
        ),
        balance=Balance(
            genre=round(furthest(rounds, {id: one[0] for id, one in cells.items()}), 4),
            topic=round(furthest(rounds, {id: one[1] for id, one in cells.items()}), 4),
            below=bound(rounds),
        ),
    )


def version_of(text: str) -> str:
    """Which text a passage has; the letter keeps spreadsheets from taking it for a number."""
    return f"v{text_id(text)}"


def plan_file(path: str | Path) -> Path:
    """The file of a plan that is named by it, or by the folder that it was written to."""
    return Path(path) / PLAN if Path(path).is_dir() else Path(path)


def read_plan(path: str | Path) -> Plan:
    """The plan in a file, or in the folder that it was written to."""
    file = plan_file(path)
    data = read_bytes(file)
    try:
        plan = msgspec.json.decode(data, type=Plan)
    except msgspec.ValidationError as error:
        raise DataError(f"is no plan of a panel: {in_words(error)}", file=file) from None
    except JSON_ERRORS as error:
        raise malformed(file, data, error) from None
    if plan.file != FILE:
        raise DataError("is no plan of a panel", file=file)
    by_panel = {
        panel: [one.name for one in plan.judges if one.panel == panel] for panel in (EXPERT, NOVICE)
    }
    _require_names(by_panel[EXPERT], by_panel[NOVICE], file=file)
    _require_whole(plan, file)
    return plan


def _require_whole(plan: Plan, file: Path) -> None:
    """Refuse a plan that was changed by hand: every judge has every passage once."""
    codes = sorted(one.code for one in plan.passages)
    if len(set(codes)) < len(codes) or len({one.id for one in plan.passages}) < len(codes):
        raise DataError("two passages have the same code or id", file=file)
    for judge in plan.judges:
        if judge.panel not in (EXPERT, NOVICE):
            raise DataError(
                f"the panel of {judge.name!r} is {clip(judge.panel)!r}, "
                f"expected {EXPERT} or {NOVICE}",
                file=file,
            )
        if sorted(code for one in judge.rounds for code in one.passages) != codes:
            raise DataError(
                f"the rounds of {judge.name!r} are not of every passage once", file=file
            )


def _require_names(
    experts: Sequence[str], novices: Sequence[str], *, file: Path | None = None
) -> None:
    """Refuse names that files cannot be called by, and a judge who stands twice."""
    if not experts and not novices:
        raise UsageError("nobody is named: --experts N, --novices N, or their names")
    seen: dict[str, tuple[str, str]] = {}
    for panel, names in ((EXPERT, experts), (NOVICE, novices)):
        for name in names:
            require_name(name, "judge", is_file=file is None, file=file)
            before = seen.get(folded_name(name))
            if before is not None and before[1] != panel:
                raise _refused(
                    f"{name!r} is in both panels: a judge is an expert or a novice", file
                )
            if before is not None:
                raise _refused(f"two judges are called {name!r}", file)
            seen[folded_name(name)] = name, panel


def _refused(message: str, file: Path | None) -> Exception:
    return UsageError(message) if file is None else DataError(message, file=file)


def _codes(passages: Mapping[str, object], seed: int) -> dict[str, str]:
    """A name for every passage, which none of them has already."""
    order = by_lot(passages, seed, "codes")
    width = max(2, len(str(len(order))))
    for letter in itertools.chain("pqrstuvwxyz", (f"p{at}-" for at in itertools.count())):
        codes = {id: f"{letter}{at:0{width}}" for at, id in enumerate(order, 1)}
        if not passages.keys() & set(codes.values()):
            break
    return codes


def _judge(
    name: str, panel: str, rounds: Sequence[Sequence[str]], code_of: Mapping[str, str], seed: int
) -> Judge:
    numbers = by_lot(map(str, range(1, len(rounds) + 1)), seed, "rounds", name)
    return Judge(
        name=name,
        panel=panel,
        rounds=tuple(
            Round(
                number=int(number),
                passages=tuple(
                    code_of[id] for id in by_lot(rounds[int(number) - 1], seed, "places", name)
                ),
            )
            for number in numbers
        ),
    )
