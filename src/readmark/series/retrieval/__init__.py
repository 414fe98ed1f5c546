"""What a question of a series retrieves, and what a reader makes of that."""
