"""The frame of every page: headers, errors, languages."""

from __future__ import annotations

from typing import Any

from halls import client_of


def test_the_first_page_has_the_security_headers(either_app: Any) -> None:
    response = client_of(either_app).get("/")
    assert response.status_code == 200
    policy = response.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"


def test_an_unknown_page_is_an_error_in_the_readers_language(hall_app: Any) -> None:
    client = client_of(hall_app)
    response = client.get("/nowhere", headers={"accept-language": "zh-CN"})
    assert response.status_code == 404
    assert "出了问题" in response.text
    assert client.get("/api/nowhere").json() == {"detail": "Not Found"}
