"""Sources of every shape: found by content, articles with their places, and what is damaged."""

import bz2
import gzip
import json
import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest

from readmark.core.errors import DataError, UsageError
from readmark.making.sources.articles import Article, NotTaken
from readmark.making.sources.mediawiki import BLOCK
from readmark.making.sources.shapes import articles_in, chunks, shape_of

DOC = '<doc id="{id}" url="https://a.example/{id}" title="{title}">\n{title}\n\n{text}\n\n</doc>\n'
HEAD = (
    '<mediawiki xml:lang="zh"><siteinfo><sitename>W</sitename>'
    "<base>https://zh.a.example/wiki/M</base></siteinfo>\n"
)


def doc(id: int, text: str, title: str = "") -> str:
    return DOC.format(id=id, text=text, title=title or f"题{id}")


def page(id: int, text: str, *, ns: int = 0, extra: str = "", model: str = "wikitext") -> str:
    return (
        f"<page><title>题{id}</title><ns>{ns}</ns><id>{id}</id>{extra}<revision><id>{id}00</id>"
        f"<timestamp>2024-05-0{id % 9 + 1}T00:00:00Z</timestamp><contributor><id>7</id>"
        f'</contributor><model>{model}</model><text xml:space="preserve">{text}</text>'
        "</revision></page>\n"
    )


def articles(path: Path) -> Iterator[Article | NotTaken]:
    return (article for chunk in chunks(path) for article in articles_in(chunk))


def read(path: Path, data: str | bytes) -> list[Article | NotTaken]:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return list(articles(path))


def taken(items: list[Article | NotTaken]) -> list[tuple[str, str, str]]:
    return [(item.id, item.title, item.text) for item in items if isinstance(item, Article)]


def reasons(items: list[Article | NotTaken]) -> list[tuple[str, str]]:
    return [(item.article, item.reason) for item in items if isinstance(item, NotTaken)]


def test_documents(tmp_path: Path) -> None:
    items = read(tmp_path / "a", doc(1, "一段。\n二段。") + "\n" + doc(2, "文。", 'A "b" &amp; c'))
    assert taken(items) == [("1", "题1", "一段。\n二段。"), ("2", 'A "b" & c', "文。")]
    first, second = items
    assert isinstance(first, Article)
    assert isinstance(second, Article)
    assert (first.url, first.where, second.where) == ("https://a.example/1", "1", "9")
    assert first.cleaned == {"title": 1, "blank": 1}


def test_text_on_the_line_of_the_tag(tmp_path: Path) -> None:
    items = read(
        tmp_path / "a",
        "<!-- made in May -->\n"
        '<doc id="1" url="u" title="甲 > 乙">一句。<b>二</b>句。\n三句。\n</doc>\n'
        '<doc id="2" title="丙">四句。</doc>\n<doc id="3" title="说"好"">\n五句。\n</doc>\n',
    )
    assert taken(items) == [
        ("1", "甲 > 乙", "一句。二句。\n三句。"),
        ("2", "丙", "四句。"),
        ("3", '说"好"', "五句。"),
    ]
    assert reasons(items) == []


