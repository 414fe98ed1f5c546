"""`readmark set agree`: how far two or more annotators agree."""
