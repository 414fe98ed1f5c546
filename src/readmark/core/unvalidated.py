"""Judges that are not shown to agree with people, and the sign that they get in every table."""

from __future__ import annotations

from collections.abc import Mapping

UNVALIDATED = "unvalidated"
"""What a signature says where no agreement with people is shown."""
SIGN = "†"
"""What follows the name of such a metric in every table."""
FOOTNOTE = f"{SIGN} {UNVALIDATED}: too few labels show how far people agree with this judge"


def is_unvalidated(signature: str) -> bool:
    """Whether a metric's signature reports no agreement with people where it should."""
    return f"|beside people:{UNVALIDATED}" in f"|{signature}"


def unvalidated(signatures: Mapping[str, str]) -> frozenset[str]:
    """The metrics that no agreement with people is shown of, by their signatures."""
    return frozenset(name for name, text in signatures.items() if is_unvalidated(text))
