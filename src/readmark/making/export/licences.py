"""Licences by name: the identifier that the Hugging Face hub knows, and the terms' address."""

from __future__ import annotations

import re
from typing import NamedTuple

_CREATIVE = re.compile(r"cc-(by(?:-nc)?(?:-nd|-sa)?)-(1\.0|2\.0|2\.5|3\.0|4\.0)")
# The hub knows only some versions of each Creative Commons licence.
_HUB_CREATIVE = frozenset(
    {
        "cc-by-2.0",
        "cc-by-2.5",
        "cc-by-3.0",
        "cc-by-4.0",
        "cc-by-nc-2.0",
        "cc-by-nc-3.0",
        "cc-by-nc-4.0",
        "cc-by-nc-nd-3.0",
        "cc-by-nc-nd-4.0",
        "cc-by-nc-sa-2.0",
        "cc-by-nc-sa-3.0",
        "cc-by-nc-sa-4.0",
        "cc-by-nd-4.0",
        "cc-by-sa-3.0",
        "cc-by-sa-4.0",
    }
)
_OTHERS = {
    "apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "mit": "https://opensource.org/license/mit",
    "cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "gfdl": "https://www.gnu.org/licenses/fdl-1.3.html",
    "odc-by": "https://opendatacommons.org/licenses/by/1-0/",
    "odbl": "https://opendatacommons.org/licenses/odbl/1-0/",
    "pddl": "https://opendatacommons.org/licenses/pddl/1-0/",
    "cdla-permissive-2.0": "https://cdla.dev/permissive-2-0/",
}
_ALSO = {
    "cc0": "cc0-1.0",
    "apache2": "apache-2.0",
    "apache-2": "apache-2.0",
    "odc-by-1.0": "odc-by",
    "odbl-1.0": "odbl",
    "pddl-1.0": "pddl",
}


class Licence(NamedTuple):
    """A licence as it was named; ``hub`` and ``url`` where it is a known one."""

    name: str
    hub: str | None = None
    url: str | None = None


def licence_named(text: str) -> Licence:
    """A licence by its name in any usual spelling, such as CC BY-SA 4.0, or by its address."""
    name = " ".join(text.split())
    if name.startswith(("http://", "https://")):
        return Licence(name, None, name)
    identifier = re.sub(r"[\s_-]+", "-", name.lower())
    identifier = _ALSO.get(identifier, identifier)
    match = _CREATIVE.fullmatch(identifier)
    if match:
        url = f"https://creativecommons.org/licenses/{match[1]}/{match[2]}/"
        return Licence(name, identifier if identifier in _HUB_CREATIVE else None, url)
    if identifier in _OTHERS:
        return Licence(name, identifier, _OTHERS[identifier])
    return Licence(name)
