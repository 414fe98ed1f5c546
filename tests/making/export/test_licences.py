"""Licences by name: the hub's identifier and the address of the terms."""

import pytest

from readmark.making.export.licences import licence_named

BY = "https://creativecommons.org/licenses/"


@pytest.mark.parametrize(
    ("name", "hub", "url"),
    [
        ("CC BY-SA 4.0", "cc-by-sa-4.0", f"{BY}by-sa/4.0/"),
        ("cc-by-sa-3.0", "cc-by-sa-3.0", f"{BY}by-sa/3.0/"),
        ("CC_BY_NC_SA 4.0", "cc-by-nc-sa-4.0", f"{BY}by-nc-sa/4.0/"),
        ("CC BY-SA 2.5", None, f"{BY}by-sa/2.5/"),  # a licence, but none of the hub's
        ("CC0", "cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("Apache-2.0", "apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0"),
        ("MIT", "mit", "https://opensource.org/license/mit"),
        ("CC BY-SA 9.0", None, None),
        ("只供研究", None, None),
        ("https://example.org/terms", None, "https://example.org/terms"),
    ],
)
def test_named(name: str, hub: str | None, url: str | None) -> None:
    licence = licence_named(f"  {name} ")
    assert (licence.name, licence.hub, licence.url) == (name, hub, url)
