"""What the hall's API promises to programs: its operations, what they take, and what they send.

python tests/api_promises.py > tests/server/api.json
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

PROMISED = Path(__file__).with_name("server") / "api.json"


def promised_api(schema: dict[str, Any]) -> dict[str, Any]:
    """The promises in an OpenAPI schema, as lists that `version_promises.lost` compares."""
    operations = {
        f"{method.upper()} {path}": _operation(operation)
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    }
    members = {
        name: sorted(
            f"{member}: {_type(type)}" for member, type in part.get("properties", {}).items()
        )
        for name, part in schema["components"]["schemas"].items()
        if "enum" not in part
    }
    values = {
        name: sorted(map(str, part["enum"]))
        for name, part in schema["components"]["schemas"].items()
        if "enum" in part
    }
    return {"operations": operations, "members": members, "values": values}


def _operation(operation: dict[str, Any]) -> dict[str, list[str]]:
    bodies = operation.get("requestBody", {}).get("content", {})
    return {
        "id": [operation["operationId"]],
        "takes": sorted(
            [
                *(
                    f"{each['in']} {each['name']}: {_type(each['schema'])}"
                    for each in operation["parameters"]
                ),
                *(f"{sort}: {_type(body['schema'])}" for sort, body in bodies.items()),
            ]
        ),
        "sends": sorted(
            f"{status} {sort}: {_type(body.get('schema', {}))}"
            for status, answer in operation["responses"].items()
            for sort, body in (answer.get("content") or {"": {}}).items()
        ),
    }


def _type(schema: dict[str, Any]) -> str:
    """A type in a few words; a part of the schema that has a name is its name."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(sorted(map(_type, schema["anyOf"])))
    if "enum" in schema:
        return " | ".join(sorted(map(repr, schema["enum"])))
    if schema.get("type") == "array":
        return f"[{_type(schema.get('items', {}))}]"
    if "properties" in schema:  # a schema in place, as those that msgspec makes
        inside = (f"{name}: {_type(type)}" for name, type in schema["properties"].items())
        return "{" + ", ".join(sorted(inside)) + "}"
    return str(schema.get("type", "any"))


def required_by(schema: dict[str, Any]) -> dict[str, list[str]]:
    """What a program must send: parameters by operation, and members by what is sent."""
    needs, sent = {}, set()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            needs[f"{method.upper()} {path}"] = sorted(
                each["name"] for each in operation["parameters"] if each.get("required")
            )
            for body in operation.get("requestBody", {}).get("content", {}).values():
                sent |= set(re.findall(r"\w+", _type(body["schema"])))
    parts = schema["components"]["schemas"].items()
    return needs | {name: sorted(part.get("required", [])) for name, part in parts if name in sent}


if __name__ == "__main__":
    import tempfile

    from readmark.server.start import open_hall

    with tempfile.TemporaryDirectory() as folder:
        app = open_hall(f"sqlite:///{folder}/hall.db")
        api = app.openapi()
        app.state.hall.database.close()
    text = json.dumps({**promised_api(api), "required": required_by(api)}, indent=1)
    print(re.sub(r"\[\s+([^\[\]{}]+?)\s+\]", lambda list: " ".join(list[0].split()), text))
