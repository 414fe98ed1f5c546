"""What ships with the product: data only."""
