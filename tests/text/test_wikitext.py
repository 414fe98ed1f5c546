"""Wikitext as plain text, and pages that are made to be hard."""

import pytest

from installed import require
from readmark.text.headings import DroppedSection
from readmark.text.wikitext import depth, plain_page, unclosed, without_braces

require("mwparserfromhell")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'''水车'''是''河边''的'''''机器'''''。", "水车是河边的机器。"),
        ("见[[水车]]、[[水车|老水车]]和[[水车#历史|'''历史''']]。", "见水车、老水车和历史。"),
        ("[[File:a.jpg|thumb|图[[链接]]说明]]前[[Category:河]]后[[分类:山]]", "前后"),
        ("[[en:Mill]]文", "文"),
        ("[[:分类:河]]文", "分类:河文"),
        ("一<ref name=a>书</ref>二<ref name=a />三", "一二三"),
        ("{{Infobox|a={{b|c}}|d=[[x]]}}一{{注|{{深|{{更深}}}}}}二", "一二"),
        ("前\n{| class=x\n|-\n| 格 \n{|\n| 内\n|}\n|}\n后", "前\n后"),
        ("一<math>x^2</math>二<gallery>\nA.jpg|图\n</gallery>三", "一二三"),
        ("一&nbsp;二&lt;三", "一\xa0二<三"),
        ("一<!-- 注\n释 -->二<!-- 没有完", "一二"),
        ("<nowiki>[[不是链接]] '''粗'''</nowiki>", "[[不是链接]] '''粗'''"),
        ("[https://a.example 外部]与https://b.example", "外部与https://b.example"),
        ("[https://a.example]一 https://b.example 二", "一 https://b.example 二"),
        ("一<br>二<br/>三", "一\n二\n三"),
        ("__NOTOC__一", "一"),
        ("{{lang|fr|moulin}}与{{link-en|水轮|water wheel}}", "moulin与水轮"),
        ("{{tsl|en|water wheel|水轮}}和{{nowrap|[[甲|乙]]}}", "水轮和乙"),
        ("-{zh-hans:甲;zh-hant:乙}-", "-{zh-hans:甲;zh-hant:乙}-"),
    ],
)
def test_words_of_the_article_stay_and_the_rest_goes(source: str, expected: str) -> None:
    assert plain_page(source).text == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("The mill\nstood here.\n\nIt was old.", "The mill stood here.\nIt was old."),
        ("水车在河边，\n很老。\n* 甲\n* 乙\n它很长。", "水车在河边，很老。\n甲\n乙\n它很长。"),
        ("'''水车'''在[[河]]边，\n很老。\n\n后来。", "水车在河边，很老。\n后来。"),
        ("One.\n<div>Two\nand more.</div>\nThree.", "One.\nTwo and more.\nThree."),
        ("<poem>\n一行\n二行\n</poem>", "一行\n二行"),
        ("; '''wheel''' : it turns\n: and turns", "wheel\nit turns\nand turns"),
        ("One.\n{{clear}}\nTwo.", "One.\nTwo."),
        ("'''水车'''：\n* [[甲]]\n** 乙\n它很长。", "水车：\n甲\n乙\n它很长。"),
    ],
)
def test_only_blank_lines_lists_and_blocks_end_paragraphs(source: str, expected: str) -> None:
    assert plain_page(source).text == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("the function <code>main</code> runs", "the function main runs"),
        ("the <code>''x''</code> runs", "the ''x'' runs"),
        ('use <syntaxhighlight lang="c" inline>f()</syntaxhighlight> now', "use f() now"),
        ("a<syntaxhighlight>x\ny</syntaxhighlight>b", "ab"),
        ("write <nowiki>{{template}}</nowiki> so", "write {{template}} so"),
        ("<nowiki>a &lt; b == c</nowiki>", "a < b == c"),
        ("{{nowrap|1=a = b}} and {{lang|en|2=word}}", "a = b and word"),
        ("1914{{ndash}}18", "1914–18"),
        ("5{{nbsp}}million{{snd}}or more", "5 million – or more"),
        ("James{{'}} mill and {{'s}}", "James' mill and 's"),
        ("10<sup>6</sup> and 10<sup>−3</sup>, 1<sup>st</sup>", "10⁶ and 10⁻³, 1st"),
        ("e<sup>2x</sup> and H<sub>2</sub>O", "e^2x and H2O"),
        ("3{{e|8}}, x{{sup|2}}, {{frac|1|2}}", "3×10⁸, x², 1/2"),
        ("{{convert|5|km|mi}} or {{cvt|5|to|6|kg}}", "5 km or 5 to 6 kg"),
        ("{{formatnum:1234}} in {{circa|1900}}", "1234 in c. 1900"),
        ("[[re:Zero]]和[[en:Mill]]", "re:Zero和"),
        ("a plank of 6'' was cut", "a plank of 6'' was cut"),
        ("1990''年''和1990'''年'''", "1990年和1990年"),
    ],
)
def test_no_word_or_number_is_lost(source: str, expected: str) -> None:
    assert plain_page(source).text == expected


