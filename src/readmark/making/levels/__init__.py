"""`readmark set levels`: SMART's four levels of reasoning for a whole test."""
