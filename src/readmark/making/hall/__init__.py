"""What people do in the hall to make a test: questions, translations, layers, decisions."""
