"""How easily a passage reads, from named features: measuring, fitting, explaining."""
