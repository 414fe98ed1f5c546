"""Work on arrays in batches that does not pay for fresh memory at every batch."""

from __future__ import annotations

import numpy as np

_BLOCK = 2**24


def keep_freed() -> None:
    """Make the C library keep what is freed: new pages cost more than the work done in them.

    glibc takes the largest block that was freed for the size from which it gives memory back.
    Nothing is written into the block, so it costs nothing.
    """
    np.empty(_BLOCK, dtype=np.uint8)
