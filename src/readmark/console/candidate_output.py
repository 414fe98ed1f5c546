"""Keeping standard output for results while a candidate and its libraries print what they like."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def candidate_output_to_stderr() -> Iterator[None]:
    """Send what a candidate and its libraries print to standard error."""
    sys.stdout.flush()
    with contextlib.ExitStack() as at_end:
        # If either stream is closed, nothing can get mixed.
        with contextlib.suppress(OSError):
            stdout = os.dup(1)
            at_end.callback(os.close, stdout)
            os.dup2(2, 1)
            at_end.callback(os.dup2, stdout, 1)
            at_end.callback(sys.stdout.flush)
        yield
