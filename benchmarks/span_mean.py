"""Makes a span reader of the mean of two readers' weights.

    python benchmarks/span_mean.py out/span/zhj out/span/zhc out/span/zh_mean

Both must come of one encoder; lengths, tokenizer and note are the first one's.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from safetensors.numpy import load_file, save_file

from readmark.comprehension.span.onnx.export import export

WEIGHTS = ("model.safetensors", "heads.safetensors")
OTHERS = ("config.json", "span.json", "tokenizer.json")


def main(one: Path, other: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name in WEIGHTS:
        first, second = load_file(one / name), load_file(other / name)
        mean = {key: (value + second[key]) / 2 for key, value in first.items()}
        save_file(mean, out / name, {"format": "pt"})
    for name in OTHERS:
        shutil.copyfile(one / name, out / name)
    export(out, out)


if __name__ == "__main__":
    main(*(Path(name) for name in sys.argv[1:4]))
