"""The pass: what is kept, what is listed, and who had the last word."""

import json
from pathlib import Path
from typing import Any

import pytest

from installed import require
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Passage, Question
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test
from readmark.making.screening.report import Screening, quote_of
from readmark.making.screening.screen import screen

require("rjieba")

STORY = (
    "老桥的旁边有一家面馆，已经开了四十年。每天早上五点，老板就起来和面，六点钟第一批客人就到了。"
    "他们大多是住在附近的老人，吃完面以后还要在店里坐一会儿，说说昨天的新闻。"
)
OTHER = (
    "城南的小学旁边新修了一个公园，里面种了很多桂花树。到了秋天，整条街都能闻到香味。"
    "孩子们放学以后在草地上踢球，家长坐在长椅上等他们，天黑了才一起回家。"
)
CHEMISTRY = (
    "硫酸和盐酸与氢氧化钠反应，生成硫酸盐和氯化钠的溶液，再经过结晶和蒸馏，得到纯净的化合物。"
)
FOREIGN = "他写了三本书：Green Hills、The Long Road 和 Rain at Night，都很受欢迎。"
PASSAGES = {
    "story": STORY,
    "chemistry": CHEMISTRY,
    "other": OTHER,
    "copy": STORY.replace("四十年", "五十年"),
    "foreign": FOREIGN,
}


