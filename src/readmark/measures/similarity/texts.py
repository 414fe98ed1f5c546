"""Measures of words for many pairs of texts: each text is cut into words once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from readmark.measures.similarity.orders import Weights, weighted
from readmark.measures.similarity.shared import Floats, Grams, Pair, Shared
from readmark.measures.similarity.words import Cutter, cut_all, words

Measure = Callable[[Shared[Floats]], Floats]

LONGEST = 64
"""Longer texts are compared pair by pair: a table of positions by positions would not pay."""
_BATCH = 1024
