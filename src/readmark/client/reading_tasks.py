"""The services of formal reading tasks: generate, retrieve, reason, query, submit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from readmark.client.connection import Connection, require_size
from readmark.client.reading_task_results import ReadingTasks, ReasonerReply, ScoredAnswers
from readmark.client.request_bodies import form_body, json_body
from readmark.client.results import read_reply
from readmark.core.streams import readable_file, shown_name
from readmark.core.writing import writing

_SERVICES = "/api/reading-tasks"
GRAPH_FORMATS = ("turtle", "rdfxml", "jsonld", "nquads", "trig")
GraphNotation = Literal["turtle", "rdfxml", "jsonld", "nquads", "trig"]


class ReadingTaskServices:
    """The reading tasks of a hall: ``client.reading_tasks``.

    The calls of the reasoner (`consistency`, `consequences`, `explain`, `decompose`, `query`) share
    these options: ``notation`` of the statements (``statements``, ``graph``, ``turtle``, …),
    ``document`` that they are of, ``with_task`` to add the task's public statements, and
    ``documents`` of the task to take them from.
    """

    def __init__(self, hall: Connection) -> None:
        self._hall = hall

    def list(self) -> ReadingTasks:
        """The tasks that ship with the hall, those that its projects offer, and your own."""
        return read_reply({"tasks": self._hall.ask("GET", _SERVICES)[1]}, ReadingTasks)

    def about(self, task: str) -> Mapping[str, Any]:
        """Documents and units by split, queries, licence and version of the gold of a task."""
        about: Mapping[str, Any] = self._hall.ask("GET", _path(task))[1]
        return about

    def generate(self, source: str, **options: Any) -> Mapping[str, Any]:
        """Generate a task from another one, as `about` describes it.

        Options choose a part: ``documents``, ``splits``, ``queries``, ``properties``, ``number``
        of documents, ``seed``; ``make`` makes queries from the ontology; ``name`` names it.
        """
        body = json_body({"source": source, **options})
        about: Mapping[str, Any]
        _, about = self._hall.ask("POST", _SERVICES, body=body, is_repeatable=False)
        return about

    def upload(self, package: str | Path, *, name: str = "") -> Mapping[str, Any]:
        """Bring a task's package (a zip) to the hall, for yourself."""
        file = readable_file(package)
        require_size(file, self._hall.limits)
        body = form_body({"name": name}, shown_name(package), file)
        about: Mapping[str, Any]
        _, about = self._hall.ask("POST", f"{_SERVICES}/packages", body=body, is_repeatable=False)
        return about

    def delete(self, task: str) -> None:
        """Delete a task that you generated or uploaded."""
        self._hall.ask("DELETE", _path(task))

    def graph(self, task: str, path: str | Path, *, format: GraphNotation = "turtle") -> Path:
        """Write a task's graph to a file as it is streamed; hidden gold is not in it."""
        with writing(path) as stream:
            self._hall.save(f"{_path(task)}/graph", stream, query={"format": format})
        return Path(path)

    def package(self, task: str, path: str | Path) -> Path:
        """Write a task's package to a zip, without the gold of hidden splits."""
        with writing(path) as stream:
            self._hall.save(f"{_path(task)}/package", stream)
        return Path(path)

    def documents(self, task: str) -> Sequence[Mapping[str, Any]]:
        """The documents of a task: id, split, size and SHA-256."""
        documents: Sequence[Mapping[str, Any]]
        _, documents = self._hall.ask("GET", f"{_path(task)}/documents")
        return documents

    def document(self, task: str, id: str) -> str:
        """The text of a document, exactly as it is."""
        _, data = self._hall.fetch("GET", f"{_path(task)}/document", query={"id": id}, accept="*/*")
        return data.decode()

    def queries(self, task: str) -> Sequence[Mapping[str, Any]]:
        """The queries of a task: graph, question, property and variables."""
        queries: Sequence[Mapping[str, Any]] = self._hall.ask("GET", f"{_path(task)}/queries")[1]
        return queries

    def consistency(self, task: str, statements: str = "", **options: Any) -> ReasonerReply:
        """Whether statements contradict the theory, each contradiction with its derivation."""
        return self._reason(task, "consistency", statements, options)

    def consequences(self, task: str, statements: str = "", **options: Any) -> ReasonerReply:
        """What follows from statements; the document of ``task infer --json``."""
        return self._reason(task, "consequences", statements, options)

    def explain(
        self, task: str, statements: str = "", *, statement: str = "", **options: Any
    ) -> ReasonerReply:
        """Why a statement holds, or all contradictions; the document of ``task explain --json``."""
        options = {"statement": statement, **options}
        return self._reason(task, "explanations", statements, options)

    def decompose(self, task: str, statements: str = "", **options: Any) -> ReasonerReply:
        """What ``scores`` or totals can be made of; the document of ``task decompose --json``."""
        return self._reason(task, "decompositions", statements, options)

    def query(
        self,
        task: str,
        query: str = "",
        *,
        id: str = "",
        sparql: str = "",
        statements: str = "",
        **options: Any,
    ) -> ReasonerReply:
        """What answers a query graph, a query of the task by its ``id``, or a SPARQL query."""
        options = {"query": query, "id": id, "sparql": sparql, **options}
        return self._reason(task, "query", statements, options)

    def submit(
        self, task: str, answers: str | Path | Mapping[str, Any], *, candidate: str = ""
    ) -> ScoredAnswers:
        """Submit a sitting of a task, or bindings by unit; they are scored by the newest gold."""
        path = f"{_path(task)}/submissions"
        if isinstance(answers, Mapping):
            body = json_body({"candidate": candidate, "answers": dict(answers)})
        else:
            file = readable_file(answers)
            require_size(file, self._hall.limits)
            body = form_body({"candidate": candidate}, shown_name(answers), file)
            path += "/file"
        _, entry = self._hall.ask("POST", path, body=body, is_repeatable=False)
        return read_reply(entry, ScoredAnswers)

    def submissions(self, task: str) -> Sequence[ScoredAnswers]:
        """What you have submitted to a task, newest first."""
        entries = self._hall.ask("GET", f"{_path(task)}/submissions")[1]
        return [read_reply(entry, ScoredAnswers) for entry in entries]

    def _reason(
        self, task: str, call: str, statements: str, options: Mapping[str, Any]
    ) -> ReasonerReply:
        body = json_body({"statements": statements, **options})
        _, document = self._hall.ask("POST", f"{_path(task)}/{call}", body=body)
        return ReasonerReply(call, document)


def _path(task: str) -> str:
    return f"{_SERVICES}/{quote(task, safe='')}"
