"""Statements of tasks and files under a theory and an ontology: the ground of every question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.files import read_bytes
from readmark.corpus.source import Source
from readmark.reasoning.engine.inference import Inference, infer, infer_quads
from readmark.reasoning.engine.quads import SUFFIXES as QUADS
from readmark.reasoning.graphs import Asserted
from readmark.reasoning.namespaces import Namespaces
from readmark.reasoning.ontology import Ontology
from readmark.reasoning.owl import read_ontology
from readmark.reasoning.provenance_reading import GRAPH_SUFFIX, read_annotated
from readmark.reasoning.rdf import SUFFIXES
from readmark.reasoning.rules import Theory, parse_rules
from readmark.reasoning.rules.renaming import rename_theory
from readmark.setting.tasks.package import Package, open_package
from readmark.workflows.task_pack import domain_folder

PROVENANCE = ("oa:hasBody", "rm:graph", "prov:wasAttributedTo")
"""Properties by which a file of quads says more than statements."""


@dataclass(frozen=True)
class Ground:
    """What was inferred, with the names and the documents it is about; closed after use."""

    inference: Inference
    namespaces: Namespaces
    theory: Theory
    documents: Mapping[str, str] = field(default_factory=dict)

    def __enter__(self) -> Ground:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        wrong: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.inference.close()


def ground(
    inputs: Sequence[str],
    *,
    rules: Sequence[str] = (),
    ontology: str | None = None,
    domain: str | None = None,
) -> Ground:
    """Reads tasks and files of statements, and infers.

    Rules and ontology are those of the tasks and of the domain, with the files that are named.
    """
    packages = {path: open_package(path) for path in inputs if Source(path).folder is not None}
    meaning = _ontology(ontology, domain, packages)
    namespaces = meaning.namespaces if meaning is not None else Namespaces()
    theory = rename_theory(_theory(rules, domain, packages), namespaces.canonical)
    inference = None
    if len(inputs) == 1 and Path(inputs[0]).suffix.lower() in QUADS and Path(inputs[0]).is_file():
        inference = _of_quads(Path(inputs[0]), theory, meaning, namespaces)
    if inference is None:
        asserted = _asserted(inputs, packages, namespaces)
        inference = infer(asserted, theory, meaning)
    documents = {id: text for one in packages.values() for id, text in one.documents.items()}
    return Ground(inference, namespaces, theory, documents)


def _of_quads(
    file: Path, theory: Theory, meaning: Ontology | None, namespaces: Namespaces
) -> Inference | None:
    inference = infer_quads(file, theory, meaning, namespaces=namespaces)
    if any(one in inference.store.tables for one in PROVENANCE):
        inference.close()
        return None
    return inference


def _asserted(
    inputs: Sequence[str], packages: Mapping[str, Package], namespaces: Namespaces
) -> Iterator[Asserted]:
    for path in inputs:
        if path in packages:
            yield from packages[path].asserted(namespaces)
            continue
        file = Path(path)
        if file.suffix.lower() not in (*SUFFIXES, GRAPH_SUFFIX):
            known = ", ".join([GRAPH_SUFFIX, *SUFFIXES])
            raise DataError(
                f"expected a task, or a file of statements that ends in one of {known}", file=path
            )
        found = read_annotated(read_bytes(path), file=path, namespaces=namespaces, graph=file.stem)
        yield from (one.asserted for one in found)


def _ontology(
    file: str | None, domain: str | None, packages: Mapping[str, Package]
) -> Ontology | None:
    if file is not None:
        return read_ontology(read_bytes(file), file=file)
    if domain is not None:
        for one in sorted(domain_folder(domain).glob("ontology.*")):
            return read_ontology(one.read_bytes(), file=str(one))
    found = [one for one in (package.ontology() for package in packages.values()) if one]
    if len(found) > 1:
        raise UsageError("several tasks have an ontology: name one with --ontology")
    return found[0] if found else None


def _theory(files: Sequence[str], domain: str | None, packages: Mapping[str, Package]) -> Theory:
    found = [_rules(read_bytes(file), file) for file in files]
    if domain is not None:
        for one in sorted(domain_folder(domain).glob("*.dsrs")):
            found.append(_rules(one.read_bytes(), str(one)))
    found += [theory for theory in (one.theory() for one in packages.values()) if theory]
    if not found:
        return Theory("Theory")
    rules = tuple(rule for theory in found for rule in theory.rules)
    names = [rule.name for rule in rules]
    if len(set(names)) < len(names):  # Unnamed rules of several files have the same numbers.
        rules = tuple(replace(rule, name=f"{at}: {rule.name}") for at, rule in enumerate(rules, 1))
    return Theory(found[0].name, rules, found[0].file)


def _rules(data: bytes, file: str) -> Theory:
    try:
        return parse_rules(data.decode("utf-8"), file)
    except UnicodeDecodeError as wrong:
        raise DataError(f"not valid UTF-8 (byte {wrong.start + 1})", file=file) from None
