"""Every part of the page, for every kind of test, where there is little or nothing to show."""

import dataclasses
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import readmark
from panel_files import write_lines
from readmark.core.errors import DataError, ReadmarkError
from readmark.core.kinds import KINDS
from readmark.core.registry import Entry
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader
from readmark.marking import Marksheet
from readmark.marking.settings import MarkSettings
from readmark.reporting.page import page as html
from readmark.reporting.page.sections import Section, sections_of
from readmark.reporting.split_tables import split_tables

FEW = MarkSettings(draws=20, trials=20)
TEXT = "Ida met Lund at the mill. Lund met Vale. Ida left home at ten."


@dataclass(frozen=True)
class Example:
    """A kind's records and answers, made to order."""

    right: Any
    wrong: Any
    metrics: tuple[str, ...] = ()
    """The metrics to mark, where there are more than it takes to fill the page."""

    def record(self, kind: str, number: int, *, people: bool, options: bool) -> dict[str, Any]:
        """A record with one unit."""
        shared = {"id": f"r{number}", "fields": {"level": number % 2}}
        split = {"split": ("dev", "test")[number % 2]}
        id, names = f"u{number}", ["ann", "ben"] if people else ["ann"]
        said = [{"text": self.right, "annotator": name} for name in names]
        match kind:
            case "comprehension":
                question = {"id": id, "text": "Who?", "key": {"answers": said}}
                question |= {"options": ["Lund", "Vale", "Ida"]} if options else {}
                return {**shared, **split, "text": TEXT, "questions": [question]}
            case "series":
                question = {"id": id, "text": "Who met", "key": {"rewrites": said}}
                return {**shared, **split, "target": "Lund", "questions": [question]}
            case "readability":
                ratings = [{"rating": 4 - number % 2, "annotator": name} for name in names]
                return {**shared, **split, "id": id, "text": TEXT, "key": {"ratings": ratings}}
            case "task":
                key = {"solutions": [{"values": self.right[0], **self._grounds(number)}]}
                query = {"id": id, "graph": "((Ida met ?B))", "key": key}
                return {**shared, "text": TEXT, "queries": [query]}
        raise AssertionError(f"no records of kind {kind}")

    @staticmethod
    def _grounds(number: int) -> dict[str, Any]:
        excerpt = {"document": f"r{number}", "start": 0, "end": 3, "quote": "Ida"}
        return {"derivation": "met\n  stated", "excerpts": [excerpt], "inferred": bool(number % 2)}


EXAMPLES = {
    "comprehension": Example("Lund", "Vale"),
    "series": Example("Who met Lund", "Lund", ("jaccard", "exact")),
    "readability": Example(4.0, 1.0),
    "task": Example([{"B": "Lund"}], [{"B": "Vale"}]),
}


def test_every_kind_has_its_example() -> None:
    assert set(EXAMPLES) == set(KINDS)


@dataclass(frozen=True)
class Case:
    """How many units there are, who wrote the key, and how they are answered."""

    units: int = 2
    people: bool = True
    """Whether the key is several people's, and a panel sat."""
    answers: str = "right"
    more: bool = False
    """Whether rows have scores, costs, orders of options and repeats."""
    sentences: bool = False
    """Whether the keys are answer sentences alone."""
    options: bool = False
    """Whether questions have options to choose from."""


CASES = {
    "no units": Case(0),
    "one unit": Case(1),
    "one unit, no people": Case(1, people=False),
    "two units": Case(2),
    "no people": Case(3, people=False),
    "one value": Case(4, answers="right", more=True, people=False),
    "all wrong": Case(3, answers="wrong"),
    "all wrong, nobody else": Case(3, answers="wrong", people=False),
    "all unanswered": Case(3, answers="none"),
    "all failed": Case(3, answers="error", more=True),
    "keys of sentences": Case(3, sentences=True, people=False),
    "keys of sentences, unanswered": Case(3, sentences=True, people=False, answers="none"),
    "everything": Case(6, answers="mixed", more=True),
    "everything, to choose from": Case(4, answers="mixed", more=True, options=True),
}


BARE = ("no units", "one unit", "keys of sentences", "all unanswered")
"""The cases with least to show, which are tried first."""


def sitting(example: Example, case: Case, name: str, answers: str) -> Sitting:
    """What somebody answered to every unit."""
    rows: Rows = {}
    again = case.more and name == "own"
    for number in range(max(case.units, 1)):
        own = {"mixed": "right" if number % 3 else "wrong"}.get(answers, answers)
        if own == "none":
            continue
        id = f"u{number}"
        said: dict[str, Any] = {"answer": example.right if own == "right" else example.wrong}
        if own == "error":
            said = {"error": "timed out"}
        elif again:
            said |= {"score": 0.5 if answers == "right" else number / 8, "order": (1, 0, 2)}
        usage = {"usage": {"input": 3, "output": 1, "cost": 0.5}} if again else {}
        row = Row(id=id, **said, **usage)
        other = Row(id=id, answer=example.wrong, repeat=1, score=0.5)
        rows[id] = (row, other) if again else row
    return Sitting(SittingHeader(candidate=name, repeats=2 if again else 1), rows)


