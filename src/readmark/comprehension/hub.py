"""The hub of the transformers library: which names are its own, and whether it can be asked now."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.core.redaction import Secrets, credentials, hide_credentials

PATIENCE = 5.0
"""Seconds that the hub has for a first answer, where HF_HUB_ETAG_TIMEOUT does not say."""
_CONFIG = "config.json"


def is_path(name: str) -> bool:
    """Whether a name can only be that of a folder here: the hub is never asked for those."""
    return Path(name).exists() or name.startswith((".", "/", "~")) or name.count("/") > 1


@contextlib.contextmanager
def using_hub(*, allowed: bool) -> Iterator[None]:
    """Keep the hub's library off the network, unless it is allowed to fetch.

    Told to look on this machine only, it still asks the hub about other things than the model.
    """
    require("huggingface_hub")
    from huggingface_hub import constants

    before = constants.HF_HUB_OFFLINE
    constants.HF_HUB_OFFLINE = before or not allowed
    try:
        yield
    finally:
        constants.HF_HUB_OFFLINE = before


def is_fetched(name: str, progress: Callable[[str], None]) -> bool:
    """Whether an encoder is to come from the hub, not from a folder or what was fetched before.

    The hub is asked once, with an end to it: its library would try again for minutes.
    """
    if is_path(name):
        if not Path(name).is_dir():
            raise DataError(f"{name}: no such folder")
        return False
    require("huggingface_hub")
    from huggingface_hub import errors, try_to_load_from_cache

    try:
        cached = try_to_load_from_cache(name, _CONFIG)
    except errors.HFValidationError:
        raise DataError(
            f"{name} is not a folder, and it cannot be a name on the hub either"
        ) from None
    reason = _refusal(name)
    if reason is None:
        return True
    if not isinstance(cached, str):
        raise DataError(f"{name} is not a folder, and {reason}")
    progress(f"{name} as it was fetched before: {reason}")
    return False


def _refusal(name: str) -> str | None:
    """Why the hub does not give a model, within a few seconds; None where it would."""
    require("huggingface_hub")
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return "the hub is not asked (HF_HUB_OFFLINE)"
    hub = f"the hub {hide_credentials(constants.ENDPOINT)}"
    is_set = os.environ.get("HF_HUB_ETAG_TIMEOUT")
    seconds = float(constants.HF_HUB_ETAG_TIMEOUT) if is_set else PATIENCE
    replies: list[str | None] = []
    # A thread, for resolving the hub's name and every address of it have limits of their own.
    asking = threading.Thread(
        target=lambda: replies.append(_refusal_of_hub(name, hub, 2 * seconds)), daemon=True
    )
    asking.start()
    asking.join(seconds)
    if not replies:
        return f"{hub} did not answer within {seconds:g} s (HF_HUB_ETAG_TIMEOUT)"
    return replies[0]


def _refusal_of_hub(name: str, hub: str, seconds: float) -> str | None:
    require("huggingface_hub")
    from huggingface_hub import errors, get_hf_file_metadata, hf_hub_url

    try:
        get_hf_file_metadata(hf_hub_url(name, _CONFIG), timeout=seconds)
    except errors.GatedRepoError:
        return f"{hub} gives it only to people who asked for access and are logged in"
    except errors.EntryNotFoundError:
        return f"{hub} has no {_CONFIG} of it"
    except errors.RepositoryNotFoundError:
        return f"{hub} has no model of that name, or not for you"
    except errors.HfHubHTTPError as error:
        code = error.response.status_code
        return f"{hub} has no model of that name" if code == 404 else f"{hub} answers {code}"
    except Exception as error:  # the libraries have one for every way to be out of reach
        return f"{hub} cannot be reached: {hub_secrets().describe(error, 200)}"
    return None


def hub_secrets() -> Secrets:
    """What the hub's library sends along: its token, and passwords in the addresses it uses."""
    from urllib.request import getproxies

    require("huggingface_hub")
    from huggingface_hub import constants, get_token

    addresses = (constants.ENDPOINT, *getproxies().values())
    return Secrets(get_token(), *(word for address in addresses for word in credentials(address)))


_OFFSET_POSITIONS = frozenset(
    ("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "mpnet", "ibert")
)
"""Encoders whose positions begin after that of padding, so that some are never used."""


def positions_of(config: Any) -> int | None:
    """How many tokens a network has positions for; None where there is no end of them."""
    positions = getattr(config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions <= 0:
        return None
    offset = config.model_type in _OFFSET_POSITIONS
    return positions - (int(config.pad_token_id or 0) + 1 if offset else 0)
