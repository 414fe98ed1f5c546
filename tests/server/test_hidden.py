"""Hidden stays hidden: no response, file or log has anything of a hidden key or of its marks.

What must stay hidden contains a canary: a word that is nowhere else. People of every sort then ask
for every address that the application knows, by every method, and every byte is searched, also
within compressed files. The ids of hidden units are canaries too: once their papers are out they
may be in papers and in the team's own answers, and nowhere together with a mark.
"""

from __future__ import annotations

import gzip
import io
import json
import logging
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from boards import RIGHT, WRONG, BoardHall, open_board_hall, well
from halls import add_member, add_person, client_of, every_path, hall_in, signed_in
from made import comprehension, passage
from readmark.core.records import Answer, Passage, QuestionKey, RecordKey
from readmark.formats.registry import save_test
from readmark.server.access import Scope
from readmark.server.api_tokens import create_token
from readmark.server.tables import BoardVersion, ProjectFile, Submission, SubmissionFile

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

pytestmark = pytest.mark.usefixtures("quick_passwords")

KEY = ("canaryreference", "canaryannotator", "canaryfield", "canaryrecord", "金丝雀答案")
"""Words of the hidden key."""
PAPER = ("canarypassage", "canaryunit")
"""Words of the hidden paper; the second is in the id of every hidden unit."""
MAY_NAME_UNITS = re.compile(r"/(?:data|answers|units|sittings)\b|/tasks/wells/data")
"""Addresses that give a paper, or what a team sent itself."""
MARKS = {"em", "f1", "average", "marks", "score", "statistics", "vectors", "sums"}
DEV = [f"dev-{number}-{index}" for number in range(3) for index in range(2)]
TEST = [f"test-canaryunit{number}-{index}" for number in range(20) for index in range(2)]


def hidden_passage(number: int) -> Passage:
    """A passage whose key is full of canaries; a common answer is right as well."""
    plain = well("test", number)
    questions = []
    for index, question in enumerate(plain.questions):
        key = QuestionKey(
            answers=(
                Answer(text=RIGHT, annotator="r1"),
                Answer(text="canaryreference 金丝雀答案", annotator="canaryannotator"),
            ),
            level=index + 1,
            fields={"reason": "canaryfield"},
        )
        id = f"test-canaryunit{number}-{index}"
        questions.append(type(question)(id=id, text=question.text, key=key))
    return passage(
        f"canarypassage{number}",
        *questions,
        text=f"The canarypassage number {number} tells of a kettle.",
        split="test",
        key=RecordKey(fields={"note": "canaryrecord"}),
    )


def secret_wells(path: Path) -> Path:
    """A test with a public split, and a hidden one that canaries are in."""
    passages = [*(well("dev", number) for number in range(3)), *map(hidden_passage, range(20))]
    save_test(comprehension(*passages, name="wells", language="en", hidden=("test",)), path)
    return path


def unpacked(content: bytes) -> bytes:
    """What is in a body, compressed or not."""
    if content.startswith(b"PK\x03\x04"):
        packed = zipfile.ZipFile(io.BytesIO(content))
        return b"\n".join(unpacked(packed.read(name)) for name in packed.namelist())
    if content.startswith(b"\x28\xb5\x2f\xfd"):
        return unpacked(zstd.decompress(content))
    if content.startswith(b"\x1f\x8b"):
        return unpacked(gzip.decompress(content))
    return content


def words_in(content: bytes, words: tuple[str, ...]) -> list[str]:
    """The canaries in a body, also as escapes of JSON."""
    seen = unpacked(content).lower()
    return [
        word
        for word in words
        if word.encode() in seen or json.dumps(word).strip('"').lower().encode() in seen
    ]


