"""The client of exam halls over HTTP: shared tasks, submissions and reading-task services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.client.addresses import hall_address, task_address
    from readmark.client.connection import TOKEN_VARIABLE, ClientError, ClientLimits
    from readmark.client.hall import Client
    from readmark.client.results import (
        HallBoard,
        HallSitting,
        HallSubmission,
        HallTask,
    )

__all__ = [
    "TOKEN_VARIABLE",
    "Client",
    "ClientError",
    "ClientLimits",
    "HallBoard",
    "HallSitting",
    "HallSubmission",
    "HallTask",
    "hall_address",
    "task_address",
]

__getattr__ = door(
    __name__,
    {
        "addresses": "hall_address task_address",
        "connection": "ClientError ClientLimits TOKEN_VARIABLE",
        "hall": "Client",
        "results": "HallBoard HallSitting HallSubmission HallTask",
    },
)
