"""Loading a question-answering model: from a folder, from what was fetched before, or fetched."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.span.answers import stretches
from readmark.comprehension.span.tokens import Ints, Tokens
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require
from readmark.core.redaction import Secrets, credentials, hide_credentials

# The hub of the transformers library: which names are its own, and whether it can be asked now.


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


def is_fetched(name: str, tell: Callable[[str], None]) -> bool:
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
        kept = try_to_load_from_cache(name, _CONFIG)
    except errors.HFValidationError:
        raise DataError(f"{name} is no folder, nor can it be a name on the hub") from None
    wrong = _refused(name)
    if wrong is None:
        return True
    if not isinstance(kept, str):
        raise DataError(f"{name} is no folder, and {wrong}")
    tell(f"{name} as it was fetched before: {wrong}")
    return False


def _refused(name: str) -> str | None:
    """Why the hub does not give a model, in words; None where it would."""
    require("huggingface_hub")
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return "the hub is not asked (HF_HUB_OFFLINE)"
    hub = f"the hub {hide_credentials(constants.ENDPOINT)}"
    given = os.environ.get("HF_HUB_ETAG_TIMEOUT")
    seconds = float(constants.HF_HUB_ETAG_TIMEOUT) if given else PATIENCE
    said: list[str | None] = []
    # A thread, for resolving the hub's name and every address of it have limits of their own.
    asking = threading.Thread(
        target=lambda: said.append(_asked(name, hub, 2 * seconds)), daemon=True
    )
    asking.start()
    asking.join(seconds)
    if not said:
        return f"{hub} did not answer within {seconds:g} s (HF_HUB_ETAG_TIMEOUT)"
    return said[0]


def _asked(name: str, hub: str, seconds: float) -> str | None:
    require("huggingface_hub")
    from huggingface_hub import errors, get_hf_file_metadata, hf_hub_url

    try:
        get_hf_file_metadata(hf_hub_url(name, _CONFIG), timeout=seconds)
    except errors.GatedRepoError:
        return f"{hub} gives it to those only who have asked for it and are logged in"
    except errors.EntryNotFoundError:
        return f"{hub} has no {_CONFIG} of it"
    except errors.RepositoryNotFoundError:
        return f"{hub} has none of that name, or not for you"
    except errors.HfHubHTTPError as error:
        code = error.response.status_code
        return f"{hub} has none of that name" if code == 404 else f"{hub} answers {code}"
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


# A question and a piece of a passage as one sequence, put together as a tokenizer itself does it.


_PROBE = "1"


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence for the network, and which of the passage's tokens it holds."""

    ids: Ints
    types: Ints
    low: int
    """The place in the window of its first token of the passage."""
    first: int
    """The number of that token in the passage."""
    count: int
    none: int
    """The place whose scores say that there is no answer."""


@dataclass(frozen=True, slots=True)
class _Special:
    ids: tuple[int, ...]
    types: tuple[int, ...]