def run(
    tmp_path: Path, passages: dict[str, str], *decisions: dict[str, str], **options: Any
) -> tuple[Screening, dict[str, dict[str, Any]], list[str]]:
    records = [
        Passage(id=id, text=text, questions=(Question(id=f"{id}?", text="谁？"),))
        for id, text in passages.items()
    ]
    files: dict[str, Path] = {}
    for row in decisions:
        file = files.setdefault(row["person"], tmp_path / f"{row['person']}.jsonl")
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")
    done = screen(
        in_memory(Header(language="zh"), records),
        tmp_path / "out.jsonl",
        tmp_path / "report.jsonl",
        decisions=list(files.values()),
        **options,
    )
    lines = (tmp_path / "report.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines[1:]]
    retained = [json.loads(line) for line in (tmp_path / "out.jsonl").open()]
    ids = [record["id"] for record in retained if "id" in record]
    return done, {row["id"]: row for row in rows}, ids


def test_every_passage_has_a_line_and_the_kept_ones_go_on(tmp_path: Path) -> None:
    done, rows, ids = run(tmp_path, PASSAGES, discarded=tmp_path / "gone.jsonl")
    assert list(rows) == list(PASSAGES)
    assert ids == ["story", "other"]
    assert {id: row["reasons"] for id, row in rows.items()} == {
        "story": [],
        "chemistry": ["topic"],
        "other": [],
        "copy": ["near_duplicates"],
        "foreign": ["non_chinese"],
    }
    assert (done.passages, done.kept, done.discarded) == (5, 2, 3)
    assert (done.questions_kept, done.questions_discarded) == (2, 3)
    assert [item.id for item in open_test(tmp_path / "gone.jsonl").records()] == [
        "chemistry",
        "copy",
        "foreign",
    ]
    assert rows["copy"]["checks"]["near_duplicates"]["note"] == "of story"
    assert rows["copy"]["checks"]["near_duplicates"]["value"] >= 0.8
    assert rows["foreign"]["checks"]["near_duplicates"]["note"].startswith("not compared")
    assert rows["chemistry"]["quote"] == CHEMISTRY
    assert "quote" not in rows["story"]
    for row in rows.values():
        assert {"verdict", "by", "rules", "version", "people"} <= row.keys()
        assert all(
            {"value", "threshold", "verdict"} <= item.keys() for item in row["checks"].values()
        )


def test_what_is_kept_is_as_it_was(tmp_path: Path) -> None:
    run(tmp_path, PASSAGES)
    by_id = {record.id: record for record in open_test(tmp_path / "out.jsonl").records()}
    assert by_id["story"].text == STORY
    assert by_id["story"].questions[0].text == "谁？"


def test_people_go_before_the_rules_and_both_are_told(tmp_path: Path) -> None:
    decisions = [
        {"person": "ann", "id": "chemistry", "decision": "keep", "reason": "写得清楚"},
        {"person": "ann", "id": "story", "decision": "discard", "reason": "太短"},
        {"person": "bo", "id": "story", "decision": "discard"},
        {"person": "bo", "id": "other", "decision": "discard"},
        {"person": "ann", "id": "other", "decision": "keep"},
    ]
    done, rows, ids = run(tmp_path, PASSAGES, *decisions)
    # The story is gone, so that its copy is a copy of nothing that is kept.
    assert ids == ["chemistry", "other", "copy"]
    assert (rows["chemistry"]["by"], rows["chemistry"]["rules"]) == ("people", "discard")
    assert rows["story"]["reasons"] == ["ann: 太短", "bo: discard"]
    assert (rows["other"]["by"], rows["other"]["verdict"]) == ("tie", "keep")
    assert done.undecided == ["other"]
    assert done.overruled == 2
    assert done.people == {"ann": {"keep": 2, "discard": 1}, "bo": {"keep": 0, "discard": 2}}
    assert [(pair.a, pair.b, pair.passages) for pair in done.agreement] == [
        ("rules", "people", 2),
        ("rules", "ann", 3),
        ("rules", "bo", 2),
        ("ann", "bo", 2),
    ]
    assert done.agreement[0].percent == 0


def test_a_person_may_keep_a_copy(tmp_path: Path) -> None:
    done, rows, ids = run(tmp_path, PASSAGES, {"person": "ann", "id": "copy", "decision": "keep"})
    assert "copy" in ids
    assert rows["copy"]["checks"]["near_duplicates"]["verdict"] == "discard"
    assert rows["copy"]["rules"] == "discard"
    assert done.overruled == 1


def test_the_rules_verdict_does_not_hang_on_people(tmp_path: Path) -> None:
    """A person who does exactly what the rules do agrees with them, copies and all."""
    _, alone, ids = run(tmp_path, PASSAGES)
    decisions = [
        {"person": "ann", "id": id, "decision": row["verdict"]} for id, row in alone.items()
    ]
    done, rows, same = run(tmp_path, PASSAGES, *decisions)
    assert {id: row["rules"] for id, row in rows.items()} == {
        id: row["rules"] for id, row in alone.items()
    }
    assert same == ids
    assert rows["copy"]["checks"]["near_duplicates"]["note"] == "of story"
    assert done.overruled == 0
    assert (done.agreement[0].percent, done.agreement[0].kappa) == (100, 1)


def test_a_copy_of_what_people_discard_is_none(tmp_path: Path) -> None:
    decision = {"person": "ann", "id": "story", "decision": "discard"}
    done, rows, _ = run(tmp_path, PASSAGES, decision)
    copy = rows["copy"]
    assert (copy["verdict"], copy["by"], copy["rules"]) == ("keep", "people", "discard")
    assert copy["reasons"] == ["near_duplicates of story, which is discarded"]
    assert rows["story"]["rules"] == "keep"
    assert done.checks["near_duplicates"].discarded == 1  # what the rules would do


def test_a_copy_of_what_people_keep_is_one(tmp_path: Path) -> None:
    """One letter more than 30% against just 30%."""
    letters = len(STORY) * 3 // 7
    texts = {"over": STORY + "x" * (letters + 1), "under": STORY + "x" * letters}
    _, rows, ids = run(tmp_path, texts)
    assert ids == ["under"]
    _, rows, ids = run(tmp_path, texts, {"person": "ann", "id": "over", "decision": "keep"})
    assert ids == ["over"]
    copy = rows["under"]
    assert (copy["verdict"], copy["by"], copy["rules"]) == ("discard", "people", "keep")
    assert copy["reasons"] == ["near_duplicates"]
    assert copy["checks"]["near_duplicates"]["note"] == "of over"


def test_the_header_tells_of_the_screening(tmp_path: Path) -> None:
    decision = {"person": "ann", "id": "chemistry", "decision": "keep"}
    run(tmp_path, PASSAGES, decision, discarded=tmp_path / "gone.jsonl")
    retained = open_test(tmp_path / "out.jsonl")
    field = retained.header.fields["screening"]
    assert (field["part"], field["passages"], field["kept"], field["discarded"]) == (
        "kept",
        5,
        3,
        2,
    )
    assert field["config"]["topic"] == {"most": 0.055, "words": 4}
    assert (field["people"], field["undecided"]) == ({"ann": {"keep": 1, "discard": 0}}, 0)
    assert open_test(tmp_path / "gone.jsonl").header.fields["screening"]["part"] == "discarded"
    again = screen(retained, tmp_path / "again.jsonl", tmp_path / "again.report.jsonl")
    assert again.passages == 3
    after = open_test(tmp_path / "again.jsonl").header.fields["screening"]
    assert (after["passages"], after["before"]) == (3, field)
    assert "people" not in after


def test_without_its_report_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "report.jsonl").mkdir()
    with pytest.raises(DataError, match=r"report\.jsonl: is a directory"):
        run(tmp_path, PASSAGES, discarded=tmp_path / "gone.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["report.jsonl"]


def test_other_formats_and_what_they_lose(tmp_path: Path) -> None:
    done = screen(
        in_memory(Header(language="zh"), [Passage(id="a", text=STORY)]),
        tmp_path / "out.json",
        tmp_path / "report.jsonl",
        format="squad",
    )
    assert json.loads((tmp_path / "out.json").read_text("utf-8"))["data"]
    assert len(done.lost) == 1
    assert "out.json: squad: the header's (language) cannot be stored" in done.lost[0]


def test_equal_copies_all_go(tmp_path: Path) -> None:
    near = STORY.replace("四十年", "五十年")
    _, rows, ids = run(tmp_path, {"z": STORY, "a": near, "b": near, "c": near})
    assert ids == ["z"]
    assert [rows[id]["checks"]["near_duplicates"]["note"] for id in "abc"] == ["of z"] * 3


def test_a_copy_of_a_copy_is_measured_by_what_is_kept(tmp_path: Path) -> None:
    steps = [STORY]
    for at in range(4):
        steps.append(steps[-1].replace(STORY[at * 16 : at * 16 + 2], "某某"))
    _, rows, ids = run(tmp_path, {str(at): text for at, text in enumerate(steps)})
    for row in rows.values():
        if "near_duplicates" in row["reasons"]:
            assert row["checks"]["near_duplicates"]["note"].removeprefix("of ") in ids


@pytest.mark.slow
def test_several_workers_write_the_same_bytes(tmp_path: Path) -> None:
    many = {f"{id}{at}": f"第{at}回。{text}" for at in range(40) for id, text in PASSAGES.items()}
    decisions = [
        {"person": person, "id": id, "decision": decision, "reason": "一\t二"}
        for person, decision, every in (("ann", "keep", 7), ("bo", "discard", 11))
        for id in list(many)[::every]
    ]
    written = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        names = {name: folder / f"{name}.jsonl" for name in ("discarded", "form")}
        done, *_ = run(folder, many, *decisions, workers=workers, **names)
        paths = ("output", "report", "discarded_file", "form")
        figures = {name: value for name, value in done.as_json().items() if name not in paths}
        files = (folder / "out.jsonl", folder / "report.jsonl", *names.values())
        written.append((figures, [file.read_bytes() for file in files]))
    assert written[0] == written[1]


@pytest.mark.parametrize("compared", [True, False])
def test_a_line_is_the_same_whether_people_are_heard_or_not(tmp_path: Path, compared: bool) -> None:
    """Lines are made before people are heard; who says what the rules say changes no finding."""
    config = tmp_path / "off.toml"
    config.write_text("" if compared else "[zh.near_duplicates]\non = false\n")
    _, alone, _ = run(tmp_path, PASSAGES, profile=config)
    decisions = [
        {"person": "ann", "id": id, "decision": row["verdict"]} for id, row in alone.items()
    ]
    _, heard, _ = run(tmp_path, PASSAGES, *decisions, profile=config)
    for id, row in alone.items():
        bare = {name: row[name] for name in row if name not in ("by", "reasons", "people")}
        assert {name: heard[id][name] for name in bare} == bare


def test_what_people_keep_is_told_without_a_remark_and_a_quote(tmp_path: Path) -> None:
    decisions = [
        {"person": "ann", "id": "chemistry", "decision": "keep"},
        {"person": "ann", "id": "other", "decision": "discard"},
    ]
    _, rows, _ = run(tmp_path, PASSAGES, *decisions)
    assert rows["chemistry"]["checks"]["near_duplicates"].keys() == {
        "value",
        "threshold",
        "verdict",
    }
    assert "quote" not in rows["chemistry"]
    assert rows["other"]["quote"] == quote_of(OTHER)


def test_a_decision_on_an_unknown_passage_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no passage 'nobody'"):
        run(tmp_path, PASSAGES, {"person": "ann", "id": "nobody", "decision": "keep"})
    assert not (tmp_path / "out.jsonl").exists()
    assert not (tmp_path / "report.jsonl").exists()


def test_only_passages_are_screened(tmp_path: Path) -> None:
    series = in_memory(Header(kind="series", language="en"), [])
    with pytest.raises(UsageError, match="expected comprehension"):
        screen(series, tmp_path / "o.jsonl", tmp_path / "r")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("一行", "一行"), ("\n  二\n三", "二"), ("", ""), ("字" * 70, "字" * 59 + "…")],
)
def test_the_quote(text: str, expected: str) -> None:
    assert quote_of(text) == expected


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        ("cmrc", ["story", "other", "copy"]),
        ("smart", ["story", "other", "copy", "old", "signs"]),
    ],
)
def test_a_profile_applies_the_rules_of_its_document_only(
    tmp_path: Path, profile: str, expected: list[str]
) -> None:
    old = "国破山河在，城春草木深。感时花溅泪，恨别鸟惊心。烽火连三月，家书抵万金。"
    signs = STORY.replace("，", "★→◆")
    done, rows, _ = run(tmp_path, PASSAGES | {"old": old, "signs": signs}, profile=profile)
    assert [id for id, row in rows.items() if row["verdict"] == "keep"] == expected
    header = open_test(tmp_path / "out.jsonl").header
    assert header.fields["screening"]["profile"] == profile
    assert "near_duplicates" not in done.checks