def section_of(folder: Path, kind: str, case: Case) -> Section:
    """A section of two candidates; without units, what is left when they are taken out."""
    example = EXAMPLES[kind]
    records = [
        example.record(kind, at, people=case.people, options=case.options)
        for at in range(max(case.units, 1))
    ]
    if case.sentences:
        for record in records:
            record["questions"][0]["key"] = {"sentences": [[0, 25]]}
    header = {"readmark": 1, "kind": kind, "name": "a test", "language": "en"}
    write_lines(folder / "test.jsonl", [header, *records])
    test = readmark.load(folder / "test.jsonl")
    panel = [sitting(example, case, name, "mixed") for name in ("dee", "eli")]
    panel = panel if case.people and case.answers != "right" else []
    files = []
    for name, answers in (("own", case.answers), ("other", "right")):
        files.append(folder / f"{name}.marks.jsonl")
        sat = sitting(example, case, name, answers)
        more = {"people": panel, "metrics": example.metrics, "marksheet": files[-1]}
        readmark.mark(test, sat, settings=FEW, by=["level"], **more)
    if case.people and test.kind.people_from_key and test.facts.several:
        files.append(folder / "people.marks.jsonl")
        readmark.people(test, metrics=example.metrics, settings=FEW, marksheet=files[-1])
    sheets = [Marksheet.read(str(file)) for file in files]
    [section] = sections_of(sheets)
    return section if case.units else emptied(section)


def emptied(section: Section) -> Section:
    """The section as if nobody had been asked anything."""
    sheets = [
        dataclasses.replace(
            sheet, units=[], records={}, recorded=type(sheet.recorded)(sheet.recorded.marks)
        )
        for sheet in section.sheets
    ]
    [bare] = sections_of(sheets)
    candidates = [
        dataclasses.replace(candidate, sheet=sheet)
        for candidate, sheet in zip(section.candidates, sheets, strict=False)
    ]
    return dataclasses.replace(bare, candidates=candidates, people=[])


def shown_parts(section: Section) -> list[str]:
    """The parts on the page."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = html.page(
            [section], language=None, title=None, output="x.html", tables=split_tables([section])
        )
    assert "nan" not in re.sub(r"<script.*?</script>", "", made, flags=re.S).lower().split()
    return re.findall(r'<section class="part" id="test-1-(\w+)"', made)


def applies(kind: str, case: Case) -> bool:
    return kind == "comprehension" or not (case.sentences or case.options)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        pytest.param(kind, name, marks=[] if name in BARE else [pytest.mark.slow])
        for kind in KINDS
        for name, case in CASES.items()
        if applies(kind, case)
    ],
)
def test_a_page_is_written_whatever_there_is_to_show(tmp_path: Path, kind: str, name: str) -> None:
    section = section_of(tmp_path, kind, CASES[name])
    found = shown_parts(section)
    assert found == [part for part in html.SECTIONS if part in found]
    assert "marks" in found
    if name in ("no units", "keys of sentences"):
        assert "errors" not in found


def test_every_part_has_an_example(tmp_path: Path) -> None:
    """A new part needs an example above, or the tests of little to show do not reach it."""
    found = set()
    for kind in KINDS:
        for name in ("everything", "everything, to choose from"):
            if applies(kind, CASES[name]):
                folder = tmp_path / f"{kind} {name}"
                folder.mkdir()
                section = section_of(folder, kind, CASES[name])
                table = split_tables([section]).get(section.number)
                shown = html.SectionData.of(section, table)
                found |= {part for part, make in html.SECTIONS.working() if make(shown) is not None}
    assert found == set(html.SECTIONS)


def test_a_marksheet_without_units_is_one_line(tmp_path: Path) -> None:
    section_of(tmp_path, "comprehension", CASES["one unit"])
    file = tmp_path / "own.marks.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text(lines[0] + lines[-1])
    with pytest.raises(DataError, match=r"own\.marks\.jsonl: the marksheet has no units"):
        Marksheet.read(str(file))


def test_a_plug_in_section_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {**html.SECTIONS.builtin, "odd": Entry("odd:section", package="elsewhere")}
    monkeypatch.setattr(html.SECTIONS, "entries", entries)

    def odd(shown: Any) -> None:
        raise KeyError("scores")

    line = "report section odd of package elsewhere failed: KeyError: 'scores'"
    with pytest.raises(ReadmarkError, match=line):
        html._part("odd", odd, None)  # type: ignore[arg-type]
