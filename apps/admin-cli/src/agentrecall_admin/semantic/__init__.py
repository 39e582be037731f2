"""The optional semantic extra: vectors of a small language model that runs here, without any network."""
