"""The tutorials of docs/hall-tutorials.md: the clicks and keys of people, and the commands.

The numbers on the pages are those that the commands give for the exported files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tutorial_hall import EXAMPLES, TutorialHall, Visitor, started_hall

pytestmark = pytest.mark.browser

QUESTIONS = {
    "bookboat": [
        ("改造这艘船的主意是谁提出来的？", "何素云"),
        ("大桥建成对渡轮有什么影响？", "停航闲置"),
    ],
    "popcorn": [
        ("玉米爆开时的响声是怎么来的？", "逸出的水蒸气"),
        ("太干的玉米粒该加多少水？", "一勺水"),
    ],
    "wok": [
        ("店里的新锅靠什么不生锈？", "一层机油"),
        ("抹油以后再烧，一共重复几次？", "三遍"),
    ],
}
"""Questions with their answers, by passage."""
LONGER = "退休小学教师何素云"
"""What the last of the people who answer marks instead of 何素云."""
SENTENCES = [
    ("Lin Bo, a carpenter from Weifang, built a kite of silk and bamboo.", "1"),
    ("He flew it over the river on a Sunday.", "2"),
    ("潍坊的木匠林波用丝绸和竹子做了一只风筝。", "1"),
    ("一个星期天，他在河边把它放上了天。", "2"),
]
"""The sentences of the kite that answer a question, with its number."""


@pytest.fixture(scope="module")
def hall(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TutorialHall]:
    with started_hall(chromium, tmp_path_factory.mktemp("hall")) as hall:
        yield hall


def figures_of(report: Any) -> list[tuple[str, str, str]]:
    """The first figure of each comparison that `set agree --json` prints, as the page shows it."""
    figures = []
    for part in report.get("languages", {"": report}).values():
        for what, comparison in part["what"].items():
            first = next(
                iter((comparison["figures"] or comparison["pairs"][0]["figures"]).values())
            )
            figures.append((what, f"{first['value']:.3f}", str(first["n"])))
    return figures


def test_three_annotators_write_a_chinese_test(hall: TutorialHall) -> None:
    owner = hall.owner
    owner.page.goto(f"{hall.address}/projects/new")
    owner.picture("new-en")
    owner.create("town", "questions", EXAMPLES / "passages.zh.jsonl")
    people = hall.annotators("town", {"ann": "en", "bo": "zh", "chen": "zh"})
    assert owner.hand_out("town") == "Items handed out: 3."
    for person in people:
        person.start()
        for question, answer in QUESTIONS[person.item()]:
            write_question(person, question, answer)
        person.picture(f"questions-{person.page.locator('html').get_attribute('lang')[:2]}")
        person.hand_in()
    hall.follow("readmark hall export town -o town")
    checked = hall.readmark("check", "town/questions.jsonl", "--profile", "cmrc")
    assert "3 passages, 6 questions" in checked
    assert "town/questions.jsonl: no problems" in checked

    # Second answers: nobody gets the passage on which they wrote.
    owner.create("answers", "second_answers", hall.folder / "town" / "questions.jsonl")
    for person in people:
        person.accept(owner.invitation("answers"))
    assert owner.hand_out("answers") == "Items handed out: 6."
    longer = [LONGER]
    for person in reversed(people):
        person.start()
        answer_questions(person, longer)
        person.next_item()
        answer_questions(person, longer)
    assert not longer
    hall.follow("readmark hall export answers -o answers")
    checked = hall.readmark("check", "answers/answers.jsonl", "--profile", "cmrc")
    assert "answers/answers.jsonl: no problems" in checked

    # Two people answered each of six questions, five times equally.
    files = [f"answers/people/{name}.jsonl" for name in ("Ann", "Bo", "Chen")]
    agreement = owner.agreement("answers")
    owner.picture("agreement-en")
    assert agreement == [("answers", "0.833", "6")]
    assert agreement == figures_of(hall.json("set", "agree", *files, "--what", "answers"))
    # Of the three answers to one question one differs: it is two thirds right.
    people_on_it = hall.follow("readmark people answers/answers.jsonl")
    assert "6 units" in people_on_it
    assert re.search(r"^em +94\.44", people_on_it, re.MULTILINE)


def write_question(person: Visitor, question: str, answer: str) -> None:
    person.press("q")
    person.page.keyboard.insert_text(question)
    person.press("Enter")
    person.select(answer)
    person.press("Enter", "2")
    person.page.wait_for_selector(f".chosen:has-text('{answer}')")


def answer_questions(person: Visitor, longer: list[str]) -> None:
    """Answer the questions of an item; whoever gets to it first takes an answer of ``longer``."""
    for _, answer in QUESTIONS[person.item()]:
        answer = next((other for other in longer if answer in other), answer)
        person.select(answer)
        person.press("Enter")
        person.page.wait_for_selector(f".chosen:has-text('{answer}')")
        person.press("Alt+ArrowDown")
        if answer in longer:
            longer.remove(answer)
    person.hand_in()


def test_two_annotators_mark_a_bilingual_passage(hall: TutorialHall) -> None:
    owner = hall.owner
    owner.create("kite", "brcc", EXAMPLES / "kite.brcc")
    dora, feng = hall.annotators("kite", {"dora": "en", "feng": "zh"})
    owner.hand_out("kite")
    for person in (dora, feng):
        person.start()
        person.press("g")
        person.page.wait_for_selector(".finding.warning >> nth=3")
        if person is dora:
            person.remove("bamboo")
            person.mark("silk").locator(".mark-head").click()
            person.press(">", ">")
            person.mark("silk and bamboo").wait_for()
        person.link("it", "a kite")
        person.remove("木匠林波用丝绸")
        person.remove("竹子")
        for quote, entity in (("木匠", "1"), ("林波", "1"), ("丝绸和竹子", "0")):
            person.select(quote)
            person.press("n", entity)
        person.link("他", "林波")
        person.link("它", "一只风筝")
        for sentence, number in SENTENCES:
            person.select(sentence)
            person.press("s")
            person.page.fill(".mark-row.active input", number)
        person.page.wait_for_selector(".finding", state="detached")
        person.picture(f"brcc-{'en' if person is dora else 'zh'}")
        person.page.click(".part-head .link")
        person.page.wait_for_selector(".mark-row.proposed", state="detached")
        person.hand_in()
    hall.follow("readmark hall export kite -o kite")
    files = ["kite/people/Dora.brcc", "kite/people/Feng.brcc"]
    assert hall.readmark("check", *files).count("no problems") == 2
    hall.follow(f"readmark convert {files[0]} Dora/")
    hall.follow(f"readmark convert {files[1]} Feng/")
    english = hall.follow("readmark set crosscheck Dora/en.jsonl Feng/en.jsonl -o en.jsonl")
    # Three phrases of each side are in keys. 15 phrases and 16, of which 14 are the same: 28/31.
    assert "np                  15     16     14    90.32        1" in english
    assert "1 disagreement, 1 to decide" in english
    chinese = hall.readmark("set", "crosscheck", "Dora/zh.jsonl", "Feng/zh.jsonl")
    assert "0 disagreements" in chinese
    agreement = owner.agreement("kite")
    assert agreement[0][0] == "np"
    assert agreement[0][2] == "31"
    what = "np,ne,coreference,answer_sentences"
    assert agreement == figures_of(hall.json("set", "agree", *files, "--what", what))


def test_a_domain_of_ones_own_shows_its_contradictions(hall: TutorialHall) -> None:
    owner = hall.owner
    hall.follow("readmark task new storms")
    hall.readmark("task", "pack", "storms", "-o", "storms.zip")
    owner.create("storms", "reading_task", hall.folder / "storms.zip", splits="train,test")
    gil, hua = hall.annotators("storms", {"gil": "en", "hua": "zh"})
    assert owner.hand_out("storms") == "Items handed out: 4."
    for person in (gil, hua):
        person.start()
        person.press("g")
        mark_storm(person, has_date=person is gil)
        person.next_item()
        mark_storm(person, has_date=person is gil)
    hall.readmark("hall", "export", "storms", "-o", "marked")
    hall.follow("readmark check marked/task")
    hall.follow("readmark set agree marked/task --what statements")
    # Seven statements and six, of which six are the same: 12/13.
    agreement = owner.agreement("storms")
    assert agreement[0] == ("statements", "0.923", "13")
    assert agreement == figures_of(hall.json("set", "agree", "marked/task"))


def mark_storm(person: Visitor, *, has_date: bool) -> None:
    page = person.page
    if person.item() == "egon":
        person.select("Tropical storm Egon")
        person.press("s", "2")
        person.select("95")
        person.press("w", "r", "Enter")
        finding = page.locator("#findings .finding.error")
        finding.locator("summary").click()
        assert "(95 mrq:lessThan 119)  holds" in finding.inner_text()
        finding.evaluate("element => element.scrollIntoView({ block: 'end' })")
        person.picture(f"contradiction-{'en' if has_date else 'zh'}")
        person.mark("Tropical storm Egon").locator(".mark-head").click()
        person.press("1")
        finding.wait_for(state="detached")
    else:
        person.select("Hurricane Delia")
        person.press("s", "2")
        person.select("Port Alba")
        person.press("p")
        person.select("struck")
        person.press("l")
        if has_date:
            page.fill(".mark-row.active textarea", "2019-09-03")
        for relation in (0, 1):
            page.locator(".mark-row.active .relation select").nth(relation).select_option(index=1)
        person.select("190")
        person.press("w", "r", "Enter")
    person.hand_in()
