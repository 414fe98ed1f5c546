"""Patterns learnt from annotated documents, in the notation of ``patterns.toml``.

The statements of each training document are inverted to marks. Marked mentions teach the types:
which names there are, which words things are called by, what their words say of them. Marks of
events teach patterns: the words between and around what fills the slots, exactly and more and more
generally. Each pattern is tried on all training documents by the engine; what it finds in documents
that it was not made from says how sure it is. Patterns are chosen greedily by what they add.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import UsageError
from readmark.core.writing import writing
from readmark.formats.training_tests import require_model_file
from readmark.tasks.categories.definitions import Categories
from readmark.tasks.extraction.induction.candidates import candidates_of
from readmark.tasks.extraction.induction.lessons import Lesson, lessons_of, with_numbers
from readmark.tasks.extraction.induction.lexicon import DUMMY, LearntLexicon
from readmark.tasks.extraction.induction.trials import (
    Key,
    LearntPattern,
    PatternJudge,
    chosen_of,
    pattern_table,
)
from readmark.tasks.extraction.materials import TRAIN, Materials, shown_files
from readmark.tasks.extraction.notation import PATTERNS as PATTERNS
from readmark.tasks.extraction.notation import compiler
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.engine.limits import SECONDS
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Name
from readmark.tasks.task_folder import open_task
from readmark.text.training_record import TrainingRecord, make_source
from readmark.text.training_record_files import toml_table

if TYPE_CHECKING:
    from rich.console import Console

VERSION = 1
"""Of what is learnt from the same documents."""


@dataclass(frozen=True)
class Learnt:
    """All that was learnt: the text of a ``patterns.toml``, and figures."""

    text: str
    patterns: tuple[LearntPattern, ...]
    documents: int
    lessons: int
    covered: int
    statements: int


@dataclass(frozen=True, repr=False)
class Induction(Result):
    """Learnt patterns that were written to a file."""

    learnt: Learnt
    path: str
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Where they are, and what each finds in the training documents."""
        learnt = self.learnt
        return {
            "path": self.path,
            "documents": learnt.documents,
            "marks": learnt.lessons,
            "statements": learnt.statements,
            "found": learnt.covered,
            "patterns": [
                {
                    "find": one.find,
                    "category": one.category,
                    "values": dict(one.values),
                    "probability": one.probability,
                    "right": one.right,
                    "wrong": one.wrong,
                    "documents": one.documents,
                    "example": one.example,
                }
                for one in learnt.patterns
            ],
        }

    def show(self, console: Console) -> None:
        """What was learnt from what, in a line."""
        learnt = self.learnt
        console.print(
            Text(
                f"{self.path}: {counted(len(learnt.patterns), 'pattern')} learnt from "
                f"{counted(learnt.documents, 'document')}; they find {learnt.covered} of "
                f"{counted(learnt.statements, 'statement')} there"
            ),
            soft_wrap=True,
        )


def train_patterns(task: str | Path, out: str | Path) -> Induction:
    """Learn patterns from the annotated train split of a task, and write them."""
    package = open_task(task)
    require_model_file(out, [task])
    materials = Materials(shown_files(package))
    learnt = learn_from(materials)
    texts = [text for _, text, asserted in materials.training() if asserted]
    source = make_source(f"{package.manifest.name or Path(task).stem}, {TRAIN}", texts)
    lines = [
        learnt.text,
        "",
        "# What the patterns were learnt from, as hashes: sit and mark count the documents of",
        "# a test that are among it.",
        *toml_table(TrainingRecord(sources=(source,))),
    ]
    with writing(out) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
    return Induction(learnt, str(out))


def learn_from(materials: Materials) -> Learnt:
    """Learn from what an extractor may see of a task."""
    training = list(materials.training())
    symmetric: frozenset[str] = frozenset()
    if any(asserted for _, _, asserted in training):
        symmetric = symmetric_in(training, materials.theory, materials.ontology)
    return induce(training, materials.categories, materials.namespaces, symmetric=symmetric)


TrainingDocument = tuple[str, str, Sequence[Asserted]]


def induce(
    training: Iterable[TrainingDocument],
    categories: Categories | None,
    namespaces: Namespaces | None = None,
    *,
    symmetric: frozenset[str] = frozenset(),
) -> Learnt:
    """Learn patterns from documents with their statements; ``symmetric`` are predicates."""
    documents = [(id, text, list(asserted)) for id, text, asserted in training]
    if categories is None:
        raise UsageError("learning patterns needs a task with categories.toml")
    if not documents:
        raise UsageError("learning patterns needs documents of the split train, and there are none")
    annotated = [each for each in documents if each[2]]
    if not annotated:
        raise UsageError("learning patterns needs annotation of the train split; there is none")
    lessons: list[Lesson] = []
    for id, text, asserted in annotated:
        lessons += lessons_of(id, text, asserted, categories, namespaces)
    texts = {id: text for id, text, _ in annotated}
    lessons = with_numbers(lessons, texts, categories)
    if not lessons:
        raise UsageError("no statement of the train split fits a category of categories.toml")
    return _learnt(LearntLexicon(texts, lessons, categories), symmetric)


def _learnt(lexicon: LearntLexicon, symmetric: frozenset[str]) -> Learnt:
    """Generate, try and choose patterns, and write them down."""
    candidates = candidates_of(lexicon)
    text = "\n".join([*lexicon.preamble(), *DUMMY])
    judge = PatternJudge(lexicon, compiler(text), symmetric)
    tried = judge.tried(candidates)
    chosen = chosen_of(tried)
    lines = [
        "# Patterns learnt by readmark train patterns: edit them as you like.",
        f"# {len(lexicon.texts)} documents, {len(lexicon.lessons)} marks, {len(chosen)} patterns.",
        "",
        *lexicon.preamble(),
        *lexicon.setters(),
    ]
    covered: set[Key] = set()
    patterns = []
    for trial in chosen:
        covered |= trial.covered
        pattern = trial.pattern()
        patterns.append(pattern)
        lines += pattern_table(pattern)
    gold = {key for keys in judge.gold.values() for key in keys}
    return Learnt(
        "\n".join(lines),
        tuple(patterns),
        len(lexicon.texts),
        len(lexicon.lessons),
        len(covered),
        len(gold),
    )


def symmetric_in(
    training: Iterable[TrainingDocument], theory: Theory, ontology: Ontology | None
) -> frozenset[str]:
    """The predicates that hold both ways wherever the training documents have them."""
    asserted = [one for _, _, several in training for one in several]
    pairs = {
        (one.graph, one.statement.predicate.text, one.statement.subject, one.statement.object)
        for one in asserted
        if isinstance(one.statement.object, Name)
    }
    certain = [Asserted(one.graph, one.statement) for one in asserted]
    with infer(
        certain, theory, ontology, provenance=False, seconds=SECONDS, consistent=True
    ) as inference:
        known = {
            (
                each.graph,
                each.statement.predicate.text,
                each.statement.subject,
                each.statement.object,
            )
            for each in inference.statements()
        }
    turned: dict[str, bool] = {}
    for graph, predicate, subject, object in pairs:
        both = (graph, predicate, object, subject) in known
        turned[predicate] = turned.get(predicate, True) and both
    return frozenset(predicate for predicate, both in turned.items() if both)
