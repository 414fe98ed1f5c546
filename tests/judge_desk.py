"""A small test, answers to it, and judges on loopback that decide by rules of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import readmark
from llm_endpoint import Body, Endpoint
from readmark.core.traffic import Traffic

SECRET = "sk-judge-never-to-be-seen-0815"

PASSAGES = [
    ("p1", "Mina mended the red kite. Tom flew it on Sunday.", "Who flew the kite?", "Tom"),
    ("p2", "The ferry left at nine from the old pier.", "When did the ferry leave?", "at nine"),
    ("p3", "Wool was sold in the hall, grain in the yard.", "Where was grain sold?", "the yard"),
    ("p4", "The bell cracked in 1840 and was cast anew.", "When did the bell crack?", "1840"),
]
ANSWERS = {
    "q1": "It was Tom who flew it.",
    "q2": "The ferry left at ten.",
    "q3": "In the yard",
}


def paper_at(path: Path) -> Path:
    """The test in a file."""
    lines: list[dict[str, Any]] = [{"readmark": 1, "kind": "comprehension", "language": "en"}]
    lines += [
        {
            "id": id,
            "text": text,
            "questions": [
                {"id": f"q{id[1:]}", "text": question, "key": {"answers": [{"text": key}]}}
            ],
        }
        for id, text, question, key in PASSAGES
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


def parts(body: Body) -> dict[str, str]:
    """What a request holds between its fences, by the line before."""
    said = body["messages"][-1]["content"]
    blocks = said.split("\n\n")[1:]
    return {
        block.splitlines()[0].rstrip(":"): "\n".join(block.splitlines()[2:-1]) for block in blocks
    }


def strict(body: Body) -> str:
    """A judge that calls right what holds the key's words."""
    told = parts(body)
    right = told["Key"].lower() in told["The candidate's answer"].lower()
    return json.dumps({"verdict": "right" if right else "wrong"})


def mark(paper: Path, endpoint: Endpoint, *more: str, **options: Any) -> Any:
    judge = ",".join((f'judge(model=m,base_url="{endpoint.url}"', *more)) + ")"
    first = () if options.pop("alone", False) else ("em",)
    result = readmark.mark(
        str(paper),
        options.pop("answers", ANSWERS),
        metrics=[*first, judge],
        traffic=Traffic(**{"attempts": 2, **options}),
    )
    name = next(name for name in result.marks if name.startswith("judge"))
    return result, result.marks[name], [row[name] for row in result.per_unit().values()]


def labels(path: Path, wrong: int = 4, many: int = 40) -> Path:
    """Labels on which a strict judge errs so many times: people take other words too."""
    rows = ["id,question,key,answer,right"]
    for at in range(many):
        _, _, question, key = PASSAGES[at % 4]
        good = at % 2 == 0
        answer = f"{key} {at}" if good else f"no idea {at}"
        if good and at < 2 * wrong:
            answer = f"said otherwise {at}"
        rows.append(f'q{at % 4 + 1},"{question}","{key}","{answer}",{"yes" if good else "no"}')
    path.write_text("\n".join(rows), "utf-8")
    return path
