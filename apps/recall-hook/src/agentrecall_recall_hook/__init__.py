"""Memory out to the agent, at the moments when it can still change what happens."""
