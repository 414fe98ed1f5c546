"""The annotator's page in a real browser: forms, marks, conflicts, in two languages."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from halls import add_person, hall_in, session_of, signed_in
from readmark.server.access import COOKIE
from readmark.server.assignment import reopen
from readmark.server.routes.work_api import CHECKS
from readmark.server.tables import Assignment, Item
from work_pages import (
    MARKS,
    MILL,
    QUESTIONS,
    RIVER,
    SECOND,
    WORDS,
    add_paper_work,
    add_work,
    browser_of,
    open_work,
    paper,
    serving,
    stored,
    wait_saved,
)

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A hall for all tests of this module: each has people and projects of its own."""
    from readmark.server.start import open_hall

    folder: Path = tmp_path_factory.mktemp("hall")
    with pytest.MonkeyPatch.context() as patch:
        add_paper_work(patch)
        app = open_hall(f"sqlite:///{folder}/hall.db", folder=folder)
        yield app
        app.state.hall.database.close()


@pytest.fixture(scope="module")
def address(app: Any) -> Iterator[str]:
    with serving(app) as address:
        yield address


@pytest.fixture
def browse(chromium: Any, app: Any, address: str) -> Iterator[Any]:
    """Opens browsers of a person; afterwards nothing may have gone wrong in them."""
    contexts = []

    def open_browser(person: str, **more: Any) -> Any:
        contexts.append(browser_of(chromium, app, address, person, **more))
        return contexts[-1]

    yield open_browser
    for context in contexts:
        assert context.complaints == []
        context.close()


def press(page: Any, *keys: str) -> None:
    """Press keys; ``Right*3`` is one of them three times."""
    for key in keys:
        name, _, count = key.partition("*")
        for _ in range(int(count or 1)):
            page.keyboard.press(name)


def entry(order: int, prompt: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "entry",
        "entry": "question",
        "order": order,
        "prompt": prompt,
        "fields": fields,
    }


@pytest.mark.parametrize(
    ("language", "text", "question", "moves", "answer"),
    [
        # Words: The old mill (emoji) in Oxford was built in 1820.
        ("en", MILL, "When was the mill built?", ("ArrowRight*9", "Shift+ArrowRight"), "1820"),
        # Characters: 黄河🌊发源于 are six, and the emoji is one.
        ("zh", RIVER, "黄河发源于哪里？", ("ArrowRight*6", "Shift+ArrowRight*3"), "青海省"),
    ],
)
def test_a_question_is_written_with_the_keyboard_alone(
    app: Any,
    address: str,
    browse: Any,
    language: str,
    text: str,
    question: str,
    moves: Any,
    answer: str,
) -> None:
    person, [assignment] = add_work(
        app, f"write-{language}", QUESTIONS, {"a": paper(("p", language, text))}
    )
    page = open_work(browse(person), address, assignment)
    press(page, "q")
    page.keyboard.insert_text(question)
    press(page, "Enter", *moves, "Enter", "2")
    page.wait_for_selector(".state.good")
    wait_saved(page)
    [made] = stored(app, assignment).values()
    start = text.index(answer)
    span = {"text": "p", "start": start, "end": start + len(answer), "quote": answer}
    assert made["fields"] == {"question": question, "answer": span, "level": 2}
    press(page, "Escape", "Control+z")
    page.wait_for_selector(".option input:checked", state="detached")
    press(page, "Control+Shift+Z")
    page.wait_for_selector(".option input:checked")
    page.click(".chosen .quote")
    assert page.evaluate("desk.texts.selection.quote") == answer


