"""Question series: questions that follow each other, rewritten so that each stands alone."""
