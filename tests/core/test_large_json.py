"""Large JSON documents: read piece by piece they are what they are when decoded whole."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from readmark.core import large_json, source
from readmark.core.errors import DataError
from readmark.core.files import read_json
from readmark.core.large_json import LargeArray, read_large, read_sample
from readmark.core.problems import Problem
from readmark.core.source import Source
from readmark.formats.registry import open_test, save_test
from strategies import cmrc2018_documents, random_tests, squad_documents

SQUAD = ("data", "[]", "paragraphs", "[]")
SHARED = Path(__file__).parents[3] / "shared" / "data"
PUBLIC = sorted([*SHARED.glob("cmrc2018/*.json"), *SHARED.glob("xquad/*.json")])
IN_ONE_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every document is large, and so is whatever has more than a few bytes."""
    monkeypatch.setattr(large_json, "WHOLE", 0)
    monkeypatch.setattr(large_json, "PIECE", 24)
    monkeypatch.setattr(large_json, "BLOCK", 8)


def held(value: Any) -> Any:
    """A value with every array in it read."""
    if isinstance(value, (list, LargeArray)):
        return [held(one) for one in value]
    return {name: held(one) for name, one in value.items()} if isinstance(value, dict) else value


def outcome(read: Any) -> tuple[str, Any]:
    """The value as JSON, which tells 1 from 1.0 and true; or the error."""
    try:
        return "value", json.dumps(held(read()))
    except DataError as error:
        return "error", str(error)


