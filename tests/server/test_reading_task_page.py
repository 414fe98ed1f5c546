"""The requests on the page about reading-task services are sent, and get what the page shows."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from command_line import in_process
from halls import client_of, hall_in
from readmark.server.access import Scope
from readmark.server.api_tokens import create_token
from served_tasks import Services, bundled_zip

PAGE = Path(__file__).parents[2] / "docs" / "reading-task-services.md"
_BLOCK = re.compile(r"^```(sh|json)\n(.*?)^```$", re.M | re.S)


class Curl:
    """Runs the commands of a page: curl against a hall in this process, and readmark."""

    def __init__(self, app: Any, token: str, folder: Path) -> None:
        self._client = client_of(app)
        self._client.headers.clear()
        self._values = {"HALL": "", "AUTH": f"Authorization: Bearer {token}", "PART": ""}
        self._folder = folder

    def run(self, command: str) -> Any:
        for name, value in self._values.items():
            command = command.replace(f"${name}", value)
        program, *words = shlex.split(command)
        if program == "readmark":
            assert in_process(*words, cwd=self._folder).returncode == 0
            return None
        assert program == "curl"
        return self._send(words)

    def _send(self, words: list[str]) -> Any:
        method, headers, sent, output, path = "", {}, {}, None, ""
        while words:
            word = words.pop(0)
            if word == "-H":
                name, _, value = words.pop(0).partition(": ")
                headers[name] = value
            elif word == "--json":
                sent["json"] = json.loads(words.pop(0))
            elif word == "-F":
                name, _, file = words.pop(0).partition("=@")
                sent["files"] = {name: (file, (self._folder / file).read_bytes())}
            elif word == "-X":
                method = words.pop(0)
            elif word == "-o":
                output = words.pop(0)
            elif word != "-s":
                path = word
        answer = self._client.request(
            method or ("POST" if sent else "GET"), path, headers=headers, **sent
        )
        assert answer.status_code < 400, f"{path}: {answer.text}"
        if output is not None:
            (self._folder / output).write_bytes(answer.content)
            return None
        found = answer.json()
        if isinstance(found, dict) and "root" in found:
            self._values["PART"] = found["id"]
        return found


def fits(shown: Any, found: Any) -> bool:
    """Whether a reply has everything that the page shows of it."""
    if isinstance(shown, dict):
        return all(name in found and fits(value, found[name]) for name, value in shown.items())
    if isinstance(shown, list):
        return len(shown) == len(found) and all(map(fits, shown, found))
    return bool(shown == found)


@pytest.mark.reasoning
@pytest.mark.usefixtures("quick_passwords", "calls_in_process")
def test_the_requests_on_the_page_get_what_it_shows(hall_app: Any, tmp_path: Path) -> None:
    services, hall = Services(hall_app), hall_in(hall_app)
    services.project("lives", bundled_zip())
    scopes = [Scope.READ, Scope.SUBMIT, Scope.ORGANISE]
    with hall.database.writing() as session:
        _, token = create_token(session, hall, services.olga, name="x", scopes=scopes, days=1)
    curl, reply, compared = Curl(hall_app, token, tmp_path), None, 0
    for language, block in _BLOCK.findall(PAGE.read_text("utf-8")):
        if language == "json":
            compared += 1
            shown = json.loads(block)
            assert fits(shown, reply), f"the page shows {shown}, the reply is {reply}"
            continue
        for command in re.split(r"\n(?=curl|readmark)", block.replace("\\\n", " ").strip()):
            reply = curl.run(command)
    assert compared >= 6
