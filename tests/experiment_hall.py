"""The people of a shared experiment: scripted browsers that work with keys, and count them."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command_line import in_process
from halls import add_person, client_of, signed_in
from made import comprehension, passage
from readmark.formats.registry import save_test
from readmark.server.access import COOKIE
from readmark.server.pages import LANGUAGE_COOKIE
from readmark.server.shipped import shipped_configuration
from tutorial_hall import Visitor
from work_pages import serving

PASSAGES = {
    "ferry": "The ferry at Alder Point was built by the Marsh brothers in 1907. It was sold to a "
    "museum in Leith, because a bridge opened in 1962.",
    "oven": "Rosa Lind opened a bakery in Tarn in 1931. She heated the oven with beech wood, since "
    "it burns slowly and leaves little ash.",
    "bell": "The bell of Corby weighs two tons and was cast in Ghent by Jan Vos. It cracked in the "
    "winter of 1788 and was silent for a year.",
}
QUESTIONS = {
    "ferry": (
        ("Who built the ferry at Alder Point?", "the Marsh brothers", 1),
        ("Why did a museum get the ferry?", "a bridge opened in 1962", 3),
    ),
    "oven": (
        ("Where did Rosa Lind open a bakery?", "Tarn", 1),
        ("What did the baker burn?", "beech wood", 2),
    ),
    "bell": (
        ("Who cast the bell of Corby?", "Jan Vos", 1),
        ("When was the bell damaged?", "the winter of 1788", 2),
    ),
}
"""What the annotators ask: question, answer and level."""


def write_passages(path: Path) -> Path:
    """The passages without questions, to write some on."""
    save_test(
        comprehension(*(passage(id, text=text) for id, text in PASSAGES.items()), language="en"),
        path,
    )
    return path


class ScriptedPerson(Visitor):
    """Somebody of the experiment at a computer that others use, too, and who counts the keys.

    ``keys`` are those that judge, by task; ``moves`` hand in and lead from item to item.
    """

    def __init__(self, computer: Visitor, client: Any, language: str) -> None:
        self.context, self.page, self.address = computer.context, computer.page, computer.address
        self.client, self.language = client, language
        self.keys: Counter[str] = Counter()
        self.moves: Counter[str] = Counter()
        self.task = ""

    def log_in(self) -> None:
        """Take the place of whoever used the computer before, whose page asks nothing more."""
        self.page.goto("about:blank")
        self.context.clear_cookies()
        values = {COOKIE: self.client.cookies[COOKIE], LANGUAGE_COOKIE: self.language}
        self.context.add_cookies(
            [{"name": name, "value": value, "url": self.address} for name, value in values.items()]
        )

    def press(self, *keys: str) -> None:
        self.keys[self.task] += len(keys)
        super().press(*keys)

    def move(self, key: str) -> None:
        """Press a key that judges nothing."""
        self.moves[self.task] += 1
        super().press(key)

    def type(self, text: str) -> None:
        """Write a text at once; its characters are no keys of a judgement."""
        self.page.keyboard.insert_text(text)

    def open(self, task: str) -> None:
        """Continue with the work of a project, which is the name of the task."""
        self.task = task
        self.log_in()
        self.page.goto(f"{self.address}/assignments")
        self.page.locator("a.continue").last.click()

    def settle(self) -> None:
        """Wait for an item, and close the first steps."""
        self.page.wait_for_selector("body.ready")
        if self.page.locator(".hints button").count():
            self.page.click(".hints button")

    def item(self) -> str:
        """The name of the item that has been opened."""
        self.settle()
        return super().item()

    def work(self, task: str) -> Iterator[str]:
        """Open the person's items one after the other, by their names, and hand each in."""
        self.open(task)
        while True:
            yield self.item()
            self.move("Control+Enter")
            self.page.wait_for_selector("#go-on")
            self.page.wait_for_selector("#save-status[data-status=saved]")
            if not self.page.locator("a#go-on[href*='assignments/']").count():
                return
            self.page.wait_for_selector("#go-on:focus")
            self.move("Enter")
            self.page.wait_for_selector("#go-on", state="detached")

    def ask(self, question: str, answer: str, level: int) -> None:
        """Write a question, mark its answer and choose its level."""
        self.press("q")
        self.type(question)
        self.press("Enter")
        self.answer(answer)
        self.press(str(level))

    def answer(self, quote: str) -> None:
        """Mark words of the text as the answer of the active form."""
        self.select(quote)
        self.press("Enter")
        self.page.wait_for_selector(f":is(.chosen, .card-summary):has-text('{quote}')")

    def rate(self, stars: Callable[[str], int], *, criteria: str = "") -> None:
        """Give stars to the passages of a round, break the first tie, and hand the round in."""
        self.open("rate")
        self.settle()
        for code in self.page.evaluate("desk.codes"):
            assert self.page.evaluate("desk.current") == code
            self.press(str(stars(code)))
            self.context.clock.fast_forward(500)
        self.task = "order"
        self.page.wait_for_selector(".place-group.shared")
        self.press("ArrowDown", "Alt+ArrowUp")
        if criteria:
            self.task = "criteria"
            self.press("c")
            self.type(criteria)
        self.task = "rate"
        self.move("Control+Enter")
        self.page.wait_for_selector("dialog[open]")
        self.move("Tab")
        self.move("Enter")
        self.page.wait_for_selector("#go-on")
        self.page.wait_for_selector("#save-status[data-status=saved]")

    def sit(self, answers: Callable[[str], Iterable[str]]) -> None:
        """Sit a timed test from its start until everything is handed in."""
        self.open("sit")
        self.page.wait_for_selector(".sit-start button:focus")
        self.move("Enter")  # starts the clock
        for _ in PASSAGES:
            for quote in answers(self.item()):
                self.answer(quote)
            address = self.page.url
            self.move("Control+Enter")
            self.page.wait_for_url(lambda url, address=address: url != address)
        self.page.wait_for_selector("#hand-in-everything")
        self.page.focus("#hand-in-everything")
        self.move("Enter")
        self.page.wait_for_selector(".notice.good")

    def choose(self, words: str) -> None:
        """Press the digit of the option that ends with some words."""
        options = self.page.locator(".card.active .option span").all_inner_texts()
        [place] = [place for place, text in enumerate(options) if text.endswith(f"· {words}")]
        self.press(str(place + 1))


