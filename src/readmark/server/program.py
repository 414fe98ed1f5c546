"""The program that serves: loaded as a whole at the start, since an upgrade replaces its files."""

from __future__ import annotations

import pkgutil
from contextlib import suppress
from importlib import import_module

from readmark import server
from readmark.core.errors import ReadmarkError
from readmark.core.kinds import KINDS
from readmark.core.program_files import remember_files
from readmark.formats.registry import FORMATS
from readmark.marking import METRICS
from readmark.works import ADJUDICATIONS, WORKS


def load_program() -> None:
    """Import what requests need, so that none of them mixes two versions."""
    remember_files()
    for module in pkgutil.walk_packages(server.__path__, f"{server.__name__}."):
        if ".migrations" not in module.name:  # run by Alembic, before the hall is opened
            import_module(module.name)
    import_module("readmark.bundle")  # its tests are read by its name
    for registry in (WORKS, ADJUDICATIONS, KINDS, FORMATS, METRICS):
        for name in registry:
            with suppress(ReadmarkError, ImportError):  # who asks for it is told what is missing
                registry.load(name)
