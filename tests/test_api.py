"""The public API: every verb, what it takes and returns, and that commands print the same."""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import readmark
from made import asked, comprehension, passage
from readmark.cli.main import cli
from readmark.console.messages import in_options

TEST = comprehension(
    passage("p1", asked("a", "copper kettle", "kettle", level=1), asked("b", "coat", level=2)),
    passage("p2", asked("c", "seven boats", "boats", level=1)),
)
ANSWERS = {"a": "kettle", "b": "boat"}
"""One of three is right to the letter; kettle is a reference, and c has no answer."""
FEW = readmark.MarkSettings(draws=20, trials=20)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A test and two dictionaries of predictions, in the current folder."""
    readmark.save(TEST, tmp_path / "test.jsonl")
    for name, answers in {"old": ANSWERS, "new": {"a": "kettle", "b": "coat"}}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def document(*args: str, status: int = 0) -> Any:
    """What a command prints with ``--json``, in process."""
    done = CliRunner().invoke(cli, [*args, "--json"])
    assert done.exit_code == status, done.output
    return json.loads(done.stdout)


# The names.


def test_every_public_name_is_listed_and_there() -> None:
    verbs = "load save sit mark compare people report table score check convert stats ask"
    assert set(verbs.split()) <= set(readmark.__all__)
    assert dir(readmark) == sorted(readmark.__all__)
    for name in readmark.__all__:
        value = getattr(readmark, name)
        assert name == "__version__" or value.__name__ == name


@pytest.mark.process
def test_importing_the_package_loads_nothing_heavy() -> None:
    code = (
        "import readmark, sys; dir(readmark); print([m for m in ('numpy', 'rich', 'click', 'nltk', "
        "'msgspec', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# What sits.


def upper(unit: readmark.Unit) -> Any:
    return {"a": "kettle", "b": "boat"}[unit.id]


def as_answer(unit: readmark.Unit) -> Any:
    return readmark.Answer(text=upper(unit), score=0.5)


def as_mapping(unit: readmark.Unit) -> Any:
    return {"text": upper(unit), "evidence": {"why": "said"}}


def as_row(unit: readmark.Unit) -> Any:
    return readmark.Row(id="anything", answer=upper(unit))


@pytest.mark.parametrize("function", [upper, as_answer, as_mapping, as_row])
def test_a_function_sits_in_memory(function: Callable[[readmark.Unit], Any]) -> None:
    sitting = readmark.sit(TEST, function)
    assert isinstance(sitting, readmark.Sitting)
    assert sitting.candidate == function.__name__
    assert {id: sitting.of(id)[0].text for id in ("a", "b")} == ANSWERS
    assert sitting.of("c")[0].error == "KeyError: 'c'"
    assert sitting.notes == ("<memory>: 1 error: KeyError: 'c'",)
    marks = readmark.mark(TEST, sitting, metrics="em", settings=FEW)
    assert marks["em"].score == pytest.approx(100 / 3)
    assert (marks.candidate, list(marks.coverage.errors)) == (function.__name__, ["c"])


def test_none_is_no_answer_and_a_lambda_has_a_name() -> None:
    sitting = readmark.sit(TEST, lambda unit: None if unit.id == "c" else unit.record.text)
    assert sitting.candidate == "lambda"
    assert sorted(sitting) == ["a", "b"]


def test_a_number_is_a_rating() -> None:
    with as_file(files("readmark.bundle") / "readability.en.jsonl") as file:
        sitting = readmark.sit(str(file), lambda unit: 3, limit=2)
    assert len(sitting.rows) == 2
    assert {row.answer for id in sitting for row in sitting.of(id)} == {3.0}


class Parrot:
    """A candidate object: it repeats the question."""

    def prepare(self, kind: readmark.Kind, language: str) -> None:
        self.language = language

    def answer(self, units: Any) -> Any:
        for unit in units:
            yield readmark.Row(id=unit.id, answer=unit.item.text)

    def signature(self) -> dict[str, str]:
        return {"language": self.language}


def test_a_candidate_object_sits_in_memory_and_into_a_file(tmp_path: Path) -> None:
    sitting = readmark.sit(TEST, Parrot())
    assert sitting.candidate == "Parrot"
    assert sitting.header.signature["language"] == "en"
    done = readmark.sit(TEST, Parrot(), tmp_path / "s.jsonl")
    assert (done.progress.answered, done.candidate) == (3, "Parrot")
    assert readmark.sit(TEST, Parrot(), tmp_path / "s.jsonl").progress.before == 3
    assert readmark.mark(TEST, done, settings=FEW).candidate == "Parrot"


def test_a_transform_that_fails_is_named() -> None:
    class Failing:
        """Cannot prepare."""

        def prepare(self, test: Any, others: Any) -> None:
            raise KeyError("titles")

    with pytest.raises(readmark.ReadmarkError, match="transform Failing cannot be used: KeyError"):
        readmark.sit(TEST, "lead", transforms=[Failing()])


def test_a_name_sits_in_memory_as_into_a_file(tmp_path: Path) -> None:
    sitting = readmark.sit(TEST, "lead", limit=2)
    done = readmark.sit(TEST, "lead", tmp_path / "s.jsonl", limit=2)
    assert sorted(sitting) == ["a", "b"]
    for metric in ("em", "f1"):
        alone = readmark.mark(TEST, sitting, settings=FEW)[metric]
        assert readmark.mark(TEST, done, settings=FEW)[metric] == alone
    assert list(tmp_path.iterdir()) == [tmp_path / "s.jsonl"]


@pytest.mark.parametrize(
    ("candidate", "options", "said"),
    [
        (upper, {"workers": 2}, "`workers` needs a candidate's registered name"),
        (upper, {"unit_timeout": 1.0}, "`unit_timeout` needs"),
        (upper, {"engine": "ray"}, "`engine` needs a candidate's registered name"),
        (Parrot, {}, r"a candidate is an object, not its class: Parrot\(\)"),
        (7, {}, "a candidate is a name, a candidate object or a function, not int"),
        ("lead", {"repeats": 0}, "`repeats` 0 is less than 1"),
        ("led", {}, "did you mean lead"),
    ],
)
def test_what_cannot_sit(candidate: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(readmark.UsageError, match=said):
        readmark.sit(TEST, candidate, **options)


# What is marked.


class Column:
    """As much of a pandas Series as is used."""

    def __init__(self, values: dict[Any, Any]) -> None:
        self.values = values

    def dropna(self) -> "Column":
        return Column({id: one for id, one in self.values.items() if one is not None})

    def items(self) -> Any:
        return iter(self.values.items())


class Frame:
    """As much of a pandas DataFrame as is used."""

    def __init__(self, columns: dict[str, list[Any]], index: list[Any] | None = None) -> None:
        self.data = columns
        self.index = index or list(range(len(next(iter(columns.values())))))

    @property
    def columns(self) -> list[str]:
        return list(self.data)

    def set_index(self, name: str) -> "Frame":
        return Frame({one: self.data[one] for one in self.data if one != name}, self.data[name])

    def __getitem__(self, name: str) -> Column:
        return Column(dict(zip(self.index, self.data[name], strict=True)))


SAME = {
    "a dictionary": ANSWERS,
    "a series": Column({**ANSWERS, "c": None}),
    "a frame with ids": Frame({"id": ["a", "b"], "prediction_text": ["kettle", "boat"]}),
    "a frame with an index": Frame({"answer": ["kettle", "boat", None]}, ["a", "b", "c"]),
    "a frame with the kind's own column": Frame(
        {"text": ["kettle", "boat"], "answer": ["no", "no"]}, ["a", "b"]
    ),
}


@pytest.mark.parametrize("given", SAME.values(), ids=SAME)
def test_answers_in_any_shape_get_the_same_marks(given: Any) -> None:
    marks = readmark.mark(TEST, given, metrics=["em", "f1"], settings=FEW)
    assert marks["em"].score == pytest.approx(100 / 3)
    assert marks["f1"].score == pytest.approx(100 / 3)
    assert list(marks.coverage.unanswered) == ["c"]
    compared = readmark.compare(TEST, ANSWERS, given, settings=FEW)
    assert (compared[0].difference, compared[0].p) == (0, 1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Frame({"id": ["a"], "sent": ["x"]}), "no column of answers, such as text or prediction"),
        (7, "not int"),
        (None, "not NoneType"),
    ],
)
def test_what_is_no_sitting(given: Any, said: str) -> None:
    with pytest.raises(readmark.UsageError, match=said):
        readmark.mark(TEST, given)


def test_several_metrics_are_compared_each_with_its_own_adjustment() -> None:
    right = {"a": "copper kettle", "b": "coat", "c": "seven boats"}
    found = readmark.compare(TEST, ANSWERS, right, {}, metrics=["em", "f1"], settings=FEW)
    assert [(one.metric, one.b) for one in found] == [
        ("em", "answers (2)"),
        ("em", "answers (3)"),
        ("f1", "answers (2)"),
        ("f1", "answers (3)"),
    ]
    # em: 1 of 3 against 3 of 3 and 0 of 3
    differences = [round(one.difference or 0, 2) for one in found]
    assert differences == [66.67, -33.33, 66.67, -33.33]
    alone = readmark.compare(TEST, ANSWERS, right, {}, metrics="f1", settings=FEW)
    assert list(found)[2:] == list(alone)
    assert found.as_json()["metrics"] == ["em", "f1"]
    assert alone.as_json()["metrics"] == ["f1"]
    assert len(alone.as_json()["comparisons"]) == 2
    (single,) = readmark.compare(TEST, ANSWERS, right, settings=FEW).as_json()["comparisons"]
    assert single["b"] == "answers (2)"


# One answer.


@pytest.mark.parametrize(
    ("metric", "answer", "references", "language", "expected"),
    [
        ("em", "The Kettle", ["kettle"], None, 1.0),
        ("em", "a coat", ["kettle", "coat"], "en", 1.0),
        ("f1", "red kettle", ["kettle"], "en", 2 / 3),  # precision 1/2, recall 1
        ("f1", "北京市", ["北京"], "zh", 0.8),  # precision 2/3, recall 1
        ("f1", "北京市", "北京", None, 0.8),  # the language is detected; one text is one reference
        ("f1(profile=squad)", "", ["kettle"], "en", 0.0),
        ("precision", "cat dog", ["cat"], "en", 0.5),
        ("jaccard(u=1,b=0,t=0)", "a b c", ["a b d"], "en", 0.5),  # 2 of 4 words
        ("levenshtein", "abcd", ["abce"], "en", 0.75),
    ],
)
def test_score(
    metric: str, answer: str, references: Any, language: str | None, expected: float
) -> None:
    found = readmark.score(metric, answer, references, language=language)
    assert isinstance(found, float)
    assert found == pytest.approx(expected)
    assert found.as_json()["score"] == float(found)
    assert found.signature["metric"] == found.metric == found.as_json()["metric"]


def test_score_is_what_marking_gives_the_unit() -> None:
    marks = readmark.mark(TEST, {"a": "old copper kettle"}, metrics="f1", settings=FEW)
    scored = readmark.score("f1", "old copper kettle", ["copper kettle", "kettle"], language="en")
    assert marks.per_unit()["a"]["f1"] == pytest.approx(scored)


@pytest.mark.parametrize(
    ("metric", "references", "said"),
    [
        ("kendall", ["x"], "marks whole readability tests"),
        ("humsent", ["x"], "needs the question and passage"),
        ("f2", ["x"], "unknown metric"),
        ("f1", [], "`references` are empty"),
    ],
)
def test_what_cannot_be_scored(metric: str, references: list[str], said: str) -> None:
    with pytest.raises(readmark.UsageError, match=said):
        readmark.score(metric, "x", references)


def test_ask_takes_a_text_a_file_or_a_passage(tmp_path: Path) -> None:
    text = "Ann rowed over the lake. Her coat stayed behind."
    file = tmp_path / "lake.txt"
    file.write_text(text, encoding="utf-8")
    for given in (text, file, readmark.Passage(text=text)):
        found = readmark.ask(given, "Who rowed?", reader="lead")
        assert found.text == "Ann rowed over the lake."
        assert found.as_json() == {
            "question": "Who rowed?",
            "language": "en",
            "answers": [
                {
                    "reader": "lead",
                    "text": "Ann rowed over the lake.",
                    "start": 0,
                    "end": 24,
                    "sentence": "Ann rowed over the lake.",
                    "score": None,
                    "evidence": [0, 24],
                }
            ],
        }
    two = readmark.ask(text, "Who rowed?", reader=["lead", lambda unit: "Ann"])
    assert [one.text for one in two] == ["Ann rowed over the lake.", "Ann"]
    with pytest.raises(readmark.UsageError, match="the passage is empty"):
        readmark.ask("", "Who rowed?")
    with pytest.raises(readmark.ReadmarkError, match="upper: KeyError"):
        readmark.ask(text, "Who rowed?", reader=upper)


# Results.


def results(folder: Path) -> dict[str, Any]:
    sheet = folder / "m.jsonl"
    readmark.mark(TEST, ANSWERS, by="level", settings=FEW, marksheet=sheet)
    return {
        "mark": readmark.mark(TEST, ANSWERS, by="level", settings=FEW),
        "people": readmark.people(TEST, settings=FEW),
        "compare": readmark.compare(TEST, ANSWERS, {"b": "coat"}, settings=FEW),
        "table": readmark.table(sheet),
        "report": readmark.report(sheet, path=folder / "r.html"),
        "check": readmark.check(TEST),
        "stats": readmark.stats(TEST),
        "convert": readmark.convert(folder / "test.jsonl", folder / "t.json"),
        "sit": readmark.sit(TEST, "lead", folder / "s.jsonl"),
        "score": readmark.score("em", "a", ["a"]),
        "ask": readmark.ask("Ann rowed.", "Who?", reader="lead"),
    }


def test_results_show_themselves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = ModuleType("pandas")
    fake.DataFrame = list  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pandas", fake)
    for name, result in results(folder).items():
        assert json.loads(json.dumps(result.as_json(), allow_nan=False)), name
        assert str(result), name
        assert 0 < len(repr(result).splitlines()) <= 25, name
        html = result._repr_html_()
        assert html, name
        if name in ("mark", "people", "compare", "table"):
            assert html.count("<table") == html.count("</table>") >= 1
        rows = result.to_frame()
        assert all(isinstance(row, dict) for row in rows)
        assert len(rows) >= (0 if name == "check" else 1), name


def test_a_frame_of_marks_has_a_row_a_metric_and_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = readmark.mark(TEST, ANSWERS, metrics="em", by="level", settings=FEW)
    found = [(row["field"], row["value"], row["units"], row["score"]) for row in marks.table_rows()]
    assert found == [
        (None, None, 3, pytest.approx(100 / 3)),
        ("level", "1", 2, 50.0),
        ("level", "2", 1, 0.0),
    ]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(readmark.ReadmarkError, match="to_frame needs pandas: pip install pandas"):
        marks.to_frame()


def test_html_is_escaped() -> None:
    hostile = "<b>&</b>"
    sitting = readmark.Sitting(readmark.SittingHeader(candidate=hostile), {})
    shown = readmark.mark(TEST, sitting, settings=FEW)._repr_html_()
    assert hostile not in shown
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in shown


def test_a_report_of_a_test_and_sittings_is_that_of_their_marksheets(folder: Path) -> None:
    done = readmark.report("test.jsonl", "old.json", "new.json", path="direct.html")
    assert (done.tests, done.candidates, done.units) == (["made"], 2, 3)
    page = Path("direct.html").read_text(encoding="utf-8")
    assert all(name in page for name in ("old", "new"))
    with pytest.raises(readmark.UsageError, match="a test and at least one sitting"):
        readmark.report(TEST, path="x.html")


# Commands print what functions return.


def test_commands_print_the_same_documents(folder: Path) -> None:
    test = readmark.load("test.jsonl")
    marks = readmark.mark(test, "old.json", by=["level"], settings=readmark.MarkSettings(draws=20))
    assert document("mark", "test.jsonl", "old.json", "--by", "level", "--draws", "20") == (
        marks.as_json()
    )
    args = ("test.jsonl", "old.json", "new.json", "--draws", "20", "--trials", "20")
    compared = readmark.compare(test, "old.json", "new.json", metrics=["em"], settings=FEW)
    assert document("compare", *args, "-m", "em") == compared.as_json()
    both = readmark.compare(test, "old.json", "new.json", metrics=["em", "f1"], settings=FEW)
    assert document("compare", *args, "-m", "em", "-m", "f1") == both.as_json()
    people = readmark.people(test, settings=readmark.MarkSettings(draws=20))
    assert document("people", "test.jsonl", "--draws", "20") == people.as_json()
    assert document("check", "test.jsonl") == readmark.check("test.jsonl").as_json()
    assert document("stats", "test.jsonl") == json.loads(
        json.dumps(readmark.stats("test.jsonl").as_json())
    )
    assert document("convert", "test.jsonl", "one.json") == json.loads(
        json.dumps(readmark.convert("test.jsonl", "one.json").as_json())
    )
    readmark.mark(test, "old.json", marksheet="m.jsonl", settings=FEW)
    table = readmark.table("m.jsonl", by="level")
    assert document("table", "m.jsonl", "--by", "level") == table.as_json()
    score = readmark.score("f1", "北京市", ["北京"], language="zh")
    scored = document("score", "f1", "北京市", "北京", "--language", "zh")
    assert scored == {**score.as_json(), "language": "zh", "scores": [score.as_json()]}
    assert document("ask", "Ann rowed.", "Who?", "-r", "lead") == (
        readmark.ask("Ann rowed.", "Who?", reader="lead").as_json()
    )


# Errors.


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: readmark.compare(TEST, ANSWERS, ANSWERS, alpha=2), "alpha 2 is not between"),
        (lambda: readmark.Traffic(parallel=0), "`parallel` 0 is less than 1"),
        (lambda: readmark.save(TEST, "test.xyz"), "name the format with `format`"),
    ],
)
def test_errors_name_arguments(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(readmark.UsageError, match=said) as caught:
        call()
    assert "--" not in str(caught.value)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("`unit_timeout` 0 is", "--unit-timeout 0 is"),
        ("`questions` is for tests", "--with is for tests"),
        ("run `readmark.convert('a.brcc', 'a/')`", "run `readmark convert a.brcc a/`"),
        ("run `readmark.convert('my a.brcc', 'a/')`", "run `readmark convert 'my a.brcc' a/`"),
        ("run `readmark.convert(a, b)`", "run `readmark.convert(a, b)`"),
        ("name the format with `format`", "name the format with --to"),
        ("`readmark panel plan` hands it out", "`readmark panel plan` hands it out"),
    ],
)
def test_commands_name_options(message: str, said: str) -> None:
    assert in_options(message) == said