class Experiment:
    """A hall with an owner, the people by login, and the folder for what is exported."""

    def __init__(self, chromium: Any, app: Any, address: str, folder: Path) -> None:
        self.app, self.address, self.folder = app, address, folder
        self.computers = {
            role: Visitor(chromium, address, "en") for role in ("owner", "annotator", "rater")
        }
        self.computers["rater"].context.clock.install()
        client = signed_in(app, add_person(app, "olga", is_owner=True))
        self.owner = ScriptedPerson(self.computers["owner"], client, "en")
        self.owner.log_in()
        self.people: dict[str, ScriptedPerson] = {}

    def project(
        self, slug: str, shipped: str, test: Path, change: Callable[[str], str] = str
    ) -> None:
        """A new project of a shipped configuration and a test."""
        made = self.owner.client.post(
            "/api/projects",
            data={"slug": slug},
            files={
                "test": (test.name, test.read_bytes()),
                "configuration": ("project.toml", change(shipped_configuration(shipped))),
            },
        )
        assert made.status_code == 201, made.text

    def invite(self, slug: str, role: str, *logins: str) -> list[ScriptedPerson]:
        """People who accept an invitation, with a new account or with their own."""
        joined = []
        for login in logins:
            address = f"/api/projects/{slug}/invitations"
            wanted = self.owner.client.post(address, json={"role": role})
            link = wanted.json()["link"].removeprefix("http://127.0.0.1:8000")
            if login in self.people:
                accepted = self.people[login].client.post(link, data={"how": "member"})
            else:
                client = client_of(self.app)
                account = {"name": login.title(), "login": login, "password": f"{login} reads on"}
                accepted = client.post(link, data={"how": "new", **account})
                computer = self.computers["annotator" if role == "annotator" else "rater"]
                language = "zh" if len(self.people) % 2 else "en"
                self.people[login] = ScriptedPerson(computer, client, language)
            assert accepted.status_code == 303, accepted.text
            joined.append(self.people[login])
        return joined

    def hand_out(self, slug: str) -> None:
        done = self.owner.client.post(f"/api/projects/{slug}/hand-out", json={})
        assert done.status_code == 200, done.text

    def show(self, slug: str, tab: str) -> Any:
        """The owner's page of a tab."""
        self.owner.page.goto(f"{self.address}/projects/{slug}/{tab}")
        return self.owner.page

    def get(self, path: str) -> Any:
        """What the API answers the owner."""
        response = self.owner.client.get(f"/api/projects/{path}")
        assert response.status_code == 200, response.text
        return response.json()

    def export(self, slug: str) -> Path:
        """The folder with the files of an export."""
        return self.unpack(f"/api/projects/{slug}/export", slug)

    def unpack(self, path: str, name: str) -> Path:
        """The folder with the files of a zip that the hall sends."""
        content = self.owner.client.get(path).content
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            archive.extractall(self.folder / name)
        return self.folder / name

    def readmark(self, *arguments: str | Path, folder: Path | None = None) -> str:
        """What a command prints in a folder, by default the experiment's."""
        done = in_process(*arguments, cwd=folder or self.folder)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def json(self, *arguments: str | Path, folder: Path | None = None) -> Any:
        """What a command prints as JSON."""
        return json.loads(self.readmark(*arguments, "--json", folder=folder))

    def keys(self, task: str, judgements: int) -> tuple[float, float]:
        """The keys that everybody pressed for each judgement, and those that judged nothing."""
        people = self.people.values()
        return (
            sum(person.keys[task] for person in people) / judgements,
            sum(person.moves[task] for person in people) / judgements,
        )


@contextmanager
def experiment_in(chromium: Any, app: Any, folder: Path) -> Iterator[Experiment]:
    """An experiment behind a real server; no page has complained when it ends."""
    with serving(app) as address:
        experiment = Experiment(chromium, app, address, folder)
        yield experiment
        for computer in experiment.computers.values():
            assert computer.complaints == [], computer.complaints
            computer.context.close()


def table_rows(table: Any) -> list[list[str]]:
    """The words of a table's body, by row and cell."""
    rows: list[list[str]] = table.evaluate(
        "table => [...table.tBodies].flatMap(body => [...body.rows].map("
        "row => [...row.cells].map(cell => cell.textContent.trim().replace(/\\s+/g, ' '))))"
    )
    return rows
