"""CBC4Kids: stories, questions and answer keys in files of their own."""
