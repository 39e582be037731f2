"""Config: what a person may tune, each key with its type, range and meaning."""