def test_documents_longer_than_a_block_and_many(tmp_path: Path) -> None:
    long = "\n".join(f"第{at}段。" for at in range(BLOCK // 8))
    items = read(tmp_path / "a", doc(1, long) + "".join(doc(at, "文。") for at in range(2, 50)))
    assert taken(items)[0][2] == long
    assert [article[0] for article in taken(items)] == [str(at) for at in range(1, 50)]
    assert items[1].where == str(long.count("\n") + 7)


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_packed(tmp_path: Path, suffix: str, pack: object) -> None:
    assert callable(pack)
    items = read(tmp_path / f"a{suffix}", pack(doc(1, "文。").encode()))
    assert taken(items) == [("1", "题1", "文。")]


def test_damage_in_the_middle_costs_one_article(tmp_path: Path) -> None:
    unclosed = doc(2, "二。").replace("</doc>\n", "")
    items = read(
        tmp_path / "a", doc(1, "一。") + unclosed + doc(3, "三。") + "散落\n" + doc(4, "四。")
    )
    assert [article[0] for article in taken(items)] == ["1", "3", "4"]
    assert reasons(items) == [("2", "unclosed"), ("", "outside")]
    bad = (
        doc(1, "一。").encode()
        + doc(2, "二@。").encode().replace(b"@", b"\xff")
        + doc(3, "三。").encode()
    )
    items = read(tmp_path / "b", bad)
    assert [article[0] for article in taken(items)] == ["1", "3"]
    assert str(items[1]) == f"{tmp_path / 'b'}:7: 2: encoding: not valid UTF-8 (byte 0xff)"
    items = read(tmp_path / "c", doc(1, "一。").encode().replace(b'url="', b'url="\xed\xa0\x80'))
    assert reasons(items) == [("1", "encoding")]


@pytest.mark.parametrize(
    ("tail", "line"),
    [
        ('<doc id="9" url="u" title="尾">\n尾\n\n半篇', r"a:7: article 9 \(尾\) has no </doc>"),
        ("半篇", r"a:7: text outside <doc>"),
    ],
)
def test_a_file_that_is_cut_off_gives_what_stands_before(
    tmp_path: Path, tail: str, line: str
) -> None:
    (tmp_path / "a").write_text(doc(1, "一。") + tail, "utf-8")
    items = articles(tmp_path / "a")
    assert getattr(next(items), "id", None) == "1"
    with pytest.raises(DataError, match=line):
        next(items)


def test_json_lines(tmp_path: Path) -> None:
    rows = [
        {"id": "1", "revid": "10", "url": "u", "title": "题", "text": "题\n\n一。"},
        {"id": 2, "title": "空", "text": " "},
        {"id": "3", "title": "无文"},
    ]
    lines = [json.dumps(row) for row in rows]
    items = read(tmp_path / "a", "\n".join([*lines[:1], "{不是", *lines[1:]]) + "\n")
    assert taken(items) == [("1", "题", "一。")]
    assert isinstance(items[0], Article)
    assert items[0].revision == "10"
    assert [item.where for item in items] == ["1", "2", "3", "4"]
    assert [reason for _, reason in reasons(items)] == ["json", "empty", "json"]
    (tmp_path / "b").write_text(lines[0] + "\n" + lines[0][:30], "utf-8")
    rest = articles(tmp_path / "b")
    next(rest)
    with pytest.raises(DataError, match="b:2: the last line is cut off"):
        next(rest)


def test_ids_that_are_made_up_name_the_file(tmp_path: Path) -> None:
    rows = [
        {"title": "甲", "text": "一。"},
        {"id": None, "title": None, "text": "二。"},
        {"id": 7, "title": "丙", "text": "三。"},
    ]
    items = read(tmp_path / "a.v2.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert taken(items) == [("a.v2:1", "甲", "一。"), ("a.v2:2", "", "二。"), ("7", "丙", "三。")]
    assert [item.has_own_id for item in items if isinstance(item, Article)] == [False, False, True]
    for name in ("Mr. Smith", "Mr. Jones", "v1.0", "v1.1"):
        assert taken(read(tmp_path / f"{name}.txt", "文。"))[0][0] == name


def test_a_dump(tmp_path: Path) -> None:
    old = (
        "<revision><id>1</id><timestamp>2020-01-01T00:00:00Z</timestamp><text>旧。</text>"
        "</revision>"
    )
    items = read(
        tmp_path / "a.xml",
        HEAD
        + page(1, "'''题'''是[[甲|乙]]。", extra=old)
        + page(2, "t", ns=10)
        + page(3, "#REDIRECT [[题1]]", extra='<redirect title="题1" />')
        + page(4, "{}", model="json")
        + page(5, "")
        + page(6, "{{disambig}}塔可以指：")
        + page(7, "大" * (2 << 20) + "大")
        + page(8, "&lt;ref&gt;" * 20_000)
        + page(9, "末。")
        + "</mediawiki>",
    )
    assert taken(items) == [("1", "题1", "题是乙。"), ("9", "题9", "末。")]
    first = items[0]
    assert isinstance(first, Article)
    assert (first.revision, first.timestamp) == ("100", "2024-05-02T00:00:00Z")
    assert (first.url, first.language) == ("https://zh.a.example/wiki?curid=1", "zh")
    assert reasons(items) == [
        ("2", "namespace"),
        ("3", "redirect"),
        ("4", "not_wikitext"),
        ("5", "empty"),
        ("6", "disambiguation"),
        ("7", "too_large"),
        ("8", "markup"),
    ]


@pytest.mark.parametrize(
    ("rest", "line"),
    [
        (page(2, "半")[:-60], r"a\.xml:3: the dump is cut off in page 2 \(题2\)"),
        (page(2, "a < b"), r"a\.xml:3:\d+: not well-formed XML in page 2 \(题2\)"),
        ("", r"a\.xml:3: the dump is cut off"),
    ],
)
def test_a_broken_dump_gives_the_pages_before_the_break(
    tmp_path: Path, rest: str, line: str
) -> None:
    (tmp_path / "a.xml").write_text(HEAD + page(1, "一。") + rest, "utf-8")
    items = articles(tmp_path / "a.xml")
    assert getattr(next(items), "id", None) == "1"
    with pytest.raises(DataError, match=line):
        next(items)


@pytest.mark.parametrize(
    "declared",
    ['<!DOCTYPE m [<!ENTITY a "aa">]>', '<!DOCTYPE m SYSTEM "file:///etc/hostname">'],
)
def test_declarations_are_refused(tmp_path: Path, declared: str) -> None:
    with pytest.raises(DataError, match="declares a document type or entities"):
        read(tmp_path / "a.xml", declared + "\n" + HEAD + page(1, "&a;") + "</mediawiki>")


def test_html(tmp_path: Path) -> None:
    source = """<!doctype html><html lang="zh-Hans"><head><title>站 - 题</title>
      <link rel="canonical" href="https://a.example/p"><link rel=license href="https://l.example/">
      <style>p {}</style></head><body><nav>菜单</nav><h1>水  车</h1><script>x()</script>
      <main><p>第一段，
      还是第一段<sup class="reference">[1]</sup>。</p><h2>历史</h2><div>第二段<br>另起</div>
      <table><tr><td>格</td></tr></table><figure>图</figure>
      <ul><li>甲 &lt;b&gt;</li><li>乙</li></ul>
      </main><footer>脚</footer></body></html>"""
    (article,) = read(tmp_path / "p.html", source)
    assert isinstance(article, Article)
    assert article.text.split("\n") == ["第一段，还是第一段。", "第二段", "另起", "甲 <b>", "乙"]
    assert (article.id, article.title, article.language) == ("p", "水 车", "zh-Hans")
    assert (article.url, article.licence) == ("https://a.example/p", "https://l.example/")
    assert article.cleaned["element"] == 4  # the reference, the heading, the table, the figure


def test_html_in_its_own_encoding(tmp_path: Path) -> None:
    source = '<html><head><meta charset="gb2312"><title>河</title></head><body><p>河水。</p></html>'
    (article,) = read(tmp_path / "p.htm", source.encode("gb18030"))
    assert isinstance(article, Article)
    assert (article.title, article.text) == ("河", "河水。")


@pytest.mark.parametrize(
    ("text", "title", "paragraphs"),
    [
        ("水车\n\n水车在河边。\n它很老。\n", "水车", ["水车在河边。", "它很老。"]),
        ("水车在河边。\n\n它很老。", "a", ["水车在河边。", "它很老。"]),
        ("水车\n水车在河边。", "a", ["水车", "水车在河边。"]),
        (
            "The Mill\n\nThe mill stood by the river for a hundred\nyears, and its wheel turned "
            "day and night.\n\nThen the river was led away to feed a new\nharbour.",
            "The Mill",
            [
                "The mill stood by the river for a hundred years, and its wheel turned day and "
                "night.",
                "Then the river was led away to feed a new harbour.",
            ],
        ),
        (
            "水车在河边转了一百年，白天转，夜里也转，从来没有\n停过一天。\n\n"
            "后来河水被引去了新的港口，水车再也没有转过，村里\n的人都走了。",
            "a",
            [
                "水车在河边转了一百年，白天转，夜里也转，从来没有停过一天。",
                "后来河水被引去了新的港口，水车再也没有转过，村里的人都走了。",
            ],
        ),
    ],
)
def test_plain_text(tmp_path: Path, text: str, title: str, paragraphs: list[str]) -> None:
    (article,) = read(tmp_path / "a.txt", text)
    assert isinstance(article, Article)
    assert (article.title, article.text.split("\n")) == (title, paragraphs)


def test_plain_text_of_old_encodings(tmp_path: Path) -> None:
    old = {
        "gb18030": "水车在河边转了一百年。",
        "big5": "河邊的水車轉了一百年，村裡的人都記得它轉動的樣子。",
        "windows-1252": "Le vieux moulin était près de la rivière.",
        "utf-16": "水车在河边转了一百年。",
    }
    for encoding, words in old.items():
        (article,) = read(tmp_path / "a.txt", words.encode(encoding))
        assert isinstance(article, Article)
        assert article.text == words


def test_plain_text_of_an_unknown_encoding_is_refused(tmp_path: Path) -> None:
    items = read(tmp_path / "a.txt", "Старая мельница у реки.".encode("koi8-r"))
    assert reasons(items) == [("a", "encoding")]


def test_a_folder_is_read_in_order_and_a_picture_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "AA").mkdir()
    (tmp_path / "AB").mkdir()
    (tmp_path / "AA" / "wiki_00").write_text(doc(1, "一。"), "utf-8")
    (tmp_path / "AB" / "n.txt").write_text("文。", "utf-8")
    (tmp_path / "AB" / "p.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "AB" / "x.txt").write_bytes("好文".encode() + b"\xff\x81")
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "AB" / "v1.0.txt").write_text("文。", "utf-8")
    items = list(articles(tmp_path))
    assert [article[0] for article in taken(items)] == ["1", "AB/n", "AB/v1.0"]
    assert reasons(items) == [("AB/p.png", "not_text"), ("AB/x", "encoding")]


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (b"\xef\xbb\xbf<doc id=", "wikiextractor"),
        (b'{"id": "1", "title": "t", "text": "x"}\n', "wikiextractor-json"),
        (b'<?xml version="1.0"?>\n<mediawiki ', "mediawiki"),
        (b"\n<!DOCTYPE HTML>", "html"),
        (b"<html lang=en>", "html"),
        (b"<document> of mine", "plain"),
        (b"[1] a list", "plain"),
        (b"<!-- made in May -->\n<doc id=", "wikiextractor"),
        (b"# made in May\n<doc id=", "wikiextractor"),
        (b'{"text": "' + b"x" * 70_000 + b'", "title": "t"}\n', "wikiextractor-json"),
        (b'{"text": "a", "id": "1"}\n', "wikiextractor-json"),
        ("河".encode("utf-16"), "plain"),
    ],
)
def test_the_shape_is_told_by_content(tmp_path: Path, data: bytes, shape: str) -> None:
    (tmp_path / "a").write_bytes(data)
    assert shape_of(tmp_path / "a") == shape


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"\x89PNG\0", "is a binary file"),
        (b"<?xml version='1.0'?><rss/>", "is XML, but neither"),
        (b'{"a": 1}', "is JSON, expected one article per line"),
        (b'[{"id": 1, "text": "a"}]', "is a JSON array, expected one article per line"),
        (b'\n[\n  {"id": 1', "is a JSON array"),
        (b'{"readmark": 1, "kind": "comprehension"}', "is one of Readmark's own files"),
    ],
)
def test_what_is_no_source(tmp_path: Path, data: bytes, line: str) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(DataError, match=line):
        list(chunks(tmp_path / "a"))


def test_an_unknown_shape(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean html"):
        list(chunks(tmp_path, shape="htm"))