def test_nested_marks_have_attributes_and_relations(app: Any, address: str, browse: Any) -> None:
    proposal = {
        "type": "mark",
        "text": "zh",
        "category": "NP",
        "start": 0,
        "end": 2,
        "quote": "黄河",
    }
    texts = paper(("en", "en", MILL), ("zh", "zh", RIVER), objects={"given": proposal})
    person, [assignment] = add_work(app, "brcc", MARKS, {"a": texts})
    page = open_work(browse(person), address, assignment)
    page.click(".hints button")
    # "John Reed" is a name, and with "by" a phrase; "He" refers to the name.
    start = MILL.index("John Reed")
    page.evaluate(f"desk.texts.tool('en').select({start}, {start + 9})")
    press(page, "m", "1", "Escape")
    page.evaluate(f"desk.texts.tool('en').select({start - 3}, {start + 9})")
    press(page, "n")
    page.evaluate(f"desk.texts.tool('en').select({start + 11}, {start + 13})")
    press(page, "p")
    assert page.locator(".mark-row.active .state.warn").inner_text() == "⚠ missing: refers to"
    press(page, "r", "Enter")
    page.wait_for_selector(".mark-details:has-text('refers to → “John Reed”')")
    assert page.locator(".relation kbd").all_inner_texts() == ["r", "t"]
    press(page, "t", "Enter")  # the second relation has a key of its own
    page.wait_for_selector(".mark-details:has-text('belongs to → “John Reed”')")
    page.click(".mark-row.proposed .mark-head")
    press(page, "c")
    page.wait_for_selector(".proposed", state="detached")
    wait_saved(page)
    marks = {
        value["category"] + value["text"]: (id, value)
        for id, value in stored(app, assignment).items()
    }
    assert marks["NEen"][1]["attributes"] == {"kind": "PERSON"}
    assert marks["NPen"][1]["quote"] == "by John Reed"
    name = marks["NEen"][0]
    assert marks["REFen"][1]["relations"] == {"antecedent": name, "owner": name}
    # Removing the name removes the relation to it, and both come back together.
    page.click(f".mark-row[data-id='{marks['NEen'][0]}'] .mark-head")
    page.click(".mark-row.active .danger")
    wait_saved(page)
    assert page.locator(".mark-row").count() == 3
    assert all(not value.get("relations") for value in stored(app, assignment).values())
    press(page, "Control+z")
    page.wait_for_selector(".mark-details:has-text('refers to → “John Reed”')")


def test_second_answers_go_from_question_to_question(app: Any, address: str, browse: Any) -> None:
    objects = {"q-1": entry(1, "黄河发源于哪里？"), "q-2": entry(2, "谁发现了黄河的源头？")}
    papers = {
        "a": paper(("p", "zh", RIVER), objects=objects),
        "b": paper(("p", "zh", RIVER), objects=objects),
    }
    person, [first, second] = add_work(app, "second", SECOND, papers)
    page = open_work(browse(person, language="zh"), address, first)
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    press(page, "Escape", "ArrowRight*6", "Shift+ArrowRight*3", "Enter")
    press(page, "Alt+ArrowDown", "u")
    page.wait_for_selector(".part-head:has-text('2 / 2')")
    press(page, "Control+Enter")
    page.wait_for_selector("#go-on")
    wait_saved(page)
    done = stored(app, first)
    assert done["q-1"]["fields"]["answer"]["quote"] == "青海省"
    assert done["q-2"] == {**objects["q-2"], "fields": {"unanswerable": True}}
    assert done["status"] == {"type": "status", "done": True}
    assert page.locator(".take").first.is_disabled()
    assert page.locator("#go-on").get_attribute("href") == f"/assignments/{second}"
    page.click("#hand-in")
    page.wait_for_selector(".take:enabled")
    page.click(".bar .group button >> nth=0")
    page.wait_for_selector(".card.active .option input:checked", state="detached")
    wait_saved(page)
    again = stored(app, first)
    assert not again["q-2"]["fields"].get("unanswerable")
    assert not again.get("status", {}).get("done")


def test_a_conflict_shows_both_versions(app: Any, address: str, browse: Any) -> None:
    person, [assignment] = add_work(app, "tabs", QUESTIONS, {"a": paper(("p", "en", MILL))})
    here, there = browse(person), browse(person)
    page = open_work(here, address, assignment)
    press(page, "q")
    page.keyboard.type("Who?")
    wait_saved(page)
    # What a second tab adds appears, and does not disturb the typing.
    tab = open_work(here, address, assignment)
    press(tab, "q")
    page.wait_for_selector(".card >> nth=1")
    assert page.evaluate("document.activeElement.value") == "Who?"
    tab.click(".danger")
    page.wait_for_selector(".card >> nth=1", state="detached")
    tab.close()
    other = open_work(there, address, assignment)
    there.set_offline(True)
    other.click(".card-head")
    other.fill(".card textarea", "Who built it?")
    other.wait_for_selector(".banner.warn")
    page.fill(".card textarea", "Who sold it?")
    wait_saved(page)
    there.set_offline(False)
    dialog = other.wait_for_selector("dialog .versions")
    assert "Who sold it?" in dialog.inner_text()
    assert "Who built it?" in dialog.inner_text()
    # It comes while somebody is typing: Enter and the space bar must not decide anything.
    assert other.evaluate("document.activeElement.textContent") == "Decide later"
    other.keyboard.press("Escape")
    other.click(".banner button")
    other.click("dialog .actions button:first-child")
    other.fill("dialog .editing textarea", "Who built and sold it?")
    other.click("dialog .editing > button")
    wait_saved(other)
    [made] = stored(app, assignment).values()
    assert made["fields"]["question"] == "Who built and sold it?"
    page.reload()
    page.wait_for_selector(".card:has-text('Who built and sold it?')")
    assert page.locator("dialog").count() == 0
    there.complaints[:] = [
        line for line in there.complaints if "ERR_INTERNET_DISCONNECTED" not in line
    ]


