"""A test to sit in processes of their own, and its marks by the real command."""

import json
import subprocess
from collections.abc import Callable

Run = Callable[..., subprocess.CompletedProcess[str]]
UNITS = 60


def lines_of_a_test(units: int) -> str:
    """A test whose every second answer is right, three questions a passage."""
    header = {"readmark": 1, "kind": "comprehension", "name": "harbour", "language": "en"}
    lines = [json.dumps(header)]
    for first in range(0, units, 3):
        questions = [
            {
                "id": f"q{at}",
                "text": f"What is {at}?",
                "key": {"answers": [{"text": f"q{at}!" if at % 2 else "码头"}], "level": at % 4},
            }
            for at in range(first, min(first + 3, units))
        ]
        passage = {"id": f"p{first}", "text": "码头上停着七条木船。 Boats.", "questions": questions}
        lines.append(json.dumps(passage, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def marked(sits: Run, sitting: str, test: str = "t.jsonl") -> str:
    return sits("mark", test, sitting, "--json", "--by", "level", "--draws", "50").stdout
