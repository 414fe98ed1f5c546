"""Which file of a task's folder is for what, by where it lies and what it is called."""

from __future__ import annotations

from pathlib import PurePosixPath

from readmark.corpus.task_package import MANIFEST
from readmark.reasoning.provenance_reading import GRAPH_SUFFIX
from readmark.reasoning.rdf import SUFFIXES

ABOUT = "task.toml"
"""What the makers of a task write by hand; packing turns it into the manifest."""
RULES_SUFFIX = ".dsrs"
LAYOUT = {
    "documents/SPLIT/ID.txt": "a document, in UTF-8; its split and its id are in the path",
    "background/...": "texts without annotation, in any form",
    "ontology.ttl": "the ontology; also .owl, .rdf, .xml, .nt",
    "rules.dsrs": "the domain's rules",
    "annotations/...": "annotated graphs: .trig, .nq, .ttl, .rdf, .nt, or .graph",
    "guidelines.md": "what annotators and readers go by; any suffix",
    "queries.jsonl": "a query a line",
    "answers.SPLIT.jsonl": "an answer a line: the gold for the documents of that split",
    "decomposition.toml": "the domain's additive quantities",
}
"""The names that packing knows."""

_NAMED = {
    "ontology": "ontology",
    "guidelines": "guidelines",
    "queries": "queries",
    "decomposition": "decomposition",
}
_ANSWERS = ("answers", "gold")


def role_of(path: str) -> tuple[str, str | None]:
    """The role of a file and the split that its path names, whatever the case of known names."""
    parts = PurePosixPath(path).parts
    top = parts[0].lower()
    suffix = PurePosixPath(path).suffix.lower()
    if top == "documents" and suffix == ".txt":
        return "document", parts[1] if len(parts) > 2 else None
    if top == "background":
        return "background", None
    if top == "annotations" and (suffix in SUFFIXES or suffix == GRAPH_SUFFIX):
        return "annotations", parts[1] if len(parts) > 2 else None
    if len(parts) > 1:
        return "other", None
    first, *middle = PurePosixPath(path).name.split(".")
    stem = first.lower()
    if stem in _ANSWERS and suffix == ".jsonl":
        return "answers", middle[0] if len(middle) > 1 else None
    if suffix == RULES_SUFFIX:
        return "rules", None
    expected = {"ontology": (*SUFFIXES,), "queries": (".jsonl",), "decomposition": (".toml",)}
    if stem in _NAMED and (stem not in expected or suffix in expected[stem]):
        return _NAMED[stem], None
    return "other", None


def document_id(path: str) -> str:
    """The id of a document: what its path says below the split, without the suffix."""
    parts = PurePosixPath(path).with_suffix("").parts
    return "/".join(parts[2:] if len(parts) > 2 else parts[1:])


def is_own(path: str) -> bool:
    """Whether a file is the task's description itself."""
    return path in (MANIFEST, ABOUT)
