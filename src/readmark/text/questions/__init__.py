"""What a question asks for."""