class Pairs:
    """A fast tokenizer of transformers, and the way it joins two texts."""

    def __init__(self, tool: Any, name: str) -> None:
        if not getattr(tool, "is_fast", False):
            raise DataError(f"the tokenizer of {name} gives no offsets, so it cannot say where")
        self._tool = tool
        probe = tool(_PROBE, _PROBE, return_token_type_ids=True)
        owners = probe.sequence_ids(0)
        ids, types = probe["input_ids"], probe["token_type_ids"]
        asked = [at for at, owner in enumerate(owners) if owner == 0]
        read = [at for at, owner in enumerate(owners) if owner == 1]
        if not asked or not read or asked[-1] > read[0]:
            raise DataError(f"the tokenizer of {name} does not put a question before a passage")
        self._before = _special(ids, types, range(asked[0]))
        self._between = _special(ids, types, range(asked[-1] + 1, read[0]))
        self._behind = _special(ids, types, range(read[-1] + 1, len(ids)))
        self._types = types[asked[0]], types[read[0]]
        self._mark = tool.cls_token_id
        self.pad = int(tool.pad_token_id or 0)
        self.types = max(types) + 1
        """How many sorts of token it tells apart: two texts are of one or of two."""
        self.special = len(ids) - len(asked) - len(read)
        """How many tokens a window has beside the two texts'."""

    def cut(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text with their places, without special ones."""
        ready = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        cut = self._tool(
            ready,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        return [
            _tokens(ids, places, text)
            for ids, places, text in zip(
                cut["input_ids"], cut["offset_mapping"], ready, strict=True
            )
        ]

    def windows(
        self, question: Tokens, passage: Tokens, *, length: int, longest_question: int, stride: int
    ) -> Iterator[Window]:
        """The windows of a question and its passage, in the passage's order."""
        asked = question.ids[:longest_question]
        room = length - len(asked) - self.special
        for first, count in stretches(len(passage.ids), room, stride):
            held = passage.ids[first : first + count]
            pieces = (
                (self._before.ids, self._before.types),
                (asked, np.full(len(asked), self._types[0])),
                (self._between.ids, self._between.types),
                (held, np.full(count, self._types[1])),
                (self._behind.ids, self._behind.types),
            )
            ids = np.concatenate([np.asarray(one, np.int32) for one, _ in pieces])
            types = np.concatenate([np.asarray(one, np.int32) for _, one in pieces])
            low = len(self._before.ids) + len(asked) + len(self._between.ids)
            yield Window(ids, types, low, first, count, self._none(ids))

    def _none(self, ids: Ints) -> int:
        """Where the class token stands: first with most tokenizers, last with some."""
        at = np.flatnonzero(ids == self._mark) if self._mark is not None else ids[:0]
        return int(at[0]) if len(at) else 0

    def side_by_side(
        self, some: Sequence[Window]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Windows as one batch: ids, types and mask, filled up behind."""
        width = max(len(one.ids) for one in some)
        ids = np.full((len(some), width), self.pad, np.int64)
        types, mask = np.zeros_like(ids), np.zeros_like(ids)
        for row, one in enumerate(some):
            size = len(one.ids)
            ids[row, :size], types[row, :size], mask[row, :size] = one.ids, one.types, 1
        return ids, types, mask


def _special(ids: Sequence[int], types: Sequence[int], places: range) -> _Special:
    return _Special(tuple(ids[at] for at in places), tuple(types[at] for at in places))


def _tokens(ids: Sequence[int], places: Sequence[tuple[int, int]], text: str) -> Tokens:
    """Tokens and their places, without the spaces that some tokenizers count to them."""
    spans = np.array(places, dtype=np.int32).reshape(-1, 2)
    for at, (start, end) in enumerate(places):
        piece = text[start:end]
        if piece[:1].isspace() or piece[-1:].isspace():
            spans[at] = (
                start + len(piece) - len(piece.lstrip()),
                end - len(piece) + len(piece.rstrip()),
            )
            if spans[at, 0] > spans[at, 1]:  # nothing but space
                spans[at] = end, end
    return Tokens(np.array(ids, dtype=np.int32), spans[:, 0], spans[:, 1])


_OFFSET_POSITIONS = frozenset(
    ("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "longformer", "mpnet", "ibert")
)
"""Encoders whose positions begin after that of padding, so that some are never used."""
_MOST = 512
_LEAST = 16
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model that is ready, its tokenizer, and what names both."""

    network: Any
    pairs: Pairs
    length: int
    """The most tokens of a window."""
    device: str
    identity: str
    """The commit of a model of the hub, the hash of the weights of a folder's."""


def load(
    name: str,
    *,
    revision: str = "",
    download: bool = False,
    device: str = "auto",
    length: int = 0,
    threads: int = 0,
) -> Loaded:
    """The model of a folder or of a hub's name; nothing is fetched unless that is allowed."""
    torch, transformers = _libraries()
    if not name:
        raise UsageError("which model? hf(model=FOLDER) or hf(model=OWNER/NAME)")
    folder = Path(name).is_dir()
    if folder and revision:
        raise UsageError(f"revision={revision} is for a name on the hub; {name} is a folder")
    if not folder and is_path(name):
        raise DataError(f"{name}: no such folder")
    if threads:
        torch.set_num_threads(threads)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    given: dict[str, Any] = {
        "local_files_only": folder or not download,
        "trust_remote_code": False,  # unless told so, the library asks on standard input
    }
    if revision:
        given["revision"] = revision
    try:
        with using_hub(allowed=download and not folder):
            config = transformers.AutoConfig.from_pretrained(name, **given)
            identity = _weights(Path(name)) if folder else _commit(name, revision)
            if not folder:
                given["revision"] = identity  # all of it from one commit, should it move on
            tool = transformers.AutoTokenizer.from_pretrained(name, use_fast=True, **given)
            network, told = transformers.AutoModelForQuestionAnswering.from_pretrained(
                name, config=config, dtype=torch.float32, output_loading_info=True, **given
            )
    except Exception as error:  # the libraries have one for every way to fail
        raise _unloadable(name, error, fetched=folder or download) from error
    missing = sorted(told.get("missing_keys") or ())
    if missing:
        raise DataError(f"{name} has no trained question-answering head ({missing[0]} is missing)")
    if not hasattr(network, "qa_outputs"):
        raise DataError(f"{name} is a {config.model_type}, which does not score starts and ends")
    place = _device(torch, device)
    return Loaded(
        network.to(place).eval(),
        Pairs(tool, name),
        _length(config, tool, length),
        place,
        identity,
    )


def _commit(name: str, revision: str) -> str:
    """The commit of a model of the hub, as its files are kept."""
    require("huggingface_hub")
    from huggingface_hub import try_to_load_from_cache

    kept = try_to_load_from_cache(name, "config.json", revision=revision or None)
    return Path(kept).parent.name if isinstance(kept, str) else revision


def _libraries() -> tuple[Any, Any]:
    require("torch", "transformers")
    import torch
    import transformers

    return torch, transformers


def _unloadable(name: str, error: Exception, *, fetched: bool) -> DataError:
    if not fetched and isinstance(error, OSError):
        return DataError(
            f"{name} is not on this machine: hf(model={name},download=true) fetches it"
        )
    return DataError(f"the model {name} cannot be loaded: {hub_secrets().describe(error, 300)}")


def _device(torch: Any, asked: str) -> str:
    if asked == "auto":
        if torch.cuda.is_available():
            return "cuda"
        return "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        torch.zeros(1, device=asked)
    except (RuntimeError, AssertionError) as error:
        said = " ".join(str(error).split())[:200]
        raise UsageError(f"device={asked} cannot be used: {said}") from None
    return asked


def positions_of(config: Any) -> int | None:
    """How many tokens a network has positions for; None where there is no end of them."""
    positions = getattr(config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions <= 0:
        return None
    offset = config.model_type in _OFFSET_POSITIONS
    return positions - (int(config.pad_token_id or 0) + 1 if offset else 0)


def _length(config: Any, tool: Any, asked: int) -> int:
    """The longest window: what the positions allow, at most what was asked for."""
    bounds = [_MOST]
    positions = positions_of(config)
    if positions is not None:
        bounds.append(positions)
    if isinstance(tool.model_max_length, int) and tool.model_max_length < 10**6:
        bounds.append(tool.model_max_length)
    if asked > min(bounds[1:], default=asked):
        raise UsageError(f"length={asked} is more than the model's {min(bounds[1:])} tokens")
    found = asked or min(bounds)
    if found < _LEAST:
        raise UsageError(f"windows of {found} tokens hold nothing; at least {_LEAST} are needed")
    return found


def _weights(folder: Path) -> str:
    """A hash of the weights in a folder."""
    digest = hashlib.sha256()
    for pattern in _WEIGHTS:
        for path in sorted(folder.glob(pattern)):
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]
