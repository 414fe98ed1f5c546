"""What the API's schema allows is asked for, by schemathesis: no answer may be a server error."""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from api_promises import PROMISED, promised_api, required_by
from hall_scene import build
from halls import ADDRESS, OWN, client_of, session_of
from readmark.server.access import COOKIE
from version_promises import lost

pytestmark = pytest.mark.usefixtures("quick_passwords", "calls_in_process")

BOUNDED = settings(
    max_examples=8,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
FEWEST = 12
"""How many operations the hall has at least: a schema that is empty would pass everything."""


def operations(app: Any) -> list[Any]:
    schema = schemathesis.openapi.from_dict(app.openapi())
    schema.app = app
    return [result.ok() for result in schema.get_all_operations()]


@pytest.mark.parametrize("who", ["owner", "annotator"])
def test_nothing_that_the_schema_allows_is_a_server_error(hall_app: Any, who: str) -> None:
    """Paths hold ids of real objects half of the time; the rest is whatever the schema allows."""
    scene = build(hall_app)
    ids, cookies = scene.own[who], {COOKIE: session_of(hall_app, scene.people[who])}
    found, statuses = operations(hall_app), set()
    assert len(found) >= FEWEST
    for operation in found:

        @BOUNDED
        @given(case=operation.as_strategy(), is_real=st.booleans())
        def ask(case: Any, is_real: bool) -> None:
            if is_real:
                case.path_parameters = {
                    name: ids.get(name, value)
                    for name, value in (case.path_parameters or {}).items()
                }
            answer = case.call(base_url=ADDRESS, headers=OWN, cookies=cookies)
            statuses.add(answer.status_code)
            assert answer.status_code < 500, f"{case.method} {case.formatted_path}: {answer.text}"

        ask()
    assert 200 in statuses
    assert statuses & {404, 422}


def test_the_schema_is_written_once(hall_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    write = hall_app.openapi
    monkeypatch.setattr(hall_app, "openapi", lambda: (written.append(1), write())[1])
    client = client_of(hall_app)
    answers = [client.get("/api/openapi.json") for _ in range(3)]
    assert [answer.headers["content-type"] for answer in answers] == 3 * ["application/json"]
    assert all(answer.json() == json.loads(json.dumps(write())) for answer in answers)
    assert len(written) == 1  # each time, it would keep all other requests waiting


def test_the_schema_names_every_part_of_a_path(hall_app: Any) -> None:
    paths = hall_app.openapi()["paths"]
    assert all(path.startswith("/api/") for path in paths)
    for path, methods in paths.items():
        for method in methods.values():
            named = {field["name"] for field in method["parameters"] if field["in"] == "path"}
            assert named == {part[1:-1] for part in path.split("/") if part.startswith("{")}


# What programs rely on: `python tests/api_promises.py` writes the file anew.


def test_no_operation_of_the_api_is_gone_or_gives_less(hall_app: Any) -> None:
    before = json.loads(PROMISED.read_text("utf-8"))
    del before["required"]
    assert len(before["operations"]) > 100
    assert lost(before, json.loads(json.dumps(promised_api(hall_app.openapi())))) == []


def test_no_operation_of_the_api_asks_for_more(hall_app: Any) -> None:
    before = json.loads(PROMISED.read_text("utf-8"))["required"]
    now = required_by(hall_app.openapi())
    more = {name: [*set(now.get(name, [])) - set(own)] for name, own in before.items()}
    assert {name: own for name, own in more.items() if own} == {}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda api: api["paths"].pop("/api/me"), ["/operations/GET /api/me"]),
        (
            lambda api: api["components"]["schemas"]["ItemSummary"]["properties"].pop("purpose"),
            ["/members/ItemSummary: purpose: string"],
        ),
        (
            lambda api: api["paths"]["/api/projects"]["get"].update(operationId="projects"),
            ["/operations/GET /api/projects/id: get_projects_api_projects_get"],
        ),
    ],
    ids=["operation", "member", "name"],
)
def test_a_loss_of_the_api_is_noticed(hall_app: Any, change: Any, expected: list[str]) -> None:
    before = promised_api(hall_app.openapi())
    changed = json.loads(json.dumps(hall_app.openapi()))
    change(changed)
    assert lost(before, promised_api(changed)) == expected
