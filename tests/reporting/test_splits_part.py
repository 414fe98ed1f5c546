"""CMRC 2018's Table 2 on the page: people first, then candidates by the test split."""

import re
from pathlib import Path

import readmark
from made import asked, comprehension, passage
from readmark.core.test import Test
from sheets import sheet, sitting

ANSWERS = {"d": ("kettle", "a kettle"), "t": ("coat", "the coat"), "c": ("boats", "some boats")}
RIGHT = {id: one for id, (one, _) in ANSWERS.items()}


def paper(*ids: str, split: bool = True, people: bool = True, **header: str) -> Test:
    """A question a passage, of the split that its id begins."""
    splits = {"d": "dev", "t": "test", "c": "challenge"}
    return comprehension(
        *(
            passage(
                f"passage-{id}",
                asked(
                    id,
                    *(zip(("ann", "ben"), ANSWERS[id], strict=True) if people else ANSWERS[id][:1]),
                ),
                split=splits[id] if split else None,
            )
            for id in ids
        ),
        **{"language": "en", **header},
    )


def tables(folder: Path, *files: Path) -> dict[int, list[list[str]]]:
    """The table of every section that has one, as texts; English only."""
    readmark.report(*files, path=folder / "report.html")
    page = (folder / "report.html").read_text("utf-8")
    page = re.sub(r'<span class="zh".*?</span>', "", page)
    found = {}
    for number, body in re.findall(
        r'<section class="part" id="test-(\d)-splits".*?<table>(.*?)</table>', page, re.S
    ):
        rows = re.findall(r"<tr.*?</tr>", body, re.S)
        cells = [re.findall(r"<t[hd].*?</t[hd]>", row, re.S) for row in rows]
        found[int(number)] = [
            [
                " ".join(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", one, flags=re.S).split())
                for one in row
            ]
            for row in cells
        ]
    return found


def test_people_come_first_then_the_best_on_the_test_split(tmp_path: Path) -> None:
    test = paper("d", "t", "c")
    poor = sheet(tmp_path, test, sitting("poor", {**RIGHT, "t": "a hat"}))
    good = sheet(tmp_path, test, sitting("good", {**RIGHT, "d": "a hat"}))
    (table,) = tables(tmp_path, poor, good).values()
    assert table[0][1:] == [
        f"{split} {metric}" for split in ("dev", "test", "challenge") for metric in ("EM", "F1")
    ]
    names = [re.sub(r"^\W+", "", row[0]) for row in table[1:]]
    assert names == ["people (leave-one-out)", "good", "poor"]
    assert table[2][1:5] == ["0.00", "0.00", "100.00", "100.00"]
    assert table[3][1:5] == ["100.00", "100.00", "0.00", "0.00"]


def test_tests_named_after_splits_are_one_table(tmp_path: Path) -> None:
    dev, test = (
        paper(id, split=False, people=False, name=name)
        for id, name in (("d", "dev"), ("t", "test"))
    )
    files = [
        sheet(tmp_path, dev, sitting("one", RIGHT), name="1"),
        sheet(tmp_path, test, sitting("one", RIGHT), name="2"),
        sheet(tmp_path, dev, sitting("two", RIGHT), name="3"),
    ]
    found = tables(tmp_path, *files)
    assert list(found) == [1]
    assert [row[1:] for row in found[1][1:]] == [
        ["100.00", "100.00", "100.00", "100.00"],
        ["100.00", "100.00", "–", "–"],
    ]


def test_other_tests_keep_to_themselves(tmp_path: Path) -> None:
    one = sheet(tmp_path, paper("d", "t", name="farms"), sitting("one", RIGHT), name="1")
    other = paper("t", "c", split=False, name="mills")
    two = sheet(tmp_path, other, sitting("one", RIGHT), name="2")
    assert list(tables(tmp_path, one, two)) == [1]
    third = sheet(tmp_path, paper("t", "c", name="ponds"), sitting("one", RIGHT), name="3")
    assert list(tables(tmp_path, one, third)) == [1, 2]


def test_parts_of_one_test_are_one_table(tmp_path: Path) -> None:
    files = [
        sheet(tmp_path, paper(id, name="farms"), sitting("one", RIGHT), name=id) for id in "dtc"
    ]
    found = tables(tmp_path, *files)
    assert list(found) == [1]
    assert len(found[1][0]) == 1 + 3 * 2


def test_tests_that_cannot_stand_in_one_column(tmp_path: Path) -> None:
    one = sheet(tmp_path, paper("d", "t", name="farms"), sitting("one", RIGHT), name="1")
    other = sheet(tmp_path, paper("t", "c", name="farms"), sitting("one", RIGHT), name="2")
    assert len(tables(tmp_path, one, other)) == 1
    changed = paper("t", "c", people=False, name="farms")
    third = sheet(tmp_path, changed, sitting("one", RIGHT), name="3")
    assert list(tables(tmp_path, one, third)) == [1, 2]


def test_one_split_is_no_table(tmp_path: Path) -> None:
    assert tables(tmp_path, sheet(tmp_path, paper("t"), sitting("one", RIGHT))) == {}
