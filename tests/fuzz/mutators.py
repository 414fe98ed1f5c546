"""Mutators: files spoilt as their syntax allows, or byte by byte.

``mutate(name, data, rng)`` chooses by the suffix. What is packed is unpacked first, so that the
members of an archive are spoilt as well as the archive.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, MutableMapping, MutableSequence
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any

import zstandard


class Raw(str):
    """JSON text that no encoder writes: NaN, half a surrogate pair, a duplicate member."""


LONG = "long 长 " * 2_000
TEXTS = (
    "",
    " ",
    "x",
    "0",
    "-1",
    "null",
    "\0",
    "\n",
    "a\r\nb\tc",
    "\u2028",
    "\ufeff",
    "\u202e",
    "=1+1",
    "@x",
    "<b>&amp;",
    "../../x",
    "/",
    ".",
    "a b",
    "😀",
    "e\u0301",
    "北京",
    "%s{0}",
    "[1]",
    *("train", "test", "en", "zh", "xx", "1e400", "١", "²", "nan", "True", "p(q=1)", LONG),
)
NUMBERS = (0, 1, -1, 2, 7, 255, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**30, 0.5, -0.0)
JSON_VALUES: tuple[Any, ...] = (
    *(None, True, False, [], {}, [None], [[]], [""], {"": None}, {"id": "x"}, [{}], [1, "a"]),
    *(*NUMBERS, 1e308, 1e-320, *TEXTS),
    *(Raw("NaN"), Raw("Infinity"), Raw("1e999"), Raw('"\\ud800"'), Raw('"\\u0000"')),
    *(Raw("[" * 900 + "]" * 900), Raw('{"a":' * 5_000 + "1" + "}" * 5_000), Raw("01"), Raw("")),
)


def mutate(name: str, data: bytes, rng: Random) -> bytes:
    """The file spoilt in one to three ways."""
    spoil = by_suffix(name)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = (spoil if rng.random() < 0.92 else spoil_bytes)(data, rng)
    return data


def by_suffix(name: str) -> Callable[[bytes, Random], bytes]:
    """The mutator of a file's syntax; unknown syntax is text."""
    path = PurePosixPath(name.lower())
    if path.suffix in PACKINGS:
        unpack, pack = PACKINGS[path.suffix]
        inner = by_suffix(path.stem)

        def spoil_inside(data: bytes, rng: Random) -> bytes:
            try:
                return pack(inner(unpack(data), rng))
            except UNPACKABLE:
                return spoil_bytes(data, rng)

        return spoil_inside
    return SYNTAXES.get(path.suffix, spoil_text)


def spoil_bytes(data: bytes, rng: Random) -> bytes:
    """Bytes flipped, cut, inserted, repeated, or nothing left."""
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((1, 1, 2, 8, 100)))
    odd = (
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\r",
        b"\n",
        b"\xc3",
        b'"',
        b"{",
        b"]",
    )
    match rng.randrange(8):
        case 0:
            return data[:start]
        case 1:
            return data[:start] + data[end:]
        case 2:
            return data[:start] + rng.choice(odd) + data[start:]
        case 3:
            return data[:end] + data[start:end] * rng.choice((1, 3, 50)) + data[end:]
        case 4:
            return data[:start] + rng.randbytes(end - start) + data[end:]
        case 5:
            return rng.choice((b"", b"\n", b"\xff\xfe", data + data, data[::-1][:64]))
        case 6:
            return b"\xef\xbb\xbf" + data
        case _:
            return data[:start] + rng.choice(odd) + data[start + 1 :]


# JSON


def spoil_json(data: bytes, rng: Random) -> bytes:
    """A JSON document with a member dropped, doubled, swapped, retyped or replaced."""
    try:
        document = [json.loads(data)]
        _spoil_value(document, rng)
        return json_bytes(document[0]) if document else b""
    except (ValueError, RecursionError):
        return spoil_bytes(data, rng)


def spoil_json_lines(data: bytes, rng: Random) -> bytes:
    """JSON Lines with one line spoilt, the first and the last more often; or the lines."""
    lines = data.split(b"\n")
    if rng.random() < 0.15 or len(lines) < 2:
        return spoil_lines(data, rng)
    last = len(lines) - 2
    index = rng.choice((0, last, *[rng.randint(0, last) for _ in range(3)]))
    lines[index] = spoil_json(lines[index], rng)
    return b"\n".join(lines)


