"""Whether the machine's clock can be trusted with what cannot be undone.

A hall that started with its clock 20 days ahead erased a class that had 20 days to go. So a clock
that is more than a day later than at the last check is doubted for a day, by its own time:
meanwhile nothing is erased or deleted because of its date. A hall that was switched off over the
holidays waits that day too, since the two cannot be told apart.
"""

from __future__ import annotations

import logging
import time

from sqlalchemy import func, select

from readmark.server.database import Database
from readmark.server.days import DAY
from readmark.server.tables import AuditEntry, ClockCheck

LOG = logging.getLogger("readmark.hall")
_ROW = 1


def is_clock_doubtful(database: Database, *, now: float | None = None) -> bool:
    """Compare the clock with what it was at the last check, and keep what it is now."""
    now = time.time() if now is None else now
    with database.writing() as session:
        check = session.get(ClockCheck, _ROW, with_for_update=True)
        if check is None:
            # A new hall has no entry; one of an older version has no earlier check.
            last = session.scalar(select(func.max(AuditEntry.time)))
            check = ClockCheck(id=_ROW, seen=now if last is None else last)
            session.add(check)
        if now < check.seen - DAY:
            check.doubted_since = None  # it was ahead, and has been set right
        elif check.doubted_since is not None:
            # A hall that runs for an hour a week is not made to wait at every start.
            if now >= check.doubted_since + DAY:
                check.doubted_since = None
        elif now > check.seen + DAY:
            check.doubted_since = now
            LOG.warning(
                "the clock is %.0f days later than at the last check: nothing is erased for a day",
                (now - check.seen) / DAY,
            )
        check.seen = now
        return check.doubted_since is not None
