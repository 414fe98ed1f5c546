"""English and Chinese text: what analysers and scoring rules see of it."""