def test_saving_survives_broken_storage_and_a_clock_that_goes_back(
    app: Any, address: str, browse: Any
) -> None:
    person, [assignment] = add_work(app, "clock", QUESTIONS, {"a": paper(("p", "en", MILL))})
    context = browse(person)
    page = open_work(context, address, assignment)
    page.evaluate(
        """(assignment) => {
          const key = (client) => `readmark:queue:${assignment}:${client}:1`;
          const left = { sequence: 1, object: "note", value: { type: "note", value: "left" } };
          localStorage.setItem(key("c-broken-aaaa"), "{");
          const sent = { ...left, base: null, resolves: null, seconds: -5 };
          localStorage.setItem(key("c-whole-bbbb"), JSON.stringify(sent));
          localStorage.setItem(key("c-wrong-cccc"), "{");
        }""",
        assignment,
    )
    page.close()
    page = open_work(context, address, assignment)
    wait_saved(page)
    assert stored(app, assignment) == {"note": {"type": "note", "value": "left"}}
    page.evaluate("(() => { const now = Date.now; Date.now = () => now() - 3600e3; })()")
    press(page, "q")
    page.keyboard.type("When")
    wait_saved(page)
    assert len(stored(app, assignment)) == 2


def test_keys_change_nothing_that_is_handed_in_and_are_text_where_they_write(
    app: Any, address: str, browse: Any
) -> None:
    objects = {"q": entry(1, "When?"), "r": entry(2, "Where?")}
    papers = {name: paper(("p", "en", MILL), objects=objects) for name in "ab"}
    person, [assignment, _] = add_work(app, "keys", SECOND, papers)
    page = open_work(browse(person), address, assignment)
    press(page, "u")
    # Pressed twice while the answer of the check is on its way: one question, not two.
    page.evaluate(
        """(() => {
          const send = fetch;
          const pause = () => new Promise((done) => setTimeout(done, 200));
          const later = (...sent) => pause().then(() => send(...sent));
          window.fetch = (...sent) => (sent[0].endsWith("/check") ? later : send)(...sent);
        })()"""
    )
    press(page, "Control+Enter", "Control+Enter")
    page.wait_for_selector("dialog")
    page.wait_for_timeout(300)
    assert page.locator("dialog").count() == 1
    page.click("dialog button:has-text('Hand in')")
    wait_saved(page)
    assert stored(app, assignment)["q"]["fields"]["unanswerable"] is True
    press(page, "u")
    wait_saved(page)
    assert stored(app, assignment)["q"]["fields"]["unanswerable"] is True
    is_taken = """([key, code]) => {
      const how = { altKey: true, bubbles: true, cancelable: true };
      const event = new KeyboardEvent("keydown", { key, code, ...how });
      document.getElementById("note").dispatchEvent(event);
      return event.defaultPrevented;
    }"""
    assert not page.evaluate(is_taken, ["Dead", "KeyN"])  # ñ on a Mac
    with page.expect_navigation():
        page.evaluate(is_taken, ["n", "KeyN"])


