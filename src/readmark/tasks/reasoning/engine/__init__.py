"""Rules over statements: stratified, semi-naive, in SQL over DuckDB, with full provenance."""
