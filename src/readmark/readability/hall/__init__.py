"""What people do in the hall on readability: rate passages and order them in rounds."""