def test_an_input_method_and_other_accounts_are_not_disturbed(
    app: Any, address: str, browse: Any
) -> None:
    gone = {"type": "entry", "entry": "renamed", "order": 1, "fields": {"question": "What"}}
    papers = {"a": paper(("p", "zh", RIVER), objects={"old": gone})}
    person, [assignment] = add_work(app, "input", QUESTIONS, papers)
    context = browse(person)
    page = open_work(context, address, assignment)
    # An entry that the configuration no longer has can still have findings.
    page.wait_for_selector(".finding:has-text('renamed')")
    page.click(".note summary")
    page.focus("#note")
    method = context.new_cdp_session(page)
    method.send("Input.imeSetComposition", {"text": "ni", "selectionStart": 2, "selectionEnd": 2})
    other = {"sequence": 1, "object": "n2", "value": {"type": "note", "value": "elsewhere"}}
    sent = {"client": "another-tab", "events": [other]}
    signed_in(app, person).post(f"/api/assignments/{assignment}/events", json=sent)
    page.evaluate("desk.store.poll()")
    page.wait_for_function("desk.store.objects.has('n2')")
    assert page.evaluate("desk.note.value") == "ni"
    method.send("Input.insertText", {"text": "你"})
    wait_saved(page)
    assert stored(app, assignment)["note"]["value"] == "你"
    # Somebody else logs in on the same computer: nothing is sent in their name.
    context.add_cookies(
        [{"name": COOKIE, "value": session_of(app, add_person(app, "guest")), "url": address}]
    )
    page.keyboard.type("!")
    page.wait_for_selector(".banner:has-text('does not belong to the account')")
    assert stored(app, assignment)["note"]["value"] == "你"
    context.add_cookies([{"name": COOKIE, "value": session_of(app, person), "url": address}])
    wait_saved(page)
    assert stored(app, assignment)["note"]["value"] == "你!"
    context.complaints[:] = [line for line in context.complaints if "404" not in line]


def test_words_are_split_and_joined(app: Any, address: str, browse: Any) -> None:
    text = "黄河🌊发源于青海"
    person, [assignment] = add_work(app, "words", WORDS, {"a": paper(("p", "zh", text))})
    page = open_work(browse(person), address, assignment)
    press(page, "Escape", "ArrowRight*2", "Space", "ArrowRight", "Space", "ArrowRight*3", "Space")

    def words() -> list[str]:
        marks = sorted(stored(app, assignment).values(), key=lambda mark: int(mark["start"]))
        assert all(text[mark["start"] : mark["end"]] == mark["quote"] for mark in marks)
        return [mark["quote"] for mark in marks]

    wait_saved(page)
    assert words() == ["黄河", "🌊", "发源于", "青海"]
    press(page, "ArrowLeft*3", "Space")
    wait_saved(page)
    assert words() == ["黄河", "🌊发源于", "青海"]
    press(page, "Control+z")
    wait_saved(page)
    assert words() == ["黄河", "🌊", "发源于", "青海"]


