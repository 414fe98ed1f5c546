"""`readmark set text` through the real command line."""

import bz2
import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from installed import require
from readmark.formats.registry import open_test
from text_folder import write_texts

pytestmark = pytest.mark.slow

require("opencc")

Run = Callable[..., subprocess.CompletedProcess[str]]

PARAGRAPH = "河邊的第{at}座風車很老，村裡的人都記得它轉動的樣子，孩子們常常在那裡玩到天黑才回家。"
DOC = '<doc id="{id}" url="https://a.example/{id}" title="風車{id}">\n風車{id}\n\n{text}\n</doc>\n'


def text(paragraphs: int) -> str:
    return "\n\n".join(PARAGRAPH.format(at=at) for at in range(paragraphs))


def docs(*paragraphs: int) -> str:
    return "".join(DOC.format(id=id, text=text(many)) for id, many in enumerate(paragraphs, 1))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_smart(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "wiki_00").write_text(docs(30, 2, 100), "utf-8")
    done = readmark_cli(
        "set",
        "text",
        "wiki_00",
        "-o",
        "p.jsonl",
        "--skipped",
        "s.jsonl",
        "--json",
        "--licence",
        "CC BY-SA 4.0",
        "--recipe",
        "smart",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["articles"], told["used"], told["passages"]) == (3, 1, 6)
    assert told["not_taken"] == {"too_short": 1, "too_long": 1}
    assert told["cleaned"] == {"title": 3, "blank": 3}
    test = open_test(tmp_path / "p.jsonl")
    assert (test.header.name, test.header.language) == (tmp_path.name, "zh")
    assert (test.header.licence, test.header.source) == ("CC BY-SA 4.0", "wiki_00")
    assert test.header.fields["recipe"]["name"] == "smart"
    assert test.header.fields["script"]["converter"].startswith("opencc-")
    assert "incomplete" not in test.header.fields
    article = "\n".join(PARAGRAPH.format(at=at) for at in range(30))
    passages = list(test.records())
    assert [one.id for one in passages] == [f"1-{at}" for at in range(1, 7)]
    for one in passages:
        fields = one.fields
        assert (one.title, one.article, fields["doc"]) == ("风车1", "1", "1")
        assert fields["original_title"] == "風車1"
        assert fields["url"] == "https://a.example/1"
        assert fields["original"] == article[fields["start"] : fields["end"]]
        assert one.text.startswith(fields["original"][:6].replace("邊", "边"))
        assert "风车很老，村里的人都记得它转动的样子" in one.text
        assert fields["script"] == "simplified"
    assert [one.fields["paragraphs"] for one in passages][:2] == [[1, 5], [6, 10]]
    assert [(row["reason"], row["article"]) for row in rows(tmp_path / "s.jsonl")] == [
        ("too_short", "2"),
        ("too_long", "3"),
    ]


