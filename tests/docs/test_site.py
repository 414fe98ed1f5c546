"""The site lists every page, leads every link somewhere, and asks for nothing from outside.

Building it takes Zensical (requirements/site.txt), which `make site` installs.
"""

import shutil
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from doc_scripts import script

ROOT = Path(__file__).resolve().parents[2]
site = script("build_site")


def named(nav: list[Any]) -> Iterator[str]:
    """The pages of a table of contents."""
    for entry in nav:
        if isinstance(entry, str):
            yield entry
        else:
            for pages in entry.values():
                yield from [pages] if isinstance(pages, str) else named(pages)


def test_the_table_of_contents_lists_every_page_once() -> None:
    nav = tomllib.loads((ROOT / "docs" / "site.toml").read_text(encoding="utf-8"))["project"]["nav"]
    written = [site.place_of(path) for path in sorted((ROOT / "docs").rglob("*.md"))]
    made = ["index.md", "contributing.md", "examples/index.md"]
    assert sorted(named(nav)) == sorted(written + made)


def test_links_lead_to_the_places_of_the_site() -> None:
    page = "[a](docs/zh/index.md#x) [b](docs/examples) [c](LICENSE)\n```sh\n[d](LICENSE)\n```\n"
    assert site.led(page, ROOT / "README.md") == (
        "[a](zh/index.md#x) [b](examples/index.md) [c](LICENSE.txt)\n```sh\n[d](LICENSE)\n```\n"
    )
    assert site.led("[a](../../CONTRIBUTING.md)", ROOT / "docs" / "zh" / "llm.md") == (
        "[a](../contributing.md)"
    )
    assert site.led("[a](https://x.org/y)", ROOT / "README.md") == "[a](https://x.org/y)"


def test_every_relative_link_is_gathered() -> None:
    pages = site.gathered()
    for path in pages:
        if path.suffix == ".md":
            for link in site.links(path.read_text(encoding="utf-8")):
                assert site.target(link, path) in pages, f"{path}: {link}"


def test_problems_are_found(tmp_path: Path) -> None:
    (tmp_path / "zh").mkdir()
    (tmp_path / "index.html").write_text(
        '<h1 id="a"><a href="zh/b.html#%E5%AD%97">x</a><a href="#none"></a><a href="no.html"></a>'
        '<a href="https://x.org">fine</a><script src="https://x.org/y.js"></script>',
        encoding="utf-8",
    )
    (tmp_path / "zh" / "b.html").write_text(
        '<h2 id="字"><a href="../index.html#a"></a><link href="//x.org/z.css">', encoding="utf-8"
    )
    assert list(site.problems(tmp_path)) == [
        "index.html: loads https://x.org/y.js",
        "index.html: no #none",
        "index.html: no no.html",
        "zh/b.html: loads //x.org/z.css",
    ]


def test_the_gallery_has_a_picture_and_a_command_for_each_report() -> None:
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    reports = [words[-1] for words in site.commands(page) if words[1] == "report"]
    pictures = [found["name"] for found in site._PICTURE.finditer(page)]
    assert len(reports) == 5
    assert reports == [f"{name}.html" for name in pictures]
    for name in pictures:
        assert (ROOT / "docs" / "images" / "gallery" / f"{name}.png").stat().st_size < 150_000


@pytest.mark.skipif(find_spec("zensical") is None, reason="needs requirements/site.txt: make site")
def test_search_finds_words_of_both_languages(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a browser, from files alone; nothing is asked for from elsewhere."""
    monkeypatch.setattr(site, "WORK", tmp_path / "work")
    site.stage()
    site.build()
    assert list(site.problems(tmp_path / "work" / "site")) == []
    shutil.rmtree(tmp_path / "work" / "pages")
    context = chromium.new_context()
    page = context.new_page()
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    wanted = {
        "bootstrap": "statistics.html",
        "leave-one-out": "statistics.html",
        "置信区间": "zh/marking.html",
        "大语言模型": "zh/llm.html",
    }
    for start, language in (("index.html", "en"), ("zh/index.html", "zh")):
        for word, found in wanted.items():
            page.goto((tmp_path / "work" / "site" / start).as_uri())
            assert page.evaluate("document.documentElement.lang") == language
            page.keyboard.press("/")
            page.keyboard.type(word)
            page.locator(f'a[href*="{found}?h="]').first.wait_for(timeout=20_000)
    context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "blob:", "data:"))] == []
