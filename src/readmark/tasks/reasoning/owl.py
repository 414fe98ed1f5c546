"""Ontologies in OWL: which axioms are taken, and what each becomes.

Classes with superclasses and disjointness; properties with domain, range, cardinality restrictions
and functionality; roles as ``rm:role``. What cannot be enforced is reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from readmark.core.problems import Problem, ReportProblem, fail, remark
from readmark.tasks.names import DEFAULT, OWL, RDF, RM, STANDARD
from readmark.tasks.reasoning.graphs import Namespaces
from readmark.tasks.reasoning.ontology import (
    ROLES,
    THING,
    TYPE,
    Ontology,
    OwlClass,
    Property,
    datatype,
    ontology_findings,
)
from readmark.tasks.reasoning.rdf import ParsedRdf, Reader, parse
from readmark.tasks.reasoning.terms import Literal, Name

BySubject = dict[Name, dict[Name, list[tuple[int, Name | Literal]]]]
"""Subject -> predicate -> objects with their lines."""

LEAST = {"minCardinality", "minQualifiedCardinality", "cardinality", "qualifiedCardinality"}
MOST = {"maxCardinality", "maxQualifiedCardinality", "cardinality", "qualifiedCardinality"}
CLASSES = {Name("owl:Class"), Name("rdfs:Class")}
PROPERTIES = {
    Name(f"owl:{one}")
    for one in (
        "ObjectProperty",
        "DatatypeProperty",
        "AnnotationProperty",
        "FunctionalProperty",
        "InverseFunctionalProperty",
    )
} | {Name("rdf:Property")}
FUNCTIONAL = Name("owl:FunctionalProperty")
IDENTIFIES = Name("owl:InverseFunctionalProperty")
INDIVIDUAL = Name("owl:NamedIndividual")
KEY = Name("owl:hasKey")
SAME_NAME = Name("rm:sameName")
ANNOTATES = Name("owl:AnnotationProperty")
DATATYPE = Name("rdfs:Datatype")
ROLE = Name("rm:role")

_PLAIN = {"rdfs:seeAlso", "rdfs:isDefinedBy", "owl:versionInfo", "owl:deprecated"}
_TAKEN_OF_CLASS = {"type", "rdfs:subClassOf", "owl:disjointWith", "owl:hasKey"}
_TAKEN_OF_PROPERTY = {"type", "rdfs:domain", "rdfs:range", "rm:role"}


def is_named(term: Name | Literal) -> bool:
    """Whether it is a name, and no blank node."""
    return isinstance(term, Name) and not term.text.startswith("_:")


def read_ontology(
    data: bytes, *, file: str, report: ReportProblem = fail, format: str | None = None
) -> Ontology:
    """The ontology of an RDF file; what is inconsistent in it is reported with its line."""
    parsed = parse(data, file=file, format=format)
    namespaces = _namespaces(parsed)
    return _Axioms(parsed, namespaces, file, report).ontology()


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


@dataclass
class _Axioms:
    """The triples of an ontology by subject and predicate, and what they amount to."""

    parsed: ParsedRdf
    namespaces: Namespaces
    file: str
    report: ReportProblem
    of: BySubject = field(default_factory=dict)

    def __post_init__(self) -> None:
        reader = Reader(self.namespaces, self.file)
        for quad in self.parsed.quads:
            statement = reader.statement(quad)
            about = self.of.setdefault(statement.subject, defaultdict(list))
            about[statement.predicate].append((quad.line, statement.object))

    def ontology(self) -> Ontology:
        """Classes, then properties, then what restrictions add to them."""
        datatypes = dict(self._datatypes())
        classes = {
            name: self._class(name, line)
            for name, line in self._typed(CLASSES)
            if not name.text.startswith("_:") and datatype(name) is None and name != THING
        }
        properties = {
            name: self._property(name, line, datatypes)
            for name, line in self._typed(PROPERTIES - {ANNOTATES})
        }
        for name in classes:
            for line, one in self.of[name].get(Name("rdfs:subClassOf"), ()):
                if isinstance(one, Name) and not is_named(one):
                    self._restrict(name, one, line, properties, datatypes)
        self._all_disjoint(classes)
        iri, label = self._itself()
        named = {name for name, _ in self._typed({INDIVIDUAL, *classes}) if is_named(name)}
        ontology = Ontology(
            classes,
            properties,
            self.namespaces,
            iri,
            label,
            self.file,
            individuals=frozenset(named),
        )
        for about, predicate, value, code, message in ontology_findings(ontology):
            self._wrong(self._line(about, predicate, value), code, message)
        return ontology

    def _typed(self, kinds: set[Name]) -> Iterator[tuple[Name, int]]:
        for name, about in self.of.items():
            lines = [line for line, kind in about.get(TYPE, ()) if kind in kinds]
            if lines:
                yield name, lines[0]

    def _itself(self) -> tuple[str, str]:
        for name, _ in self._typed({Name("owl:Ontology")}):
            return self.namespaces.expand(name), self._words(name, "rdfs:label")
        return "", ""

    def _datatypes(self) -> Iterator[tuple[Name, Name]]:
        """Datatypes of the domain's own with the XML Schema one that each stands for."""
        for name, line in self._typed({DATATYPE}):
            about = self.of[name]
            same = about.get(Name("owl:equivalentClass"), []) + about.get(
                Name("owl:onDatatype"), []
            )
            known = [name for _, name in same if isinstance(name, Name) and datatype(name)]
            if known:
                yield name, known[0]
            elif datatype(name) is None and not name.text.startswith("_:"):
                message = f"the datatype {name.text} is owl:equivalentClass to none of XML Schema's"
                self._wrong(line, "datatype", message)

    def _class(self, name: Name, line: int) -> OwlClass:
        about = self.of[name]
        above = [one for _, one in about.get(Name("rdfs:subClassOf"), ()) if is_named(one)]
        apart = [one for _, one in about.get(Name("owl:disjointWith"), ()) if is_named(one)]
        self._leftover(name, _TAKEN_OF_CLASS)
        return OwlClass(
            name,
            tuple(name for name in above if isinstance(name, Name) and name != THING),
            tuple(name for name in apart if isinstance(name, Name)),
            self._words(name, "rdfs:label"),
            self._words(name, "rdfs:comment"),
            self._annotations(name),
            line,
            tuple(self._keys(name)),
            self._same_name(name),
        )

    @cached_property
    def _property_names(self) -> frozenset[Name]:
        return frozenset(name for name, _ in self._typed(PROPERTIES - {ANNOTATES}))

    def _keys(self, name: Name) -> Iterator[tuple[Name, ...]]:
        """The properties of each key; a key of none, or of something else, is a problem."""
        properties = self._property_names
        for line, start in self.of[name].get(KEY, ()):
            key = tuple(dict.fromkeys(self._list(start)))
            for part in key:
                if part not in properties:
                    fault = f"a key of {name.text} names {part.text}, which is no property"
                    self._wrong(line, "unknown_property", fault)
            if not key:
                self._wrong(line, "unsupported", f"a key of {name.text} is no list of properties")
            elif all(part in properties for part in key):
                yield key

    def _same_name(self, name: Name) -> bool:
        for line, value in self.of[name].get(SAME_NAME, ()):
            if isinstance(value, Literal) and isinstance(value.value, bool):
                return value.value
            self._wrong(line, "identity", f"rm:sameName of {name.text} is neither true nor false")
        return False

    def _property(self, name: Name, line: int, datatypes: dict[Name, Name]) -> Property:
        kinds = {kind for _, kind in self.of[name][TYPE]}
        self._leftover(name, _TAKEN_OF_PROPERTY)
        range = self._one(name, "rdfs:range")
        return Property(
            name,
            domain=self._one(name, "rdfs:domain"),
            range=datatypes.get(range, range) if range is not None else None,
            role=self._role(name),
            functional=FUNCTIONAL in kinds,
            identifies=IDENTIFIES in kinds,
            label=self._words(name, "rdfs:label"),
            comment=self._words(name, "rdfs:comment"),
            annotations=self._annotations(name),
            line=line,
        )

    def _restrict(
        self,
        name: Name,
        node: Name,
        line: int,
        properties: dict[Name, Property],
        datatypes: dict[Name, Name],
    ) -> None:
        """Puts the restriction that a class is below on its property."""
        about = self.of.get(node, {})
        on = [name for _, name in about.get(Name("owl:onProperty"), ()) if isinstance(name, Name)]
        if len(on) != 1:
            self._wrong(line, "unsupported", f"a superclass of {name.text} is no restriction")
            return
        known = properties.get(on[0])
        if known is None:
            fault = f"{name.text} restricts {on[0].text}, which is no property"
            self._wrong(line, "unknown_property", fault)
            return
        changed = replace(known, domain=known.domain or name)
        if changed.domain != name:
            fault = (
                f"the cardinality of {known.name.text} is said of {name.text}, expected its "
                f"domain {changed.domain.text if changed.domain else ''}"
            )
            self._wrong(line, "unsupported", fault)
            return
        for predicate, values in about.items():
            local = predicate.text.removeprefix("owl:")
            for at, value in values:
                changed = self._restricted(changed, local, value, at, datatypes)
        if changed.most is not None and changed.least > changed.most:
            fault = f"{known.name.text} has at least {changed.least} and at most {changed.most}"
            self._wrong(line, "cardinality", fault)
        properties[known.name] = changed

    def _restricted(
        self,
        prop: Property,
        local: str,
        value: Name | Literal,
        line: int,
        datatypes: dict[Name, Name],
    ) -> Property:
        """A property with one part of a restriction."""
        if local in LEAST | MOST:
            count = value.value if isinstance(value, Literal) else None
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                self._wrong(line, "cardinality", f"a cardinality of {prop.name.text} is no count")
                return prop
            if local in LEAST:
                prop = replace(prop, least=max(prop.least, count))
            if local in MOST:
                prop = replace(prop, most=count if prop.most is None else min(prop.most, count))
        elif local == "someValuesFrom":
            prop = replace(prop, least=max(prop.least, 1))
        elif local in ("onClass", "onDataRange", "allValuesFrom") and isinstance(value, Name):
            range = datatypes.get(value, value)
            if prop.range not in (None, range):
                self._odd(line, f"owl:{local} of {prop.name.text} is not its range: no effect here")
            prop = replace(prop, range=prop.range or range)
        elif local not in ("type", "onProperty"):
            self._odd(line, f"owl:{local} of {prop.name.text} has no effect here")
        return prop

    def _one(self, name: Name, predicate: str) -> Name | None:
        """The only class or datatype under a predicate; several, or an expression, is a problem."""
        found = self.of[name].get(Name(predicate), [])
        plain = [name for _, name in found if isinstance(name, Name) and is_named(name)]
        if len(plain) < len(found) or len(plain) > 1:
            message = f"the {predicate} of {name.text} is not one named class or datatype"
            self._wrong(found[-1][0], "unsupported", message)
        return plain[0] if plain else None

    def _role(self, name: Name) -> str:
        for line, value in self.of[name].get(ROLE, ()):
            said = value.text if isinstance(value, Name) else str(value.value)
            role = said.removeprefix("rm:").removeprefix(RM)
            if role in ROLES:
                return role
            expected = ", ".join(f"rm:{one}" for one in ROLES)
            self._wrong(line, "role", f"the role of {name.text} is {said}, expected {expected}")
        return "target"

    def _words(self, name: Name, predicate: str) -> str:
        """The literal without a language, else the English one, else the first."""
        found = [
            value
            for _, value in self.of[name].get(Name(predicate), ())
            if isinstance(value, Literal)
        ]
        found.sort(key=lambda value: (bool(value.language), value.language != "en"))
        return str(found[0].value) if found else ""

    def _annotations(self, name: Name) -> dict[str, str]:
        """Literals under any other predicate, by its local name; with its language after @ too."""
        found: dict[str, str] = {}
        for predicate, values in self.of[name].items():
            if predicate.text in ("rdfs:comment", "rm:role"):
                continue
            local = predicate.text.rpartition(":")[2]
            for _, value in values:
                if isinstance(value, Literal):
                    if value.language:
                        found.setdefault(f"{local}@{value.language}", value.lexical)
                    if predicate.text != "rdfs:label" and value.language in (None, "", "en"):
                        found.setdefault(local, value.lexical)
        return found

    def _leftover(self, name: Name, taken: set[str]) -> None:
        """Axioms that nothing here keeps to: rules can say them."""
        for predicate, values in self.of[name].items():
            text = predicate.text
            axiom = text.startswith(("owl:", "rdfs:")) and isinstance(values[0][1], Name)
            if axiom and text not in taken | _PLAIN:
                message = f"{text} of {name.text} has no effect here; a rule can say it"
                self._odd(values[0][0], message)
        known = CLASSES | PROPERTIES | {INDIVIDUAL}
        for line, kind in self.of[name][TYPE]:
            if isinstance(kind, Name) and kind.text.startswith("owl:") and kind not in known:
                self._odd(line, f"{kind.text} of {name.text} has no effect here; a rule can say it")

    def _all_disjoint(self, classes: dict[Name, OwlClass]) -> None:
        for node, _ in self._typed({Name("owl:AllDisjointClasses")}):
            for _, start in self.of[node].get(Name("owl:members"), ()):
                members = [name for name in self._list(start) if name in classes]
                for index, member in enumerate(members):
                    others = tuple(m for m in members[:index] if m not in classes[member].disjoint)
                    disjoint = classes[member].disjoint + others
                    classes[member] = replace(classes[member], disjoint=disjoint)

    def _list(self, node: Name | Literal) -> Iterator[Name]:
        seen: set[Name] = set()
        while isinstance(node, Name) and node.text != "rdf:nil" and node not in seen:
            seen.add(node)
            about = self.of.get(node, {})
            for _, name in about.get(Name("rdf:first"), ()):
                if isinstance(name, Name):
                    yield name
            node = next((one for _, one in about.get(Name("rdf:rest"), ())), Name("rdf:nil"))

    def _line(self, name: Name, predicate: str, value: Name) -> int:
        """Where that is said; else where the name is declared."""
        found = self.of[name].get(Name(predicate), []) + self.of[name][TYPE]
        return next((line for line, one in found if one == value), self.of[name][TYPE][0][0])

    def _wrong(self, line: int, code: str, message: str) -> None:
        self.report(Problem(self.file, line, code, message))

    def _odd(self, line: int, message: str) -> None:
        remark(self.report, Problem(self.file, line, "no_effect", message, "warning"))