@pytest.mark.parametrize("shape", ["wikiextractor", "dump"])
def test_sections_that_are_dropped_are_listed(
    readmark_cli: Run, tmp_path: Path, shape: str
) -> None:
    if shape == "dump":
        body = text(30) + "\n\n== 參考文獻 ==\n* 風車志\n* 河志\n"
        page = f"<page><title>風車1</title><ns>0</ns><id>1</id><revision><id>2</id><text>{body}"
        source = f'<mediawiki xml:lang="zh">{page}</text></revision></page></mediawiki>'
    else:
        source = DOC.format(id=1, text=text(30) + "\n\n參考文獻\n風車志\n河志")
    (tmp_path / "a").write_text(source, "utf-8")
    done = readmark_cli(
        "set", "text", "a", "-o", "p.jsonl", "--skipped", "s.jsonl", "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["articles"], told["used"]) == (1, 1)
    assert told["not_taken"] == {}
    assert told["left_out"] == {"tail": 1}
    assert told["cleaned"]["tail"] == 1
    (row,) = rows(tmp_path / "s.jsonl")
    assert row == {
        "reason": "tail",
        "article": "1",
        "title": "風車1",
        "file": "a",
        "where": "1",
        "detail": "參考文獻",
        "length": 5,
    }


def test_kept_as_written(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(docs(30), "utf-8")
    done = readmark_cli("set", "text", "a", "-o", "p.jsonl", "--script", "keep", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    one = next(open_test(tmp_path / "p.jsonl").records())
    assert one.text.startswith("河邊的第0座風車")
    assert one.fields["script"] == "traditional"
    assert "original" not in one.fields
    assert "p.jsonl: 6 passages" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "names no licence" in done.stderr


def test_cmrc_counts_words_and_says_so(readmark_cli: Run, tmp_path: Path) -> None:
    pytest.importorskip("rjieba", reason="rjieba is not installed")
    (tmp_path / "a").write_text(docs(40, 1), "utf-8")
    arguments = ("set", "text", "a", "-o", "p.jsonl", "--recipe", "cmrc", "--json")
    done = readmark_cli(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["recipe"]["unit"].startswith("words(rjieba")
    assert told["not_taken"] == {"no_passage": 1}
    assert told["left_out"] == {"short_rest": 1}
    lengths = [one.fields["length"] for one in open_test(tmp_path / "p.jsonl").records()]
    assert all(100 <= length <= 500 for length in lengths)
    done = readmark_cli(
        *arguments, "--unit", "characters", "--max", "90", "--min", "50", cwd=tmp_path
    )
    passages = list(open_test(tmp_path / "p.jsonl").records())
    assert json.loads(done.stdout)["recipe"]["unit"] == "characters"
    assert all(50 <= len(one.text.replace("\n", "")) <= 90 for one in passages)


def test_english_is_told_and_counted_in_words(readmark_cli: Run, tmp_path: Path) -> None:
    said = "The old mill by the river was the first that the village ever built, people say. "
    (tmp_path / "mill.txt").write_text("The Mill\n\n" + f"{said * 8}\n" * 6, "utf-8")
    done = readmark_cli("set", "text", "mill.txt", "-o", "p.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["language"], told["recipe"]["unit"]) == ("en", "words(rules-1)")
    passages = list(open_test(tmp_path / "p.jsonl").records())
    assert {one.title for one in passages} == {"The Mill"}
    assert "script" not in passages[0].fields


def dump(pages: int) -> bytes:
    body = "".join(
        f"<page><title>風車{at}</title><ns>0</ns><id>{at}</id><revision><id>{at}0</id>"
        f"<timestamp>2024-01-01T00:00:00Z</timestamp><text>'''風車'''。\n{text(30)}</text>"
        "</revision></page>\n"
        for at in range(1, pages + 1)
    )
    return f'<mediawiki xml:lang="zh">\n{body}</mediawiki>\n'.encode()


def test_several_workers_write_the_same(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "d.xml.bz2").write_bytes(bz2.compress(dump(150)))
    for workers in ("1", "2"):
        done = readmark_cli(
            *("set", "text", "d.xml.bz2", "-o", f"{workers}.jsonl", "--workers", workers),
            "--name",
            "same",
            "--limit",
            "140",
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    one = next(open_test(tmp_path / "1.jsonl").records())
    assert (one.fields["revision"], one.fields["doc"]) == ("10", "1")
    assert rows(tmp_path / "1.jsonl")[0]["fields"]["counts"]["used"] == 140


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        (
            "d.xml.bz2",
            lambda: bz2.compress(dump(600))[:-900],
            "file is cut off before its end",
        ),
        ("d.xml", lambda: dump(40)[:-1500], r"d.xml:\d+: the dump is cut off in page 40 (風車40)"),
        ("d.xml", lambda: dump(20) + b"<more/>", "d.xml:"),
        (
            "w",
            lambda: docs(30, 30).encode() + b'<doc id="3" title="x">\n',
            "article 3 (x) has no </doc>",
        ),
    ],
    ids=["bz2", "cut", "junk", "doc"],
)
def test_what_is_done_before_a_break_is_kept(
    readmark_cli: Run, tmp_path: Path, name: str, data: Callable[[], bytes], line: str, workers: str
) -> None:
    (tmp_path / name).write_bytes(data())
    done = readmark_cli(
        *("set", "text", name, "-o", "p.jsonl", "--workers", workers, "--skipped", "s.jsonl"),
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    [told] = done.stderr.splitlines()
    assert line.split(r"\d+")[-1] in told
    test = open_test(tmp_path / "p.jsonl")
    made = sum(1 for _ in test.records())
    assert made >= 12
    assert f"; {made:,} passages made before that: p.jsonl" in told
    assert test.header.fields["incomplete"] in told
    assert (tmp_path / "s.jsonl").exists()
    assert {path.name for path in tmp_path.iterdir()} == {name, "p.jsonl", "s.jsonl"}


def test_repeated_ids_are_taken_once(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(docs(30), "utf-8")
    (tmp_path / "b").write_text(docs(30), "utf-8")
    done = readmark_cli("set", "text", "a", "b", "-o", "p.jsonl", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["not_taken"] == {"repeated": 1}
    assert open_test(tmp_path / "p.jsonl").facts.records == 6


def test_ids_that_were_made_up_never_drop_an_article(readmark_cli: Run, tmp_path: Path) -> None:
    for name in ("v1.0.txt", "v1.1.txt", "a/x.txt", "b/x.txt", "c/b/x.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text(30), "utf-8")
    (tmp_path / "w").write_text(docs(30).replace('id="1"', 'id="x"'), "utf-8")
    sources = ("v1.0.txt", "v1.1.txt", "a/x.txt", "b/x.txt", "c/b/x.txt", "w")
    done = readmark_cli("set", "text", *sources, "-o", "p.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["not_taken"] == {}
    passages = list(open_test(tmp_path / "p.jsonl").records())
    found = list(dict.fromkeys(str(one.article) for one in passages))
    assert found == ["v1.0", "v1.1", "x", "b/x", "x~2", f"{tmp_path.name}/x"]
    assert len({one.id for one in passages}) == len(passages)
    assert all(one.fields["doc"] == one.article for one in passages)
    assert all(one.id.startswith(f"{one.article}-") for one in passages)


def test_the_language_is_told_by_the_first_article(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "a.png").write_bytes(b"\x89PNG\0\0")
    (tmp_path / "f" / "b.txt").write_text(text(30), "utf-8")
    done = readmark_cli("set", "text", "f", "-o", "p.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["language"], told["used"], told["not_taken"]) == ("zh", 1, {"not_text": 1})


@pytest.mark.parametrize("language", ["zh-CN", "ZH", "zh_TW"])
def test_a_language_by_a_longer_tag(readmark_cli: Run, tmp_path: Path, language: str) -> None:
    (tmp_path / "a").write_text(docs(30), "utf-8")
    arguments = ("set", "text", "a", "-o", "p.jsonl", "--json", "--language", language)
    done = readmark_cli(*arguments, cwd=tmp_path)
    assert json.loads(done.stdout)["language"] == "zh"


def test_mixed_languages_are_told(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text(30), "utf-8")
    (tmp_path / "b.txt").write_text("The old mill by the river stood here. " * 60, "utf-8")
    done = readmark_cli("set", "text", "a.txt", "b.txt", "-o", "p.jsonl", cwd=tmp_path)
    assert "1 of 2 articles are not Chinese and were cut as zh" in done.stderr


def test_names_and_marks_stay_in_simplified_text(readmark_cli: Run, tmp_path: Path) -> None:
    said = "作家萧乾住在河边的老屋里，他写过毕昇的故事，也写过-{臺灣}-的風車，村里的人都记得。"
    (tmp_path / "a").write_text(DOC.format(id=1, text="\n".join([said] * 30)), "utf-8")
    done = readmark_cli("set", "text", "a", "-o", "p.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    one = next(open_test(tmp_path / "p.jsonl").records())
    assert one.text.startswith("作家萧乾住在河边的老屋里，他写过毕昇的故事，也写过臺灣的风车")
    assert one.fields["traditional"] == "乾昇臺灣"
    assert json.loads(done.stdout)["mixed"] == json.loads(done.stdout)["passages"]


def test_damaged_articles_are_told_and_passed_over(readmark_cli: Run, tmp_path: Path) -> None:
    sound = docs(30, 30).encode()
    (tmp_path / "a").write_bytes(sound.replace("風車2\n\n".encode(), b"\xff\xfe\n\n"))
    done = readmark_cli("set", "text", "a", "-o", "p.jsonl", "--licence", "x", cwd=tmp_path)
    assert done.returncode == 0
    [told] = done.stderr.splitlines()
    assert "damaged, and passed over: a:64: 2: encoding: not valid UTF-8 (byte 0xff)" in told


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (("none.txt",), 1, "none.txt: no such file"),
        (("empty",), 1, "empty: is empty"),
        (("gb",), 1, "gb:1: not valid UTF-8 (byte 0x"),
        (
            ("short", "--recipe", "smart"),
            1,
            "(too_short 1); an article needs 1,000 characters or more (--article-min)",
        ),
        (
            ("short", "--article-min", "1"),
            1,
            "; a passage has 200 to 1,000 characters (--min, --max)",
        ),
        (("long", "--article-max", "1200"), 1, "; an article has 1,200 characters at most"),
        (("bomb.xml",), 1, "bomb.xml:1: declares a document type or entities"),
        (("short", "--min", "5", "--max", "3"), 2, "--min 5 is more than --max 3"),
        (("english.txt", "--script", "simplified"), 2, "--script simplified is for Chinese"),
        (("short", "--limit", "0"), 2, "--limit"),
        (("short", "--language", "chinese"), 2, "no language 'chinese': use a code such as en"),
        (("short", "--language", "zho"), 2, "no language 'zho': use zh"),
        (("folder",), 1, "folder: the folder holds no files"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    readmark_cli: Run, tmp_path: Path, arguments: tuple[str, ...], status: int, line: str
) -> None:
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "gb").write_bytes(docs(30).encode("gb18030"))
    (tmp_path / "short").write_text(docs(2), "utf-8")
    (tmp_path / "long").write_text(docs(300), "utf-8")
    (tmp_path / "english.txt").write_text("The mill is old.", "utf-8")
    (tmp_path / "bomb.xml").write_text('<!DOCTYPE m [<!ENTITY a "x">]><mediawiki>&a;</mediawiki>')
    (tmp_path / "p.jsonl").write_text("as it was")
    done = readmark_cli("set", "text", *arguments, "-o", "p.jsonl", cwd=tmp_path)
    assert done.returncode == status
    assert done.stdout == ""
    [told] = done.stderr.splitlines()
    assert line in told
    assert (tmp_path / "p.jsonl").read_text() == "as it was"


def test_a_source_is_never_written_onto(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_text(docs(30), "utf-8")
    for outputs in (
        ("-o", "a"),
        ("-o", "p.jsonl", "--skipped", "a"),
        ("-o", "x", "--skipped", "x"),
        ("-o", "passages.xlsx"),  # what is written is JSON Lines
        ("-o", "passages.csv.gz"),
    ):
        done = readmark_cli("set", "text", "a", *outputs, cwd=tmp_path)
        assert done.returncode == 2, done.stderr
    assert (tmp_path / "a").read_text("utf-8") == docs(30)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_that_is_missing_is_told_before_the_work(
    readmark_cli: Run, tmp_path: Path
) -> None:
    done = readmark_cli("set", "text", "no.txt", "-o", "no/p.jsonl", cwd=tmp_path)
    assert done.returncode == 1
    assert "no/p.jsonl: cannot be written (no such folder)" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize(
    ("workers", "how"), [("1", signal.SIGINT), ("2", signal.SIGINT), ("1", signal.SIGHUP)]
)
def test_an_interruption_keeps_what_is_done(
    tmp_path: Path, workers: str, how: signal.Signals
) -> None:
    (tmp_path / "d.xml").write_bytes(dump(4000))
    (tmp_path / "p.jsonl").write_text("complete")
    command = ("set", "text", "d.xml", "-o", "p.jsonl", "--workers", workers)
    with subprocess.Popen(
        [sys.executable, "-m", "readmark", *command],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as running:
        until = time.monotonic() + 60
        while not _written(running.pid, tmp_path) and running.poll() is None:
            assert time.monotonic() < until, "nothing was made"
            time.sleep(0.05)
        running.send_signal(how)
        _, told = running.communicate(timeout=60)
    assert running.returncode == 130, told
    test = open_test(tmp_path / "p.incomplete.jsonl")
    assert test.header.fields["incomplete"] == "interrupted"
    made = test.facts.records
    assert 0 < made < 24_000
    assert list(filter(None, told.splitlines())) == [
        f"readmark: {made:,} passages made before that: p.incomplete.jsonl (p.jsonl is as it was)",
        "readmark: interrupted",
    ]
    assert (tmp_path / "p.jsonl").read_text() == "complete"


def _written(process: int, folder: Path) -> bool:
    """Whether the file without a name in which passages wait holds any yet."""
    for one in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            if str(one.readlink()).startswith(f"{folder}/") and "(deleted)" in str(one.readlink()):
                return one.stat().st_size > 0
    return False


@pytest.mark.golden
def test_real_text(readmark_cli: Run, shared: Path, tmp_path: Path) -> None:
    source = shared / "data" / "wiki" / "zh.txt.gz"
    if not source.exists():
        pytest.skip("needs ../shared/data/wiki")
    done = readmark_cli("set", "text", source, "-o", "p.jsonl", "--json", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert told["articles"] == 1440
    assert told["used"] + sum(told["not_taken"].values()) == 1440
    for one in open_test(tmp_path / "p.jsonl").records():
        before = one.fields.get("original", one.text)
        assert len(before) == one.fields["end"] - one.fields["start"]
        assert "-{" not in one.text
        assert "（）" not in one.text


def test_the_texts_of_a_folder_are_articles_by_their_paths(
    readmark_cli: Run, tmp_path: Path
) -> None:
    write_texts(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "easy.txt").write_text("The cat sat on the mat. It was a good day.\n", "utf-8")
    bounds = ("--min", "5", "--article-min", "5", "--licence", "CC0-1.0")
    done = readmark_cli("set", "text", "texts", "easy.txt", "-o", "-", *bounds, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    articles = [json.loads(line)["article"] for line in done.stdout.splitlines()[1:]]
    assert articles == ["a", "b", "unit 1/c", "unit 1/same", "unit 1/unit 1/same", "easy"]
    done = readmark_cli("set", "text", "empty", "-o", "out.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "readmark: empty: the folder holds no files\n")
    assert not (tmp_path / "out.jsonl").exists()