def same(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    whole = outcome(lambda: read_json(path))
    for route in (SQUAD, ("[]",), ()):
        assert outcome(lambda route=route: read_large(path, route)) == whole


BROKEN = [
    b"", b" ", b"nul", b"01", b"[1,2", b"[1 2]", b"[1,]", b"[,1]", b"[1}", b'{"a" 1}', b'{"a":1,}',
    b'{"a":1 "b":2}', b'{1:2}', b'{"a"', b'{"a":', b"{", b"[", b"[1]x", b"[1] ]", b"[NaN]",
    b"[1e999]", b"[-]", b'["\\ud800"]', b'["\\ud800", 1, 2, "and quite a lot more text here"]',
    b'["a\nb"]', b'["\\q"]', b'["\xff"]', b'[1 2, "\xff"]', b'["\xe6\x96"]', b'{"a":"\xff","b" 1}',
    b"\xef\xbb\xbf[1\n,\n2 3]", b'["\\q", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 14]',
    b"[" * 100_000, b'{"data":[{"paragraphs":[1,2,3,4,5,6,7,8,9,10,11,12,13,14 "\xe6\x96\x87"]}]}',
]  # fmt: skip
SOUND = [
    b"\xef\xbb\xbf[1]", b" [ ] ", b"{}", b'"a"', b"12", b"[" + b" " * 100 + b"]", b"1" + b" " * 99,
    b'{"data":[1],"data":[{"paragraphs":[],"paragraphs":[1,2,3,4,5,6,7,8,9,10]}],"version":1}',
    b'{"_": 0.0, "data": [-1.5e3, true, false, null, -0.25E-2, 1e5], "b": [0.5, 0.25, -1]}',
    b"[123456789012345678901234567890, 18446744073709551615, 1.5e300, -0.0]",
    '["文", "\\ud83d\\ude00", "\\u0000", "a long text that is longer than a piece: 文字"]'.encode(),
    b'{"a":{"b":{"c":[[[1,2,3],[4,5,6]],[[7,8,9],[0,1,2,3,4,5]]]}},"data":{"paragraphs":[1]}}',
]  # fmt: skip


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("data", [*BROKEN, *SOUND])
def test_pieces_are_the_whole(tmp_path: Path, data: bytes) -> None:
    same(tmp_path / "t.json", data)


@pytest.mark.usefixtures("small_pieces")
@IN_ONE_FOLDER
@given(document=squad_documents() | cmrc2018_documents(), indent=st.sampled_from([None, 1]))
def test_documents_in_pieces(tmp_path: Path, document: Any, indent: int | None) -> None:
    same(tmp_path / "t.json", json.dumps(document, ensure_ascii=False, indent=indent).encode())


@pytest.mark.usefixtures("small_pieces")
@IN_ONE_FOLDER
@example(document={"data": [1]}, at=9, cut=0, put=b",")
@given(
    document=squad_documents() | cmrc2018_documents(),
    at=st.integers(0, 2000),
    cut=st.integers(0, 8),
    put=st.sampled_from(
        [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\xff", b"1", b"\n", b""]
    )
    | st.binary(max_size=4),
)
def test_mutated_documents_in_pieces(
    tmp_path: Path, document: Any, at: int, cut: int, put: bytes
) -> None:
    data = json.dumps(document, ensure_ascii=False).encode()
    at %= len(data) + 1
    same(tmp_path / "t.json", data[:at] + put + data[at + cut :])


def read(path: Path) -> list[Any]:
    """What a reader makes of a file: header, records, what it reports; or its error."""
    problems: list[Problem] = []
    try:
        test = open_test(path)
        return [test.header, [*test.stream(problems.append)], problems]
    except DataError as error:
        return [str(error)]


@pytest.mark.usefixtures("small_pieces")
@IN_ONE_FOLDER
@given(document=squad_documents() | cmrc2018_documents(), suffix=st.sampled_from(["", ".gz"]))
def test_tests_in_pieces(tmp_path: Path, document: Any, suffix: str) -> None:
    path = tmp_path / f"t.json{suffix}"
    data = json.dumps(document).encode()
    path.write_bytes(gzip.compress(data) if suffix else data)
    pieces = read(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_json, "WHOLE", 1 << 20)
        assert read(path) == pieces


@pytest.mark.slow
@pytest.mark.usefixtures("small_pieces")
@IN_ONE_FOLDER
@given(test=random_tests("squad2"))
def test_written_and_read_in_pieces(tmp_path: Path, test: Any) -> None:
    save_test(test, tmp_path / "t.json", format="squad2")
    json.loads((tmp_path / "t.json").read_bytes())
    assert read(tmp_path / "t.json")[1] == [
        (passage.id, passage) for passage in open_test(tmp_path / "t.json").records()
    ]


@pytest.mark.skipif(not PUBLIC, reason="the public sets are not here")
def test_public_sets_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in PUBLIC:
        whole = read(path)
        with monkeypatch.context() as patch:
            patch.setattr(large_json, "WHOLE", 0)
            patch.setattr(large_json, "PIECE", 1 << 12)
            patch.setattr(large_json, "BLOCK", 1 << 12)
            assert read(path) == whole


@pytest.mark.usefixtures("small_pieces")
def test_json_lines_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(b'{"id": "a"}\n{"id": "b"}\n')
    with pytest.raises(DataError, match=r"t\.json:1: JSON Lines without a header"):
        Source(path).json_along("data")


def test_recognition_holds_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_json, "WHOLE", 0)
    monkeypatch.setattr(large_json, "PIECE", 1 << 10)
    monkeypatch.setattr(large_json, "BLOCK", 1 << 8)
    monkeypatch.setattr(large_json, "ENOUGH", 1 << 10)
    path = tmp_path / "t.json"
    path.write_text(json.dumps([{"context_text": "x" * 50}] * 500))
    assert len(read_sample(path)) == large_json.SAMPLE
    path.write_text(json.dumps({"data": [1] * 5000, "version": "v2.0"}))
    sample = read_sample(path)
    assert (len(sample["data"]), sample["version"]) == (large_json.SAMPLE, "v2.0")
    path.write_text(json.dumps({f"id{at}": "an answer" for at in range(5000)}))
    assert 10 < len(read_sample(path)) < 200


def articles(count: int, *, titled: bool) -> Iterator[bytes]:
    for at in range(count):
        text = f"Rye grows in field {at}. " * 160
        asked = [
            {"id": f"q{at}-{number}", "question": "What grows?",
             "answers": [{"text": "Rye", "answer_start": 0}]}
            for number in range(5)
        ]  # fmt: skip
        paragraph = {"context": text, "qas": asked}
        article = {"title": f"Rye {at}", "paragraphs": [paragraph]}
        yield json.dumps(article if titled else paragraph).encode()


@pytest.mark.parametrize("titled", [True, False])
def test_conversion_holds_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, titled: bool
) -> None:
    """Of 2.5 MB, in many articles or in a single one, a small part is held in either direction."""
    monkeypatch.setattr(large_json, "WHOLE", 1 << 18)
    monkeypatch.setattr(large_json, "PIECE", 1 << 17)
    monkeypatch.setattr(large_json, "BLOCK", 1 << 16)
    monkeypatch.setattr(source, "LONG_LINE", 1 << 16)
    data = b",".join(articles(600, titled=titled))
    document, native = tmp_path / "t.json", tmp_path / "t.jsonl"
    opening, closing = (b"", b"") if titled else (b'{"paragraphs":[', b"]}")
    document.write_bytes(b'{"version":"1.1","data":[' + opening + data + closing + b"]}")
    (tmp_path / "small.json").write_bytes(b'{"data":[' + next(articles(1, titled=True)) + b"]}")
    save_test(open_test(tmp_path / "small.json"), tmp_path / "small.jsonl")  # imports everything
    for made_from, target, format in (
        (document, native, "native"),
        (native, tmp_path / "b.json", "squad"),
    ):
        tracemalloc.start()
        save_test(open_test(made_from), target, format=format)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 0.8 * len(data)
    assert json.loads((tmp_path / "b.json").read_bytes()) == json.loads(document.read_bytes())
