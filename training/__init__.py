"""What only produced the shipped weights: not installed with Readmark."""
