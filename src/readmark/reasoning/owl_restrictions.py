"""Cardinality restrictions of OWL, which become what a property keeps to on its domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from readmark.reasoning.ontology import Property
from readmark.reasoning.terms import Literal, Name

About = dict[Name, dict[Name, list[tuple[int, Name | Literal]]]]
"""Subject -> predicate -> objects with their lines."""
Wrong = Callable[[int, str, str], None]
Odd = Callable[[int, str], None]

LEAST = {"minCardinality", "minQualifiedCardinality", "cardinality", "qualifiedCardinality"}
MOST = {"maxCardinality", "maxQualifiedCardinality", "cardinality", "qualifiedCardinality"}


def is_named(one: Name | Literal) -> bool:
    """Whether it is a name, and no blank node."""
    return isinstance(one, Name) and not one.text.startswith("_:")


@dataclass
class Restrictions:
    """Puts restrictions on properties, one by one."""

    of: About
    properties: dict[Name, Property]
    datatypes: dict[Name, Name]
    wrong: Wrong
    odd: Odd

    def apply(self, name: Name, node: Name, line: int) -> None:
        """The restriction that a class lies under."""
        about = self.of.get(node, {})
        on = [one for _, one in about.get(Name("owl:onProperty"), ()) if isinstance(one, Name)]
        if len(on) != 1:
            self.wrong(line, "unsupported", f"a superclass of {name.text} is no restriction")
            return
        known = self.properties.get(on[0])
        if known is None:
            said = f"{name.text} restricts {on[0].text}, which is no property"
            self.wrong(line, "unknown_property", said)
            return
        changed = replace(known, domain=known.domain or name)
        if changed.domain != name:
            said = (
                f"the cardinality of {known.name.text} is said of {name.text}, expected its "
                f"domain {changed.domain.text if changed.domain else ''}"
            )
            self.wrong(line, "unsupported", said)
            return
        for predicate, values in about.items():
            local = predicate.text.removeprefix("owl:")
            for at, value in values:
                changed = self._bound(changed, local, value, at)
        if changed.most is not None and changed.least > changed.most:
            said = f"{known.name.text} has at least {changed.least} and at most {changed.most}"
            self.wrong(line, "cardinality", said)
        self.properties[known.name] = changed

    def _bound(self, one: Property, local: str, value: Name | Literal, line: int) -> Property:
        if local in LEAST | MOST:
            count = value.value if isinstance(value, Literal) else None
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                self.wrong(line, "cardinality", f"a cardinality of {one.name.text} is no count")
                return one
            if local in LEAST:
                one = replace(one, least=max(one.least, count))
            if local in MOST:
                one = replace(one, most=count if one.most is None else min(one.most, count))
        elif local == "someValuesFrom":
            one = replace(one, least=max(one.least, 1))
        elif local in ("onClass", "onDataRange", "allValuesFrom") and isinstance(value, Name):
            said = self.datatypes.get(value, value)
            if one.range not in (None, said):
                self.odd(line, f"owl:{local} of {one.name.text} is not its range: no effect here")
            one = replace(one, range=one.range or said)
        elif local not in ("type", "onProperty"):
            self.odd(line, f"owl:{local} of {one.name.text} has no effect here")
        return one
