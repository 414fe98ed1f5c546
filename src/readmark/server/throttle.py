"""How many attempts may fail before the next must wait: log-ins, and joining with a code."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Mapping

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from readmark.server.access import Hall
from readmark.server.account_errors import Throttled
from readmark.server.addresses import unmapped
from readmark.server.tables import LoginAttempt

WINDOW = 900.0
"""Seconds for which a failed attempt counts."""
MOST_BY_LOGIN = 10
"""Wrong passwords for a login from one network. Others can still log in, the owner too."""
MOST_BY_ADDRESS = 50
"""More than by login: a class may sit behind one address."""
MOST_UNPLACED = 100
"""Wrong passwords for a login where a proxy does not say whom a request comes from. Everybody who
tries is counted together then, and a lower number would make it easy to lock a person out."""


def network_of(address: str) -> str:
    """What attempts from an address are counted by: itself, or for IPv6 its network.

    A household has a whole /64 of IPv6, and could take a new address for each attempt.
    """
    try:
        parsed = unmapped(ipaddress.ip_address(address))
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((int(parsed) >> 64 << 64, 64)))


def reserve(hall: Hall, limits: Mapping[str, int]) -> None:
    """Count an attempt as failed before it is tried, or raise ``Throttled``.

    Counted afterwards, a hundred attempts sent at once would all be tried. ``limits`` has the most
    attempts for each hash that they are counted by.
    """
    now = time.time()
    with hall.database.writing() as session:
        hall.database.take_turns(session, "log-in")
        session.execute(delete(LoginAttempt).where(LoginAttempt.time < now - WINDOW))
        for who, most in limits.items():
            count, oldest = session.execute(
                select(func.count(), func.min(LoginAttempt.time)).where(LoginAttempt.who == who)
            ).one()
            if count >= most:
                raise Throttled(oldest + WINDOW - now)
        session.add_all(LoginAttempt(who=who) for who in limits)


def forgive(session: Session, *hashes: str) -> None:
    """Take back the newest attempt that was counted by each hash: it succeeded."""
    for who in hashes:
        newest = select(func.max(LoginAttempt.number)).where(LoginAttempt.who == who)
        session.execute(delete(LoginAttempt).where(LoginAttempt.number == newest.scalar_subquery()))
