"""Rules over statements: stratified, semi-naive, in SQL over DuckDB, with full provenance."""

from readmark.reasoning.engine.batches import infer_batches
from readmark.reasoning.engine.inference import Inference, infer, infer_quads

__all__ = ["Inference", "infer", "infer_batches", "infer_quads"]
