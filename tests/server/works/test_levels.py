"""Labels of questions: files that `set agree` and `set levels` read, practice, earlier labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from readmark.core.errors import DataError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotators import open_annotators
from readmark.making.hall.levels import LEVELS_WORK
from readmark.works import Objects, read_project
from shipped_projects import PROJECTS, shipped, work_of

HEADER = Header(name="clocks", language="en")
TEXT = "Nora Weil mended clocks in the market hall. On Sundays she wound the one in the tower."


def _question(id: str, text: str, answer: str, level: int | None = None) -> Question:
    given = (Answer(text=answer, start=TEXT.index(answer)),)
    return Question(id=id, text=text, key=QuestionKey(answers=given, level=level))


CLOCK = Passage(
    id="clock",
    text=TEXT,
    questions=(
        _question("who", "Who wound the clock in the tower?", "Nora Weil"),
        _question("what", "What did Nora Weil mend?", "clocks"),
    ),
)
TEST = in_memory(HEADER, [CLOCK])
CONFIGURATION = shipped("levels")
[ITEM] = LEVELS_WORK.divide([TEST], CONFIGURATION)


def _labels(who: dict[str, object], what: dict[str, object]) -> dict[str, Objects]:
    view = LEVELS_WORK.view(ITEM, CONFIGURATION).objects
    filled = dict(zip(view, (who, what), strict=True))
    return {
        "clock": {id: {**view[id], "fields": fields} for id, fields in filled.items() if fields}
    }


ADA = _labels({"level": "3", "reasons": ["pronoun"]}, {"level": "1"})
BO = _labels({"level": "3"}, {"level": "2"})


def test_labels_go_to_agree_and_levels(
    tmp_path: Path, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    made = LEVELS_WORK.write(work_of(CONFIGURATION, HEADER, [ITEM], Ada=ADA, Bo=BO), tmp_path)
    assert [path.name for path in made] == ["Ada.csv", "Bo.csv", "labels.csv", "levels.jsonl"]
    command = ("set", "agree", *made[:2], "--what", "level", "--json")
    printed = json.loads(readmark_cli(*command).stdout)
    live = agree(open_annotators([str(path) for path in made[:2]]), ["level"])
    assert printed == json.loads(json.dumps(live.as_json()))
    exact = next(figure for figure in live.comparisons[0].figures if figure.measure == "percent")
    assert exact.value == 0.5
    source = tmp_path / "source.jsonl"
    save_test(TEST, source)
    done = readmark_cli(
        "set", "levels", source, "--labels", made[2], "-o", tmp_path / "cli.jsonl", "--json"
    )
    levels = json.loads(done.stdout)["levels"]
    assert {id: (each["level"], each["by"]) for id, each in levels.items()} == {
        "who": (3, "Ada"),
        "what": (1, "Ada"),
    }
    assert (tmp_path / "cli.jsonl").read_bytes() == made[3].read_bytes()


@pytest.mark.parametrize("name", ["labels.csv", "levels.jsonl"])
def test_what_was_written_reads_back_and_is_written_the_same(tmp_path: Path, name: str) -> None:
    first = LEVELS_WORK.write(
        work_of(CONFIGURATION, HEADER, [ITEM], Ada=ADA, Bo=BO), tmp_path / "1"
    )
    read = LEVELS_WORK.read(tmp_path / "1" / name, {"clock": ITEM}, CONFIGURATION)
    again = {person: {item: objects} for person, item, objects in read}
    if name == "labels.csv":  # a test has levels alone, without people's reasons
        assert again == {"Ada": ADA, "Bo": BO}
        second = LEVELS_WORK.write(work_of(CONFIGURATION, HEADER, [ITEM], **again), tmp_path / "2")
        assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert again["Bo"] == BO
    assert again["Ada"]["clock"]["q-2"] == ADA["clock"]["q-2"]


def test_labels_of_unknown_questions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "Cy.csv"
    path.write_text("id,level\nwhom,3\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"Cy.csv: the project has no question 'whom'; did you"):
        list(LEVELS_WORK.read(path, {"clock": ITEM}, CONFIGURATION))


def test_reasons_make_the_level() -> None:
    odd = _labels({"level": "2", "reasons": ["pronoun", "causal"]}, {})["clock"]
    [level] = LEVELS_WORK.check(ITEM, odd, CONFIGURATION)
    assert (level.object, level.as_json("en")["message"]) == (
        "q-1",
        "level 2, but causal, pronoun make level 4",
    )
    view = LEVELS_WORK.view(ITEM, CONFIGURATION).objects
    assert [f.code for f in LEVELS_WORK.check(ITEM, view, CONFIGURATION)] == ["missing", "missing"]


def test_practice_names_the_level_of_the_key() -> None:
    questions = (
        _question("who", "Who wound the clock in the tower?", "Nora Weil", 3),
        _question("what", "What did Nora Weil mend?", "clocks"),
    )
    record = Passage(id="clock", text=TEXT, questions=questions)
    [item] = LEVELS_WORK.divide([in_memory(HEADER, [record])], CONFIGURATION)
    assert not list(LEVELS_WORK.grade(item, ADA["clock"], CONFIGURATION))
    wrong = _labels({"level": "1"}, {"level": "4"})["clock"]
    [found] = LEVELS_WORK.grade(item, wrong, CONFIGURATION)
    assert (found.object, found.message) == ("q-1", "level: 1")
    assert found.as_json("en")["detail"].startswith("The key has 3.")


def test_answers_are_shown_only_where_the_project_says_so() -> None:
    assert "clocks" not in json.dumps(ITEM.paper["record"]["questions"])
    assert "answers" not in ITEM.paper
    text = (
        (PROJECTS / "levels.toml").read_text("utf-8").replace("answers = false", "answers = true")
    )
    configuration, work = read_project(text)
    [item] = work.divide([TEST], configuration)
    shown = work.view(item, configuration).objects
    assert [value["context"] for value in shown.values()] == ["→ Nora Weil", "→ clocks"]


def test_types_and_abilities_are_columns_too(tmp_path: Path) -> None:
    text = (PROJECTS / "levels.toml").read_text("utf-8").partition("[entry.label.fields.level]")[0]
    text += '[entry.label.fields.type]\nwidget = "choice"\nchoices = ["Who", "What-NP"]\n'
    text += '[entry.label.fields.ability]\nwidget = "choices"\nchoices = ["frame", "anaphora"]\n'
    configuration, work = read_project(text)
    objects = _labels({"type": "Who", "ability": ["frame", "anaphora"]}, {"type": "What-NP"})
    made = work.write(work_of(configuration, HEADER, [ITEM], Ada=objects), tmp_path)
    assert [path.name for path in made] == ["Ada.csv", "labels.csv"]
    [(_, _, again)] = work.read(made[0], {"clock": ITEM}, configuration)
    assert again["q-1"]["fields"] == {"type": "Who", "ability": ["anaphora", "frame"]}


def test_notes_and_tests_with_levels(tmp_path: Path) -> None:
    objects = {"clock": {**ADA["clock"], "note": {"type": "note", "value": "hard"}}}
    made = LEVELS_WORK.write(work_of(CONFIGURATION, HEADER, [ITEM], Ada=objects), tmp_path)
    [(_, _, again)] = LEVELS_WORK.read(made[0], {"clock": ITEM}, CONFIGURATION)
    assert again == objects["clock"]
    [record] = open_test(made[-1]).records()
    assert [question.key.level for question in record.questions] == [3, 1]
