"""The one SQLite file and the files around it."""
