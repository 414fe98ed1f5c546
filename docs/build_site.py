"""Builds the documentation site into out/site: python docs/build_site.py, or make site.

The pages are the Markdown files that GitHub shows. They are copied to build/site, where links that
leave docs/ are led to copies of what they name, and Zensical renders them. The reports of the
gallery are made by the commands of docs/gallery.md. The site needs no network and no server; a
link to nowhere, or to something that a page would load from elsewhere, fails the build.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from posixpath import relpath
from urllib.parse import unquote, urlsplit

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
WORK = ROOT / "build" / "site"
SITE = ROOT / "out" / "site"

_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<=\]\()([^)\s#]+)(?=#[^)\s]*\)|\))")
_PICTURE = re.compile(r"^!\[[^\]]*\]\(images/gallery/(?P<name>[\w-]+)\.png\)$", re.MULTILINE)
_CELL = re.compile(r"(?<=<td>).*?(?=</td>)|(?<=<td )[^>]*>.*?(?=</td>)", re.DOTALL)
_SHIM = "https://unpkg.com/iframe-worker/shim"
"""What Zensical loads from elsewhere when a page is opened as a file."""


# Pages.


def place_of(path: Path) -> str:
    """Where a file of the repository is on the site."""
    name = path.relative_to(ROOT).as_posix().removeprefix("docs/")
    if path.is_dir():
        return f"{name}/index.md"
    renamed = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md"}
    return renamed.get(name, name if path.suffix else f"{name}.txt")


def gathered() -> dict[Path, str]:
    """Every file of the site with its text, pages that others link to included."""
    waiting = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    waiting += [*sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("zh/*.md"))]
    pages: dict[Path, str] = {}
    while waiting:
        path = waiting.pop(0)
        if path in pages:
            continue
        if path.is_dir():
            pages[path], files = listing(path)
            waiting += files
        elif path.suffix == ".md":
            text = path.read_text(encoding="utf-8")
            pages[path] = led(text, path)
            waiting += [found for link in links(text) if (found := target(link, path))]
        else:
            pages[path] = ""  # copied as it is
    return pages


def links(text: str) -> list[str]:
    """What a page links to, blocks of code aside."""
    return [link for link in _LINK.findall(_FENCE.sub("", text)) if "://" not in link]


def target(link: str, path: Path) -> Path | None:
    """The file that a link on a page names."""
    found = (path.parent / link).resolve()
    return found if found.is_relative_to(ROOT) and found.exists() else None


def led(text: str, path: Path) -> str:
    """A page with its links as they must be on the site."""
    here = place_of(path).rpartition("/")[0] or "."

    def other(link: re.Match[str]) -> str:
        found = None if "://" in link[0] else target(link[0], path)
        return relpath(place_of(found), here) if found else link[0]

    parts = re.split(f"({_FENCE.pattern})", text, flags=_FENCE.flags)
    parts[::2] = [_LINK.sub(other, part) for part in parts[::2]]
    return "".join(parts)


def listing(folder: Path) -> tuple[str, list[Path]]:
    """A page that lists the files of a folder, and the files."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    title = "Example files" if folder.name == "examples" else folder.name
    rows = [f"- [{path.name}]({path.name}), {path.stat().st_size:,} bytes" for path in files]
    return "\n".join([f"# {title}", "", *rows, ""]), files


