"""The organiser's pages in a real browser, on a narrow screen and by keyboard alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from halls import add_member, add_person, hall_in
from organised import town_test
from readmark.server.projects import project_named
from work_pages import browser_of, serving

pytestmark = pytest.mark.browser


def test_a_project_is_set_up_on_a_narrow_screen_by_keyboard(
    hall_app: Any, chromium: Any, tmp_path: Path
) -> None:
    file = town_test(tmp_path / "towns.jsonl")
    owner = add_person(hall_app, "olga", is_owner=True)
    with serving(hall_app) as address:
        narrow = {"width": 390, "height": 800}
        context = browser_of(chromium, hall_app, address, owner, viewport=narrow)
        page = context.new_page()
        page.goto(f"{address}/projects/new")
        page.select_option("#shipped", "second_answers")
        page.set_input_files("#test", str(file))
        page.focus("#slug")
        page.keyboard.type("mills")
        page.keyboard.press("Enter")
        page.wait_for_url("**/projects/mills")
        for tab in page.locator(".tabs a").all_text_contents():
            page.locator(".tabs a", has_text=tab).focus()
            page.keyboard.press("Enter")
            page.wait_for_selector(f'.tabs a[aria-current]:has-text("{tab}")')
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{tab} is {wide} pixels too wide"
        # A bad configuration shows its line, keeps what was typed, and changes nothing.
        page.goto(f"{address}/projects/mills/configuration")
        page.focus("#text")
        page.keyboard.press("Control+Home")
        page.keyboard.type("wrong =\n")
        page.locator("form[action$=configuration] button").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".notice.bad:has-text('Line 1: Invalid value')")
        assert page.locator(".fault").inner_text().strip() == "1  wrong ="
        assert page.input_value("#text").startswith("wrong =\n")
        assert page.request.get(f"{address}/api/projects/mills").json()["configuration"] == 1
        # People come, items are handed out.
        project = _project_id(hall_app)
        for login in ("ann", "bob"):
            add_member(hall_app, project, add_person(hall_app, login), "annotator")
        page.goto(f"{address}/projects/mills/assignments")
        page.locator("form[action$=hand-out] button").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".notice.good:has-text('Items handed out')")
        assert page.locator("tbody tr").count() == 8
        with page.expect_download() as download:
            page.goto(f"{address}/projects/mills/export")
            page.locator("a[href$='export.zip']").focus()
            page.keyboard.press("Enter")
        assert download.value.suggested_filename == "mills.zip"
        assert [text for text in context.complaints if "422" not in text] == []
        context.close()


def _project_id(app: Any) -> str:
    with hall_in(app).database.reading() as session:
        return project_named(session, "mills").id
