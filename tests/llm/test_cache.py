"""Replies in a file: what is put there is there, and not every file will do."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.core.spent import Usage
from readmark.llm.cache import Cache, cache_key
from readmark.llm.endpoint import Message, Request, Worded
from readmark.llm.replies import Reply


def worded(unit: str) -> Worded:
    request = Request(unit, (Message("user", f"About {unit}?"),))
    body = {"model": "m", "messages": [{"role": "user", "content": f"About {unit}?"}], "seed": 3}
    return Worded(request, "text", body, cache_key("http://x/v1", unit, 0, body))


def test_what_was_put_is_there_for_the_next_who_opens_it(tmp_path: Path) -> None:
    asked = [worded(f"q{at}") for at in range(1200)]
    cache = Cache(tmp_path / "c.sqlite")
    for at, one in enumerate(asked[:1100]):
        cache.put(one, Reply(content=f"said {at}", usage=Usage(at, 2)))
    cache.flush()
    cache.put(asked[1100], Reply(content="after a flush"))
    cache.flush()
    assert cache.trouble is None
    found = Cache(tmp_path / "c.sqlite").get([one.key for one in asked])
    assert len(found) == 1101
    assert found[asked[7].key] == Reply(content="said 7", usage=Usage(7, 2), cached=True)
    assert found[asked[1100].key].content == "after a flush"


def test_the_key_tells_requests_apart() -> None:
    """By these bytes replies of earlier versions are found again."""
    one = worded("q1")
    assert one.key.hex().startswith("80653762b104696b")
    assert cache_key("http://x/v1", "q1", 1, one.body) != one.key
    assert cache_key("http://y/v1", "q1", 0, one.body) != one.key
    assert cache_key("http://x/v1", "q1", 0, {**one.body, "seed": 4}) != one.key
    assert cache_key("http://x/v1", "q1", 0, dict(reversed(one.body.items()))) == one.key


def test_an_empty_file_is_no_cache(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.touch()
    with pytest.raises(DataError, match=r"notes\.txt: the cache cannot be used: the file is empty"):
        Cache(path)
    assert path.stat().st_size == 0


def test_a_file_that_another_process_just_begins_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    assert Cache(tmp_path / "other.sqlite").get([b"nothing"]) == {}
    assert not (tmp_path / "other.sqlite").exists()  # looking makes no file
    Cache(tmp_path / "other.sqlite").open()
    begun = (tmp_path / "other.sqlite").read_bytes()
    path.touch()

    def begin() -> None:
        time.sleep(0.02)
        path.write_bytes(begun)

    thread = threading.Thread(target=begin)
    thread.start()
    assert Cache(path).get([b"nothing"]) == {}
    thread.join()