def json_bytes(value: Any) -> bytes:
    """JSON of a value, with its raw pieces as they are."""
    pieces: list[str] = []

    def marked(value: Any) -> Any:
        if isinstance(value, Raw):
            pieces.append(value)
            return f"\x01{len(pieces) - 1}\x01"
        if isinstance(value, dict):
            return {key: marked(member) for key, member in value.items()}
        return [marked(member) for member in value] if isinstance(value, list) else value

    text = json.dumps(marked(value), ensure_ascii=False)
    for index, piece in enumerate(pieces):
        text = text.replace(f'"\\u0001{index}\\u0001"', piece)
    return text.encode("utf-8", "surrogatepass")


Container = MutableMapping[Any, Any] | MutableSequence[Any]


def _places(
    container: Container, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Container, Any]]:
    """Every member of a document: its path without list indexes, its container and key."""
    keys = list(container) if isinstance(container, dict) else range(len(container))
    for key in keys:
        here = (*path, key if isinstance(container, dict) else "*")
        yield here, container, key
        if isinstance(container[key], (dict, list)):
            yield from _places(container[key], here)


def _spoil_value(document: list[Any], rng: Random) -> None:
    by_path: dict[tuple[str, ...], list[tuple[Container, Any]]] = {}
    for path, *place in _places(document):
        by_path.setdefault(path, []).append((place[0], place[1]))
    paths = list(by_path)  # a member that every row has is spoilt no more often than a rare one
    places = [place for group in by_path.values() for place in group]
    container, key = rng.choice(by_path[rng.choice(paths)])
    other_container, other_key = rng.choice(places)
    value, other = container[key], other_container[other_key]
    match rng.randrange(10):
        case 0:
            del container[key]
        case 1 if isinstance(container, dict):
            again = rng.choice((value, *JSON_VALUES))
            name = json.dumps(key)
            raw = f"{_text(value)}, {name}: {_text(again)}"
            container[key] = Raw(raw)
        case 1:
            container.insert(rng.randrange(len(container) + 1), value)  # type: ignore[union-attr]
        case 2:
            container[key] = _retyped(value, rng)
        case 3 if not isinstance(other, (dict, list)):
            container[key] = other  # a scalar from elsewhere: ids that collide, offsets elsewhere
        case 4 if not isinstance(value, (dict, list)) and not isinstance(other, (dict, list)):
            container[key], other_container[other_key] = other, value
        case 5 if isinstance(container, dict):
            container[rng.choice((*TEXTS, *(one for _, one in places if isinstance(one, str))))] = (
                container.pop(key)
            )
        case 6 if isinstance(value, (int, float)) and not isinstance(value, bool):
            container[key] = rng.choice(
                (value + 1, value - 1, -value, value * 1000, value + 0.5, str(value))
            )
        case 6 | 7 if isinstance(value, str):
            container[key] = _spoilt_string(value, rng)
        case 8 if isinstance(value, (str, int, float)):
            container[key] = rng.choice(TEXTS if isinstance(value, str) else NUMBERS)
        case _:
            container[key] = rng.choice(JSON_VALUES)


def _text(value: Any) -> str:
    return json_bytes(value).decode("utf-8", "surrogatepass")


def _retyped(value: Any, rng: Random) -> Any:
    choices: list[Any] = [[value], {"value": value}, {"id": value}, [value, value]]
    if isinstance(value, dict):
        choices += [list(value.values()), list(value), list(value.items()), *value.values()]
    elif isinstance(value, list):
        choices += [{str(index): one for index, one in enumerate(value)}, *value, value[::-1]]
    else:
        choices += [str(value), len(str(value)), [*str(value)][:50], {str(value): value}]
    return rng.choice(choices)


def _spoilt_string(value: str, rng: Random) -> str:
    cut = rng.randrange(len(value) + 1)
    return rng.choice(
        (
            value[:cut],
            value[cut:],
            value * 2,
            value.upper(),
            value[::-1],
            value[:cut] + rng.choice(TEXTS) + value[cut:],
            value.replace(" ", "\u00a0"),
            value + "\n",
        )
    )


# Lines, tables, markup, tokens


def spoil_lines(data: bytes, rng: Random) -> bytes:
    """Lines cut, swapped, repeated, joined, ended otherwise."""
    lines = data.split(b"\n")
    here, there = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(10):
        case 0:
            del lines[here]
        case 1:
            lines.insert(there, lines[here])
        case 2:
            lines[here], lines[there] = lines[there], lines[here]
        case 3:
            lines[here] = lines[here][: rng.randrange(len(lines[here]) + 1)]
        case 4:
            return data.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"", b"\x85")))
        case 5:
            lines[here] *= rng.choice((2, 3, 200))
        case 6:
            lines[here] += rng.choice((b"\0", b"\xff", b"\t", b" ", b"\xe4\xb8", b"\\", b"#"))
        case 7:
            lines = lines[: here + 1]
        case 8:
            rng.shuffle(lines)
        case _:
            lines[here] = rng.choice(TEXTS).encode()
    return b"\n".join(lines)


