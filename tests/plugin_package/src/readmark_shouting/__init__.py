"""What another package may add to Readmark."""
