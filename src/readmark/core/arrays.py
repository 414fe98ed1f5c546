"""Types of arrays, as signatures name them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
AnyFloats = NDArray[np.floating[Any]]
"""Of any precision: vectors are stored in fewer bits than they are computed in."""
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
AnyInts = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]
