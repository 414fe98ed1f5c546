"""CBC4Kids: a folder of news stories for children, with questions and published answer keys."""
