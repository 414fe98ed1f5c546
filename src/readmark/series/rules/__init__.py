"""Rules of wording for gold rewrites, a module each: what a person should look at."""