def spoil_table(data: bytes, rng: Random) -> bytes:
    """A table with cells, rows and columns that do not fit."""
    if rng.random() < 0.2:
        return spoil_lines(data, rng)
    try:
        text = data.decode("utf-8-sig")
        tab = "\t" if "\t" in text.partition("\n")[0] else ","
        rows = list(csv.reader(io.StringIO(text), delimiter=tab))
    except (UnicodeDecodeError, csv.Error):
        return spoil_bytes(data, rng)
    filled = [index for index, row in enumerate(rows) if row]
    if not filled:
        return spoil_bytes(data, rng)
    row = rows[rng.choice(filled)]
    column = rng.randrange(len(row))
    match rng.randrange(8):
        case 0:
            rows = [[cell for index, cell in enumerate(row) if index != column] for row in rows]
        case 1:
            rows = [row + row[column : column + 1] for row in rows]
        case 2:
            row += [rng.choice(TEXTS)] * rng.choice((1, 3))
        case 3:
            del row[column:]
        case 4:
            row[column] = rng.choice(rows[rng.choice(filled)] or [""])
        case 5:
            rows.append(list(row))
        case 6:
            row[column] = _spoilt_string(row[column], rng)
        case _:
            row[column] = str(rng.choice((*TEXTS, *NUMBERS)))
    out = io.StringIO()
    csv.writer(out, delimiter=tab, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", "surrogatepass")


MARKUP = (
    "<",
    ">",
    "</",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<x>",
    "</x>",
    "<a b=c",
    "<?xml",
    "</a></b>",
    "&",
    "&bogus;",
    "&#0;",
    "&#x110000;",
    "&#xd800;",
    "&lt;",
    "<script>",
    "<br/>",
    "\0",
    "<q/>",
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;</x>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<?xml version="1.0" encoding="bogus"?>',
    "<d>" * 3_000,
)
TAG = re.compile(rb"<[^<>]*>|&\w+;")


def spoil_markup(data: bytes, rng: Random) -> bytes:
    """Tags dropped, doubled, swapped or left open; entities of every sort."""
    tags = list(TAG.finditer(data))
    if not tags or rng.random() < 0.25:
        return spoil_text(data, rng)
    (first, last), (start, end) = (rng.choice(tags).span() for _ in range(2))
    odd = rng.choice(MARKUP).encode()
    return rng.choice(
        (
            data[:first] + data[last:],
            data[:last] + data[first:],
            data[:first] + data[start:end] + data[last:],
            data[:first] + odd + data[first:],
            data[:first] + odd + data[last:],
            data[: last - 1] + data[last:],
            data[:last],
            odd + data,
        )
    )


TOKEN = re.compile(rb'"[^"\n]*"|<[^<>\n]*>|[\w?:.#@-]+|[^\w\s]|[ \t]+|\n+')
TOKENS = (
    "(",
    ")",
    '"',
    "'",
    "\\",
    "\t",
    "\n",
    "\n\n",
    ":",
    ";",
    ".",
    "?x",
    "_:b",
    "@prefix",
    "^^",
    "#",
    "<http://x y>",
    "<",
    '"""',
    "[]",
    "[",
    "]",
    "{",
    "}",
    "=",
    "-",
    "0",
    "-1",
    "1e400",
    "true",
    "mrq:add",
    "type",
    "contradicts",
    ":rule",
    ":if",
    ":then",
    ":if-not",
    "owl:sameAs",
    "a",
    *("9" * 400, "(" * 3_000, "[" * 3_000, *TEXTS),
)


def spoil_text(data: bytes, rng: Random) -> bytes:
    """Words and signs dropped, doubled, swapped or replaced."""
    if rng.random() < 0.25:
        return spoil_lines(data, rng)
    tokens = TOKEN.findall(data) or [data]
    here, there = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    match rng.randrange(6):
        case 0:
            del tokens[here]
        case 1:
            tokens[here] = tokens[there]
        case 2:
            tokens[here], tokens[there] = tokens[there], tokens[here]
        case 3:
            tokens.insert(here, tokens[there])
        case 4:
            tokens.insert(here, rng.choice(TOKENS).encode())
        case _:
            tokens[here] = rng.choice(TOKENS).encode()
    return b"".join(tokens)


# What is packed

MEMBER_NAMES = (
    *("../x", "/x", "a//b", "x/", ".", "x\0y", "é", "n" * 300, "con:", "a\\b", "header.json"),
)
UNPACKABLE = (OSError, EOFError, ValueError, zlib.error, zstandard.ZstdError, lzma.LZMAError)


def spoil_zip(data: bytes, rng: Random) -> bytes:
    """An archive with a member spoilt, dropped, doubled, renamed, or packed as nobody unpacks."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info, archive.read(info)) for info in archive.infolist()]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, *UNPACKABLE):
        return spoil_bytes(data, rng)
    if not members:
        return spoil_bytes(data, rng)
    index = rng.randrange(len(members))
    info, content = members[index]
    chosen = rng.choice(("member",) * 8 + ("drop", "double", "rename", "rename", "flags", "method"))
    if chosen == "drop":
        del members[index]
    elif chosen == "double":
        members.append((info, mutate(info.filename, content, rng)))
    elif chosen == "rename":
        names = (*MEMBER_NAMES, *(info.filename for info, _ in members), info.filename.upper())
        renamed = zipfile.ZipInfo(rng.choice(names))
        renamed.compress_type = info.compress_type
        members[index] = (renamed, content)
    else:
        members[index] = (info, mutate(info.filename, content, rng))
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as archive:
        warnings.simplefilter("ignore")  # names that are there twice are the point
        for member, content in members:
            archive.writestr(member, content, compress_type=zipfile.ZIP_DEFLATED)
    packed = bytearray(out.getvalue())
    start = packed.find(b"PK\x01\x02")
    if start >= 0 and chosen == "flags":
        packed[start + 8] |= 1  # encrypted, as the directory states
    if start >= 0 and chosen == "method":
        packed[start + 10] = rng.choice((1, 9, 12, 14, 93, 99))
    return bytes(packed)


def spoil_parquet(data: bytes, rng: Random) -> bytes:
    """A table with a column dropped, renamed, retyped or emptied; or its bytes."""
    import duckdb

    changes = (
        "* EXCLUDE ({c})",
        "* RENAME ({c} AS odd)",
        "* REPLACE (CAST({c} AS VARCHAR) AS {c})",
        "* REPLACE (NULL AS {c})",
        "* REPLACE ([{c}] AS {c})",
        "* REPLACE ({{'a': {c}}} AS {c})",
        "* REPLACE (7 AS {c})",
        "* REPLACE (CAST('x' AS BLOB) AS {c})",
        "* REPLACE (1e308 AS {c})",
        "* REPLACE ('a' || chr(0) AS {c})",
        "* REPLACE (DATE '2001-02-03' AS {c})",
    )
    if not data.startswith(b"PAR1") or rng.random() < 0.3:
        return spoil_bytes(data, rng)
    settings = {"threads": 1}
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config=settings) as database:
        before, after = Path(folder, "before.parquet"), Path(folder, "after.parquet")
        before.write_bytes(data)
        try:
            table = database.read_parquet(str(before))
            column = '"' + rng.choice(table.columns).replace('"', '""') + '"'
            select = rng.choice(changes).format(c=column)
            rows = rng.choice(("", "", "", " WHERE false", f" WHERE {column} IS NULL"))
            database.sql(f"SELECT {select} FROM table{rows}").write_parquet(str(after))
            return after.read_bytes()
        except duckdb.Error:
            return spoil_bytes(data, rng)


def _unzstd(data: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompressobj().decompress(data)


Packing = tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]
PACKINGS: dict[str, Packing] = {
    ".gz": (gzip.decompress, lambda data: gzip.compress(data, mtime=0)),
    ".zst": (_unzstd, zstandard.ZstdCompressor().compress),
    ".bz2": (bz2.decompress, bz2.compress),
    ".xz": (lzma.decompress, lzma.compress),
}
SYNTAXES: dict[str, Callable[[bytes, Random], bytes]] = {
    ".json": spoil_json,
    ".jsonld": spoil_json,
    ".jsonl": spoil_json_lines,
    ".csv": spoil_table,
    ".tsv": spoil_table,
    ".conllu": spoil_table,
    ".xml": spoil_markup,
    ".html": spoil_markup,
    ".rdf": spoil_markup,
    ".coref": spoil_markup,
    ".ne": spoil_markup,
    ".snra": spoil_markup,
    ".zip": spoil_zip,
    ".eval": spoil_zip,
    ".xlsx": spoil_zip,
    ".parquet": spoil_parquet,
}
"""By suffix; everything else is text: Turtle, rules, graphs, TOML, wikitext, plain text."""
