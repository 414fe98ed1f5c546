"""No command writes a cell that a spreadsheet would run as a formula, whatever a test holds."""

import ast
import csv
import importlib
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from click.testing import CliRunner

import readmark
from made import asked, comprehension, passage, sat
from readmark.cli.main import cli
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.formats.sheets import read_rows
from readmark.making import write_quality_checks
from readmark.making.translation.sheets import sheet_of, write_translations
from readmark.marking.settings import MarkSettings
from readmark.readability.kind import RatedPassage
from readmark.statistics.carelessness import ItemTime, KnownAnswer
from task_files import write_task

pytestmark = pytest.mark.command

SOURCES = Path(readmark.__file__).parent
WRITERS = ("sheet_bytes", "write_sheet", "csv_text")
SIGNS = "=+-@＝＋－＠"
BEGINNINGS = (*SIGNS, "\t", "\r", "\n", " =", '"=', "\u3000=", "'=", "''-", "\ufeff=")
FORMULAS = [f"{begin}cmd|' /C calc'!A{at}" for at, begin in enumerate(BEGINNINGS)]
"""Each with a number of its own, so that ids differ."""


def run(*args: str | Path) -> bytes:
    """Run a command in process; what it printed."""
    done = CliRunner().invoke(cli, list(map(str, args)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout_bytes


def cells_of(data: bytes, delimiter: str = ",") -> Iterator[str]:
    """The cells of a sheet as a spreadsheet gets them: by the csv module, not by the reader."""
    text = data.decode("utf-8-sig")
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
        yield from row


def runs_as_formula(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return cell[:1] in ("\t", "\r", "\n") or cell.strip(' \t\r\n\u3000\ufeff"')[:1] in {*SIGNS}
    return False


def comprehension_test(folder: Path) -> Path:
    """Ids, texts, questions, answers and fields that begin like formulas."""
    passages = [
        passage(
            f"{formula} passage",
            asked(f"{formula} question", formula, text=f"{formula}?", level=at % 4 + 1),
            text=f"{formula} is what stood on the wall, and nobody in the town knew why.",
            split=f"{SIGNS[at % len(SIGNS)]}split",
            genre=formula,
        )
        for at, formula in enumerate(FORMULAS)
    ]
    save_test(comprehension(*passages, language="en", name="=walls"), folder / "test.jsonl")
    return folder / "test.jsonl"


def panel_test(folder: Path) -> Path:
    passages = [
        RatedPassage(id=f"{formula} {at}", text=f"{formula} was on the wall.", genre=formula)
        for at, formula in enumerate(FORMULAS)
    ]
    header = Header(kind="readability", name="=panel", language="en")
    save_test(in_memory(header, passages), folder / "panel.jsonl")
    return folder / "panel.jsonl"


def blind(folder: Path) -> list[bytes]:
    names = [part for name in ("ann", "bo", "安") for part in ("--annotator", name)]
    run("set", "blind", comprehension_test(folder), "-o", folder / "blind", *names)
    return [path.read_bytes() for path in (folder / "blind").glob("*.csv")]


def screen(folder: Path) -> list[bytes]:
    test = comprehension_test(folder)
    run("set", "screen", test, "-o", folder / "kept.jsonl", "--form", folder / "form.csv")
    return [(folder / "form.csv").read_bytes()]


def pool(folder: Path) -> list[bytes]:
    rows = [{"id": formula, "text": f"{formula} is it.", "genre": formula} for formula in FORMULAS]
    candidates = folder / "candidates.jsonl"
    candidates.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run("panel", "pool", candidates, "--sheet", folder / "vet.csv")
    return [(folder / "vet.csv").read_bytes()]


def plan(folder: Path) -> list[bytes]:
    test = panel_test(folder)
    run("panel", "plan", test, "-o", folder / "plan", "--experts", "ann", "--novices", "bo")
    return [path.read_bytes() for path in (folder / "plan").glob("*.csv")]


def collect(folder: Path) -> list[bytes]:
    """Sheets of unfinished rounds have what judges typed into the earlier ones."""
    plan(folder)
    expert = folder / "plan" / "ann.csv"
    rows = [row for _, row in read_rows(expert)]
    with (folder / "ann.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows({**row, "criteria": FORMULAS[0], "stars": "3"} for row in rows)
    files = [folder / "ann.csv", folder / "plan" / "bo.csv"]
    run("panel", "collect", folder / "panel.jsonl", folder / "plan", *files, "--draws", "50",
        "--remaining", folder / "left")  # fmt: skip
    left = (folder / "left" / "ann.csv").read_bytes()
    assert FORMULAS[0] in left.decode()
    return [left, (folder / "left" / "bo.csv").read_bytes()]


def table(folder: Path) -> list[bytes]:
    test = open_test(comprehension_test(folder))
    marksheets = []
    for at, formula in enumerate(FORMULAS):
        sitting = sat({f"{formula} question": formula}, candidate=formula)
        marksheets.append(folder / f"{at}.marks.jsonl")
        readmark.mark(test, sitting, settings=MarkSettings(draws=50), marksheet=marksheets[-1])
    layouts = [(), ("--by", "level"), ("--by", "genre")]
    return [run("table", *marksheets, "--format", "csv", *options) for options in layouts]


def marks(folder: Path) -> list[bytes]:
    """What every result has in common: mark, compare, people and stats."""
    test = comprehension_test(folder)
    files = [folder / f"{sign}.json" for sign in ("=a", "-b")]
    for file in files:
        file.write_text(json.dumps({f"{FORMULAS[0]} question": "x"}), encoding="utf-8")
    csv_rows = ("--format", "csv")
    return [
        run("mark", test, files[0], "--by", "genre", *csv_rows),
        run("compare", test, *files, *csv_rows),
        run("people", test, *files, "--by", "genre", *csv_rows),
        run("stats", test, *csv_rows),
    ]


def convert(folder: Path) -> list[bytes]:
    run("convert", comprehension_test(folder), folder / "test.csv")
    return [(folder / "test.csv").read_bytes()]


def convert_sitting(folder: Path) -> list[bytes]:
    (folder / "mine.json").write_text(json.dumps(dict(zip(FORMULAS, FORMULAS, strict=True))))
    run("convert", folder / "mine.json", folder / "mine.csv")
    return [(folder / "mine.csv").read_bytes()]


def sheet(folder: Path) -> list[bytes]:
    run("set", "sheet", comprehension_test(folder), "-o", folder / "questions.csv")
    return [(folder / "questions.csv").read_bytes()]


def discarded(folder: Path) -> list[bytes]:
    """Answers that are not in the passage break a hard rule, so every row is discarded but one."""
    rows = [["passage", "question", "answer"], ["The mill.", "What?", "mill"]]
    rows += [["The mill.", f"{formula}?", formula] for formula in FORMULAS]
    with (folder / "returned.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    run(
        *("set", "collect", folder / "returned.csv", "-o", folder / "made.jsonl"),
        *("--profile", own_rules(folder)),
        *("--discard", folder / "discarded.csv"),
    )
    return [(folder / "discarded.csv").read_bytes()]


def own_rules(folder: Path) -> Path:
    (folder / "own.toml").write_text('profile = "smart"\n[no_level]\nseverity = "off"\n')
    return folder / "own.toml"


def gold_sheet(folder: Path) -> list[bytes]:
    rows: list[dict[str, Any]] = [
        {"readmark": 1, "file": "test", "kind": "series", "name": "s", "language": "en"},
    ]
    for at, formula in enumerate(FORMULAS):
        question = {"id": f"{formula} {at}", "text": f"{formula} when was it built?"}
        rows.append({"id": f"s{at}", "target": f"{formula} mill", "questions": [question]})
    file = folder / "series.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run("set", "sheet", file, "-o", folder / "golds.csv", "--for", "ann")
    return [(folder / "golds.csv").read_bytes()]


def query_sheet(folder: Path) -> list[bytes]:
    rows = [
        {"id": f"q{at}", "graph": "((?G winner ?T))", "text": formula}
        for at, formula in enumerate(FORMULAS)
    ]
    queries = "".join(json.dumps(row) + "\n" for row in rows)
    changed = {"queries.jsonl": queries, "answers.train.jsonl": "", "answers.test.jsonl": ""}
    task = write_task(folder / "league", changed)
    run("task", "sheet", task, "-o", folder / "queries.csv")
    return [(folder / "queries.csv").read_bytes()]


def labels(folder: Path) -> list[bytes]:
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from readmark.making.hall.levels import LEVELS_WORK
    from shipped_projects import shipped, work_of

    test, configuration = open_test(comprehension_test(folder)), shipped("levels")
    items = list(LEVELS_WORK.divide([test], configuration))
    done = {}
    for item in items:
        view = LEVELS_WORK.view(item, configuration).objects
        done[item.name] = {id: {**value, "fields": {"level": "1"}} for id, value in view.items()}
    LEVELS_WORK.write(work_of(configuration, test.header, items, Ada=done), folder / "hall")
    return [path.read_bytes() for path in (folder / "hall").rglob("*.csv")]


def labels_of_forms(folder: Path) -> list[bytes]:
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from readmark.works.form import FORM
    from shipped_projects import shipped, work_of

    test, configuration = open_test(comprehension_test(folder)), shipped("question_quality")
    items = list(FORM.divide([test], configuration))
    done = {}
    for item in items:
        view = FORM.view(item, configuration).objects
        done[item.name] = {id: {**value, "fields": {"clear": "yes"}} for id, value in view.items()}
    FORM.write(work_of(configuration, test.header, items, Ada=done), folder / "hall")
    return [path.read_bytes() for path in (folder / "hall").rglob("*.csv")]


def translations(folder: Path) -> list[bytes]:
    test = open_test(comprehension_test(folder))
    entries = sheet_of(test).entries
    write_translations(folder / "ann.csv", entries.values())
    return [(folder / "ann.csv").read_bytes()]


def verdicts(folder: Path) -> list[bytes]:
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from readmark.tasks.hall import judging
    from readmark.works.work import WorkItem
    from shipped_projects import shipped, work_of

    items, done = [], {}
    for formula in FORMULAS:
        answer = {"question": formula, "values": {formula: formula}}
        paper = {"id": formula, "answers": [answer]}
        items.append(WorkItem(formula, paper, {"ids": [formula]}))
        fields = {"verdict": judging.SORTS[0], "reason": formula}
        entry = {"type": "entry", "entry": judging.ENTRY, "fields": fields}
        done[formula] = {"a-1": entry, "note": {"type": "note", "value": formula}}
    work = work_of(shipped("judging"), Header(language="en"), items, Ada=done)
    with mock.patch.object(judging, "write_pool"):  # not a sheet
        judging.JUDGING.write(work, folder / "hall")
    return [path.read_bytes() for path in (folder / "hall").rglob("*.csv")]


def decided_verdicts(folder: Path) -> list[bytes]:
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from readmark.tasks.hall import judging_disputes
    from readmark.tasks.pooled_answers import PooledRow
    from readmark.works import PoolVerdicts
    from shipped_projects import shipped, work_of

    rows = {
        formula: PooledRow(document=formula, query="q", values={}, verdict="wrong", by=formula)
        for formula in FORMULAS
    }
    work = work_of(shipped("judging"), Header(language="en"), [])
    judged = PoolVerdicts(rows, {}, {})
    with mock.patch.object(judging_disputes, "judged_answers", return_value=judged):
        judging_disputes.JUDGING_DISPUTES.write(work, work, folder)
    return [(folder / "adjudicated.csv").read_bytes()]


def class_grid(folder: Path) -> list[bytes]:
    from readmark.reporting import ClassQuestion, ClassResults

    asked = tuple(
        ClassQuestion(formula, formula, 1, 0, 3.0, ((formula, 1),), {}) for formula in FORMULAS
    )
    return [ClassResults("f1", 0.8, {}, asked).as_csv().encode()]


def sat_results(folder: Path) -> list[bytes]:
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from readmark.server.results import SittingResults

    test = open_test(comprehension_test(folder))
    sitting = sat({f"{FORMULAS[0]} question": FORMULAS[0]}, candidate="x")
    marks = readmark.mark(test, sitting, settings=MarkSettings(draws=50))
    return [SittingResults(1, 1, machines=dict.fromkeys(FORMULAS, marks)).as_csv()]


def overview(folder: Path) -> list[bytes]:
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from readmark.server.dashboard import Dashboard, PersonFigures
    from readmark.server.progress import PersonProgress, ProjectProgress

    people = tuple(PersonProgress("id", formula, 1, 0, 0, 3.0, 3.0, None) for formula in FORMULAS)
    progress = ProjectProgress(1, 1, 1, 1, 0, 0, 3.0, people)
    figures = tuple(PersonFigures(person, None) for person in people)
    return [Dashboard(1, 1, 0.0, progress, None, None, (), figures).as_csv().encode()]


def board(folder: Path) -> list[bytes]:
    pytest.importorskip("fastapi", reason="needs the extra serve")
    from readmark.reporting.standings import Standing, StandingColumns, StandingOrder, Standings
    from readmark.server.boards.stored import Board, BoardSubmission, StoredBoard
    from readmark.server.boards.view import view_board

    known: dict[str, Any] = {"description": "", "is_ensemble": False, "origin": "file"}
    submissions = {
        str(number): BoardSubmission(
            number=number,
            team=formula,
            system=formula,
            phase="formal",
            received=0.0,
            of_system=1,
            **known,
        )
        for number, formula in enumerate(FORMULAS)
    }
    standings = Standings(
        columns=StandingColumns(splits=[], metrics=[]),
        rows=[Standing(key=id, name=one.system, splits={}) for id, one in submissions.items()],
        fields=[],
        order=StandingOrder(split="", metrics=[""]),
    )
    rules: dict[str, Any] = {"alpha": 0.05, "ladder": True, "smallest_slice": 20, "decided": []}
    content = Board(kind="comprehension", standings=standings, submissions=submissions, **rules)
    stored = StoredBoard("id", 1, 0.0, content)
    return [view_board(stored).as_csv().encode()]


def times(folder: Path) -> list[bytes]:
    spent = [ItemTime(one, one, 3.0) for one in FORMULAS]
    known = [KnownAnswer(one, one, True) for one in FORMULAS]
    write_quality_checks(folder, spent, known)
    return [(folder / "hall/quality" / name).read_bytes() for name in ("times.csv", "known.csv")]


COMMANDS: dict[Callable[[Path], list[bytes]], str] = {
    blind: "readmark.making.blind.material",
    screen: "readmark.formats.passage_decisions",
    pool: "readmark.readability.panels.pool",
    plan: "readmark.readability.panels.judge_sheets",
    collect: "readmark.readability.panels.judge_sheets",
    table: "readmark.reporting.grid_text",
    marks: "readmark.core.display",
    convert: "readmark.formats.tables.question_writer",
    convert_sitting: "readmark.formats.prediction_rows",
    sheet: "readmark.making.question_sheet",
    discarded: "readmark.making.collected_sheet",
    gold_sheet: "readmark.making.gold_sheet",
    query_sheet: "readmark.tasks.query_sheet",
    labels: "readmark.making.hall.levels",
    labels_of_forms: "readmark.works.form_labels",
    translations: "readmark.making.translation.sheets",
    verdicts: "readmark.tasks.hall.judging",
    decided_verdicts: "readmark.tasks.hall.judging_disputes",
    class_grid: "readmark.reporting.class_results",
    sat_results: "readmark.server.results",
    overview: "readmark.server.dashboard",
    board: "readmark.reporting.grid_text",
    times: "readmark.making.quality.work",
}
"""Every command that writes a sheet, with the module that writes it."""


def imported(name: str) -> Iterator[tuple[str, ast.ImportFrom | ast.Import, str]]:
    """Who imports a name or a module: the importing module, the statement, and what it imports."""
    for path in SOURCES.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if name not in text:
            continue
        module = ".".join(("readmark", *path.relative_to(SOURCES).with_suffix("").parts))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from ((module, node, alias.name) for alias in node.names)


def test_every_module_that_writes_a_sheet_is_tried_here() -> None:
    writing = {
        module
        for writer in WRITERS
        for module, node, what in imported(writer)
        if isinstance(node, ast.ImportFrom)
        and node.module in ("readmark.formats.sheets", "readmark.core.csv_text")
        and what == writer
    }
    assert writing == set(COMMANDS.values())


def test_csv_is_parsed_in_one_module() -> None:
    importing = {module for module, node, what in imported("csv") if what == "csv"}
    assert importing == {"readmark.formats.delimited"}
    for path in SOURCES.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not any(call in text for call in (".write_csv(", ".to_csv(", "FORMAT csv")), path


@pytest.mark.parametrize("command", COMMANDS)
def test_no_cell_begins_like_a_formula(
    command: Callable[[Path], list[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(COMMANDS[command])
    [writer] = [name for name in WRITERS if hasattr(module, name)]
    original = getattr(module, writer)
    calls = []

    def spy(*args: Any, **more: Any) -> Any:
        calls.append(args)
        return original(*args, **more)

    monkeypatch.setattr(module, writer, spy)
    sheets = command(tmp_path)
    assert len(calls) >= len(sheets) > 0
    cells = [cell for sheet in sheets for cell in cells_of(sheet)]
    assert any("cmd|' /C calc'" in cell for cell in cells)
    assert [cell for cell in cells if runs_as_formula(cell)] == []


def test_answers_come_back_as_they_were_typed(tmp_path: Path) -> None:
    """Also from a spreadsheet that drops the apostrophes; only a text's own cannot do without."""
    blind(tmp_path)
    filled = []
    for path in sorted((tmp_path / "blind").glob("*.csv")):
        rows = [row for _, row in read_rows(path) if row["id"] == row["id"].strip().lstrip("'")]
        typed = {row["id"]: row["id"].removesuffix(" question") for row in rows}
        filled.append(tmp_path / path.name)
        with filled[-1].open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, rows[0], delimiter=";")
            writer.writeheader()
            writer.writerows({**row, "answer": typed[row["id"]]} for row in rows)
    run("set", "merge", tmp_path / "test.jsonl", *filled, "-o", tmp_path / "merged.jsonl")
    for record in open_test(tmp_path / "merged.jsonl").records():
        for question in record.questions:
            key, *answers = [answer.text for answer in question.key.answers]
            taken = question.id == question.id.strip().lstrip("'")
            assert answers == [key] * 2 * taken


@pytest.mark.parametrize("suffix", ["csv", "tsv", "csv.gz", "xlsx"])
def test_a_form_is_read_as_it_was_written(tmp_path: Path, suffix: str) -> None:
    test, form = comprehension_test(tmp_path), tmp_path / f"form.{suffix}"
    run("set", "screen", test, "-o", tmp_path / "kept.jsonl", "--form", form)
    rows = [(row["id"], row["text"]) for _, row in read_rows(form)]
    assert rows == [(record.id, record.text) for record in open_test(test).records()]


BAD = {
    "": "is empty",
    "=cmd": "begins with a character that spreadsheets run as a formula",
    " +1": "begins with a character",
    "－a": "begins with a character",
    "'@a": "begins with a character",
    "a\x1b[2J": "contains a control character",
    "a\u202eb": "contains a control character",
    "a\nb": "contains a control character",
    "../a": "contains a path separator",
    "a\\b": "contains a path separator",
    "a" * 101: "has 101 characters, expected at most 100",
}


NAMING = [
    "set blind TEST -o OUT --annotator bo --annotator NAME",
    "set merge TEST SHEET -o OUT --name NAME",
    "set agree SHEET SHEET --names bo,NAME",
    "set crosscheck TEST TEST2 -o OUT --names bo,NAME",
    "set translate TEST SHEET SHEET -o OUT --names bo,NAME",
    "set translate TEST SHEET PANEL -o OUT --decisions TEST2 --by NAME",
    "panel plan PANEL -o OUT --experts bo,NAME",
]


@pytest.mark.parametrize(
    ("command", "name"),
    [(command, name) for command in NAMING for name in BAD if name or "," not in command],
)
def test_a_name_that_cannot_be_is_refused(command: str, name: str, tmp_path: Path) -> None:
    test = comprehension(passage("p", asked("q", "boats")), language="en")
    places = {"TEST": "test.jsonl", "TEST2": "test2.jsonl", "PANEL": "panel.jsonl"}
    for place in ("TEST", "TEST2"):
        save_test(test, tmp_path / places[place])
    header = Header(kind="readability", language="en")
    save_test(in_memory(header, [RatedPassage(id="a", text="A wall.")]), tmp_path / "panel.jsonl")
    (tmp_path / "sheet.csv").write_text("id,question,answer\nq,?,boats\n", encoding="utf-8")
    places |= {"SHEET": "sheet.csv", "OUT": "out"}
    words = [word.replace("NAME", name) for word in command.split()]
    args = [str(tmp_path / places[word]) if word in places else word for word in words]
    done = CliRunner().invoke(cli, args)
    assert isinstance(done.exception, UsageError), done.output
    assert BAD[name] in str(done.exception)
    assert len(str(done.exception).splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_name_in_a_sheet_is_placed(tmp_path: Path) -> None:
    test = comprehension(passage("p", asked("q", "boats")), language="en")
    save_test(test, tmp_path / "test.jsonl")
    sheet = tmp_path / "a.csv"
    for columns, row, command in (
        ("id,answer,annotator", "q,boats,'=cmd", ("merge", "TEST", "SHEET")),
        ("id,decision,person", "p,keep,=cmd", ("screen", "TEST", "--decisions", "SHEET")),
    ):
        sheet.write_text(f"{columns}\n{row}\n", encoding="utf-8")
        places = {"TEST": str(tmp_path / "test.jsonl"), "SHEET": str(sheet)}
        args = [places.get(one, one) for one in command]
        done = CliRunner().invoke(cli, ["set", *args, "-o", str(tmp_path / "out.jsonl")])
        assert isinstance(done.exception, DataError), done.output
        assert f"{sheet}:2: " in str(done.exception)
        assert "name '=cmd' begins with a character" in str(done.exception)
