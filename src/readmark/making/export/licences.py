"""Licences by name: the identifier that the Hugging Face hub knows, and the terms' address."""

from __future__ import annotations

import re
from typing import NamedTuple

_CREATIVE_COMMONS = re.compile(r"cc-(by(?:-nc)?(?:-nd|-sa)?)-(1\.0|2\.0|2\.5|3\.0|4\.0)")
_CREATIVE_COMMONS_ON_HUB = frozenset(
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
"""The hub knows only some versions of each Creative Commons licence."""
_ADDRESSES = {
    "apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "mit": "https://opensource.org/license/mit",
    "cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "gfdl": "https://www.gnu.org/licenses/fdl-1.3.html",
    "odc-by": "https://opendatacommons.org/licenses/by/1-0/",
    "odbl": "https://opendatacommons.org/licenses/odbl/1-0/",
    "pddl": "https://opendatacommons.org/licenses/pddl/1-0/",
    "cdla-permissive-2.0": "https://cdla.dev/permissive-2-0/",
}
"""The other licences that are known, by the hub's identifier."""
_OTHER_SPELLINGS = {
    "cc0": "cc0-1.0",
    "apache2": "apache-2.0",
    "apache-2": "apache-2.0",
    "odc-by-1.0": "odc-by",
    "odbl-1.0": "odbl",
    "pddl-1.0": "pddl",
}


class Licence(NamedTuple):
    """A licence as the user names it."""

    name: str
    hub: str | None = None
    """The hub's identifier, if the hub knows the licence."""
    url: str | None = None
    """Where its terms are, if we know the licence or an address is its name."""


def licence_named(text: str) -> Licence:
    """A licence by its name in any usual spelling, such as CC BY-SA 4.0, or by its address."""
    name = " ".join(text.split())
    if name.startswith(("http://", "https://")):
        return Licence(name, url=name)
    identifier = re.sub(r"[\s_-]+", "-", name.lower())
    identifier = _OTHER_SPELLINGS.get(identifier, identifier)
    if match := _CREATIVE_COMMONS.fullmatch(identifier):
        hub = identifier if identifier in _CREATIVE_COMMONS_ON_HUB else None
        return Licence(name, hub, f"https://creativecommons.org/licenses/{match[1]}/{match[2]}/")
    if identifier in _ADDRESSES:
        return Licence(name, identifier, _ADDRESSES[identifier])
    return Licence(name)