def test_headings_and_lists_break_paragraphs() -> None:
    source = "一段。\n== 历史 ==\n* 甲\n** 乙\n# 丙\n: 丁\n; 戊\n----\n二段。"
    assert plain_page(source).text.split() == ["一段。", "甲", "乙", "丙", "丁", "戊", "二段。"]


def test_sections_of_references_and_links_go() -> None:
    source = (
        "一段。\n== 历史 ==\n二段。\n== 参考文献 ==\n* 书\n=== 网站 ===\n* 页\n== 影响 ==\n三段。\n"
        "== [[外部链接]] ==\n* 四"
    )
    assert plain_page(source).text.split() == ["一段。", "二段。", "三段。"]


def test_what_goes_is_counted_and_sections_are_listed() -> None:
    page = plain_page(
        "一段{{注|x}}。<ref>书</ref>[[File:a.png]]<math>x</math>\n{|\n| 表\n|}\n"
        "== 历史 ==\n二段。\n== 参考文献 ==\n* 书一\n=== 网站 ===\n* 书二\n"
        "== 注释 ==\n{{reflist}}\n"
    )
    assert page.text.split() == ["一段。", "二段。"]
    assert page.cleaned == {
        "template": 2,
        "reference": 1,
        "file": 1,
        "element": 1,
        "table": 1,
        "heading": 4,
        "tail": 1,
    }
    # A section that holds nothing but a template is only its heading.
    assert page.dropped == [DroppedSection("tail", "参考文献", len("书一书二"))]


@pytest.mark.parametrize("name", ["disambig", "消歧义", "消歧義", "Disambiguation", "hndis|x"])
def test_disambiguation_by_template(name: str) -> None:
    assert plain_page(f"'''塔'''可以指：\n{{{{{name}}}}}").disambiguation
    assert not plain_page("'''塔'''是建筑。{{消歧}}").disambiguation


@pytest.mark.parametrize(
    "source",
    [
        "The [[mill]]{{Disambiguation needed|date=May 2020}} stood here.",
        "{{Disambiguation needed|date=May 2020}}",
        "{{dab needed}}\nThe mill stood here.",
        "The {{dab|mill}} stood here.",
        "{{dab|mill}} is a word for a wheel.",
    ],
)
def test_template_about_another_page_makes_no_disambiguation(source: str) -> None:
    assert not plain_page(source).disambiguation


@pytest.mark.parametrize(
    "source",
    [
        "塔可以指：\n{{Disambiguation|geo|surname}}",
        "{{wiktionary}}{{disambig}}\n塔",
        "塔\n  {{disambig}} [[Category:x]]",
    ],
)
def test_template_on_its_own_line_makes_a_disambiguation(source: str) -> None:
    assert plain_page(source).disambiguation


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("一{{甲}}二{|表|}三", "一二三"),
        ("一{{甲{{乙}}丙}}二", "一二"),
        ("一{{甲|}}二", "一二"),
        ("一{{没有完\n二", "一\n二"),
        ("一{{没有完{{有}}还\n二{{好}}三", "一\n二三"),
        ("一}}二{{甲}}", "一}}二"),
    ],
)
def test_without_braces(source: str, expected: str) -> None:
    assert without_braces(source) == expected


def test_deep_nesting_is_dropped_whole() -> None:
    deep = "{{a|" * 60 + "深" + "}}" * 60
    assert depth(deep) == 60
    assert plain_page(f"前{deep}后").text == "前后"
    assert plain_page("{{" * 20_000 + "\n后").text.strip() == "后"


@pytest.mark.parametrize("mark", ["<ref>", "<div>", "[[a|", "[http://a ", "<ref name=a"])
def test_page_of_marks_that_are_never_closed_is_refused(mark: str) -> None:
    with pytest.raises(ValueError, match="marks are never closed"):
        plain_page(mark * 20_000)


def test_brackets_and_tags_that_open_nothing_are_not_refused() -> None:
    intervals = "The half-open interval [0, 1) holds zero and not one. " * 1_000
    assert plain_page(intervals).text == intervals.strip()
    paragraphs = "<p>The mill is old.\n" * 8_000
    assert plain_page(paragraphs).text == "The mill is old.\n" * 7_999 + "The mill is old."


@pytest.mark.parametrize("other", ["<br/>", "<br />", "</li>", "</td>", "</b>", "<br>/>", "/>"])
def test_what_closes_another_tag_hides_none_that_is_open(other: str) -> None:
    assert unclosed(f"<div>{other}" * 20) == 20
    assert unclosed(f"<div>{other}</div>" * 20) == 0
    with pytest.raises(ValueError, match="marks are never closed"):
        plain_page(f"<div>{other}" * 10_000)


def test_unclosed_counts_in_order() -> None:
    assert unclosed("<b>x</b> [[a]] <br> <li>y") == 0
    assert unclosed("</b><b> ]] [[") == 2
    assert unclosed("<ref name=a />") == 0
    assert unclosed("<ref name=a><ref name=a/>x</REF >") == 0
    assert unclosed("<i>" * 50 + "</i>" * 50) == 20  # deeper than the parser goes