def stage() -> None:
    """Put the pages, the theme and the configuration where Zensical finds them."""
    shutil.rmtree(WORK, ignore_errors=True)
    for path, text in gathered().items():
        copy = WORK / "pages" / place_of(path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if text:
            copy.write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(path, copy)
    shutil.copytree(DOCS / "theme", WORK / "theme")
    (WORK / "theme" / "site.css").rename(WORK / "pages" / "site.css")
    shutil.copyfile(DOCS / "site.toml", WORK / "zensical.toml")


# The gallery.


def commands(page: str) -> list[list[str]]:
    """The commands of readmark on a page, in order."""
    lines = (line for block in _FENCE.findall(page) for line in block.splitlines())
    return [shlex.split(line) for line in lines if line.startswith("readmark ")]


def gallery(folder: Path) -> Path:
    """Run the commands of docs/gallery.md in a folder, which then holds the reports."""
    folder.mkdir(parents=True, exist_ok=True)
    for command in commands((DOCS / "gallery.md").read_text(encoding="utf-8")):
        files = [
            sorted(map(str, Path(folder).glob(word))) if "*" in word else [word]
            for word in command[1:]
        ]
        print(shlex.join(command).replace("'", ""), flush=True)
        words = [sys.executable, "-m", "readmark", *(word for found in files for word in found)]
        subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder


def show(reports: Path) -> None:
    """Put the reports on the site: each opens from its picture."""
    page = WORK / "pages" / "gallery.md"
    linked = r"[\g<0>](gallery/\g<name>.html)"
    page.write_text(_PICTURE.sub(linked, page.read_text(encoding="utf-8")), encoding="utf-8")
    (WORK / "pages" / "gallery").mkdir()
    for report in reports.glob("*.html"):
        shutil.copy(report, WORK / "pages" / "gallery")


# The site.


def build() -> None:
    """Render the pages; a warning is an error."""
    # The folders of a run before would stay in Zensical's cache.
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    subprocess.run([*command, "-f", str(WORK / "zensical.toml")], check=True, cwd=WORK)
    finish(WORK / "site")


def finish(site: Path) -> None:
    """Search without a server and from no other host, in words of both languages.

    A bar in a table's code is written with a backslash, which GitHub takes away.
    """
    [worker] = site.glob("assets/javascripts/workers/search.*.js")
    source = json.dumps(worker.read_text(encoding="utf-8"))
    # A browser starts no worker from a file, but from a text.
    (site / "assets" / "javascripts" / "offline.js").write_text(
        f"""if (location.protocol === "file:") {{
  const source = new Blob([{source}], {{ type: "text/javascript" }})
  const Native = window.Worker
  window.Worker = function () {{ return new Native(URL.createObjectURL(source)) }}
}}
""",
        encoding="utf-8",
    )
    for page in site.rglob("*.html"):
        script = relpath("assets/javascripts/offline.js", page.parent.relative_to(site).as_posix())
        text = page.read_text(encoding="utf-8").replace(_SHIM, script)
        if page.parent.name != "gallery":
            text = _CELL.sub(lambda cell: cell[0].replace(r"\|", "|"), text)
        page.write_text(text, encoding="utf-8")
    for name in ("search.json", "search.js"):  # "zh" cuts what is Chinese into words
        text = (site / name).read_text(encoding="utf-8")
        made = text.replace('"lang":["en"]', '"lang":["en","zh"]', 1)
        if made == text:
            raise SystemExit(f"{name}: the languages of the search are not where they were")
        (site / name).write_text(made.replace(r"\\|", "|"), encoding="utf-8")


class Page(HTMLParser):
    """What a page names: anchors of its own, addresses it links to, addresses it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.linked: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the attributes name."""
        found = {name: value for name, value in attrs if value}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        self.loaded |= {found[name] for name in ("src", "data", "poster") if name in found}
        if "href" in found:
            (self.linked if tag == "a" else self.loaded).add(found["href"])


def problems(site: Path) -> Iterator[str]:
    """Links to nowhere, and what pages load from elsewhere."""
    pages = {
        path: Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
        if path.name != "404.html"  # shown at any address, so its links are those of a server
    }
    for path, page in pages.items():
        name, folder = path.relative_to(site).as_posix(), path.parent.name
        for address in sorted(page.loaded):
            parts = urlsplit(address)
            if parts.netloc or parts.scheme not in ("", "data"):
                yield f"{name}: loads {address}"
        for address in sorted(page.linked | page.loaded):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            found = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if found.is_dir():
                found /= "index.html"
            anchor = unquote(parts.fragment)
            known = pages[found].anchors if found in pages and folder != "gallery" else {anchor}
            if not found.exists() or (anchor and anchor not in known):
                yield f"{name}: no {address}"


def main(*options: str) -> int:
    """Build all of it; without the gallery's reports, which take a minute, with --no-gallery."""
    stage()
    if "--no-gallery" not in options:
        show(gallery(WORK / "gallery"))
    build()
    found = list(problems(WORK / "site"))
    print("\n".join(found), file=sys.stderr)
    if not found:
        shutil.rmtree(SITE, ignore_errors=True)
        shutil.copytree(WORK / "site", SITE)
        print(f"Open {(SITE / 'index.html').relative_to(ROOT)}")
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
