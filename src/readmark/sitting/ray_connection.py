"""Connecting to Ray, or starting it: soon given up, interrupted cleanly, closed to strangers."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from readmark.core.errors import ReadmarkError
from readmark.core.extras import require

LOCAL = "local"
"""The address of a cluster of this machine alone, which is started here."""
OBJECT_STORE = 100 * 2**20
"""Bytes of shared memory of a cluster that is started here: only messages pass through it."""
CONNECT_SECONDS = 15.0
ATTEMPTS = "RAY_gcs_server_port_wait_time_s"
"""The variable that says how often Ray tries to connect, a second apart."""


@contextmanager
def connected_ray(address: str) -> Iterator[tuple[Any, bool]]:
    """Ray for as long as the block takes, and whether its cluster was started here.

    If it is connected already, it stays so.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report to its makers
    if address != LOCAL:  # at 20, its default, it warns of a wrong token 20 times
        os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "3")
    if address == LOCAL and "ray" not in sys.modules:
        _set_token()
    require("ray")
    import ray

    if ray.is_initialized():
        yield ray, False
        return
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == LOCAL:
        options |= {"include_dashboard": False, "object_store_memory": OBJECT_STORE}
        options |= {"_node_ip_address": "127.0.0.1"}
    try:
        with _few_attempts(address), _signals_postponed() as signals:
            context = ray.init(address, **options)
    except ReadmarkError:
        raise
    except Exception as error:
        raise ReadmarkError(
            f"no Ray cluster at {address}, or it expects another token: {ray_error_line(error)}"
        ) from error
    try:
        for number in signals:
            signal.raise_signal(number)
        yield ray, address == LOCAL
    finally:
        ray.shutdown()
    if address == LOCAL:  # its logs are of use only after an error
        shutil.rmtree(context.address_info["session_dir"], ignore_errors=True)


def _set_token() -> None:
    """Let a cluster that is started here take orders from this process alone.

    Ray's ports are open to all who reach the machine, and whoever reaches one can run code. Ray
    reads this once, when it is imported, so it stays.
    """
    if "RAY_AUTH_MODE" not in os.environ:
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))


@contextmanager
def _few_attempts(address: str) -> Iterator[None]:
    """Have Ray give up soon: it would try for a quarter of an hour where nothing listens.

    A wrong token it would try twenty times.
    """
    require("ray")
    from ray._private import services

    if address == LOCAL or "://" in address:
        yield
        return
    resolved = services.canonicalize_bootstrap_address(address)
    host, _, port = resolved.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        named = resolved if address == "auto" else address
        variable = " in RAY_ADDRESS" if address == os.environ.get("RAY_ADDRESS") else ""
        raise ReadmarkError(
            f"no Ray cluster answers at {named}{variable} ({error.strerror or error})"
        ) from None
    attempts = os.environ.get(ATTEMPTS)
    os.environ[ATTEMPTS] = attempts or "2"
    try:
        yield
    finally:
        if attempts is None:  # a cluster that is started here later on keeps Ray's default
            del os.environ[ATTEMPTS]


@contextmanager
def _signals_postponed() -> Iterator[list[signal.Signals]]:
    """Collect Ctrl-C while Ray starts, which it may not survive; a second one is not postponed.

    Ray's own handler of SIGTERM exits, and would not close a journal later on.
    """
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    postponed: list[signal.Signals] = []
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def postpone(*_: object) -> None:
        postponed.append(signal.SIGINT)
        signal.signal(signal.SIGINT, handlers[signal.SIGINT])

    if callable(handlers[signal.SIGINT]):
        signal.signal(signal.SIGINT, postpone)
    terminated = False
    try:
        yield postponed
    except SystemExit:
        terminated = True
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if terminated:
        signal.raise_signal(signal.SIGTERM)


def ray_error_line(error: BaseException) -> str:
    """The line of an error of Ray's that says most: the last of a traceback, else the first."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    return lines[-1] if any(line.startswith("File ") for line in lines) else lines[0]
