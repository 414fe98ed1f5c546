"""Cleaning of extracted text: rule by rule, counted; and what is left alone."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.cleaning import RULES, clean


@pytest.mark.parametrize(
    ("text", "expected", "rules"),
    [
        ("河在山下。", "河在山下。", {}),
        ("小河（）在山下。", "小河在山下。", {"empty_brackets": 1}),
        ("小河（， ；）在山下（）。", "小河在山下。", {"empty_brackets": 2}),
        ("The mill ( ) stood.", "The mill stood.", {"empty_brackets": 1}),
        ("The mill (, ;) stood.", "The mill stood.", {"empty_brackets": 1}),
        ("小河（，又称清水）在山下。", "小河（又称清水）在山下。", {"bracket_edge": 1}),
        ("小河（清水，；）在山下。", "小河（清水）在山下。", {"bracket_edge": 1}),
        ("The mill (; old, ) stood.", "The mill (old) stood.", {"bracket_edge": 2}),
        ("第一段。<br>\n</div>\n第二段。", "第一段。\n第二段。", {"tag": 2, "blank": 1}),
        ("甲在这里。<br>乙在那里。", "甲在这里。\n乙在那里。", {"tag": 1}),
        ("One ends.<br />Two begins.", "One ends.\nTwo begins.", {"tag": 1}),
        ("One ends.</p><p>Two <b>be</b>gins.", "One ends.\nTwo begins.", {"tag": 4, "blank": 1}),
        ("一。\u2028二。\u2029三。\x0b四。\x0c五。", "一。\n二。\n三。\n四。\n五。", {"break": 4}),
        ("The &lt;p&gt; element", "The <p> element", {"entity": 2}),
        ("Call malloc() and free().", "Call malloc() and free().", {}),
        ("Call f(x,) or g(x, ) now.", "Call f(x,) or g(x, ) now.", {}),
        ("A wink (;-) is one.", "A wink (;-) is one.", {}),
        ("系统Linux（）很老。", "系统Linux很老。", {"empty_brackets": 1}),
        ("3 &lt; 4 &amp;amp; 5", "3 < 4 &amp; 5", {"entity": 2}),
        ("见[[水车|老水车]]和[[Category:河]]。", "见老水车和。", {"link": 2}),
        ("见[[水车|老水车]][[Media:水车.ogg|录音]]。", "见老水车。", {"link": 2}),
        ("一\u200b二\ufeff三\x07", "一二三", {"invisible": 3}),
        ("一\xa0二", "一 二", {"space": 1}),
        ("  一 \n\n \n　二　\r\n三", "一\n二\n三", {"blank": 1}),
        # What may be the author's stays.
        ("他说「」就是空。", "他说「」就是空。", {}),
        ("顿号（、）分开词语。", "顿号（、）分开词语。", {}),
        ("a < b 和 AT&T 与 f(x)", "a < b 和 AT&T 与 f(x)", {}),
        ("一（\n）二", "一（\n）二", {}),  # paragraphs are never joined
        ("没有完的[[链接", "没有完的[[链接", {}),
    ],
)
def test_each_rule_changes_and_counts(text: str, expected: str, rules: dict[str, int]) -> None:
    counts: Counter[str] = Counter()
    assert clean(text, counts) == expected
    assert counts == rules


def test_title_goes_only_as_a_whole_first_line() -> None:
    counts: Counter[str] = Counter()
    assert clean("水车\n\n水车在河边。", counts, title="水车") == "水车在河边。"
    assert counts["title"] == 1
    assert clean("水车在河边。", counts, title="水车") == "水车在河边。"
    assert counts["title"] == 1


def test_tags_and_links_of_a_plain_text_are_the_authors() -> None:
    text = "写作 <br> 或 &amp; 与 [[词]]"
    assert clean(text, Counter(), markup=False) == text


@given(st.text(alphabet="一（）(，;,) \n<br>&[]-{}:z\xa0\u200b", max_size=60))
def test_no_rule_leaves_a_blank_line_or_an_unknown_count(text: str) -> None:
    counts: Counter[str] = Counter()
    cleaned = clean(text, counts)
    assert all(line and line == line.strip() for line in cleaned.split("\n")) or cleaned == ""
    assert set(counts) <= set(RULES)
    assert all(counts.values())


@pytest.mark.parametrize(
    ("text", "unconverted"),
    [
        ("他叫-{乾}-，在-{里}-外", ["乾"]),
        ("-{zh-hans:萧乾;zh-hant:蕭乾}-和-{zh-tw:單車}-", ["萧乾"]),
        ("甲-{zh-hans:裡-{後}-;zh-hant:他}-丁", ["裡後"]),
        ("-{ 裡 }-", ["裡"]),
        ("维-{}-生\ufdd0丙\ufdd1", []),
        ("水车\n\n<br>在&amp;-{裡}-边（，-{後}-）。", ["裡", "後"]),
    ],
)
def test_text_that_is_not_to_be_converted(text: str, unconverted: list[str]) -> None:
    spans: list[tuple[int, int]] = []
    cleaned = clean(text, Counter(), title="水车", unconverted=spans)
    assert [cleaned[start:end] for start, end in spans] == unconverted
    assert not {"\ufdd0", "\ufdd1"} & set(cleaned) or "-{" not in text


_EMPTY = re.compile(r"[（(](?:(?<=（)|(?<![A-Za-z0-9_].))[ \t\u3000，；,;]*[）)]")


@given(st.text(alphabet="（）()，;、 a一-", max_size=12))
def test_brackets_of_both_widths_are_counted_as_by_one_expression(text: str) -> None:
    counts: Counter[str] = Counter()
    clean(text, counts)
    assert counts["empty_brackets"] == len(_EMPTY.findall(text))


def test_brackets_and_marks_of_a_text_of_no_wiki_are_the_authors() -> None:
    text = "Use malloc() and free(); f(x,) and a (, ) or -{x}- and (;-)"
    assert clean(text, Counter(), markup=False, wiki=False) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("他骑-{zh-cn:自行车;zh-tw:腳踏車}-上学。", "他骑自行车上学。"),
        ("他叫-{乾}-，骑-{}-车。", "他叫乾，骑车。"),
        ("Set -{x}- here.", "Set -{x}- here."),
    ],
)
def test_variant_marks_with_chinese_are_resolved_in_any_text(text: str, expected: str) -> None:
    spans: list[tuple[int, int]] = []
    assert clean(text, Counter(), markup=False, wiki=False, unconverted=spans) == expected
    assert [expected[start:end] for start, end in spans] == ["乾"] * ("乾" in text)


@pytest.mark.parametrize(
    ("first", "title", "expected"),
    [
        ("是一座老水车。", "东河水车", "东河水车是一座老水车。"),
        ("，河西的老水车。", "东河水车 (河西)", "东河水车，河西的老水车。"),
        ("（英语：Mill）是水车。", "水车", "水车（英语：Mill）是水车。"),
        ("位于河西。", "水车", "水车位于河西。"),
        ("是日下雨。", "水车", "是日下雨。"),
        ("是次比赛在河西。", "水车", "是次比赛在河西。"),
        ("（见下图）水车很老。", "水车", "（见下图）水车很老。"),
        ("为了纪念他，人们修了水车。", "水车", "为了纪念他，人们修了水车。"),
        ("水车是老的。", "水车", "水车是老的。"),
        ("是一座老水车。", "", "是一座老水车。"),
    ],
)
def test_title_takes_the_place_of_a_subject_that_an_extractor_lost(
    first: str, title: str, expected: str
) -> None:
    counts: Counter[str] = Counter()
    spans: list[tuple[int, int]] = []
    text = f"{title}\n\n{first}\n-{{乾}}-在河边。"
    cleaned = clean(text, counts, title=title, unconverted=spans)
    assert cleaned == f"{expected}\n乾在河边。"
    assert counts["subject"] == (expected != first)
    assert [cleaned[start:end] for start, end in spans] == ["乾"]
