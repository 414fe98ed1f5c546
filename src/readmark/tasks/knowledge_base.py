"""Statements of tasks and files with what follows from them: what queries are answered from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes
from readmark.core.source import Source
from readmark.core.splits import split_order
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.names import OA, PROV, RM
from readmark.tasks.package import Package
from readmark.tasks.reasoning.annotated_statements import NOTATIONS, read_annotated
from readmark.tasks.reasoning.blank_nodes import scoped, scopes
from readmark.tasks.reasoning.corpus import Corpus, gather
from readmark.tasks.reasoning.engine.batches import infer_batches
from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.engine.quads import SUFFIXES as QUADS
from readmark.tasks.reasoning.engine.quads import infer_quads
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.rdf import SUFFIXES
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory, rename_theory
from readmark.tasks.task_folder import open_task

PROVENANCE = ("oa:hasBody", "rm:graph", "prov:wasAttributedTo")
"""Properties by which a file of quads says more than statements: excerpts, graphs, annotators."""
PROVENANCE_IRIS = (f"{OA}hasBody", f"{RM}graph", f"{PROV}wasAttributedTo")


@dataclass(frozen=True)
class KnowledgeBase:
    """What was inferred, with the names and the documents it is about; closed after use."""

    inference: Inference
    namespaces: Namespaces
    theory: Theory
    documents: Mapping[str, str] = field(default_factory=dict)
    ontology: Ontology | None = None
    corpus: Corpus | None = None
    """All documents as one graph, where that was asked for."""

    def __enter__(self) -> KnowledgeBase:
        return self

    def __exit__(self, *_: object) -> None:
        self.inference.close()


@dataclass(frozen=True, kw_only=True)
class Reasoning:
    """What statements are read and inferred by, besides what their tasks say themselves."""

    rules: Sequence[str] = ()
    """Files of rules."""
    ontology: str | None = None
    """An OWL file."""
    domain: str | None = None
    """A domain that ships, by its name, or a folder, with an ontology and rules."""
    seconds: float = SECONDS
    """How long the rules may run, and a query or an explanation after them."""
    memory: int | None = None
    """The most bytes that rules and queries may use."""
    across: bool = False
    """Whether all documents are one graph, their entities linked as declared."""
    split: str | None = None
    """Of tasks, what is annotated in the documents of this split alone."""


def require_separate_output(
    output: str | None, inputs: Sequence[str], reasoning: Reasoning
) -> None:
    """Refuse to write over a file that is read."""
    require_distinct_files([output], [*inputs, *reasoning.rules, reasoning.ontology])


def knowledge_base(inputs: Sequence[str], reasoning: Reasoning | None = None) -> KnowledgeBase:
    """Reads tasks and files of statements, and infers.

    Rules and ontology are those of the tasks and of the domain, with the files that are named.
    """
    premises = _premises(inputs, reasoning or Reasoning())
    if premises.reasoning.across:
        return premises.across_documents(inputs)
    file = _only_quads(inputs)
    if file is not None:
        inference = infer_quads(file, premises.theory, premises.ontology, **premises.quad_settings)
        if not _has_provenance(inference):
            return premises.base(inference)
        # The quads describe statements with excerpts and annotators: read again, as such.
        inference.close()
    return premises.base(premises.infer(inputs))


def knowledge_batches(
    inputs: Sequence[str], reasoning: Reasoning | None = None
) -> Iterator[KnowledgeBase]:
    """The same in batches: a large file of quads is several knowledge bases of some graphs each.

    Each is closed when the next is asked for; the seconds are for each.
    """
    premises = _premises(inputs, reasoning or Reasoning())
    if premises.reasoning.across:
        with premises.across_documents(inputs) as whole:
            yield whole
        return
    file = _only_quads(inputs)
    if file is not None:
        batches = infer_batches(
            file,
            premises.theory,
            premises.ontology,
            whole=PROVENANCE_IRIS,
            **premises.quad_settings,
        )
        for batch in batches:
            if _has_provenance(batch):  # then the file is one batch
                break
            yield premises.base(batch)
        else:
            return
    with premises.base(premises.infer(inputs)) as whole:
        yield whole


@dataclass(frozen=True)
class _Premises:
    """What inputs and settings say, before anything is inferred."""

    packages: Mapping[str, Package]
    ontology: Ontology | None
    namespaces: Namespaces
    theory: Theory
    reasoning: Reasoning

    @property
    def quad_settings(self) -> dict[str, Any]:
        """How a file of quads is inferred over."""
        limits = {"seconds": self.reasoning.seconds, "memory": self.reasoning.memory}
        return {"namespaces": self.namespaces, **limits}

    def infer(self, inputs: Sequence[str]) -> Inference:
        """Each document a graph of its own."""
        asserted = _asserted(inputs, self.packages, self.namespaces, self.reasoning.split)
        seconds, memory = self.reasoning.seconds, self.reasoning.memory
        return infer(asserted, self.theory, self.ontology, seconds=seconds, memory=memory)

    def across_documents(self, inputs: Sequence[str]) -> KnowledgeBase:
        """All documents as one graph."""
        corpus = gather(
            _asserted(inputs, self.packages, self.namespaces, self.reasoning.split),
            self.theory,
            self.ontology,
            seconds=self.reasoning.seconds,
            memory=self.reasoning.memory,
        )
        return replace(self.base(corpus.inference), corpus=corpus)

    def base(self, inference: Inference) -> KnowledgeBase:
        documents = {
            id: text for package in self.packages.values() for id, text in package.documents.items()
        }
        return KnowledgeBase(inference, self.namespaces, self.theory, documents, self.ontology)


def _premises(inputs: Sequence[str], reasoning: Reasoning) -> _Premises:
    packages = {path: open_task(path) for path in inputs if Source(path).folder is not None}
    if reasoning.split is not None:
        _require_split(reasoning.split, inputs, packages)
    ontology = _ontology(reasoning, packages)
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    theory = rename_theory(_theory(reasoning, packages), namespaces.canonical)
    return _Premises(packages, ontology, namespaces, theory, reasoning)


def _require_split(split: str, inputs: Sequence[str], packages: Mapping[str, Package]) -> None:
    for path in inputs:
        if path not in packages:
            raise UsageError(f"--split is for tasks: {path} is a file of statements")
        splits = {name for name in packages[path].splits.values() if name is not None}
        if split not in splits:
            names = ", ".join(sorted(splits, key=split_order))
            hint = f"it has {names}" if names else "its documents name no splits"
            raise UsageError(f"{path} has no split {split!r}; {hint}")


def _only_quads(inputs: Sequence[str]) -> Path | None:
    """The file of quads, if there is no other input."""
    file = Path(inputs[0]) if len(inputs) == 1 else None
    return file if file and file.suffix.lower() in QUADS and file.is_file() else None


def _has_provenance(inference: Inference) -> bool:
    return any(name in inference.store.tables for name in PROVENANCE)


def _asserted(
    inputs: Sequence[str],
    packages: Mapping[str, Package],
    namespaces: Namespaces,
    split: str | None,
) -> Iterator[Asserted]:
    files = [path for path in inputs if path not in packages]
    stems = Counter(Path(path).stem for path in dict.fromkeys(files))
    scope_of = scopes(inputs)
    for path in inputs:
        if path in packages:
            splits = packages[path].splits
            for statement in packages[path].asserted(namespaces):
                # What is about no document, such as background, belongs to every split.
                if split is None or splits.get(statement.graph, split) == split:
                    yield scoped(statement, scope_of[path])
            continue
        file = Path(path)
        if file.suffix.lower() not in (*SUFFIXES, *NOTATIONS):
            suffixes = ", ".join([*NOTATIONS, *SUFFIXES])
            raise DataError(
                f"expected a task, or a file of statements that ends in one of {suffixes}",
                file=path,
            )
        # Files of one name in several folders are several graphs, called after their paths.
        graph = file.stem if stems[file.stem] == 1 else file.as_posix()
        annotated = read_annotated(
            read_bytes(path), file=path, namespaces=namespaces, graph=graph, texts=texts_near(file)
        )
        yield from (scoped(each.asserted, scope_of[path]) for each in annotated)


def texts_near(file: Path) -> dict[str, str]:
    """The document that a file of statements is called after, where its text is next to it."""
    text = file.with_suffix(".txt")
    return {file.stem: read_bytes(text).decode("utf-8", "replace")} if text.is_file() else {}


def _ontology(reasoning: Reasoning, packages: Mapping[str, Package]) -> Ontology | None:
    if reasoning.ontology is not None:
        return read_ontology(read_bytes(reasoning.ontology), file=reasoning.ontology)
    if reasoning.domain is not None:
        for file in sorted(domain_folder(reasoning.domain).glob("ontology.*")):
            return read_ontology(file.read_bytes(), file=str(file))
    ontologies = [
        ontology for ontology in (package.ontology() for package in packages.values()) if ontology
    ]
    if len(ontologies) > 1:
        raise UsageError("several tasks have an ontology: name one with --ontology")
    return ontologies[0] if ontologies else None


def _theory(reasoning: Reasoning, packages: Mapping[str, Package]) -> Theory:
    theories = [_rules(read_bytes(file), file) for file in reasoning.rules]
    if reasoning.domain is not None:
        files = sorted(domain_folder(reasoning.domain).glob("*.dsrs"))
        theories += [_rules(file.read_bytes(), str(file)) for file in files]
    theories += [theory for theory in (package.theory() for package in packages.values()) if theory]
    if not theories:
        return Theory("Theory")
    rules = tuple(rule for theory in theories for rule in theory.rules)
    names = [rule.name for rule in rules]
    if len(set(names)) < len(names):  # unnamed rules of several files have the same numbers
        rules = tuple(
            replace(rule, name=f"{index}: {rule.name}") for index, rule in enumerate(rules, 1)
        )
    return Theory(theories[0].name, rules, theories[0].file)


def _rules(data: bytes, file: str) -> Theory:
    try:
        return parse_rules(data.decode("utf-8"), file)
    except UnicodeDecodeError as error:
        where = data.count(b"\n", 0, error.start) + 1
        message = f"not valid UTF-8 (byte {error.start + 1})"
        raise DataError(message, file=file, where=where) from None
