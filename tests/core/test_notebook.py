"""Results in a notebook: shown once, as tables that follow its theme, and silent as text."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from rich.padding import Padding
from rich.text import Text

import readmark
from kernels import outputs_of
from readmark.core.display import plain_table
from readmark.core.notebook import html_console

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
SHOWN = {
    "test": "test",
    "marks": "marks",
    "comparisons": "readmark.compare(test, 'small.json', 'large.json')",
    "people": "readmark.people(test)",
    "standings": "readmark.table(marks)",
    "statistics": "readmark.stats(test)",
    "findings": "readmark.check(test)",
    "sitting": "readmark.sit(test, 'longest_overlap')",
    "sat": "readmark.sit(test, 'longest_overlap', tmp + '/s.jsonl')",
    "plan": "readmark.plan(test, 'longest_overlap')",
    "score": "readmark.score('f1', '北京市', ['北京'], language='zh')",
    "answer": "readmark.ask('小船在岛边。', '小船在哪里？', reader='longest_overlap')",
    "report": "readmark.report(test, 'small.json', path=tmp + '/r.html')",
    "conversion": "readmark.convert('reading.jsonl', tmp + '/c.json')",
    "picture": "marks.plot()",
}
TABLES = ("marks", "comparisons", "people", "standings", "statistics")


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[dict[str, object]]]:
    """What a kernel shows of each result, and then of each as a text."""
    folder = tmp_path_factory.mktemp("notebook")
    first = (
        f"import readmark\ntmp = {str(folder)!r}\ntest = readmark.load('reading.jsonl')\n"
        "marks = readmark.mark(test, 'small.json', by='level')"
    )
    texts = [
        f"assert f'{{{name}}}' and '\\x1b' not in str({name}); {name}.as_text()[:0]"
        for name in ("marks", "people", "statistics", "standings", "comparisons")
    ]
    code = [f"{name} = {source}\n{name}" for name, source in SHOWN.items()]
    code += ["print(marks)"]
    outputs = outputs_of([first, *code, *texts], EXAMPLES)
    names = ["first", *SHOWN, "print", *(f"text of {index}" for index in range(len(texts)))]
    return dict(zip(names, outputs, strict=True))


@pytest.mark.process
@pytest.mark.parametrize("name", SHOWN)
def test_a_result_is_shown_once(cells: Mapping[str, list[dict]], name: str) -> None:
    [output] = cells[name]
    assert output["output_type"] == "execute_result"
    text = output["data"]["text/plain"]
    assert text
    assert "\x1b" not in text
    if name in TABLES:
        assert output["data"]["text/html"].count("<table") >= 1


@pytest.mark.process
def test_a_text_of_a_result_displays_nothing(cells: Mapping[str, list[dict]]) -> None:
    for name, outputs in cells.items():
        if name.startswith("text of"):
            [output] = outputs
            assert output["data"] == {"text/plain": "''"}
    [printed] = cells["print"]
    assert printed["output_type"] == "stream"
    assert printed["text"].startswith("small on six-passages: 15 units")
    assert "level   units" in printed["text"]
    assert "\x1b" not in printed["text"]


@pytest.mark.process
def test_what_holds_much_names_itself_in_a_line(cells: Mapping[str, list[dict]]) -> None:
    large = ("test", "statistics", "sitting")
    assert {name: cells[name][0]["data"]["text/plain"] for name in large} == {
        "test": "<Test six-passages: comprehension, zh, 6 passages, 15 questions>",
        "statistics": "<Statistics of six-passages, 6 passages, 15 questions>",
        "sitting": "<Sitting of longest_overlap: 15 units answered or tried>",
    }


def test_a_test_is_not_read_for_its_name() -> None:
    test = readmark.load(EXAMPLES / "reading.jsonl")
    assert repr(test) == "<Test six-passages: comprehension, zh>"
    assert test.facts.units == 15
    assert repr(test) == "<Test six-passages: comprehension, zh, 6 passages, 15 questions>"


@pytest.mark.process
def test_a_picture_is_an_svg(cells: Mapping[str, list[dict]]) -> None:
    assert "<svg" in cells["picture"][0]["data"]["image/svg+xml"]


def test_tables_and_lines_inherit_the_colours_of_the_page() -> None:
    console = html_console()
    table = plain_table("name", "f1 & <em>")
    table.add_row("甲 <b>", "80.00\n70.00–90.00")
    console.print(table)
    console.print(Text.assemble("plain ", ("bold", "bold"), (" dim", "dim")))
    console.print("signature", style="dim")
    console.print(Padding(Text("indented & escaped"), (0, 0, 0, 2)))
    console.print()
    written = console.text
    assert not re.search(r"#[0-9a-f]{3}|\brgb\b|black|white(?!-space)|<style", written)
    assert "f1 &amp; &lt;em&gt;</th>" in written
    assert "甲 &lt;b&gt;</td>" in written
    assert '80.00<br><span style="opacity:.7;font-size:90%">70.00–90.00</span></td>' in written
    assert '<span style="font-weight:600">bold</span>' in written
    assert '<span style="opacity:.7"> dim</span>' in written
    assert ">signature</p>" in written
    assert ">indented &amp; escaped</p>" in written
    assert written.count("<p ") == 3