def test_a_phone_shows_text_and_form_together(app: Any, address: str, browse: Any) -> None:
    person, [assignment] = add_work(app, "phone", QUESTIONS, {"a": paper(("p", "zh", RIVER))})
    phone = browse(
        person,
        language="zh",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    page = open_work(phone, address, assignment)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.tap(".hints button")
    page.tap(".add")
    page.evaluate("desk.texts.tool('p').select(6, 9)")
    page.tap(".take")
    page.wait_for_selector(".chosen:has-text('青海省')")
    boxes = [page.locator(part).bounding_box() for part in (".text-pane", ".chosen")]
    assert boxes[0]["y"] < boxes[1]["y"] < 844
    assert page.locator("#hand-in").inner_text() == "提交"
    wait_saved(page)


def test_script_in_texts_labels_and_guidelines_stays_text(
    app: Any, address: str, browse: Any
) -> None:
    script = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    configuration = (
        QUESTIONS.replace("Write three questions on each passage.", script)
        .replace('en = "Question", zh', f'en = "{script}", zh')
        .replace("The answer is short and complete.", script)
    )
    objects = {"q-1": {**entry(1, script), "context": script}}
    person, [assignment] = add_work(
        app, "script", configuration, {script: paper(("p", "en", script), objects=objects)}
    )
    page = open_work(browse(person), address, assignment)
    page.click(".card-head")
    page.click("[aria-label=Keys]")
    page.click("dialog button")
    assert page.locator("img, main script").count() == 0
    for place in (
        ".prose",
        ".example p",
        ".card-title",
        ".context",
        ".item-name",
        ".field-label",
        ".tt-content",
    ):
        assert script in page.locator(place).first.inner_text(), place


def test_practice_gives_feedback_only_when_asked(app: Any, address: str, browse: Any) -> None:
    person, [assignment] = add_work(
        app, "practice", QUESTIONS, {"a": paper(("p", "en", MILL))}, keys={"a": "1820"}
    )
    with hall_in(app).database.writing() as session:
        session.query(Item).filter(Item.name == "a", Item.key == '"1820"').update(
            {"purpose": "practice"}
        )
    page = open_work(browse(person), address, assignment)
    press(page, "q")
    page.keyboard.type("When")
    page.evaluate("desk.texts.tool('p').select(0, 3)")
    page.click(".take")
    page.wait_for_selector(".finding.warning")
    assert page.locator(".finding.error").count() == 0
    page.click("#check-answer")
    page.wait_for_selector(".finding.error:has-text('Expected: 1820')")
    page.click("#findings .finding.warning summary")
    assert (
        page.locator("#findings .finding.warning details p").inner_text()
        == "A question\nends with ?."
    )


def test_a_page_that_is_refused_a_check_asks_again(app: Any, address: str, browse: Any) -> None:
    person, [assignment] = add_work(app, "busy", QUESTIONS, {"a": paper(("p", "en", MILL))})
    context = browse(person)
    with CHECKS.turn(person):
        page = open_work(context, address, assignment)
        press(page, "q")
        page.keyboard.type("When")
        with page.expect_response(lambda response: response.status == 429):
            pass
    page.wait_for_selector(".finding.warning")
    context.complaints[:] = [line for line in context.complaints if "429" not in line]


def test_final_work_cannot_be_taken_back_until_it_is_reopened(
    app: Any, address: str, browse: Any
) -> None:
    final = QUESTIONS.replace("[project]", "[project]\nfinal = true")
    person, [assignment] = add_work(app, "final", final, {"a": paper(("p", "en", MILL))})
    page = open_work(browse(person), address, assignment)
    press(page, "Control+Enter")
    page.click("dialog button:has-text('Hand in')")
    page.wait_for_selector(".banner.good:has-text('can no longer be changed')")
    assert page.locator("#hand-in").is_hidden()
    press(page, "q", "Control+Enter")  # neither a new question nor taking back
    assert page.locator(".entry").count() == 0
    wait_saved(page)
    assert stored(app, assignment) == {"status": {"type": "status", "done": True}}
    with hall_in(app).database.writing() as session:
        reopen(session, session.get_one(Assignment, assignment), by=person)
    page.evaluate("desk.store.poll()")
    page.wait_for_selector("#hand-in:not([hidden])")
    press(page, "q")
    page.keyboard.type("When")
    wait_saved(page)
    assert {value["type"] for value in stored(app, assignment).values()} == {"status", "entry"}


def test_an_organiser_sees_an_item_as_annotators_do(app: Any, address: str, browse: Any) -> None:
    papers = {"a": paper(("p", "en", MILL), objects={"q": entry(1, "When?")})}
    _, [assignment] = add_work(app, "preview", SECOND, papers)
    with hall_in(app).database.reading() as session:
        item = session.get_one(Assignment, assignment).item_id
    context = browse(add_person(app, "office", is_owner=True))
    sent: list[str] = []
    context.on("request", lambda request: sent.append(request.method))
    page = context.new_page()
    page.goto(f"{address}/projects/preview/items/{item}/preview")
    page.wait_for_selector("body.ready")
    assert "Preview" in page.locator(".banner").inner_text()
    assert page.locator("#hand-in").is_hidden()
    press(page, "u", "Control+Enter")
    assert set(sent) == {"GET"}
    assert stored(app, assignment) == {}


def test_the_list_shows_what_to_do_next(app: Any) -> None:
    papers = {name: paper(("p", "en", MILL)) for name in ("work", "warm-up", "test")}
    person, [work, warm_up, test] = add_work(app, "list", QUESTIONS, papers)
    client = signed_in(app, person)
    with hall_in(app).database.writing() as session:
        for assignment, purpose in ((warm_up, "practice"), (test, "qualifying")):
            item = session.get_one(Item, session.get_one(Assignment, assignment).item_id)
            item.purpose = purpose
        session.get_one(Assignment, work).due = time.time() - 60
    page = client.get("/assignments").text
    assert page.index("warm-up") < page.index(">test<") < page.index(">work<")
    assert f'class="button continue" href="/assignments/{warm_up}"' in page
    assert "0 of 3 handed in" in page
    assert "overdue" in page
    event = {"sequence": 1, "object": "status", "value": {"type": "status", "done": True}}
    body = {"client": "test-client", "events": [event]}
    assert client.post(f"/api/assignments/{warm_up}/events", json=body).status_code == 200
    client.cookies.set("readmark_language", "zh")
    page = client.get("/assignments").text
    assert f'class="button continue" href="/assignments/{test}"' in page
    assert "已提交 1 / 3" in page
    stranger = signed_in(app, add_person(app, "stranger"))
    assert "There is nothing to do" in stranger.get("/assignments").text
    assert stranger.get(f"/assignments/{work}").status_code == 404
