"""The command line: `readmark` itself and the commands of the path."""
