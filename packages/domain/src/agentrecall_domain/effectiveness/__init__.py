"""Whether memory helps, measured."""
