"""A round of a readability panel in a real browser: by keys alone, and by dragging on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from panel_hall import PanelScene, add_panel
from panel_judges import panel_test
from work_pages import browser_of, open_work, serving, stored, wait_saved

pytestmark = pytest.mark.browser

HIDE = """state => {
  Object.defineProperty(document, "visibilityState", { get: () => state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
HOUR = 3_600_000


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PanelScene]:
    from readmark.server.start import open_hall

    folder: Path = tmp_path_factory.mktemp("hall")
    app = open_hall(f"sqlite:///{folder}/hall.db", folder=folder)
    judges = {"ann": "expert", "cy": "novice"}
    yield add_panel(app, folder, judges, test=panel_test(6), round=6)
    app.state.hall.database.close()


def fields_of(scene: PanelScene, assignment: str) -> dict[str, Any]:
    """What is filled in, by object."""
    objects = stored(scene.app, assignment)
    return {id: value["fields"] for id, value in objects.items() if value.get("fields")}


def test_an_expert_rates_orders_and_gives_criteria_by_keys_alone(
    chromium: Any, scene: PanelScene
) -> None:
    [assignment] = scene.assignments("ann").values()
    with serving(scene.app) as address:
        context = browser_of(chromium, scene.app, address, scene.judges["ann"])
        context.clock.install()
        page = open_work(context, address, assignment)
        codes = page.evaluate("desk.codes")

        def press(key: str) -> None:
            page.keyboard.press(key)
            context.clock.fast_forward(1000)

        # Only time in which the passage can be read counts: no break, no hidden page.
        context.clock.fast_forward(20_000)
        press("b")
        assert page.locator("dialog.break").is_visible()
        press("4")
        context.clock.fast_forward(HOUR)
        press("Enter")
        page.evaluate(HIDE, "hidden")
        context.clock.fast_forward(HOUR)
        page.evaluate(HIDE, "visible")
        context.clock.fast_forward(HOUR)  # nobody reads that long without a sign
        page.keyboard.press("4")
        page.keyboard.press("4")  # a key that was hit twice
        assert page.evaluate("[desk.current, desk.stars(desk.current)]") == [codes[1], 0]
        context.clock.fast_forward(1000)
        press("1")
        press("Control+z")
        assert page.locator("#passage h2").inner_text() == "Passage 2"
        press("ArrowLeft")
        assert page.locator("#star-4").get_attribute("aria-pressed") == "true"
        press("ArrowRight")
        press("2")
        press("s")
        press("Enter")  # a reason is needed
        page.keyboard.type("Not English")
        press("Enter")
        for key in "552":
            press(key)
        # All are judged: the order begins as the stars have it.
        assert page.locator("#step-order").get_attribute("aria-current") == "step"
        groups = page.locator(".place-group")
        assert groups.count() == 3
        wait_saved(page)
        assert "order" not in fields_of(scene, assignment)
        page.close()

        page = open_work(context, address, assignment)
        assert page.evaluate("desk.step") == "order"
        # 4 and 5 have five stars, 1 four, 2 and 6 two: break the first tie, contradict the stars.
        press("ArrowDown")
        press("Alt+ArrowUp")
        press("ArrowDown")
        press("ArrowDown")
        press("Alt+ArrowDown")
        press("=")
        assert page.locator(".place-group.shared .place-card").count() == 3
        press("=")
        press("c")
        page.keyboard.type("short words")
        press("Enter")
        page.keyboard.type("order")
        page.locator(".finding[data-code=rank_contradicts]").first.wait_for()
        page.evaluate("desk.handIn(), desk.handIn()")  # a key that was hit twice
        page.locator("dialog[open]").wait_for()
        press("Tab")
        press("Enter")
        wait_saved(page)
        assert page.locator("dialog[open]").count() == 0
        assert page.evaluate("document.activeElement.id") == "go-on"  # saving drew it anew
        assert context.complaints == []
        context.close()
    fields = fields_of(scene, assignment)
    first, *_ = codes
    assert 320 <= fields[first]["seconds"] < HOUR / 1000
    assert [fields[code].get("stars") for code in codes] == [4, 2, None, 5, 5, 2]
    assert fields[codes[2]]["skip"] == "Not English"
    assert fields["criteria"]["criteria"] == "short words\norder"
    one, two, _, four, five, six = codes
    assert fields["order"]["order"] == f"{five} < {four} < {two} = {six} < {one}"
    assert stored(scene.app, assignment)["status"]["done"] is True


def test_a_novice_rates_by_touch_and_drags_on_a_phone_in_chinese(
    chromium: Any, scene: PanelScene
) -> None:
    [assignment] = scene.assignments("cy").values()
    with serving(scene.app) as address:
        phone = {"viewport": {"width": 390, "height": 844}, "language": "zh"}
        context = browser_of(chromium, scene.app, address, scene.judges["cy"], **phone)
        context.clock.install()
        page = open_work(context, address, assignment)
        codes = page.evaluate("desk.codes")
        assert page.locator("#step-criteria").count() == 0
        hard, easy = page.locator(".rating-bar .end").all()
        assert (hard.inner_text(), easy.inner_text()) == ("很难", "很容易")
        assert hard.bounding_box()["x"] < 100
        assert easy.bounding_box()["x"] > 200
        for stars in (1, 2, 3, 4, 5, 5):
            page.click(f"#star-{stars}")
            context.clock.fast_forward(1000)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.click("#confirm-order")
        # The hardest passage is dragged above the easiest.
        hardest, easiest = (
            page.locator(f".place-card[data-code={codes[place]}]") for place in (0, 4)
        )
        grab = hardest.locator(".grab")
        grab.scroll_into_view_if_needed()
        start, end = grab.bounding_box(), easiest.bounding_box()
        page.mouse.move(start["x"] + 5, start["y"] + 5)
        page.mouse.down()
        page.mouse.move(end["x"] + 40, end["y"] + 12, steps=3)
        page.mouse.move(end["x"] + 40, end["y"] + 6)
        page.mouse.up()
        expected = [codes[place] for place in (0, 4, 5, 3, 2, 1)]
        order = f"{expected[0]} < {expected[1]} = {' < '.join(expected[2:])}"
        wait_saved(page)
        assert fields_of(scene, assignment)["order"]["order"] == order
        finding = page.locator(".finding[data-code=rank_contradicts]").first
        assert "第 1 篇（1 星）排在第 2 篇（2 星）之前" in finding.inner_text()
        page.evaluate("desk.undo()")
        wait_saved(page)
        assert fields_of(scene, assignment)["order"]["order"].startswith(f"{codes[4]} = ")
        assert context.complaints == []
        context.close()
