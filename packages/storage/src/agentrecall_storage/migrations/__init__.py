"""The schema, one migration after another. Cold: a hook comes here only to make or upgrade the file."""
