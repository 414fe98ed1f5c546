"""The table of public tests: licences, hashes, and addresses at a mirror."""

import gzip
import hashlib
import re
from importlib import resources
from pathlib import Path
from tomllib import loads

import msgspec
import pytest

from readmark.core.errors import UsageError
from readmark.formats.registry import FORMATS
from readmark.making.get import public_tests as public
from readmark.making.get.mirror import mirrored
from small_store import known


@pytest.mark.parametrize(
    ("licence", "restricted"),
    [
        ("CC BY-SA 4.0", False),
        ("cc-by-nc-4.0", True),
        ("CC BY-NC-SA 4.0", True),
        ("non-commercial research use only", True),
        ("mit", False),
        ("apache-2.0", False),
        (None, False),
    ],
)
def test_licences_that_forbid_some_uses(licence: str | None, restricted: bool) -> None:
    assert public.is_restricted(licence) is restricted


@pytest.mark.parametrize(
    ("mirror", "address"),
    [
        ("http://h.example/a/", "http://h.example/a/data/kiln.json"),
        ("http://H.example:81", "http://h.example:81/data/kiln.json"),
        ("http://[::1]:81", "http://[::1]:81/data/kiln.json"),
        (
            "http://镜像.example/数据",
            "http://xn--o1q148n.example/%E6%95%B0%E6%8D%AE/data/kiln.json",
        ),
        ("http://h/a%20b", "http://h/a%20b/data/kiln.json"),
    ],
)
def test_addresses_at_a_mirror(mirror: str, address: str) -> None:
    assert mirrored(known().url, mirror) == address


@pytest.mark.parametrize(
    ("mirror", "words"),
    [
        ("http://bob:hunter2@h.example", "holds a user or password"),
        ("http://bob@h.example", "holds a user or password"),
        ("ftp://bob:hunter2@h.example", "holds a user or password"),
        ("bob:hunter2@h.example", "not an http or https address"),
        ("http://h.example/?key=hunter2", "not an http or https address"),
        ("http://[::1", "not an http or https address"),
        ("http://h:port", "not an http or https address"),
        (f"http://{'x' * 70}.example", "not an http or https address"),
        ("h.example", "'h.example' is not an http or https address"),
    ],
)
def test_a_mirror_that_is_none_tells_no_password(mirror: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        mirrored(known().url, mirror)
    assert "hunter2" not in str(caught.value)


def test_the_table_that_ships() -> None:
    file = resources.files("readmark.making.get").joinpath("data/public_tests.toml")
    tests = msgspec.convert(loads(file.read_text("utf-8")), dict[str, public.Fetchable])
    assert len(tests) >= 12
    for name, test in tests.items():
        assert test.url.startswith("https://"), name
        assert test.licence, name
        assert test.citation, name
        assert test.format is not None, name
        assert test.format in FORMATS, name
        assert test.language in ("en", "zh"), name
        assert test.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", test.sha256), name
        assert test.revision is None or test.revision in test.url, name
        assert test.restricted is public.is_restricted(test.licence), name


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("c3-d-dev", "c3/c3-d-dev.json"),
        ("c3-m-dev", "c3/c3-m-dev.json.gz"),
        ("cmrc2018-trial", "cmrc2018/trial.original.json.gz"),
    ],
)
def test_hashes_are_those_of_the_files(shared: Path, name: str, file: str) -> None:
    text = resources.files("readmark.making.get").joinpath("data/public_tests.toml")
    data = (shared / "data" / file).read_bytes()
    data = gzip.decompress(data) if file.endswith(".gz") else data
    assert loads(text.read_text("utf-8"))[name]["sha256"] == hashlib.sha256(data).hexdigest()
