"""Rules over statements: stratified, semi-naive, in SQL over DuckDB, with full provenance."""

from __future__ import annotations

from readmark.tasks.reasoning.engine.batches import infer_batches
from readmark.tasks.reasoning.engine.inference import Inference, infer, infer_quads

__all__ = ["Inference", "infer", "infer_batches", "infer_quads"]
