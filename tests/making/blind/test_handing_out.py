"""What annotators get: sheets that spreadsheets leave alone, and a page that people can read."""

import csv
import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from readmark.core.fingerprint import text_id
from readmark.core.problems import ReportProblem
from readmark.core.records import Passage, Question
from readmark.core.test import Header, Placed, Test, in_memory
from readmark.making.blind.material import blind_answers, hand_out
from readmark.making.blind.plan import planned


def a_test(language: str = "en", count: int = 1) -> Test:
    records = [
        Passage(
            id=f"p{at}",
            title=f"Mill <{at}>",
            text=f"The mill & the\n\nriver {at} <script>",
            questions=(Question(id=f"q{at}", text="Who <b>?", options=("a & b", "c")),),
        )
        for at in range(count)
    ]
    return in_memory(Header(language=language, name="mills"), records)


class Page(HTMLParser):
    """The tags of a page and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.parametrize(("language", "heading"), [("en", "How to answer"), ("zh", "答题说明")])
def test_the_page_shows_texts_as_they_are(tmp_path: Path, language: str, heading: str) -> None:
    test = a_test(language, count=2)
    hand_out(test, planned(test, ["ann"], each=1), tmp_path / "out")
    page = Page((tmp_path / "out" / "ann.html").read_text(encoding="utf-8"))
    assert ("lang", language) in page.attributes
    for words in (heading, "Mill <1>", "& the\n\nriver 0 <script>", "q1", "Who <b>?", "a & b"):
        assert words in page.words
    assert "ann.answers.csv" in page.words
    # Nothing runs, and nothing is fetched.
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not {"src", "href"} & {name for name, _ in page.attributes}


def test_a_sheet_says_whose_it_is_and_what_was_read(tmp_path: Path) -> None:
    test = a_test()
    hand_out(test, planned(test, ["J. Smith"], each=1), tmp_path / "out")
    path = tmp_path / "out" / "J. Smith.answers.csv"
    [row] = csv.DictReader(path.open(encoding="utf-8-sig", newline=""))
    [record] = test.records()
    assert (row["annotator"], row["version"]) == ("J. Smith", f"v{text_id(record.text)}")


def test_the_test_is_read_once_for_everybody(tmp_path: Path) -> None:
    test = a_test(count=5)
    plan = planned(test, ["ann", "bo", "cy"], each=2)
    readings = 0

    def stream(report: ReportProblem) -> Iterator[Placed]:
        nonlocal readings
        readings += 1
        yield from test.stream(report)

    hand_out(Test(test.header, stream), plan, tmp_path / "out")
    assert readings == 1


def test_nobody_gets_a_sheet_without_a_question(tmp_path: Path) -> None:
    test = a_test()
    done = blind_answers(test, ["Ann", "Bo"], str(tmp_path / "out"), each=1)
    (busy,) = [name for name, ids in done.plan.passages.items() if ids]
    idle = ({"Ann", "Bo"} - {busy}).pop()
    assert {path.name.split(".")[0] for path in (tmp_path / "out").iterdir()} == {busy, "plan"}
    assert f"no sheet written, nothing to answer: {idle}" in done.closing


@pytest.mark.parametrize(
    ("chosen", "asked", "note"),
    [
        ((), {"p-train", "p-dev"}, "hidden, so not used for annotators: split test"),
        (("dev",), {"p-dev"}, ""),
        (("dev", "test"), {"p-dev", "p-test"}, ""),  # a hidden split by its name
        (("test",), {"p-test"}, ""),
    ],
)
def test_only_the_splits_that_are_named_are_handed_out(
    readmark_cli: Any, tmp_path: Path, chosen: tuple[str, ...], asked: set[str], note: str
) -> None:
    lines: list[dict[str, Any]] = [{"readmark": 1, "kind": "comprehension", "hidden": ["test"]}]
    for split in ("train", "dev", "test"):
        question = {"id": f"q-{split}", "text": "Who?", "key": {"answers": [{"text": "Ada"}]}}
        lines.append({"id": f"p-{split}", "text": "Ada.", "split": split, "questions": [question]})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "t.jsonl").write_text(text)
    flags = [flag for name in chosen for flag in ("--split", name)]
    args = ("set", "blind", "t.jsonl", "-o", "out", "--annotator", "eva", "--each", "1")
    done = readmark_cli(*args, *flags, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert note in done.stderr
    assert ("hidden" in done.stderr) is bool(note)
    plan = json.loads((tmp_path / "out/plan.json").read_text())
    assert set(plan["passages"]["eva"]) == asked
    done = readmark_cli(*args[:3], "-o", "other", *args[5:], "--split", "devel", cwd=tmp_path)
    assert (done.returncode, "has no split 'devel'" in done.stderr) == (2, True)
