"""What an object of a work can be called: the hall stores it, and works make it of forms."""

from __future__ import annotations

import re

OBJECT_ID = re.compile(r"[^\W_][\w.:#/@+=-]{0,59}")
"""A letter or digit first; no space and no quote, since an id is part of addresses and pages."""
