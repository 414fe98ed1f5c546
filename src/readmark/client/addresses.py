"""The addresses of halls, and of tasks in them."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from readmark.core.errors import UsageError
from readmark.core.redaction import hide_credentials

_TASKS = "tasks"


def task_address(url: str) -> tuple[str, str]:
    """The hall and the task of a task's page, such as https://hall.example.org/tasks/NAME."""
    origin = hall_address(url)
    parts = [unquote(part) for part in urlsplit(url).path.split("/") if part]
    if parts[:1] == ["api"]:
        parts = parts[1:]
    if len(parts) < 2 or parts[0] != _TASKS:
        raise UsageError(
            f"{hide_credentials(url)} is not the address of a task: "
            "expected one such as https://hall.example.org/tasks/NAME"
        )
    return origin, parts[1]


def hall_address(url: str) -> str:
    """The origin of an address: scheme, host and port."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UsageError(f"{hide_credentials(url)!r} is not an address") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{hide_credentials(url)!r} is not an http or https address")
    if parts.username is not None or parts.password is not None:
        raise UsageError("an address must hold no user and no password: use an API token")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")
