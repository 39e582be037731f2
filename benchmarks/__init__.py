"""Benches: what the programs cost. Each is a module to run; none judges, so each exits 0."""
