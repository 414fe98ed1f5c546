"""The head of the card: read back by a small reader of block YAML with JSON scalars."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.test import Header, in_memory
from readmark.formats.tables.columns import Column
from readmark.making.export.about import About
from readmark.making.export.front_matter import front_matter, size_category
from readmark.making.export.licences import licence_named
from readmark.making.export.published_parts import PublishedPart

COLUMNS = (
    Column("id", "an id"),
    Column("level", "a level", type="int32"),
    Column("answers", "answers", parts=(Column("text", "words", repeated=True),)),
)


def read_block(lines: list[tuple[int, str]]) -> Any:
    """Mappings, lists and scalars by indent, as YAML 1.2 has them; lists may hang at the margin."""
    if lines[0][1].startswith("- "):
        items: list[list[tuple[int, str]]] = []
        for indent, text in lines:
            if indent == lines[0][0] and text.startswith("- "):
                items.append([(indent + 2, text[2:])])
            else:
                items[-1].append((indent, text))
        return [read_block(item) for item in items]
    if len(lines) == 1 and lines[0][1].startswith('"'):
        return json.loads(lines[0][1])
    members: dict[str, Any] = {}
    at = 0
    while at < len(lines):
        indent, text = lines[at]
        name, _, rest = text.partition(":")
        end = at + 1
        while end < len(lines) and (
            lines[end][0] > indent or (lines[end][0] == indent and lines[end][1].startswith("- "))
        ):
            end += 1
        members[name] = json.loads(rest) if rest.strip() else read_block(lines[at + 1 : end])
        at = end
    return members


def read_yaml(text: str) -> Any:
    first, *lines, last, end = text.split("\n")
    assert (first, last, end) == ("---", "---", "")
    return read_block([(len(line) - len(line.lstrip(" ")), line.lstrip(" ")) for line in lines])


def made(about: About, **options: Any) -> Any:
    test = in_memory(Header(), [])
    parts = {
        "data/train.jsonl": PublishedPart("train", test, 300, 1200),
        "data/test.jsonl": PublishedPart("test", test, 10, 30, hidden=True),
    }
    usual = {"kind": "comprehension", "language": "zh", "extractive": True}
    return read_yaml(front_matter(about, parts=parts, columns=COLUMNS, **{**usual, **options}))


def test_known_licence() -> None:
    assert made(About("灯会", licence_named("CC BY-SA 4.0"))) == {
        "pretty_name": "灯会",
        "language": ["zh"],
        "license": "cc-by-sa-4.0",
        "task_categories": ["question-answering"],
        "task_ids": ["extractive-qa"],
        "size_categories": ["1K<n<10K"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [
                    {"split": "train", "path": "data/train.jsonl"},
                    {"split": "test", "path": "data/test.jsonl"},
                ],
            }
        ],
        "dataset_info": {
            "features": [
                {"name": "id", "dtype": "string"},
                {"name": "level", "dtype": "int32"},
                {"name": "answers", "struct": [{"name": "text", "sequence": "string"}]},
            ]
        },
    }


@pytest.mark.parametrize(
    ("licence", "name", "link"),
    [
        ("My Terms, v. 2", "my-terms-v.-2", "LICENSE"),
        ("只供研究", "see-license-file", "LICENSE"),
        ("CC BY-SA 2.5", "cc-by-sa-2.5", "https://creativecommons.org/licenses/by-sa/2.5/"),
    ],
)
def test_other_licence(licence: str, name: str, link: str) -> None:
    text = made(About("t", licence_named(licence)), extractive=False)
    assert (text["license"], text["license_name"], text["license_link"]) == ("other", name, link)
    assert "task_ids" not in text


@given(
    st.text(min_size=1).filter(lambda text: text.isprintable()) | st.just("no: yes # \x85 \u2028")
)
def test_any_name_stays_what_it_is(name: str) -> None:
    block = front_matter(
        About(name, licence_named("MIT")),
        kind="series",
        language="no",
        extractive=False,
        parts={},
        columns=(),
    )
    assert not set(block) & set("\x7f\x85\u2028\u2029\r\x0b\x0c")  # each is a break or no YAML
    assert read_yaml(block)["pretty_name"] == name


@pytest.mark.parametrize(
    ("rows", "category"),
    [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (39408, "10K<n<100K"), (10**12, "100M<n<1B")],
)
def test_sizes(rows: int, category: str) -> None:
    assert size_category(rows) == category
