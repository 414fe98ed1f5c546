"""The frame of every page: headers, errors, languages."""

from __future__ import annotations

from typing import Any

from halls import add_person, client_of, signed_in


def test_the_first_page_has_the_security_headers(either_app: Any) -> None:
    response = client_of(either_app).get("/")
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"


def test_the_first_page_leads_to_work_and_projects_once_signed_in(hall_app: Any) -> None:
    button = '<a class="button" href="/{}">'
    stranger = client_of(hall_app).get("/").text
    mine = signed_in(hall_app, add_person(hall_app, "olga")).get("/").text
    for path, is_for_all in (("assignments", False), ("projects", False), ("tasks", True)):
        assert (button.format(path) in stranger) == is_for_all
        assert button.format(path) in mine


def test_an_unknown_page_is_an_error_in_the_readers_language(hall_app: Any) -> None:
    client = client_of(hall_app)
    response = client.get("/nowhere", headers={"accept-language": "zh-CN"})
    assert response.status_code == 404
    assert "出错了" in response.text
    assert client.get("/api/nowhere").json() == {"detail": "Not Found"}
