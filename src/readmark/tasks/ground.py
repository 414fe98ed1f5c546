"""Statements of tasks and files under a theory and an ontology: the ground of every question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes
from readmark.core.source import Source
from readmark.core.splits import split_order
from readmark.tasks.names import OA, PROV, RM
from readmark.tasks.package import Package, domain_folder
from readmark.tasks.reasoning.corpus import Corpus, gather
from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.engine.quads import SUFFIXES as QUADS
from readmark.tasks.reasoning.engine.quads import infer_batches, infer_quads
from readmark.tasks.reasoning.graphs import Asserted, Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.provenance import NOTATIONS, read_annotated
from readmark.tasks.reasoning.rdf import SUFFIXES, scoped, scopes
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory, rename_theory
from readmark.tasks.task_folder import open_task

PROVENANCE = ("oa:hasBody", "rm:graph", "prov:wasAttributedTo")
"""Properties by which a file of quads says more than statements."""
ANNOTATING = (f"{OA}hasBody", f"{RM}graph", f"{PROV}wasAttributedTo")
"""Their IRIs."""


@dataclass(frozen=True)
class Ground:
    """What was inferred, with the names and the documents it is about; closed after use."""

    inference: Inference
    namespaces: Namespaces
    theory: Theory
    documents: Mapping[str, str] = field(default_factory=dict)
    ontology: Ontology | None = None
    """The ontology, where there is one."""
    corpus: Corpus | None = None
    """All documents as one graph, where that was asked for."""

    def __enter__(self) -> Ground:
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


def ground(inputs: Sequence[str], reasoning: Reasoning | None = None) -> Ground:
    """Reads tasks and files of statements, and infers.

    Rules and ontology are those of the tasks and of the domain, with the files that are named.
    """
    known = _given(inputs, reasoning or Reasoning())
    if known.reasoning.across:
        return known.together(inputs)
    file = _quads(inputs)
    if file is not None:
        inference = infer_quads(file, known.theory, known.ontology, **known.settings)
        if not _annotated(inference):
            return known.ground(inference)
        inference.close()
    return known.ground(known.inferred(inputs))


def grounds(inputs: Sequence[str], reasoning: Reasoning | None = None) -> Iterator[Ground]:
    """The same in batches: a large file of quads is several grounds of some graphs each.

    Each is closed when the next is asked for; the seconds are for each.
    """
    known = _given(inputs, reasoning or Reasoning())
    if known.reasoning.across:
        with known.together(inputs) as whole:
            yield whole
        return
    file = _quads(inputs)
    if file is not None:
        batches = infer_batches(
            file, known.theory, known.ontology, whole=ANNOTATING, **known.settings
        )
        for batch in batches:
            if _annotated(batch):  # Then the file is one batch.
                break
            yield known.ground(batch)
        else:
            return
    with known.ground(known.inferred(inputs)) as whole:
        yield whole


@dataclass(frozen=True)
class _Given:
    """What inputs and settings say, before anything is inferred."""

    packages: Mapping[str, Package]
    ontology: Ontology | None
    namespaces: Namespaces
    theory: Theory
    reasoning: Reasoning

    @property
    def settings(self) -> dict[str, Any]:
        """How a file of quads is inferred over."""
        limits = {"seconds": self.reasoning.seconds, "memory": self.reasoning.memory}
        return {"namespaces": self.namespaces, **limits}

    def inferred(self, inputs: Sequence[str]) -> Inference:
        asserted = _asserted(inputs, self.packages, self.namespaces, self.reasoning.split)
        seconds, memory = self.reasoning.seconds, self.reasoning.memory
        return infer(asserted, self.theory, self.ontology, seconds=seconds, memory=memory)

    def together(self, inputs: Sequence[str]) -> Ground:
        """All documents as one graph."""
        corpus = gather(
            _asserted(inputs, self.packages, self.namespaces, self.reasoning.split),
            self.theory,
            self.ontology,
            seconds=self.reasoning.seconds,
            memory=self.reasoning.memory,
        )
        return replace(self.ground(corpus.inference), corpus=corpus)

    def ground(self, inference: Inference) -> Ground:
        texts = (package.documents.items() for package in self.packages.values())
        documents = {id: text for several in texts for id, text in several}
        return Ground(inference, self.namespaces, self.theory, documents, self.ontology)


def _given(inputs: Sequence[str], reasoning: Reasoning) -> _Given:
    packages = {path: open_task(path) for path in inputs if Source(path).folder is not None}
    if reasoning.split is not None:
        _require_split(reasoning.split, inputs, packages)
    ontology = _ontology(reasoning, packages)
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    theory = rename_theory(_theory(reasoning, packages), namespaces.canonical)
    return _Given(packages, ontology, namespaces, theory, reasoning)


def _require_split(split: str, inputs: Sequence[str], packages: Mapping[str, Package]) -> None:
    for path in inputs:
        if path not in packages:
            raise UsageError(f"--split is for tasks: {path} is a file of statements")
        splits = {name for name in packages[path].splits.values() if name is not None}
        if split not in splits:
            names = ", ".join(sorted(splits, key=split_order))
            hint = f"it has {names}" if names else "its documents name no splits"
            raise UsageError(f"{path} has no split {split!r}; {hint}")


def _quads(inputs: Sequence[str]) -> Path | None:
    """The one file of quads that is all there is."""
    file = Path(inputs[0]) if len(inputs) == 1 else None
    return file if file and file.suffix.lower() in QUADS and file.is_file() else None


def _annotated(inference: Inference) -> bool:
    return any(one in inference.store.tables for one in PROVENANCE)


def _asserted(
    inputs: Sequence[str],
    packages: Mapping[str, Package],
    namespaces: Namespaces,
    split: str | None,
) -> Iterator[Asserted]:
    files = [path for path in inputs if path not in packages]
    stems = Counter(Path(path).stem for path in dict.fromkeys(files))
    apart = scopes(inputs)
    for path in inputs:
        if path in packages:
            splits = packages[path].splits
            for asserted in packages[path].asserted(namespaces):
                # What is about no document, such as background, belongs to every split.
                if split is None or splits.get(asserted.graph, split) == split:
                    yield scoped(asserted, apart[path])
            continue
        file = Path(path)
        if file.suffix.lower() not in (*SUFFIXES, *NOTATIONS):
            known = ", ".join([*NOTATIONS, *SUFFIXES])
            raise DataError(
                f"expected a task, or a file of statements that ends in one of {known}", file=path
            )
        # Files of one name in several folders are several graphs, called after their paths.
        graph = file.stem if stems[file.stem] == 1 else file.as_posix()
        found = read_annotated(
            read_bytes(path), file=path, namespaces=namespaces, graph=graph, texts=texts_near(file)
        )
        yield from (scoped(one.asserted, apart[path]) for one in found)


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
    if len(set(names)) < len(names):  # Unnamed rules of several files have the same numbers.
        rules = tuple(
            replace(rule, name=f"{index}: {rule.name}") for index, rule in enumerate(rules, 1)
        )
    return Theory(theories[0].name, rules, theories[0].file)


def _rules(data: bytes, file: str) -> Theory:
    try:
        return parse_rules(data.decode("utf-8"), file)
    except UnicodeDecodeError as wrong:
        where = data.count(b"\n", 0, wrong.start) + 1
        message = f"not valid UTF-8 (byte {wrong.start + 1})"
        raise DataError(message, file=file, where=where) from None
