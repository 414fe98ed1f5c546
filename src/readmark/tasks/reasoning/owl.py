"""Ontologies in OWL: which axioms are taken, and what each becomes.

Classes with superclasses and disjointness; properties with domain, range, cardinality restrictions
and functionality; roles as ``rm:role``. What cannot be enforced is reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from readmark.core.problems import Problem, ReportProblem, fail, remark
from readmark.tasks.names import DEFAULT, OWL, RDF, RM, STANDARD
from readmark.tasks.reasoning.datatypes import datatype
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import ROLES, THING, TYPE, Ontology, OwlClass, Property
from readmark.tasks.reasoning.ontology_findings import ontology_findings
from readmark.tasks.reasoning.rdf import ParsedRdf, Reader, parse
from readmark.tasks.reasoning.rdf_terms import BLANK
from readmark.tasks.reasoning.terms import Literal, Name

_LEAST = {"minCardinality", "minQualifiedCardinality", "cardinality", "qualifiedCardinality"}
_MOST = {"maxCardinality", "maxQualifiedCardinality", "cardinality", "qualifiedCardinality"}
_CLASS_TYPES = {Name("owl:Class"), Name("rdfs:Class")}
_FUNCTIONAL = Name("owl:FunctionalProperty")
_INVERSE_FUNCTIONAL = Name("owl:InverseFunctionalProperty")
_ANNOTATION_PROPERTY = Name("owl:AnnotationProperty")
_PROPERTY_TYPES = {
    Name("owl:ObjectProperty"),
    Name("owl:DatatypeProperty"),
    Name("rdf:Property"),
    _FUNCTIONAL,
    _INVERSE_FUNCTIONAL,
}
_INDIVIDUAL = Name("owl:NamedIndividual")
_KNOWN_TYPES = _CLASS_TYPES | _PROPERTY_TYPES | {_ANNOTATION_PROPERTY, _INDIVIDUAL}
_DATATYPE = Name("rdfs:Datatype")

_LABEL = Name("rdfs:label")
_COMMENT = Name("rdfs:comment")
_SUBCLASS = Name("rdfs:subClassOf")
_DISJOINT = Name("owl:disjointWith")
_KEY = Name("owl:hasKey")
_SAME_NAME = Name("rm:sameName")
_DOMAIN = Name("rdfs:domain")
_RANGE = Name("rdfs:range")
_ROLE = Name("rm:role")
_NIL = Name("rdf:nil")

_REMARKS = {"rdfs:seeAlso", "rdfs:isDefinedBy", "owl:versionInfo", "owl:deprecated"}
"""What says nothing that could have an effect."""
_TAKEN_OF_CLASS = {"type", "rdfs:subClassOf", "owl:disjointWith", "owl:hasKey"}
_TAKEN_OF_PROPERTY = {"type", "rdfs:domain", "rdfs:range", "rm:role"}

_Objects = list[tuple[int, Name | Literal]]
"""The objects of a subject and predicate, each with its line."""


def _is_named(term: Name | Literal) -> bool:
    """Whether it is a name, and no blank node."""
    return isinstance(term, Name) and not term.text.startswith(BLANK)


def read_ontology(
    data: bytes, *, file: str, report: ReportProblem = fail, format: str | None = None
) -> Ontology:
    """The ontology of an RDF file; what is inconsistent in it is reported with its line."""
    parsed = parse(data, file=file, format=format)
    return _OntologyReader(parsed, _namespaces(parsed), file, report).ontology()


def _namespaces(parsed: ParsedRdf) -> Namespaces:
    """The file's prefixes; bare names are in its empty prefix, else in the ontology's IRI."""
    prefixes = {name: iri for name, iri in parsed.prefixes.items() if name}
    default = parsed.prefixes.get("")
    if default is None or default in STANDARD.values():  # RDF/XML often has OWL's there
        default = None
        for quad in parsed.quads:
            if quad.predicate.value == RDF + "type" and _iri(quad.object) == OWL + "Ontology":
                iri = _iri(quad.subject)
                default = iri if iri.endswith(("#", "/")) else f"{iri}#"
    return Namespaces(prefixes, default or DEFAULT)


def _iri(term: Any) -> str:
    return str(term.value) if type(term).__name__ == "NamedNode" else ""


class _OntologyReader:
    """Makes an ontology of the triples of a file, and reports what it cannot take."""

    def __init__(
        self, parsed: ParsedRdf, namespaces: Namespaces, file: str, report: ReportProblem
    ) -> None:
        self._namespaces = namespaces
        self._file = file
        self._report = report
        self._triples: dict[Name, dict[Name, _Objects]] = {}
        """Subject -> predicate -> objects."""
        reader = Reader(namespaces, file)
        for quad in parsed.quads:
            statement = reader.statement(quad)
            about = self._triples.setdefault(statement.subject, defaultdict(list))
            about[statement.predicate].append((quad.line, statement.object))

    def ontology(self) -> Ontology:
        """Classes, then properties, then what restrictions of the classes add to these."""
        datatypes = self._datatypes()
        classes = {
            name: self._class(name, line)
            for name, line in self._of_types(_CLASS_TYPES)
            if _is_named(name) and datatype(name) is None and name != THING
        }
        properties = {
            name: self._property(name, line, datatypes)
            for name, line in self._of_types(_PROPERTY_TYPES)
        }
        for name in classes:
            for line, superclass in self._triples[name].get(_SUBCLASS, ()):
                if isinstance(superclass, Name) and not _is_named(superclass):
                    self._restrict(name, superclass, line, properties, datatypes)
        self._make_disjoint(classes)
        itself = next((name for name, _ in self._of_types({Name("owl:Ontology")})), None)
        individuals = {name for name, _ in self._of_types({_INDIVIDUAL, *classes})}
        ontology = Ontology(
            classes,
            properties,
            self._namespaces,
            self._namespaces.expand(itself) if itself is not None else "",
            self._text(itself, _LABEL) if itself is not None else "",
            self._file,
            individuals=frozenset(filter(_is_named, individuals)),
        )
        for finding in ontology_findings(ontology):
            line = self._line(finding.subject, finding.predicate, finding.object)
            self._problem(line, finding.code, finding.message)
        return ontology

    def _of_types(self, types: set[Name]) -> Iterator[tuple[Name, int]]:
        """The subjects that are of one of the types, with the line that says it first."""
        for name, about in self._triples.items():
            lines = [line for line, type in about.get(TYPE, ()) if type in types]
            if lines:
                yield name, lines[0]

    def _objects(self, name: Name, predicate: Name) -> _Objects:
        return self._triples.get(name, {}).get(predicate, [])

    def _datatypes(self) -> dict[Name, Name]:
        """Datatypes of the domain's own with the XML Schema one that each stands for."""
        datatypes = {}
        for name, line in self._of_types({_DATATYPE}):
            candidates = [
                *self._objects(name, Name("owl:equivalentClass")),
                *self._objects(name, Name("owl:onDatatype")),
            ]
            standard = [term for _, term in candidates if isinstance(term, Name) and datatype(term)]
            if standard:
                datatypes[name] = standard[0]
            elif datatype(name) is None and _is_named(name):
                message = f"the datatype {name.text} is owl:equivalentClass to none of XML Schema's"
                self._problem(line, "datatype", message)
        return datatypes

    def _class(self, name: Name, line: int) -> OwlClass:
        self._report_unused(name, _TAKEN_OF_CLASS)
        return OwlClass(
            name,
            tuple(above for above in self._named_objects(name, _SUBCLASS) if above != THING),
            tuple(self._named_objects(name, _DISJOINT)),
            self._text(name, _LABEL),
            self._text(name, _COMMENT),
            self._annotations(name),
            line,
            tuple(self._keys(name)),
            self._same_name(name),
        )

    def _named_objects(self, name: Name, predicate: Name) -> list[Name]:
        objects = (term for _, term in self._objects(name, predicate))
        return [term for term in objects if isinstance(term, Name) and _is_named(term)]

    @cached_property
    def _property_names(self) -> frozenset[Name]:
        return frozenset(name for name, _ in self._of_types(_PROPERTY_TYPES))

    def _keys(self, name: Name) -> Iterator[tuple[Name, ...]]:
        """The properties of each key; an empty key, or one of something else, is a problem."""
        for line, start in self._objects(name, _KEY):
            key = tuple(dict.fromkeys(self._list(start)))
            unknown = [part for part in key if part not in self._property_names]
            for part in unknown:
                message = f"a key of {name.text} names {part.text}, which is no property"
                self._problem(line, "unknown_property", message)
            if not key:
                message = f"a key of {name.text} is no list of properties"
                self._problem(line, "unsupported", message)
            elif not unknown:
                yield key

    def _same_name(self, name: Name) -> bool:
        for line, value in self._objects(name, _SAME_NAME):
            if isinstance(value, Literal) and isinstance(value.value, bool):
                return value.value
            message = f"rm:sameName of {name.text} is neither true nor false"
            self._problem(line, "identity", message)
        return False

    def _property(self, name: Name, line: int, datatypes: dict[Name, Name]) -> Property:
        types = {type for _, type in self._objects(name, TYPE)}
        self._report_unused(name, _TAKEN_OF_PROPERTY)
        range = self._only_object(name, _RANGE)
        return Property(
            name,
            domain=self._only_object(name, _DOMAIN),
            range=datatypes.get(range, range) if range is not None else None,
            role=self._role(name),
            functional=_FUNCTIONAL in types,
            identifies=_INVERSE_FUNCTIONAL in types,
            label=self._text(name, _LABEL),
            comment=self._text(name, _COMMENT),
            annotations=self._annotations(name),
            line=line,
        )

    def _only_object(self, name: Name, predicate: Name) -> Name | None:
        """The only class or datatype under a predicate; several, or an expression, is a problem."""
        objects = self._objects(name, predicate)
        named = self._named_objects(name, predicate)
        if len(named) < len(objects) or len(named) > 1:
            message = f"the {predicate.text} of {name.text} is not one named class or datatype"
            self._problem(objects[-1][0], "unsupported", message)
        return named[0] if named else None

    def _role(self, name: Name) -> str:
        for line, value in self._objects(name, _ROLE):
            text = value.text if isinstance(value, Name) else str(value.value)
            role = text.removeprefix("rm:").removeprefix(RM)
            if role in ROLES:
                return role
            expected = ", ".join(f"rm:{role}" for role in ROLES)
            message = f"the role of {name.text} is {text}, expected {expected}"
            self._problem(line, "role", message)
        return "target"

    def _restrict(
        self,
        name: Name,
        restriction: Name,
        line: int,
        properties: dict[Name, Property],
        datatypes: dict[Name, Name],
    ) -> None:
        """Puts a restriction that a class lies below on its property."""
        objects = self._objects(restriction, Name("owl:onProperty"))
        restricted = [term for _, term in objects if isinstance(term, Name)]
        if len(restricted) != 1:
            self._problem(line, "unsupported", f"a superclass of {name.text} is no restriction")
            return
        prop = properties.get(restricted[0])
        if prop is None:
            message = f"{name.text} restricts {restricted[0].text}, which is no property"
            self._problem(line, "unknown_property", message)
            return
        domain = prop.domain or name
        if domain != name:
            message = (
                f"the cardinality of {prop.name.text} is said of {name.text}, expected its "
                f"domain {domain.text}"
            )
            self._problem(line, "unsupported", message)
            return
        prop = replace(prop, domain=domain)
        for predicate, values in self._triples[restriction].items():
            local = predicate.text.removeprefix("owl:")
            for value_line, value in values:
                prop = self._restricted(prop, local, value, value_line, datatypes)
        if prop.most is not None and prop.least > prop.most:
            message = f"{prop.name.text} has at least {prop.least} and at most {prop.most}"
            self._problem(line, "cardinality", message)
        properties[prop.name] = prop

    def _restricted(
        self,
        prop: Property,
        local: str,
        value: Name | Literal,
        line: int,
        datatypes: dict[Name, Name],
    ) -> Property:
        """A property with one part of a restriction, whose predicate is ``local`` in OWL."""
        if local in _LEAST | _MOST:
            count = value.value if isinstance(value, Literal) else None
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                message = f"a cardinality of {prop.name.text} is no count"
                self._problem(line, "cardinality", message)
                return prop
            if local in _LEAST:
                prop = replace(prop, least=max(prop.least, count))
            if local in _MOST:
                prop = replace(prop, most=count if prop.most is None else min(prop.most, count))
        elif local == "someValuesFrom":
            prop = replace(prop, least=max(prop.least, 1))
        elif local in ("onClass", "onDataRange", "allValuesFrom") and isinstance(value, Name):
            range = datatypes.get(value, value)
            if prop.range not in (None, range):
                message = f"owl:{local} of {prop.name.text} is not its range: no effect here"
                self._remark(line, message)
            prop = replace(prop, range=prop.range or range)
        elif local not in ("type", "onProperty"):
            self._remark(line, f"owl:{local} of {prop.name.text} has no effect here")
        return prop

    def _text(self, name: Name, predicate: Name) -> str:
        """The literal without a language, else the English one, else the first."""
        objects = (term for _, term in self._objects(name, predicate))
        literals = [term for term in objects if isinstance(term, Literal)]
        literals.sort(key=lambda literal: (bool(literal.language), literal.language != "en"))
        return str(literals[0].value) if literals else ""

    def _annotations(self, name: Name) -> dict[str, str]:
        """Literals under any other predicate, by its local name; with its language after @ too."""
        annotations: dict[str, str] = {}
        for predicate, objects in self._triples[name].items():
            if predicate in (_COMMENT, _ROLE):
                continue
            local = predicate.text.rpartition(":")[2]
            for _, term in objects:
                if not isinstance(term, Literal):
                    continue
                if term.language:
                    annotations.setdefault(f"{local}@{term.language}", term.lexical)
                if predicate != _LABEL and term.language in ("", "en"):
                    annotations.setdefault(local, term.lexical)
        return annotations

    def _report_unused(self, name: Name, taken: set[str]) -> None:
        """Remarks on the axioms that have no effect, such as owl:inverseOf."""
        for predicate, objects in self._triples[name].items():
            text = predicate.text
            is_axiom = text.startswith(("owl:", "rdfs:")) and isinstance(objects[0][1], Name)
            if is_axiom and text not in taken | _REMARKS:
                message = f"{text} of {name.text} has no effect here; a rule can say it"
                self._remark(objects[0][0], message)
        for line, type in self._objects(name, TYPE):
            if isinstance(type, Name) and type.text.startswith("owl:") and type not in _KNOWN_TYPES:
                message = f"{type.text} of {name.text} has no effect here; a rule can say it"
                self._remark(line, message)

    def _make_disjoint(self, classes: dict[Name, OwlClass]) -> None:
        """Makes the members of each owl:AllDisjointClasses disjoint with those before them."""
        for axiom, _ in self._of_types({Name("owl:AllDisjointClasses")}):
            for _, start in self._objects(axiom, Name("owl:members")):
                members = [name for name in self._list(start) if name in classes]
                for index, member in enumerate(members):
                    class_ = classes[member]
                    new = tuple(name for name in members[:index] if name not in class_.disjoint)
                    classes[member] = replace(class_, disjoint=class_.disjoint + new)

    def _list(self, node: Name | Literal) -> Iterator[Name]:
        """The names of an RDF list, which may be malformed: without an end, or a circle."""
        seen: set[Name] = set()
        while isinstance(node, Name) and node != _NIL and node not in seen:
            seen.add(node)
            for _, term in self._objects(node, Name("rdf:first")):
                if isinstance(term, Name):
                    yield term
            node = next((term for _, term in self._objects(node, Name("rdf:rest"))), _NIL)

    def _line(self, name: Name, predicate: str, value: Name) -> int:
        """The line of a triple; if there is none, as after a restriction, of the declaration."""
        declarations = self._triples[name][TYPE]
        objects = self._objects(name, Name(predicate)) + declarations
        return next((line for line, term in objects if term == value), declarations[0][0])

    def _problem(self, line: int, code: str, message: str) -> None:
        self._report(Problem(self._file, line, code, message))

    def _remark(self, line: int, message: str) -> None:
        remark(self._report, Problem(self._file, line, "no_effect", message, "warning"))
