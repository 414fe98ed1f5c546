"""A hall as the tutorials of docs/hall-tutorials.md start it, and the people who work in it.

With READMARK_PICTURES=FOLDER, pages are kept there as pictures, and what commands print is written
into the tutorials instead of being compared: docs/hall_screenshots.py does that.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command_line import in_process, plain_environment

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "hall-tutorials.md"
EXAMPLES = ROOT / "docs" / "examples"
PICTURES = os.environ.get("READMARK_PICTURES")
LANGUAGES = {"en": "en-GB", "zh": "zh-CN"}
PLACES = """(quote) => {
  for (const line of document.querySelectorAll(".tt-text")) {
    const start = line.textContent.indexOf(quote);
    if (start < 0) continue;
    line.scrollIntoView({ block: "nearest" });
    const box = (offset) => {
      for (const node of line.childNodes) {
        if (offset < node.length) {
          const range = document.createRange();
          range.setStart(node, offset);
          range.setEnd(node, offset + 1);
          return range.getBoundingClientRect();
        }
        offset -= node.length;
      }
    };
    const first = box(start), last = box(start + quote.length - 1);
    const middle = ({ top, bottom }) => (top + bottom) / 2;
    return [first.left + 1, middle(first), last.right - 1, middle(last)];
  }
}"""
"""Where the first and the last character of some words of a text are on the page."""


class Visitor:
    """Somebody with a browser."""

    def __init__(self, chromium: Any, address: str, language: str) -> None:
        window = {"width": 1120, "height": 700}
        self.context = chromium.new_context(viewport=window, locale=LANGUAGES[language])
        self.address = address
        self.complaints: list[str] = []
        self.context.on("console", lambda message: self.complaints.append(message.text))
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.page = self.context.new_page()

    def join(self, link: str, name: str, login: str) -> None:
        """Open an invitation and make an account."""
        self.page.goto(link)
        self.page.fill("#name", name)
        self.page.fill("#login", login)
        self.page.fill("#password", f"{login} reads a lot")
        self.page.click("form:has(#login) button")
        self.page.wait_for_selector("form[action='/logout']")

    def accept(self, link: str, **account: str) -> None:
        """Take an invitation without its page: with a new account, or with the own one."""
        how = "new" if account else "member"
        self.send(link, form={"how": how, **account})

    def send(self, address: str, **content: Any) -> Any:
        """A request of this browser."""
        response = self.context.request.post(
            address, headers={"origin": self.address}, max_redirects=0, **content
        )
        assert response.status < 400, response.text()
        return response

    # What organisers do.

    def create(self, slug: str, shipped: str, test: Path, *, splits: str = "") -> None:
        """Make a project of a configuration that ships and a test."""
        self.page.goto(f"{self.address}/projects/new")
        self.page.select_option("#shipped", shipped)
        self.page.set_input_files("#test", str(test))
        self.page.fill("#splits", splits)
        self.page.fill("#slug", slug)
        self.page.click("form[action='/projects'] button")
        self.page.wait_for_url(f"**/projects/{slug}")

    def invite(self, slug: str) -> str:
        """The link for one annotator of a project."""
        self.page.goto(f"{self.address}/projects/{slug}/people")
        self.page.click("form[action$=invitations] button")
        return str(self.page.locator(".secret").inner_text())

    def invitation(self, slug: str) -> str:
        """The same as a program gets it."""
        address = f"{self.address}/api/projects/{slug}/invitations"
        return str(self.send(address, data={"role": "annotator"}).json()["link"])

    def hand_out(self, slug: str) -> str:
        """Hand out the items of a project; what the page says of it."""
        self.page.goto(f"{self.address}/projects/{slug}/assignments")
        self.page.click("form[action$=hand-out] button")
        return str(self.page.locator(".notice.good").inner_text())

    def agreement(self, slug: str) -> list[tuple[str, str, str]]:
        """What the page *Agreement* shows first of each comparison: its first value, and its n."""
        self.page.goto(f"{self.address}/projects/{slug}/agreement")
        figures = []
        for section in self.page.locator("main section").all():
            what = section.locator("h2").inner_text().split()[0]
            cells = section.locator("tbody tr").first.locator("td").all_inner_texts()
            figures.append((what, cells[-3], cells[-1]))
        return figures

    # What annotators do.

    def start(self, number: int = 0) -> None:
        """Continue with the work of a project, and close the first steps."""
        self.page.goto(f"{self.address}/assignments")
        self.page.locator("a.continue").nth(number).click()
        self.page.wait_for_selector("body.ready")
        if self.page.locator(".hints button").count():
            self.page.click(".hints button")

    def item(self) -> str:
        """The name of the item on the page."""
        return str(self.page.locator(".item-name").inner_text())

    def select(self, quote: str) -> None:
        """Drag over some words of a text with the mouse."""
        left, top, right, bottom = self.page.evaluate(PLACES, quote)
        self.page.mouse.move(left, top)
        self.page.mouse.down()
        self.page.mouse.move(right, bottom, steps=3)
        self.page.mouse.up()

    def mark(self, quote: str) -> Any:
        """The first row with these words in the list of marks."""
        return self.page.locator(f".mark-row:has(q:text-is('{quote}'))").first

    def remove(self, quote: str) -> None:
        """Click a mark in the list and delete it."""
        self.mark(quote).locator(".mark-head").click()
        self.press("Delete")

    def link(self, quote: str, target: str) -> None:
        """Click a mark in the list and choose what it refers to."""
        self.mark(quote).locator(".mark-head").click()
        choice = self.mark(quote).locator(".relation select").first
        option = choice.locator("option", has_text=f"“{target}”").first
        choice.select_option(option.get_attribute("value"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def hand_in(self, *, despite_warnings: bool = False) -> None:
        """Hand the item in; if something is missing or wrong, the page asks."""
        self.press("Control+Enter")
        if despite_warnings:
            self.page.click("dialog .quiet")
        self.page.wait_for_selector("#go-on")
        self.page.wait_for_selector("#save-status[data-status=saved]")

    def next_item(self) -> None:
        """Go on to the next item after handing one in."""
        self.page.click("#go-on")
        self.page.wait_for_selector("body.ready")

    def picture(self, name: str) -> None:
        """Keep the page for the documentation."""
        if PICTURES:
            self.page.mouse.move(0, 0)
            self.page.wait_for_timeout(700)
            self.page.screenshot(path=Path(PICTURES) / f"{name}.png")


class TutorialHall:
    """A hall in a folder, started with `readmark serve`."""

    def __init__(self, chromium: Any, folder: Path, address: str, link: str) -> None:
        self.folder = folder
        self.address = address
        self._chromium = chromium
        self.visitors: list[Visitor] = []
        self.owner = self.visitor("en")
        self.owner.join(link, "Olga", "olga")

    def visitor(self, language: str) -> Visitor:
        """Somebody whose browser asks for a language."""
        self.visitors.append(Visitor(self._chromium, self.address, language))
        return self.visitors[-1]

    def annotators(self, slug: str, people: Mapping[str, str]) -> list[Visitor]:
        """New people, by login with their languages, who have joined a project.

        The first in this hall opens the invitation's page; the others join as programs do.
        """
        joined = []
        for login, language in people.items():
            visitor = self.visitor(language)
            if len(self.visitors) == 2:
                visitor.join(self.owner.invite(slug), login.title(), login)
            else:
                own = {"name": login.title(), "login": login, "password": f"{login} reads a lot"}
                visitor.accept(self.owner.invitation(slug), **own)
            joined.append(visitor)
        return joined

    def readmark(self, *arguments: str) -> str:
        """What a command prints in the hall's folder."""
        done = in_process(*arguments, cwd=self.folder, merged=True)
        assert done.returncode == 0, done.stdout
        return str(done.stdout)

    def follow(self, command: str) -> str:
        """Run a command of the page: it prints what the page shows."""
        text = PAGE.read_text("utf-8")
        shown = re.search(rf"^\$ {re.escape(command)}\n(.*?)(?=^\$ |^```)", text, re.S | re.M)
        assert shown is not None, f"the page does not show {command}"
        printed = re.sub(r"event \d+", "event …", self.readmark(*command.split()[1:]))
        printed = "\n".join(line.rstrip() for line in printed.strip().split("\n"))
        if PICTURES:
            PAGE.write_text(f"{text[: shown.start(1)]}{printed}\n{text[shown.end(1) :]}", "utf-8")
        else:
            assert printed == shown[1].strip()
        return printed

    def json(self, *arguments: str) -> Any:
        """What a command prints as JSON."""
        done = in_process(*arguments, "--json", cwd=self.folder)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@contextmanager
def started_hall(chromium: Any, folder: Path) -> Iterator[TutorialHall]:
    """`readmark serve` in a folder, with its owner."""
    command = [sys.executable, "-m", "readmark", "serve", "--port", "0", "--json"]
    paths = (str(ROOT / "src"), os.environ.get("PYTHONPATH", ""))
    environment = {**plain_environment(), "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, encoding="utf-8"
    ) as server:
        try:
            assert server.stdout is not None
            start = json.loads(server.stdout.readline())
            hall = TutorialHall(chromium, folder, start["address"].rstrip("/"), start["link"])
            yield hall
            for visitor in hall.visitors:
                assert visitor.complaints == []
                visitor.context.close()
        finally:
            server.send_signal(signal.SIGINT)
