"""Environments that have nothing but what a lock names, made of the packages that are here."""

import os
import re
import subprocess
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    """A command in a plain environment; what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """The packages of a lock, each with its version and the hashes of its files."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    pins = re.finditer(r"^([\w.-]+)==(\S+)(.*?)(?=^\S|\Z)", text, re.M | re.S)
    return {pin[1]: (pin[2], re.findall(r"--hash=(\S+)", pin[3])) for pin in pins}


def link(packages: dict[str, str], into: Path) -> bool:
    """Put packages of this environment into another; false where a version is not here."""
    try:
        found = {name: distribution(name) for name in packages}
    except PackageNotFoundError:
        return False
    if any(one.version != packages[name] for name, one in found.items()):
        return False
    for one in found.values():
        for part in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            if not (into / part).exists():
                (into / part).symlink_to(Path(str(one.locate_file(part))))
    return True
