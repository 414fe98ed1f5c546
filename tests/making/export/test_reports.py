"""The reports that are attached: what they say in short, and which are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.core.fingerprint import text_id
from readmark.core.records import Passage
from readmark.core.test import Header, Test, in_memory
from readmark.making.export.report_coverage import ReportCoverage
from readmark.making.export.reports import read_reports

TEXTS = {"a": "甲段。", "b": "乙段。", "c": "丙段。"}


@pytest.fixture
def test() -> Test:
    return in_memory(Header(), [Passage(id=id, text=text) for id, text in TEXTS.items()])


def row(id: str, verdict: str = "keep", *reasons: str, **others: Any) -> dict[str, Any]:
    version = text_id(TEXTS.get(id, "别的。"))
    return {
        "id": id,
        "version": version,
        "verdict": verdict,
        "by": "rules",
        "reasons": reasons,
        "rules": verdict,
        "checks": {},
        "people": [],
        **others,
    }


def screening(path: Path, *rows: dict[str, Any]) -> Path:
    discarded = sum(line["verdict"] == "discard" for line in rows)
    header = {
        "readmark": 1,
        "file": "screening",
        "source": "三段",
        "passages": len(rows),
        "kept": len(rows) - discarded,
        "discarded": discarded,
    }
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *rows)), encoding="utf-8")
    return path


def test_screening_in_short(test: Test, tmp_path: Path) -> None:
    path = screening(
        tmp_path / "s.jsonl",
        row("a"),
        row("b", "discard", "symbols"),
        row("x", "discard", "symbols", "terms"),
    )
    reports = read_reports(test, screening=path)
    assert reports.screening == path.read_bytes()
    assert reports.screened is not None
    assert (reports.screened.passages, reports.screened.kept, reports.screened.discarded) == (
        3,
        1,
        2,
    )
    assert reports.screened.reasons == {"symbols": 2, "terms": 1}
    assert reports.screened.unscreened == 1  # c
    assert reports.screened.against == ("b",)


def test_a_screening_of_another_text_is_refused(test: Test, tmp_path: Path) -> None:
    path = screening(tmp_path / "s.jsonl", row("a"), row("b", version="0123456789ab"))
    with pytest.raises(DataError, match=r"s\.jsonl:b: screened another text .* 0123456789ab"):
        read_reports(test, screening=path)


@pytest.mark.parametrize("text", ["", "no JSON\n", "[]\n", '{"readmark": 1, "kind": "series"}\n'])
def test_what_is_no_screening(test: Test, tmp_path: Path, text: str) -> None:
    (tmp_path / "s.jsonl").write_text(text)
    with pytest.raises(DataError, match=r"is not a screening report"):
        read_reports(test, screening=tmp_path / "s.jsonl")


def test_agreement_in_short(test: Test, tmp_path: Path) -> None:
    figure = {"value": 0.5, "low": 0.25, "high": 0.75}
    comparison = {
        "unit": "question",
        "units": 8,
        "annotators": ["甲", "乙"],
        "disagreed": ["a", "q7"],
        "figures": {"percent": figure},
    }
    (tmp_path / "a.json").write_text(json.dumps({"what": {"answers": comparison}}))
    reports = read_reports(test, agreement=tmp_path / "a.json")
    [agreed] = reports.agreed
    assert (agreed.what, agreed.units, agreed.annotators) == ("answers", 8, 2)
    assert agreed.figures == {"percent": figure}
    assert reports.reach == ReportCoverage("published", units=2, hidden=0, strange=1)


def test_agreement_that_gives_hidden_labels_away(tmp_path: Path) -> None:
    records = [Passage(id=id, text=text, split=id) for id, text in TEXTS.items()]
    test = in_memory(Header(), records)
    comparison = {
        "unit": "passage",
        "units": 2,
        "annotators": [],
        "disagreed": ["b"],
        "figures": {},
    }
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"what": {"level": comparison}}))
    with pytest.raises(
        UsageError, match=r"reveals their labels \(it names b\): .* --agreement-covers-hidden"
    ):
        read_reports(test, agreement=path, hidden=("b",))
    reports = read_reports(test, agreement=path, hidden=("b",), covers_hidden=True)
    assert reports.reach is not None
    assert (reports.reach.covers, reports.reach.hidden) == ("hidden", 1)
    reports = read_reports(test, agreement=path, hidden=("c",))
    assert reports.reach is not None
    assert reports.reach.covers == "unknown"


@pytest.mark.parametrize("text", ["[]", "{}", '{"what": []}', '{"what": {"level": {"units": 3}}}'])
def test_what_is_no_agreement(test: Test, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(DataError, match=r"a\.json: is not an agreement report"):
        read_reports(test, agreement=tmp_path / "a.json")