def marked_units(content: bytes) -> list[str]:
    """Hidden units that a body has a mark of: objects with both, in JSON or its lines."""
    text = unpacked(content).decode("utf-8", "replace")
    if "canaryunit" not in text:
        return []
    lines = {text, *text.splitlines()}
    return sorted({id for line in lines for id in _marked(_json(line))})


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _marked(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        own = [each for each in (value.get("id"), value.get("unit")) if isinstance(each, str)]
        own += [key for key in value if "canaryunit" in key and not isinstance(value[key], str)]
        if any("canaryunit" in id for id in own) and (MARKS & {*value} or own[-1] in value):
            yield own[-1]
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _marked(inner)


def given(right: int, units: list[str]) -> dict[str, str]:
    """Answers of which the first so many are right."""
    return {id: RIGHT if index < right else WRONG for index, id in enumerate(units)}


def callers(hall: BoardHall) -> dict[str, TestClient]:
    """People of every sort, those who run the task last."""
    app = hall.app
    organiser = add_person(app, "olga")
    add_member(app, hall.project.id, organiser, "organiser")
    with hall_in(app).database.writing() as session:
        member = hall.people["Rowers"]
        _, secret = create_token(session, hall_in(app), member, name="all", scopes=Scope, days=1)
    program = client_of(app)
    program.headers["authorization"] = f"Bearer {secret}"
    return {
        "anonymous": client_of(app),
        "stranger": signed_in(app, add_person(app, "stranger")),
        "team": signed_in(app, member),
        "program": program,
        "other team": signed_in(app, hall.people["Masons"]),
        "organiser": signed_in(app, organiser),
        "owner": signed_in(app, add_person(app, "otto", is_owner=True)),
    }


RUN_IT = ("organiser", "owner")
QUERIES = {
    "/board": ("", "?show=all&table=level", "?table=history"),
    "/data": ("", "?split=test", "?split=dev", "?paper=true"),
}
BAD_FILES = {
    "unknown.json": json.dumps({"nobody": "x"}).encode(),
    "guessed.json": json.dumps({TEST[0]: "x", "nobody": "x"}).encode(),
    "broken.json": b'{"x":',
    "empty.json": b"{}",
    "sheet.jsonl": b'{"kind": "marksheet"}\n{"id": "x"}\n',
}


def asked_everything(
    hall: BoardHall, who: str, client: TestClient, values: dict[str, list[str]]
) -> Iterator[tuple[str, str, Any]]:
    """Method, address and answer of every route, the ones that change something last."""
    for path in every_path(hall.app, values):
        if who == "program" and not path.startswith("/api/"):
            continue
        for query in next((QUERIES[end] for end in QUERIES if path.endswith(end)), ("",)):
            yield "GET", path + query, client.get(path + query)
    if who in ("anonymous", "stranger", "program"):
        return  # what they may not do is refused before anything is looked up
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for path in every_path(hall.app, values, method):
            if who in RUN_IT and method == "DELETE":
                continue
            if path.endswith("/submissions"):
                for name, content in BAD_FILES.items():
                    sent: dict[str, Any] = {"files": {"file": (name, content)}}
                    yield method, path, client.post(path, data={"system": "x"}, **sent)
            body: dict[str, Any] = {"json": {}} if "/api/" in path else {"data": {"x": "y"}}
            yield method, path, client.request(method, path, **body)


def search(hall: BoardHall, caplog: pytest.LogCaptureFixture, *, is_paper_out: bool) -> set[str]:
    """Look for canaries in everything; give the addresses that name hidden units."""
    with hall.database.reading() as session:
        ids = [*session.scalars(select(Submission.id))]
    values = {
        **{name: ["wells"] for name in ("task", "project")},
        "submission": [*ids, "nothing"],
        "version": ["1"],
        "split": ["dev", "test"],
        "language": ["en"],
        "person": [hall.people["Masons"]],
    }
    naming = set()
    caplog.set_level(logging.DEBUG)
    for who, client in callers(hall).items():
        if not is_paper_out and who in ("program", "other team", "owner"):
            continue
        for method, path, answer in asked_everything(hall, who, client, values):
            where = (who, method, path, answer.status_code)
            content = unpacked(answer.content) + json.dumps(dict(answer.headers)).encode()
            assert answer.status_code < 500, where
            assert not marked_units(answer.content), where
            if who not in RUN_IT:
                assert not words_in(content, KEY), where
                paper = words_in(content, PAPER)
                assert not paper or (is_paper_out and MAY_NAME_UNITS.search(path)), where
            if words_in(content, ("canaryunit",)):
                naming.add(path)
    hall.work()  # what was uploaded is marked, or fails with a message
    with hall.database.reading() as session:
        for submission in session.scalars(select(Submission)):
            shown = f"{submission.error} {submission.file_name} {submission.system}".encode()
            assert not words_in(shown, KEY), submission.error
            assert is_paper_out or not words_in(shown, PAPER), submission.error
        for board in session.scalars(select(BoardVersion)):
            assert not words_in(board.content.encode(), (*KEY, *PAPER))
    for who, client in callers_again(hall).items():
        for path in every_path(hall.app, {**values, "submission": submission_ids(hall)}):
            if "submission" in path:
                answer = client.get(path)
                assert not words_in(answer.content, KEY), (who, path)
                assert not marked_units(answer.content), (who, path)
    assert not words_in(caplog.text.encode(), (*KEY, *PAPER))
    return naming


def callers_again(hall: BoardHall) -> dict[str, TestClient]:
    return {team: signed_in(hall.app, person) for team, person in hall.people.items()}


def submission_ids(hall: BoardHall) -> list[str]:
    with hall.database.reading() as session:
        return [*session.scalars(select(Submission.id))]


def test_nothing_of_a_hidden_key_and_no_mark_of_a_hidden_unit_is_anywhere(
    hall_app: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    test = secret_wells(tmp_path / "wells.jsonl")
    hall = open_board_hall(hall_app, test, monkeypatch, options="per_day = 1000")
    hall.submit("Rowers", "Oar", given(20, [*DEV, *TEST]))
    hall.submit("Masons", "Brick", given(30, [*TEST, *DEV]))
    hall.work(people=True)
    naming = search(hall, caplog, is_paper_out=True)
    assert any("/answers" in path for path in naming)  # the search has seen what it may see
    assert any("/data" in path for path in naming)
    assert not words_in("".join(capfd.readouterr()).encode(), (*KEY, *PAPER))
    board = client_of(hall_app).get("/api/tasks/wells/board?table=level").json()
    systems = {row["system"]: row for row in board["rows"]}
    assert systems["Brick"]["splits"]["test"]["marks"]["em"]["score"] == 75.0  # the whole is shown


def test_the_canaries_are_there(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the search would find nothing because there is nothing."""
    hall = open_board_hall(hall_app, secret_wells(tmp_path / "wells.jsonl"), monkeypatch)
    hall.submit("Rowers", "Oar", given(20, [*DEV, *TEST]))
    hall.work()
    with hall.database.reading() as session:
        [test] = session.scalars(select(ProjectFile).where(ProjectFile.role == "task"))
        assert words_in(test.content, (*KEY, *PAPER)) == [*KEY, *PAPER]
        sheets = {
            file.split: file.content
            for file in session.scalars(select(SubmissionFile))
            if file.role == "marksheet"
        }
    assert len(marked_units(sheets["test"])) == len(TEST)
    assert not marked_units(sheets["dev"])
    assert not words_in(sheets["test"], KEY)  # marksheets are stored without the key
    assert marked_units(json.dumps({"units": {TEST[0]: {"em": 1}}}).encode()) == [TEST[0]]
    assert marked_units(json.dumps([{"id": TEST[0], "f1": 1}]).encode()) == [TEST[0]]


def test_before_the_papers_are_out_nothing_of_the_hidden_split_is_anywhere(
    hall_app: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Not even the ids, in errors neither; and an answer to a hidden unit is not marked."""
    options = (
        'per_day = 1000\npractice = { begins = "2020-01-01" }\nformal = { begins = "2999-01-01" }'
    )
    hall = open_board_hall(
        hall_app, secret_wells(tmp_path / "wells.jsonl"), monkeypatch, options=options
    )
    hall.submit("Rowers", "Oar", given(3, DEV))
    hall.submit("Masons", "Brick", given(4, DEV))
    hall.work()
    naming = search(hall, caplog, is_paper_out=False)
    assert not {path for path in naming if "organis" not in path and "/projects/" not in path}
    [row, *_] = client_of(hall_app).get("/api/tasks/wells/board").json()["rows"]
    assert [*row["splits"]] == ["dev"]


def test_small_slices_of_a_hidden_split_are_not_on_the_board(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Level 3 has 4 of 44 units: it is not shown, and neither are 1 and 2, of which it follows."""
    passages = [*(well("dev", number, 3) for number in range(4))]
    passages += [well("test", number) for number in range(20)]
    odd = well("test", 20, 2)
    questions = [
        type(question)(
            id=f"odd-{number}-{index}",
            text=question.text,
            key=QuestionKey(answers=(Answer(text=RIGHT),), level=3),
        )
        for number in range(2)
        for index, question in enumerate(odd.questions)
    ]
    passages.append(passage("odd", *questions, split="test"))
    test = comprehension(*passages, name="wells", language="en", hidden=("test",))
    save_test(test, tmp_path / "wells.jsonl")
    hall = open_board_hall(hall_app, tmp_path / "wells.jsonl", monkeypatch)
    units = [unit.id for unit in test.units()]
    id = hall.submit("Rowers", "Oar", dict.fromkeys(units, RIGHT))
    hall.work(people=True)
    board = client_of(hall_app).get("/api/tasks/wells/board?table=level").json()
    [row] = board["rows"]
    assert {*row["splits"]["dev"]["by"]["level"]} == {"1", "2"}
    shown = row["splits"]["test"]["by"].get("level", {})
    assert {*shown} == {"1"}  # 20 units; 24 others stay
    assert {*board["people"]["splits"]["test"]["by"].get("level", {})} <= {"1"}
    with hall.database.reading() as session:
        from readmark.server.boards.board import released_marks

        submission = session.get(Submission, id)
        assert submission is not None
        assert {*released_marks(session, submission)["test"]["by"]["level"]} == {"1"}
